"""Reading a table of Tanis: single cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import wrap

import pytest

from engines.dealing import Act
from engines.game import Explanation
from engines.table import Piece, Table
from engines.tanis import reading, rules
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take, Uncovered
from engines.tanis.state import TILES, TanisState
from tests.perfect_reader import TrueTable, alike, read

SEED = 3


class Night:
    """A night at its start: the world, the true table, and what everybody knows."""

    def __init__(self, seed: int = SEED) -> None:
        self.world: TanisWorld = deal(seed, 2, 0, {})
        self.true = TrueTable.from_setup(self.world.setup())

    @property
    def state(self) -> TanisState:
        return self.world.state

    @property
    def free(self) -> list[str]:
        """Tiles that can be taken."""
        return [tile for tile, _ in self.true.dig if all(self.true.seen(tile))]

    @property
    def hidden(self) -> list[str]:
        """Tiles of which nothing shows."""
        return [tile for tile, _ in self.true.dig if not any(self.true.seen(tile))]

    def take(self, seat: int, tile: str) -> Act:
        return Act(tile, "dig", f"tiles-{seat + 1}")

    def play(self, *moves: Take) -> None:
        for move in moves:
            self.true = self.true.after(self.take(move.player, move.tile))
            self.world.play(move)

    def see(self, *acts: Act) -> Table:
        return read(self.true.after(*acts))


def changed(table: Table, change: Callable[[Piece], Piece | None]) -> Table:
    """The table with each piece replaced or left out (None)."""
    return replace(table, pieces=tuple(new for piece in table.pieces if (new := change(piece)) is not None))


def of(tile: str, zone: str | None = None) -> Callable[[Piece], bool]:
    return lambda piece: piece.identity == tile and zone in (None, piece.zone)


def unread(table: Table, which: Callable[[Piece], bool], identities: tuple[str, ...] = ()) -> Table:
    return changed(table, lambda piece: replace(piece, identities=identities) if which(piece) else piece)


def without(table: Table, which: Callable[[Piece], bool]) -> Table:
    return changed(table, lambda piece: None if which(piece) else piece)


def lines(text: str) -> int:
    return len(wrap(text, 21))


# The mat


def test_layout_names_every_face_once_and_no_zones_overlap() -> None:
    layout = reading.layout(2, {})
    names = [face.identity for face in layout.faces]
    assert len(names) == len(set(names)) == 46
    assert set(TILES) <= set(names)
    for index, one in enumerate(layout.zones):
        assert one.x >= 12 and one.x + one.width <= layout.width - 12
        assert one.y >= 12 and one.y + one.height <= layout.height - 12
        for other in layout.zones[index + 1 :]:
            apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
            apart_y = one.y + one.height <= other.y or other.y + other.height <= one.y
            assert apart_x or apart_y, (one.name, other.name)


def test_the_dig_zone_holds_the_box_and_the_piles_hold_half_the_tiles() -> None:
    layout = reading.layout(2, {})
    dig = layout.zone("dig")
    assert dig.columns * dig.cell < dig.width and dig.rows * dig.cell < dig.height
    tile = layout.kind("tile")
    for name in ("tiles-1", "tiles-2"):
        zone = layout.zone(name)
        assert (zone.width // (tile.width + 1)) * (zone.height // (tile.height + 1)) >= 26


# Set-up


def test_setup_names_what_is_missing() -> None:
    night = Night()
    state = rules.start(2, 0, {})
    table = night.see(Act("blue-explorer", "cards-1", None))
    top = table.within("dig")
    table = without(table, lambda piece: piece in top[:3])
    texts = [difference.text for difference in reading.differences(state, table)]
    assert texts == ["Dig: 7 of 10 tiles readable", "blue: 1 Explorer missing"]
    assert len(reading.reveals(state, table)) == 7


def test_setup_of_an_empty_table_and_of_an_unread_one() -> None:
    state = rules.start(2, 0, {})
    empty = reading.differences(state, Table())
    assert empty[0].text == "Dig: 0 of 10 tiles readable"
    assert {difference.text for difference in empty[1:]} == {
        f"{colour}: {count} {card} missing"
        for colour in ("blue", "red")
        for count, card in ((3, "Explorer"), (2, "Excavator"), (1, "Expert"))
    }
    assert all(not explanation.moves for explanation in reading.explain(state, Table()))
    blind = Table(unread=tuple(zone.name for zone in reading.layout(2, {}).zones))
    assert [difference.text for difference in reading.differences(state, blind)] == ["Dig: cannot be read"]


def test_setup_takes_no_tile_twice() -> None:
    night = Night()
    state = rules.start(2, 0, {})
    table = night.see()
    one, other = night.free[:2]
    twice = unread(table, of(one), (other,))
    facts = reading.reveals(state, twice)
    assert len(facts) == 8
    assert any("seen 2 times" in difference.text for difference in reading.differences(state, twice))


# Reveals


def test_a_take_reveals_what_lay_beneath() -> None:
    night = Night()
    before = night.state
    tile = night.free[0]
    table = night.see(night.take(0, tile))
    after = rules.apply(before, Take(0, tile))
    facts = reading.reveals(after, table)
    assert facts and all(isinstance(fact, Uncovered) for fact in facts)
    for fact in facts:
        after = rules.apply(after, fact)
    night.play(Take(0, tile))
    assert after == night.state
    # The same table before the move is confirmed teaches nothing false.
    assert reading.reveals(before, table) == ()


def test_unsure_readings_reveal_nothing() -> None:
    night = Night()
    table = read(night.true, confidence=0.4)
    assert reading.reveals(rules.start(2, 0, {}), table) == ()


def test_impossible_readings_reveal_nothing() -> None:
    night = Night()
    tile = night.free[0]
    night.play(Take(0, tile))
    table = night.see()
    half = next(piece for piece in table.within("dig") if piece.seen != (True, True))
    cell = half.cells[0] if half.seen[0] else half.cells[1]
    base = rules.apply(Night().state, Take(0, tile))
    for other in ((cell[0] + 2, cell[1]), (-1, cell[1]), (cell[0], 7), cell):
        wrong = replace(half, cells=(cell, other) if half.seen[0] else (other, cell))
        table_wrong = Table((wrong,))
        assert reading.reveals(base, table_wrong) == (), other
    # Both halves read though one of them must lie under a tile; a tile that was collected.
    assert reading.reveals(base, Table((replace(half, seen=(True, True)),))) == ()
    assert reading.reveals(base, Table((replace(half, identities=(tile,)),))) == ()


def test_a_sure_look_corrects_a_wrong_one() -> None:
    night = Night()
    tile = night.free[0]
    stranger = night.hidden[0]
    start = rules.start(2, 0, {})
    for fact in reading.reveals(start, unread(night.see(), of(tile), (stranger,))):
        start = rules.apply(start, fact)
    assert stranger in {known.tile for known in start.dig}
    unsure = changed(night.see(), lambda piece: replace(piece, confidence=0.7))
    assert reading.reveals(start, unsure) == ()
    (fact,) = reading.reveals(start, night.see())
    assert fact.correction
    assert rules.apply(start, fact) == night.state


# Explanations


def test_nothing_happened() -> None:
    night = Night()
    assert reading.explain(night.state, night.see()) == (Explanation(),)
    assert reading.differences(night.state, night.see()) == ()


def test_tiles_moved_about_in_their_own_zone_mean_nothing() -> None:
    night = Night()
    first, second, *_ = night.free
    night.play(Take(0, first), Take(1, second))
    moved = changed(night.see(), lambda p: replace(p, x=p.x + 40, turn=90) if p.zone == "tiles-1" else p)
    assert reading.explain(night.state, moved) == (Explanation(),)
    assert reading.differences(night.state, moved) == ()


@pytest.mark.parametrize(
    ("card", "waiting"),
    [("explorer", "Explorer: slide a tile"), ("excavator", "Excavator: remove a tile")],
)
def test_a_card_put_away_waits_for_its_action(card: str, waiting: str) -> None:
    night = Night()
    found = reading.explain(night.state, night.see(Act(f"blue-{card}", "cards-1", None)))
    assert found[0] == Explanation(waiting=waiting)


def test_the_expert_put_away_is_a_move() -> None:
    night = Night()
    found = reading.explain(night.state, night.see(Act("blue-expert", "cards-1", None)))
    assert found[0].moves == (Expert(0),)
    assert found[0].certain and found[0].refusal is None
    # A card of the player who is not to move was put away out of turn; whoever denies it is told that it is missing.
    table = night.see(Act("red-expert", "cards-2", None))
    wrong = reading.explain(night.state, table)
    (difference,) = reading.differences(night.state, table)
    assert difference.text == "red: 1 Expert missing"
    assert [found.moves for found in wrong] == [(Expert(1),), ()]
    assert wrong[0].refusal is not None and wrong[0].refusal.rule == "G2"
    assert wrong[1] == Explanation(waiting="red: no Expert")


def test_an_action_whose_card_still_lies_there() -> None:
    """It is explained all the same, and then the card is asked for."""
    night = Night()
    tile, other = night.free[:2]
    table = night.see(Act(tile, "dig", "removed"), night.take(0, other))
    found = reading.explain(night.state, table)
    assert found[0].moves == (Excavator(0, tile), Take(0, other))
    state = night.state
    for step in found[0].steps:
        state = rules.apply(state, step)
    (difference,) = reading.differences(state, table)
    assert "Excavator" in difference.text and "put it away" in difference.remedy.lower()


def test_two_takes_with_the_expert_still_there_were_not_declared() -> None:
    night = Night()
    one, other = _two_signs(night)
    table = night.see(night.take(0, one), night.take(0, other))
    found = reading.explain(night.state, table)
    assert found[0].refusal is not None and found[0].refusal.rule == "G2"
    assert any(set(e.moves) == {Expert(0), Take(0, one), Take(0, other)} and not e.refusal for e in found)
    away = night.see(Act("blue-expert", "cards-1", None), night.take(0, one), night.take(0, other))
    found = reading.explain(night.state, away)
    assert found[0].moves[0] == Expert(0) and set(found[0].moves[1:]) == {Take(0, one), Take(0, other)}
    hidden = replace(table, pieces=tuple(p for p in table.pieces if p.zone != "cards-1"), unread=("cards-1",))
    assert reading.explain(night.state, hidden)[0].moves[0] == Expert(0)


def _two_signs(night: Night) -> tuple[str, str]:
    one = night.free[0]
    other = next(tile for tile in night.free if tile.split("-")[0] != one.split("-")[0])
    return one, other


def test_a_tile_that_vanished_is_asked_for() -> None:
    night = Night()
    tile = night.free[0]
    found = reading.explain(night.state, night.see(Act(tile, "dig", None)))
    assert all(not explanation.certain for explanation in found)
    assert [explanation.moves for explanation in found] == [(Take(0, tile),), (Excavator(0, tile),), ()]


def test_a_vanished_tile_with_an_excavator_put_away() -> None:
    night = Night()
    tile = night.free[0]
    card = Act("blue-excavator", "cards-1", None)
    found = reading.explain(night.state, night.see(card, Act(tile, "dig", None)))
    assert found[0].moves == (Excavator(0, tile),) and not found[0].certain


@pytest.mark.parametrize("part", [None, 0, 1])
def test_a_new_tile_that_cannot_be_told_is_the_one_that_left_the_dig(part: int | None) -> None:
    night = Night()
    tile = night.free[0]
    identities = () if part is None else alike(tile, (part == 0, part == 1))
    table = unread(night.see(night.take(0, tile)), of(tile, "tiles-1"), identities)
    first = reading.explain(night.state, table)[0]
    assert (first.moves, first.certain) == ((Take(0, tile),), True)


def test_a_new_tile_that_can_be_two_is_not_certain() -> None:
    night = Night()
    one, other = night.free[:2]
    table = night.see(night.take(0, one), Act(other, "dig", None))
    found = reading.explain(night.state, unread(table, of(one, "tiles-1")))
    assert not found[0].certain
    assert {Take(0, one), Take(0, other)} <= {move for e in found for move in e.moves}


def test_a_new_tile_misread_is_asked_as_the_one_that_left() -> None:
    night = Night()
    tile, stranger = night.free[0], night.hidden[0]
    table = unread(night.see(night.take(0, tile)), of(tile, "tiles-1"), (stranger,))
    found = reading.explain(night.state, table)
    assert found[0].moves == (Take(0, tile),) and not found[0].certain


def test_a_collected_tile_that_changes_its_face_is_no_move() -> None:
    night = Night()
    tile, second = night.free[:2]
    night.play(Take(0, tile), Take(1, second))
    for other in (night.hidden[0], night.free[0]):
        table = unread(night.see(), of(tile, "tiles-1"), (other,))
        found = reading.explain(night.state, table)
        assert not found or (not found[0].moves and found[0].refusal is None), found


def test_a_collected_tile_that_is_not_read_is_no_move() -> None:
    night = Night()
    tile = night.free[0]
    night.play(Take(0, tile))
    for table in (unread(night.see(), of(tile)), without(night.see(), of(tile))):
        assert reading.explain(night.state, table) == (Explanation(),)
    assert reading.differences(night.state, unread(night.see(), of(tile))) == ()


def test_an_unread_zone_says_nothing() -> None:
    night = Night()
    first, second, third, *_ = night.free
    night.play(Take(0, first), Take(1, second))
    for zone in ("tiles-1", "tiles-2", "cards-1", "cards-2", "dig", "removed"):
        table = night.see()
        table = Table(tuple(p for p in table.pieces if p.zone != zone), (zone,))
        assert reading.explain(night.state, table) == (Explanation(),), zone
        assert reading.differences(night.state, table) == (), zone
        assert reading.reveals(night.state, table) == ()
    taken = night.see(night.take(0, third))
    taken = Table(tuple(p for p in taken.pieces if p.zone != "dig"), ("dig",))
    assert reading.explain(night.state, taken)[0].moves == (Take(0, third),)


def test_a_tile_in_the_other_players_zone_is_a_difference() -> None:
    night = Night()
    tile = night.free[0]
    night.play(Take(0, tile))
    table = night.see(Act(tile, "tiles-1", "tiles-2"))
    assert reading.explain(night.state, table) == ()
    (difference,) = reading.differences(night.state, table)
    assert difference.remedy == "Move it to blue's tiles"


def test_a_tile_put_back_is_no_explanation_but_the_state_before_fits() -> None:
    night = Night()
    before, untouched = night.state, night.see()
    tile = night.free[0]
    night.play(Take(0, tile))
    assert reading.explain(night.state, untouched) == ()
    assert any("is still in the dig" in d.text for d in reading.differences(night.state, untouched))
    assert reading.explain(before, untouched) == (Explanation(),)


def test_a_phantom_changes_nothing() -> None:
    """A piece where nothing lies (P22) is never turned into a move."""
    night = Night()
    table = night.see()
    for zone in ("tiles-1", "tiles-2", "removed"):
        for identities in ((), alike(night.free[0], (True, False))):
            phantom = Piece(identities, "tile", zone, 300, 300, seen=(True, True))
            found = reading.explain(night.state, replace(table, pieces=(*table.pieces, phantom)))
            assert all(not explanation.moves for explanation in found)
        twin = Piece((night.free[0],), "tile", zone, 300, 300, seen=(True, True))
        found = reading.explain(night.state, replace(table, pieces=(*table.pieces, twin)))
        assert all(not explanation.moves for explanation in found)


def test_a_wrong_reading_in_the_dig_does_not_block_the_next_move() -> None:
    """One false read must not stop the game (P13)."""
    night = Night()
    misread, tile = night.free[:2]
    table = night.see(night.take(0, tile))
    wrong = unread(table, of(misread), (night.hidden[0],))
    assert reading.explain(night.state, wrong)[0].moves == (Take(0, tile),)
    missing = without(table, of(misread))
    assert reading.explain(night.state, missing)[0].moves == (Take(0, tile),)


def test_out_of_turn_and_covered() -> None:
    night = Night()
    tile = night.free[0]
    found = reading.explain(night.state, night.see(night.take(1, tile)))
    assert found[0].refusal is not None and found[0].refusal.rule == "G2"
    deep = night.hidden[0]
    found = reading.explain(night.state, night.see(night.take(0, deep)))
    assert found[0].refusal is not None and found[0].refusal.rule == "T9"
    assert found[0].moves == (Take(0, deep),)


def test_a_crooked_slide_and_one_set_down_turned() -> None:
    night = Night()
    night.play(*(Take(seat % 2, tile) for seat, tile in enumerate(night.free[:2])))
    lying = night.true.tiles
    tile = night.free[0]
    number, sign = lying[tile].cells
    turned = Act(tile, "dig", "dig", (sign, number), lying[tile].level)
    found = reading.explain(night.state, night.see(Act("blue-explorer", "cards-1", None), turned))
    assert found[0].moves == (Shift(0, tile, sign, number),)
    assert found[0].refusal is not None and found[0].refusal.rule == "T15"
    # Without a card it may as well be the reading that turned.
    assert reading.explain(night.state, night.see(turned)) == (Explanation(),)


def test_slid_and_taken_in_one_go() -> None:
    """The card says that something was slid, the table that the tile is gone: told so, but not as certain."""
    for seed in range(12):
        night = Night(seed)
        for tile in night.free[:6]:
            if night.world.over:
                break
            slides = [move for move in rules.legal_moves(night.state) if isinstance(move, Explorer)]
            if slides:
                seat = night.state.to_move
                move = slides[0]
                card = Act(("blue-explorer", "red-explorer")[seat], f"cards-{seat + 1}", None)
                found = reading.explain(night.state, night.see(card, night.take(seat, move.tile)))
                assert [type(m) for m in found[0].moves] == [Explorer, Take]
                assert not found[0].certain
                return
            night.play(Take(night.state.to_move, tile))
    pytest.fail("no seed offered a slide")


def test_uncovered_and_taken_before_anybody_saw_it() -> None:
    """A tile that two takes freed and a third took: a reveal with its place comes before its take."""
    for seed in range(40):
        night = Night(seed)
        for one in night.free:
            for other in night.free:
                after = night.true
                if one == other:
                    continue
                after = after.after(night.take(0, one), night.take(1, other))
                fresh = [t for t in after.tiles if all(after.seen(t)) and t not in night.free]
                fresh = [t for t in fresh if t in night.hidden]
                if not fresh:
                    continue
                tile = fresh[0]
                found = reading.explain(night.state, read(after.after(night.take(0, tile))))
                best = found[0]
                assert best.refusal is None
                assert Take(0, tile) in best.moves and len(best.moves) == 3
                index = best.steps.index(Take(0, tile))
                assert any(
                    isinstance(step, Uncovered) and f"{step.sign}-{step.number}" == tile
                    for step in best.steps[:index]
                )
                return
    pytest.fail("no such dig among the seeds")
