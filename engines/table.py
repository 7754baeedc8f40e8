"""The words for what lies on the table, shared by every game and by the eyes.

All lengths are millimetres on the mat: x to the right, y down, the origin at the mat's top left corner.
Turns are degrees clockwise as seen from above; 0 means the face stands upright for someone who reads the
mat's own print. Nothing here knows a picture, a clock or a game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Cell = tuple[int, int]
"""(column, row) inside a stack zone, from the zone's top left, counted from 0."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece: its size, and the equal parts of its face that can be read on their own.

    ``parts`` run from the face's top to its bottom; a face that must be seen whole has one part.
    """

    name: str
    width: float
    height: float
    thickness: float
    parts: tuple[str, ...] = ("face",)


@dataclass(frozen=True, slots=True)
class Face:
    """One identity and what each part of it shows; two faces may share the label of a part."""

    identity: str
    kind: str
    labels: tuple[str, ...]
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that stands on the squares of a board (a pawn, a pyramid), told by its colour and its shape.

    ``width`` is how wide its foot is and ``height`` how high it stands, in mm; it has no face to be read.
    """

    identity: str
    kind: str
    width: float
    height: float
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Square:
    """A place on a board where figures stand: its middle, and its diameter ``size``; figures stand with their feet inside it.

    (x, y) are mm on the mat as if the board lay exactly in its zone.
    """

    name: str
    x: float
    y: float
    size: float
    only: str = ""
    """The one kind of figure that stands here, told by its colour alone; empty: any of the zone's kinds, told by their shapes."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area of the mat.

    A ``free`` zone holds pieces at any place and turn; in a ``row`` zone they may lie over one another so that a strip of each shows;
    of a ``pile`` only what lies on top counts. A ``squares`` zone is a board on which figures (``kinds`` are kinds of figures) stand
    on its ``squares``; the board lies about there and may be turned a little (the eyes find out where). A ``stack`` zone is a box of ``columns`` x ``rows``
    cells and up to ``levels`` layers; its cell is as wide as one part of its kind of piece; the box stands somewhere inside
    the zone and may be turned a little (the eyes find out where).
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    kinds: tuple[str, ...]
    form: Literal["free", "row", "pile", "stack", "squares"] = "free"
    columns: int = 0
    rows: int = 0
    levels: int = 1
    cell: float = 0.0
    """Side of one square cell in mm (stack only)."""
    wall: float = 0.0
    """Height of the box's walls above the mat in mm (stack only)."""
    label: str = ""
    """What is printed on the mat."""
    squares: tuple[Square, ...] = ()
    """Where figures stand (squares only)."""

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height

    def square(self, name: str) -> Square:
        return next(square for square in self.squares if square.name == name)


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything the eyes must know of a game: the mat's size, its zones, and the faces that can occur."""

    game: str
    width: float
    height: float
    kinds: tuple[Kind, ...]
    zones: tuple[Zone, ...]
    faces: tuple[Face, ...]
    figures: tuple[Figure, ...] = ()
    """What can stand on the squares of its boards."""
    loose: bool = False
    """No mat is printed: four loose corner markers are laid around the table, and the size is about what lies between them."""

    def kind(self, name: str) -> Kind:
        return next(kind for kind in self.kinds if kind.name == name)

    def zone(self, name: str) -> Zone:
        return next(zone for zone in self.zones if zone.name == name)

    def face(self, identity: str) -> Face:
        return next(face for face in self.faces if face.identity == identity)

    def figure(self, identity: str) -> Figure:
        return next(figure for figure in self.figures if figure.identity == identity)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece as seen (or as expected).

    ``identities`` are what the visible part leaves possible, sorted: one when the piece is known, several
    when only a shared part shows (a tile's number without its sign), none when something lies there that
    cannot be told. ``cells`` (stack zones) are the cells its parts lie on, in the order of the kind's parts,
    also those that are covered or out of sight. ``seen`` says for each part whether it can be read.
    ``visible`` is the fraction of the face that can be seen (0-1), ``confidence`` how sure the reading is (0-1).
    """

    identities: tuple[str, ...]
    kind: str
    zone: str
    x: float
    y: float
    turn: float = 0.0
    level: int = 1
    cells: tuple[Cell, ...] = ()
    seen: tuple[bool, ...] = (True,)
    visible: float = 1.0
    confidence: float = 1.0
    square: str = ""

    @property
    def identity(self) -> str | None:
        """The identity when it is known for certain, else None."""
        return self.identities[0] if len(self.identities) == 1 else None


@dataclass(frozen=True, slots=True)
class Table:
    """All pieces seen in one settled picture, sorted by zone, then y, then x."""

    pieces: tuple[Piece, ...] = ()
    unread: tuple[str, ...] = field(default=())
    """Zones that could not be read this time (something stands in the way); they say nothing."""

    def within(self, zone: str) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.zone == zone)


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two Tables."""

    gone: tuple[Piece, ...] = ()
    came: tuple[Piece, ...] = ()
    moved: tuple[tuple[Piece, Piece], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.came or self.moved)
