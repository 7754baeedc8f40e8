"""Two percent of what ``python -m tests.damaged`` damages, and sequences, records, numbers and maps that Hypothesis makes up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engines import games, record
from engines.catalogue import house, override
from engines.forms import wrong
from engines.game import IllegalMove, Move, WrongReveal
from engines.ownfile import read_own
from engines.papyrus import board
from engines.referee import Match
from tests.damaged import COUNT, board_judged, kinds, portion, record_judged, record_text
from tests.invariants import NAMES
from tests.spaces import numbers

SHARE = 50
QUIET = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


@pytest.mark.parametrize(("kind", "game"), kinds())
def test_damage_never_brings_a_traceback(kind: str, game: str) -> None:
    found = portion(kind, game, 1, COUNT // SHARE)
    assert not isinstance(found, str), found
    assert found.total() == COUNT // SHARE
    assert len(found) > 1, "some damage is named, some leaves what can be read"


@settings(QUIET, max_examples=40)
@given(
    game=st.sampled_from(list(games())),
    first=st.integers(0, 4),
    choices=st.lists(st.integers(0, 10_000), max_size=60),
    kind=st.sampled_from(["house", "own"]),
)
def test_any_sequence_of_listed_steps_can_be_played_taken_back_and_recorded(
    game: str, first: int, choices: list[int], kind: str
) -> None:
    """Without a dealer: only what the referee lists and awaits."""
    found = games()[game]
    players = found.players[first % len(found.players)]
    match = Match.begin(found, NAMES[:players], first % players, catalogue=numbers(game, kind))
    for choice in choices:
        awaited = found.rules.awaited(match.state)
        if awaited:
            before = match
            for at in range(len(awaited)):
                try:
                    match = match.accept(awaited[(choice + at) % len(awaited)])
                    break
                except WrongReveal:
                    continue
            assert match is not before, "nothing of what is awaited can be"
            continue
        listed = match.legal_moves()
        if match.outcome() is not None:
            assert not listed
            break
        if not listed:  # Tanis before anything has been read of the dig.
            break
        match = match.accept(listed[choice % len(listed)])
    text = record.write(match)
    assert record.read(text) == match and record_judged(text) == "accepted"
    moves = len(match.moves)
    if moves:
        back = match.take_back(1 + choices[0] % moves)
        assert back.states == match.states[: len(back.states)]
        with pytest.raises(IllegalMove):
            match.accept(out_of_turn(match))


def out_of_turn(match: Match) -> Move:
    """A listed move of somebody whose turn it is not, or any move once the game is over."""
    last = match.moves[-1]
    for seat in range(len(match.names)):
        move = type(last)(**{**_fields(last), "player": seat})
        if match.refusal(move) is not None:
            return move
    return type(last)(**{**_fields(last), "player": len(match.names)})


def _fields(move: Move) -> dict[str, Any]:
    return {name: getattr(move, name) for name in move.__dataclass_fields__}


EDIT = st.tuples(
    st.sampled_from(["put", "cut", "line", "swap", "again", "drop"]),
    st.integers(0, 5000),
    st.integers(0, 60),
    st.text(max_size=12),
)


@settings(QUIET, max_examples=120)
@given(
    game=st.sampled_from(list(games())),
    seed=st.integers(0, 5),
    edits=st.lists(EDIT, min_size=1, max_size=4),
)
def test_a_record_edited_anyhow_is_read_or_its_fault_is_named(
    game: str, seed: int, edits: list[tuple[str, int, int, str]]
) -> None:
    text = record_text(game, seed)
    for kind, place, length, letters in edits:
        lines = text.split("\n")
        at = place % len(lines)
        match kind:
            case "put":
                place %= len(text) + 1
                text = text[:place] + letters + text[place:]
                continue
            case "cut":
                place %= len(text) + 1
                text = text[:place] + text[place + length :]
                continue
            case "line":
                lines.insert(at, letters)
            case "swap":
                other = length % len(lines)
                lines[at], lines[other] = lines[other], lines[at]
            case "again":
                lines.insert(length % len(lines), lines[at])
            case "drop":
                del lines[at]
        text = "\n".join(lines)
    record_judged(text)


@settings(QUIET, max_examples=80)
@given(text=st.text(max_size=300))
@example("Thoth record 1\n")
@example("Thoth record 1\ngame: ankh\nplayers: Ana, Ben\nfirst: Ana\n\nresult: \n")
def test_any_text_is_no_record_and_says_so(text: str) -> None:
    assert record_judged(text) in ("fault named", "accepted")
    assert record_judged(f"Thoth record 1\ngame: papyrus\n{text}") == "fault named"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PLACES = st.lists(
    st.sampled_from(["horus", "anubis", "isis", "Horus", "horus at 3 4", "amon-ra", " ", "", "é"]), max_size=6
)
PATHS = st.lists(
    st.one_of(
        PLAIN,
        st.builds(
            lambda a, b, squares: f"{a} - {b}: {squares}",
            st.sampled_from(["horus", "anubis", "isis", "nowhere", ""]),
            st.sampled_from(["horus", "anubis", "isis", "amon-ra"]),
            st.sampled_from(
                ["4 water, 2 light", "event", "1 dark, event, 2 nature", "99 water", "red", "", "0 light"]
            ),
        ),
    ),
    max_size=6,
)


@settings(QUIET, max_examples=150)
@given(start=PLAIN | PLACES, pyramids=PLAIN | PLACES, squares=PLAIN | PLACES, edges=PLAIN | PATHS)
def test_any_values_are_a_map_or_its_faults_are_named(
    start: Any, pyramids: Any, squares: Any, edges: Any
) -> None:
    found, lacks = board.read(
        {"map.start": start, "map.pyramids": pyramids, "map.event_squares": squares, "map.edges": edges}
    )
    for lack in lacks:
        assert lack.path.startswith("map.") and lack.text and lack.remedy
    assert all({edge.a, edge.b} <= set(found.places) and edge.squares for edge in found.edges)
    if not lacks:
        assert found.start in found.places
        assert set(found.places) <= board.reached(found, found.start)


@settings(QUIET, max_examples=150)
@given(data=st.data(), game=st.sampled_from(list(games())))
def test_any_values_are_numbers_to_play_by_or_their_lack_is_named(data: st.DataObject, game: str) -> None:
    """However the values came into the catalogue: a match begins, or the rules say what they lack."""
    found = games()[game]
    base = house(game)
    paths = [path for path, number in base.numbers.items() if not number.fixed]
    values = data.draw(st.dictionaries(st.sampled_from(paths), PLAIN, max_size=3)) if paths else {}
    text = "\n".join(f"[{game}.{path.rpartition('.')[0] or 'x'}]" for path in values)
    assert all(fault.line and fault.text and fault.remedy for fault in read_own(text, "own").faults)
    sound = {
        path: value
        for path, value in values.items()
        if value is not None and wrong(base.numbers[path], value) is None
    }
    catalogue = override(base, sound, "own", "made up")
    for players in found.players:
        lacks = found.rules.lacks(players, found.defaults, catalogue)
        assert all(lack.path and lack.text and lack.remedy for lack in lacks)
        if not lacks:
            match = Match.begin(found, NAMES[:players], 0, catalogue=catalogue)
            assert record.read(record.write(match)) == match


def test_the_judges_here_find_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A reader that drops a line it cannot read, and one that lets an error through, are found."""
    text = record_text("tanis", 0)
    real = record.read
    dropped = "\n".join(line for line in text.split("\n") if not line.startswith("2. ")) + "\n"
    assert record_judged(text) == "accepted" and record_judged(dropped) == "fault named"
    monkeypatch.setattr(record, "read", lambda given, *more: real("\n".join(given.split("\n")[:-2]) + "\n"))
    with pytest.raises(AssertionError):
        record_judged(text)
    monkeypatch.undo()
    monkeypatch.setattr(board, "read_squares", lambda text: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        board_judged(
            '[papyrus.map]\npyramids = ["a", "b"]\nstart = "a"\nedges = ["a - b: 1 dark"]\n', tmp_path
        )
