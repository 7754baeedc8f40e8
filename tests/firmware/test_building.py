"""Wiring and optics: what a builder is told is what the settings and the geometry say."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from engines import table_games
from firmware.commands import optics, wiring
from firmware.settings import DEFAULTS, Settings, check
from tests.firmware.test_cli import thoth
from vision.mat import needed

SPI = (
    '[display]\ndriver = "ssd1309"\ninterface = "spi"\nbus = 0\ndc = 5\nreset = 6\n[buttons]\nconfirm = 26\n'
)


def test_every_gpio_has_its_own_pin_and_none_is_power_or_ground() -> None:
    assert sorted(wiring.BCM) == list(range(28))
    pins = [*wiring.BCM.values(), *wiring.POWER, *wiring.GROUNDS]
    assert sorted(pins) == list(range(1, 41))


@pytest.mark.parametrize("text", ["", SPI, "[signals]\nled = 5\nbuzzer = 6\n"])
def test_every_wire_is_of_the_settings_and_no_signal_has_two(text: str) -> None:
    settings, faults = check(text)
    assert not faults
    found = wiring.wires(settings)
    signal = [wire.pin for wire in found if wire.pin not in wiring.GROUNDS and wire.pin not in wiring.POWER]
    assert len(set(signal)) == len(signal)
    for wire in found:
        if wire.setting.startswith(("buttons.", "signals.", "display.dc", "display.reset")):
            assert wiring.BCM[settings.number(wire.setting)] == wire.pin, wire
    grounds = [wire.pin for wire in found if wire.pin in wiring.GROUNDS]
    assert len(set(grounds)) == len(grounds), "there are enough for all"


def test_suggested_pins_are_free() -> None:
    for taken in ("", "[buttons]\nconfirm = 5\nreject = 6\n", "[signals]\nled = 12\n"):
        settings = wiring.with_signals(check(taken)[0])
        pins = [
            wire.pin for wire in wiring.wires(settings) if wire.pin not in (*wiring.GROUNDS, *wiring.POWER)
        ]
        assert len(set(pins)) == len(pins) == 8, taken
        assert settings.number("signals.led") and settings.number("signals.buzzer")


def test_the_drawing_leads_every_wire_from_its_terminal_to_its_pin() -> None:
    found = wiring.wires(wiring.with_signals(DEFAULTS))
    root = ElementTree.fromstring(wiring.svg(found))
    space = "{http://www.w3.org/2000/svg}"
    lines = [
        [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
        for line in root.iter(f"{space}polyline")
    ]
    assert len(lines) == len(found)
    for wire, points in zip(
        sorted(found, key=lambda wire: wire.pin), sorted(lines, key=lambda line: _pin(line)), strict=True
    ):
        assert _pin(points) == wire.pin
        for one, other in itertools.pairwise(points):
            assert one[0] == other[0] or one[1] == other[1], "straight down or straight across"
    # No two wires lie on each other for any length.
    runs = [sorted(pair) for line in lines for pair in itertools.pairwise(line)]
    upright = [(x, a, b) for (x, a), (x2, b) in runs if x == x2]
    for number, (x, a, b) in enumerate(upright):
        for x2, c, d in upright[number + 1 :]:
            assert x != x2 or b <= c or d <= a, (x, a, b, c, d)
    texts = " ".join(text.text or "" for text in root.iter(f"{space}text"))
    for wire in found:
        assert f"{wire.terminal} - {wire.pin} ({wire.what})" in texts


def _pin(points: list[tuple[float, ...]]) -> int:
    """The pin at the end of a line."""
    x, y = points[-1]
    column = 0 if abs(x - 430) < abs(x - 462) else 1
    return 2 * int((y - 70) // 22) + 1 + column


def test_a_camera_sees_what_geometry_says() -> None:
    module = optics.MODULES[0]
    one = optics.view(module, (594, 420), (1536, 864))
    assert one.field[0] / one.field[1] == pytest.approx(1536 / 864)
    assert one.field[0] >= 594 + 60 and one.field[1] == pytest.approx(420 + 60)
    assert 2 * one.height * math.tan(math.radians(33)) == pytest.approx(one.field[0])
    assert one.scale == pytest.approx(1536 / one.field[0])
    back = optics.from_height(module, one.height, (1536, 864))
    assert back.field == pytest.approx(one.field)
    # A picture of 4:3 on a sensor of 16:9 loses its sides.
    narrow = optics.from_height(module, 1000, (1600, 1200))
    assert narrow.field[0] == pytest.approx(one.field[0] / one.height * 1000 * (4 / 3) / (4608 / 2592))


def test_advice_is_given_where_something_is_wrong() -> None:
    wide = optics.MODULES[1]
    assert "too low" in optics.view(wide, (297, 210), (1536, 864)).advice
    assert "too coarse" in optics.view(optics.MODULES[0], (1200, 900), (1536, 864)).advice
    assert optics.view(optics.MODULES[0], (594, 420), (2304, 1296)).advice == ""


def test_without_a_mat_the_picture_is_large_enough_for_every_table_that_is_read() -> None:
    """The settings' default, the demo, the command and the eyes agree on what suffices."""
    default = DEFAULTS.number("camera.width"), DEFAULTS.number("camera.height")
    assert optics.picture(default, mat=True) == default
    for game in table_games().values():
        for players in game.players:
            layout = game.reading.layout(players, game.defaults)
            taken = optics.picture(default, not layout.loose)
            table = layout.width, layout.height
            seen = optics.view(optics.MODULES[0], table, taken)
            assert seen.scale >= 1.04 * needed(layout), (game.id, players)
            assert optics.fits_a_mat(table) != layout.loose
            assert layout.loose == (
                optics.view(optics.MODULES[0], table, default).scale < optics.TRIED - 0.01
            )
    done = thoth("demo", "--json", "--game", "papyrus", "--size", "1536x864")
    assert done.returncode == 2 and "too coarse for this table: --size 2304x1296" in done.stderr
    done = thoth("optics", "--table", "1074x462")
    assert "2304 x 1296" in done.stdout and "too coarse" not in done.stdout
    done = thoth("optics", "--table", "1074x462", "--picture", "1536x864")
    assert done.stdout.count("too coarse") == len(optics.MODULES)


def test_the_commands_say_what_to_write_instead(tmp_path: Path) -> None:
    for words, said in (
        (("optics", "--table", "big"), "write A2, or width x height"),
        (("optics", "--table", "1x1"), "write A2, or width x height"),
        (("optics", "--picture", "large"), "2304x1296"),
        (("optics", "--height", "9000"), "in cm"),
        (("wiring", "--config", str(tmp_path / "none.toml")), "cannot be read"),
    ):
        done = thoth(*words)
        assert done.returncode == 2 and said in done.stderr, (words, done.stderr)
    done = thoth("wiring", "--svg", "--out", str(tmp_path / "wires.svg"))
    assert done.returncode == 0 and (tmp_path / "wires.svg").read_text() == wiring.svg(
        wiring.wires(Settings({}))
    )
