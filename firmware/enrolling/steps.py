"""What the keys and the camera do in an enrolment: each handler takes it and gives it back with what is to be done."""

from __future__ import annotations

from dataclasses import replace

from firmware.enrolling.base import Enrolling, Found, Result, Spread, found, next_group, stay
from firmware.enrolling.faces import SHOT, asked, name_of, shortened
from firmware.events import Commit, Compare, Compared, Look, PowerOff, Signal
from firmware.states.base import NO_LIST, Listing
from hardware.display.letters import MAIN

WIDE = 126
"""px from edge to edge of the display."""

SHOTS = ("lay", "taking")
"""The states in which the camera looks at what lies there."""


def start(one: Enrolling) -> Enrolling:
    """The first question: what is to be shown."""
    doors = _doors(one)
    return replace(
        one,
        place="start",
        group=None,
        spread=None,
        page=0,
        listing=Listing(tuple(one.texts(f"enrol.{door}") for door in doors), doors),
    )


def _doors(one: Enrolling) -> tuple[str, ...]:
    missing = len(frozenset(one.names) - one.done)
    if not missing:
        return ("check", "face", "end")
    return ("all" if missing == one.total else "go", "grids" if one.single else "singly", "face", "end")


def choose(one: Enrolling) -> Result:
    """CONFIRM at the first question or in the pause."""
    door = one.listing.value
    if door == "face":
        return faces(one)
    if door == "check":
        return compare(one)
    if door == "end":
        return finish(one)
    single = {"singly": True, "grids": False}.get(door, one.single)
    return go_on(replace(one, single=single))


def lay(one: Enrolling) -> Enrolling:
    """Ask for the next faces; when none is missing, the state that waits for the comparison."""
    group = next_group(one)
    if group is None:
        return replace(
            one, place="checking", group=None, spread=None, page=0, listing=NO_LIST, only=(), later=()
        )
    return replace(
        one, place="lay", group=group, spread=None, page=0, listing=NO_LIST, dropped=frozenset(), blind=None
    )


def go_on(one: Enrolling) -> Result:
    """The next faces, or the comparison when all are there."""
    one = lay(one)
    return one, ((Compare(),) if one.place == "checking" else ())


def take(one: Enrolling) -> Result:
    """CONFIRM: a fresh picture, as soon as everything lies still and no hand is in it."""
    if one.group is None:
        return go_on(one)
    return replace(one, place="taking", page=0), (Look(asked(one.group, SHOT)),)


def again(one: Enrolling) -> Result:
    """The same faces once more."""
    return lay(one), ()


def looked(one: Enrolling, spread: Spread) -> Result:
    """The camera saw what lies there."""
    if one.place == "lay":
        return replace(one, spread=spread), ()
    if one.place != "taking" or (group := one.group) is None or not spread.shot:
        return stay(one)
    one = replace(one, spread=spread, page=0, dropped=frozenset())
    what = found(spread)
    if what.count != len(group.identities):
        return replace(one, place="count"), (Signal("illegal"),)
    if what.faulty:
        return replace(one, place="faulty"), (Signal("illegal"),)
    return review(one)


def review(one: Enrolling) -> Result:
    """Show what was cut out."""
    return replace(one, place="review", page=0), ()


def keep(one: Enrolling) -> Result:
    """CONFIRM on what was cut out: every face that was not turned down is written, and counts from now on."""
    if one.spread is None or one.group is None:
        return again(one)
    shot, group = one.spread.shot, one.group
    kept = {i: identity for i, identity in enumerate(group.identities) if i not in one.dropped}
    written = tuple(("face", f"{shot} {index} {identity}") for index, identity in kept.items())
    names = frozenset(kept.values())
    one = replace(
        one,
        done=one.done | names,
        only=tuple(name for name in one.only if name not in names),
        later=tuple(name for name in one.later if name not in names),
        accepted=frozenset(pair for pair in one.accepted if not names & set(pair)),
    )
    one, more = go_on(one)
    return one, ((Commit(written), *more, Signal("confirmed")) if written else more)


