"""Papyrus read from the table where a piece cannot be told, or only in part: it is asked, never guessed."""

from __future__ import annotations

from dataclasses import replace

from engines.papyrus import reading, rules
from engines.papyrus.moves import (
    Travel,
    Win,
)
from engines.table import Table
from tests.papyri import armed, play, start
from tests.papyrus_table import first, laid

PATH = ("water", "water", "water", "water", "light", "light")


def test_a_card_that_cannot_be_read_is_asked_for_when_all_else_fits() -> None:
    state = armed(start(2))
    things = laid(state, *PATH[:-1], "?")
    things.stand("pawn-red", "anubis")
    found = reading.explain(state, things.seen())
    likely, wild = (Travel(0, "anubis", (*PATH[:-1], last)) for last in ("light", "eye"))
    assert [one.moves for one in found] == [(likely,), (wild,)] and not any(one.certain for one in found)
    things.lay("played", "?")
    assert reading.explain(state, things.seen()) == ()  # That would be too many.
    # What the last player paid was put away, and of the next ones the like of it cannot be read.
    state = play(armed(start(2)), "Ana: move to isis paying nature", "Ana: decline")
    things = laid(state, "?", "dark", "light")
    assert first(state, things).waiting == "Now move your pawn"
    things = laid(state, "?", "light")
    things.stand("pawn-blue", "isis")
    (refused,) = reading.explain(state, things.seen())
    assert refused.refusal is not None
    things = laid(state, "?")
    things.stand("pawn-blue", "isis")
    found = reading.explain(state, things.seen())
    assert [one.moves[-1] for one in found] == [Travel(1, "isis", (one,)) for one in ("nature", "eye")]
    assert not any(one.certain for one in found)


def test_a_god_card_that_cannot_be_read_is_told_by_name_and_pyramid() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    things.lay("name", "I", "S", "I", "S")
    assert first(state, things).waiting == "Show the god card"
    things.lay("board", "pyramid-red", square="isis")
    for overlooked in (True, False):
        (found,) = reading.explain(state, things.seen())
        assert found.moves == (Win(0, "isis"),) and not found.certain, overlooked
        things.lay("god", "?")
    things = laid(state, "nature")
    things.lay("name", *"SETH")
    things.lay("board", "pyramid-red", square="isis")
    assert first(state, things).waiting == "Show the god card"  # That is a god of another pyramid.


def test_a_god_card_that_cannot_be_read_is_refused_when_its_name_is_another_pyramids() -> None:
    for state, rule in (
        (play(armed(start(2)), "Ana: move to isis paying nature"), "O2"),
        (start(2), "Y24"),
    ):
        things = laid(state)
        things.lay("god", "?")
        things.lay("name", *"SETH")
        assert reading.explain(state, things.seen()) == ()  # Where is it to be won?
        things.lay("board", "pyramid-red", square=state.seats[0].place)
        (refused,) = reading.explain(state, things.seen())
        assert refused.moves == (Win(0, "seth"),) and refused.again
        assert refused.refusal is not None and refused.refusal.rule == rule


def test_which_god_was_won_is_asked_when_card_and_name_were_put_away_unread() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature", "correct holder Ana 40")
    things = laid(state)
    things.lay("board", "pyramid-red", square="isis")
    assert first(state, things).waiting == "Show the god card"
    things.lay("scroll-1", "scarab")
    found = reading.explain(state, things.seen())
    assert {one.moves for one in found} == {(Win(0, "isis"),), (Win(0, "amon-ra"),)}
    assert not any(one.certain or one.refusal for one in found)
    # Whoever breaks a rule before it is said is told all the same; nobody has won anything by that.
    things.lay("played", "dark")
    assert first(state, things).waiting == "Show the god card"
    things.stand("pawn-blue", "seth")
    (refused,) = reading.explain(state, things.seen())
    assert refused.moves == (Travel(1, "seth", ("dark",)),)
    assert refused.refusal is not None and refused.refusal.rule == "Y19"
    things.stand("pawn-blue", "horus")
    things.zones.pop("played")
    things.lay("name", "I")
    assert first(state, things).waiting == "Show the god card"
    things.lay("god", "isis")
    things.lay("name", "S", "I", "S")
    (told,) = reading.explain(state, things.seen())
    assert told.moves == (Win(0, "isis"),) and told.certain


def test_a_hieroglyph_that_cannot_be_read_is_asked_for_when_all_else_fits() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    things.lay("god", "isis")
    things.lay("name", "I", "S", "?", "S")
    assert reading.explain(state, things.seen()) == ()
    things.lay("board", "pyramid-red", square="isis")
    (found,) = reading.explain(state, things.seen())
    assert found.moves == (Win(0, "isis"),) and not found.certain
    things.lay("name", "T")
    assert reading.explain(state, things.seen()) == ()


def unsure(table: Table, square: str, colour: str) -> Table:
    """The same, but what stands there of a colour may be a pawn as well as a pyramid."""
    both = (f"pawn-{colour}", f"pyramid-{colour}")
    pieces = (
        replace(one, identities=both) if one.square == square and one.identity in both else one
        for one in table.pieces
    )
    return Table(tuple(pieces), table.unread)


def test_what_may_be_the_pawn_is_it_when_it_stands_nowhere_else() -> None:
    state = start(2)
    things = laid(state)
    assert reading.differences(state, unsure(things.seen(), "horus", "blue")) == ()
    things.stand("pawn-blue", "isis")
    things.lay("played", "nature")
    found = reading.explain(state, unsure(things.seen(), "isis", "blue"))
    assert found == reading.explain(state, things.seen()) and found[0].moves
    # Where the own pyramid stands as well, that may be all that is seen: it is asked.
    things = laid(state, "nature")
    state = replace(state, seats=(replace(state.seats[0], won=("isis",)), *state.seats[1:]))
    things.stand("pawn-red", "isis")
    (asked,) = reading.explain(state, unsure(things.seen(), "isis", "red"))
    assert asked.moves == (Travel(0, "isis", ("nature",)),) and not asked.certain
    assert reading.explain(state, laid(state, "nature").seen())[0].waiting == "Now move your pawn"


def test_a_pyramid_that_may_hide_beside_the_own_pawn_is_asked_for() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    things.lay("god", "isis")
    things.lay("name", *"ISIS")
    things.lay("scroll-1", "scarab")
    assert first(state, things).waiting == "Pyramid on Isis"
    after = rules.apply(state, Win(0, "isis"))
    for parts in (1, 2):  # One before the other, they are seen as one or as two.
        (asked,) = reading.explain(state, unsure(things.seen(), "isis", "red"))
        assert asked.moves == (Win(0, "isis"),) and not asked.certain
        assert reading.differences(after, unsure(things.seen(), "isis", "red")) == (), parts
        things.lay("board", "pyramid-red", square="isis")
