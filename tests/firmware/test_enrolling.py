"""An enrolment from the first question to the end: what is asked for, what is kept, and every way off the path."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engines.table import Face, Kind, Layout
from firmware import keys
from firmware.enrolling.base import Spread, next_group
from firmware.enrolling.faces import MOST, SHOT, groups, heading, most
from firmware.enrolling.gallery import FAULTS, Drive, spread
from firmware.enrolling.machine import begin, failsafe, screen, step
from firmware.enrolling.table import STATES
from firmware.events import Blind, Commit, Compare, Look, Looked, Part, PowerOff, Pressed, Show, Tick
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits

TILE, CARD = Kind("tile", 22.0, 44.0, 4.0), Kind("card", 32.0, 48.0, 0.4)
NAMES = (*(f"snake-{number}" for number in range(1, 11)), "blue-expert", "red-expert")
LAYOUT = Layout(
    "tanis",
    594.0,
    420.0,
    (TILE, CARD),
    (),
    tuple(Face(name, "tile" if name.startswith("snake") else "card", ("",)) for name in NAMES),
)


def drive(done: Sequence[str] = (), only: tuple[str, ...] = ()) -> Drive:
    return Drive("Tanis", LAYOUT, done, only)


def written(one: Drive) -> list[str]:
    """The identities that the last step wrote."""
    return [text.split(" ")[2] for e in one.effects if isinstance(e, Commit) for _, text in e.entries]


def test_all_faces_are_shown_group_by_group_and_compared_at_the_end() -> None:
    one = drive()
    assert one.screen.name == "start" and one.screen.right == "0/12"
    assert one.press(keys.YES).main == "Snake 1-10"
    one.press(keys.YES)
    assert one.screen.name == "taking"
    (look,) = (effect for effect in one.effects if isinstance(effect, Look))
    assert look.expected is not None and [p.zone for p in look.expected.pieces] == [SHOT] * 10
    assert one.look().name == "review"
    one.press(keys.YES)
    assert written(one) == list(NAMES[:10])
    assert one.screen.main == "2 cards" and one.screen.right == "10/12"
    one.show()
    assert written(one) == list(NAMES[10:])
    assert one.screen.name == "checking" and any(isinstance(e, Compare) for e in one.effects)
    assert one.compared().name == "done"
    one.press(keys.YES)
    assert [e for e in one.effects if isinstance(e, PowerOff)]


def test_what_is_written_comes_before_what_is_shown() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look()
    one.press(keys.YES)
    order = [type(effect) for effect in one.effects]
    assert order.index(Commit) < order.index(Show)


def test_it_goes_on_at_the_first_face_that_is_missing() -> None:
    one = drive(NAMES[:4])
    assert one.screen.choices[0] == "Go on" and one.screen.right == "4/12"
    assert one.press(keys.YES).main == "Snake 5-10"


def test_a_picture_is_taken_only_after_confirm_and_never_of_an_older_look() -> None:
    one = drive()
    one.press(keys.YES)
    assert one.look().name == "lay" and one.screen.lines[-1] == "10 of 10 seen"
    one.press(keys.YES)
    # A look that was under way counts nothing out: it cut nothing out either.
    one.send(Looked(spread(one.one, shot=0), one.now))
    assert one.screen.name == "taking" and not written(one)


@pytest.mark.parametrize(("count", "told"), [(0, "face up"), (9, "missing"), (11, "not asked")])
def test_another_number_of_faces_is_named_and_tried_again(count: int, told: str) -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    shown = one.look(count)
    assert shown.name == "count" and shown.main == f"{count} seen"
    assert told in " ".join(shown.lines)
    one.press(keys.YES)
    assert one.screen.name == "taking"
    assert one.look().name == "review"


def test_after_a_wrong_number_faces_can_be_shown_one_by_one() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look(9)
    assert one.press(keys.NO).main == "Snake 1"
    one.show()
    assert written(one) == ["snake-1"] and one.screen.main == "Snake 2"
    assert one.press(keys.NO).main == "Snake 3", "a single face comes later"
    for _ in range(8):
        one.show()
    assert one.screen.main == "Blue expert"
    one.show(), one.show()
    assert one.screen.main == "Snake 2"
    assert one.press(keys.NO).main == "Snake 2", "nothing else is left"
    one.show()
    assert one.screen.name == "checking"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_face_that_is_not_good_is_named_with_what_to_do(fault: str) -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    shown = one.look(None, ("", fault))
    assert shown.name == "faulty" and shown.title == "Snake 2" and shown.pictures
    one.press(keys.YES)
    assert one.screen.name == "taking"
    one.look(None, (fault,))
    assert one.press(keys.NO).name == "review", "whoever knows better keeps it"
    one.press(keys.YES)
    assert len(written(one)) == 10


def test_one_face_of_many_is_turned_down_and_comes_again() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look()
    one.press(keys.DOWN, keys.DOWN, keys.NO)
    assert one.one.dropped == {1} and one.screen.title == "Snake 3"
    one.press(keys.YES)
    assert written(one) == [name for name in NAMES[:10] if name != "snake-2"]
    assert one.screen.main == "Snake 2"


def test_turning_all_down_writes_nothing() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look()
    assert one.press(keys.NO).name == "lay" and not written(one)
    one.press(keys.YES)
    one.look()
    one.press(keys.DOWN, *[keys.NO] * 10)
    assert one.screen.name == "lay" and not written(one)


def test_one_face_is_shown_again_from_the_list_and_by_name() -> None:
    one = drive(NAMES)
    one.press(keys.DOWN)
    assert one.press(keys.YES).name == "faces"
    one.press(keys.DOWN, keys.DOWN)
    assert one.press(keys.YES).main == "Snake 3" and one.screen.right == "12/12"
    one.show()
    assert written(one) == ["snake-3"] and one.screen.name == "checking"
    named = drive(NAMES, ("red-expert",))
    assert named.screen.name == "lay" and named.screen.main == "Red expert"
    assert named.press(keys.NO).name == "checking", "it may stay as it is"


def test_the_pause_keeps_everything_and_changes_the_way() -> None:
    one = drive()
    one.press(keys.YES)
    one.show()
    assert one.press(keys.PAUSE).name == "pause" and one.screen.right == "10/12"
    assert one.press(keys.NO).main == "2 cards"
    one.press(keys.PAUSE, keys.DOWN)
    assert one.press(keys.YES).main == "Blue expert"
    one.press(keys.PAUSE, keys.DOWN)
    assert one.screen.choices[one.screen.chosen] == "Many at once"
    assert one.press(keys.YES).main == "2 cards"
    one.press(keys.PAUSE, keys.UP)
    one.press(keys.YES)
    assert [e for e in one.effects if isinstance(e, PowerOff)]


def test_faces_that_are_too_alike_are_accepted_or_shown_again() -> None:
    one = drive(NAMES)
    one.press(keys.YES)
    shown = one.compared(("snake-1", "snake-7"), ("blue-expert", "red-expert"))
    assert shown.name == "alike" and len(shown.pictures) == 2
    assert shown.title == "Snake 1" and shown.lines == ("or Snake 7?",)
    assert "light" in " ".join(one.press(keys.DOWN).lines)
    assert one.press(keys.YES).title == "Blue expert"
    one.press(keys.NO)
    assert one.screen.main == "2 cards"
    one.show()
    assert one.screen.name == "checking"
    # What was accepted is not asked again, unless one of both was shown anew.
    assert one.compared(("snake-1", "snake-7"), ("blue-expert", "red-expert")).title == "Blue expert"
    assert one.press(keys.YES).name == "done"


def test_a_camera_that_goes_away_is_named_and_taken_back() -> None:
    one = drive()
    one.press(keys.YES)
    one.look(4)
    one.send(Part("camera", "no camera: check\nthe ribbon", one.now))
    assert "ribbon" in " ".join(one.screen.lines) and one.one.spread is None
    one.send(Part("camera", None, one.now))
    assert one.screen.lines[-1] == "then CONFIRM"
    one.press(keys.YES)
    one.send(Part("camera", "no camera: check\nthe ribbon", one.now))
    assert one.screen.name == "taking" and "ribbon" in " ".join(one.screen.lines)
    one.send(Part("camera", None, one.now))
    assert one.look().name == "review"


def test_what_is_in_the_way_is_said_while_a_picture_is_awaited() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.send(Blind("hand", one.now))
    assert one.wait(12).lines == ("Hand over the table",)
    one.send(Blind("dark", one.now))
    assert one.wait(2).lines == ("Too dark: more light",)
    one.send(Blind("", one.now))
    assert one.screen.lines == ("Take your hand away",)
    assert one.press(keys.NO).name == "lay"


def test_looks_change_nothing_while_cuts_are_shown() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look()
    before = one.one.spread
    one.send(Looked(Spread(), one.now + 1))
    assert one.one.spread is before and one.screen.name == "review"


def test_nothing_is_looked_for_when_nothing_is_asked_for() -> None:
    one = drive()
    one.press(keys.YES, keys.YES)
    one.look()
    assert [e.expected for e in one.effects if isinstance(e, Look)] == [None]


def test_after_a_fault_what_is_in_the_gallery_counts() -> None:
    one = drive()
    one.press(keys.YES)
    one.one, effects = failsafe(one.one, NAMES[:3])
    assert one.screen.name == "fault" and any(isinstance(e, Show) for e in effects)
    assert one.press(keys.YES).right == "3/12"
    assert one.press(keys.YES).main == "Snake 4-10"


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_pressed_and_seen_every_screen_fits_and_nothing_is_kept_unasked(seed: int) -> None:
    rng = random.Random(seed)
    one, _ = begin("Tanis", LAYOUT)
    kept: set[str] = set()
    now = 0.0
    for _ in range(250):
        now += 0.5
        event: object
        draw = rng.random()
        if draw < 0.65:
            event = Pressed(Press(rng.choice(list(Button)), rng.random() < 0.2, now))
        elif draw < 0.85 and one.group is not None:
            count = rng.choice((None, None, None, 0, 3))
            event = Looked(spread(one, count, ("glare",) if rng.random() < 0.2 else ()), now)
        elif draw < 0.9:
            event = Blind(rng.choice(("", "hand", "dark")), now)
        elif draw < 0.95:
            event = Part("camera", rng.choice((None, "no camera: check\nthe ribbon")), now)
        else:
            event = Tick(now)
        before = one
        one, effects = step(one, event)  # type: ignore[arg-type]
        assert fits(screen(one)) == ()
        assert one.place in STATES
        names = {text.split(" ")[2] for e in effects if isinstance(e, Commit) for _, text in e.entries}
        if names:
            assert before.place == "review" and before.group is not None
            assert names <= set(before.group.identities)
        kept |= names
        assert one.done == kept


def test_groups_fit_the_mat_or_the_picture() -> None:
    assert most(LAYOUT, TILE, (1536, 864)) == MOST
    large = Kind("board", 200.0, 200.0, 1.0)
    assert most(LAYOUT, large, (1536, 864)) == 1
    plain = Layout("x", 0.0, 0.0, (CARD, large), (), ())
    assert most(plain, CARD, (1536, 864)) == MOST
    assert most(plain, CARD, (320, 240)) < MOST
    many = Layout("x", 0.0, 0.0, (CARD,), (), tuple(Face(f"card{n}", "card", ("",)) for n in range(30)))
    parts = groups(many, [face.identity for face in many.faces], (1536, 864))
    assert [len(part.identities) for part in parts] == [10, 10, 10]
    assert heading(parts[0]) == "10 cards"


def test_leftovers_of_a_kind_are_asked_for_together() -> None:
    one = drive([name for name in NAMES if name not in ("snake-2", "snake-9", "red-expert")])
    group = next_group(one.one)
    assert group is not None and group.identities == ("snake-2", "snake-9")
