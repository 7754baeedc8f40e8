"""Event cards of Papyrus: when one is turned up, and what each effect of the vocabulary does."""

from __future__ import annotations

import pytest

from engines.game import WrongReveal
from engines.papyrus import rules
from engines.papyrus.effects import MOVES
from engines.papyrus.events import VOCABULARY, read_effect
from engines.papyrus.state import HANDS, PILE, PapyrusState
from tests.papyri import allowed, events, listed, move, own, play, refused, sizes, start, unsure
from tests.rules import rule

TO_OASIS = (
    "Ana: move to isis paying nature",
    "Ana: decline",
    "Ben: draw",
    "Ana: move to oasis paying nature",
)


def at_oasis(*effects: str, **options: str) -> PapyrusState:
    """Ana has come to the event square; every event card has these effects."""
    state = start(catalogue=events(*effects) if effects else own(), options=options)
    return play(state, *TO_OASIS)


def turned(*effects: str, **options: str) -> PapyrusState:
    """... and has turned up the card."""
    return play(at_oasis(*effects, **options), "reveal event event")


@rule("V1", game="papyrus")
def test_an_event_card_is_due_on_an_event_square() -> None:
    state = at_oasis()
    assert state.stage == "event"
    assert {rules.format(reveal) for reveal in rules.awaited(state)} == {
        "reveal event flood",
        "reveal event sun",
        "reveal event moon",
    }
    assert rules.legal_moves(state) == () and rules.complete(state)
    assert refused(state, "Ana: draw").rule == "V1"
    assert refused(state, "Ben: draw").rule == "T2"
    assert rules.to_move(play(state, "reveal event sun")) == 1
    assert rules.awaited(start()) == ()


@rule("Y23", game="papyrus")
def test_event_cards_are_counted_and_shuffled_when_they_run_out() -> None:
    state = at_oasis()
    with pytest.raises(WrongReveal, match="no event"):
        play(state, "reveal event storm")
    with pytest.raises(WrongReveal, match="no event card is due"):
        play(start(), "reveal event sun")
    path = (
        "Ben: draw",
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Ana: move to oasis paying nature",
    )
    state = play(state, "correct hand Ana 20", "reveal event sun", *path)
    with pytest.raises(WrongReveal, match="all 1 of Sun"):
        play(state, "reveal event sun")
    state = play(
        state,
        "reveal event moon",
        *path,
        "reveal event moon",
        *path,
        "reveal event flood",
        "Ana: lose nature, water",
        *path,
    )
    assert len(state.shown) == 4
    assert play(state, "reveal event sun").shown == ("sun",), "shuffled anew"
    house = play(start(catalogue=unsure()), *TO_OASIS, "reveal event sun", "correct hand Ana 20", *path)
    assert play(house, "reveal event sun").shown == ("sun", "sun"), (
        "nobody has verified that there is only one"
    )


def test_draw() -> None:
    assert sizes(turned("draw 3 cards"), 0) == (5, 10, 3)
    assert sizes(turned("draw 2 hieroglyphs"), 0) == (2, 12, 3)
    assert sizes(turned("draw 1 god"), 0) == (2, 10, 4)
    assert sizes(turned("draw 9 gods"), 0) == (2, 10, 6), "there are no more"


def test_gain_chooses_of_what_lies_open() -> None:
    state = turned("gain 2 hieroglyphs")
    assert rules.to_move(state) == 1, "nothing lies open: nothing is gained"
    state = play(
        start(catalogue=events("gain 2 hieroglyphs")),
        "Ana: swap A from bag",
        "Ben: swap B from bag",
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: swap B from bag",
        "Ana: move to oasis paying nature",
        "reveal event event",
    )
    assert state.stage == "effect" and rules.due(state) == "gain 2 tiles"
    assert listed(state) == {"gain A, B", "gain 2 B"} and rules.complete(state)
    assert refused(state, "Ana: gain A").rule == "V1"
    assert refused(state, "Ana: gain 2 A").rule == "H2"
    assert refused(state, "Ana: draw").rule == "V1"
    assert refused(state, "Ben: gain A, B").rule == "T2"
    state = play(state, "Ana: gain A, B")
    assert state.row == ("B",) and sizes(state, 0)[1] == 12 and rules.to_move(state) == 1


def test_scarabs_are_gained_and_lost() -> None:
    assert turned("gain 2 scarabs").seats[0].scarabs == 2
    assert turned("gain 1 scarab", "lose 3 scarabs").seats[0].scarabs == 0


