"""A plan of a table on one page: where everything lies, in true proportions, with distances to be measured by ruler or by hand.

For a table without a mat it is the only print there is; for one with a mat it shows what the mat shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engines.table import Layout, Zone
from hardware.print.deck import INK, PAPERS, TITLES
from hardware.print.document import Page, write_document
from hardware.print.lettering import width, wrapped, write
from hardware.print.mat import marker_shapes
from hardware.print.shapes import Area, Colour, Drawing, Shape, Stroke, ellipse, moved, rectangle
from vision.mat import LOOSE_IN, LOOSE_OUT, LOOSE_ROUGH, LOOSE_SIZE, broad, markers

OWNED: Mapping[str, tuple[str, ...]] = {
    "tanis": ("tiles", "cards"),
    "archaeology": ("sold", "museum", "tent"),
    "ankh": ("row",),
    "papyrus": ("scroll",),
}
"""Zones of which each player has one; their number is the seat's."""
SHARED: Colour = (240, 234, 220)
OWN: Colour = (222, 232, 236)
CARD: Colour = (250, 248, 242)
EDGE: Colour = (168, 154, 132)
SOFT: Colour = (112, 100, 84)
HOW = {
    "row": "in a row: each over a part of the one before",
    "free": "side by side, none on another",
    "pile": "one on another: of a pile only the top counts",
}
CORNERS = ("far left", "far right", "near left", "near right")
_TEXT = 17.0
"""Room that words need beside pieces, mm on the page."""
_SIDE, _TOP, _FOOT = 10.0, 24.0, 38.0
"""Room of the page that is not the table's: beside, above, below (mm)."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """From mm on the table to mm on the page."""

    left: float
    top: float
    share: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.share, self.top + y * self.share

    def box(self, x: float, y: float, wide: float, high: float) -> tuple[tuple[float, float], ...]:
        return rectangle(*self.at(x, y), wide * self.share, high * self.share)


def plan_page(
    layout: Layout, players: int, paper: str = "A4", boards: Mapping[str, Drawing] | None = None
) -> Page:
    """The plan on a page of the paper, landscape. ``boards``: what is printed on the layout's boards, by zone."""
    high, wide = PAPERS[paper]
    unit = wide / PAPERS["A4"][1]
    reach = _reach(layout)
    room = wide - 2 * _SIDE * unit - 8 * unit, high - (_TOP + _FOOT) * unit
    share = min(room[0] / (layout.width + 2 * reach[0]), room[1] / (layout.height + 2 * reach[1]))
    scale = _Scale(
        (wide + 8 * unit - layout.width * share) / 2,
        _TOP * unit + (room[1] - layout.height * share) / 2 + 1.5 * unit,
        share,
    )
    shapes: list[Shape] = []
    shapes += write(_title(layout, players), _SIDE * unit, 9 * unit, 4.6 * unit, INK, "left")
    shapes += write(
        _size(layout), _SIDE * unit, 16.5 * unit, 2.5 * unit, SOFT, "left", room=wide - 2 * _SIDE * unit
    )
    shapes += _rulers(layout, scale, unit)
    for zone in layout.zones:
        shapes += _zone(zone, layout, scale, unit, (boards or {}).get(zone.name))
    shapes += _corners(layout, scale, unit)
    shapes += _legend(layout, _SIDE * unit, high - (_FOOT - 9) * unit, wide, unit)
    return Page(wide, high, (), tuple(shapes))


def plan_pdf(
    layout: Layout, players: int, path: Path, paper: str = "A4", boards: Mapping[str, Drawing] | None = None
) -> None:
    """Write the plan as a PDF. Raises OSError if the file cannot be written."""
    page = plan_page(layout, players, paper, boards)
    write_document([page], path, f"Thoth: {_title(layout, players)}")


def _title(layout: Layout, players: int) -> str:
    many = "one player" if players == 1 else f"{players} players"
    return f"{TITLES.get(layout.game, layout.game)} for {many}: where everything lies"


