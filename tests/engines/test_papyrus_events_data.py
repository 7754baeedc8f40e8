"""The vocabulary of event cards, as an owner writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.catalogue import house
from engines.papyrus.events import (
    DRAWN,
    GAINED,
    LOST,
    MOST,
    TAKEN,
    VOCABULARY,
    Effect,
    read_effect,
    slug,
    write_effect,
)
from engines.papyrus.numbers import lacks, numbers
from tests.papyri import own
from tests.rules import rule

NUMBER = st.integers(1, MOST)
EFFECT = st.one_of(
    st.tuples(st.just("draw"), NUMBER, st.sampled_from(DRAWN)),
    st.tuples(st.just("gain"), NUMBER, st.sampled_from(GAINED)),
    st.tuples(st.just("lose"), NUMBER, st.sampled_from(LOST)),
    st.tuples(st.sampled_from(("take", "swap")), NUMBER, st.sampled_from(TAKEN)),
    st.tuples(st.just("skip"), NUMBER),
    st.tuples(st.just("points"), NUMBER | st.integers(-MOST, -1)),
    st.tuples(st.just("move"), st.just(0), st.just(""), st.sampled_from(("", "horus", "amon-ra", "event-1"))),
    st.just(("agreed",)),
).map(lambda parts: Effect(*parts))


@given(EFFECT)
def test_every_effect_is_read_as_it_is_written(effect: Effect) -> None:
    assert read_effect(write_effect(effect)) == effect
    assert read_effect(f"  {write_effect(effect).upper()} ") == effect


@rule("V1", game="papyrus")
def test_every_form_of_the_vocabulary_is_understood() -> None:
    verbs = set()
    for form in VOCABULARY:
        effect = read_effect(form.replace("+N", "+3").replace("N", "2").replace("PLACE", "horus"))
        verbs.add(effect.verb)
    assert verbs == {"draw", "gain", "take", "lose", "swap", "move", "skip", "points", "agreed"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("draw 2 scarabs", "draw is for cards or hieroglyphs or gods"),
        ("gain 1 card", "gain is for hieroglyphs or scarabs"),
        ("lose 1 god", "lose is for cards or hieroglyphs or scarabs"),
        ("draw 0 cards", "the number must be from 1 to 30"),
        ("points -31", "the number must be from 1 to 30"),
        ("take 1 card with a player", "is no effect: write one of draw N cards"),
        ("swap 1 card from a player", "is no effect"),
        ("points 3", "is no effect"),
        ("", "is no effect"),
        ("draw two cards", "is no effect"),
        ("move to no/where", "is no name"),
    ],
)
def test_what_is_no_effect_says_what_to_write(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_effect(line)


@given(st.text(max_size=60))
def test_any_line_is_an_effect_or_a_sentence(line: str) -> None:
    try:
        effect = read_effect(line)
    except ValueError as error:
        assert len(str(error)) > 20
    else:
        assert read_effect(write_effect(effect)) == effect


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ({"name": "Rain"}, "events[1] (Rain) has no effects"),
        ({"name": "Rain", "effects": []}, "events[1] (Rain) has no effects"),
        ({"name": "Rain", "effects": ["dance"]}, "events[1] (Rain): 'dance' is no effect"),
        ({"name": "Rain", "effects": [3]}, "events[1] (Rain): '3' is no effect"),
        ({"name": "Rain", "effects": ["move to thebes"]}, "events[1] (Rain): thebes is not on the map"),
        (
            {"name": "Rain", "effects": ["skip 1 turn"], "copies": 0},
            "events[1] (Rain): copies is no number",
        ),
        ({"effects": ["skip 1 turn"]}, "events[1] has no name"),
        ({"name": "?!", "effects": ["skip 1 turn"]}, "'?!' is no name"),
        ({"name": "Rain", "effect": ["skip 1 turn"]}, "events[1] (Rain) has an unknown effect"),
    ],
)
def test_each_fault_of_an_event_card_is_named(card: dict[str, object], text: str) -> None:
    found = lacks(own({"events": [card], "counts.events": 1}), 2)
    told = next(lack for lack in found if lack.text == text)
    assert told.path == "events[1]" and told.remedy


def test_the_sample_has_forty_cards_with_every_kind_of_effect() -> None:
    events = numbers(house("papyrus")).events
    assert sum(event.copies for event in events.values()) == 40
    assert all(event.id == slug(event.name) for event in events.values())
    verbs = {effect.verb for event in events.values() for effect in event.effects}
    assert verbs == {"draw", "gain", "take", "lose", "swap", "move", "skip", "points", "agreed"}


def test_a_name_is_one_word_in_the_record() -> None:
    assert slug("Flood of the Nile") == "flood-of-the-nile"
    assert slug("Amon-Ra") == slug(" Amon  Ra ") == "amon-ra"
    assert slug("Pharaoh's favour") == "pharaohs-favour"
    for name in ("", "-", "a--b", "a_b", "a/b", "x" * 41, "\u0130"):
        with pytest.raises(ValueError, match="is no name"):
            slug(name)
