"""The plan of a table: every place in its true proportions, named once, and no words on one another or beyond the paper."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from engines import table_games
from engines.catalogue import house
from engines.table import Layout
from hardware.print import plan
from hardware.print.deck import PAPERS
from hardware.print.faces import boards
from hardware.print.lettering import width
from vision.mat import markers

TABLES = [(game.id, players) for game in table_games().values() for players in game.players]
PX = 8.0


def laid(game: str, players: int, **options: str) -> Layout:
    chosen = table_games()[game]
    return chosen.reading.layout(players, {**chosen.defaults, **options}, house(game))


class Written:
    """Every line of words on a page: what, and the room it takes (left, top, right, low in mm)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[tuple[str, tuple[float, float, float, float]]] = []
        write = plan.write

        def noted(text: str, x: float, y: float, size: float, ink: Any, *words: Any, **more: Any) -> Any:
            shapes = write(text, x, y, size, ink, *words, **more)
            points = [point for shape in shapes for point in shape.points]
            xs, ys = zip(*points, strict=True)
            self.lines.append((text, (min(xs), min(ys), max(xs), max(ys))))
            return shapes

        monkeypatch.setattr(plan, "write", noted)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_words_stand_clear_of_each_other_and_every_place_is_named(
    game: str, players: int, paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = laid(game, players)
    written = Written(monkeypatch)
    page = plan.plan_page(layout, players, paper, boards(layout, house(game)))
    high, wide = PAPERS[paper]
    assert (page.width, page.height) == (wide, high)
    for text, (left, top, right, low) in written.lines:
        assert left >= 5 and top >= 5 and right <= wide - 5 and low <= high - 5, text
    for (one, a), (other, b) in itertools.combinations(written.lines, 2):
        across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert across < 0.2 or down < 0.2, (one, other)
    said = " ".join(text for text, _ in written.lines)
    for zone in layout.zones:
        assert zone.label in said, zone.name
    assert f"for {players} players" in said or (players == 1 and "for one player" in said)


@pytest.mark.parametrize(("game", "players"), [("archaeology", 5), ("papyrus", 4), ("ankh", 5)])
def test_the_page_is_true_to_proportion(game: str, players: int, tmp_path: Path) -> None:
    """The markers are found on the printed page where the eyes want them, and the places' edges in the same scale."""
    layout = laid(game, players)
    path = tmp_path / "plan.pdf"
    plan.plan_pdf(layout, players, path, "A4", boards(layout, house(game)))
    page = pypdfium2.PdfDocument(path)[0]
    picture = np.ascontiguousarray(page.render(scale=PX * 25.4 / 72).to_numpy()[:, :, :3])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    wanted = {marker.id: marker for marker in markers(layout)}
    assert ids is not None and set(np.ravel(ids).tolist()) == set(wanted)
    seen = np.concatenate([quad.reshape(4, 2) for quad in corners]) / PX
    meant = np.concatenate([np.array(wanted[int(number)].corners) for number in np.ravel(ids)])
    spread_seen, spread_meant = np.ptp(seen, 0), np.ptp(meant, 0)
    share = spread_seen / spread_meant
    assert share[0] == pytest.approx(share[1], rel=0.01)
    offset = seen.mean(0) - meant.mean(0) * share
    dark = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) < 215
    for zone in layout.zones:
        for x in (zone.x, zone.x + zone.width):
            at = (np.array([x, zone.y + zone.height / 2]) * share + offset) * PX
            column, row = np.round(at).astype(int)
            tall = round(zone.height * share[1] * PX * 0.4)
            strip = dark[row - tall : row + tall, column - 5 : column + 6]
            assert strip.mean(0).max() > 0.95, (zone.name, x)


def test_whose_place_it_is() -> None:
    assert plan.seat("archaeology", "sold-2") == 2 and plan.seat("ankh", "row-5") == 5
    assert plan.seat("archaeology", "market-2") is None and plan.seat("papyrus", "board") is None


def test_lengths_are_those_of_a_ruler() -> None:
    assert [plan.cm(mm) for mm in (40.0, 445.0, 9.0, 236.0, 117.5)] == ["4", "44.5", "1", "23.5", "12"]
    assert width(plan.cm(445.0), 1.7) > 0


def test_other_rules_move_places() -> None:
    ruins = laid("archaeology", 2, monument="buried-ruins")
    assert ruins.loose and not laid("archaeology", 2).loose
    assert plan.plan_page(ruins, 2) != plan.plan_page(laid("archaeology", 3), 3)