def seat(game: str, zone: str) -> int | None:
    """Whose place it is, counted from 1; None for one that all share."""
    found = re.fullmatch(r"(.+)-(\d+)", zone)
    return int(found[2]) if found and found[1] in OWNED.get(game, ()) else None


def _reach(layout: Layout) -> tuple[float, float]:
    """So much room the markers need beyond what is played on, mm: beside it, and above and below."""
    beyond = LOOSE_OUT + LOOSE_SIZE / 2 + 20.0
    if not layout.loose:
        return 8.0, 8.0
    return (14.0, beyond) if broad(layout) else (beyond, 14.0)


def cm(mm: float) -> str:
    """A length as a ruler shows it, to half a cm."""
    halves = round(mm / 5)
    return f"{halves // 2}.5" if halves % 2 else f"{halves // 2}"


def _size(layout: Layout) -> str:
    played = f"{cm(layout.width)} x {cm(layout.height)} cm"
    if not layout.loose:
        return f"All this is printed on the mat, {played}: thoth print mat {layout.game}"
    beyond = 2 * (LOOSE_OUT + LOOSE_SIZE / 2 + 10)
    wide, high = (
        (layout.width, layout.height + beyond) if broad(layout) else (layout.width + beyond, layout.height)
    )
    return f"Played on {played}; with the corner markers the camera must see {cm(wide)} x {cm(high)} cm"


