"""The hidden world: its deals, its players and their mistakes."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines.dealing import Act, Intent
from engines.game import IllegalMove, Move
from engines.tanis import rules
from engines.tanis.dealing import MISTAKES, TanisWorld, buried, deal
from engines.tanis.dig import INDEX
from engines.tanis.moves import Explorer, Take
from engines.tanis.state import Cards
from tests.digs import lay, world
from tests.rules import rule

BY_KIND = {mistake.kind: mistake for mistake in MISTAKES}


class Hands:
    """A bare table: where every piece is, by zone, cells and level. Nothing can be picked up that is not there."""

    def __init__(self, table: TanisWorld) -> None:
        state = table.state
        self.pieces: Counter[tuple[str, str, tuple[object, ...], int]] = Counter()
        for tile, place in table.lying.items():
            self.pieces[tile, "dig", place.cells, place.level] += 1
        for player, colour in enumerate(("blue", "red")):
            for card in ("explorer", "excavator", "expert"):
                count = getattr(state.cards[player], card)
                self.pieces[f"{colour}-{card}", f"cards-{player + 1}", (), 1] += count
            for tile in state.collected[player]:
                self.pieces[tile, f"tiles-{player + 1}", (), 1] += 1
        for tile in state.removed:
            self.pieces[tile, "removed", (), 1] += 1
        self.pieces = +self.pieces

    def do(self, acts: tuple[Act, ...]) -> None:
        for act in acts:
            if act.source is not None:
                here = [key for key in self.pieces if key[0] == act.piece and key[1] == act.source]
                assert here, f"{act.piece} is not at {act.source}"
                self.pieces[here[0]] -= 1
                self.pieces = +self.pieces
            if act.target is not None:
                level = act.level if act.target == "dig" else 1
                if act.target == "dig":
                    self.rests(act)
                self.pieces[act.piece, act.target, act.cells, level] += 1

    def rests(self, act: Act) -> None:
        """It is set down inside the box, on something, and not into another tile."""
        filled = {(cell, level) for (_, zone, cells, level) in self.pieces if zone == "dig" for cell in cells}
        assert len(act.cells) == 2 and 1 <= act.level <= 4
        for cell in act.cells:
            assert cell in INDEX and (cell, act.level) not in filled
        assert act.level == 1 or all((cell, act.level - 1) in filled for cell in act.cells)


def chances(seeds: range) -> list[tuple[TanisWorld, str, Intent]]:
    found = []
    for seed in seeds:
        options = {"packing": "random" if seed % 3 == 0 else "brick"}
        table = deal(seed, 2, seed % 2, options, style="random" if seed % 2 else "sensible")
        rng = random.Random(seed)
        while not table.over:
            for kind, intent in table.chances(rng).items():
                frozen = TanisWorld(table.state, dict(table.lying))
                found.append((frozen, kind, intent))
            ((_, (move,)),) = table.choose(rng).stages
            table.play(move)
    return found


CHANCES = chances(range(24))


@rule(
    "T9", "G2", "T27", "T17", "T19", "T15", "T18", "C1", "T8", "C8", "C9", "C11", "T14", "T29", "T24", "T28"
)
def test_the_referee_names_the_rule_of_every_mistake() -> None:
    seen = Counter(kind for _, kind, _ in CHANCES)
    for table, kind, intent in CHANCES:
        mistake = BY_KIND[kind]
        assert (intent.mistake, intent.refutable) == (mistake.rule, mistake.refutable)
        ((_, moves),) = intent.stages
        state = table.state
        for move in moves[:-1]:
            state = rules.apply(state, move)
        refusal = rules.refusal(state, moves[-1])
        if not mistake.refutable:
            assert refusal is None
            continue
        assert refusal is not None, (kind, moves)
        assert refusal.rule == mistake.rule, (kind, moves, refusal)
        with pytest.raises(IllegalMove):
            table.play(moves[-1]) if len(moves) == 1 else rules.apply(state, moves[-1])
    # Only chances of the very end are rare.
    rare = {"excavates the last tile", "declares the Expert for the last tile", "slides a tile on the floor"}
    assert {kind for kind in BY_KIND if seen[kind] < 10} <= rare


@rule("T24", "T28", "T18", "T9")
def test_the_rare_mistakes_are_there() -> None:
    last = world(lay(ankh_1="a1-a2 1"))
    found = last.chances(random.Random(1))
    assert found["excavates the last tile"].mistake == "T24"
    assert found["declares the Expert for the last tile"].mistake == "T28"
    assert found["slides a tile on the floor"].mistake == "T18"
    free = world(lay(ankh_1="a1-a2 1"), floor_supports="yes", expert_on_last_tile="yes")
    assert not {"declares the Expert for the last tile", "slides a tile on the floor"} & set(
        free.chances(random.Random(1))
    )
    spent = world(lay(ankh_1="a1-a2 1", ankh_2="b1-b2 1"), cards=(Cards(0, 0, 0), Cards()))
    assert "excavates with no Excavator left" in spent.chances(random.Random(1))


def test_acts_are_possible_and_undo_puts_the_last_move_right() -> None:
    for table, kind, intent in CHANCES:
        hands = Hands(table)
        ((acts, moves),) = intent.stages
        before = dict(hands.pieces)
        hands.do(acts)
        if BY_KIND[kind].refutable:
            assert dict(hands.pieces) != before
            hands.do(intent.undo)
        else:
            assert intent.undo == ()
        after = TanisWorld(table.state, dict(table.lying))
        legal = moves[:-1] if intent.refutable else moves
        for move in legal:
            after.play(move)
        assert dict(hands.pieces) == dict(Hands(after).pieces), kind


@pytest.mark.parametrize("style", ["sensible", "random"])
def test_intents_are_legal_moves_done_by_hand(style: str) -> None:
    for seed in range(12):
        table = deal(seed, 2, 0, {"explorer_may_stay": "yes"}, style=style)  # type: ignore[arg-type]
        hands = Hands(table)
        rng = random.Random(seed)
        while not table.over:
            intent = table.choose(rng)
            assert intent.mistake is None and intent.player == table.to_move
            ((acts, (move,)),) = intent.stages
            hands.do(acts)
            table.play(move)
            assert dict(hands.pieces) == dict(Hands(table).pieces)
        assert table.winners() and table.score() == rules.score(table.state)


def test_players_use_their_cards_and_sense_beats_chance() -> None:
    used: Counter[str] = Counter()
    wins = 0
    for seed in range(40):
        table = deal(seed, 2, seed % 2, {})
        rng = random.Random(seed)
        while not table.over:
            table.style = "sensible" if table.to_move == 0 else "random"
            ((_, (move,)),) = table.choose(rng).stages
            used[f"{type(move).__name__} {move.player}"] += 1
            table.play(move)
        wins += table.winners() == (0,)
    assert wins >= 36
    for card in ("Explorer", "Excavator", "Expert"):
        assert used[f"{card} 0"] >= 20 and used[f"{card} 1"] >= 20


def test_the_rate_of_mistakes_is_per_turn() -> None:
    turns = broken = 0
    kinds: Counter[str | None] = Counter()
    for seed in range(60):
        table = deal(seed, 2, 0, {})
        rng = random.Random(seed)
        while not table.over:
            turns += table.state.stage == "start"
            intent = table.choose(rng, 0.15)
            if intent.mistake is None or not intent.refutable:
                broken += intent.mistake is not None
                table.play(intent.stages[0][1][0])
                continue
            broken += 1
            kinds[intent.mistake] += 1
            moves: tuple[Move, ...] = intent.stages[0][1]
            for move in moves[:-1]:
                table.play(move)
                turns += table.state.stage == "start" and len(moves) > 2
    assert 0.10 < broken / turns < 0.17
    assert len(kinds) >= 9


def test_the_same_seed_plays_the_same_game() -> None:
    def moves(seed: int) -> list[Move]:
        table = deal(seed, 2, 0, {})
        rng = random.Random(seed)
        played = []
        while not table.over:
            ((_, (move,)),) = table.choose(rng).stages
            played.append(move)
            table.play(move)
        return played

    assert moves(11) == moves(11) != moves(12)
    assert buried(11, "brick") != buried(11, "random")


def test_an_illegal_move_does_not_happen() -> None:
    table = deal(1, 2, 0, {})
    state, lying = table.state, dict(table.lying)
    hidden = next(tile for tile, place in lying.items() if place.level == 1)
    for move in (Take(0, hidden), Take(1, next(iter(lying))), Explorer(0, hidden, "left", 1)):
        with pytest.raises(IllegalMove):
            table.play(move)
    assert table.state == state and table.lying == lying
    over = world({})
    with pytest.raises(ValueError, match="over"):
        over.choose(random.Random(1))


def test_setup_lists_all_pieces_from_the_floor_up() -> None:
    pieces = deal(9, 2, 0, {}).setup()
    assert len(pieces) == 52
    levels = [piece.level for piece in pieces if piece.zone == "dig"]
    assert levels == sorted(levels) and Counter(levels) == {1: 10, 2: 10, 3: 10, 4: 10}
    assert all(len(piece.cells) == 2 for piece in pieces if piece.zone == "dig")
