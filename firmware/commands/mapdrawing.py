"""A map of Papyrus as an SVG picture: what one would show a friend before playing on it.

Every square carries the first letter of its symbol, so that nobody has to tell colours apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from xml.sax.saxutils import escape

from engines.papyrus.board import COLOURS, EVENT, Board
from engines.papyrus.maplayout import Drawn, Point, drawn, half

SCALE = 34
"""Pixels for a square with its gap."""
SIDE = 30
"""Pixels of a square's side."""
MARGIN = 46
TITLE = 92
LEGEND = 96

INK = "#3a2a18"
PAPER = "#f7edd6"
FACES = {
    "light": ("#f5c93b", "#2b2006"),
    "dark": ("#33302e", "#ffffff"),
    "nature": ("#4f9a4a", "#ffffff"),
    "water": ("#2f7cc0", "#ffffff"),
    EVENT: ("#fff8e7", "#a3282c"),
}
"""Fill and letter of a square."""
FONT = "font-family=\"'DejaVu Sans', 'Noto Sans', Verdana, sans-serif\""


def title(name: str) -> str:
    """A place's name as a person writes it: ``amon-ra`` is Amon-Ra."""
    return "-".join(part[:1].upper() + part[1:] for part in name.split("-"))


def draw(board: Board, heading: str, below: str) -> str:
    """The map as the text of an SVG file, with a heading, a line below it, and a legend."""
    return _picture(drawn(board), heading, below)


def _picture(map: Drawn, heading: str, below: str) -> str:
    points = list(map.places.values()) or [(0.0, 0.0)]
    boxes = [half(place) for place in map.places] or [(0.0, 0.0)]
    left = min(x - wide for (x, _), (wide, _) in zip(points, boxes, strict=True))
    right = max(x + wide for (x, _), (wide, _) in zip(points, boxes, strict=True))
    top = min(y - high for (_, y), (_, high) in zip(points, boxes, strict=True))
    bottom = max(y + high for (_, y), (_, high) in zip(points, boxes, strict=True))
    width = max(round((right - left) * SCALE) + 2 * MARGIN, 900)
    height = round((bottom - top) * SCALE) + 2 * MARGIN + TITLE + LEGEND
    shift = (width - (right - left) * SCALE) / 2

    def at(point: Point) -> Point:
        return (point[0] - left) * SCALE + shift, (point[1] - top) * SCALE + MARGIN + TITLE

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" {FONT}>',
        f"<title>{escape(heading)}</title>",
        f"<desc>{escape(below)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<rect x="12" y="12" width="{width - 24}" height="{height - 24}" rx="14" fill="none" stroke="#c9ae7c" stroke-width="2"/>',
        _text(width / 2, 60, heading, 30, weight="bold"),
        _text(width / 2, 88, below, 16, fill="#6d5638"),
    ]
    for edge in map.board.edges:
        (x, y), (u, v) = at(map.places[edge.a]), at(map.places[edge.b])
        parts.append(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" stroke="#b59a6a" stroke-width="7" stroke-linecap="round"/>'
        )
    for edge, squares in zip(map.board.edges, map.squares, strict=True):
        (x, y), (u, v) = at(map.places[edge.a]), at(map.places[edge.b])
        turn = math.degrees(math.atan2(v - y, u - x))
        for colour, square in zip(edge.squares, squares, strict=True):
            parts.append(_square(at(square), colour, turn))
    for place, point in map.places.items():
        parts.append(_place(at(point), place, map.board))
    parts += _legend(map.board, width, height - LEGEND)
    return "\n".join([*parts, "</svg>", ""])


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str = INK,
    weight: str = "normal",
    anchor: str = "middle",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def _square(centre: Point, colour: str, turn: float = 0.0) -> str:
    """A square of a path, turned along it, its letter upright."""
    (x, y), (fill, ink) = centre, FACES[colour]
    turn = (turn + 45) % 90 - 45
    h = SIDE / 2
    shape = (
        f'<rect x="{x - h:.1f}" y="{y - h:.1f}" width="{SIDE}" height="{SIDE}" rx="5" fill="{fill}" stroke="{INK}" '
        f'stroke-width="1.5" transform="rotate({turn:.1f} {x:.1f} {y:.1f})"/>'
    )
    if colour == EVENT:
        return shape + _star(x, y, 12, ink) + _text(x, y + 3.6, "E", 10, "#ffffff", "bold")
    return shape + _text(x, y + 6.2, colour[0].upper(), 17, ink, "bold")


