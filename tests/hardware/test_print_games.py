"""The cards of all games: named as the engines name them, told apart small, in grey and by those who see fewer colours, drawn from data."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from engines.ankh.numbers import compiled
from engines.archaeology.numbers import FACES, MONUMENTS
from engines.catalogue import MissingNumbers, house, override, shipped
from engines.papyrus.numbers import numbers
from hardware.print.faces import GAMES, draw_face, faces, pictures, printed, sizes
from hardware.print.raster import raster

CARDS = ("ankh", "archaeology", "papyrus")
SEEN: Mapping[str, np.ndarray] = {
    # Linear RGB as seen without one of the three cones (Machado, Oliveira and Fernandes 2009, severity 1).
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


@cache
def shown(game: str) -> Mapping[str, np.ndarray]:
    """All faces of a game at 2 px per mm."""
    return pictures(game, 2.0)


def by(picture: np.ndarray, eye: str) -> np.ndarray:
    """The picture, 60 px high, as somebody sees it: (60, width, channels) float, linear for the colour-blind."""
    width = max(1, round(picture.shape[1] * 60 / picture.shape[0]))
    small = cv2.resize(picture, (width, 60), interpolation=cv2.INTER_AREA)
    if eye == "grey":
        return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)[:, :, None].astype(float)
    rgb = (small[:, :, ::-1] / 255.0) ** 2.2
    return np.asarray(np.clip(rgb @ SEEN[eye].T, 0, 1) ** (1 / 2.2), float)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Correlation of two pictures of one size; -1 for different ones."""
    if a.shape != b.shape:
        return -1.0
    first, second = a - a.mean((0, 1)), b - b.mean((0, 1))
    return float((first * second).sum() / np.sqrt((first**2).sum() * (second**2).sum()))


def identities(game: str) -> set[str]:
    """What the engine calls the pieces that lie on a table."""
    if game == "ankh":
        return set(compiled(house("ankh")).counts)
    if game == "archaeology":
        return {*FACES, "thief", "sandstorm", "tent", *MONUMENTS}
    known = numbers(house("papyrus"))
    return {*known.cards, *known.letters, *known.gods, *known.events, "scarab"}


@pytest.mark.parametrize("game", CARDS)
def test_faces_are_the_pieces_of_the_engine_and_backs(game: str) -> None:
    known = faces(game)
    backs = {name for name, piece in known.items() if not piece.copies}
    assert set(known) - backs == identities(game)
    assert "back" in backs and all(name.split("-")[0] == "back" for name in backs)
    for name, piece in known.items():
        assert piece.identity == name
        assert piece.back in backs if piece.copies else piece.back == ""
        if piece.copies:
            behind = known[piece.back].drawing
            assert (behind.width, behind.height) == (piece.drawing.width, piece.drawing.height)
            assert known[piece.back].kind == piece.kind


def test_the_box_is_complete() -> None:
    def held(game: str, kind: str) -> int:
        return sum(piece.copies for piece in faces(game).values() if piece.kind == kind)

    assert held("ankh", "card") == 90
    assert held("archaeology", "card") == 85 + 10 + 6
    assert (held("archaeology", "tent"), held("archaeology", "monument")) == (5, 6)
    assert [held("papyrus", kind) for kind in ("card", "god", "event", "letter", "scarab")] == [
        110,
        36,
        40,
        300,
        75,
    ]
    assert (held("tanis", "tile"), held("tanis", "card")) == (40, 12)


@pytest.mark.parametrize("game", GAMES)
def test_pictures_have_the_size_of_the_pieces_at_any_scale(game: str) -> None:
    measures = sizes(game)
    for px_per_mm, seen in ((2.0, shown(game)), (0.7, pictures(game, 0.7))):
        assert seen.keys() == measures.keys()
        for name, picture in seen.items():
            width, height = measures[name]
            assert picture.shape == (round(height * px_per_mm), round(width * px_per_mm), 3), name
            assert picture.dtype == np.uint8


