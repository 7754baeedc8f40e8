"""What nobody can hold, by all that lies open and was shuffled; corrections by the players."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines.ankh import knowledge, rules
from engines.ankh.cards import MUMMIES, any_papyri
from engines.ankh.dealing import AnkhDeal, deal
from engines.ankh.moves import FirstPapyrus, HandCount
from engines.catalogue import override, shipped
from engines.game import Reveal, WrongReveal
from tests.ankh_table import FILLER, accepted, go, refused, table, verified
from tests.rules import rule
from tests.spaces.ankh import conserved

HIGH = "yellow-green-blue-red-9"
PAPYRUS = "sacrifice red-blue-green-yellow-4"


@rule("P1", "P2", "K2", game="ankh")
def test_the_printed_totals_count_even_where_the_faces_are_unknown() -> None:
    state = table(*[PAPYRUS] * 17, papyrus=HIGH)
    refusal = refused(state, "play red-green-blue-yellow-3")
    assert (refusal.rule, refusal.text) == ("P2", "There are only 18 papyri")
    assert accepted(state, "play green-5")
    mummies = table(*[FILLER] * 71, papyrus=HIGH)
    assert refused(mummies, "sacrifice 2 blue-5").rule == "P1"
    assert accepted(mummies, "sacrifice blue-5, blue-green-yellow-red-3")


@rule("G2", game="ankh")
def test_what_was_shuffled_is_known_to_be_all_there_is() -> None:
    """Eighty mummies cannot be: so 72 red ones at most, and after the shuffle hands hold just what was seen."""
    state = table(*["sacrifice 4 red-1"] * 17, players=2, papyrus=HIGH)
    assert state.pile == 81 - 68
    state = go(state, "sacrifice 4 red-2", PAPYRUS, *[PAPYRUS] * 8)
    assert state.pile == 0 and len(state.discard) == 81
    # Whatever is in the hands has not been seen; the next four come from the shuffled discards.
    state = go(state, "sacrifice 4 green-yellow-blue-red-3", "sacrifice 4 green-yellow-blue-red-5")
    assert state.shuffles == 1
    refusal = refused(state, "play green-5")
    assert (refusal.rule, refusal.text) == ("G2", "Green 5 cannot be in this hand")
    assert refused(state, "sacrifice red-1, green-yellow-blue-red-5").rule == "G2"
    assert accepted(state, "sacrifice red-1, green-yellow-blue-red-3")
    assert accepted(state, "sacrifice 4 red-2") and refused(state, "sacrifice red-3").rule == "G2"
    together = refused(go(state, "play red-2"), "sacrifice 4 red-2")
    assert together.rule == "G2" and "together" in together.long


@rule("K2", "P2", game="ankh")
def test_each_number_the_owner_has_counted_counts_for_itself() -> None:
    known = shipped("ankh")
    papyri = override(known, {"papyri.cards": known["papyri.cards"]}, "own", "copied")
    state = table("play green-red-blue-yellow-3", papyrus="green-blue-red-yellow-5", catalogue=papyri)
    assert refused(state, "play green-yellow-blue-red-9").rule == "P2"
    assert refused(state, "play green-red-blue-yellow-3").rule == "G2"
    assert accepted(state, "sacrifice 4 red-5")  # nobody has counted the mummies
    red = override(known, {"mummies.red": [4, 4, 4, 3, 3]}, "own", "counted")
    state = table("play red-5", papyrus=HIGH, catalogue=red)
    assert refused(state, "sacrifice 3 red-5").rule == "G2"
    assert accepted(state, "sacrifice 2 red-5") and accepted(state, "sacrifice 4 blue-5")
    assert accepted(state, "play green-yellow-blue-red-9")


@rule("K23", game="ankh")
def test_with_a_counted_deck_what_lies_open_cannot_be_in_a_hand() -> None:
    state = table(*["play red-5"] * 3, papyrus="green-blue-red-yellow-5", catalogue=verified())
    refusal = refused(state, "play red-5")
    assert (refusal.rule, refusal.kind, refusal.text) == ("G2", "book", "There are only 3 of Red 5")
    assert refused(state, "play green-blue-red-yellow-5").rule == "G2"
    said = {rules.format(move) for move in rules.legal_moves(state)}
    assert not said & {"play red-5", "sacrifice red-5"} and "play red-4" in said


def test_a_deck_that_is_not_what_the_house_numbers_say_is_never_refused() -> None:
    """The truth of an owner's deck may be any: 72 mummies and 18 papyri of any faces."""
    papyri = sorted(any_papyri())
    for seed in range(12):
        rng = random.Random(seed)
        few = [rng.choice(MUMMIES) for _ in range(rng.randint(1, 8))]
        deck = [rng.choice(few) for _ in range(72)] + [rng.choice(papyri) for _ in range(18)]
        rng.shuffle(deck)
        players = 2 + seed % 4
        options = {"target": "150", "sacrifices": rng.choice(("open", "hidden"))}
        world = AnkhDeal(rules.start(players, 0, options), deck, rng, "random")
        for _ in range(250):
            if world.over:
                break
            for seat, cards in enumerate(world.hands):
                assert knowledge.possible(
                    world.state.numbers, world.state.hidden, knowledge.hand(seat), cards
                )
            world.play(world.pick(rng))


