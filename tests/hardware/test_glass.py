"""The people of the emulated machine read the display's pixels: what they read must be what stands there, on every screen there is."""

from __future__ import annotations

import pytest

from firmware.commands.gallery import gallery_of_screens
from firmware.enrolling.gallery import screens_of_enrolment
from firmware.notices import own_screens
from hardware.display.draw import draw, layout
from hardware.display.letters import MAIN
from hardware.display.oled import SHIFTS
from hardware.display.screen import Screen
from tests.machine.vm import glass

SCREENS = {**gallery_of_screens(), **own_screens(), **screens_of_enrolment()}


def standing(screen: Screen) -> list[tuple[bool, bool, str]]:
    """Each row of text that the drawing lays out, from the top: large, dark, its text; texts side by side in one."""
    rows: dict[int, list[tuple[int, bool, bool, str]]] = {}
    for text in layout(screen).texts:
        rows.setdefault(text.y, []).append((text.x, text.letters is MAIN, text.dark, text.text))
    return [
        (row[0][1], row[0][2], " ".join(one[3] for one in sorted(row)))
        for _, row in sorted((y, sorted(row)) for y, row in rows.items())
    ]


def test_every_screen_is_read_as_it_stands() -> None:
    wrong = {}
    for number, (name, screen) in enumerate(SCREENS.items()):
        if screen.pictures:
            continue
        said = glass.read(draw(screen, SHIFTS[number % len(SHIFTS)]))
        read = [(line.main, line.dark, " ".join(line.text.split())) for line in said]
        if read != (
            wanted := [(main, dark, " ".join(text.split())) for main, dark, text in standing(screen)]
        ):
            wrong[name] = read, wanted
    assert not wrong
    assert len(SCREENS) > 100


@pytest.mark.parametrize("x", [30, 64, 90])
def test_a_pixel_too_many_is_not_read_over(x: int) -> None:
    picture = draw(Screen("turn", main="Sceptre"))
    pixels = picture.load()
    assert pixels is not None
    pixels[x, 30] = 0 if pixels[x, 30] else 255
    assert "Sceptre" not in glass.words(picture)