def nearest(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> tuple[float, str, str]:
    """The greatest likeness between pictures of different names, and the names."""
    found = (-1.0, "", "")
    for shape in {picture.shape for picture in one.values()}:
        sides = []
        for pictures_ in (one, other):
            names = [name for name, picture in pictures_.items() if picture.shape == shape]
            flat = np.array([(pictures_[name] - pictures_[name].mean((0, 1))).ravel() for name in names])
            sides.append((names, flat / np.linalg.norm(flat, axis=1, keepdims=True) if names else flat))
        (rows, left), (columns, right) = sides
        if rows and columns:
            table = left @ right.T
            table[np.array(rows)[:, None] == np.array(columns)[None]] = -1.0
            row, column = np.unravel_index(int(table.argmax()), table.shape)
            found = max(found, (float(table[row, column]), rows[row], columns[column]))
    return found


@pytest.mark.parametrize("eye", ["grey", *SEEN])
@pytest.mark.parametrize("game", CARDS)
def test_faces_are_told_apart_at_60_px(game: str, eye: str) -> None:
    small = {name: by(picture, eye) for name, picture in shown(game).items()}
    worst = nearest(small, small)
    assert 0.5 < worst[0] < 0.96, worst
    # The other way up nothing looks like anything else, so a card that lies upside down is no other card.
    turned = {name: picture[::-1, ::-1] for name, picture in small.items() if not name.startswith("back")}
    worst = nearest(small, turned)
    assert worst[0] < 0.7, worst


@pytest.mark.parametrize("game", CARDS)
def test_a_face_has_an_upright_and_a_back_has_none(game: str) -> None:
    for name, picture in shown(game).items():
        small = by(picture, "grey")
        if name == "scarab":  # a token, which lies as it falls
            continue
        itself = likeness(small, small[::-1, ::-1])
        assert itself > 0.75 if name.startswith("back") else itself < 0.75, (name, itself)


@pytest.mark.parametrize("game", CARDS)
def test_all_faces_of_a_game_are_drawn_in_two_seconds(game: str) -> None:
    pictures(game, 1.0)  # modules and the paper's fibre
    start = time.process_time()
    pictures(game, 4.0)
    assert time.process_time() - start < 2.0


def test_the_same_bytes_every_time() -> None:
    piece = faces("papyrus")["sekhmet"]
    assert np.array_equal(printed(piece.drawing, 3.0), printed(piece.drawing, 3.0))


@pytest.mark.parametrize("game", CARDS)
def test_every_card_has_an_edge_of_paper(game: str) -> None:
    """What is cut a little wrong shows no neighbour: along the edge all pieces of a kind are the same."""
    by_kind: dict[str, set[tuple[int, ...]]] = {}
    for piece in faces(game).values():
        picture = raster(piece.drawing, 2.0)
        rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
        by_kind.setdefault(piece.kind, set()).update(map(tuple, np.unique(rim, axis=0)))
    assert all(len(colours) == 1 for colours in by_kind.values()), by_kind


def test_draw_face_draws_what_a_layout_names() -> None:
    from engines.ankh.zones import layout

    table = layout(3, {})
    drawn = {face.identity: draw_face(face, table.kind(face.kind), 1.0, "ankh") for face in table.faces}
    assert {"back", "green-5"} < drawn.keys()
    assert {picture.shape for picture in drawn.values()} == {(88, 63, 3)}
    with pytest.raises(ValueError, match="no art for green-5"):
        draw_face(table.face("green-5"), table.kind("card"), 1.0, "archaeology")


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(ValueError, match=r"no art for chess.*tanis, archaeology, ankh, papyrus"):
        faces("chess")


# The numbers on the cards are those of the catalogue


def test_missing_numbers_are_named() -> None:
    with pytest.raises(MissingNumbers, match=r"treasures\.tablet\.trade"):
        faces("archaeology", shipped("archaeology"))
    with pytest.raises(MissingNumbers, match="letters"):
        faces("papyrus", shipped("papyrus"))
    broken = override(house("papyrus"), {"letters": {"A": 3}}, "own", "test")
    with pytest.raises(MissingNumbers, match="bag holds 300"):
        faces("papyrus", broken)
    short = override(house("ankh"), {"mummies.red": [1, 2]}, "own", "test")
    with pytest.raises(MissingNumbers, match=r"mummies\.red"):
        faces("ankh", short)


def test_prices_and_counts_are_the_owners() -> None:
    own = override(
        house("archaeology"),
        {"treasures.coin.sell": [2, 6, 10, 18, 30], "treasures.cup.trade": 9, "thieves.4": 7},
        "own",
        "test",
    )
    before, after = faces("archaeology"), faces("archaeology", own)
    changed = {name for name in before if before[name].drawing != after[name].drawing}
    assert changed == {"coin", "cup", "thief"}


@pytest.mark.parametrize(
    "prices", [[7], [1, 2], list(range(1, 10)), [100, 200, 999], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
)
def test_any_prices_stand_inside_the_card(prices: list[int]) -> None:
    own = override(house("archaeology"), {"treasures.map.sell": prices}, "own", "test")
    drawing = faces("archaeology", own)["map"].drawing
    rim = raster(drawing, 3.0)[:, :4]
    assert len(np.unique(rim.reshape(-1, 3), axis=0)) == 1


def test_an_owners_papyri_are_drawn() -> None:
    cards = list(house("ankh")["papyri.cards"])
    cards[0], cards[1] = "red-blue-yellow-green-14", "red-blue-yellow-green-1"
    own = override(house("ankh"), {"papyri.cards": cards, "papyri.points": [3, 2, -1, -5]}, "own", "test")
    known = faces("ankh", own)
    assert {"red-blue-yellow-green-14", "red-blue-yellow-green-1"} < known.keys()
    assert known["yellow-green-blue-red-5"].drawing != faces("ankh")["yellow-green-blue-red-5"].drawing


def test_an_owners_gods_letters_and_events_are_drawn() -> None:
    letters = {**house("papyrus")["letters"], "SH": 3, "Ő": 2, "Ж": 4}
    letters["E"] -= 9
    gods = [
        {"name": "Ősi Úr", "value": 999, "letters": ["Ő", "SH", "Ж"], "pyramid": "horus"},
        {"name": "Light", "value": 1, "letters": "IS", "pyramid": "isis"},
        {"name": "Back", "value": 2, "letters": "AMONRAAMONRAAMON", "pyramid": "isis", "son": True},
        *house("papyrus")["gods"][:33],
    ]
    effects = [
        "draw 4 gods", "gain 30 scarabs", "take 2 hieroglyphs from a player", "lose 3 scarabs", "swap 2 cards with a player",
        "move to amon-ra", "move anywhere", "skip 3 turns", "points +30", "points -1", "as agreed at the table",
    ]  # fmt: skip
    events = [{"name": f"Event {number}", "effects": [text]} for number, text in enumerate(effects)]
    events += [{"name": "Isis", "effects": effects[:5]}, {"name": "A", "effects": effects[5:7], "copies": 28}]
    own = override(house("papyrus"), {"letters": letters, "gods": gods, "events": events}, "own", "test")
    known = faces("papyrus", own)
    assert {
        "SH",
        "Ő",
        "Ж",
        "ősi-úr",
        "light",
        "god-light",
        "god-back",
        "event-isis",
        "event-a",
        "A",
        "isis",
    } < known.keys()
    assert sum(piece.copies for piece in known.values() if piece.kind == "letter") == 300
    assert known["event-a"].copies == 28 and known["god-back"].back == "back-god"
    seen = {name: by(printed(known[name].drawing, 2.0), "grey") for name in ("SH", "Ő", "Ж", "S", "H", "O")}
    assert max(likeness(seen[a], seen[b]) for a, b in itertools.combinations(seen, 2)) < 0.95
    folded = [name.casefold() for name in known]
    assert len(set(folded)) == len(folded), "each can be a file of its own on any disk"


def test_gods_nobody_knows_look_different() -> None:
    from hardware.print.gods import parts

    found = {parts(f"god-{number}") for number in range(60)}
    assert len(found) > 45
