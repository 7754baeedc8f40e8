"""Ankh read from the table: whole games told by what lies there alone, and what people do wrong with cards."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from engines.ankh import reading, rules
from engines.ankh.cards import is_papyrus
from engines.ankh.dealing import AnkhDeal, deal
from engines.ankh.game import ANKH
from engines.ankh.moves import SACRIFICE, FirstPapyrus, Play, Sacrifice
from engines.ankh.state import AnkhState
from engines.ankh.zones import BACK, DISCARD, PAPYRI, PILE, SACRIFICED, row
from engines.game import Move, Reveal
from engines.referee import Match
from engines.table import Piece, Table
from firmware import chain
from tests.ankh_table import YGBR5, go, table

WIDEST = 21 * 2


@dataclass
class Cards:
    """The cards on the table as people lay them; it knows no rules."""

    places: dict[str, list[str]] = field(default_factory=dict)

    def lay(self, zone: str, *cards: str) -> None:
        self.places.setdefault(zone, []).extend(cards)

    def clear(self, zone: str) -> None:
        self.lay(DISCARD, *self.places.pop(zone, []))

    def seen(self, *, unread: tuple[str, ...] = ()) -> Table:
        """What a perfect reader makes of it: of a pile only the top."""
        pieces: list[Piece] = []
        for zone, cards in self.places.items():
            shown = cards[-1:] if zone in (PAPYRI, DISCARD, PILE) else cards
            pieces += [Piece((card,), "card", zone, float(at), 0.0) for at, card in enumerate(shown)]
        return Table(tuple(pieces), unread)


def laid(world: AnkhDeal) -> Cards:
    cards = Cards()
    cards.lay(PAPYRI, *world.papyri)
    cards.lay(PILE, BACK)
    return cards


def do(cards: Cards, move: Move) -> None:
    match move:
        case Play(player=player, card=card):
            cards.lay(PAPYRI if is_papyrus(card) else row(player), card)
        case Sacrifice(cards=names, unseen=unseen):
            cards.lay(SACRIFICED, *names, *(BACK,) * unseen)


def learn(state: AnkhState, seen: Table) -> AnkhState:
    for fact in reading.reveals(state, seen):
        state = rules.apply(state, fact)
    return state


def tidy(cards: Cards, world: AnkhDeal, rng: random.Random, facts: tuple[Reveal, ...]) -> None:
    """What people put away after a turn: rows after a scoring always, sacrifices when they feel like it."""
    if not any(world.rows):
        for seat in range(len(world.rows)):
            cards.clear(row(seat))
    if rng.random() < 0.5 or not world.discard:
        cards.clear(SACRIFICED)
    if not world.discard and not world.unseen:
        cards.places.pop(DISCARD, None)
    cards.places[PAPYRI] = cards.places[PAPYRI][-1:]
    cards.places[PILE] = [BACK] if world.pile else []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("sacrifices", ["open", "hidden"])
def test_a_whole_game_is_told_by_the_table(players: int, sacrifices: str) -> None:
    right = asked = moves = 0
    for seed in range(6):
        rng = random.Random(seed)
        world = deal(seed, players, 0, {"sacrifices": sacrifices})
        cards = laid(world)
        state = learn(rules.start(players, 0, {"sacrifices": sacrifices}), cards.seen())
        while not world.over:
            move = world.pick(rng)
            twin = isinstance(move, Play) and is_papyrus(move.card) and move.card == state.papyri[-1]
            do(cards, move)
            found = reading.explain(state, cards.seen())
            facts = world.play(move)
            if not twin:
                moves += 1
                right += found[0].moves == (move,)
                # On top of a sacrifice that nobody put away, cards may belong to that one: it is asked.
                joins = isinstance(move, Sacrifice) and bool(state.lying and state.lying[SACRIFICE])
                asked += found[0].certain == joins
                assert found[0].refusal is None and move in found[0].moves
            state = rules.apply(state, move)
            tidy(cards, world, rng, facts)
            state = learn(state, cards.seen())
            assert reading.differences(state, cards.seen()) == ()
            after = reading.explain(state, cards.seen())
            assert after[0].moves == () and after[0].waiting == ""
            assert (state.rows, state.totals, state.hands, state.pile) == (
                world.state.rows,
                world.state.totals,
                world.state.hands,
                world.state.pile,
            )
    assert right == moves > 100 and asked == 0


def test_two_turns_between_two_looks_are_told_in_order() -> None:
    state = table("play green-4", "play red-1")
    cards = Cards({PAPYRI: [YGBR5], row(0): ["green-4"], row(1): ["red-1"], row(2): ["blue-2"]})
    cards.lay(row(0), "green-1")
    (found,) = reading.explain(state, cards.seen())
    assert found.moves == (Play(2, "blue-2"), Play(0, "green-1")) and found.certain


def test_who_of_two_did_what_is_asked_when_the_table_cannot_say() -> None:
    state = table()
    other = "blue-red-yellow-green-3"
    cards = Cards({PAPYRI: [YGBR5, other], SACRIFICED: ["green-1"]})
    found = reading.explain(state, cards.seen())
    assert not found[0].certain
    assert {one.moves for one in found} == {
        (Play(0, other), Sacrifice(1, ("green-1",))),
        (Sacrifice(0, ("green-1",)), Play(1, other)),
    }


def test_a_turn_out_of_order_is_refused_by_the_rule_of_turns() -> None:
    state = table("play green-4")
    cards = Cards({PAPYRI: [YGBR5], row(0): ["green-4", "green-1"]})
    (found,) = reading.explain(state, cards.seen())
    assert found.moves == (Play(0, "green-1"),) and found.refusal is not None and found.refusal.rule == "G4"


def test_two_cards_in_one_turn_are_one_legal_and_one_refused() -> None:
    state = table()
    cards = Cards({PAPYRI: [YGBR5], row(0): ["green-4", "green-1"]})
    found = reading.explain(state, cards.seen())
    assert all(one.refusal is not None and one.refusal.rule == "G4" and len(one.moves) == 2 for one in found)


def test_five_sacrificed_cards_are_refused() -> None:
    cards = Cards({PAPYRI: [YGBR5], SACRIFICED: ["green-1", "green-2", "red-1", "red-2", "red-3"]})
    (found,) = reading.explain(table(), cards.seen())
    assert found.refusal is not None and found.refusal.rule == "D1"


def test_after_a_scoring_the_rows_are_cleared_first_and_stay_counted_once() -> None:
    state = table("play yellow-4", players=2, papyrus="yellow-green-blue-red-3")
    cards = Cards({PAPYRI: ["yellow-green-blue-red-3"], row(0): ["yellow-4"]})
    for line, seat, card in (
        ("play red-1", 1, "red-1"),
        ("play green-3", 0, "green-3"),
        ("play red-2", 1, "red-2"),
    ):
        state = go(state, line)
        cards.lay(row(seat), card)
    cards.lay(row(0), "green-1")
    (found,) = reading.explain(state, cards.seen())
    assert found.moves == (Play(0, "green-1"),)
    state = go(state, "play green-1")
    assert state.written and reading.explain(state, cards.seen())[0].waiting
    # The next player lays a card like one that still lies there, before the rows are cleared.
    cards.lay(row(1), "red-1")
    assert reading.explain(state, cards.seen())[0].moves == (Play(1, "red-1"),)
    cards.places[row(1)].pop()
    cards.clear(row(0))
    state = learn(state, cards.seen())
    assert reading.explain(state, cards.seen())[0].waiting
    cards.clear(row(1))
    state = learn(state, cards.seen())
    assert state.lying == () and reading.explain(state, cards.seen())[0].waiting == ""


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ({row(0): ["green-4"], row(1): ["red-1"], PAPYRI: [YGBR5, "blue-1"]}, "Blue 1 lies on the papyri"),
        ({row(0): [], row(1): ["red-1", "green-4"], PAPYRI: [YGBR5]}, "Green 4 lies in row 2"),
        (
            {row(0): ["green-4", "blue-red-yellow-green-3"], row(1): ["red-1"], PAPYRI: [YGBR5]},
            "BRYG 3 lies in row 1",
        ),
        ({row(0): ["green-4", BACK], row(1): ["red-1"], PAPYRI: [YGBR5]}, "Face-down card: row 1"),
        ({row(0): ["green-4"], row(1): [], PAPYRI: [YGBR5]}, "Red 1 not seen: row 2"),
        ({row(0): ["green-4"], row(1): ["red-1"]}, "No papyrus seen in the middle"),
    ],
)
def test_a_card_in_a_wrong_place_is_named_and_no_move(places: dict[str, list[str]], text: str) -> None:
    state = table("play green-4", "play red-1")
    seen = Cards(places).seen()
    assert reading.explain(state, seen) == ()
    wrong = reading.differences(state, seen)
    assert text in [one.text for one in wrong]
    assert all(len(one.text) <= WIDEST and len(one.remedy) <= WIDEST for one in wrong)


def test_a_card_that_cannot_be_told_is_no_move_and_one_that_is_missed_neither() -> None:
    state = table("play green-4", "play red-1")
    seen = Cards({PAPYRI: [YGBR5], row(0): ["green-4"], row(1): ["red-1"]}).seen()
    riddle = Piece((), "card", row(0), 9.0, 9.0)
    found = Table((*seen.pieces, riddle))
    assert reading.explain(state, found) == ()
    assert reading.differences(state, found)[0].text == "Unread card: row 1"
    # One that was known and cannot be told now is taken to be itself.
    hidden = Table(tuple(riddle if piece.identities == ("green-4",) else piece for piece in seen.pieces))
    assert reading.explain(state, hidden)[0].moves == () and reading.differences(state, hidden) == ()
    # A zone that was not read says nothing.
    assert reading.differences(state, Cards({PAPYRI: [YGBR5]}).seen(unread=(row(0), row(1)))) == ()


def test_the_set_up_says_what_is_missing() -> None:
    state = rules.start(3, 0, {})
    missing = [one.text for one in reading.differences(state, Table())]
    assert missing == ["No papyrus in the middle", "Draw pile not seen"]
    ready = Cards({PAPYRI: [YGBR5], PILE: [BACK]}).seen()
    assert reading.differences(state, ready) == ()
    assert learn(state, ready).papyri == (YGBR5,)


def test_what_is_expected_is_what_the_table_shows() -> None:
    state = table("play green-4", "play red-1")
    wanted = reading.expected(state)
    assert reading.differences(state, wanted) == () and reading.explain(state, wanted)[0].moves == ()


def test_the_mat_has_room_for_every_player_and_no_zone_over_another() -> None:
    for players in (2, 3, 4, 5):
        zones = reading.layout(players, {}).zones
        assert len([zone for zone in zones if zone.name.startswith("row-")]) == players
        for one in zones:
            assert one.x >= 16 and one.x + one.width <= 578 and one.y >= 52 and one.y + one.height <= 368
            for other in zones:
                apart = (
                    one.x + one.width <= other.x
                    or other.x + other.width <= one.x
                    or one.y + one.height <= other.y
                    or other.y + other.height <= one.y
                )
                assert one is other or apart


def test_a_card_whose_strip_could_be_one_of_two_is_asked_and_then_known() -> None:
    """Of a fanned papyrus only the upper edge shows: which it is, is asked; once it is said, the table agrees with the record."""
    state = table(players=2)
    two = ("red-green-yellow-blue-5", "red-yellow-green-blue-3")
    cards = laid_for(state)
    cards.lay(SACRIFICED, "red-2")
    seen = cards.seen()
    doubtful = Piece(two, "card", SACRIFICED, 1.0, 0.0)
    seen = Table((*seen.pieces, doubtful), ())
    found = reading.explain(state, seen)
    assert {one.moves for one in found} == {(Sacrifice(0, ("red-2", card)),) for card in two}
    assert not any(one.certain or one.refusal for one in found)
    assert {rules.phrase(one.moves[0])[1] for one in found} == {"R2 RGYB5", "R2 RYGB3"}
    after = rules.apply(state, found[1].moves[0])
    assert reading.differences(after, seen) == ()
    assert reading.explain(after, seen)[0].moves == ()


def test_a_strip_is_taken_for_the_card_that_the_record_has_there() -> None:
    state = table("play green-4", players=2)
    cards = laid_for(state)
    seen = cards.seen()
    strip = Piece(("green-4", "green-5"), "card", row(0), 0.0, 0.0)
    seen = Table((*(piece for piece in seen.pieces if piece.zone != row(0)), strip), ())
    assert reading.differences(state, seen) == ()
    assert reading.explain(state, seen)[0].moves == ()


def laid_for(state: AnkhState) -> Cards:
    cards = Cards()
    for seat, lying in enumerate(state.rows):
        cards.lay(row(seat), *lying)
    cards.lay(PAPYRI, *state.papyri)
    cards.lay(PILE, BACK)
    return cards


def test_a_card_laid_to_a_sacrifice_belongs_to_it() -> None:
    """A look between two cards of one sacrifice must not make two moves of it."""
    match = Match.begin(ANKH, ("Ana", "Ben"), 0, steps=(FirstPapyrus(YGBR5),))
    cards = laid_for(match.state)
    cards.lay(SACRIFICED, "red-3", "red-5")
    half = chain.find(match, (), cards.seen(), frozenset())
    assert [move for one in half.links for move in one.moves] == [Sacrifice(0, ("red-3", "red-5"))]
    cards.lay(SACRIFICED, "yellow-3")
    whole = chain.find(match, half.links, cards.seen(), frozenset())
    assert [move for one in whole.links for move in one.moves] == [
        Sacrifice(0, ("red-3", "red-5", "yellow-3"))
    ]


def test_a_card_laid_out_of_turn_after_rows_were_cleared_is_no_legal_move() -> None:
    """The play that brought the scoring waits for CONFIRM; the rows are cleared, and somebody lays a card who has had the turn."""
    steps: list[Move | Reveal] = [FirstPapyrus("green-blue-yellow-red-3")]
    steps += [Play(0, "green-2"), Play(1, "red-1"), Play(0, "green-3"), Play(1, "red-2")]
    match = Match.begin(ANKH, ("Ana", "Ben"), 0, steps=steps)
    cards = laid_for(match.state)
    cards.lay(row(0), "green-4")
    played = chain.find(match, (), cards.seen(), frozenset())
    assert [move for one in played.links for move in one.moves] == [Play(0, "green-4")]
    for seat in range(2):
        cards.clear(row(seat))
    cleared = chain.find(match, played.links, cards.seen(), frozenset())
    cards.lay(row(0), "blue-2")
    found = chain.find(match, cleared.links, cards.seen(), frozenset())
    assert found.kind == "illegal" and found.move == Play(0, "blue-2") and found.refusal is not None
    assert found.refusal.rule == "G4"


def test_a_sacrifice_that_was_put_away_is_not_undone_by_the_next_card() -> None:
    """The sacrifice waits for CONFIRM; its cards go to the discard pile, and the same player lays a card as well."""
    match = Match.begin(ANKH, ("Ana", "Ben"), 0, steps=(FirstPapyrus(YGBR5),))
    cards = laid_for(match.state)
    cards.lay(SACRIFICED, "red-3", "red-5")
    found = chain.find(match, (), cards.seen(), frozenset())
    cards.clear(SACRIFICED)
    found = chain.find(match, found.links, cards.seen(), frozenset())
    assert [one.faded for one in found.links] == [True]
    cards.lay(row(0), "blue-2")
    seen = cards.seen()
    found = chain.find(match, found.links, seen, frozenset())
    assert found.kind == "illegal" and found.move == Play(0, "blue-2") and found.refusal is not None
    assert found.refusal.rule == "G4"
    assert [one.move for one in found.links] == [Sacrifice(0, ("red-3", "red-5"))]


def test_a_card_that_was_taken_back_has_not_faded() -> None:
    match = Match.begin(ANKH, ("Ana", "Ben"), 0, steps=(FirstPapyrus(YGBR5),))
    cards = laid_for(match.state)
    cards.lay(row(0), "green-4")
    found = chain.find(match, (), cards.seen(), frozenset())
    found = chain.find(match, found.links, cards.seen(), frozenset())
    assert [one.faded for one in found.links] == [False]
    cards.clear(row(0))
    cards.lay(row(0), "blue-2")
    found = chain.find(match, found.links, cards.seen(), frozenset())
    assert found.kind == "fits" and [one.move for one in found.links] == [Play(0, "blue-2")]


def test_where_a_papyrus_may_lie_below_another_nobody_is_accused_of_a_turn_out_of_order() -> None:
    """Nobody saw the table for four turns: Ana, Ben's papyrus, Cleo's on top of it, Ana again. Who began is asked."""
    match = Match.begin(ANKH, ("Ana", "Ben", "Cleo"), 0, steps=(FirstPapyrus(YGBR5),))
    cards = laid_for(match.state)
    cards.lay(row(0), "green-2", "green-5")
    cards.clear(PAPYRI)
    cards.lay(PAPYRI, "red-green-blue-yellow-4")
    found = chain.find(match, (), cards.seen(), frozenset())
    assert found.kind == "ask"
    assert {one.moves for one in found.choices} >= {(Play(0, "green-2"),), (Play(0, "green-5"),)}
    match = match.accept(Play(0, "green-2")).accept(Play(1, "blue-green-red-yellow-4"))
    found = chain.find(match, (), cards.seen(), frozenset())
    assert found.kind == "fits"
    assert [one.move for one in found.links] == [Play(2, "red-green-blue-yellow-4"), Play(0, "green-5")]