@rule("Y53", game="papyrus")
def test_lose_stops_at_nothing_and_points_do_not() -> None:
    state = turned("lose 5 cards")
    assert rules.due(state) == "lose 2 cards", "there are only two"
    assert refused(state, "Ana: lose water").rule == "V1"
    assert refused(state, "Ana: lose 5 water").rule == "V1"
    assert refused(state, "Ana: lose 2 A").rule == "V1"
    assert len(listed(state)) == 15 and rules.complete(state)
    lost = play(state, "Ana: lose water, eye")
    assert sizes(lost, 0)[0] == 0
    assert lost.discards == ("water", "nature", "nature", "eye")
    state = turned("lose 3 hieroglyphs")
    assert refused(state, "Ana: lose 3 Z").rule == "P6"
    lost = play(state, "Ana: lose A, 2 S")
    assert sizes(lost, 0)[1] == 7 and lost.row == ("A", "S", "S")
    assert rules.score(turned("points -7")).totals == (-7, 0)
    assert [(item.text, item.points) for item in rules.score(turned("points +4")).items[0]] == [("Events", 4)]


def test_what_cannot_be_in_the_hand_cannot_be_lost() -> None:
    cards = {"nature": 30, "water": 20, "light": 20, "dark": 0, "eye": 0}
    catalogue = own({"events": [{"name": "Event", "effects": ["lose 1 card"], "copies": 4}], "cards": cards})
    state = play(start(catalogue=catalogue), *TO_OASIS, "reveal event event")
    assert refused(state, "Ana: lose dark").rule == "P3"
    assert listed(state) == {"lose water", "lose light", "lose nature"}


def test_many_to_lose_are_not_all_listed_but_some_are() -> None:
    state = turned("lose 4 hieroglyphs")
    moves = rules.legal_moves(state)
    assert 16 <= len(moves) <= 500 and not rules.complete(state)
    assert all(rules.refusal(state, step) is None for step in moves)


def test_letters_beyond_unverified_numbers_are_doubted_when_they_are_lost() -> None:
    catalogue = unsure(
        {
            "events": [{"name": "Event", "effects": ["lose 2 hieroglyphs"], "copies": 4}],
            "letters": {**dict.fromkeys("ABDEHIKMNOPRSTU", 10), "X": 1},
            "counts.hieroglyphs": 151,
        }
    )
    state = play(start(catalogue=catalogue), *TO_OASIS, "reveal event event")
    assert allowed(state, "Ana: lose 2 X")
    doubt = rules.doubt(state, move("Ana: lose 2 X"))
    assert doubt is not None and doubt.rule == "P6"
    assert rules.doubt(state, move("Ana: lose A, X")) is None


def test_take_draws_unseen_from_another_hand() -> None:
    state = turned("take 2 cards from a player")
    assert listed(state) == {"take from Ben"}
    assert refused(state, "Ana: take from Ana").rule == "V1"
    assert refused(state, "Ana: take from Cleo").rule == "V1"
    assert refused(state, "Ana: exchange with Ben").rule == "V1"
    after = play(state, "Ana: take from Ben")
    assert (sizes(after, 0)[0], sizes(after, 1)[0]) == (4, 4)
    poor = play(
        at_oasis("take 2 cards from a player"),
        "correct hand Ben 1",
        "reveal event event",
        "Ana: take from Ben",
    )
    assert (sizes(poor, 0)[0], sizes(poor, 1)[0]) == (3, 0)
    none = play(at_oasis("take 2 hieroglyphs from a player"), "correct holder Ben 0", "reveal event event")
    assert rules.to_move(none) == 1, "nobody has any: nothing is taken"


def test_what_is_taken_blurs_what_is_known_of_both_hands() -> None:
    state = play(
        start(catalogue=events("take 1 hieroglyph from a player")),
        "Ana: swap A from bag",
        "Ben: swap B for A",
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: draw",
        "Ana: move to oasis paying nature",
    )
    assert state.hieroglyphs.known(HANDS[1]) == {"A": 1}
    after = play(state, "reveal event event", "Ana: take from Ben")
    assert after.hieroglyphs.known(HANDS[1]) == {}
    assert all(after.hieroglyphs.possible(hand, ("A",) * 9) for hand in HANDS[:2])


