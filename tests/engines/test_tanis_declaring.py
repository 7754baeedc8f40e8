"""Reading what the cards say: a card put away is a declaration, whatever else the table shows."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.dealing import Act
from engines.table import Table
from engines.tanis import reading, rules
from engines.tanis.dealing import TanisWorld, acts, deal
from engines.tanis.dig import DIRECTIONS
from engines.tanis.moves import Explorer, Take
from tests.perfect_reader import TrueTable, read
from tests.rules import rule

differ = reading.differences


def after(seed: int, left: int, options: dict[str, str] | None = None) -> tuple[TanisWorld, TrueTable]:
    """A game with so many tiles left in the dig, at the start of a turn."""
    world = deal(seed, 2, 0, options or {})
    true = TrueTable.from_setup(world.setup())
    rng = random.Random(seed)
    while len(world.lying) > left:
        moves = [move for move in rules.legal_moves(world.state) if isinstance(move, Take)]
        move = rng.choice(moves)
        true = true.after(Act(move.tile, "dig", f"tiles-{move.player + 1}"))
        world.play(move)
    return world, true


def put_away(world: TanisWorld, card: str) -> Act:
    seat = world.to_move
    return Act(f"{('blue', 'red')[seat]}-{card}", f"cards-{seat + 1}", None)


@pytest.mark.parametrize("seed", range(6))
def test_the_expert_for_the_last_tile_is_refused_not_passed_over(seed: int) -> None:
    world, true = after(seed, 1)
    first, *_ = reading.explain(world.state, read(true.after(put_away(world, "expert"))))
    assert first.refusal is not None and first.refusal.rule == "T28"


def test_where_the_options_allow_it_the_expert_for_the_last_tile_is_a_move() -> None:
    world, true = after(1, 1, {"expert_on_last_tile": "yes"})
    first, *_ = reading.explain(world.state, read(true.after(put_away(world, "expert"))))
    assert first.refusal is None and len(first.moves) == 1 and first.certain


@pytest.mark.parametrize("seed", range(6))
def test_an_explorer_without_a_slide_counts_where_the_options_allow_it(seed: int) -> None:
    for options in ({"explorer_may_stay": "yes"}, {}):
        world, true = after(seed, 20 + seed, options)
        seat = world.to_move
        tile = next(move.tile for move in rules.legal_moves(world.state) if isinstance(move, Take))
        done = put_away(world, "explorer"), Act(tile, "dig", f"tiles-{seat + 1}")
        first, *_ = reading.explain(world.state, read(true.after(*done)))
        stays = first.moves == (Explorer(seat, tile, "right", 0), Take(seat, tile))
        assert (stays and first.certain) == bool(options), first
        if options:
            continue
        slides = (rules.refusal(world.state, Explorer(seat, tile, way, 1)) is None for way in DIRECTIONS)
        if any(slides):
            # The tile may have been slid and then taken: the players are asked.
            assert first.refusal is None and first.moves[-1] == Take(seat, tile) and not first.certain
        else:
            assert first.refusal is not None and first.refusal.rule == "T14"


def fixed(world: TanisWorld) -> str:
    """A tile that may be taken and cannot be slid."""
    return next(
        move.tile
        for move in rules.legal_moves(world.state)
        if isinstance(move, Take)
        and all(rules.refusal(world.state, Explorer(move.player, move.tile, way, 1)) for way in DIRECTIONS)
    )


@rule("T14", "C9")
@pytest.mark.parametrize(("card", "number"), [("explorer", "T14"), ("excavator", "C9")])
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_a_card_put_away_for_nothing_is_refused_and_a_plain_take_comes_after_it(
    seed: int, card: str, number: str
) -> None:
    world, true = after(seed, 20 + seed)
    seat, tile = world.to_move, fixed(world)
    take = Act(tile, "dig", f"tiles-{seat + 1}")
    table = read(true.after(put_away(world, card), take))
    first, *others = reading.explain(world.state, table)
    assert first.refusal is not None and first.refusal.rule == number
    assert first.refusal == rules.refusal(world.state, first.moves[-1]) and len(first.moves) == 1
    plain = next(found for found in others if found.moves == (Take(seat, tile),))
    assert plain.refusal is None and plain.certain
    state = rules.apply(world.state, Take(seat, tile))
    assert any(difference.remedy == "Lay it back to the cards" for difference in differ(state, table))
    # The card alone only announces, and with its action the turn is as it should be.
    waiting, *_ = reading.explain(world.state, read(true.after(put_away(world, card))))
    assert waiting.waiting and not waiting.moves
    other = next(move for move in rules.legal_moves(world.state) if type(move).__name__.lower() == card)
    done = acts(other, world.lying)
    if rules.refusal(rules.apply(world.state, other), Take(seat, tile)) is None:
        found, *_ = reading.explain(world.state, read(true.after(*done, take)))
        assert found.refusal is None and other in found.moves


@pytest.mark.parametrize("card", ["explorer", "excavator"])
def test_nobody_is_accused_for_a_card_that_was_read_badly(card: str) -> None:
    world, true = after(2, 22)
    seat, tile = world.to_move, fixed(world)
    zone = f"cards-{seat + 1}"
    take = Act(tile, "dig", f"tiles-{seat + 1}")
    gone = read(true.after(put_away(world, card), take))
    there = read(true.after(take))
    name = put_away(world, card).piece
    mine = next(piece for piece in there.pieces if piece.identity == name)
    rest = tuple(piece for piece in there.pieces if piece is not mine)
    cards = [piece for piece in gone.within(zone) if piece.identity and piece.identity.endswith("explorer")]
    tables = (
        Table((*rest, replace(mine, identities=(), confidence=0.2))),
        Table((*rest, replace(mine, identities=(f"{name.split('-')[0]}-expert",)))),
        Table(tuple(piece for piece in gone.pieces if piece.zone != zone), unread=(zone,)),
        Table(tuple(replace(p, confidence=0.4) if p == cards[0] else p for p in gone.pieces)),
        Table(tuple(piece for piece in gone.pieces if piece not in cards[:2])),
    )
    for table in tables:
        first, *_ = reading.explain(world.state, table)
        assert first.refusal is None and first.moves == (Take(seat, tile),), table


@rule("G2")
@pytest.mark.parametrize("card", ["explorer", "excavator", "expert"])
def test_a_card_put_away_out_of_turn_is_refused(card: str) -> None:
    world, true = after(3, 21)
    other = 1 - world.to_move
    name = f"{('blue', 'red')[other]}-{card}"
    table = read(true.after(Act(name, f"cards-{other + 1}", None)))
    first, second, *_ = reading.explain(world.state, table)
    assert first.refusal is not None and first.refusal.rule == "G2" and first.again
    assert first.refusal == rules.refusal(world.state, first.moves[-1])
    assert not second.moves and second.waiting == f"{name.split('-')[0]}: no {card.capitalize()}"
    assert all(len(found.waiting) <= 21 for found in (first, second))
    # Nobody is accused for a card that cannot be told, nor over a dig that is empty.
    unread = replace(table, unread=(f"cards-{other + 1}",))
    assert reading.explain(world.state, unread)[0].refusal is None
    doubtful = replace(table.within(f"cards-{other + 1}")[0], identities=(), confidence=0.1)
    assert reading.explain(world.state, Table((*table.pieces, doubtful)))[0].refusal is None
    over, empty = after(3, 0)
    other = 1 - over.to_move
    name = f"{('blue', 'red')[other]}-{card}"
    away = read(empty.after(Act(name, f"cards-{other + 1}", None)))
    assert reading.explain(over.state, away)[0].refusal is None


def test_several_missing_cards_are_asked_for_as_several() -> None:
    world, true = after(1, 30)
    card = put_away(world, "excavator")
    assert [d.remedy for d in differ(world.state, read(true.after(card)))] == ["Lay it back to the cards"]
    both = differ(world.state, read(true.after(card, card)))
    assert [d.remedy for d in both] == ["Lay them back to the cards"]
    setup = differ(rules.start(2, 0, {}), read(true.after(card, card)))
    assert "Lay them in the zone, face up" in [d.remedy for d in setup]
