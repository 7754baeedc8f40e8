"""Every screen of an enrolment in its box, and every state reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.enrolling import screens
from firmware.enrolling.faces import name_of, shortened
from firmware.enrolling.gallery import FAULTS, among, screens_of_enrolment
from firmware.enrolling.table import STATES
from hardware.display.draw import draw, fits, layout
from hardware.display.letters import SMALL
from hardware.display.screen import Bitmap, Screen
from tests.firmware.evenings import TEXTS

SHOWN = screens_of_enrolment()


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_every_screen_fits(name: str) -> None:
    assert fits(SHOWN[name]) == ()


def test_every_state_has_its_keys_its_screen_and_is_in_the_gallery() -> None:
    assert set(STATES) == set(screens._SCREENS) == {one.name for one in SHOWN.values()}


def test_every_fault_of_a_face_has_its_words() -> None:
    for fault in FAULTS:
        assert TEXTS(f"enrol.fault_{fault}", like="Snake 3")


def test_every_text_of_an_enrolment_is_used() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(screens.__file__).parent.glob("*.py"))
    for key in TEXTS.table:
        section, name = key.split(".", 1)
        if section == "enrol" and not name.startswith("fault_"):
            by_rule = name in ("none", "none_one", "few", "many") or name.endswith("_title")
            assert by_rule or f'"{key}"' in source or f'"{name}"' in source, key


def test_the_faces_asked_for_are_told_in_order() -> None:
    assert SHOWN["enrol lay"].main == "Snake 1-10"
    assert SHOWN["enrol lay names"].lines == ("1  Snake 1", "2  Snake 2", "3  Snake 3", "4  Snake 4")
    assert SHOWN["enrol lay one"].main == "Red expert"
    assert name_of("blue-explorer") == "Blue explorer"


def test_a_long_name_keeps_its_number() -> None:
    cut = shortened("Hieroglyphics 12", SMALL, 60)
    assert cut.endswith(" 12") and SMALL.width(cut, 1) <= 60


@pytest.mark.parametrize("count", range(2, 13))
@pytest.mark.parametrize("shape", [(22.0, 44.0), (63.0, 88.0), (90.0, 56.0), (30.0, 30.0)])
def test_so_many_faces_of_any_shape_fit_side_by_side_in_order(count: int, shape: tuple[float, float]) -> None:
    width, height = among(count, *shape)
    one = Bitmap(("#" * width,) * height)
    sheet = Screen(
        "review", "Snake 1-10", lines=("In the right order?",), footer="ok", pictures=(one,) * count
    )
    assert fits(sheet) == ()
    places = [(placed.y, placed.x) for placed in layout(sheet).pictures]
    assert places == sorted(places) and len(set(places)) == count
    lit = draw(sheet).crop((0, 11, 128, 52)).convert("L").tobytes().count(255)
    assert lit >= count * width * height


def test_a_picture_that_is_too_large_is_told() -> None:
    assert fits(Screen("x", pictures=(Bitmap(("#" * 130,) * 10),))) == ("pictures[0]",)
    assert fits(Screen("x", pictures=(Bitmap(("#" * 10,) * 60),))) == ("pictures[0]",)
    assert fits(Screen("x", main="main", pictures=(Bitmap(("#" * 10,) * 10),))) == ("main",)


def test_one_face_alone_is_spoken_of_as_one() -> None:
    alone = SHOWN["enrol count one"]
    assert alone.title == "1 was asked for"
    assert " ".join(alone.lines).startswith("Lay it ")
    assert SHOWN["enrol count none"].title == "10 were asked for"
