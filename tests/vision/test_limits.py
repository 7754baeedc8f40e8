"""Where a picture stops being readable, and what is then said: faults are named by what they are, and no sooner than needed (P04, P05)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.table import Table
from hardware.simulated.conditions import Glare
from hardware.simulated.hands import Hand
from hardware.simulated.mishaps import knocked
from tests.vision.measure import TANIS, judge
from tests.vision.test_eyes import faces, laid_out
from vision.eyes import Eyes


@pytest.mark.parametrize("blur", [2.2, 3.0, 4.0, 8.0, 14.0])
@pytest.mark.parametrize("known", [True, False])
def test_however_blurred_it_is_called_blurred(blur: float, known: bool) -> None:
    _, _, camera = laid_out(int(blur))
    eyes = Eyes(TANIS, faces())
    if known:
        assert eyes.read(camera.capture(0.0).picture, Table()).fault is None
    camera.conditions = replace(camera.conditions, blur=blur)
    assert eyes.read(camera.capture(0.0).picture, Table()).fault == "blurred"


@pytest.mark.parametrize("light", [0.2, 0.3, 1.2, 1.3])
@pytest.mark.parametrize("seed", [0, 2])
def test_a_normal_room_is_neither_dark_nor_bright(light: float, seed: int) -> None:
    world, table, camera = laid_out(seed)
    camera.conditions = replace(camera.conditions, light=light)
    look = Eyes(TANIS, faces()).read(camera.capture(0.0).picture, Table())
    assert look.fault is None and look.table is not None
    tally = judge(look.table, world, table)
    assert (tally.doubt, tally.wrong, tally.phantom) == (0, 0, 0)


@pytest.mark.parametrize("light", [0.9, 1.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_glare_on_paper_that_is_nearly_burnt_out_is_named(light: float, seed: int) -> None:
    _, _, camera = laid_out(seed)
    for x, y, where in ((120.0, 160.0, "glare left"), (297.0, 180.0, "glare middle")):
        camera.conditions = replace(camera.conditions, light=light, glare=Glare(x, y, 30.0, 1.0))
        assert Eyes(TANIS, faces()).read(camera.capture(0.0).picture, Table()).fault == where


@pytest.mark.parametrize("seed", range(6))
def test_a_knock_is_no_hand_for_long(seed: int) -> None:
    """The mat's edge where the camera looked for hands: after a second of rest a large picture is asked, and puts it right."""
    world, table, camera = laid_out(seed)
    eyes = Eyes(TANIS, faces())
    assert eyes.read(camera.capture(0.0).picture, Table()).fault is None
    camera.conditions = knocked(camera.conditions, random.Random(seed))
    for step in range(12):
        sight = eyes.watch(camera.preview().picture, step * 0.1)
        if sight.settled and sight.changed and sight.fault is None:
            break
    else:
        pytest.fail(f"still {sight}")
    look = eyes.read(camera.capture(0.0).picture, Table())
    assert look.table is not None
    tally = judge(look.table, world, table)
    assert (tally.doubt, tally.wrong, tally.phantom) == (0, 0, 0)
    assert eyes.watch(camera.preview().picture, 7.0).fault is None


def test_a_hand_that_rests_is_not_asked_about_again_and_again() -> None:
    """A second after it came to rest a large picture tells that the camera stands as it stood; then it is a hand, until much later another
    lamp is thought of."""
    _, table, camera = laid_out(1)
    eyes = Eyes(TANIS, faces())
    assert eyes.read(camera.capture(0.0).picture, Table()).table is not None
    assert eyes.watch(camera.preview().picture, 0.0).fault is None
    table.hands = (Hand(300.0, 250.0, 40.0, 330.0, 720.0, (120, 150, 200), (60, 80, 90)),)
    asked = []
    for step in range(1, 40):
        sight = eyes.watch(camera.preview().picture, step * 0.1)
        if sight.settled and sight.fault is None:
            asked.append(step)
            assert eyes.read(camera.capture(0.0).picture, Table()).fault == "hand"
    assert len(asked) == 1 and asked[0] <= 12
    table.hands = ()
    assert eyes.watch(camera.preview().picture, 4.1).fault is None