def test_swap_exchanges_unseen() -> None:
    state = turned("swap 3 cards with a player")
    after = play(state, "Ana: exchange with Ben")
    assert (sizes(after, 0)[0], sizes(after, 1)[0]) == (3, 5), "Ana has two to give"
    assert sum(after.cards.size(place) for place in ("between",)) == 0
    none = play(
        at_oasis("swap 1 card with a player"),
        "correct hand Ben 0",
        "correct hand Ana 0",
        "reveal event event",
    )
    assert rules.to_move(none) == 1


@rule("Y52", game="papyrus")
def test_an_event_that_moves_a_pawn_onto_a_pyramid_reaches_it() -> None:
    state = turned("move to seth")
    assert state.seats[0].place == "seth" and state.stage == "arrived"
    state = play(state, "Ana: win hapi")
    assert state.seats[0].won == ("hapi",) and rules.to_move(state) == 1
    still = turned("move to seth", event_move_reaches="no")
    assert still.seats[0].place == "seth" and rules.to_move(still) == 1
    assert turned("move to oasis").stage == "turn", "it stands there already"


def test_one_event_card_a_turn() -> None:
    state = turned("move anywhere")
    assert listed(state) == {
        f"go to {place}" for place in ("horus", "anubis", "isis", "seth", "oasis", "event-isis-seth")
    }
    assert refused(state, "Ana: go to giza").rule == "P1"
    after = play(state, "Ana: go to event-isis-seth")
    assert after.stage == "turn" and rules.to_move(after) == 1 and after.seats[0].place == "event-isis-seth"


def test_effects_happen_in_their_order_also_after_a_win() -> None:
    state = turned("move to seth", "points +2", "lose 1 card")
    assert rules.score(state).totals == (0, 0)
    state = play(state, "Ana: win imset")
    assert rules.score(state).totals == (12, 0)
    assert rules.due(state) == "lose 1 card" and rules.to_move(state) == 0
    assert rules.to_move(play(state, "Ana: lose light")) == 1


def test_skip_misses_turns() -> None:
    state = play(turned("skip 2 turns"), "Ben: draw")
    assert rules.to_move(state) == 1 and state.seats[0].skips == 1
    state = play(state, "Ben: draw")
    assert rules.to_move(state) == 1 and state.seats[0].skips == 0
    assert rules.to_move(play(state, "Ben: draw")) == 0


def test_everybody_may_have_to_skip() -> None:
    state = play(start(3), "correct skips Ben 1", "correct skips Cleo 2", "correct skips Ana 1", "Ana: draw")
    assert rules.to_move(state) == 1
    assert [seat.skips for seat in state.seats] == [0, 0, 1]


def test_as_agreed_at_the_table_is_told_by_corrections() -> None:
    state = turned("as agreed at the table")
    assert rules.to_move(state) == 1
    state = play(
        state,
        "correct hand Ben 9",
        "correct holder Ana 8",
        "correct gods Ben 2",
        "correct points Ben -3",
        "correct scarabs Ana 1",
        "correct pawn Ben seth",
    )
    assert (sizes(state, 0), sizes(state, 1)) == ((2, 8, 3), (9, 10, 2))
    assert rules.score(state).totals == (5, -3)
    assert state.seats[1].place == "seth"


def test_counts_that_agree_need_no_correction() -> None:
    state = start()
    assert (
        play(state, "reveal hand Ben 4", "reveal holder Ana 10", "reveal gods Ben 3", "reveal pawn Ana horus")
        == state
    )
    for line in ("reveal hand Ben 5", "reveal pawn Ana isis", "reveal skips Ana 1"):
        with pytest.raises(WrongReveal, match="write correct"):
            play(state, line)
    for line in ("correct hand Cleo 5", "correct pawn Ana giza"):
        with pytest.raises((WrongReveal, ValueError), match=r"no player|no place"):
            play(state, line)


def test_a_correction_keeps_all_other_hands() -> None:
    state = play(start(), "correct hand Ben 7")
    assert (sizes(state, 0)[0], sizes(state, 1)[0], state.cards.size(PILE)) == (4, 7, 102)
    assert state.cards.possible(HANDS[1], ("eye",) * 7)


