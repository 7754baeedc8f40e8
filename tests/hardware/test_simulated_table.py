"""The table as a thing: where people put pieces, and what hands do to it."""

from __future__ import annotations

import itertools
import random

import pytest

from engines.dealing import Act
from engines.tanis.dealing import deal
from engines.tanis.reading import layout
from hardware.simulated.hands import Arm
from hardware.simulated.places import Body, overlap, turned
from hardware.simulated.table import SimulatedTable, TableError

LAYOUT = layout(2, {})


def laid_out(seed: int = 1) -> SimulatedTable:
    table = SimulatedTable(LAYOUT, deal(seed, 2, 0, {}).setup(), seed)
    table.lay_out()
    return table


def run(script: object) -> float:
    return sum(script)  # type: ignore[call-overload,no-any-return]


def test_empty_until_laid_out_zone_by_zone() -> None:
    table = SimulatedTable(LAYOUT, deal(1, 2, 0, {}).setup(), 1)
    assert table.bodies == () and table.box is None
    assert table.to_lay_out() == ("dig", "cards-1", "cards-2")
    table.lay_out("dig")
    assert len(table.within("dig")) == 40 and table.to_lay_out() == ("cards-1", "cards-2")
    table.lay_out()
    assert len(table.within("cards-1")) == len(table.within("cards-2")) == 6 and table.to_lay_out() == ()


@pytest.mark.parametrize("seed", range(5))
def test_box_and_its_tiles_stand_inside_the_zone(seed: int) -> None:
    table = laid_out(seed)
    zone, box = LAYOUT.zone("dig"), table.box
    assert box is not None
    assert all(zone.holds(x, y) for x, y in box.outline(box.wall))
    rim = box.outline(1.0)  # the clearance and a hair
    for body in table.within("dig"):
        assert body.z == (body.level - 1) * 4.0
        for x, y in body.corners(-1.2):
            assert overlap(rim, [(x, y), (x + 0.01, y), (x, y + 0.01)])
        u, v = turned(0, 0, -box.turn, body.x - box.x, body.y - box.y)
        columns, rows = zip(*body.cells, strict=True)
        assert abs(u - (sum(columns) / 2 + 0.5 - 2) * 22) < 0.7
        assert abs(v - (sum(rows) / 2 + 0.5 - 2.5) * 22) < 0.7


def test_turn_in_the_dig_follows_the_cells() -> None:
    """Upright the sign half lies below the number half; turned clockwise by 90 degrees it lies to the left."""
    turns = {(0, 1): 0, (-1, 0): 90, (0, -1): 180, (1, 0): 270}
    table = laid_out(3)
    assert table.box is not None
    for body in table.within("dig"):
        (c1, r1), (c2, r2) = body.cells
        off = (body.turn - table.box.turn - turns[c2 - c1, r2 - r1] + 180) % 360 - 180
        assert abs(off) <= 1.5


def take_all(seed: int) -> SimulatedTable:
    """All forty tiles to one player or the other: as full as the zones ever get."""
    table = laid_out(seed)
    rng = random.Random(seed)
    tiles = sorted(table.within("dig"), key=lambda body: (-body.level, body.name))
    for body in tiles:
        table.do(Act(body.identity, "dig", f"tiles-{rng.choice((1, 1, 1, 2))}"))
    return table


@pytest.mark.parametrize("seed", range(4))
def test_loose_pieces_never_overlap_and_stay_in_their_zone(seed: int) -> None:
    table = take_all(seed)
    for zone in LAYOUT.zones:
        lying = table.within(zone.name)
        for one, other in itertools.combinations(lying, 2):
            assert zone.form == "stack" or not overlap(one.corners(), other.corners()), (one, other)
        for body in lying:
            assert all(zone.holds(x, y) for x, y in body.corners())


def test_columns_by_sign_in_order_and_neighbours_touch() -> None:
    table = laid_out(1)
    for number in (1, 3, 2, 5):
        table.do(Act(f"falcon-{number}", "dig", "tiles-1"))
    table.do(Act("snake-2", "dig", "tiles-1"))
    lying = {body.identity: body for body in table.within("tiles-1")}
    ys = [lying[f"falcon-{number}"].y for number in (1, 2, 3, 5)]
    assert ys == sorted(ys)
    gaps = [second - first - 44 for first, second in itertools.pairwise(ys)]
    assert min(gaps[:2]) < 2.5 and max(gaps[:2]) < 6, (
        "sequential numbers touch, as far as the last one put down can"
    )
    assert gaps[2] > 20, "a missing number leaves a gap"
    assert abs(lying["snake-2"].x - lying["falcon-2"].x) > 40


def test_six_removed_tiles_find_room() -> None:
    table = laid_out(2)
    tiles = sorted(table.within("dig"), key=lambda body: -body.level)[:6]
    for body in tiles:
        table.do(Act(body.identity, "dig", "removed"))
    assert len(table.within("removed")) == 6


def test_sloppy_but_not_wild() -> None:
    turns = [
        min(body.turn % 180, 180 - body.turn % 180)
        for seed in range(4)
        for body in take_all(seed).within("tiles-1")
    ]
    assert max(turns) > 1.0 and max(turns) <= 3.0
    upside_down = [
        90 < body.turn < 270 for seed in range(4) for body in take_all(seed).bodies if body.zone != "dig"
    ]
    assert 0 < sum(upside_down) < 0.25 * len(upside_down)