# Corrections


@rule("G3", game="ankh")
def test_a_player_may_correct_how_many_cards_a_hand_holds() -> None:
    state = table("play green-1", "play red-1", papyrus=HIGH)
    fact = rules.parse("correct hand Ben 3", 0, ("Ana", "Ben", "Cleo"))
    assert fact == HandCount(1, 3, correction=True)
    after = rules.apply(state, fact)
    assert after.hands == (4, 3, 4) and after.pile == state.pile + 1
    assert refused(go(after, FILLER, FILLER), "sacrifice 4 red-1").rule == "D1"
    # With the next action the hand is filled up again.
    assert go(after, FILLER, FILLER, FILLER).hands == (4, 4, 4)
    more = rules.apply(state, HandCount(1, 6, correction=True))
    assert more.hands == (4, 6, 4) and go(more, FILLER, FILLER, FILLER).hands == (4, 5, 4)
    assert rules.apply(state, HandCount(1, 4, correction=True)) == state


@rule("G3", game="ankh")
def test_a_hand_is_not_corrected_to_what_cannot_be() -> None:
    state = table(papyrus=HIGH)
    for fact, words in (
        (HandCount(0, -1, correction=True), "0 to 81"),
        (HandCount(0, 82, correction=True), "0 to 81"),
        (HandCount(3, 4, correction=True), "no player 4"),
        (HandCount(0, 3), "write correct hand"),
    ):
        with pytest.raises(WrongReveal, match=words):
            rules.apply(state, fact)
    with pytest.raises(WrongReveal, match="dealt yet"):
        rules.apply(rules.start(3, 0, {}), HandCount(0, 3, correction=True))


def test_after_a_correction_nothing_is_refused_that_may_be() -> None:
    """Ben forgot to draw, at some time nobody knows; a counted deck still refuses what lies open."""
    state = table(*["play red-5"] * 3, papyrus="green-blue-red-yellow-5", catalogue=verified())
    after = rules.apply(state, HandCount(0, 3, correction=True))
    for card in state.numbers.counts:
        assert accepted(after, f"play {card}") == accepted(state, f"play {card}")
    assert [hidden.size(knowledge.hand(0)) for hidden in after.hidden] == [3]
    assert [hidden.size(knowledge.PILE) for hidden in after.hidden] == [after.pile]


@pytest.mark.parametrize("counted", [False, True])
def test_after_hands_were_drawn_wrongly_and_corrected_the_truth_is_never_refused(counted: bool) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        catalogue = verified() if counted else None
        options = {"target": "100", "sacrifices": rng.choice(("open", "hidden"))}
        world = deal(seed, 2 + seed % 4, 0, options, "random", catalogue)
        while not world.over:
            seat = rng.randrange(len(world.hands))
            cards = world.hands[seat]
            if rng.random() < 0.05 and len(cards) > 1 and world.pile:
                if rng.random() < 0.5:  # somebody forgot to draw
                    world.pile.insert(rng.randrange(len(world.pile)), cards.pop(rng.randrange(len(cards))))
                else:  # or drew one too many
                    cards.append(world.pile.pop())
                world.state = rules.apply(world.state, HandCount(seat, len(cards), correction=True))
            conserved(world.state, world)
            move = world.pick(rng)
            assert rules.refusal(world.state, move) is None
            world.play(move)


@rule("S1", game="ankh")
def test_the_first_papyrus_may_be_corrected_until_somebody_has_played() -> None:
    other = FirstPapyrus("red-yellow-blue-green-5", correction=True)
    state = rules.apply(table(), other)
    assert state == table(papyrus="red-yellow-blue-green-5")
    with pytest.raises(WrongReveal, match="take the moves back"):
        rules.apply(table("play green-1"), other)
    with pytest.raises(WrongReveal, match="take the moves back"):
        rules.apply(rules.start(3, 0, {}), other)
    with pytest.raises(TypeError):
        rules.apply(table(), _Other())


class _Other(Reveal):
    """A reveal of another game."""


def test_two_ways_of_telling_one_where_all_is_counted() -> None:
    assert (
        len(table().hidden) == 2
        and len(table(papyrus="green-blue-red-yellow-5", catalogue=verified()).hidden) == 1
    )
    loose = override(shipped("ankh"), {"deck.papyri": 18}, "house", "a house deck")
    state = table(catalogue=loose, papyrus=HIGH)
    assert len(state.hidden) == 1
    # Not even the totals are sure: nothing is refused by counting.
    assert accepted(go(state, *[PAPYRUS] * 17), "play red-green-blue-yellow-3")
    labels = Counter(state.numbers.label(card) for card in ("green-1", HIGH))
    assert labels == {"mummy": 1, "papyrus": 1}
