"""Which faces are to be shown, what they are called, and how many of them at once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engines.table import Face, Kind, Layout, Piece, Table
from hardware.display.letters import Letters

MOST = 12
"""Faces shown at once: more are hard to lay in order, and too small on the display."""
SPREAD = 1.35
"""A face and the free table around it, in sides of the face."""
MARGIN = (60.0, 140.0)
"""mm of a mat's width and height that stay free for its markers and print."""
FINEST = 100.0
"""px that the short side of a face should have at least in the large picture."""
GROUND = "ground"
"""The zone of everything that lies there to be shown."""
SHOT = "shot"
"""The same when the picture is to be kept: only then are faces cut out of it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Faces that are laid out together, in the order in which they lie; all of one kind."""

    kind: str
    identities: tuple[str, ...]


def name_of(identity: str) -> str:
    """An identity as people say it: "snake-3" -> "Snake 3"."""
    words = identity.replace("_", "-").split("-")
    return " ".join((words[0][:1].upper() + words[0][1:], *words[1:]))


def shortened(text: str, letters: Letters, room: int) -> str:
    """A text cut to ``room`` px: its longest word loses its end, and a point says so, until it fits; numbers stay whole."""
    words = text.split()
    while letters.width(" ".join(words), 1) > room:
        at = max(range(len(words)), key=lambda index: 0 if words[index][-1].isdigit() else len(words[index]))
        if len(words[at]) < 3:
            break
        words[at] = words[at].rstrip(".")[:-1] + "."
    return " ".join(words)


def _series(identity: str) -> tuple[str, int | None]:
    """("snake", 3) for "snake-3", ("horus", None) for what bears no number."""
    found = re.fullmatch(r"(.+)-(\d+)", identity)
    return (found[1], int(found[2])) if found else (identity, None)


def heading(group: Group) -> str:
    """What a group is called in few letters: "Snake 1-10", "Snake 3", "6 cards"."""
    if len(group.identities) == 1:
        return name_of(group.identities[0])
    stems, numbers = zip(*map(_series, group.identities), strict=True)
    first = numbers[0]
    if (
        first is not None
        and len(set(stems)) == 1
        and list(numbers) == list(range(first, first + len(numbers)))
    ):
        return f"{name_of(stems[0])} {first}-{numbers[-1]}"
    return f"{len(group.identities)} {group.kind}s"


def most(layout: Layout, kind: Kind, picture: tuple[int, int]) -> int:
    """How many faces of a kind are shown at once: as fit the mat or, without one, the picture (width, height) px."""
    if layout.width:
        across = (layout.width - MARGIN[0]) / (kind.width * SPREAD)
        down = (layout.height - MARGIN[1]) / (kind.height * SPREAD)
    else:
        scale = FINEST / min(kind.width, kind.height)
        across, down = (
            pixels / (side * scale * SPREAD)
            for pixels, side in zip(picture, (kind.width, kind.height), strict=True)
        )
    return max(1, min(MOST, int(across) * int(down)))


def groups(
    layout: Layout, missing: Collection[str], picture: tuple[int, int], single: bool = False
) -> tuple[Group, ...]:
    """The missing faces in the order of the layout, as they are laid out together: a series at a time, short ones joined."""
    found: list[Group] = []
    wanted = [face for face in layout.faces if face.identity in missing]
    for kind, faces in itertools.groupby(wanted, key=lambda face: face.kind):
        limit = 1 if single else most(layout, layout.kind(kind), picture)
        for part in _parts(list(faces), limit):
            last = found[-1] if found else None
            if last and last.kind == kind and len(last.identities) + len(part) <= limit / 2:
                found[-1] = Group(kind, (*last.identities, *part))
            else:
                found.append(Group(kind, part))
    return tuple(found)


def _parts(faces: Sequence[Face], limit: int) -> Iterable[tuple[str, ...]]:
    """Faces of one kind parted where another series begins, and where there are too many for once."""

    def series(face: Face) -> str:
        stem, number = _series(face.identity)
        return stem if number is not None else ""

    for _, run in itertools.groupby(faces, key=series):
        names = [face.identity for face in run]
        parts = -(-len(names) // limit)
        size = -(-len(names) // parts)
        yield from (tuple(names[at : at + size]) for at in range(0, len(names), size))


def asked(group: Group, zone: str = GROUND) -> Table:
    """The table that a group makes when it lies there: its faces in order, without places."""
    return Table(tuple(Piece((identity,), group.kind, zone, 0.0, 0.0) for identity in group.identities))
