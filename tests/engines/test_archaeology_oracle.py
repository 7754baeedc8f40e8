"""The referee of Archaeology against every hidden world of cut decks, and the oracle against itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from engines.archaeology import causes, effects, rules
from engines.archaeology.moves import Explore
from engines.archaeology.state import CHAMBERS, HANDS, ArchaeologyState
from engines.catalogue import override
from engines.game import Move
from engines.hidden import Hidden
from tests.expeditions import begin, play, refused
from tests.oracles import archaeology as oracle
from tests.oracles.archaeology_judge import Box, Judge
from tests.rules import rule

MOVES = ["dig", "steal", "tent", "lose", "trade", "sell", "explore", "end", "peek", "draw", "stop", "bust"]
SHOWN = ["treasure", "thief", "sandstorm", "market", "chamber", "cards"]


def kind(said: str) -> str:
    """The first word of a step, or of what it reveals."""
    words = said.split()
    return words[2] if words[1] == "reveal" else words[1]


def test_a_step_is_refused_if_and_only_if_no_hidden_world_allows_it() -> None:
    answers: Counter[tuple[str, bool]] = Counter()
    for seed in (0, 1000, 2000, 3000):
        for state, said, refuses, possible in oracle.pairs(seed, 1500):
            assert refuses != possible, f"{said}\n{state}"
            answers[kind(said), refuses] += 1
    for verb in MOVES + SHOWN:
        assert answers[verb, True] and answers[verb, False], (verb, answers)


def test_what_may_be_is_never_refused_for_numbers_that_nobody_verified() -> None:
    more = 0
    for state, said, refuses, possible in oracle.pairs(0, 4000, sure=False):
        assert not (refuses and possible), f"{said}\n{state}"
        more += not refuses and not possible
    assert more > 100, "the referee knew better than by what is verified"


def test_what_is_listed_is_what_some_world_allows() -> None:
    complete = 0
    for game in oracle.games(0, 250):
        state, judge = game.state, game.judge
        listed = {rules.format(move) for move in rules.legal_moves(state)}
        if rules.awaited(state):
            assert not listed
            if judge.board.stage not in ("market", "sphinx?"):
                awaited = {rules.format(fact) for fact in rules.awaited(state)}
                assert awaited == {fact for fact in oracle.facts(game) if judge.possible(0, fact)}, str(game)
            continue
        allowed = {text for text in oracle.universe(game) if judge.possible(judge.acting(), text)}
        if rules.complete(state):
            complete += 1
            assert listed == allowed, str(game)
        else:
            assert listed <= allowed, str(game)
    assert complete > 120


def small(seats: int = 2, monument: str = "mine", **more: Any) -> Box:
    """A game of Coins and Shards with hands of two, one card in the marketplace and two in each chamber."""
    chambers = {"tomb": (2, 2)}.get(monument, (2,))
    copies = dict.fromkeys(oracle.FACES, 0) | {"coin": 4, "shard": 3, "map": 1}
    values: dict[str, Any] = {
        "copies": copies,
        "trade": oracle.TRADE,
        "largest": dict.fromkeys(oracle.FACES, 2) | {"map": 1},
        "thieves": 1,
        "sandstorms": 1,
        "hand": 2,
        "market": 1,
        "chambers": chambers,
        "maps": (1,) * len(chambers),
    }
    return Box(seats, monument, **(values | more))


@rule("A13", game="archaeology")
def test_after_the_last_storm_the_turn_goes_on_though_the_game_ends_with_the_dig_site() -> None:
    box = small(thieves=0)
    doubtful = override(oracle.numbers(box), {"sandstorms.2": 2}, "house", "nobody has looked")
    state = begin(
        "reveal market shard; Ana: dig; reveal treasure; Ana: end; Ben: dig; reveal sandstorm",
        "Ana: tent yes; Ben: tent yes",
        market="",
        numbers=doubtful,
        monument="mine",
        game_end="dig",
    )
    # The dig site may be empty: nobody knows how many storms there are. Ben has dug, so his turn goes on.
    for line in ("Ben: dig", "Ben: sell coin", "Ben: trade coin for shard", "Ben: end"):
        assert not refused(state, line), line
    # Before the dig of a turn it is otherwise: with an empty dig site the game would be over.
    later = begin(
        "reveal market shard; Ana: dig; reveal treasure; Ana: end; Ben: dig; reveal sandstorm",
        market="",
        numbers=doubtful,
        monument="mine",
        game_end="dig",
    )
    later = play(
        later, "Ana: tent yes; Ben: tent yes; Ben: dig; reveal sandstorm; Ana: lose coin; Ben: lose shard"
    )
    assert refused(play(later, "Ben: end"), "Ana: sell shard")


# The judge itself


def test_the_judge_begins_with_every_way_to_deal() -> None:
    judge = Judge(small(), 0)
    judge.play(0, "reveal market shard")
    # Four Coins and two Shards in two hands, the Mine and the dig site, each with two cards but the last with none besides the Map.
    deck = ("coin",) * 4 + ("shard",) * 2
    assert len(deck) == 6 and judge.size(judge.dig) == 1
    every = {(a, b, 4 - a - b) for a in range(3) for b in range(3) if 0 <= 4 - a - b <= 2}
    assert {tuple(place.count("coin") for place in world[:3]) for world in judge.worlds} == every
    assert len(judge.worlds) == len(every) == comb(3 + 2 - 1, 2)


def test_the_judge_follows_a_thief() -> None:
    judge = Judge(small(), 0)
    for seat, text in (
        (0, "reveal market shard"),
        (0, "dig"),
        (0, "reveal treasure"),
    ):
        judge.play(seat, text)
    assert judge.possible(0, "explore") and not judge.possible(0, "sell 3 coin")
    for text in ("trade coin for shard", "end"):
        judge.play(0, text)
    # Ana has a Shard and a Map for sure: the dig site held nothing else.
    assert all({"shard", "map"} <= set(world[0]) for world in judge.worlds)
    for seat, text in ((1, "dig"), (1, "reveal thief"), (1, "steal from player-1")):
        assert judge.possible(seat, text)
        judge.play(seat, text)
    assert judge.possible(1, "explore") and judge.possible(1, "sell shard")
    judge.play(1, "explore")
    assert all("map" not in world[0] and len(world[0]) == 2 for world in judge.worlds)
    assert judge.possible(1, "reveal cards coin") and not judge.possible(1, "reveal cards 2 coin")


# The oracle notices a referee that is wrong


def _steal(state: ArchaeologyState, move: Move) -> ArchaeologyState:
    return replace(state, stage="act")


def _forget(state: ArchaeologyState, place: str) -> ArchaeologyState:
    return replace(state, drawn=(), stage="act")


def _one(old: Callable[..., ArchaeologyState]) -> Callable[..., ArchaeologyState]:
    """The Tomb gives one card."""

    def explore(state: ArchaeologyState, move: Explore) -> ArchaeologyState:
        if state.monument != "tomb":
            return old(state, move)
        paid = state.hidden.show(HANDS[move.player], ("map",))
        return replace(
            state, explored=True, maps_gone=1, hidden=paid.move(CHAMBERS[move.chamber], HANDS[move.player], 1)
        )

    return explore


def _blurred(old: Callable[..., Hidden]) -> Callable[..., Hidden]:
    """What was seen to go somewhere is forgotten: nothing true is refused, but too much accepted."""

    def put(hidden: Hidden, place: str, faces: tuple[str, ...]) -> Hidden:
        after = old(hidden, place, faces)
        size = after.size(place)
        return after.resize(place, size + 1).resize(place, size)

    return put


FAULTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "a theft moves nothing": (effects, "_steal", lambda old: _steal),
    "cards of the Mine vanish": (effects, "_put_down", lambda old: _forget),
    "the Tomb gives one card": (effects, "_explore", _one),
    "what went to a hand face up is forgotten": (Hidden, "put", _blurred),
    "a trade may fall short": (causes, "too_little", lambda old: lambda *said: False),
    "nobody must sell": (causes, "must_sell", lambda old: lambda state: False),
    "any hand may hold anything": (causes, "_holds", lambda old: lambda state, cards: True),
    "no hand can hold two alike": (
        causes,
        "_holds",
        lambda old: lambda state, cards: len(set(cards)) == len(cards),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_oracle_notices_a_wrong_referee(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, wrong = FAULTS[fault]
    monkeypatch.setattr(module, name, wrong(getattr(module, name)))
    try:
        found = any(refuses == possible for _, _, refuses, possible in oracle.pairs(0, 6000))
    except Exception as error:  # noqa: BLE001 - a world that cannot be is noticed as well
        found = type(error).__name__ in ("AssertionError", "Impossible", "IllegalMove", "WrongReveal")
    assert found


def test_the_cut_decks_hold_at_most_twelve_hidden_cards_and_every_monument() -> None:
    monuments = set()
    for seed in range(200):
        game = oracle.begin(seed)
        box = game.box
        monuments.add(box.monument)
        assert sum(box.copies.values()) - box.market <= oracle.MOST, box
        assert box.seats in (2, 3, 4) and not rules.lacks(
            box.seats, {"monument": box.monument}, oracle.numbers(box)
        )
    assert monuments == set(oracle.MONUMENTS)
