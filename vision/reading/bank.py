"""What reading keeps ready of a gallery: upright pictures, their shapes, how often each may occur."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.plane import Picture


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """The faces of a gallery in a fixed order: a face is known by its row.

    ``pictures``: upright BGR uint8, each of its own size; ``aspects``: width / height; ``copies``: how many of each are in the box,
    None when that is not known.
    """

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    aspects: tuple[float, ...]
    copies: tuple[int | None, ...]

    @classmethod
    def of(cls, pictures: Mapping[str, Picture], copies: Mapping[str, int] | None = None) -> Bank:
        """Rows sorted by name."""
        names = tuple(sorted(pictures))
        known = copies or {}
        return cls(
            names,
            tuple(pictures[name] for name in names),
            tuple(pictures[name].shape[1] / pictures[name].shape[0] for name in names),
            tuple(known.get(name) for name in names),
        )