def _rulers(layout: Layout, scale: _Scale, unit: float) -> Iterator[Shape]:
    """What is played on, with a ruler in cm along the far and the left edge."""
    yield Stroke(scale.box(0, 0, layout.width, layout.height), 0.25 * unit, EDGE, closed=True)
    for along, length in ((True, layout.width), (False, layout.height)):
        for centimetre in range(int(length // 10) + 1):
            tall = (2.4 if centimetre % 10 == 0 else 1.6 if centimetre % 5 == 0 else 0.9) * unit
            x, y = scale.at(10.0 * centimetre, 0) if along else scale.at(0, 10.0 * centimetre)
            end = (x, y - tall) if along else (x - tall, y)
            yield Stroke(((x, y), end), 0.12 * unit, SOFT)
            covered = along and any(
                abs(marker.x - 10 * centimetre) < marker.size / 2 + 8 and marker.y < 0
                for marker in markers(layout)
            )
            inside = layout.loose and not broad(layout) and not along
            if centimetre % 10 == 0 and not covered and (centimetre or not inside):
                # Markers lie close to the left edge, or close to the far one: numbers stand where none are.
                beside = (x + 3 * unit, y) if inside else (x - 4.4 * unit, y)
                yield from write(str(centimetre), *((x, y - 4 * unit) if along else beside), 1.7 * unit, SOFT)


def _zone(zone: Zone, layout: Layout, scale: _Scale, unit: float, board: Drawing | None) -> Iterator[Shape]:
    owner = seat(layout.game, zone.name)
    x, y = scale.at(zone.x, zone.y)
    wide, high = zone.width * scale.share, zone.height * scale.share
    if board is not None:
        share = scale.share * zone.width / board.width
        yield Area(rectangle(x, y, wide, high), board.ground)
        yield from moved(board.shapes, x, y, share)
        yield Stroke(rectangle(x, y, wide, high), 0.3 * unit, INK, closed=True)
        plate = width(zone.label, 3 * unit) + 6 * unit
        yield Area(
            rectangle(x + wide / 2 - plate / 2, y + high / 2 - 6 * unit, plate, 11 * unit), (255, 255, 255)
        )
    else:
        yield Area(rectangle(x, y, wide, high), SHARED if owner is None else OWN)
        yield from _lying(zone, layout, scale, unit)
        dashed = 0.3 if owner is None else 0.45
        yield Stroke(rectangle(x, y, wide, high), dashed * unit, SOFT if owner is None else INK, closed=True)
    left, room = _room(zone, layout, _TEXT * unit / scale.share)
    middle = scale.at(left + room / 2, 0)[0]
    yield from _words(zone, middle, y + high / 2, room * scale.share - 2.5 * unit, unit)
    if owner is not None:
        yield Area(ellipse(x + 3.4 * unit, y + 3.4 * unit, 2.4 * unit, 2.4 * unit), INK)
        yield from write(str(owner), x + 3.4 * unit, y + 3.4 * unit, 2.4 * unit, (255, 255, 255))


def _words(zone: Zone, x: float, y: float, room: float, unit: float) -> Iterator[Shape]:
    """What lies there, where it begins and, where it is larger than a piece, how large it is; about (x, y) mm on the page."""
    big, small = 2.5 * unit, 1.7 * unit
    lines = (zone.label,) if width(zone.label, big) <= room else wrapped(zone.label, big, room)
    sized = zone.form != "pile"
    y -= (3.6 * (len(lines) - 1) + 4.2 + 3.2 * sized) / 2 * unit
    for line in lines:
        yield from write(line, x, y, big, INK, room=room)
        y += 3.6 * unit
    y += 0.6 * unit
    yield from _place(zone, x, y, small, room)
    if sized:
        size = f"{cm(zone.width)} x {cm(zone.height)} cm"
        yield from write(size, x, y + 3.2 * unit, small, SOFT, room=room)


def _place(zone: Zone, x: float, y: float, size: float, room: float) -> Iterator[Shape]:
    """How far from the left and the far edge, each with its arrow."""
    across, down = cm(zone.x), cm(zone.y)
    gap, arrow = 0.9 * size, 1.5 * size
    whole = 2 * arrow + 3.2 * gap + width(across, size) + width(down, size)
    if whole > room:
        share = room / whole
        size, gap, arrow, whole = size * share, gap * share, arrow * share, room
    at = x - whole / 2
    yield from _arrow((at, y), (at + arrow, y), size)
    at += arrow + gap
    yield from write(across, at, y, size, SOFT, "left")
    at += width(across, size) + 2.2 * gap
    yield from _arrow((at, y - arrow / 2), (at, y + arrow / 2), size)
    yield from write(down, at + gap, y, size, SOFT, "left")


def _arrow(start: tuple[float, float], end: tuple[float, float], size: float) -> Iterator[Shape]:
    yield Stroke((start, end), 0.12 * size, SOFT)
    (x, y), back = end, 0.38 * size
    flat = start[1] == end[1]
    ends = (
        ((x - back, y - back), (x - back, y + back)) if flat else ((x - back, y - back), (x + back, y - back))
    )
    yield Stroke((ends[0], end, ends[1]), 0.12 * size, SOFT)


def _spread(zone: Zone, layout: Layout, text: float) -> tuple[float, float, int]:
    """How pieces lie there: from the zone's left edge to the first, from one to the next (mm), how many are drawn. ``text``: mm that words
    need beside them."""
    kind = layout.kind(zone.kinds[0])
    if zone.form == "pile":
        return (zone.width - kind.width) / 2, 0.0, 1
    step = 0.34 * kind.width if zone.form == "row" else kind.width + 4.0
    fitting = [
        count
        for count in (3, 2, 1)
        if 3.0 + (count - 1) * step + kind.width + (text if zone.form == "free" else 0.0) < zone.width
    ]
    return 3.0, step, fitting[0] if fitting else 0


def _room(zone: Zone, layout: Layout, text: float) -> tuple[float, float]:
    """Where words stand in a zone: from where on, and how much room there is (mm). Beside its pieces, or on the uppermost."""
    if zone.form in ("stack", "squares", "pile"):
        return zone.x, zone.width
    left, step, count = _spread(zone, layout, text)
    kind = layout.kind(zone.kinds[0])
    last = zone.x + left + (count - 1) * step
    beside = zone.x + zone.width - last - kind.width
    if count == 0:
        return zone.x, zone.width
    return (last + kind.width, beside) if beside >= text else (last, kind.width)


def _lying(zone: Zone, layout: Layout, scale: _Scale, unit: float) -> Iterator[Shape]:
    """Pieces as they lie there, in their true size: some over one another, some side by side, or one pile."""
    if zone.form in ("stack", "squares"):
        return
    kind = layout.kind(zone.kinds[0])
    off, step, count = _spread(zone, layout, _TEXT * unit / scale.share)
    left, top = zone.x + off, zone.y + (zone.height - kind.height) / 2
    if zone.form == "pile":
        for behind in (4.0, 2.0):
            if top - behind > zone.y and left + behind + kind.width < zone.x + zone.width:
                box = scale.box(left + behind, top - behind, kind.width, kind.height)
                yield Area(box, CARD)
                yield Stroke(box, 0.12 * unit, EDGE, closed=True)
    for index in range(count):
        box = scale.box(left + index * step, top, kind.width, kind.height)
        yield Area(box, CARD)
        yield Stroke(box, 0.15 * unit, EDGE, closed=True)


def _corners(layout: Layout, scale: _Scale, unit: float) -> Iterator[Shape]:
    for marker in markers(layout):
        yield from moved(marker_shapes(marker, 0.0), scale.left, scale.top, scale.share)
        if layout.loose:
            name = CORNERS[markers(layout).index(marker)]
            if broad(layout):
                x, y = scale.at(marker.x + marker.size / 2, marker.y)
                yield from write(name, x + 1.6 * unit, y, 1.7 * unit, INK, "left")
                continue
            x, y = scale.at(marker.x, marker.y + marker.size / 2)
            for row, word in enumerate(name.split()):
                yield from write(word, x, y + (2.2 + 3.0 * row) * unit, 1.7 * unit, INK)
    x, y = scale.at(layout.width / 2, layout.height)
    yield from write("near side: who reads this sits here", x, y + 3.4 * unit, 1.7 * unit, SOFT)


def _legend(layout: Layout, x: float, y: float, wide: float, unit: float) -> Iterator[Shape]:
    """What the signs mean, in two columns, and a bar that says how long 10 cm of the table are."""
    forms = dict.fromkeys(zone.form for zone in layout.zones)
    told = ["Arrows: so many cm from the left and from the far edge to where the place begins."]
    if any(seat(layout.game, zone.name) for zone in layout.zones):
        told.append("A black number: the place of that player. All others are everybody's.")
    if pawns := [one.identity.removeprefix("pawn-") for one in layout.figures if one.kind == "pawn"]:
        colours = ", ".join(f"{number} {colour}" for number, colour in enumerate(pawns, 1))
        told.append(f"Colours of the players: {colours}.")
    if layout.loose:
        told.append("No ruler? A card is 6.5 cm wide and 9 cm long, about the breadth of a hand.")
    other = [f"{_where(layout, form)}: {HOW[form]}." for form in forms if form in HOW]
    if layout.loose:
        edge = "far or the near" if broad(layout) else "left or the right"
        other.insert(
            0,
            f"Corner markers (thoth print corners): the middle of each {cm(LOOSE_OUT)} cm outside the {edge} edge, {cm(LOOSE_IN)} cm "
            f"from the corner. {cm(LOOSE_ROUGH)} cm more or less do no harm; nothing may lie on them.",
        )
    half = wide / 2 - x
    for column, texts in enumerate((told, other)):
        at = y
        for text in texts:
            for line in wrapped(text, 1.9 * unit, half - 6 * unit):
                yield from write(line, x + column * half, at, 1.9 * unit, INK, "left", weight=0.13)
                at += 3.5 * unit
            at += 0.9 * unit


def _where(layout: Layout, form: str) -> str:
    names = dict.fromkeys(re.sub(r" \d+$", "", zone.label) for zone in layout.zones if zone.form == form)
    return ", ".join(names)
