"""Cards laid on a simulated table by hand, to the millimetre, and what the eyes read of a picture of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from engines import games
from engines.table import Layout, Piece, Table
from hardware.clock import SimulatedClock
from hardware.print.faces import draw_face
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.places import Body
from hardware.simulated.table import SimulatedTable
from vision.eyes import Eyes, Look
from vision.gallery import SCALE, Gallery


@lru_cache(maxsize=4)
def layout(game: str, players: int) -> Layout:
    options = {option.name: option.values[0] for option in games()[game].options}
    return games()[game].reading.layout(players, options)


@lru_cache(maxsize=4)
def gallery(game: str, players: int) -> Gallery:
    place = layout(game, players)
    faces = {face.identity: draw_face(face, place.kind(face.kind), SCALE, game) for face in place.faces}
    return Gallery.from_pictures(place, faces, SCALE)


class Laid:
    """A table, a camera above it, and eyes that follow what happens."""

    def __init__(self, game: str, players: int, seed: int = 1) -> None:
        self.layout = layout(game, players)
        self.table = SimulatedTable(self.layout, (), seed)
        self.camera = SimulatedCamera(self.table, SimulatedClock(), seed=seed)
        self.gallery = gallery(game, players)
        self.eyes = Eyes(self.layout, self.gallery)
        self._names: Counter[str] = Counter()

    def lay(self, identity: str, zone: str, x: float, y: float, turn: float = 0.0) -> Body:
        """A card with its middle ``x``, ``y`` mm from the zone's top left, on top of all that was laid before."""
        place = self.layout.zone(zone)
        kind = self.layout.kind(self.layout.face(identity).kind)
        self._names[identity] += 1
        height = kind.thickness * len(self.table.bodies)
        body = Body(f"{identity}#{self._names[identity]}", identity, kind, zone)
        there = replace(body, x=place.x + x, y=place.y + y, z=height, turn=turn % 360)
        self.table.place_exactly(there)
        return there

    def look(self, expected: Table | None = None) -> Look:
        return self.eyes.read(self.camera.capture(0.0).picture, expected or Table())

    def read(self, zone: str, expected: Table | None = None) -> tuple[Piece, ...]:
        """What is read of a zone now, from left to right. Fails when the picture cannot be read."""
        look = self.look(expected)
        assert look.table is not None, look.fault
        return tuple(sorted(look.table.within(zone), key=lambda piece: piece.x))


def names(pieces: tuple[Piece, ...]) -> list[str | None]:
    return [piece.identity for piece in pieces]
