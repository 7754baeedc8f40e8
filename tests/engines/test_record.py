"""The record: round trip, torn lines, and every other damage named with its line and remedy."""

from __future__ import annotations

import pytest

from engines import record
from engines.record import RecordError
from engines.referee import Match
from engines.tanis.moves import Take, Uncovered
from tests.digs import match
from tests.engines.test_referee import played

GOLDEN = """\
Thoth record 1
game: tanis
players: Ana, Ben
first: Ben
option floor_supports: yes

; written by hand
reveal a1-b1 falcon-7
reveal c1-d1 ?-3
1. Ben: take falcon-7
correct c1-d1 snake-5

2. Ana: expert
3. Ana: take snake-5
4. Ana: take ankh-10
"""


def test_a_record_written_by_hand() -> None:
    found = record.read_annotated(GOLDEN)
    game = found.match
    assert (game.names, game.first) == (("Ana", "Ben"), 1)
    assert game.options["floor_supports"] == "yes" and game.options["packing"] == "brick"
    assert len(game.moves) == 4 and len(game.steps) == 7
    assert game.steps[3] == Uncovered((2, 0), (3, 0), 5, "snake", correction=True)
    assert found.comments == ((0, "written by hand"),)
    assert game.state.collected == (("snake-5", "ankh-10"), ("falcon-7",))


@pytest.mark.parametrize("seed", range(8))
def test_round_trip_is_exact(seed: int) -> None:
    for moves in (0, 1, 7, 30, 100):
        game = played(seed, moves, first=seed % 2, packing=("brick", "random")[seed % 2])
        text = record.write(game)
        assert record.read(text) == game
        assert record.write(record.read(text)) == text


def test_comments_survive() -> None:
    game = played(1, 4)
    comments = ((0, "before"), (2, "two"), (2, ""), (2, "more"), (len(game.steps), "after: the end"))
    text = record.write(game, comments)
    found = record.read_annotated(text)
    assert found == record.Annotated(game, comments)
    assert record.write(found.match, found.comments) == text
    with pytest.raises(ValueError, match="one line"):
        record.write(game, ((0, "two\nlines"),))


@pytest.mark.parametrize(
    "names",
    [
        ("Ana Maria", "Ben, Jr."),
        ('"', "\\"),
        (" x", "y "),
        ("a:b", "1. a"),
        ("Zoë", "李"),
        ("a\nb", "a\tb"),
        (";", "result"),
        ("Ana", "Ana, Ben"),
        ("Ωmega: x", "new\u2028line"),
    ],
)
def test_any_name_can_be_written(names: tuple[str, str]) -> None:
    base = played(2)
    game = Match.begin(base.game, names, base.first, base.options, base.steps)
    assert record.read(record.write(game)) == game


def test_a_finished_game_ends_with_its_result() -> None:
    text = record.write(played(5))
    last = text.splitlines()[-1]
    totals = played(5).score().totals
    assert last.startswith(f"result: Ana {totals[0]}, Ben {totals[1]}; ") and " wins, " in last
    assert "result" not in record.write(played(5, 10))


@pytest.mark.parametrize("moves", [3, 100])
def test_cut_at_every_byte_it_gives_what_was_whole(moves: int) -> None:
    game = played(6, moves)
    text = record.write(game)
    header = text.index("\n\n")
    step = 1 if moves == 3 else 7
    for cut in range(0, len(text) + 1, step):
        if cut <= header:
            try:
                assert record.read(text[:cut]).steps == ()
            except RecordError as error:
                assert error.line <= 9 and error.remedy
            continue
        part = record.read(text[:cut])
        whole = text[:cut].count("\n", header + 2)
        assert part.steps == game.steps[: min(whole, len(game.steps))]


def test_a_torn_number_is_not_taken_for_a_whole_one() -> None:
    assert record.read(GOLDEN[:-2]).moves[-1] == Take(0, "snake-5")  # "take ankh-1" of "take ankh-10"


def change(old: str, new: str) -> str:
    assert old in GOLDEN
    return GOLDEN.replace(old, new, 1)