def turn_down(one: Enrolling) -> Result:
    """REJECT on what was cut out: on the sheet all of it; on the page of one face this one, and the next page follows."""
    pages = review_pages(one)
    if pages == 1 or one.page == 0:
        return again(one)
    dropped = one.dropped ^ {one.page - 1}
    if len(dropped) == pages - 1:
        return again(one)
    return replace(one, dropped=dropped, page=min(one.page + 1, pages - 1)), ()


def review_pages(one: Enrolling) -> int:
    """The sheet and a page for each face; a single face has the page alone."""
    count = len(one.spread.cuts) if one.spread is not None else 0
    return count + 1 if count > 1 else 1


def said(one: Enrolling) -> Found:
    return found(one.spread) if one.spread is not None else Found(0)


def pass_over(one: Enrolling) -> Result:
    """REJECT while faces are asked for: one by one instead of all; a single one comes later."""
    if one.group is None:
        return go_on(one)
    names = one.group.identities
    if not one.single and len(names) > 1:
        return lay(replace(one, single=True)), ()
    if one.only:
        # What was shown before keeps its picture.
        return go_on(replace(one, only=tuple(name for name in one.only if name not in names)))
    one = replace(one, later=(*(name for name in one.later if name not in names), *names))
    return lay(_round(one)), ()


def _round(one: Enrolling) -> Enrolling:
    """When everything left was passed over, it is asked for again from the first."""
    return replace(one, later=one.later[-1:]) if one.missing <= frozenset(one.later) else one


def faces(one: Enrolling) -> Result:
    """A list of all faces, to show one of them (again)."""
    labels = tuple(shortened(name_of(name), MAIN, WIDE) for name in one.names)
    chosen = next((i for i, name in enumerate(one.names) if name in one.missing), 0)
    listing = Listing(labels, one.names, chosen)
    return replace(one, place="faces", listing=listing, page=0, group=None), ()


def choose_face(one: Enrolling) -> Result:
    return lay(replace(one, only=(one.listing.value,))), ()


def faces_back(one: Enrolling) -> Result:
    """Back from the list: nothing is asked for again."""
    return start(replace(one, only=())), ()


def pause(one: Enrolling) -> Result:
    """Long DOWN: everything is kept; go on, another way of showing, or stop."""
    doors = ("go", "grids" if one.single else "singly", "face", "end")
    listing = Listing(tuple(one.texts(f"enrol.{door}") for door in doors), doors)
    return replace(one, place="pause", listing=listing, page=0), ()


def compare(one: Enrolling) -> Result:
    return replace(one, place="checking", listing=NO_LIST, group=None, page=0), (Compare(),)


def compared(one: Enrolling, event: Compared) -> Result:
    """The comparison is there: pairs that nobody has accepted yet are shown one after the other."""
    if one.place != "checking":
        return stay(one)
    return _next_pair(replace(one, pairs=event.pairs))


def _next_pair(one: Enrolling) -> Result:
    left = tuple(pair for pair in one.pairs if (pair.one, pair.other) not in one.accepted)
    place = "alike" if left else "done"
    return replace(one, pairs=left, place=place, page=0), (() if left else (Signal("turn"),))


def accept(one: Enrolling) -> Result:
    """CONFIRM on two faces that are alike: they are, and stay as they are."""
    pair = one.pairs[0]
    return _next_pair(replace(one, accepted=one.accepted | {(pair.one, pair.other)}))


def show_both(one: Enrolling) -> Result:
    """REJECT on two faces that are alike: both are shown again."""
    pair = one.pairs[0]
    return lay(replace(one, only=(pair.one, pair.other))), ()


def finish(one: Enrolling) -> Result:
    return one, (PowerOff(),)


def restart(one: Enrolling) -> Result:
    return start(one), ()
