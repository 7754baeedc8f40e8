"""Somebody who shows faces to the camera: reads what the display asks for, lays it out, presses, and puts right what the display finds wrong."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engines.table import Layout
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.glances import seen
from hardware.simulated.hands import STEP, Arm, Script
from hardware.simulated.onlooker import Onlooker
from hardware.simulated.people import LostPatienceError
from hardware.simulated.places import Body
from hardware.simulated.table import SimulatedTable

DESPAIR = 600.0
"""Seconds without another face kept after which something is badly wrong."""
SLIPS = ("forgot", "too many", "turned", "hand")
"""What goes wrong when somebody is not careful: a face forgotten, one too many, one lying across, a hand left in the picture."""


@dataclass
class Shown:
    """What truly happened, to be compared: the groups laid out, and what was done wrong and named."""

    groups: list[tuple[str, ...]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    caught: list[str] = field(default_factory=list)
    """Slips after which the display did not take the picture as it was."""
    refused: int = 0
    """Pictures that the display turned down though nothing was wrong."""
    overruled: int = 0
    """Of these, those that were kept all the same."""
    alike: int = 0
    """Pairs that the display called too alike."""


class Enroller(Onlooker):
    """Shows every face once. ``called`` gives the identity for each name that the display may show; ``slips`` is the probability that
    a group is not laid out as it should be; ``done`` is True when the display says that all is kept."""

    def __init__(
        self,
        table: SimulatedTable,
        called: Mapping[str, str],
        press: Callable[[Button, bool], None],
        clock: SimulatedClock,
        seed: int,
        slips: float = 0.0,
    ) -> None:
        super().__init__(press, clock, random.Random(f"enroller {seed}"))
        self.shown = Shown()
        self.done = False
        self._table, self._called, self._slips = table, called, slips
        self._arm = Arm(table, 0, random.Random(f"arm {seed}"), nudges=0.0)
        self._slip = ""
        self._tries = 0
        self._lies: tuple[str, ...] = ()
        self._progress = ""
        self._since = clock.monotonic()
        self._due = clock.monotonic()
        self._busy = False
        self._script = self._evening()
        clock.on_advance(self._advance)

    def _advance(self, now: float) -> None:
        if self._busy or self.done:
            return
        self._busy = True
        try:
            while not self.done and self._due <= now:
                wait = next(self._script)
                self._due = self._due + wait if wait <= STEP else now + wait
            if now - self._since > DESPAIR:
                raise LostPatienceError(
                    f"no face was kept for {DESPAIR:.0f} s; the display shows {seen(self.screen)}"
                )
        except StopIteration:
            self.done = True
        finally:
            self._busy = False

    # The evening

    def _evening(self) -> Script:
        while True:
            screen = self.screen
            if screen is None:
                yield 0.3
                continue
            if screen.right != self._progress:
                self._progress, self._since = screen.right, self._clock.monotonic()
            yield self._rng.uniform(0.3, 0.8)
            if self.screen is not screen:
                continue
            if screen.name == "done":
                yield from self._push(Button.CONFIRM)
                return
            yield from self._answer(screen)

    def _answer(self, screen: Screen) -> Script:
        match screen.name:
            case "start" | "pause" | "fault":
                yield from self._push(Button.CONFIRM)
            case "lay":
                yield from self._lay(screen)
            case "count" | "faulty":
                yield from self._wrong(screen)
            case "review":
                yield from self._review()
            case "alike":
                self.shown.alike += 1
                yield from self._push(Button.CONFIRM)
            case "faces":
                yield from self._push(Button.REJECT)
            case _:  # the picture is being taken, or the faces are compared
                yield 0.3

    def _lay(self, screen: Screen) -> Script:
        names = yield from self._asked(screen)
        if not names:
            return
        if names != self._lies:
            self._tries = 0
            self.shown.groups.append(names)
            self._slip = self._rng.choice(SLIPS) if self._rng.random() < self._slips else ""
            if self._slip in ("forgot", "turned") and len(names) < 2:
                self._slip = ""
            if self._slip:
                self.shown.slips.append(self._slip)
            yield from self._put(names)
        yield from self._push(Button.CONFIRM)
        if self._slip == "hand":
            middle = self._table.layout.width / 2, self._table.layout.height / 2
            yield from self._arm.reach(*middle, lambda: None, self._rng.uniform(2.0, 4.0))
            self._slip = ""
            self.shown.caught.append("hand")

    def _asked(self, screen: Screen) -> Generator[float, None, tuple[str, ...]]:
        """The identities that the display asks for, in order: from its heading, else by leafing through the names."""
        heading = screen.main or " ".join(screen.lines)
        found = re.search(r"(.+) (\d+)-(\d+)", screen.main)
        if found:
            first, last = int(found[2]), int(found[3])
            names = [f"{found[1]} {number}" for number in range(first, last + 1)]
            if all(name in self._called for name in names):
                return tuple(self._called[name] for name in names)
        alone = [name for name in self._called if heading == name or heading.startswith(f"{name} ")]
        if alone:
            return (self._called[max(alone, key=len)],)
        told: list[str] = []
        for _ in range(8):
            before = self.screen
            self._press(Button.DOWN, False)
            yield from self._changed(before, 2.0)
            now = self.screen
            if now is None or now.name != "lay" or now.main:
                break
            told += [line.split("  ", 1)[1] for line in now.lines if re.match(r"\d+  ", line)]
        return tuple(self._called[name] for name in told if name in self._called)

    def _put(self, names: tuple[str, ...]) -> Script:
        """Clear the table and lay faces out in rows, in order."""
        table, layout = self._table, self._table.layout
        self._lies = names
        lay = list(names)
        if self._slip == "forgot":
            lay.pop(self._rng.randrange(len(lay)))
        if self._slip == "too many":
            kind = layout.face(names[0]).kind
            spare = [f.identity for f in layout.faces if f.kind == kind and f.identity not in names]
            lay.append(self._rng.choice(spare or list(names)))
        bodies = laid_out(lay, layout, self._rng)
        if self._slip == "turned":
            index = self._rng.randrange(len(bodies))
            bodies[index] = replace(bodies[index], turn=90.0)

        def do() -> None:
            for body in table.bodies:
                table.lift(body)
            for body in bodies:
                table.place_exactly(body)

        yield from self._arm.reach(layout.width / 2, layout.height / 2, do, 0.4)
        yield self._rng.uniform(0.5, 1.0)

    def _wrong(self, screen: Screen) -> Script:
        """The display does not take what lies there: put it right; what looks right is laid anew, and then kept as it is."""
        self._tries += 1
        if self._slip:
            self.shown.caught.append(self._slip)
            self._slip = ""
        else:
            self.shown.refused += 1
        if self._tries > 3:
            # Seen by somebody, it is good enough; what cannot be counted is shown one by one.
            self.shown.overruled += screen.name == "faulty"
            yield from self._push(Button.REJECT)
            return
        yield from self._put(self._lies)
        yield from self._push(Button.CONFIRM)

    def _review(self) -> Script:
        yield self._rng.uniform(0.5, 1.5)
        yield from self._push(Button.CONFIRM)


def laid_out(names: Sequence[str], layout: Layout, rng: random.Random) -> list[Body]:
    """Faces in rows around the middle of the mat, as somebody lays them: not quite straight, not quite evenly."""
    kind = layout.kind(layout.face(names[0]).kind)
    across, down = kind.width * 1.3 + 6, kind.height * 1.25 + 6
    columns = max(1, min(len(names), int((layout.width - 90) / across)))
    rows = math.ceil(len(names) / columns)
    columns = math.ceil(len(names) / rows)
    bodies = []
    for index, name in enumerate(names):
        row, column = divmod(index, columns)
        body = Body(f"{name}@{index}", name, kind)
        bodies.append(
            replace(
                body,
                x=layout.width / 2 + (column - (columns - 1) / 2) * across + rng.uniform(-2, 2),
                y=layout.height / 2 + (row - (rows - 1) / 2) * down + rng.uniform(-2, 2),
                turn=rng.gauss(0, 2.0) % 360,
            )
        )
    return bodies
