"""Papyrus read from the table: whole games told by what lies and stands there alone, half-done acts, and what people do wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.dealing import Act
from engines.game import Explanation
from engines.papyrus import hands, reading, rules
from engines.papyrus.dealing import deal
from engines.papyrus.moves import (
    Cleared,
    Decline,
    Draw,
    EventShown,
    Form,
    Gain,
    Go,
    Lose,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.state import PapyrusState
from hardware.display.letters import SMALL
from hardware.print import faces
from tests.papyri import armed, own, play, sample, start
from tests.papyrus_table import Things, first, laid, learn

WIDEST = 21 * 2
PATH = ("water", "water", "water", "water", "light", "light")


@pytest.mark.parametrize(("players", "seeds"), [(1, 3), (2, 2), (3, 2), (5, 1)])
def test_a_whole_game_is_told_by_the_table(players: int, seeds: int) -> None:
    told = unseen = asked = 0
    for seed in range(seeds):
        rng = random.Random(seed)
        options = {"gods": "2-each"}
        world = deal(seed, players, 0, options, catalogue=sample())
        state = rules.start(players, 0, options, sample())
        things = Things.of(state)
        assert reading.differences(state, things.seen()) == () == reading.reveals(state, things.seen())
        while not world.over:
            intent = world.choose(rng)
            moves = [move for _, meant in intent.stages for move in meant]
            for deeds, _ in intent.stages:
                things.do(deeds)
            for move in moves:
                found = reading.explain(state, things.seen())
                silent = reading.idle(state)
                if len(found) > 1 and isinstance(move, TakeFrom | SwapWith):
                    asked += 1
                    assert Explanation((move,), certain=False) in found
                elif silent is not None and silent.moves == (move,):
                    unseen += 1
                    assert found[0].moves == () and found[0].waiting == ""
                else:
                    told += 1
                    assert found[0].moves == (move,) and found[0].certain and found[0].refusal is None
                state = rules.apply(state, move)
                world.play(move)
            state = learn(state, things.seen())
            if not world._todo:
                after = reading.explain(state, things.seen())
                assert reading.differences(state, things.seen()) == ()
                assert after[0].moves == () or not after[0].certain
            assert (state.seats, state.row, state.stage, state.to_move) == (
                world.state.seats,
                world.state.row,
                world.state.stage,
                world.state.to_move,
            ) or world._todo
    assert told > (5 if players == 1 else 20) and unseen > 15


def test_a_journey_is_followed_step_by_step() -> None:
    state = armed(start(2))
    things = laid(state)
    things.stand("pawn-red", "anubis")
    assert first(state, things).waiting == "Pay 4 water, 2 light"
    things.lay("played", *PATH[:3])
    (half,) = reading.explain(state, things.seen())
    assert half.refusal is not None and half.refusal.rule == "T6" and half.again
    things.lay("played", *PATH[3:])
    (found,) = reading.explain(state, things.seen())
    assert found.moves == (Travel(0, "anubis", PATH),) and found.certain
    things.stand("pawn-red", "horus")
    assert first(state, things).waiting == "Now move your pawn"


@pytest.mark.parametrize(
    ("place", "cards", "rule"),
    [
        ("anubis", ("water",) * 5 + ("light",), "T6"),
        ("anubis", (*PATH, "dark"), "T6"),
        ("anubis", (*PATH, "eye"), "Y20"),
        ("seth", ("dark",), "Y19"),
        ("isis", ("dark",), "T6"),
    ],
)
def test_a_journey_that_is_not_paid_is_refused(place: str, cards: tuple[str, ...], rule: str) -> None:
    state = armed(start(2))
    things = laid(state, *cards)
    things.stand("pawn-red", place)
    (found,) = reading.explain(state, things.seen())
    assert found.refusal is not None and found.moves[-1].player == 0
    assert found.refusal.rule in (rule, "Y20" if len(cards) > 6 else rule)


def test_cards_that_the_next_player_lays_after_an_arrival_are_waited_for() -> None:
    """No god is won, which leaves no trace; while only cards were laid nobody can tell whose they are."""
    state = play(armed(start(3)), "Ana: move to isis paying nature")
    (half,) = reading.explain(state, laid(state, "nature", "dark").seen())
    assert half.waiting == "Now move your pawn" and half.half and half.moves == ()
    things = laid(state, "dark")
    assert first(state, things) == replace(half, half=False)  # What paid the journey has been put away.
    things.stand("pawn-blue", "seth")
    (found,) = reading.explain(state, things.seen())
    assert found.moves == (Decline(0), Travel(1, "seth", ("dark",))) and found.certain
    assert found.refusal is not None and found.refusal.rule == "Y19"
    # Where an event is due nobody goes on before it lies open.
    state = play(
        armed(start(2)),
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Ana: move to oasis paying nature",
    )
    assert state.stage == "event"
    assert first(state, laid(state, "nature", "dark")).waiting == "Turn up the event"
    assert first(state, laid(state, "nature")).waiting == ""


def test_what_was_played_before_is_not_paid_twice() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature", "Ana: decline")
    things = laid(state, "nature")
    assert (
        reading.explain(state, things.seen())[0].moves == ()
        and reading.differences(state, things.seen()) == ()
    )
    things.stand("pawn-blue", "isis")
    assert first(state, things).steps == (Cleared("played"), Travel(1, "isis", ("nature",)))
    assert not first(state, things).certain
    things.lay("played", "nature")
    assert first(state, things).moves == (Travel(1, "isis", ("nature",)),)
    things.zones.pop("played")
    things.stand("pawn-blue", "horus")
    assert reading.reveals(state, things.seen()) == (Cleared("played"),)
    assert reading.reveals(state, things.seen("played")) == ()


def test_the_next_player_says_that_no_god_was_won() -> None:
    state = play(armed(start(3)), "Ana: move to isis paying nature")
    assert state.stage == "arrived"
    silent = reading.idle(state)
    assert silent is not None and silent.moves == (Decline(0),)
    things = laid(state)
    things.lay("open", "A")
    (found,) = reading.explain(state, things.seen())
    assert found.moves == (Decline(0), Swap(1, "A")) and found.certain
    # Nobody but the next can be meant: a third player was too quick, or two have drawn.
    things = laid(state, "nature")
    things.stand("pawn-yellow", "isis")
    offered = reading.explain(state, things.seen())
    assert not any(one.certain for one in offered)
    assert offered[0].moves == (Decline(0), Draw(1), Travel(2, "isis", ("nature",)))
    assert offered[-1].refusal is not None and offered[-1].refusal.rule == "T2"


def test_a_change_that_fits_only_the_next_player_asks_whether_the_last_one_is_done() -> None:
    state = armed(start(2))
    things = laid(state, "nature")
    things.stand("pawn-blue", "isis")
    offered = reading.explain(state, things.seen())
    assert [one.certain for one in offered] == [False, False]
    assert offered[0].moves == (Draw(0), Travel(1, "isis", ("nature",))) and offered[0].refusal is None
    assert offered[1].refusal is not None and offered[1].refusal.rule == "T2"
    # Who arrives and does not win has no second turn.
    state = play(state, "Ana: move to isis paying nature")
    things = laid(state, "nature", "nature")
    things.stand("pawn-red", "horus")
    refused = [one.refusal for one in reading.explain(state, things.seen()) if one.refusal]
    assert [one.rule for one in refused] == ["T2"]


def test_hieroglyphs_are_swapped_by_the_player_to_move_or_after_all_by_the_next() -> None:
    state = play(start(2), "Ana: swap A from bag")
    things = laid(state)
    things.lay("open", "B")
    offered = reading.explain(state, things.seen())
    assert offered[0].moves == (Swap(1, "B"),) and offered[0].certain
    assert offered[1].moves == (Draw(1), Swap(0, "B")) and not offered[1].certain
    things.zones["open"].remove(("A", ""))
    assert first(state, things).moves == (Swap(1, "B", "A"),)
    # Two turns between two looks: whose is which is asked.
    things.lay("open", "D")
    assert {one.moves for one in reading.explain(state, things.seen())} > {
        (Swap(1, "B", "A"), Swap(0, "D")),
        (Swap(1, "D"), Swap(0, "B", "A")),
    }
    # Taken, but nothing paid: no move, and it is named.
    things = laid(state)
    things.zones["open"].clear()
    assert reading.explain(state, things.seen()) == ()
    assert reading.differences(state, things.seen())[0].text == "A gone: open signs"


def test_a_god_is_won_step_by_step() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    things.lay("name", "I")
    assert first(state, things).waiting == "Show the god card"
    things.lay("god", "isis")
    assert first(state, things).waiting == "Lay I, S, S"
    things.lay("name", "S", "S", "I")
    assert first(state, things).waiting == "Pyramid on Isis"
    things.lay("board", "pyramid-red", square="isis")
    assert first(state, things).moves and not first(state, things).certain
    things.lay("scroll-1", "scarab")
    (found,) = reading.explain(state, things.seen())
    assert found.moves == (Win(0, "isis"),) and found.certain
    state = rules.apply(state, Win(0, "isis"))
    assert reading.differences(state, things.seen()) == () and first(state, things).moves == ()
    things.zones.pop("name")
    assert Cleared("name") not in reading.reveals(state, things.seen())
    things.zones.pop("god")
    assert Cleared("name") in reading.reveals(state, things.seen())


def test_a_scorekeeper_that_stands_elsewhere_is_told_and_moves_nothing() -> None:
    places = ["horus 90 85", "isis 190 85", "track-0 20 300", "track-9 380 300"]
    board = own({"map.width": 400.0, "map.height": 320.0, "map.squares": places})
    state = play(armed(rules.start(2, 0, {}, board)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    assert reading.hint(state, things.seen()) == "" == reading.hint(start(2), laid(start(2)).seen())
    for colour in ("red", "blue"):
        things.kinds[f"scorekeeper-{colour}"] = "scorekeeper"
        things.lay("board", f"scorekeeper-{colour}", square="track-0")
    before = reading.explain(state, things.seen())
    assert reading.hint(state, things.seen()) == "" and before[0].moves == ()
    assert reading.differences(state, things.seen()) == ()
    won = rules.apply(state, Win(0, "isis"))
    assert reading.hint(won, things.seen()) == "Red marker: to 4"
    # Past the end of the track it goes on from its beginning; a marker that cannot be told says nothing.
    rich = replace(won, seats=(replace(won.seats[0], points=13), *won.seats[1:]))
    assert reading.hint(rich, things.seen()) == "Red marker: to 7"
    things.zones["board"].remove(("scorekeeper-red", "track-0"))
    things.lay("board", "?", "pawn-red", square="track-5")
    assert reading.hint(won, things.seen("board")) == ""
    assert reading.explain(state, things.seen()) == before, "a pawn is not looked for on the track"


@pytest.mark.parametrize(
    ("cards", "letters", "square", "rule"),
    [
        (("isis",), "ISIT", "isis", "Y26"),
        (("isis",), "ISISS", "isis", "Y26"),
        (("seth",), "SETH", "isis", "O2"),
        (("isis", "amon-ra"), "ISIS", "isis", "Y28"),
    ],
)
def test_a_god_that_is_not_won_is_refused(
    cards: tuple[str, ...], letters: str, square: str, rule: str
) -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature")
    things = laid(state, "nature")
    things.lay("god", *cards)
    things.lay("name", *letters)
    things.lay("board", "pyramid-red", square=square)
    (found,) = reading.explain(state, things.seen())
    assert found.refusal is not None and found.refusal.rule == rule
    assert all(len(text) <= WIDEST for text in (found.refusal.text, found.refusal.remedy))


def test_nobody_wins_where_the_pawn_stands_already() -> None:
    state = start(2)
    things = laid(state)
    things.lay("god", "horus")
    things.lay("name", *"HORUS")
    assert first(state, things).waiting == "Now move your pawn"
    things.lay("board", "pyramid-red", square="horus")
    assert [one.refusal.rule for one in reading.explain(state, things.seen()) if one.refusal] == ["Y24"]


def event(*effects: str, players: int = 2) -> PapyrusState:
    """Ana stands on an event square, and the card has been turned up."""
    state = armed(
        start(players, catalogue=own({"events": [{"name": "Event", "effects": list(effects), "copies": 4}]}))
    )
    return play(
        state,
        "Ana: move to isis paying nature",
        "Ana: decline",
        *_round(players),
        "Ana: move to oasis paying nature",
        "reveal event event",
    )


def _round(players: int) -> list[str]:
    return [f"{name}: swap A from bag" for name in ("Ben", "Cleo", "Dan")[: players - 1]]


def test_an_event_is_shown_and_one_like_it_again() -> None:
    state = armed(start(2))
    state = play(
        state,
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Ana: move to oasis paying nature",
    )
    things = laid(state, "nature")
    assert state.stage == "event" and reading.reveals(state, things.seen())[-1:] != (EventShown("sun"),)
    things.lay("event", "sun")
    assert EventShown("sun") in reading.reveals(state, things.seen())
    state = learn(state, things.seen())
    assert state.stage == "turn" and reading.reveals(state, things.seen()) == ()
    # Before the card is turned up nobody goes on.
    waits = play(
        armed(start(2)),
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Ana: move to oasis paying nature",
    )
    things = laid(waits, "nature", "nature")
    things.stand("pawn-blue", "isis")
    (found,) = reading.explain(waits, things.seen())
    assert found.refusal is not None and found.refusal.rule == "V1"


def test_an_event_that_moves_the_pawn_waits_for_the_hand() -> None:
    state = event("move to seth")
    assert state.seats[0].place == "seth" and state.astray == ((0, "oasis"),)
    things = laid(state)
    things.stand("pawn-red", "oasis")
    things.lay("event", "event")
    assert first(state, things).waiting == "Red pawn: Seth"
    assert reading.differences(state, things.seen())[0].remedy == "Set it on Seth"
    things.stand("pawn-red", "seth")
    state = learn(state, things.seen())
    assert state.astray == () and first(state, things).waiting == ""


def test_an_event_card_that_sets_the_pawn_on_is_read_with_the_journey() -> None:
    numbers = own({"events": [{"name": "Event", "effects": ["move to seth"], "copies": 4}]})
    state = armed(start(2, catalogue=numbers), "Ana: move to isis paying nature", "Ana: decline", "Ben: draw")
    things = laid(state, "nature", "nature")
    things.stand("pawn-red", "seth")
    things.lay("event", "event")
    found = first(state, things)
    assert found.steps == (Travel(0, "oasis", ("nature",)), EventShown("event"))
    assert (
        found.certain
        and rules.apply(rules.apply(state, found.steps[0]), found.steps[1]).seats[0].place == "seth"
    )


def test_what_an_event_asks_for_is_read_or_asked() -> None:
    lose = event("lose 2 cards")
    things = laid(lose, "nature", "dark")
    things.zones["played"] = [("nature", "")] * 2
    assert first(lose, things).moves == ()
    things.lay("played", "dark")
    assert first(lose, things).waiting == "Lay 1 more"
    things.lay("played", "water")
    assert first(lose, things).moves == (Lose(0, ("water", "dark")),)
    things.lay("played", "water")
    assert [one.refusal.rule for one in reading.explain(lose, things.seen()) if one.refusal] == ["V1"]

    gain = event("gain 1 hieroglyph")
    things = laid(gain)
    things.zones["open"].clear()
    assert first(gain, things).moves == (Gain(0, ("A",)),)

    anywhere = event("move anywhere")
    things = laid(anywhere)
    assert reading.idle(anywhere).moves == (Go(0, "oasis"),)  # type: ignore[union-attr]
    things.stand("pawn-red", "seth")
    assert first(anywhere, things).moves == (Go(0, "seth"),)

    two, three = event("take 1 card from a player"), event("swap 1 card with a player", players=3)
    assert reading.idle(two).moves == (TakeFrom(0, 1),)  # type: ignore[union-attr]
    assert reading.explain(two, laid(two).seen())[0].moves == ()
    assert reading.idle(three) is None
    offered = reading.explain(three, laid(three).seen())
    assert [one.moves for one in offered] == [(SwapWith(0, 1),), (SwapWith(0, 2),)]
    assert not any(one.certain for one in offered)


def test_alone_a_name_is_formed_and_what_is_bought_is_said() -> None:
    state = play(start(1, gods="8"), *["Ana: buy"] * 6)
    silent = reading.idle(state)
    assert silent is not None and [type(move).__name__ for move in silent.moves] == ["Buy"]
    things = laid(state)
    things.lay("god", "isis")
    things.lay("name", *"ISIS")
    assert first(state, things).moves and not first(state, things).certain
    things.lay("scroll-1", "scarab")
    assert first(state, things).moves == (Form(0, "isis"),)
    things.lay("name", "T")
    assert first(state, things).refusal is not None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda things: things.stand("pawn-blue", ""), "Blue pawn stands on no place"),
        (lambda things: things.zones["board"].remove(("pawn-blue", "horus")), "Blue pawn not seen"),
        (lambda things: things.lay("board", "pyramid-blue", square=""), "Blue pyramid on no place"),
        (lambda things: things.zones["board"].remove(("pyramid-red", "isis")), "Red pyramid not seen"),
        (lambda things: things.lay("open", "?"), "Unread piece: open signs"),
        (lambda things: things.lay("played", "back"), "Face-down card: played cards"),
        (lambda things: things.lay("scroll-2", "scarab"), "Scroll 2: 1 too many"),
    ],
)
def test_what_lies_or_stands_wrong_is_named(change: object, text: str) -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature", "correct holder Ana 40", "Ana: win isis")
    things = laid(state)
    assert reading.differences(state, things.seen()) == ()
    change(things)  # type: ignore[operator]
    wrong = reading.differences(state, things.seen())
    assert text in [one.text for one in wrong]
    assert all(len(one.text) <= WIDEST and len(one.remedy) <= WIDEST for one in wrong)
    board = ("board", "open", "played", "scroll-1", "scroll-2")
    assert reading.differences(state, things.seen(*board)) == ()


def test_the_set_up_says_which_deck_is_missing_and_where_pawns_stand() -> None:
    state = start(2)
    things = Things.of(state)
    assert reading.differences(state, things.seen()) == ()
    things.zones = {"board": [("pawn-red", "isis")], "gods": [("isis", "")]}
    assert [one.text for one in reading.differences(state, things.seen())] == [
        "Movement deck not seen",
        "God deck lies face up",
        "Event deck not seen",
        "Blue pawn not seen",
        "Red pawn is on Isis",
    ]


def test_what_is_expected_is_what_the_table_shows() -> None:
    state = play(armed(start(2)), "Ana: move to isis paying nature", "correct holder Ana 40", "Ana: win isis")
    wanted = reading.expected(state)
    assert reading.differences(state, wanted) == () and reading.explain(state, wanted)[0].moves == ()
    assert reading.differences(start(1, gods="8"), reading.expected(start(1, gods="8"))) == ()


def test_what_a_button_means_fits_the_display() -> None:
    states = [start(2), start(1, gods="8"), event("move anywhere"), event("take 1 card from a player")]
    for state in states:
        silent = reading.idle(state)
        assert silent is not None and 0 < len(silent.waiting) <= 12
        assert SMALL.width(f"CONFIRM: {silent.waiting}", 1) <= 126
    assert reading.idle(event("lose 2 cards")) is None


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_the_table_has_room_and_the_faces_that_are_printed(players: int) -> None:
    layout = reading.layout(players, {}, sample())
    assert layout.loose == (players > 1)
    for one in layout.zones:
        assert one.x >= 0 and one.y >= 0
        assert one.x + one.width <= layout.width and one.y + one.height <= layout.height
        for other in layout.zones:
            apart = (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
            assert one is other or apart, (one.name, other.name)
    if players > 1:
        board = layout.zone("board")
        start_square = board.square("horus")
        assert board.holds(start_square.x, start_square.y)
    printed = faces.faces("papyrus", sample())
    for face in layout.faces:
        drawing, kind = printed[face.identity].drawing, layout.kind(face.kind)
        assert (drawing.width, drawing.height) == (kind.width, kind.height)


def test_a_hand_puts_back_what_it_did_wrong() -> None:
    state = start(2)
    things = laid(state)
    before = sorted(things.zones["board"])
    deeds = [one for one in hands.win(state.numbers, 0, "isis", "isis") if isinstance(one, Act)]
    things.do(deeds)
    things.do(hands.backwards(deeds))
    assert sorted(things.zones["board"]) == before
    assert not any(things.zones.get(zone) for zone in ("god", "name", "scroll-1"))
