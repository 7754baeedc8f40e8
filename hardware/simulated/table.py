"""A table as a thing: the box, the tiles, the cards, where they lie in mm, and the hands above them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engines.dealing import Act, Deed, Placed
from engines.table import Cell, Layout
from hardware.print.shapes import Drawing
from hardware.simulated.figures import kind_of, on_square
from hardware.simulated.hands import Hand
from hardware.simulated.loose import Lying, lay_corners
from hardware.simulated.places import Body, Box, in_box, in_zone, jostled, nudged, stand_box, turned
from hardware.simulated.things import Mug


class TableError(Exception):
    """Somebody reached for a piece that is not there, or for a place that is taken. The text says which."""


class SimulatedTable:
    """The bodies on the mat. It starts empty: ``lay_out`` puts the set-up on it, zone by zone or all at once.

    ``version`` grows with every change of what lies there (not of the hands): what was drawn for a version stays true for it.
    """

    def __init__(
        self,
        layout: Layout,
        placed: Iterable[Placed],
        seed: int,
        boards: Mapping[str, Drawing] | None = None,
    ) -> None:
        self.layout = layout
        self.boards = dict(boards or {})
        """What is printed on the boards, by zone."""
        self.boards_lie = {zone.name: Lying() for zone in layout.zones if zone.form == "squares"}
        """How each board lies, as against the layout."""
        self.corners = lay_corners(layout, seed) if layout.loose else ()
        self.version = 0
        self.hands: tuple[Hand, ...] = ()
        self.mugs: tuple[Mug, ...] = ()
        self.box: Box | None = None
        self._rng = random.Random(f"table {seed}")
        self._placed = tuple(placed)
        self._bodies: dict[str, Body] = {}
        self._away: dict[str, Body] = {}
        self._targets: dict[str, Placed] = {}
        self._seen_out: set[str] = set()
        copies: dict[str, int] = {}
        for piece in self._placed:
            copies[piece.identity] = copies.get(piece.identity, 0) + 1
            name = (
                piece.identity
                if copies[piece.identity] == 1
                else f"{piece.identity}#{copies[piece.identity]}"
            )
            figure = next((one for one in layout.figures if one.identity == piece.identity), None)
            kind = kind_of(figure) if figure else layout.kind(layout.face(piece.identity).kind)
            self._away[name] = Body(name, piece.identity, kind)
            self._targets[name] = piece
            if piece.zone is None:
                self._seen_out.add(name)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All pieces on the mat, lowest first."""
        return tuple(sorted(self._bodies.values(), key=lambda body: (body.z, body.name)))

    def within(self, zone: str) -> tuple[Body, ...]:
        return tuple(body for body in self.bodies if body.zone == zone)

    def to_lay_out(self) -> tuple[str, ...]:
        """The zones of the set-up that still wait for pieces, in the order in which they are laid out."""
        zones = (self._targets[name].zone for name in self._away if not self._was_out(name))
        return tuple(dict.fromkeys(zone for zone in zones if zone is not None))

    def lay_out(self, zone: str | None = None) -> None:
        """Put the set-up's pieces of one zone (None: of all) on the mat; the dig box comes with its tiles in it."""
        for name in [name for name in self._away if not self._was_out(name)]:
            target = self._targets[name]
            if zone in (None, target.zone):
                self.put(self._away[name], target.zone, target.cells, target.level, target.square)
                self._seen_out.add(name)

    def find(self, identity: str, zone: str | None, square: str = "") -> Body:
        """A piece of that identity in the zone (on a board: on the ``square``, if one is named), or (``zone`` not on the mat) in the game
        box. Raises TableError."""
        known = {z.name for z in self.layout.zones}
        astray = [body for body in self._bodies.values() if body.zone is None]
        pool = list(self._bodies.values()) if zone in known else [*self._away.values(), *astray]
        for body in pool:
            there = zone not in known or (body.zone == zone and square in ("", body.square))
            if body.identity == identity and there:
                return body
        raise TableError(f"{identity} is not in {zone}: there lie {[b.name for b in pool if b.zone == zone]}")

    def is_away(self, body: Body) -> bool:
        """Whether a body is in the game box or in somebody's pocket: not on the mat."""
        return body.name in self._away

    def lift(self, body: Body) -> Body:
        """Take the body off the table (into a hand), out from under others if need be. Raises TableError if it is not there."""
        if body.name in self._away:
            return self._away.pop(body.name)
        if body.name not in self._bodies:
            raise TableError(f"{body.name} does not lie on the table")
        self.version += 1
        return replace(self._bodies.pop(body.name), zone=None, cells=(), square="")

    def put(
        self, body: Body, zone: str | None, cells: tuple[Cell, ...] = (), level: int = 1, square: str = ""
    ) -> Body:
        """Put the body down where a person would; ``zone`` None: into the game box. Raises TableError if there is no place."""
        if zone is None:
            self._away[body.name] = replace(body, zone=None, cells=(), square="")
            self._seen_out.add(body.name)
            return self._away[body.name]
        there = self.preview(body, zone, cells, level, square)
        self.place_exactly(there)
        return there

    def preview(
        self, body: Body, zone: str, cells: tuple[Cell, ...] = (), level: int = 1, square: str = ""
    ) -> Body:
        """Where a person would put the body down, without doing it. Raises TableError if there is no place."""
        place = self.layout.zone(zone)
        if place.form == "stack":
            if self.box is None:
                self.box = stand_box(place, self._rng)
            taken = [
                b.name
                for b in self._bodies.values()
                if b.zone == zone and b.name != body.name and b.level == level and set(b.cells) & set(cells)
            ]
            if taken:
                raise TableError(f"{body.name} cannot go to {cells}: {taken} lies there on level {level}")
            there = in_box(body, self.box, cells, level, self._rng)
        elif place.form == "squares":
            there = self._on_board(body, zone, square)
        else:
            others = [b for b in self.within(zone) if b.name != body.name]
            try:
                there = in_zone(body, place, self.layout, others, self._rng)
            except ValueError:
                self.tidy(zone)
                others = [b for b in self.within(zone) if b.name != body.name]
                there = in_zone(body, place, self.layout, others, self._rng)
        return replace(there, zone=zone)

    def do(self, deed: Deed) -> None:
        """One deed at once, without a hand. Raises TableError."""
        if isinstance(deed, Act):
            body = self.lift(self.find(deed.piece, deed.source, deed.square if deed.target is None else ""))
            self.put(body, deed.target, deed.cells, deed.level, deed.square)
            return
        for body in self.swept(deed.source, deed.pieces):
            self.put(self.lift(body), deed.target)

    def swept(self, zone: str, pieces: Sequence[str] = ()) -> tuple[Body, ...]:
        """The bodies that a hand gathers from a zone, lowest first: all, or one for each of ``pieces``."""
        lying = list(self.within(zone))
        if not pieces:
            return tuple(lying)
        chosen: list[Body] = []
        for identity in pieces:
            body = next((one for one in lying[::-1] if one.identity == identity), None)
            if body is not None:
                lying.remove(body)
                chosen.append(body)
        return tuple(chosen)

    def place_exactly(self, body: Body) -> None:
        """Put a body at the very place, turn and zone that it carries."""
        self._away.pop(body.name, None)
        self._bodies[body.name] = body
        self.version += 1

    def nudge(self, body: Body) -> Body:
        """Brush a loose piece a mm or two aside, or a tile on top of the dig as far as its neighbours let it."""
        if body.zone is None:
            return body
        if self.layout.zone(body.zone).form == "stack":
            return self._jostle(body)
        others = [b for b in self.within(body.zone) if b.name != body.name]
        if self.layout.zone(body.zone).form == "squares" and any(b.z > body.z for b in others):
            return body  # another stands on it, or might
        self._bodies[body.name] = nudged(body, others, self._rng, self.layout.zone(body.zone))
        self.version += 1
        return self._bodies[body.name]

    def _jostle(self, body: Body) -> Body:
        lying = self.within(body.zone or "")
        covered = any(set(b.cells) & set(body.cells) and b.level > body.level for b in lying)
        if self.box is None or covered:
            return body
        self._bodies[body.name] = jostled(body, self.box, lying, self._rng)
        self.version += 1
        return self._bodies[body.name]

    def bare_place(self, towards: float) -> tuple[float, float]:
        """A place (mm) of the mat's lower margin, clear of zones and markers, on the side of ``towards``."""
        half = self.layout.width / 2
        low = max(zone.y + zone.height for zone in self.layout.zones)
        return half + math.copysign(self._rng.uniform(70, 150), towards - half), (
            low + self.layout.height
        ) / 2

    def lay_aside(self, body: Body, x: float, y: float) -> Body:
        """Put a body down on the mat's bare margin, in no zone."""
        there = replace(
            body,
            zone=None,
            cells=(),
            square="",
            x=x,
            y=y,
            z=0.0,
            level=1,
            turn=self._rng.uniform(-20, 20) % 360,
        )
        self.place_exactly(there)
        return there

    def stand(self, *mugs: Mug) -> None:
        """These stand on the table now, and no others: who puts them down or takes them away is seen by the hand alone."""
        self.mugs = mugs
        self.version += 1

    def tidy(self, zone: str) -> None:
        """Put the pieces of a free zone straight again, one by one."""
        lying = self.within(zone)
        if self.layout.zone(zone).form in ("stack", "squares"):
            return
        for body in lying:
            del self._bodies[body.name]
        for body in sorted(lying, key=lambda b: (b.y, b.x)):
            there = in_zone(body, self.layout.zone(zone), self.layout, self.within(zone), self._rng)
            self._bodies[body.name] = replace(there, zone=zone)
        self.version += 1

    def _on_board(self, body: Body, zone: str, square: str) -> Body:
        """A figure on a square of a board, as the board lies."""
        place, lies = self.layout.zone(zone), self.boards_lie[zone]
        if not any(one.name == square for one in place.squares):
            raise TableError(f"{zone} has no square {square or 'without a name'} for {body.name}")
        there = place.square(square)
        x, y = lies.at(place, there.x, there.y)
        others = [b for b in self.within(zone) if b.name != body.name]
        return on_square(body, replace(there, x=x, y=y), others, self._rng)

    def bump_board(self, zone: str, dx: float, dy: float, turn: float) -> None:
        """Somebody shoved a board: it and all that stands on it move together (mm, degrees about its middle)."""
        place, old = self.layout.zone(zone), self.boards_lie[zone]
        new = Lying(old.dx + dx, old.dy + dy, old.turn + turn)
        self.boards_lie[zone] = new
        centre, pushed = old.middle(place), new.middle(place)
        for body in self.within(zone):
            x, y = turned(*pushed, turn, body.x - centre[0], body.y - centre[1])
            self._bodies[body.name] = replace(body, x=x, y=y, turn=(body.turn + turn) % 360)
        self.version += 1

    def bump_box(self, dx: float, dy: float, turn: float) -> None:
        """Somebody knocked the box: it and all that lies in it move together (mm, degrees)."""
        if self.box is None:
            return
        old = self.box
        self.box = replace(old, x=old.x + dx, y=old.y + dy, turn=old.turn + turn)
        stacks = {zone.name for zone in self.layout.zones if zone.form == "stack"}
        for body in [b for b in self._bodies.values() if b.zone in stacks]:
            u, v = Box(0, 0, -old.turn, 1, 1, 1, 1).at(body.x - old.x, body.y - old.y)
            x, y = self.box.at(u, v)
            self._bodies[body.name] = replace(body, x=x, y=y, turn=(body.turn + turn) % 360)
        self.version += 1

    def _was_out(self, name: str) -> bool:
        return name in self._seen_out