def _star(x: float, y: float, radius: float, fill: str) -> str:
    """Eight rays."""
    rays = [
        (x + r * math.cos(k * math.pi / 8), y + r * math.sin(k * math.pi / 8))
        for k in range(16)
        for r in [radius if k % 2 == 0 else radius * 0.74]
    ]
    return f'<polygon points="{_points(rays)}" fill="{fill}"/>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _place(centre: Point, place: str, board: Board) -> str:
    """A pyramid or an event square, with its name; the start has a flag."""
    x, y = centre
    event = place in board.event_squares
    wide, high = half(place)[0] * SCALE - 6, ROOF
    parts = []
    if event:
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y - 8:.1f}" r="27" fill="#fff8e7" stroke="{INK}" stroke-width="2"/>'
        )
        parts.append(_star(x, y - 8, 21, FACES[EVENT][1]))
        parts.append(_text(x, y - 2.2, "E", 16, "#ffffff", "bold"))
    else:
        parts.append(_pyramid(x, y - high, y + 16, min(wide, 42), place == board.start))
    name = title(place)
    plate = max(len(name) * 9.3 + 14, 52)
    parts.append(
        f'<rect x="{x - plate / 2:.1f}" y="{y + 15:.1f}" width="{plate:.1f}" height="24" rx="6" fill="#fffaf0" stroke="{INK}" stroke-width="1.3"/>'
    )
    parts.append(_text(x, y + 32, name, 14, weight="bold"))
    return "".join(parts)


ROOF = 42
"""Pixels from a place's middle to the tip of its pyramid."""


def _pyramid(x: float, tip: float, base: float, wide: float, start: bool) -> str:
    """A pyramid with a light and a shaded side and courses of stone; the start in red, with a flag."""
    light, shade = ("#e8836a", "#c65f49") if start else ("#e9c27a", "#cf9f52")
    ridge = x + wide * 0.28
    pole, tip = tip - 5, tip + (13 if start else 0)  # the flag stays in the box of its place
    parts = [
        f'<polygon points="{_points([(x, tip), (x - wide, base), (ridge, base)])}" fill="{light}"/>',
        f'<polygon points="{_points([(x, tip), (ridge, base), (x + wide, base)])}" fill="{shade}"/>',
    ]
    for part in (0.35, 0.57, 0.79):
        y = tip + (base - tip) * part
        parts.append(
            f'<path d="M{x - wide * part:.1f} {y:.1f}H{x + wide * part:.1f}" stroke="{INK}" stroke-opacity="0.25" stroke-width="1.2"/>'
        )
    parts.append(
        f'<polygon points="{_points([(x, tip), (x - wide, base), (x + wide, base)])}" fill="none" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>'
    )
    if start:
        parts.append(
            f'<path d="M{x:.1f} {tip:.1f}V{pole:.1f}" stroke="{INK}" stroke-width="2.2"/>'
            f'<path d="M{x + 1:.1f} {pole:.1f}h42l-6 7 6 7h-42z" fill="#a3282c"/>'
            + _text(x + 19, pole + 10.8, "START", 10, "#ffffff", "bold")
        )
    return "".join(parts)


def _legend(board: Board, width: float, top: float) -> list[str]:
    """What the squares mean, and how many of each the map has."""
    counted = Counter(square for edge in board.edges for square in edge.squares)
    entries = [(colour, f"{colour.capitalize()} ({counted[colour]})") for colour in COLOURS]
    if counted[EVENT] or board.event_squares:
        entries.append((EVENT, f"Event ({counted[EVENT] + len(board.event_squares)})"))
    step = min(190, (width - 2 * MARGIN) / len(entries))
    first = width / 2 - step * len(entries) / 2 + 18
    parts = []
    for index, (colour, text) in enumerate(entries):
        x = first + step * index
        parts.append(_square((x + SIDE / 2, top + 14), colour))
        parts.append(_text(x + SIDE + 8, top + 20, text, 16, anchor="start"))
    parts.append(
        _text(
            width / 2,
            top + 58,
            "A path is paid whole: one movement card of its symbol for every square, in either direction.",
            14,
            fill="#6d5638",
        )
    )
    return parts
