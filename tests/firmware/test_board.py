"""``thoth board``: the map of Papyrus in words, as a drawing, and its faults by their line."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from engines.catalogue import house, laid
from engines.ownfile import read_own
from engines.papyrus.board import COLOURS, EVENT, Board, Edge, read
from engines.papyrus.events import VOCABULARY
from engines.papyrus.maplayout import Drawn, clashes, drawn
from engines.papyrus.numbers import numbers
from firmware.cli import main
from firmware.commands.board import board
from firmware.commands.mapdrawing import draw

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = numbers(house("papyrus")).board

GOOD = """
[papyrus.map]
start = "horus"
pyramids = ["horus", "anubis"]
edges = [
  "horus - anubis: 4 water, 2 light",
]
[papyrus.counts]
gods = 2
events = 1
hieroglyphs = 80
[papyrus.start]
gods = 1
[papyrus]
letters = { A = 10, B = 10, H = 10, I = 10, N = 10, O = 10, R = 5, S = 5, U = 10 }
gods = [{ name = "Horus", value = 6 }, { name = "Anubis", value = 7 }]
events = [{ name = "Flood", effects = ["draw 2 cards", "skip 1 turn"] }]
"""


@pytest.fixture(autouse=True)
def nobody_s_own_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# In words


def test_the_sample_is_plainly_called_a_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert board(["house"], False, None) == 0
    told = capsys.readouterr().out
    assert told.startswith("Papyrus The Game: sample map\nAn invented map for trying the game out.")
    assert "horus (start): Horus 6, Bes 4\n  to anubis   4 water, 2 light (6 cards)\n" in told
    assert "  to horus    2 light, 4 water (6 cards)\n" in told
    assert "ferry (event square)\n" in told
    assert "  3 x Flood of the Nile: draw 2 cards\n" in told
    assert told.endswith("Checked: no faults.\n")


def test_the_own_map_is_told_with_its_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert board([written(tmp_path, GOOD)], False, None) == 0
    told = capsys.readouterr().out
    assert told.startswith("Papyrus The Game: the map of mine.toml\n2 pyramids, 1 path with 2 light")
    assert "mine.toml, line 16: note: 0 sons of Horus, the rulebook has 4" in told
    assert "sample" not in told and "invented" not in told


def test_every_fault_is_told_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace("2 light", "2 pink").replace("value = 7", 'colour = "red"')
    assert board([written(tmp_path, text)], False, None) == 1
    told = capsys.readouterr().out
    assert (
        "mine.toml, line 6: map.edges[1] (horus - anubis) has the unknown colour 'pink': "
        "write light, dark, nature, water or event" in told
    )
    assert (
        "mine.toml, line 16: gods[2] (Anubis) has no value: write value = and the points on the card" in told
    )
    assert "the pyramid anubis cannot be reached from horus: add a path" in told


def test_what_is_no_toml_is_told_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert board([written(tmp_path, GOOD + "\n[papyrus.\nx\n")], False, None) == 1
    assert re.search(r"mine\.toml, line (2\d): ", capsys.readouterr().out)


def test_without_a_map_it_says_how_to_get_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert board([], False, None) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "There is no map to show." in told.err
    assert "map.edges is missing: Board: every path between two places" in told.err
    assert "thoth catalog papyrus --template > papyrus.toml" in told.err


def test_the_own_file_counts_when_nothing_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config" / "thoth").mkdir(parents=True)
    (tmp_path / "config" / "thoth" / "numbers.toml").write_text(GOOD, encoding="utf-8")
    assert board([], False, None) == 0
    assert "the map of numbers.toml" in capsys.readouterr().out


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map.svg"
    assert main(["board", "--numbers", "house", "--svg", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("<svg ")
    assert main(["board", "--numbers", "house"]) == 0
    capsys.readouterr()
    for arguments, said in (
        (["board", "--numbers", str(tmp_path / "none.toml")], "none.toml"),
        (["board", "--numbers", "house", "--out", str(tmp_path)], "cannot be written"),
    ):
        assert main(arguments) != 0
        told = capsys.readouterr()
        assert said in told.err and "Traceback" not in told.err


# Drawn


def _texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_the_drawing_shows_every_square_by_its_letter_and_every_place_by_its_name() -> None:
    picture = draw(SAMPLE, "Papyrus The Game: sample map", "invented & <small>")
    texts = _texts(picture)
    assert texts[:2] == ["Papyrus The Game: sample map", "invented & <small>"]
    squares = [square for edge in SAMPLE.edges for square in edge.squares]
    for colour in COLOURS:
        # One more stands in the legend.
        assert texts.count(colour[0].upper()) == squares.count(colour) + 1
        assert f"{colour.capitalize()} ({squares.count(colour)})" in texts
    assert texts.count("E") == squares.count(EVENT) + len(SAMPLE.event_squares) + 1
    for name in ("Horus", "Amon-Ra", "Ferry", "Caravan"):
        assert texts.count(name) == 1
    assert texts.count("START") == 1


def test_the_command_titles_the_sample_as_one(tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    assert board(["house"], True, out) == 0
    assert _texts(out.read_text(encoding="utf-8"))[0] == "Papyrus The Game: sample map"
    assert board([written(tmp_path, GOOD)], True, out) == 0
    assert _texts(out.read_text(encoding="utf-8"))[0] == "Papyrus The Game: the map of mine.toml"
    assert board([written(tmp_path, "house = true\n" + GOOD)], True, out) == 0
    assert _texts(out.read_text(encoding="utf-8"))[0] == "Papyrus The Game: invented map of mine.toml"


def test_a_faulty_map_is_drawn_as_far_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace('"horus", "anubis"', '"horus", "anubis", "isis"').replace("gods = 2", "gods = 3")
    out = tmp_path / "map.svg"
    assert board([written(tmp_path, text)], True, out) == 1
    assert "Isis" in _texts(out.read_text(encoding="utf-8"))
    told = capsys.readouterr()
    assert told.out == "" and "the pyramid isis cannot be reached from horus" in told.err


def random_map(seed: int, count: int) -> Board:
    """Places scattered on a table, joined to their neighbours by paths that do not cross."""
    rng = random.Random(seed)
    names = tuple(f"place-{n}" for n in range(count))
    spots = [(rng.random(), rng.random()) for _ in names]
    near = sorted(
        ((spots[a][0] - spots[b][0]) ** 2 + (spots[a][1] - spots[b][1]) ** 2, a, b)
        for a in range(count)
        for b in range(a)
    )
    joined: list[tuple[int, int]] = []

    def side(a: int, b: int, c: int) -> float:
        return (spots[b][0] - spots[a][0]) * (spots[c][1] - spots[a][1]) - (spots[b][1] - spots[a][1]) * (
            spots[c][0] - spots[a][0]
        )

    for _, a, b in near:
        crossed = any(
            side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0 for c, d in joined
        )
        if len(joined) < 1.6 * count and not crossed:
            joined.append((a, b))
    edges = tuple(
        Edge(names[a], names[b], tuple(rng.choice((*COLOURS, EVENT)) for _ in range(rng.randint(1, 6))))
        for a, b in joined
    )
    return Board(names[0], names[: count - 2], names[count - 2 :], edges)


@pytest.mark.parametrize("count", [1, 2, 3, 6, 10, 14])
def test_nothing_lies_on_anything_else(count: int) -> None:
    for seed in range(2):
        laid = drawn(random_map(seed, count))
        assert clashes(laid) == []
        assert [len(points) for points in laid.squares] == [len(edge.squares) for edge in laid.board.edges]
        assert set(laid.places) == set(laid.board.places)


def test_the_sample_lies_where_its_data_say_and_as_well_without() -> None:
    placed = drawn(SAMPLE)
    assert clashes(placed) == []
    spots = dict(SAMPLE.spots)
    (x, y), (u, v) = placed.places["horus"], placed.places["anubis"]
    assert y == v and u - x == pytest.approx((spots["anubis"][0] - spots["horus"][0]) * y / spots["horus"][1])
    assert clashes(drawn(SAMPLE._replace(spots=()))) == []


def test_the_same_map_is_always_drawn_the_same() -> None:
    free = random_map(3, 7)
    assert draw(free, "a", "b") == draw(free, "a", "b")


def test_the_check_of_the_drawing_sees_overlaps() -> None:
    laid = drawn(SAMPLE)
    assert clashes(Drawn(laid.board, {**laid.places, "isis": laid.places["horus"]}, laid.squares))
    together = (laid.squares[0], laid.squares[0], *laid.squares[2:])
    assert clashes(Drawn(laid.board, laid.places, together))


@pytest.mark.parametrize("spots", [{}, {"a": (1, 1), "b": (1, 1)}, {"a": (1, 1), "b": (2, 1)}])
def test_any_map_can_be_drawn(spots: dict[str, tuple[int, int]]) -> None:
    for edges in ((), (Edge("a", "b", ("water",) * 30),)):
        picture = draw(Board("", ("a", "b"), (), edges, tuple(spots.items())), "t", "b")
        ET.fromstring(picture)
    ET.fromstring(draw(Board(), "t", "b"))


# The page for owners

PAGE = Path(__file__).parents[2] / "docs" / "papyrus-map.md"


def test_the_owners_page_shows_a_map_that_is_one_and_all_the_words_of_events(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    map_part, cards = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    file = read_own(map_part + cards, "page")
    assert file.faults == ()
    found = numbers(laid("papyrus", [file]))
    shown, faults = read(
        {path: value for path, value in file.values["papyrus"].items() if path.startswith("map.")}
    )
    assert faults == () and len(shown.edges) == 3
    assert [god.letters for god in found.gods.values()][3] == ("SH", "U")
    assert [len(event.effects) for event in found.events.values()] == [1, 2]
    assert re.findall(r"^\| `(.+)` \| (.+) \|$", page, re.MULTILINE) == list(VOCABULARY.items())


def test_the_file_to_fill_in_shows_each_missing_number_as_it_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["catalog", "papyrus", "--template"]) == 0
    template = capsys.readouterr().out
    assert read_own(template, "empty").values.get("papyrus", {}) == {}
    filled = read_own(re.sub(r"^#(?=\S)", "", template, flags=re.MULTILINE), "filled")
    assert filled.faults == ()
    assert set(filled.values["papyrus"]) == set(house("papyrus").numbers)
    assert [row["name"] for row in filled.values["papyrus"]["gods"]] == ["Horus", "Amon-Ra", "Hapi"]
    found = numbers(laid("papyrus", [filled]))
    assert found.events["flood"].copies == 2 and len(found.board.edges) == 3
