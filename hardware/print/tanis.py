"""Our own tiles and action cards of Tanis.

A tile has its number on the upper half and its sign on the lower. A dark frame runs round the whole tile and is open
at the seam between the halves: so each half shows on which side its other half lies, which also tells 6 from 9 and
8 from 8 upside down, and tiles that touch are kept apart by their frames. The number half is the same for every sign.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.catalogue import Catalogue
from engines.table import Face, Kind
from hardware.print.glyphs import CARDS, SIGNS, letter, number
from hardware.print.pieces import Piece
from hardware.print.shapes import Area, Colour, Drawing, Shape, Stroke, ellipse, moved, rectangle

PAPYRUS: Colour = (226, 204, 158)
INK: Colour = (44, 30, 22)
INSET = 1.2
FRAME = 0.7
TINTS: Mapping[str, Colour] = {
    "snake": (176, 196, 130),
    "ankh": (235, 190, 96),
    "falcon": (222, 152, 122),
    "scarab": (140, 186, 196),
}
"""The ground of the sign half. The shape alone tells the sign; the tint is for the eye's comfort."""
DEEP: Mapping[str, Colour] = {
    "snake": (40, 78, 30),
    "ankh": (118, 66, 6),
    "falcon": (128, 26, 20),
    "scarab": (14, 58, 96),
}
BACKS = {"tile": "back", "card": "back-card"}
SETS: Mapping[str, tuple[Colour, Colour]] = {
    "blue": ((196, 214, 230), (24, 62, 124)),
    "red": ((240, 206, 192), (148, 26, 26)),
}
"""Ground and ink of each set of cards; the border's pattern tells the set without colour."""


def pieces(catalogue: Catalogue) -> Mapping[str, Piece]:
    """The tiles and cards of the printed set, ``back`` (of the tiles) and ``back-card``."""
    from engines.tanis.reading import layout

    table = layout(2, {})
    found = {
        face.identity: Piece(
            face.identity,
            face.kind,
            face_drawing(face, table.kind(face.kind)),
            face.copies,
            BACKS[face.kind],
        )
        for face in table.faces
    }
    for kind in table.kinds:
        found[BACKS[kind.name]] = Piece(BACKS[kind.name], kind.name, back_drawing(kind), 0, "")
    return found


def face_drawing(face: Face, kind: Kind) -> Drawing:
    """The face as shapes. Raises ValueError for a face we have no art for."""
    if len(face.labels) == 2 and face.labels[0].isdigit() and face.labels[1] in SIGNS:
        return _tile(int(face.labels[0]), face.labels[1], kind)
    colour, _, card = face.labels[0].partition("-")
    if colour in SETS and card in CARDS:
        return _card(colour, card, kind)
    raise ValueError(f"there is no art for {face.identity}: draw it in hardware/print")


def back_drawing(kind: Kind) -> Drawing:
    """A lattice in a border, the same either way up: a back tells nothing."""
    w, h = kind.width, kind.height
    ground, ink = (150, 112, 72), (92, 62, 38)
    lattice: list[Shape] = []
    step = 5.5
    for index in range(-int(h / step), int((w + h) / step) + 1):
        x = w / 2 + index * step
        lattice.append(Stroke(((x, 0), (x - h, h)), 0.5, ink))
        lattice.append(Stroke(((x - h, 0), (x, h)), 0.5, ink))
    edge = tuple(
        Area(strip, ground)
        for strip in (
            rectangle(0, 0, w, 2.2),
            rectangle(0, h - 2.2, w, 2.2),
            rectangle(0, 0, 2.2, h),
            rectangle(w - 2.2, 0, 2.2, h),
        )
    )
    border = Stroke(rectangle(2.2, 2.2, w - 4.4, h - 4.4), 0.8, ink, closed=True)
    return Drawing(w, h, ground, (*lattice, *edge, border))


def _tile(value: int, sign: str, kind: Kind) -> Drawing:
    w, h = kind.width, kind.height
    seam, gap, near, far = h / 2, 1.3, INSET, w - INSET
    upper = ((near, seam - gap), (near, INSET), (far, INSET), (far, seam - gap))
    lower = ((near, seam + gap), (near, h - INSET), (far, h - INSET), (far, seam + gap))
    shapes: tuple[Shape, ...] = (
        Area(rectangle(near, seam + gap, far - near, h - INSET - seam - gap), TINTS[sign]),
        Stroke(upper, FRAME, INK),
        Stroke(lower, FRAME, INK),
        *moved(number(value, INK), w / 2, seam / 2 + 0.5, w / 22),
        *moved(SIGNS[sign](DEEP[sign], TINTS[sign]), w / 2, seam * 1.5 + 0.1, w / 22),
    )
    return Drawing(w, h, PAPYRUS, shapes)


def _card(colour: str, card: str, kind: Kind) -> Drawing:
    ground, ink = SETS[colour]
    w, h = kind.width, kind.height
    scale = w / 32
    border = _beads(w, h, ink) if colour == "blue" else _teeth(w, h, ink)
    panel = Area(ellipse(w / 2, h * 0.47, 11.2 * scale, 13.4 * scale), (250, 246, 236))
    rim = Stroke(panel.points, 0.5, ink, closed=True)
    return Drawing(
        w,
        h,
        ground,
        (
            *border,
            panel,
            rim,
            *moved(CARDS[card](ink, ground), w / 2, h * 0.47, scale),
            *moved(letter("B", ink), w / 2, h - 7.4 * scale, scale),
        ),
    )


def _beads(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    """A line with beads on it: the blue set."""
    at, dot = 2.4, 1.0
    shapes: list[Shape] = [Stroke(rectangle(at, at, w - 2 * at, h - 2 * at), 0.4, ink, closed=True)]
    across, down = 6, 10
    spots = [(at + (w - 2 * at) * i / across, y) for i in range(across + 1) for y in (at, h - at)]
    spots += [(x, at + (h - 2 * at) * i / down) for i in range(1, down) for x in (at, w - at)]
    shapes += [Area(ellipse(x, y, dot, dot), ink) for x, y in spots]
    return tuple(shapes)


def _teeth(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    """Teeth that point inwards: the red set."""
    shapes: list[Shape] = []
    across, down, deep = 7, 11, 3.2
    for i in range(across):
        x0, x1 = w * i / across, w * (i + 1) / across
        shapes.append(Area(((x0, 0), (x1, 0), ((x0 + x1) / 2, deep)), ink))
        shapes.append(Area(((x0, h), (x1, h), ((x0 + x1) / 2, h - deep)), ink))
    for i in range(down):
        y0, y1 = h * i / down, h * (i + 1) / down
        shapes.append(Area(((0, y0), (0, y1), (deep, (y0 + y1) / 2)), ink))
        shapes.append(Area(((w, y0), (w, y1), (w - deep, (y0 + y1) / 2)), ink))
    return tuple(shapes)
