"""Archaeology read from the table: whole games told by what lies there alone, and what people do wrong with cards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pytest

from engines.archaeology import reading, rules
from engines.archaeology.dealing import deal
from engines.archaeology.moves import (
    Cleared,
    Dig,
    Drawn,
    End,
    Explore,
    Lose,
    Market,
    Sell,
    Steal,
    Tent,
    Trade,
)
from engines.archaeology.numbers import MONUMENTS
from engines.archaeology.state import ArchaeologyState
from engines.archaeology.zones import BACK, DISCARD, SITE, SPENT, TENT, layout, museum, room, sold, tent
from engines.catalogue import house
from engines.dealing import Act, Deed
from engines.game import Explanation, Move
from engines.table import Layout, Piece, Table
from tests.expeditions import DUG, NAMES, as_shipped, begin, late, play, seen

TREASURE = Drawn("treasure")
WIDEST = 21 * 2


@cache
def plan(players: int, monument: str = "great-pyramid") -> Layout:
    return layout(players, {"monument": monument}, house("archaeology"))


@dataclass
class Cards:
    """The cards on the table as people lay them; it knows no rules."""

    layout: Layout
    places: dict[str, list[str]] = field(default_factory=dict)

    def do(self, deed: Deed) -> None:
        if isinstance(deed, Act):
            if deed.source is not None:
                self.places[deed.source].remove(deed.piece)
            if deed.target is not None:
                self.places.setdefault(deed.target, []).append(deed.piece)
            return
        for piece in deed.pieces or tuple(self.places[deed.source]):
            self.do(Act(piece, deed.source, deed.target))

    def lay(self, zone: str, *cards: str) -> Cards:
        self.places.setdefault(zone, []).extend(cards)
        return self

    def take(self, zone: str, *cards: str) -> Cards:
        for card in cards:
            self.places[zone].remove(card)
        return self

    def seen(self, *, unread: tuple[str, ...] = (), riddles: Mapping[str, str] | None = None) -> Table:
        """What a perfect reader makes of it: of a pile only the top; ``riddles``: cards by zone that cannot be told."""
        pieces: list[Piece] = []
        for zone, cards in self.places.items():
            place = self.layout.zone(zone)
            hidden = (riddles or {}).get(zone)
            for at, card in enumerate(cards[-1:] if place.form == "pile" else cards):
                names = () if card == hidden else (card,)
                hidden = None if card == hidden else hidden
                pieces.append(Piece(names, place.kinds[0], zone, float(at), 0.0))
        return Table(tuple(pieces), unread)


def lying(state: ArchaeologyState) -> Cards:
    """The table as the state wants it."""
    cards = Cards(plan(state.players, state.monument))
    for piece in reading.expected(state).pieces:
        cards.lay(piece.zone, piece.identity or "")
    return cards


def told(state: ArchaeologyState, cards: Cards, **how: object) -> tuple[Explanation, ...]:
    return reading.explain(state, cards.seen(**how))  # type: ignore[arg-type]


def first(state: ArchaeologyState, cards: Cards) -> tuple[Move, ...]:
    return told(state, cards)[0].moves


def learn(state: ArchaeologyState, seen: Table) -> ArchaeologyState:
    for fact in reading.reveals(state, seen):
        state = rules.apply(state, fact)
    return state


@pytest.mark.parametrize(
    ("players", "monument"),
    [*[(players, "great-pyramid") for players in (2, 3, 4, 5)], *[(3, name) for name in MONUMENTS[1:]]],
)
def test_a_whole_game_is_told_by_the_table(players: int, monument: str) -> None:
    options = {"monument": monument}
    numbers = seen()
    for seed in (players,):
        rng = random.Random(seed)
        world = deal(seed, players, 0, options, catalogue=numbers)
        cards = Cards(plan(players, monument))
        for placed in world.setup():
            if placed.zone is not None:
                cards.lay(placed.zone, placed.identity)
        state = rules.start(players, 0, options, numbers)
        assert reading.differences(state, cards.seen()) == ()
        state = learn(state, cards.seen())
        unsaid: tuple[Move, ...] = ()
        asked = shown = said = 0
        while not world.over:
            intent = world.choose(rng)
            ((deeds, moves),) = intent.stages
            for deed in deeds:
                cards.do(deed)
            for move in moves:
                world.play(move)
            unsaid += moves
            if not moves and not reading.explain(state, cards.seen())[0].moves:
                state = learn(state, cards.seen())
            if not unsaid:
                assert reading.differences(state, cards.seen()) == ()
                continue
            idle = reading.idle(state)
            found = reading.explain(state, cards.seen())
            right = next((one for one in found if one.moves == unsaid), None)
            if intent.tell and idle is not None and idle.moves == unsaid:
                steps = idle.steps
                said += 1
            elif right is not None:
                assert right.refusal is None and (right is found[0] or not found[0].certain)
                asked += not found[0].certain
                shown += 1
                steps = right.steps
            else:
                assert intent.tell is not None or not moves, "what is seen must be told by the table"
                continue
            for step in steps:
                state = rules.apply(state, step)
            unsaid = ()
            state = learn(state, cards.seen())
        assert unsaid == () or not any(isinstance(move, Sell | Trade | Lose) for move in unsaid)
        assert shown > 20 and said > 10
        assert rules.score(state).totals == world.score().totals
        assert asked <= world.state.thieves + world.state.maps_gone


# What a turn may show


def test_whatever_is_seen_of_a_turn_implies_the_dig() -> None:
    state = begin()
    cards = lying(state).lay("market-1", "shard").take("market-1", "scrap")
    (found, *_) = told(state, cards)
    assert found.certain and found.steps == (Dig(0), TREASURE, Trade(0, ("shard",), ("scrap",)))
    cards = lying(state).lay(sold(0), "mask", "mask")
    assert first(state, cards) == (Dig(0), Sell(0, ("mask", "mask")))


def test_the_next_players_act_implies_the_end() -> None:
    state = begin(*DUG)
    cards = lying(state).lay(sold(1), "coin")
    assert first(state, cards) == (End(0), Dig(1), Sell(1, ("coin",)))
    cards = lying(state).lay(DISCARD, "thief")
    (found, *_) = told(state, cards)
    assert found.certain and found.moves == (End(0), Dig(1), Steal(1, 0))


def test_a_sale_by_who_comes_later_is_out_of_turn() -> None:
    state = begin(*DUG, players=4)
    (found, *_) = told(state, lying(state).lay(sold(2), "coin"))
    assert found.moves == (Sell(2, ("coin",)),) and found.refusal is not None and found.refusal.rule == "F1"


def test_a_trade_that_was_not_this_players_is_the_next_ones() -> None:
    state = begin(*DUG)
    found = told(state, lying(state).lay("market-1", "mask").take("market-1", "shard", "scrap"))
    assert found[0].certain and found[0].moves == (Trade(0, ("mask",), ("shard", "scrap")),)
    assert found[1].moves == (End(0), Dig(1), Trade(1, ("mask",), ("shard", "scrap")))


def test_a_trade_is_followed_step_by_step() -> None:
    state = begin(*DUG)
    cards = lying(state).take("market-1", "talisman")
    (found,) = told(state, cards)
    assert (found.moves, found.waiting) == ((), "Pay: worth 3")
    cards.lay("market-2", "coin")
    found = told(state, cards)[0]
    assert found.refusal is not None and found.refusal.rule == "C3" and found.again
    cards.lay("market-2", "shard")
    assert first(state, cards) == (Trade(0, ("shard", "coin"), ("talisman",)),)
    cards = lying(state).lay("market-3", "coin")
    assert told(state, cards)[0].waiting == "Take cards: worth 2"


def test_a_trade_that_falls_short_by_numbers_nobody_verified_is_asked_about() -> None:
    state = as_shipped(*DUG)
    cards = lying(state).lay("market-1", "shard").take("market-1", "coin")
    found = told(state, cards)
    assert [one.certain for one in found[:2]] == [False, False]
    assert found[0].moves == (Trade(0, ("shard",), ("coin",)),) and found[1].waiting == "Pays 1, costs 2"


def test_whom_a_thief_robs_is_asked_and_the_fullest_hand_stands_first() -> None:
    state = begin(*DUG, "Ana: end", "Ben: dig", "reveal treasure", "Ben: end", players=3)
    found = told(state, lying(state).lay(DISCARD, "thief"))
    assert not any(one.certain for one in found)
    assert [one.moves for one in found] == [(Dig(2), Steal(2, 0)), (Dig(2), Steal(2, 1))]
    state = play(state, "Cleo: dig", "reveal thief")
    assert {one.moves for one in told(state, lying(state))} == {(Steal(2, 0),), (Steal(2, 1),)}


def test_a_sandstorm_is_followed_player_by_player() -> None:
    state = begin(players=3)
    cards = lying(state).lay(DISCARD, "sandstorm")
    assert first(state, cards) == (Dig(0),)
    state = play(state, "Ana: dig", "reveal sandstorm")
    idle = reading.idle(state)
    assert idle is not None and idle.moves == (Tent(1, False),)
    cards.take(tent(2), TENT)
    assert first(state, cards) == (Tent(1, False), Tent(2, True))
    state = play(state, "Ben: tent no", "Cleo: tent yes")
    cards.lay("market-1", "coin")
    (found,) = told(state, cards)
    assert (found.moves, found.waiting) == ((), "1 more to lose")
    cards.lay("market-1", "cup")
    assert first(state, cards) == (Tent(0, False), Lose(1, ("coin", "cup")))
    state = play(state, "Ana: tent no", "Ben: lose coin, cup")
    cards.lay("market-2", "mask", "mask", "shard")
    found = told(state, cards)[0]
    assert found.refusal is not None and found.refusal.rule == "W5"


def test_cards_that_two_lost_at_once_are_shared_out_by_asking() -> None:
    state = begin("Ana: dig", "reveal sandstorm", "Ben: tent no", "Ana: tent no")
    found = told(state, lying(state).lay("market-2", "coin", "coin", "mask", "mask"))
    assert not any(one.certain for one in found)
    assert (Lose(1, ("coin", "mask")), Lose(0, ("coin", "mask"))) in [one.moves for one in found]


def test_a_sale_while_cards_are_still_to_be_lost_is_refused() -> None:
    state = begin("Ana: dig", "reveal sandstorm", "Ben: tent no", "Ana: tent no")
    found = told(state, lying(state).lay(sold(1), "coin"))[0]
    assert found.refusal is not None and found.refusal.rule == "W5"


def test_a_set_that_is_too_large_is_refused_before_it_is_taken_for_two() -> None:
    found = told(late(), lying(late()).lay(sold(0), *["talisman"] * 6))
    assert found[0].refusal is not None and found[0].refusal.rule == "L8"
    assert found[1].moves == (Sell(0, ("talisman",) * 5), Sell(0, ("talisman",)))


@pytest.mark.parametrize("more", [1, 4])
def test_cards_laid_to_a_set_of_this_turn_are_asked_about_also_when_too_many_for_one(more: int) -> None:
    state = play(late(), "Ana: sell 2 talisman")
    (found,) = told(state, lying(state).lay(sold(0), *["talisman"] * more))
    assert not found.certain and found.moves == (Sell(0, ("talisman",) * more),)
    assert told(state, lying(state).lay(sold(0), "mask"))[0].certain


# Monuments


def test_a_chamber_is_explored_when_it_is_empty_and_paid_for() -> None:
    state = begin(*DUG, "Ana: end", "Ben: dig", "reveal treasure", "Ben: end", *DUG)
    cards = lying(state).lay(DISCARD, "map", "map")
    assert told(state, cards)[0].waiting == "Take chamber 2"
    cards.take("chamber-2", BACK)
    assert first(state, cards) == (Explore(0, 2),)
    cards.take(DISCARD, "map")
    assert told(state, cards)[0].waiting == "1 map to pay"


def test_which_chamber_of_the_tomb_is_asked() -> None:
    state = begin(*DUG, monument="tomb")
    found = told(state, lying(state).lay(DISCARD, "map"))
    assert [one.moves for one in found] == [(Explore(0, 1),), (Explore(0, 2),)] and not found[0].certain


def test_the_sphinx_asks_for_two_types_before_the_cards_are_drawn() -> None:
    state = begin(*DUG, monument="sphinx")
    found = told(state, lying(state).lay(DISCARD, "map"))
    assert len(found) == 15 and not any(one.certain for one in found)
    state = play(state, "Ana: explore coin, cup")
    cards = lying(state).lay("found", "coin", "cup", "cup", "shard")
    assert learn(state, cards.seen()) == state, "five are drawn"
    after = learn(state, cards.lay("found", "mask").seen())
    assert after.laid == ("coin", "cup", "cup", "mask", "shard") or after.stage == "act"
    assert told(after, cards)[0].waiting == "Take, or put back"
    assert learn(after, cards.take("found", "coin", "cup", "cup", "shard", "mask").seen()).laid == ()


def test_what_is_drawn_in_the_mine_is_told_by_the_cards_alone() -> None:
    state = play(begin(*DUG, monument="mine"), "Ana: explore")
    cards = lying(state).lay("found", "coin")
    state = learn(state, cards.seen())
    assert state.drawn == ("coin",)
    cards.lay("found", "shard")
    assert [type(move).__name__ for move in first(state, cards)] == ["Draw"]
    after = rules.apply(rules.apply(state, told(state, cards)[0].steps[0]), told(state, cards)[0].steps[1])
    assert [type(move).__name__ for move in first(after, lying(after).take("found", "coin", "shard"))] == [
        "Stop"
    ]
    assert told(after, lying(after).take("found", "coin"))[0].waiting == "Take all, or none"


# What need not be said


def test_confirm_on_an_unchanged_table() -> None:
    state = begin()
    idle = reading.idle(state)
    assert idle is not None and idle.steps == (Dig(0), TREASURE, End(0)) and len(idle.waiting) <= 12
    idle = reading.idle(play(state, *DUG))
    assert idle is not None and idle.moves == (End(0),)
    assert reading.idle(play(state, "Ana: dig", "reveal sandstorm", "Ben: tent no", "Ana: tent no")) is None


def test_a_confirmed_set_may_go_onto_the_pile_and_discards_onto_theirs() -> None:
    state = play(
        begin(*DUG),
        "Ana: sell 2 coin",
        "Ana: sell 2 shard",
        "Ana: end",
        "Ben: dig",
        "reveal thief",
        "Ben: steal from Ana",
    )
    cards = lying(state)
    for card in ("coin", "coin"):
        cards.do(Act(card, sold(0), museum(0)))
    cards.do(Act("thief", DISCARD, SPENT))
    assert reading.differences(state, cards.seen()) == ()
    assert set(reading.reveals(state, cards.seen())) == {Cleared(0, 1), Cleared(-1, 1)}
    after = learn(state, cards.seen())
    cards.lay(DISCARD, "thief").lay(sold(0), "coin")
    assert first(after, cards)[:2] == (End(1), Dig(0)) and Sell(0, ("coin",)) in first(after, cards)


def test_half_a_set_that_is_missed_was_not_put_away() -> None:
    state = play(begin(*DUG), "Ana: sell 2 coin")
    cards = lying(state).take(sold(0), "coin").lay(museum(0), "coin")
    assert reading.reveals(state, cards.seen()) == () and told(state, cards) == ()
    assert [one.text for one in reading.differences(state, cards.seen())] == ["Coin not seen: sold 1"]


def test_a_remark_says_what_came_and_whose_turn_is_taken_to_be_over() -> None:
    assert reading.remark((Dig(0), Drawn("sandstorm")), NAMES) == "It is a Sandstorm"
    assert reading.remark((End(0), Dig(1), TREASURE, Sell(1, ("coin",))), NAMES) == "after Ana"
    assert reading.remark((Dig(0), TREASURE, Sell(0, ("coin",))), NAMES) == ""


# What is wrong with a table


@pytest.mark.parametrize(
    ("zone", "card", "text"),
    [
        ("market-1", BACK, "Face-down card: market"),
        ("market-1", "thief", "Thief lies in: market"),
        (DISCARD, "coin", "Coin lies in: discards"),
        (sold(1), "sandstorm", "Sandstorm lies in: sold 2"),
        (sold(0), BACK, "Face-down card: sold 1"),
    ],
)
def test_a_card_in_a_wrong_place_is_named_and_no_move(zone: str, card: str, text: str) -> None:
    state = begin(*DUG)
    cards = lying(state).lay(zone, card)
    assert told(state, cards) == ()
    wrong = reading.differences(state, cards.seen())
    assert text in [one.text for one in wrong]
    assert all(len(one.text) <= WIDEST and len(one.remedy) <= WIDEST for one in wrong)


def test_a_tent_that_is_gone_without_a_storm_is_a_difference() -> None:
    state = begin(*DUG)
    cards = lying(state).take(tent(1), TENT)
    assert [one.text for one in reading.differences(state, cards.seen())] == ["Tent not seen: player-2"]
    assert told(state, cards) == ()


def test_a_card_that_cannot_be_told_is_no_move_and_one_that_was_known_is_itself() -> None:
    state = begin(*DUG)
    cards = lying(state)
    assert told(state, cards, riddles={"market-1": "coin"})[0].moves == ()
    assert reading.differences(state, cards.seen(riddles={"market-1": "coin"})) == ()
    cards.lay("market-2", "mask")
    assert told(state, cards, riddles={"market-2": "mask"}) == ()
    assert (
        reading.differences(state, cards.seen(riddles={"market-2": "mask"}))[0].text == "Unread card: market"
    )
    # Two are missed and one cannot be told: which of them was taken nobody can say.
    cards = lying(state).take("market-1", "shard").lay("market-2", "cup")
    assert told(state, cards, riddles={"market-1": "coin"}) == ()


def test_a_zone_that_was_not_read_says_nothing() -> None:
    state = begin(*DUG)
    hidden = Cards(plan(2)).seen(unread=tuple(zone.name for zone in plan(2).zones))
    assert reading.differences(state, hidden) == () and reading.explain(state, hidden)[0].moves == ()


def test_the_set_up_says_what_is_missing() -> None:
    state = rules.start(2, 0, {}, seen())
    missing = [one.text for one in reading.differences(state, Table())]
    assert missing == [
        "Market: 0 cards read, 5 needed",
        "Chamber 1 not seen",
        "Chamber 2 not seen",
        "Chamber 3 not seen",
        "Tent not seen: player-1",
        "Tent not seen: player-2",
        "Dig site not seen",
    ]
    ruins = rules.start(2, 0, {"monument": "buried-ruins"}, seen())
    texts = [one.text for one in reading.differences(ruins, Table())]
    assert "Chamber 3: lay 1 card there" in texts and "Ruins pile not seen" in texts
    ready = Cards(plan(2)).lay("market-1", "coin", "coin", "cup", "mask", "shard").lay(SITE, BACK)
    for number in (1, 2, 3):
        ready.lay(f"chamber-{number}", BACK)
    for seat in (0, 1):
        ready.lay(tent(seat), TENT)
    assert reading.differences(state, ready.seen()) == ()
    assert Market(("shard", "coin", "coin", "cup", "mask")) in reading.reveals(state, ready.seen())


# The table


@pytest.mark.parametrize("monument", MONUMENTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_zone_lies_over_another_and_all_lie_on_the_table(players: int, monument: str) -> None:
    whole = plan(players, monument)
    assert whole.loose == (players > 2 or monument == "buried-ruins")
    if not whole.loose:
        assert (whole.width, whole.height) == (594.0, 420.0)
    for one in whole.zones:
        assert one.x >= 16 and one.x + one.width <= whole.width - 16
        assert one.y >= 16 and one.y + one.height <= whole.height - 16
        for other in whole.zones:
            apart = (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
            assert one is other or apart, (one.name, other.name)
    rows = [zone for zone in whole.zones if zone.name.startswith("market")]
    assert sum(map(room, rows)) >= 27
    assert all(
        room(zone) >= 6
        for zone in whole.zones
        if zone.name.startswith(("sold", "chamber")) and zone.form == "row"
    )


def test_the_mats_markers_stay_clear() -> None:
    markers = [(x, y) for x in (30.0, 297.0, 564.0) for y in (30.0, 390.0)]
    for zone in plan(2).zones:
        for x, y in markers:
            beside = zone.x >= x + 15 or zone.x + zone.width <= x - 15
            assert beside or zone.y >= y + 15 or zone.y + zone.height <= y - 15, zone.name


def test_what_is_expected_is_what_the_table_shows() -> None:
    for monument in MONUMENTS:
        state = (
            begin(*DUG, "Ana: sell 2 coin", market="")
            if monument == "none"
            else begin(monument=monument, market="reveal market shard, scrap, coin, talisman, cup")
        )
        if monument == "buried-ruins":
            state = play(state, "reveal chamber 1 coin", "reveal chamber 2 coin", "reveal chamber 3 cup")
        table = reading.expected(play(state, *DUG, "Ana: sell 2 mask"))
        assert reading.explain(play(state, *DUG, "Ana: sell 2 mask"), table)[0].moves == ()


def test_every_text_of_a_difference_fits() -> None:
    state = play(begin(*DUG, players=5), "Ana: sell 2 pendant")
    cards = lying(state)
    faces: Sequence[str] = ("talisman", "pendant", "sandstorm", BACK)
    for zone in ("market-1", sold(4), DISCARD):
        for card in faces:
            for one in reading.differences(state, Cards(cards.layout, {**cards.places, zone: [card]}).seen()):
                assert len(one.text) <= WIDEST and len(one.remedy) <= WIDEST, one
