"""Papyrus on the device's chain: moves that nobody has confirmed, and what was laid and put away after them."""

from __future__ import annotations

from engines.papyrus import rules
from engines.papyrus.game import PAPYRUS
from engines.papyrus.moves import Travel
from engines.referee import Match
from firmware import chain
from tests.papyri import own
from tests.papyrus_table import laid


def test_who_lays_cards_after_those_of_a_journey_were_put_away_is_not_its_player() -> None:
    """The journey waits for CONFIRM, no god is won, and the next player goes where no path leads."""
    match = Match.begin(PAPYRUS, ("Ana", "Ben"), 0, {}, catalogue=own())
    match = match.correct(rules.parse("correct hand player-1 20", 0)).correct(  # type: ignore[arg-type]
        rules.parse("correct hand player-2 20", 0)  # type: ignore[arg-type]
    )
    things = laid(match.state, "nature")
    things.stand("pawn-red", "isis")
    travelled = chain.find(match, (), things.seen(), frozenset())
    assert [one.move for one in travelled.links] == [Travel(0, "isis", ("nature",))]
    things.zones.pop("played")
    cleared = chain.find(match, travelled.links, things.seen(), frozenset())
    things.lay("played", "dark")
    found = chain.find(match, cleared.links, things.seen(), frozenset())
    assert (found.kind, found.links, found.waiting) == ("fits", cleared.links, "Now move your pawn")
    things.stand("pawn-blue", "seth")
    found = chain.find(match, found.links, things.seen(), frozenset())
    assert (
        found.kind == "illegal" and found.move == Travel(1, "seth", ("dark",)) and found.refusal is not None
    )
    assert found.refusal.rule == "Y19" and found.links == cleared.links
    # More cards beside those of the journey are still its player's.
    things = laid(match.state, "nature", "dark")
    things.stand("pawn-red", "isis")
    found = chain.find(match, travelled.links, things.seen(), frozenset())
    assert found.kind == "illegal" and found.move == Travel(0, "isis", ("nature", "dark"))
