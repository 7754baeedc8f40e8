"""The hidden world of Ankh: deals, players, and that every game ends."""

from __future__ import annotations

import random
from typing import Literal

import pytest

from engines.ankh import dealing, rules
from engines.ankh.cards import is_papyrus
from engines.ankh.dealing import AnkhDeal, deal
from engines.ankh.moves import Play, Sacrifice, Shuffled
from engines.ankh.players import pick
from engines.catalogue import MissingNumbers, override, shipped
from engines.game import IllegalMove, Move, Reveal
from tests.ankh_table import cut, table, verified
from tests.rules import rule
from tests.spaces.ankh import conserved


def played(world: AnkhDeal, seed: int) -> list[tuple[Move, tuple[Reveal, ...]]]:
    """The whole game."""
    rng = random.Random(seed)
    story = []
    while not world.over:
        move = world.pick(rng)
        story.append((move, world.play(move)))
    return story


@rule("E1", "E4", game="ankh")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("style", ["sensible", "random"])
def test_every_game_ends(players: int, style: Literal["sensible", "random"]) -> None:
    for seed, target in enumerate(("50", "100", "150")):
        world = deal(seed, players, seed % players, {"target": target}, style)
        story = played(world, seed)
        assert len(story) < 2 * dealing.PATIENCE
        assert max(world.score().totals) >= int(target)
        assert world.winners() and world.winners() == rules.outcome(world.state).winners  # type: ignore[union-attr]
        conserved(world.state, world)
        with pytest.raises(ValueError, match="over"):
            world.pick(random.Random(0))


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (deal(5, 4, 1, {}, "random") for _ in range(2))
    assert one.hands == other.hands and one.opening() == other.opening()
    assert played(one, 5) == played(other, 5) and one.state == other.state
    assert deal(6, 4, 1, {}).hands != deal(5, 4, 1, {}).hands


def test_the_state_follows_from_what_was_shown() -> None:
    options = {"sacrifices": "hidden", "target": "100"}
    early = 0
    for seed in range(4):
        world = deal(seed, 4, 0, options, "random", verified())
        state = rules.start(4, 0, options, verified())
        for fact in world.opening():
            state = rules.apply(state, fact)
        rng = random.Random(seed)
        while not world.over:
            move = world.pick(rng)
            assert rules.refusal(state, move) is None
            state = rules.apply(state, move)
            for fact in world.play(move):
                early += fact == Shuffled()
                state = rules.apply(state, fact)
            assert state == world.state and world.to_move == state.to_move
            conserved(state, world)
    assert early  # discards were shuffled before they were needed


def test_a_player_knows_the_own_hand_and_what_lies_open() -> None:
    for seed in range(20):
        world = deal(seed, 3, 0, {})
        cards = tuple(world.hands[0])
        for _ in range(2):
            random.Random(seed).shuffle(world.pile)
            world.hands[1], world.hands[2] = world.hands[2], world.hands[1]
            assert world.pick(random.Random(seed)) == pick(
                world.state, cards, random.Random(seed), "sensible"
            )
    assert world.hand(0).count(",") == len(set(cards)) - 1
    with pytest.raises(ValueError, match="no card"):
        pick(world.state, (), random.Random(0), "random")


@rule("G2", game="ankh")
def test_nobody_plays_what_is_not_in_the_hand() -> None:
    world = deal(1, 2, 0, {})
    missing = next(card for card in world.state.numbers.counts if card not in world.hands[0])
    before = world.state
    for move in (Play(0, missing), Sacrifice(0, (missing,)), Sacrifice(0, (world.hands[0][0],) * 4)):
        assert rules.refusal(before, move) is None or move.player != 0 or isinstance(move, Sacrifice)
        refusal = world.refusal(move)
        assert refusal is not None
        with pytest.raises(IllegalMove):
            world.play(move)
    assert world.state == before and len(world.hands[0]) == 4
    assert world.refusal(Play(1, world.hands[1][0])).rule == "G4"  # type: ignore[union-attr]


def test_a_sensible_player_takes_points_and_gets_rid_of_minus_points() -> None:
    state = table("play red-5", "play blue-1", papyrus="yellow-green-blue-red-2", players=2)
    chosen = pick(state, ("yellow-5", "green-1", "red-2", "blue-3"), random.Random(0), "sensible")
    assert chosen == Play(0, "yellow-5")
    swap = pick(state, ("red-green-yellow-blue-1", "blue-3", "red-5", "red-4"), random.Random(0), "sensible")
    assert swap == Play(0, "red-green-yellow-blue-1")
    poor = [
        pick(
            table(papyrus="yellow-green-blue-red-5"),
            ("red-5", "red-4", "red-5", "red-3"),
            random.Random(n),
            "sensible",
        )
        for n in range(20)
    ]
    assert Sacrifice(0, ("red-3", "red-4", "red-5", "red-5")) in poor
    assert any(isinstance(move, Play) for move in poor)  # a game of poor hands goes on as well


def test_after_very_many_moves_the_longest_row_is_brought_to_its_scoring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealing, "PATIENCE", 0)
    for seed in range(4):
        story = played(deal(seed, 2 + seed, 0, {}, "random"), seed)
        assert not any(isinstance(move, Sacrifice) for move, _ in story)
    papyri = cut(
        {"red": (0, 0, 0, 0, 2)}, ["red-green-blue-yellow-5"] * 6 + ["red-green-blue-yellow-1"] * 3, 2
    )
    world = deal(0, 2, 0, {}, "random", papyri)
    while all(map(is_papyrus, world.hands[world.to_move])):
        world.play(world.pick(random.Random(0)))
    assert isinstance(world.pick(random.Random(0)), Play)


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(MissingNumbers):
        deal(1, 2, 0, {}, "sensible", override(shipped("ankh"), {"mummies.red": None}, "own", "test"))
    with pytest.raises(ValueError, match="two to five"):
        deal(1, 6, 0, {})
