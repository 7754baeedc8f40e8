"""How Papyrus ends, what it scores, and who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.papyrus import rules
from engines.papyrus.state import PapyrusState, Seat
from tests.papyri import events, listed, play, refused, sample, sizes, start
from tests.rules import rule


def last_god(players: int = 3, **options: str) -> PapyrusState:
    """The god deck is empty, Ana has one god card left and stands on Horus; with three players it is empty from the start."""
    state = play(start(players, options=options), "correct gods Ana 1")
    assert state.gods.size("pile") == 0
    return state


def finished(players: int = 3, **options: str) -> PapyrusState:
    return play(last_god(players, **options), "Ana: move to isis paying nature", "Ana: win isis")


@rule("E1", "E2", "E3", "Y37", "Y38", game="papyrus")
def test_the_last_god_brings_one_more_turn_for_everybody_else() -> None:
    state = finished()
    assert state.final == (2,) and rules.to_move(state) == 1
    assert rules.outcome(state) is None
    state = play(state, "Ben: draw")
    assert rules.to_move(state) == 2 and refused(state, "Ben: draw").rule == "T2"
    state = play(state, "Cleo: draw")
    assert rules.outcome(state) is not None
    assert listed(state) == set() and rules.complete(state) and rules.due(state) == "game over"
    assert refused(state, "Ana: draw").rule == "E3"


@rule("Y37", "Y31", game="papyrus")
def test_while_the_deck_has_cards_or_the_hand_has_the_game_goes_on() -> None:
    state = play(start(2), "correct gods Ana 1", "Ana: move to isis paying nature", "Ana: win isis")
    assert state.final is None and sizes(state, 0)[2] == 1
    state = play(
        start(2), "correct gods Ana 1", "Ana: move to isis paying nature", "Ana: win isis without god"
    )
    assert state.final is None and sizes(state, 0)[2] == 0, "a god that is not drawn delays the end"
    state = play(start(3), "Ana: move to isis paying nature", "Ana: win isis")
    assert state.final is None and sizes(state, 0)[2] == 2


@rule("Y38", game="papyrus")
def test_who_finishes_in_the_final_round_begins_nothing_anew() -> None:
    state = play(finished(), "correct gods Ben 1", "Ben: move to isis paying nature", "Ben: win amon-ra")
    assert state.final == () and rules.to_move(state) == 2
    assert rules.outcome(play(state, "Cleo: draw")) is not None


@rule("Y53", game="papyrus")
def test_a_turn_missed_in_the_final_round_counts_as_taken() -> None:
    state = play(last_god(), "correct skips Ben 1", "Ana: move to isis paying nature", "Ana: win isis")
    assert rules.to_move(state) == 2 and state.final == ()
    state = play(last_god(), "correct skips Ben 1", "correct skips Cleo 1", "Ana: move to isis paying nature")
    assert rules.outcome(play(state, "Ana: win isis")) is not None


@rule("Y39", game="papyrus")
def test_gods_left_in_hand_cost_nothing() -> None:
    state = play(finished(), "Ben: draw", "Cleo: draw")
    assert sizes(state, 1)[2] == sizes(state, 2)[2] == 3
    assert rules.score(state).totals == (9, 0, 0)


@rule("Y40", game="papyrus")
def test_no_number_of_turns_ends_the_game() -> None:
    state = start()
    for _ in range(300):
        state = (
            play(state, "Ana: swap A from bag", "Ben: swap A for A")
            if not state.row
            else play(state, "Ana: pass", "Ben: pass")
        )
    assert rules.outcome(state) is None


@rule("Y56", game="papyrus")
def test_when_nobody_holds_a_god_the_game_ends() -> None:
    state = play(start(2), "correct gods Ana 1", "correct gods Ben 0")
    state = play(state, "Ana: move to isis paying nature", "Ana: win isis without god")
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (0,)


def test_the_last_god_may_be_won_by_an_event() -> None:
    state = play(
        start(3, catalogue=events("move to isis")),
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Cleo: draw",
        "correct gods Ana 1",
        "Ana: move to oasis paying nature",
        "reveal event event",
        "Ana: win isis",
    )
    assert state.final == (2,) and rules.to_move(state) == 1


# Points


def scored(*seats: Seat, players: int = 3) -> PapyrusState:
    """A game that is over, with these things before the players."""
    state = start(players, catalogue=sample())
    return replace(state, stage="over", seats=(*seats, *state.seats[len(seats) :]))


def sons_of(state: PapyrusState) -> list[str]:
    return [god.id for god in state.numbers.gods.values() if god.son]


@rule("C2", "C3", "Y3", game="papyrus")
@pytest.mark.parametrize(("n", "bonus"), [(0, 0), (1, 0), (2, 5), (3, 8), (4, 10)])
def test_the_bonus_for_sons_of_horus(n: int, bonus: int) -> None:
    sons = sons_of(start(2, catalogue=sample()))
    assert len(sons) == 4
    state = scored(Seat("horus", won=tuple(sons[:n]), scarabs=n), players=2)
    items = {item.text: item.points for item in rules.score(state).items[0]}
    assert items.get(f"{n} sons of Horus", 0) == bonus
    values = sum(state.numbers.gods[god].value for god in sons[:n])
    assert rules.score(state).totals[0] == values + 5 * n + bonus


@rule("Y3", game="papyrus")
def test_two_players_with_two_sons_each_both_get_five() -> None:
    sons = sons_of(start(2, catalogue=sample()))
    state = scored(Seat("horus", won=tuple(sons[:2])), Seat("horus", won=tuple(sons[2:])), players=2)
    for items in rules.score(state).items:
        assert [item.points for item in items if "sons" in item.text] == [5]


@rule("O1", "C4", game="papyrus")
def test_the_most_points_win() -> None:
    outcome = rules.outcome(scored(Seat("horus", points=3), Seat("horus", points=4)))
    assert outcome is not None and outcome.winners == (1,) and outcome.decided_by == "4 points"


@rule("C5", "C6", "Y41", "Y42", "Y54", game="papyrus")
def test_ties_go_by_sons_then_amon_ra_then_are_shared() -> None:
    state = start(3, catalogue=sample())
    sons, gods = sons_of(state), state.numbers.gods
    son, plain = sons[0], next(god.id for god in gods.values() if not god.son and not god.amon_ra)

    def tie(*won: tuple[str, ...]) -> tuple[tuple[int, ...], str]:
        """Three players with these gods and the same total."""
        seats = [Seat("horus", won=mine, points=100 - sum(gods[god].value for god in mine)) for mine in won]
        over = scored(*seats)
        assert rules.score(over).totals == (100, 100, 100)
        outcome = rules.outcome(over)
        assert outcome is not None
        return outcome.winners, outcome.decided_by

    assert tie((plain,), (son,), ()) == ((1,), "Tie: more sons of Horus")
    assert tie(("amon-ra",), (son,), ()) == ((1,), "Tie: more sons of Horus")
    assert tie((plain,), (), ("amon-ra",)) == ((2,), "Tie: Amon-Ra")
    assert tie((sons[0],), (sons[1],), ("amon-ra",)) == ((0, 1), "100 points each")
    assert tie((sons[0], "amon-ra"), (sons[1],), ()) == ((0,), "Tie: Amon-Ra")
    assert tie((), (plain,), ()) == ((0, 1, 2), "100 points each")


def test_amon_ra_of_somebody_with_fewer_points_decides_nothing() -> None:
    outcome = rules.outcome(
        scored(Seat("horus", points=50), Seat("horus", points=50), Seat("horus", won=("amon-ra",)))
    )
    assert outcome is not None and outcome.winners == (0, 1)


def test_a_score_is_the_sum_of_its_items() -> None:
    sons = sons_of(start(2, catalogue=sample()))
    state = scored(Seat("horus", won=(*sons[:3], "horus"), scarabs=4, points=-2))
    totals = rules.score(state).totals
    assert totals[0] == sum(state.numbers.gods[god].value for god in (*sons[:3], "horus")) + 20 - 2 + 8
