"""The map of Papyrus: reading it, walking it, and every fault that its checker names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.catalogue import Lack, MissingNumbers, house, override, shipped
from engines.papyrus import rules
from engines.papyrus.board import (
    COLOURS,
    EVENT,
    Board,
    Edge,
    cost,
    read,
    read_squares,
    split,
    squares_in_words,
    ways,
    write_edge,
)
from engines.papyrus.numbers import lacks, numbers
from tests.papyri import SMALL, own
from tests.rules import rule

MAP = {
    "map.start": "horus",
    "map.pyramids": ["horus", "anubis", "isis"],
    "map.event_squares": ["oasis"],
    "map.edges": [
        "horus - anubis: 4 water, 2 light",
        "anubis - isis: 1 dark, event, 2 nature",
        "isis - oasis: 3 light",
    ],
}


def board(**changes: Any) -> tuple[Board, tuple[Lack, ...]]:
    """The small map with changes (``edges=[...]``)."""
    return read(MAP | {f"map.{name}": value for name, value in changes.items()})


def fault(**changes: Any) -> Lack:
    """The one thing that is wrong with the small map after changes."""
    _, faults = board(**changes)
    assert len(faults) == 1, faults
    return faults[0]


# Reading and walking


@rule("T7", "Y17", game="papyrus")
def test_the_printed_path_is_six_cards_both_ways() -> None:
    for found in (board()[0], numbers(house("papyrus")).board):
        assert Edge("horus", "anubis", ("water",) * 4 + ("light",) * 2) in found.edges
        for here, there in (("horus", "anubis"), ("anubis", "horus")):
            way = next(way for way in ways(found)[here] if way.target == there)
            assert way.cost == (("light", 2), ("water", 4))
            assert sum(n for _, n in way.cost) == 6


def test_a_map_without_faults_is_read_as_it_is_written() -> None:
    found, faults = board()
    assert faults == ()
    assert found.start == "horus"
    assert found.places == ("horus", "anubis", "isis", "oasis")
    assert [write_edge(edge) for edge in found.edges] == MAP["map.edges"]
    assert found.edges[1].squares == ("dark", EVENT, "nature", "nature")
    # An event square on the way takes no card, and is counted.
    way = ways(found)["isis"][0]
    assert way == ("anubis", (("dark", 1), ("nature", 2)), 1)


def test_names_and_colours_may_be_written_as_people_write_them() -> None:
    found, faults = board(
        start="Horus",
        pyramids=["Horus at 3 4", "ANUBIS at 9,4", "Amon Ra"],
        event_squares=None,
        edges=["Horus - Anubis: 4 Blue, 2 yellow", "horus – Amon  Ra: black, 2 GREEN"],
    )
    assert faults == ()
    assert found.pyramids == ("horus", "anubis", "amon-ra")
    assert dict(found.spots) == {"horus": (3, 4), "anubis": (9, 4)}
    assert cost(found.edges[1].squares) == (("dark", 1), ("nature", 2))


@rule("Y23", game="papyrus")
def test_an_event_square_on_a_path_can_be_made_a_place_of_its_own() -> None:
    found, _ = board(
        edges=["horus - anubis: 1 water, event, event, 2 light", "anubis - isis: dark", "isis - oasis: dark"]
    )
    parted = split(found)
    assert parted.event_squares == ("oasis", "event-horus-anubis", "event-horus-anubis-2")
    assert parted.edges[:3] == (
        ("horus", "event-horus-anubis", ("water",)),
        ("event-horus-anubis", "event-horus-anubis-2", ()),
        ("event-horus-anubis-2", "anubis", ("light", "light")),
    )
    whole = Counter(square for edge in found.edges for square in edge.squares)
    assert Counter(square for edge in parted.edges for square in edge.squares) == whole - Counter({EVENT: 2})
    assert split(board(edges=["horus - anubis: 2 dark"])[0]).event_squares == ("oasis",)
    named = board(
        pyramids=["horus", "anubis", "isis"],
        event_squares=["event-horus-anubis"],
        edges=["horus - anubis: 1 water, event", "event-horus-anubis - isis: 1 dark", "isis - horus: 1 dark"],
    )[0]
    assert split(named).event_squares == ("event-horus-anubis", "event-horus-anubis-2"), (
        "the name was given away"
    )
    assert ways(split(named))["horus"][0].target == "event-horus-anubis-2"


@given(st.lists(st.sampled_from((*COLOURS, EVENT)), min_size=1, max_size=20))
def test_squares_in_words_are_read_back(squares: list[str]) -> None:
    assert read_squares(squares_in_words(squares)) == tuple(squares)


# Every fault by its name, its place and its remedy


@pytest.mark.parametrize(
    ("changes", "path", "text", "remedy"),
    [
        (
            {"edges": [*MAP["map.edges"][:2]]},
            "map.edges",
            "the event square oasis cannot be reached from horus",
            "add a path under map.edges that leads to oasis",
        ),
        (
            {"pyramids": ["horus", "anubis", "isis", "seth"]},
            "map.edges",
            "the pyramid seth cannot be reached from horus",
            "add a path under map.edges that leads to seth",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - horus:"]},
            "map.edges[4]",
            "map.edges[4] (isis - horus) has no squares",
            "write like horus - anubis: 4 water, 2 light",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - horus"]},
            "map.edges[4]",
            "map.edges[4] (isis - horus) has no squares",
            "write like horus - anubis: 4 water, 2 light",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - horus: 2 red, 1 water"]},
            "map.edges[4]",
            "map.edges[4] (isis - horus) has the unknown colour 'red'",
            "write light, dark, nature, water or event",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - horus: 99 water"]},
            "map.edges[4]",
            "map.edges[4] (isis - horus) has too many or no squares, '99 water'",
            "write from 1 to 30 of a colour",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - seth: 2 water"]},
            "map.edges[4]",
            "map.edges[4] leads to seth, which is not on the map",
            "write seth under map.pyramids or map.event_squares, or mend its name here",
        ),
        (
            {"edges": [*MAP["map.edges"], "anubis - horus: 2 water"]},
            "map.edges[4]",
            "map.edges[4] joins anubis and horus, as map.edges[1] does",
            "leave one of the two out",
        ),
        (
            {"edges": [*MAP["map.edges"], "isis - isis: 2 water"]},
            "map.edges[4]",
            "map.edges[4] leads from isis to itself",
            "write the two places that it joins",
        ),
        (
            {"edges": [*MAP["map.edges"], "horus to isis"]},
            "map.edges[4]",
            "map.edges[4] is no path",
            "write like horus - anubis: 4 water, 2 light",
        ),
        (
            {"start": "seth"},
            "map.start",
            "the map has no start: seth is not on it",
            "map.start is the place where all pawns begin: the pyramid of Horus",
        ),
        (
            {"start": ""},
            "map.start",
            "the map has no start",
            "map.start is the place where all pawns begin: the pyramid of Horus",
        ),
        (
            {"pyramids": ["horus", "anubis", "isis", "Isis"]},
            "map.pyramids[4]",
            "isis stands twice in map.pyramids",
            "write each place once",
        ),
        (
            {"event_squares": ["oasis", "isis"]},
            "map.event_squares",
            "isis is a pyramid and an event square",
            "give one of them another name",
        ),
        (
            {"pyramids": ["horus", "anubis", "isis", "no/name"]},
            "map.pyramids[4]",
            "'no/name' is no name",
            "write letters and digits, words with a space or hyphen between",
        ),
    ],
)
def test_each_fault_of_a_map_is_named(changes: dict[str, Any], path: str, text: str, remedy: str) -> None:
    found = fault(**changes)
    assert (found.path, found.text, found.remedy) == (path, text, remedy)


def test_all_faults_are_named_at_once_and_the_rest_is_still_read() -> None:
    found, faults = board(
        start="nowhere",
        pyramids=["horus", "anubis", "isis", "seth"],
        edges=["horus - anubis: 4 water", "horus - isis: 2 pink", "isis - atlantis: 1 dark", 7],
    )
    texts = " / ".join(lack.text for lack in faults)
    for part in (
        "pink",
        "atlantis",
        "map.edges[4]",
        "no start",
        "seth cannot",
        "isis cannot",
        "oasis cannot",
    ):
        assert part in texts
    assert [write_edge(edge) for edge in found.edges] == ["horus - anubis: 4 water"]


# One number against another


def named(changes: dict[str, Any], players: int = 2) -> list[str]:
    return [lack.text for lack in lacks(own(changes), players)]


def gods(*rows: dict[str, Any]) -> dict[str, Any]:
    """The small game with these gods in place of the first ones."""
    listed = [*rows, *SMALL["gods"][len(rows) :]]
    return {"gods": listed, "counts.gods": len(listed)}


def test_the_sample_and_the_small_game_have_no_fault() -> None:
    for catalogue in (house("papyrus"), own()):
        assert all(lacks(catalogue, players) == () for players in (1, 2, 3))
    assert numbers(house("papyrus")).warnings == ()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            gods({"name": "Horus", "value": 6, "pyramid": "thebes"}),
            "the pyramid of Horus is not on the map: thebes",
        ),
        (gods({"name": "Zeus", "value": 6, "pyramid": "isis"}), "Zeus needs 1 Z, the bag holds 0"),
        (gods({"name": "Horus"}), "gods[1] (Horus) has no value"),
        (gods({"name": "Horus", "value": "six"}), "gods[1] (Horus): the value is no number"),
        (gods({"name": "Horus", "value": 0}), "gods[1] (Horus): the value is no number"),
        (gods({"name": "Horus", "value": 6, "son": 1}), "gods[1] (Horus): son is neither true nor false"),
        (gods({"name": "Horus", "value": 6, "letters": 3}), "gods[1] (Horus): the letters cannot be read"),
        (gods({"name": "Horus", "value": 6, "pyramid": 3}), "gods[1] (Horus): the pyramid is no name"),
        (gods({"name": "Horus", "value": 6, "colour": 3}), "gods[1] (Horus) has an unknown colour"),
        (
            gods({"name": "Horus", "value": 6}, {"name": "horus", "value": 6}),
            "gods[2] has the name of gods[1]: horus",
        ),
        (gods({"value": 6}), "gods[1] has no name"),
        ({"counts.gods": 36}, "9 gods, the deck has 36"),
        ({"counts.hieroglyphs": 300}, "the letters make 160, the bag holds 300"),
        ({"letters": {"A": 150, "a": 10}}, "the letter A stands twice"),
        ({"letters": {"4": 160}}, "'4' is no letter"),
        ({"cards": {"red": 4}}, "unknown movement card red"),
        ({"counts.events": 40}, "4 event cards, the deck has 40"),
        ({"start.hieroglyphs": 100}, "160 hieroglyphs are too few: 2 players need 200"),
        ({"start.gods": 5}, "9 gods are too few: 2 players need 10"),
        ({"start.cards": 60}, "110 cards are too few: 2 players need 120"),
    ],
)
def test_numbers_that_do_not_fit_together_forbid_a_game(changes: dict[str, Any], text: str) -> None:
    assert text in named(changes)
    with pytest.raises(MissingNumbers):
        rules.start(2, 0, {}, own(changes))


@rule("Y51", game="papyrus")
def test_a_name_longer_than_the_holder_is_a_warning() -> None:
    found = numbers(own(gods({"name": "Horus Amun-Ra", "pyramid": "horus", "value": 6})))
    assert found.faults == ()
    told = next(lack for lack in found.warnings if "holder" in lack.text)
    assert told.path == "gods[1]"
    assert told.text == "Horus Amun-Ra has 11 letters, a holder takes 10"


def test_what_may_be_meant_is_a_warning_and_forbids_nothing() -> None:
    changes = gods(
        {"name": "Horus", "pyramid": "isis", "value": 6},
        *({**god, "son": False} for god in SMALL["gods"][1:]),
    )
    changes["gods"][4] = {"name": "Amun", "pyramid": "isis", "value": 3}
    texts = [lack.text for lack in numbers(own(changes)).warnings]
    assert texts == [
        "0 sons of Horus, the rulebook has 4",
        "Amon-Ra is not among the gods",
        "no god belongs to the pyramid horus",
    ]
    assert lacks(own(changes), 2) == ()


@rule("Y49", game="papyrus")
def test_what_is_missing_is_asked_for_and_alone_needs_no_map() -> None:
    asked = {lack.path for lack in lacks(shipped("papyrus"), 2)}
    assert asked == {"letters", "gods", "events", "map.start", "map.pyramids", "map.edges"}
    assert all(lack.remedy for lack in lacks(shipped("papyrus"), 2))
    assert {lack.path for lack in lacks(shipped("papyrus"), 1)} == {"letters", "gods"}
    bad_map = {"map.edges": ["nonsense"], "events": [{"name": "x"}], "map.pyramids": ["thebes"]}
    assert lacks(own(bad_map), 1) == () and lacks(own(bad_map), 2)


# Damaged boards

WORD = st.sampled_from(
    [
        "horus",
        "Anubis",
        "isis",
        "",
        " ",
        "-",
        "a - b",
        "at 3 4",
        "horus at 1 2",
        "é",
        "\x00",
        "x" * 50,
        "no/name",
        "event",
    ]
)
LINE = st.one_of(
    WORD,
    st.builds(
        "{} {} {}: {} {}, {}".format,
        WORD,
        st.sampled_from("-–:="),
        WORD,
        st.integers(-5, 500),
        st.sampled_from([*COLOURS, "event", "red", "blue", ""]),
        WORD,
    ),
    st.text(max_size=40),
)
VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 10**20), st.floats(allow_nan=True), LINE),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(
            st.sampled_from(["name", "value", "effects", "letters", "pyramid", "son", "copies", "A"]), inner
        ),
    ),
    max_leaves=12,
)
PATHS = ("map.start", "map.pyramids", "map.event_squares", "map.edges", "letters", "gods", "events", "cards")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from([*PATHS, "counts.gods", "start.cards", "start.hieroglyphs"]), VALUE, min_size=1
    )
)
def test_no_value_whatever_is_more_than_a_fault(values: dict[str, Any]) -> None:
    # A NaN cannot be part of a fingerprint; the owner's file never lets one in.
    catalogue = override(shipped("papyrus"), {**SMALL, **values}, "own", "damaged")
    found = numbers(catalogue)
    _consistent(found.board)
    for players in (1, 2, 5):
        told = lacks(catalogue, players)
        assert all(
            lack.path.split("[")[0] in catalogue.numbers and lack.text and lack.remedy for lack in told
        )
        if told:
            with pytest.raises(MissingNumbers):
                rules.start(players, 0, {"gods": "all"}, catalogue)


def _consistent(found: Board) -> None:
    """Whatever was read can be walked and drawn."""
    places = set(found.places)
    assert len(found.places) == len(places)
    assert not found.start or found.start in places
    for edge in found.edges:
        assert {edge.a, edge.b} <= places and edge.a != edge.b and edge.squares
        assert set(edge.squares) <= {*COLOURS, EVENT}
    assert set(ways(split(found))) == set(split(found).places)


DAMAGE = st.lists(
    st.tuples(
        st.sampled_from(["drop", "double", "swap", "letter", "end"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=200, deadline=None)
@given(DAMAGE)
def test_a_damaged_map_is_read_as_far_as_it_goes_and_what_is_accepted_can_be_walked(
    damage: list[Any],
) -> None:
    base = house("papyrus")
    edges = list(base["map.edges"])
    for kind, where, what in damage:
        at = where % len(edges)
        line = edges[at]
        match kind:
            case "drop":
                del edges[at]
            case "double":
                edges.insert(what % (len(edges) + 1), line)
            case "swap":
                one, two = line.split(" - ", 1) if " - " in line else (line, "")
                edges[at] = f"{two} - {one}"
            case "letter":
                spot = what % (len(line) or 1)
                edges[at] = line[:spot] + "xq: -,9"[what % 7] + line[spot + 1 :]
            case _:
                edges[at] = line[: what % (len(line) + 1)]
        if not edges:
            return
    catalogue = override(base, {"map.edges": edges}, "own", "damaged")
    found = numbers(catalogue)
    _consistent(found.board)
    assert len(found.board.edges) <= len(edges)
    if not lacks(catalogue, 2):
        assert rules.legal_moves(rules.start(2, 0, {}, catalogue))
        written = [write_edge(edge) for edge in found.board.edges]
        again, faults = read({path: base[path] for path in MAP} | {"map.edges": written})
        assert not faults and again.edges == found.board.edges
    else:
        assert {lack.path.split("[")[0] for lack in lacks(catalogue, 2)} <= {"map.edges", "map.start"}