def test_the_same_seed_lays_the_same_table() -> None:
    assert laid_out(7).bodies == laid_out(7).bodies
    assert laid_out(7).bodies != laid_out(8).bodies


def test_cards_come_back_out_of_the_box() -> None:
    table = laid_out()
    version = table.version
    table.do(Act("blue-expert", "cards-1", None))
    assert len(table.within("cards-1")) == 5 and table.version > version
    table.do(Act("blue-expert", None, "cards-1"))
    assert len(table.within("cards-1")) == 6


def test_what_cannot_be_is_named() -> None:
    table = laid_out()
    with pytest.raises(TableError, match="blue-expert is not in cards-2"):
        table.do(Act("blue-expert", "cards-2", None))
    top, other = [body for body in table.within("dig") if body.level == 4][:2]
    with pytest.raises(TableError, match="lies there on level 4"):
        table.do(Act(top.identity, "dig", "dig", other.cells, 4))


def test_nudge_moves_a_little_and_never_onto_another() -> None:
    table = take_all(1)
    moved = 0
    for body in table.within("tiles-1"):
        after = table.nudge(body)
        assert abs(after.x - body.x) <= 2 and abs(after.y - body.y) <= 2
        moved += after != body
    assert moved > 0
    for one, other in itertools.combinations(table.within("tiles-1"), 2):
        assert not overlap(one.corners(), other.corners())
    full = laid_out()
    dug = full.within("dig")[0]
    assert full.nudge(dug) == dug, "what lies on it holds it"


def test_bumped_box_takes_its_tiles_along() -> None:
    table = laid_out()
    assert table.box is not None
    before = {
        b.name: turned(0, 0, -table.box.turn, b.x - table.box.x, b.y - table.box.y)
        for b in table.within("dig")
    }
    table.bump_box(2.0, -1.0, 1.5)
    for body in table.within("dig"):
        u, v = turned(0, 0, -table.box.turn, body.x - table.box.x, body.y - table.box.y)
        assert (u, v) == (pytest.approx(before[body.name][0]), pytest.approx(before[body.name][1]))


class TestHands:
    def arm(self, table: SimulatedTable, nudges: float = 0.0, seat: int = 0) -> Arm:
        return Arm(table, seat, random.Random(1), nudges)

    def test_carries_a_tile_and_leaves(self) -> None:
        table = laid_out()
        top = next(body for body in table.within("dig") if body.level == 4)
        seen: list[Body | None] = []
        time = 0.0
        for wait in self.arm(table).do((Act(top.identity, "dig", "tiles-1"),)):
            time += wait
            assert len(table.hands) <= 1
            seen.append(table.hands[0].carried if table.hands else None)
        carried = [body for body in seen if body is not None]
        assert carried and all(body.identity == top.identity for body in carried)
        assert table.hands == () and table.find(top.identity, "tiles-1")
        assert 1.5 < time < 6

    def test_comes_from_the_players_side(self) -> None:
        for seat, zone in ((0, "cards-1"), (1, "cards-2")):
            table = laid_out()
            card = table.within(zone)[0]
            script = self.arm(table, seat=seat).do((Act(card.identity, zone, None),))
            next(script)
            (hand,) = table.hands
            assert (hand.elbow_x < 0) == (seat == 0) and (hand.x < LAYOUT.width / 2) == (seat == 0)
            run(script)
            assert len(table.within(zone)) == 5 and table.hands == ()

    def test_slides_a_tile_on_its_level(self) -> None:
        table = laid_out()
        for body in [b for b in table.within("dig") if b.level == 4]:
            table.do(Act(body.identity, "dig", "tiles-1"))
        tile = next(b for b in table.within("dig") if b.level == 3)
        gone = next(b for b in table.within("dig") if b.level == 3 and b.name != tile.name)
        table.do(Act(gone.identity, "dig", "tiles-2"))
        heights = []
        for _ in self.arm(table).do((Act(tile.identity, "dig", "dig", gone.cells, 3),)):
            heights += [hand.z for hand in table.hands if hand.sliding]
        assert heights and max(heights) - min(heights) < 0.01, "it never leaves its level"
        assert table.find(tile.identity, "dig").cells == gone.cells

    def test_sometimes_nudges_a_neighbour(self) -> None:
        table = take_all(2)
        arm = self.arm(table, nudges=1.0)
        body = table.within("tiles-1")[0]
        run(arm.do((Act(body.identity, "tiles-1", "tiles-2"),)))
        assert arm.brushed

    def test_lays_out_zone_by_zone(self) -> None:
        table = SimulatedTable(LAYOUT, deal(1, 2, 0, {}).setup(), 1)
        for zone in table.to_lay_out():
            run(self.arm(table).lay_out(zone))
        assert len(table.bodies) == 52 and table.hands == ()

    def test_straightens_a_piece(self) -> None:
        table = laid_out()
        card = table.within("cards-1")[0]
        run(self.arm(table).straighten(card))
        assert table.find(card.identity, "cards-1") and table.hands == ()