@pytest.mark.parametrize("line", ["correct hand Ben 3", "correct holder Ben 9", "correct gods Ben 2"])
def test_after_a_correction_verified_numbers_still_count(line: str) -> None:
    few = {
        "cards": {"nature": 20, "water": 20, "light": 20, "dark": 20, "eye": 1},
        "letters": {**dict.fromkeys("ABDEHIKMNOPRSTU", 10), "X": 1},
        "counts.hieroglyphs": 151,
    }
    state = play(start(catalogue=own(few)), line)
    assert not state.cards.possible(HANDS[1], ("eye",) * 2)
    assert not state.hieroglyphs.possible(HANDS[1], ("X",) * 2)
    assert not state.gods.possible(HANDS[1], ("isis",) * 2)
    house = play(start(catalogue=unsure(few)), line)
    assert house.cards.possible(HANDS[1], ("eye",) * 2)
    assert house.hieroglyphs.possible(HANDS[1], ("X",) * 2)
    assert house.gods.possible(HANDS[1], ("isis",) * 2)


def test_piles_and_open_hieroglyphs_are_corrected_too() -> None:
    state = play(turned("as agreed at the table"), "Ben: swap A from bag", "Ana: swap B from bag")
    assert play(state, "reveal deck 100", "reveal bag 138", "reveal god-deck 3", "reveal open A, B") == state
    for line in ("reveal deck 101", "reveal bag 1", "reveal god-deck 0", "reveal open A", "correct open Z"):
        with pytest.raises(WrongReveal, match=r"write correct|no hieroglyph"):
            play(state, line)
    after = play(state, "correct deck 90", "correct bag 100", "correct god-deck 1")
    assert (after.cards.size(PILE), after.hieroglyphs.size(PILE), after.gods.size(PILE)) == (90, 100, 1)
    assert (sizes(after, 0), sizes(after, 1)) == (sizes(state, 0), sizes(state, 1))
    after = play(state, "correct open E, 2 X")
    assert after.row == ("E", "X", "X") and after.hieroglyphs.size(PILE) == 137
    assert allowed(after, "Ben: swap A for X") and refused(after, "Ben: swap E for A").rule == "H2"
    assert play(state, "correct open nothing").hieroglyphs.size(PILE) == 140


def test_what_came_to_lie_open_may_be_from_a_holder() -> None:
    state = play(start(), "Ana: swap A from bag", "correct holder Ben 8")
    after = play(state, "correct open 2 A, E")
    assert sizes(after, 1)[1] == 8 and after.hieroglyphs.size(PILE) == state.hieroglyphs.size(PILE)
    scarce = start(
        catalogue=own(
            {"letters": {**dict.fromkeys("ABDEHIKMNOPRSTU", 10), "X": 1}, "counts.hieroglyphs": 151}
        )
    )
    with pytest.raises(WrongReveal, match="count the open hieroglyphs again"):
        play(scarce, "correct open 2 X")
    assert play(start(catalogue=unsure()), "correct open 12 X").row == ("X",) * 12, (
        "nobody has verified the letters"
    )


def test_what_lay_open_may_be_anywhere_once_it_is_gone() -> None:
    one = own({"letters": {**dict.fromkeys("ABDEHIKMNOPRSTU", 10), "X": 1}, "counts.hieroglyphs": 151})
    state = play(start(catalogue=one), "Ana: swap X from bag")
    assert not state.hieroglyphs.possible(HANDS[1], ("X",))
    state = play(state, "correct open A")
    assert all(state.hieroglyphs.possible(place, ("X",)) for place in (*HANDS[:2], PILE))


def test_a_correction_changes_what_an_event_asks_for() -> None:
    state = play(turned("lose 2 cards"), "correct hand Ana 1")
    assert rules.due(state) == "lose 1 card"
    assert rules.to_move(play(state, "correct hand Ana 0")) == 1


def test_every_form_of_the_vocabulary_is_known_to_the_rules() -> None:
    asking = {"take": "effect", "lose": "effect", "swap": "effect", "move": "arrived"}
    verbs = set()
    for form in VOCABULARY:
        words = form.replace("PLACE", "seth").replace("N", "1")
        words = words.replace("1 cards", "1 card").replace("1 hieroglyphs", "1 hieroglyph")
        verb = read_effect(words).verb
        verbs.add(verb)
        stage = "effect" if words == "move anywhere" else asking.get(verb, "turn")
        assert turned(words).stage == stage, words
    assert verbs == {"draw", "gain", "take", "lose", "swap", "move", "skip", "points", "agreed"}
    assert set(MOVES) == {"gain", "take", "lose", "swap", "move"}
