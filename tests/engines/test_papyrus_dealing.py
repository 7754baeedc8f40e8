"""The hidden world of Papyrus: deals, players, and that every game they play sensibly ends."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines.catalogue import house
from engines.game import IllegalMove, Move, Reveal
from engines.papyrus import rules
from engines.papyrus.dealing import PATIENCE, PapyrusDeal, deal
from engines.papyrus.moves import Decline, Draw, EventShown, Form, Lose, Swap, Travel, Win
from engines.papyrus.rules import OPTIONS
from engines.papyrus.state import HANDS, PILE
from tests.papyri import own
from tests.rules import rule
from tests.spaces.papyrus import conserved

SAMPLE = house("papyrus")
MOST = 2000
"""No game comes near so many moves."""


def played(game: PapyrusDeal, seed: int = 0, most: int = 10_000) -> list[Move | Reveal]:
    """The game played on; every step of it."""
    rng = random.Random(seed)
    steps: list[Move | Reveal] = []
    while not game.over and len(steps) < most:
        move = game.pick(rng)
        assert move.player == game.to_move
        steps += [move, *game.play(move)]
    return steps


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("gods", ["usual", "18"])
def test_sensible_players_finish_every_game(players: int, gods: str) -> None:
    for seed in range(3):
        game = deal(seed, players, seed % players, {"gods": gods}, catalogue=SAMPLE)
        played(game, seed)
        assert rules.outcome(game.state) is not None
        assert game.moves < MOST


@rule("Y40", game="papyrus")
def test_games_end_under_every_option_by_the_players_own_doing() -> None:
    for option in OPTIONS:
        for value in option.values[1:]:
            for players in (2, 3) if option.name != "gods" else (2,):
                short = {"gods": "8" if players == 2 else "12"}
                game = deal(7, players, 0, short | {option.name: value}, catalogue=SAMPLE)
                played(game, 7)
                assert rules.outcome(game.state) is not None, (option.name, value)
    # The rules know no cap: it is the players who lose patience with playing at random.
    for seed in range(4):
        lazy = deal(seed, 2, 0, {"gods": "8"}, "random", SAMPLE)
        played(lazy, seed)
        assert PATIENCE < lazy.moves < MOST and rules.outcome(lazy.state) is not None
    with pytest.raises(ValueError, match="the game is over"):
        lazy.pick(random.Random(0))


@pytest.mark.parametrize("style", ["sensible", "random"])
def test_the_same_seed_gives_the_same_game(style: str) -> None:
    games = [deal(5, 3, 1, {"gods": "12"}, style, SAMPLE) for _ in range(2)]  # type: ignore[arg-type]
    one, other = (played(game, 5, 150) for game in games)
    assert one == other
    assert games[0].state == games[1].state and hash(games[0].state) == hash(games[1].state)
    assert played(deal(6, 3, 1, {"gods": "12"}, style, SAMPLE), 5, 150) != one  # type: ignore[arg-type]


@pytest.mark.parametrize("catalogue", [SAMPLE, own()], ids=["sample", "small"])
@pytest.mark.parametrize("players", [1, 2, 3])
def test_nothing_is_lost_and_what_everybody_knows_is_true(players: int, catalogue: object) -> None:
    for seed, style in enumerate(("sensible", "random")):
        rng = random.Random(seed)
        game = deal(seed, players, 0, {"gods": "all"}, style, catalogue)  # type: ignore[arg-type]
        for _ in range(120):
            if game.over:
                break
            conserved(game.state, game)
            move = game.pick(rng)
            assert rules.refusal(game.state, move) is None
            if rules.complete(game.state):
                assert move in rules.legal_moves(game.state)
            game.play(move)


def test_random_players_make_every_kind_of_move() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(8):
        game = deal(seed, 2, 0, {"gods": "8"}, "random", SAMPLE)
        kinds.update(type(step).__name__ for step in played(game, seed))
    for seed in range(15):
        kinds.update(type(step).__name__ for step in played(deal(seed, 1, 0, {}, "random", SAMPLE), seed))
    listed = "Draw Travel Win Decline Swap Pass Gain Lose TakeFrom SwapWith Go Form Buy Stop EventShown"
    assert set(kinds) >= set(listed.split()), set(listed.split()) - set(kinds)


def test_the_truth_refuses_what_is_not_in_the_own_hand_though_it_might_be() -> None:
    game = deal(3, 2, 0, {}, catalogue=SAMPLE)
    tiles = Counter(game.tiles[HANDS[0]])
    absent = next(letter for letter in SAMPLE["letters"] if not tiles[letter])
    assert rules.refusal(game.state, Swap(0, absent)) is None
    refusal = game.refusal(Swap(0, absent))
    assert refusal and refusal.rule == "P6"
    before = game.state, {place: list(cards) for place, cards in game.tiles.items()}
    with pytest.raises(IllegalMove):
        game.play(Swap(0, absent))
    assert (game.state, game.tiles) == before

    game.cards[HANDS[0]] = ["water"] * 4
    missing = game.refusal(Travel(0, "ferry", ("eye", "eye")))
    assert missing and missing.rule == "P3"
    assert game.refusal(Travel(0, "ferry", ("water", "water"))) is None
    wrong = game.refusal(Draw(1))
    assert wrong and wrong.rule == "T2"


def test_the_truth_refuses_gods_and_names_that_are_not_there() -> None:
    game = deal(3, 2, 0, {"win_where_you_stand": "yes"}, catalogue=SAMPLE)
    hand = HANDS[0]
    game.gods[hand] = ["horus", "bes", "isis"]
    game.tiles[hand] = list("HORUSHORUS")
    assert game.refusal(Win(0, "horus")) is None
    absent = game.refusal(Win(0, "bes"))
    assert absent and absent.rule == "Y26" and "Decline" not in absent.remedy
    game.gods[hand] = ["isis", "bes", "seth"]
    absent = game.refusal(Win(0, "horus"))
    assert absent and absent.rule == "Y9"
    alone = deal(3, 1, 0, {}, catalogue=SAMPLE)
    alone.tiles[hand], alone.tiles[PILE] = alone.tiles[PILE], []
    elsewhere = alone.gods[PILE][0]
    absent = alone.refusal(Form(0, elsewhere))
    assert absent is not None


def test_an_event_card_that_is_due_is_turned_up_by_the_move_that_brings_it() -> None:
    game = deal(3, 2, 0, {}, catalogue=SAMPLE)
    game.cards[HANDS[0]] = ["water"] * 4
    game.events = ["sandstorm"]
    shown = game.play(Travel(0, "ferry", ("water", "water")))
    assert shown == (EventShown("sandstorm"),)
    assert game.state.stage == "effect" and game.to_move == 0
    absent = game.refusal(Lose(0, ("light", "dark")))
    assert absent and absent.rule == "P3"
    assert game.refusal(Lose(0, ("water", "water"))) is None
    game.play(Lose(0, ("water", "water")))
    assert game.to_move == 1 and game.discards == ["water"] * 4


def test_players_decide_by_what_they_know() -> None:
    """What others hold changes nothing of what a player picks."""
    game = deal(9, 3, 0, {"gods": "12"}, catalogue=SAMPLE)
    for turn in range(60):
        if game.over:
            break
        move = game.pick(random.Random(turn))
        for store in (game.cards, game.tiles, game.gods):
            others = [place for place in store if place != HANDS[game.to_move]]
            cards = [card for place in others for card in store[place]]
            random.Random(turn).shuffle(cards)
            for place in others:
                store[place] = [cards.pop() for _ in store[place]]
        assert game.pick(random.Random(turn)) == move
        game.play(move)


def test_a_hand_is_told_in_words() -> None:
    game = deal(3, 2, 0, {}, catalogue=SAMPLE)
    told = game.hand(0)
    assert told.startswith("cards: ") and "; hieroglyphs: " in told and "; gods: " in told
    for god in game.view(0).gods:
        card = game.state.numbers.gods[god]
        assert (
            f"{god} ({card.value})" if card.pyramid == god else f"{god} ({card.value} at {card.pyramid})"
        ) in told
    assert game.opening() == ()
    assert game.score().totals == (0, 0)
    assert Decline(0) not in rules.legal_moves(game.state)
