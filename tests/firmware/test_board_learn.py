"""An owner's board learned from photos and clicks: the picture, the squares' places, the paint of the figures."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engines.papyrus.plan import plan
from engines.papyrus.zones import BOARD
from engines.table import Table
from firmware.cli import main
from firmware.commands.boardlearn import LearnError, read_clicks
from hardware.clock import SimulatedClock
from hardware.print.raster import raster
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.optics import Optics
from hardware.simulated.table import SimulatedTable
from tests.boards import HOUSE, LAYOUT, drawing, standing, table
from vision.eyes import Eyes
from vision.gallery import Gallery

SIZE = (2304, 1296)
ZONE = LAYOUT.zone(BOARD)
SQUARES = {one.name: one for one in plan(HOUSE).squares}


def photo(folder: Path) -> tuple[Path, np.ndarray]:
    """The empty board askew on a table, and the way from mm on it to px."""
    art = raster(drawing(), 3.0)
    seen = np.array([[310, 140], [1980, 220], [2090, 1180], [190, 1090]], np.float32)
    wide, high = ZONE.width, ZONE.height
    to_photo = cv2.getPerspectiveTransform(
        np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32), seen
    )
    from_art = to_photo @ np.diag([1 / 3.0, 1 / 3.0, 1.0])
    picture = cv2.warpPerspective(art, from_art, SIZE, borderValue=(60, 90, 120))
    path = folder / "board.jpg"
    cv2.imwrite(str(path), picture)
    return path, to_photo


def at(way: np.ndarray, x: float, y: float) -> str:
    (spot,) = cv2.perspectiveTransform(np.array([[[x, y]]], np.float64), way)[0]
    return f"{spot[0]:.1f} {spot[1]:.1f}"


def corners(way: np.ndarray) -> str:
    ends = ((0, 0), (ZONE.width, 0), (ZONE.width, ZONE.height), (0, ZONE.height))
    return "".join(f"corner {at(way, *end)}\n" for end in ends)


def learn(*words: str | Path) -> int:
    return main(["board", "learn", *map(str, words)])


def test_a_board_is_learned_from_a_photo_and_clicks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, way = photo(tmp_path)
    lines = "".join(
        f"square {name} {at(way, one.x, one.y)}\n" for name, one in SQUARES.items() if name != "nut"
    )
    clicks = tmp_path / "board.txt"
    clicks.write_text(f"size {ZONE.width} {ZONE.height}\n{corners(way)}{lines}")
    assert learn(path, "--clicks", clicks, "--gallery", tmp_path / "gallery", "--numbers", "house") == 0
    said = capsys.readouterr().out
    assert "Not told yet, so no pawn is seen there: nut" in said
    told = tomllib.loads(
        "[papyrus.map]\n" + said.partition("[papyrus.map]\n")[2].rpartition("]\n")[0] + "]\n"
    )
    spots = {
        line.split()[0]: [float(n) for n in line.split()[1:]] for line in told["papyrus"]["map"]["squares"]
    }
    assert set(spots) == set(SQUARES) - {"nut"}
    for name, (x, y) in spots.items():
        assert np.hypot(x - SQUARES[name].x, y - SQUARES[name].y) < 0.8
    kept = Gallery.load(tmp_path / "gallery").pictures[BOARD]
    art = cv2.resize(raster(drawing(), 4.0), kept.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.median(np.abs(kept.astype(int) - art)) < 6  # the right way up, cut along its edges


def test_paint_is_learned_from_a_photo_with_figures_and_read_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gallery = tmp_path / "gallery"
    path, way = photo(tmp_path)
    clicks = tmp_path / "board.txt"
    clicks.write_text(f"size {ZONE.width} {ZONE.height}\n{corners(way)}")
    assert learn(path, "--clicks", clicks, "--gallery", gallery, "--numbers", "house") == 0

    # Every figure stands somewhere, in other light than the empty board was in.
    from engines.dealing import Placed

    spots = zip(LAYOUT.figures, (name for name in SQUARES if not name.startswith("event-")), strict=False)
    placed = [Placed(figure.identity, BOARD, square=square) for figure, square in spots]
    made = SimulatedTable(LAYOUT, placed, 1, {BOARD: drawing()})
    made.lay_out()
    lamp = Conditions(light=0.7, warmth=0.6, gradient=(0.1, -0.1))
    camera = SimulatedCamera(made, SimulatedClock(), SIZE, 1, lamp)
    optics = Optics.above(LAYOUT, SIZE, 1, lamp)
    cv2.imwrite(str(tmp_path / "figures.png"), camera.capture(0).picture)

    def seen(x: float, y: float, z: float = 0.0) -> str:
        (spot,) = optics.project([(x, y, z)])
        return f"{spot[0]:.1f} {spot[1]:.1f}"

    left, top, right, low = ZONE.x, ZONE.y, ZONE.x + ZONE.width, ZONE.y + ZONE.height
    lines = [f"corner {seen(*end)}" for end in ((left, top), (right, top), (right, low), (left, low))]
    lines += [
        f"figure {body.identity} {seen(body.x, body.y, body.kind.thickness * 0.6)}"
        for body in made.within(BOARD)
    ]
    clicks.write_text("\n".join(lines))
    assert learn(tmp_path / "figures.png", "--clicks", clicks, "--gallery", gallery) == 0
    assert "knows the paint of" in capsys.readouterr().out

    eyes = Eyes(LAYOUT, Gallery.load(gallery).fitted(LAYOUT))
    right = filled = 0
    for seed in (7,):
        other = table(seed)
        picture = SimulatedCamera(other, SimulatedClock(), SIZE, seed).capture(0).picture
        eyes.forget()
        look = eyes.read(picture, Table())
        assert look.table is not None, look.fault
        for square, there in standing(other).items():
            pieces = [piece for piece in look.table.pieces if piece.square == square]
            told = sorted(piece.identity for piece in pieces if piece.identity)
            assert set(told) <= set(there), (square, there, told)
            filled, right = filled + 1, right + (told == there)
    assert right >= 0.9 * filled


def test_the_page_asks_for_every_square_and_needs_no_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = photo(tmp_path)
    out = tmp_path / "click.html"
    assert learn(path, "--page", out, "--numbers", "house") == 0
    assert "--clicks board.txt" in capsys.readouterr().out
    text = out.read_text()
    assert all(f'"square {name}"' in text for name in SQUARES) and text.count('"corner"') >= 4
    assert not re.search(r"https?://|src=\"(?!data:)", text)
    assert learn(path, "--page", out, "--figures", "--numbers", "house") == 0
    assert all(f'"figure {figure.identity}"' in out.read_text() for figure in LAYOUT.figures)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("corner 1 1\n" * 3, "3 corners"),
        ("corner 1 1\ncornr 2 2\n", "line 2: 'cornr 2 2'"),
        ("size 60 40\n" + "corner 1 1\n" * 4, "in mm"),
        ("square horus 1\n", "line 1"),
    ],
)
def test_a_fault_in_the_clicks_is_told_by_its_line(text: str, told: str) -> None:
    with pytest.raises(LearnError, match=re.escape(told)):
        read_clicks(text, "board.txt")


def test_what_cannot_be_is_refused_and_nothing_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, way = photo(tmp_path)
    clicks, gallery = tmp_path / "board.txt", tmp_path / "gallery"
    four = corners(way).splitlines()
    for text, told in (
        ("\n".join(four), "how large is the board"),
        ("size 576 336\n" + "\n".join(four[::-1]), "wrong way"),
        ("size 576 336\n" + "\n".join([*four, "square horus 3 3"]), "horus lies outside"),
        ("size 1900 1500\n" + "\n".join(four), "too small in this photo"),
    ):
        clicks.write_text(text)
        assert learn(path, "--clicks", clicks, "--gallery", gallery) == 2
        said = capsys.readouterr().err
        assert told in said and "Traceback" not in said
    clicks.write_text("\n".join([*four, "figure pawn-red 300 300"]))
    assert learn(path, "--clicks", clicks, "--gallery", gallery) == 2
    assert "learn the empty board first" in capsys.readouterr().err
    assert not gallery.exists()
    assert learn(path) == 2 and "--page" in capsys.readouterr().err
    assert learn(tmp_path / "none.jpg", "--page", tmp_path / "x.html") == 2


def test_an_own_board_is_played_on_with_the_printed_cards(tmp_path: Path) -> None:
    from engines.papyrus.zones import layout
    from firmware import service
    from firmware.settings import Settings
    from vision.gallery import enrol

    own = np.full((round(2 * ZONE.height), round(2 * ZONE.width), 3), 140, np.uint8)
    enrol(tmp_path / "mine" / "papyrus", {BOARD: own}, game="papyrus")
    settings = Settings({"gallery": str(tmp_path / "mine")})
    table = replace(layout(2, {}, HOUSE), faces=layout(2, {}, HOUSE).faces[:2])
    found = service._gallery(settings, tmp_path, table, lambda text: None)
    assert np.array_equal(found.pictures[BOARD], own)
    assert {"pawn-red", *(face.identity for face in table.faces)} <= set(found.pictures)