DAMAGES = (
    ("", 1, "This is no record", "first line"),
    ("Hello\n", 1, "This is no record", "first line"),
    (change("record 1", "record 9"), 1, "This is no record", "first line"),
    (change("game: tanis\n", ""), 6, "no 'game'", "game: ..."),
    (change("players: Ana, Ben\n", ""), 6, "no 'players'", "players: ..."),
    (change("first: Ben\n", ""), 6, "no 'first'", "first: ..."),
    (change("game: tanis", "game: chess"), 2, "no game 'chess'", "tanis"),
    (change("game: tanis\n", "game: tanis\ngame: tanis\n"), 3, "stands twice", "Take one"),
    (change("Ana, Ben", "Ana,Ben"), 3, "players cannot be read", "Ana, Ben"),
    (change("Ana, Ben", '"Ana, Ben'), 3, "players cannot be read", "Ana, Ben"),
    (change("Ana, Ben", "Ana, Ben, Eva"), 3, "not 3", "Correct the players"),
    (change("Ana, Ben", "Ben, Ben"), 3, "name of their own", "Correct the players"),
    (change("first: Ben", "first: Eva"), 4, "'Eva' is none of the players", "Ana, Ben"),
    (change("floor_supports: yes", "floor_supports: maybe"), 5, "is 'maybe'", "take the line out"),
    (change("floor_supports", "towers"), 5, "no option 'towers'", "take the line out"),
    (change("reveal a1-b1 falcon-7", "reveal a1-b1 falcon-77"), 8, "nothing a tile shows", "Correct"),
    (change("reveal a1-b1 falcon-7", "reveal a1-c1 falcon-7"), 8, "This cannot be", "or one before"),
    (change("correct c1-d1 snake-5", "reveal c1-d1 snake-5"), 11, "This cannot be: c1-d1 was seen", "or one"),
    (change("1. Ben", "2. Ben"), 10, "Move 2 stands where move 1 is due", "missing line"),
    (change("2. Ana: expert\n", ""), 13, "Move 3 stands where move 2 is due", "number the moves anew"),
    (change("1. Ben", "1. Eva"), 10, "'Eva' is none of the players", "Ana, Ben"),
    (change("1. Ben:", "1. Ben"), 10, "is no move", "Correct"),
    (change("1. Ben: take falcon-7", "take falcon-7"), 10, "needs its number and player", "Correct"),
    (
        change("1. Ben: take falcon-7", "1. Ben: reveal a1-b1 falcon-7"),
        10,
        "a reveal has no number",
        "Correct",
    ),
    (change("1. Ben: take falcon-7", "1. Ben: takes falcon-7"), 10, "is no move of Tanis", "Correct"),
    (change("1. Ben: take", "1. Ana: take"), 10, "not allowed: The players take turns", "Correct this line"),
    (change("; written", "written"), 7, "is no move of Tanis", "Correct"),
    (GOLDEN + "result: Ana 0, Ben 0; Ben wins\n", 16, "not over yet", "missing moves"),
)


@pytest.mark.parametrize(("text", "line", "says", "remedy"), DAMAGES)
def test_damage_is_named_with_its_line_and_remedy(text: str, line: int, says: str, remedy: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.read(text)
    error = caught.value
    assert error.line == line
    assert says in error.text and remedy in error.remedy
    assert str(error).startswith(f"line {line}: ")


def test_a_wrong_result_and_what_stands_after_it_are_named() -> None:
    text = record.write(played(5))
    count = text.count("\n")
    with pytest.raises(RecordError, match="not what the moves say") as caught:
        record.read(text.replace("result: Ana ", "result: Ana 1"))
    assert caught.value.line == count and "Write: result: Ana" in caught.value.remedy
    with pytest.raises(RecordError, match="after the result") as caught:
        record.read(text + "49. Ana: take snake-1\n")
    assert caught.value.line == count + 1
    assert record.read(text + "; good game\n\n") == played(5)


def test_every_changed_letter_is_noticed_or_harmless() -> None:
    """Whatever one letter becomes, the record is refused with a line, or reads as a game that could have been."""
    text = record.write(played(7, 6))
    for index in range(len(text) - 1):
        for letter in "x1\n":
            damaged = text[:index] + letter + text[index + 1 :]
            try:
                found = record.read(damaged)
            except RecordError as error:
                assert 1 <= error.line <= damaged.count("\n") + 1
            else:
                assert record.read(record.write(found)) == found


def test_an_empty_match_is_a_record_too() -> None:
    assert record.read(record.write(match())) == match()


def test_a_comment_may_stand_in_the_header() -> None:
    text = "Thoth record 1\n; a rainy night\ngame: tanis\nplayers: Ana, Ben\n; who lost the toss?\nfirst: Ben\noption packing: random\n"
    found = record.read_annotated(text)
    assert found.comments == ((0, "a rainy night"), (0, "who lost the toss?"))
    assert found.match.options["packing"] == "random"
    assert record.read(record.write(found.match, found.comments)) == found.match
