"""The variant of Papyrus without the board: one player, or several side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.papyrus import rules
from engines.papyrus.state import BOX, PILE, PapyrusState
from tests.papyri import allowed, listed, own, play, refused, sizes, start
from tests.rules import rule


def alone(**options: str) -> PapyrusState:
    return start(1, options={"gods": "8", **options})


def buy(state: PapyrusState, n: int) -> PapyrusState:
    return play(state, *["Ana: buy"] * n)


@rule("N1", "N2", "Y43", "Y49", game="papyrus")
def test_it_begins_with_three_gods_and_nothing_else() -> None:
    assert sizes(alone(), 0) == (0, 0, 3)
    assert sizes(alone(solo_hieroglyphs="holder"), 0) == (0, 10, 3)
    state = alone()
    assert rules.due(state) == "buy/form  (0)" and rules.hints(state) == ()
    for line in (
        "Ana: draw",
        "Ana: move to isis paying nature",
        "Ana: pass",
        "Ana: win horus",
        "Ana: swap A from bag",
        "Ana: decline",
    ):
        assert refused(state, line).rule == "Y49"
    assert refused(start(2), "Ana: buy").rule == "N1"


@rule("N3", "Y44", game="papyrus")
def test_a_hieroglyph_costs_one_card_of_the_deck() -> None:
    state = buy(alone(), 3)
    assert state.seats[0].paid == 3 and sizes(state, 0) == (0, 3, 3)
    assert (state.cards.size(PILE), state.cards.size(BOX), state.hieroglyphs.size(PILE)) == (107, 3, 157)
    no = refused(state, "Ana: form isis")
    assert no.rule == "Y51" and "decline" not in no.remedy.lower(), "nothing is declined alone"
    assert "by the moves 3 hieroglyphs;" in no.long
    assert "by the moves 1 hieroglyph;" in refused(buy(alone(), 1), "Ana: form isis").long
    empty = own({"letters": dict.fromkeys("ABDEHIKMNOPRSTUX", 2), "counts.hieroglyphs": 32})
    dry = buy(start(1, catalogue=empty, gods="8"), 32)
    assert refused(dry, "Ana: buy").rule == "N3"
    assert "buy" not in listed(dry)


@rule("N4", "N5", game="papyrus")
def test_a_name_that_is_formed_is_laid_away_and_a_new_card_drawn() -> None:
    state = play(buy(alone(), 6), "Ana: form isis")
    assert sizes(state, 0) == (0, 2, 3) and state.gods.size(PILE) == 4
    assert state.seats[0].won == ("isis",) and state.seats[0].scarabs == 1
    assert state.heap == ("I", "I", "S", "S")
    assert refused(state, "Ana: form isis").rule == "Y55"
    assert refused(state, "Ana: form ra").rule == "P4"
    assert sizes(play(buy(alone(), 6), "Ana: form isis without god"), 0)[2] == 2


@rule("N6", "N8", "N9", "Y50", "Y47", "Y33", game="papyrus")
@pytest.mark.parametrize(("extra", "won"), [(0, True), (23, True), (24, False), (25, False)])
def test_the_score_must_be_higher_than_what_was_paid(extra: int, won: bool) -> None:
    state = buy(start(1, catalogue=own({"start.gods": 3}), gods="8"), 1)
    state = play(state, "correct gods Ana 3")
    state = replace(state, gods=state.gods.move(PILE, BOX, state.gods.size(PILE)))
    state = play(buy(state, 14 + extra), "Ana: form imset", "Ana: form hapi")
    assert rules.outcome(state) is None, "a god card is left in the hand"
    state = play(state, "Ana: form duamut")
    total = 5 + 4 + 6 + 3 * 5
    assert rules.score(state).totals == (total,), "sons of Horus add nothing"
    paid = 15 + extra
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.decided_by == f"{total} to {paid} paid"
    assert bool(outcome.winners) == (total > paid)
    assert refused(state, "Ana: buy").rule == "N6"


@rule("Y45", game="papyrus")
def test_when_the_cards_run_out_they_are_shuffled_and_the_count_goes_on() -> None:
    few = own({"cards": {"water": 4, "light": 1, "dark": 0, "nature": 0, "eye": 0}})
    state = buy(start(1, catalogue=few, gods="8"), 7)
    assert state.seats[0].paid == 7 and (state.cards.size(PILE), state.cards.size(BOX)) == (3, 2)
    once = buy(start(1, catalogue=few, gods="8", solo_cards="once"), 5)
    refusal = refused(once, "Ana: buy")
    assert refusal.rule == "Y45" and "solo_cards" in refusal.long
    assert allowed(once, "Ana: stop")


@rule("Y46", game="papyrus")
def test_what_is_not_needed_stays_and_is_not_exchanged() -> None:
    state = play(buy(alone(), 6), "Ana: form isis")
    assert sizes(state, 0)[1] == 2
    assert refused(state, "Ana: swap A from bag").rule == "Y49"


@rule("Y56", "Y57", game="papyrus")
def test_giving_up_loses_and_so_does_leaving_gods() -> None:
    state = play(alone(), "Ana: stop")
    outcome = rules.outcome(state)
    assert outcome is not None and (outcome.winners, outcome.decided_by) == ((), "given up")
    state = play(
        buy(alone(), 20),
        "Ana: form isis without god",
        "Ana: form hapi without god",
        "Ana: form imset without god",
    )
    outcome = rules.outcome(state)
    assert outcome is not None and (outcome.winners, outcome.decided_by) == ((), "gods are left")


def test_all_moves_are_listed() -> None:
    state = buy(alone(), 4)
    assert rules.complete(state)
    names = {god.id for god in state.numbers.gods.values() if len(god.letters) == 4}
    assert listed(state) == {"buy", "stop", *names_of(names)}


def names_of(gods: set[str]) -> set[str]:
    return {f"form {god}{card}" for god in gods for card in ("", " without god")}


@rule("N10", "Y48", game="papyrus")
def test_several_play_it_side_by_side() -> None:
    state = start(2, without_board="yes")
    assert sizes(state, 1) == (0, 0, 3) and state.alone
    assert refused(state, "Ben: buy").rule == "T2"
    state = play(state, *["Ana: buy", "Ben: buy"] * 6)
    state = play(state, "Ana: form isis", "Ben: form seth")
    assert rules.score(state).totals == (9, 9)
    assert refused(state, "Ana: draw").rule == "Y49"
    state = play(state, "correct gods Ana 1", "correct gods Ben 2", *["Ana: buy", "Ben: buy"] * 9)
    state = replace(state, gods=state.gods.move(PILE, BOX, state.gods.size(PILE)))
    state = play(state, "Ana: form horus", "Ben: form hapi", "Ben: buy", "Ben: form anubis")
    outcome = rules.outcome(state)
    assert rules.score(state).totals == (9 + 11, 9 + 9 + 11)
    assert [seat.paid for seat in state.seats] == [15, 16]
    assert outcome is not None and outcome.winners == (1,) and outcome.decided_by == "13 above the price"


def test_several_can_all_lose() -> None:
    state = play(start(2, without_board="yes"), "Ana: stop")
    assert rules.to_move(state) == 1 and rules.outcome(state) is None
    outcome = rules.outcome(play(state, "Ben: buy", "Ben: stop"))
    assert outcome is not None and (outcome.winners, outcome.decided_by) == ((), "nobody went on")
    state = play(start(2, without_board="yes"), "Ana: stop", "correct gods Ben 1", *["Ben: buy"] * 4)
    outcome = rules.outcome(play(state, "Ben: form isis without god"))
    assert outcome is not None and (outcome.winners, outcome.decided_by) == ((), "nobody formed them all")
    state = play(
        start(2, without_board="yes", gods="8"), "correct gods Ana 1", "Ana: stop", *["Ben: buy"] * 9
    )
    state = replace(state, gods=state.gods.move(PILE, BOX, state.gods.size(PILE)))
    state = play(state, "correct gods Ben 1", "Ben: form isis")
    outcome = rules.outcome(state)
    assert outcome is not None and (outcome.winners, outcome.decided_by) == ((), "nobody above price")
