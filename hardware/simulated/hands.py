"""Hands above the table: how they come in, carry, slide, nudge, rest and leave, as scripts over simulated time.

A script is a generator: it changes the table and yields the seconds until it wants to go on.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engines.dealing import Act, Deed, Sweep
from hardware.simulated.places import Body

if TYPE_CHECKING:
    from hardware.simulated.table import SimulatedTable

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""
Script = Generator[float, None, None]

STEP = 0.05
"""Seconds between two poses of a moving hand."""
SKINS: tuple[Colour, ...] = (
    (150, 180, 224),
    (130, 160, 206),
    (98, 128, 178),
    (70, 92, 140),
    (46, 62, 98),
    (170, 190, 236),
)
SLEEVES: tuple[Colour, ...] = (
    (92, 62, 40),
    (40, 40, 160),
    (60, 60, 60),
    (200, 200, 196),
    (70, 110, 60),
    (30, 120, 190),
)


SIDES = ((-1, 0.62), (1, 0.62), (-1, 0.2), (1, 0.2), (-1, 0.95))
"""Where each seat is: left (-1) or right (1) of the table, and how far down, as a share of the mat's height."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at one moment: its fingertips at (x, y, z) mm, its elbow at (elbow_x, elbow_y), and the piece it carries.

    A ``sliding`` piece stays at its own height on what is below it, instead of hanging from the fingers.
    """

    x: float
    y: float
    z: float
    elbow_x: float
    elbow_y: float
    skin: Colour
    sleeve: Colour
    carried: Body | None = None
    sliding: bool = False


class Arm:
    """One person's arm: it lives at the side of the table where the person sits (``SIDES``)."""

    def __init__(self, table: SimulatedTable, seat: int, rng: random.Random, nudges: float = 0.06) -> None:
        width, height = table.layout.width, table.layout.height
        self._table = table
        self._rng = rng
        self._nudges = nudges
        out, down = SIDES[seat]
        edge = 0.0 if out < 0 else width
        self._home = edge + out * 330, height * down
        self._shoulder = edge + out * 720, height * (down + 0.1)
        self._skin, self._sleeve = rng.choice(SKINS), rng.choice(SLEEVES)
        self._hand: Hand | None = None
        self.brushed: list[str] = []
        """Names of the pieces that this arm nudged aside without meaning to."""
        self.linger = 0.0
        """Seconds for which it stays above the table after what it did."""

    def do(self, deeds: Iterable[Deed]) -> Script:
        """Carry out the deeds, one after the other, and leave; now and then rest above the table first."""
        for deed in deeds:
            yield from (self._sweep(deed) if isinstance(deed, Sweep) else self._carry(deed))
        if self._rng.random() < 0.08:
            yield from self.rest()
        if self.linger:
            yield self.linger
        yield from self._leave()

    def lay_aside(self, act: Act) -> Script:
        """Take a piece and put it down on the bare mat near the player, in no zone."""
        table = self._table
        body = table.find(act.piece, act.source)
        yield from self._go(body.x, body.y, body.z + body.kind.thickness + 8, 0.6)
        self._hold(table.lift(body))
        x, y = table.bare_place(self._home[0])
        yield from self._go(x, y, body.kind.thickness + 8, 0.8)
        if self._hand is not None and self._hand.carried is not None:
            table.lay_aside(self._hand.carried, x, y)
            self._show(replace(self._hand, carried=None))
        yield from self._leave()

    def lay_out(self, zone: str) -> Script:
        """Bring what the set-up wants in a zone: the full dig box, or the cards one after the other."""
        place = self._table.layout.zone(zone)
        yield from self._go(place.x + place.width / 2, place.y + place.height / 2, 40, 0.8)
        self._table.lay_out(zone)
        if place.form == "free":
            yield from self._go(place.x + place.width * 0.8, place.y + place.height / 2, 30, 0.6)
        yield from self._leave()

    def reach(self, x: float, y: float, do: Callable[[], None], seconds: float) -> Script:
        """Reach over a place, do something there, stay for a while, and leave."""
        yield from self._go(x, y, 40, 0.8)
        do()
        yield seconds
        yield from self._leave()

    def straighten(self, body: Body) -> Script:
        """Lift a loose piece and put it down again in its zone, tidily; a piece in the box is pressed flat where it lies."""
        yield from self._go(body.x, body.y, 30, 0.6)
        if body.zone is not None:
            self._table.put(self._table.lift(body), body.zone, body.cells, body.level, body.square)
        yield 0.3
        yield from self._leave()

    def rest(self) -> Script:
        """Stay above the table for a while, as people do when they think."""
        if self._hand is not None:
            yield from self._go(self._hand.x * 0.9 + self._home[0] * 0.1, self._hand.y + 15, 55, 0.3)
            yield self._rng.uniform(0.8, 2.2)

    def _carry(self, act: Act) -> Script:
        table = self._table
        body = table.find(act.piece, act.source, act.square if act.target is None else "")
        if body.zone is None and table.is_away(
            body
        ):  # it comes out of the game box, which stands beside the person
            yield from self._go(*self._home, 90, 0.3)
            self._hold(table.lift(body))
        else:
            yield from self._go(body.x, body.y, body.z + body.kind.thickness + 8, self._rng.uniform(0.5, 0.8))
            yield self._rng.uniform(0.1, 0.25)
            self._brush(body)
            self._hold(table.lift(body), sliding=act.source == act.target and act.cells != body.cells)
        if act.target is None:
            yield from self._go(*self._home, 80, 0.7)
            self._drop(None, act)
            return
        there = table.preview(body, act.target, act.cells, act.level, act.square)
        if act.source == act.target:
            yield from self._go(
                there.x, there.y, there.z + body.kind.thickness + 8, self._rng.uniform(0.6, 1.0), 0.0
            )
        else:
            yield from self._go(
                there.x, there.y, there.z + body.kind.thickness + 8, self._rng.uniform(0.6, 1.0)
            )
        yield self._rng.uniform(0.05, 0.15)
        self._drop(there, act)
        self._brush(there)

    def _sweep(self, deed: Sweep) -> Script:
        """Gather what lies in a zone into one packet, and put it down as one."""
        table = self._table
        bodies = table.swept(deed.source, deed.pieces)
        if not bodies:
            return
        packet: list[Body] = []
        for body in bodies:
            if not packet or math.dist((packet[-1].x, packet[-1].y), (body.x, body.y)) > 30:
                yield from self._go(body.x, body.y, body.z + 14, 0.35, 4.0)
            packet.append(table.lift(body))
            self._hold(packet[-1])
        if deed.target is None:
            yield from self._go(*self._home, 80, 0.7)
        else:
            there = table.preview(packet[-1], deed.target)
            yield from self._go(there.x, there.y, there.z + 14, 0.8)
        for body in packet:
            table.put(body, deed.target)
        if self._hand is not None:
            self._show(replace(self._hand, carried=None))

    def _hold(self, body: Body, sliding: bool = False) -> None:
        if self._hand is not None:
            self._show(replace(self._hand, carried=body, sliding=sliding))

    def _drop(self, there: Body | None, act: Act) -> None:
        hand = self._hand
        if hand is None or hand.carried is None:
            return
        if there is None:
            self._table.put(hand.carried, None)
        else:
            self._table.place_exactly(there)
        self._show(replace(hand, carried=None, sliding=False))

    def _brush(self, near: Body) -> None:
        """A sleeve catches a neighbour now and then."""
        if self._rng.random() >= self._nudges:
            return
        close = [
            body
            for body in self._table.bodies
            if body.name != near.name
            and body.zone is not None
            and math.hypot(body.x - near.x, body.y - near.y) < (45 if body.cells else 70)
        ]
        if close:
            body = self._rng.choice(close)
            if self._table.nudge(body) != body:
                self.brushed.append(body.name)

    def _go(self, x: float, y: float, z: float, seconds: float, arch: float = 35.0) -> Script:
        """Move there smoothly, in an arch over what lies between."""
        start = self._hand
        if start is None:
            start = Hand(*self._home, 100.0, *self._shoulder, self._skin, self._sleeve)
        count = max(2, round(seconds / STEP))
        for step in range(1, count + 1):
            t = step / count
            share = t * t * t * (10 - 15 * t + 6 * t * t)  # least jerk (Flash and Hogan 1985)
            self._show(
                replace(
                    start,
                    x=start.x + (x - start.x) * share,
                    y=start.y + (y - start.y) * share,
                    z=start.z + (z - start.z) * share + arch * math.sin(math.pi * t),
                )
            )
            yield STEP

    def _leave(self) -> Script:
        if self._hand is None:
            return
        yield from self._go(*self._home, 90, self._rng.uniform(0.4, 0.6))
        self._show(None)

    def _show(self, hand: Hand | None) -> None:
        others = tuple(one for one in self._table.hands if one is not self._hand)
        # `_go` starts from the hand as it was and must not lose what was picked up meanwhile.
        self._hand = hand
        self._table.hands = (*others, hand) if hand is not None else others
