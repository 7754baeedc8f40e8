"""Thoth's own faces, drawn by hardware.print: whatever of the four games there is art for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.table import Face, Kind
from engines.tanis.reading import layout
from hardware.print.faces import draw_back, draw_face
from tests.rendered.drawing import PX_PER_MM, Picture
from tests.rendered.family import Change, Family, other, seeded


@dataclass(frozen=True, slots=True)
class Printed:
    face: Face
    kind: Kind


def printed(kind: str) -> list[Printed]:
    """The faces of a kind of piece of Tanis."""
    tanis = layout(2, {})
    return [Printed(face, tanis.kind(kind)) for face in tanis.faces if face.kind == kind]


class TanisTiles(Family):
    """The tiles of Tanis: a number over a sign."""

    name = "tanis-tiles"
    size = (22.0, 44.0)
    thickness = 4.0
    corner = 0.5
    gloss = 0.3
    kind = "tile"

    def style(self, rng: np.random.Generator) -> None:
        self.all = printed(self.kind)

    def specs(self, count: int) -> list[Printed]:
        order = seeded(self.name, "specs", self.edition).permutation(len(self.all))
        return [self.all[k] for k in order[:count]]

    @property
    def changes(self) -> Mapping[str, Change]:
        def sibling(part: int) -> Change:
            def change(rng: np.random.Generator, spec: Printed) -> Printed | None:
                near = [
                    each for each in self.all
                    if each != spec and len(each.face.labels) > 1 and each.face.labels[1 - part] == spec.face.labels[1 - part]
                ]  # fmt: skip
                return near[int(rng.integers(len(near)))] if near else None

            return change

        return {"digit": sibling(0), "symbol": sibling(1)}

    def draw(self, spec: Printed) -> Picture:
        return draw_face(spec.face, spec.kind, PX_PER_MM)

    def back(self) -> Picture:
        return draw_back(self.all[0].kind, PX_PER_MM)


class TanisCards(TanisTiles):
    """The cards of Tanis: two colours of each."""

    name = "tanis-cards"
    size = (32.0, 48.0)
    thickness = 0.35
    corner = 2.0
    gloss = 0.6
    kind = "card"

    @property
    def changes(self) -> Mapping[str, Change]:
        def recoloured(rng: np.random.Generator, spec: Printed) -> Printed | None:
            card = spec.face.labels[0].partition("-")[2]
            near = [
                each for each in self.all if each != spec and each.face.labels[0].partition("-")[2] == card
            ]
            return near[0] if near else None

        return {
            "shade": recoloured,
            "symbol": lambda rng, spec: other(rng, self.all, spec),
        }


OWN: tuple[type[Family], ...] = (TanisTiles, TanisCards)
