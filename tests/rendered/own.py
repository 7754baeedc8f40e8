"""Thoth's own faces of all four games, as hardware.print draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from hardware.print.faces import faces, printed
from hardware.print.pieces import Piece
from tests.rendered.drawing import PX_PER_MM, Picture
from tests.rendered.family import Change, Family, seeded


class Own(Family):
    """Pieces of one size of a game. An edition only changes which of them are enrolled."""

    game: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds of piece in hardware.print; empty: all of this size."""
    worded: ClassVar[bool] = False
    """The name says all that a face shows, word by word: faces whose names differ in one word are near-twins."""

    def style(self, rng: np.random.Generator) -> None:
        self.all = [
            piece
            for name, piece in faces(self.game).items()
            if not name.startswith("back")
            and (piece.drawing.width, piece.drawing.height) == self.size
            and (not self.kinds or piece.kind in self.kinds)
        ]

    def specs(self, count: int) -> list[Piece]:
        order = seeded(self.name, "specs", self.edition).permutation(len(self.all))
        return [self.all[k] for k in order[:count]]

    def label(self, spec: Piece) -> str:
        return spec.identity

    def apart(self, one: Piece, other: Piece) -> int:
        first, second = one.identity.split("-"), other.identity.split("-")
        if not self.worded or len(first) != len(second):
            return 2
        return sum(a != b for a, b in zip(first, second, strict=True))

    @property
    def changes(self) -> Mapping[str, Change]:
        def word(last: bool) -> Change:
            def change(rng: np.random.Generator, spec: Piece) -> Piece | None:
                near = [
                    each
                    for each in self.all
                    if self.apart(each, spec) == 1
                    and (each.identity.split("-")[-1] != spec.identity.split("-")[-1]) == last
                ]
                return near[int(rng.integers(len(near)))] if near else None

            return change

        return {"symbol" if self.game == "papyrus" else "digit": word(True), "sign": word(False)}

    def draw(self, spec: Piece) -> Picture:
        return printed(spec.drawing, PX_PER_MM)

    def back(self) -> Picture:
        return printed(faces(self.game)[self.all[0].back].drawing, PX_PER_MM)


class TanisTiles(Own):
    name, game, size, worded = "tanis-tiles", "tanis", (22.0, 44.0), True
    thickness, corner, gloss = 4.0, 0.5, 0.3


class TanisCards(Own):
    name, game, size, worded = "tanis-cards", "tanis", (32.0, 48.0), True
    corner = 2.0


class Archaeology(Own):
    name, game, size = "archaeology", "archaeology", (63.0, 88.0)


class Monuments(Own):
    name, game, size = "monuments", "archaeology", (126.0, 88.0)


class Ankh(Own):
    name, game, size, worded = "ankh", "ankh", (63.0, 88.0), True


class Papyrus(Own):
    name, game, size = "papyrus", "papyrus", (63.0, 88.0)


class Letters(Own):
    name, game, size, worded = "letters", "papyrus", (26.0, 32.0), True
    thickness, corner, gloss = 3.0, 1.0, 0.3


OWN: tuple[type[Own], ...] = (TanisTiles, TanisCards, Archaeology, Monuments, Ankh, Papyrus, Letters)
