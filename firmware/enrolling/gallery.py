"""Every screen of an enrolment, typical and with the longest names, by driving one: for ``thoth screens`` and the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engines.table import Face, Kind, Layout, Piece
from firmware import keys
from firmware.enrolling.base import Cut, Enrolling, Spread
from firmware.enrolling.faces import GROUND, MOST
from firmware.enrolling.machine import begin, failsafe, screen, step
from firmware.events import Blind, Compared, Event, Looked, Pair, Part, Pressed, Tick
from firmware.keys import Key
from hardware.buttons.press import Press
from hardware.display.screen import Bitmap, Screen

LARGE, HALF = (48, 40), (30, 29)
"""The most (width, height) px that a face takes on the display: with its name beside it, and as one of two."""
FAULTS = ("glare", "blurred", "small", "turned", "edge", "dim", "hidden", "shown", "twice")
"""What can be wrong with the picture of one face."""

_TYPICAL = Layout(
    "tanis",
    594.0,
    420.0,
    (Kind("tile", 22.0, 44.0, 4.0), Kind("card", 32.0, 48.0, 0.4)),
    (),
    (
        *(Face(f"snake-{number}", "tile", (str(number),)) for number in range(1, 11)),
        *(Face(f"scarab-{number}", "tile", (str(number),)) for number in range(1, 11)),
        *(
            Face(f"{colour}-{card}", "card", ("",))
            for colour in ("blue", "red")
            for card in ("explorer", "expert")
        ),
    ),
)
_WIDEST = Layout(
    "papyrus",
    0.0,
    0.0,
    (Kind("hieroglyph", 90.0, 56.0, 0.4),),
    (),
    tuple(Face(f"hieroglyphics-wwwww-{number}", "hieroglyph", ("",)) for number in range(989, 989 + MOST)),
)
"""A made-up game whose names are as long as a display can show."""


def checkered(width: int, height: int) -> Bitmap:
    """A picture that stands for a face."""
    return Bitmap(
        tuple(
            "".join(
                "#" if (x + y) % 3 == 0 or x in (0, width - 1) or y in (0, height - 1) else "."
                for x in range(width)
            )
            for y in range(height)
        )
    )


def fitted(width: float, height: float, room: tuple[int, int]) -> tuple[int, int]:
    """The largest (width, height) px of that shape in a room."""
    scale = min(room[0] / width, room[1] / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def among(count: int, width: float, height: float) -> tuple[int, int]:
    """The largest (width, height) px of a face of that shape when ``count`` stand on the display, in one row or two, above a line."""
    sizes = (fitted(width, height, (126 // -(-count // rows) - 2, 28 // rows)) for rows in (1, 2))
    return max(sizes)


def spread(one: Enrolling, count: int | None = None, faults: Sequence[str] = (), shot: int = 1) -> Spread:
    """What perfect eyes see when ``count`` faces (None: as many as asked for) lie there; the first have these faults."""
    assert one.group is not None
    kind = one.layout.kind(one.group.kind)
    many = len(one.group.identities) if count is None else count
    large = checkered(*fitted(kind.width, kind.height, LARGE))
    small = checkered(*among(max(1, many), kind.width, kind.height))
    cuts = tuple(
        Cut(large, small, faults[at] if at < len(faults) else "", one.names[0] if at < len(faults) else "")
        for at in range(many)
    )
    pieces = tuple(Piece((), kind.name, GROUND, 40.0 * at, 50.0) for at in range(many))
    return Spread(pieces, shot=shot, cuts=cuts)


class Drive:
    """An enrolment and the hands on it."""

    def __init__(
        self, game: str, layout: Layout, done: Sequence[str] = (), only: tuple[str, ...] = ()
    ) -> None:
        self.one, self.effects = begin(game, layout, done, only)
        self.now = 0.0

    @property
    def screen(self) -> Screen:
        return screen(self.one)

    def send(self, event: Event) -> Screen:
        self.one, self.effects = step(self.one, event)
        return self.screen

    def press(self, *pressed: Key) -> Screen:
        for key in pressed:
            self.now += 1.0
            self.send(Pressed(Press(key.button, key.long, self.now)))
        return self.screen

    def look(self, count: int | None = None, faults: Sequence[str] = ()) -> Screen:
        self.now += 1.0
        return self.send(Looked(spread(self.one, count, faults), self.now))

    def wait(self, seconds: float) -> Screen:
        self.now += seconds
        return self.send(Tick(self.now))

    def show(self) -> Screen:
        """Lay out what is asked for, take it and keep it."""
        self.press(keys.YES)
        self.look()
        return self.press(keys.YES)

    def compared(self, *pairs: tuple[str, str]) -> Screen:
        kind = self.one.layout.kinds[0]
        large = checkered(*fitted(kind.width, kind.height, HALF))
        self.now += 1.0
        return self.send(Compared(tuple(Pair(one, other, (large, large)) for one, other in pairs), self.now))


def screens_of_enrolment() -> Mapping[str, Screen]:
    """Every screen by name: as it usually looks, and as "<name> widest" with the longest names."""
    found: dict[str, Screen] = {}
    for game, layout, suffix in (("Tanis", _TYPICAL, ""), ("Archaeology", _WIDEST, " widest")):
        for name, one in {**_showing(game, layout), **_ending(game, layout)}.items():
            found[f"enrol {name}{suffix}"] = one
    return found


def _showing(game: str, layout: Layout) -> dict[str, Screen]:
    drive = Drive(game, layout)
    found = {"start": drive.screen, "lay": drive.press(keys.YES), "lay names": drive.press(keys.DOWN)}
    drive.press(keys.UP)
    found["lay seen"] = drive.look(3)
    found["lay seen more"] = drive.look(13)
    drive.send(Blind("glare middle", drive.now))
    found["lay glare"] = drive.wait(2)
    drive.send(Part("camera", "no camera: check\nthe ribbon", drive.now))
    found["lay without camera"] = drive.screen
    drive.send(Part("camera", None, drive.now))
    found["taking"] = drive.press(keys.YES)
    drive.send(Blind("hand", drive.now))
    found["taking hand"] = drive.wait(12)
    for name, count in (("none", 0), ("few", len(spread(drive.one).cuts) - 1), ("many", MOST + 1)):
        drive.press(keys.YES)
        found[f"count {name}"] = drive.look(count)
    for fault in FAULTS:
        drive.press(keys.YES)
        found[f"faulty {fault}"] = drive.look(None, (fault,) * 2)
    found["review"] = drive.press(keys.NO)
    found["review face"] = drive.press(keys.DOWN)
    drive.press(keys.NO, keys.UP)
    found["review dropped"] = drive.screen
    found["faces"] = drive.press(keys.MENU)
    found["pause"] = drive.press(keys.PAUSE)
    found["fault"] = screen(failsafe(drive.one, ())[0])
    return found


def _ending(game: str, layout: Layout) -> dict[str, Screen]:
    names = tuple(face.identity for face in layout.faces)
    drive = Drive(game, layout, names[:-1])
    found = {"start again": drive.screen, "lay one": drive.press(keys.YES)}
    found["taking one"] = drive.press(keys.YES)
    found["count one"] = drive.look(0)
    drive.press(keys.YES)
    found["review one"] = drive.look()
    found["checking"] = drive.press(keys.YES)
    found["alike"] = drive.compared((names[0], names[1]), (names[-1], names[-2]))
    found["alike help"] = drive.press(keys.DOWN)
    found["alike last"] = drive.press(keys.YES)
    found["done with pairs"] = drive.press(keys.YES)
    found["start full"] = drive.press(keys.NO)
    drive.press(keys.YES)
    drive.one = replace(drive.one, accepted=frozenset())
    found["done"] = drive.compared()
    return found
