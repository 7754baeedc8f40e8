"""A believable picture of a simulated table: mat, box, pieces with their sides, shadows, light, then hands, noise, JPEG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Cell
from hardware.print.board import plain_board
from hardware.print.mat import loose_marker
from hardware.print.shapes import Drawing
from hardware.simulated import things
from hardware.simulated.conditions import Conditions
from hardware.simulated.figures import blockers as shadows
from hardware.simulated.figures import draw_figure, stands
from hardware.simulated.light import RIM, SIDE, Blocker, Lamp, shade
from hardware.simulated.limbs import draw_hand
from hardware.simulated.optics import Floats, Optics
from hardware.simulated.paint import Art, Colour, Picture, Spot, fill, fill_hard, joined, paste, spot_of, u8
from hardware.simulated.places import Body, Box
from hardware.simulated.table import SimulatedTable

CARDBOARD = (150, 178, 200)
BOARD = (58, 84, 112)
RIM_COLOUR = (78, 112, 148)
LOOSE = 9
"""The plane of a loose tile's top; planes 1-8 are the tops of the dig's levels, 0 is the mat."""


class Renderer:
    """Draws one table as one camera sees it at one size. What did not change is not drawn again."""

    def __init__(self, table: SimulatedTable, art: Art, size: tuple[int, int], seed: int) -> None:
        self._table = table
        self._art = art
        self._size = size
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._conditions: Conditions | None = None
        self._optics = Optics.above(table.layout, size, seed, Conditions())
        self._lamp = Lamp(self._optics, Conditions(), (table.layout.width, table.layout.height))
        self._version = -1
        self._laid: object = None
        self._shown: dict[Body, Spot] | None = None
        self._noise: tuple[float, Picture] | None = None

    def picture(self, conditions: Conditions, packed: bool = True) -> Picture:
        """What the camera delivers now, (height, width, 3) uint8 BGR; ``packed``: through JPEG and back."""
        scene = self.scene(conditions)
        if self._table.hands:
            scene = scene.copy()
            for hand in self._table.hands:
                draw_hand(scene, hand, self._optics, self._art, conditions)
        result = scene
        if conditions.noise > 0:
            result = u8(cv2.addWeighted(scene, 1.0, self._grain(conditions.noise), 1.0, -128.0))
        if packed and conditions.jpeg:
            _, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
            result = u8(cv2.imdecode(data, cv2.IMREAD_COLOR))
        elif result is scene:
            result = scene.copy()
        return result

    def scene(self, conditions: Conditions) -> Picture:
        """The table without hands and noise. The array is kept and must not be written to."""
        if conditions != self._conditions:
            self._look_anew(conditions)
        if self._version != self._table.version:
            self._scene = self._compose(conditions)
            self._version = self._table.version
        return self._scene

    def _look_anew(self, conditions: Conditions) -> None:
        before = self._conditions
        optics = Optics.above(self._table.layout, self._size, self._seed, conditions)
        if before is None or optics != self._optics or before.table != conditions.table:
            self._optics = optics
            self._laid = None
        layout = self._table.layout
        self._lamp = Lamp(optics, conditions, (layout.width, layout.height))
        self._conditions = conditions
        self._version = -1
        self._shown = None

    def _bare(self, colour: Colour) -> Picture:
        """The table with the empty mat, or with the empty boards and the loose corners, in even light."""
        layout, optics = self._table.layout, self._optics
        places = optics.on_mat()
        fine = optics.scale() * 1.2
        wood = _wood(colour, self._seed)
        apart = 250.0
        ground = u8(
            cv2.remap(
                wood,
                (places[:, :, 0] + apart) / 2,
                (places[:, :, 1] + apart) / 2,
                cv2.INTER_LINEAR,
                None,
                cv2.BORDER_REFLECT,
            )
        )
        if layout.loose:
            return self._loose(ground, places, fine)
        mat = u8(cv2.cvtColor(self._art.mat(fine), cv2.COLOR_BGR2BGRA))
        across, down = mat.shape[1] / layout.width, mat.shape[0] / layout.height
        return _over(ground, mat, places[:, :, 0] * across - 0.5, places[:, :, 1] * down - 0.5)

    def _loose(self, ground: Picture, places: NDArray[np.float32], fine: float) -> Picture:
        """Boards and markers on a table without a mat."""
        table = self._table
        flat: list[tuple[Drawing, float, float, float]] = []
        for name, lies in table.boards_lie.items():
            zone = table.layout.zone(name)
            drawing = table.boards.get(name) or plain_board(zone)
            table.boards[name] = drawing
            flat.append((drawing, *lies.middle(zone), lies.turn))
        flat += [(loose_marker(marker.id), marker.x, marker.y, marker.turn) for marker in table.corners]
        for drawing, x, y, turn in flat:
            art = self._art.drawing(drawing, fine)
            cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            u, v = places[:, :, 0] - np.float32(x), places[:, :, 1] - np.float32(y)
            across = (art.shape[1] - 2) / drawing.width
            right = (u * cos + v * sin + drawing.width / 2) * across + 0.5
            down = (v * cos - u * sin + drawing.height / 2) * across + 0.5
            ground = _over(ground, art, right.astype(np.float32), down.astype(np.float32))
        return ground

    def _compose(self, conditions: Conditions) -> Picture:
        layout, optics, box = self._table.layout, self._optics, self._table.box
        laid = tuple(self._table.boards_lie.values())
        if laid != self._laid:
            self._plate, self._laid, self._shown = self._bare(conditions.table), laid, None
        if not box and not self._table.mugs and all(body.kind.thickness < 1 for body in self._table.bodies):
            return self._flat(conditions)
        self._shown = None
        picture = self._plate.copy()
        planes = np.zeros(picture.shape[:2], np.uint8)
        heights = {0: 0.0}
        blockers: list[Blocker] = []
        stacks = {zone.name for zone in layout.zones if zone.form == "stack"}
        window = None
        if box:
            window = self._box_inside(picture, planes, box)
            blockers += _walls(box)
        figures = self._ordered(tuple(body for body in self._table.bodies if stands(body)))
        shown = self._ordered(tuple(body for body in self._table.bodies if not stands(body)))
        for body, seen in zip(shown, see(shown, optics), strict=True):
            plane = body.level if body.zone in stacks else LOOSE
            if body.kind.thickness < 1:
                plane = 0
            else:
                heights[plane] = body.z + body.kind.thickness
                blockers.append(Blocker(body.corners(), body.z, body.z + body.kind.thickness))
            sides = draw_piece(picture, body, seen, optics, self._art)
            for side in sides:
                fill_hard(planes, side, SIDE)
            fill_hard(planes, seen[:4], plane)
        for body in figures:
            blockers += shadows(body)
            for outline in draw_figure(picture, body, optics, conditions.lamp):
                fill_hard(planes, outline, SIDE)
        if box:
            self._box_rim(picture, planes, box)
        for mug in self._table.mugs:
            blockers += things.blockers(mug)
            for outline in things.draw_mug(picture, mug, optics):
                fill_hard(planes, outline, SIDE)
        light = shade(planes, heights, blockers, optics, conditions, window)
        lit = u8(cv2.multiply(self._lamp.gain(), cv2.cvtColor(light, cv2.COLOR_GRAY2BGR), scale=1 / 255))
        return _finished(picture, lit, self._lamp.glare(), self._sigma(conditions))

    def _sigma(self, conditions: Conditions) -> float:
        return conditions.blur * self._size[0] / 1536

    def _flat(self, conditions: Conditions) -> Picture:
        """A table of cards, which cast no shadows: only where cards came or went since the last time it is painted anew."""
        bodies = self._ordered(self._table.bodies)
        seen = see(bodies, self._optics)
        shown = {body: spot_of(quad[:4], self._size) for body, quad in zip(bodies, seen, strict=True)}
        whole = Spot(0, 0, *self._size)
        if self._shown is None:
            self._painted, self._finish = np.empty_like(self._plate), np.empty_like(self._plate)
            self._lit = self._lamp.gain(), self._lamp.glare()
            spots = [whole]
        else:
            before = self._shown
            gone = [spot for body, spot in before.items() if body not in shown]
            spots = joined([*gone, *(spot for body, spot in shown.items() if body not in before)])
        self._shown = shown
        canvas = np.empty_like(self._plate)
        for spot in spots:
            canvas[spot.part] = self._plate[spot.part]
            for body, quad in zip(bodies, seen, strict=True):
                if shown[body].meets(spot):
                    draw_piece(canvas, body, quad, self._optics, self._art)
            self._painted[spot.part] = canvas[spot.part]
        sigma = self._sigma(conditions)
        reach = math.ceil(4 * sigma) + 2
        gain, glare = self._lit
        for spot in spots:
            # What is blurred into the spot comes from around it, and it is blurred into what is around it.
            inner, outer = spot.grown(reach, whole), spot.grown(2 * reach, whole)
            picture = self._painted[outer.part]
            spots_glare = None if glare is None else glare[outer.part]
            self._finish[inner.part] = _finished(picture, gain[outer.part], spots_glare, sigma)[
                inner.within(outer)
            ]
        return self._finish

    def _ordered(self, bodies: tuple[Body, ...]) -> list[Body]:
        """Lowest first, and at one height the farthest from below the camera first: so that nearer ones hide what they hide.

        Without those of which nothing can be seen: they lie under others and are walled in by their neighbours.
        """
        x, y = self._optics.nadir
        tops: dict[tuple[int, int], int] = {}
        for body in bodies:
            for cell in body.cells:
                tops[cell] = max(tops.get(cell, 0), body.level)
        shown = [body for body in bodies if not _walled_in(body, tops, self._table.box)]
        return sorted(shown, key=lambda b: (b.z, -((b.x - x) ** 2 + (b.y - y) ** 2)))

    def _box_inside(self, picture: Picture, planes: Picture, box: Box) -> Floats:
        """Floor and inner walls; returns the outline of the inside at the rim, in px."""
        bottom = self._project(box.outline(), 0.0)
        top = self._project(box.outline(), box.height)
        fill(picture, bottom, BOARD)
        for index, quad in enumerate(_quads(bottom, top)):
            if _area(quad) < 0:
                fill(picture, quad, _dimmed(BOARD, (0.8, 0.95, 1.05, 0.9)[index]))
                fill_hard(planes, quad, SIDE)
        return top

    def _box_rim(self, picture: Picture, planes: Picture, box: Box) -> None:
        bottom = self._project(box.outline(box.wall), 0.0)
        outer = self._project(box.outline(box.wall), box.height)
        inner = self._project(box.outline(), box.height)
        for index, quad in enumerate(_quads(bottom, outer)):
            if _area(quad) > 0:
                fill(picture, quad, _dimmed(RIM_COLOUR, (0.85, 0.75, 0.7, 0.8)[index]))
                fill_hard(planes, quad, SIDE)
        for quad in _quads(outer, inner):
            fill(picture, quad, RIM_COLOUR)
            fill_hard(planes, quad, RIM)

    def _project(self, outline: Iterable[tuple[float, float]], z: float) -> Floats:
        return self._optics.project([(x, y, z) for x, y in outline])

    def _grain(self, sigma: float) -> Picture:
        """Noise about 128, another part of one large sheet each time."""
        width, height = self._size
        spare = 61
        if self._noise is None or self._noise[0] != sigma:
            sheet = np.empty((height + spare, width + spare, 3), np.uint8)
            for row in range(0, height + spare, 64):
                part = sheet[row : row + 64]
                drawn = self._rng.standard_normal(part.shape, np.float32)
                part[:] = np.clip(drawn * sigma + 128.5, 0, 255)
            self._noise = sigma, sheet
        x, y = (int(value) for value in self._rng.integers(0, spare, 2))
        return self._noise[1][y : y + height, x : x + width]


def _finished(picture: Picture, lit: Picture, glare: Picture | None, sigma: float) -> Picture:
    """A painted picture in its light (128: as it is), with a reflection, through the lens (``sigma`` of its blur, px)."""
    picture = u8(cv2.multiply(picture, lit, scale=1 / 128))
    if glare is not None:
        picture = u8(cv2.add(picture, cv2.cvtColor(glare, cv2.COLOR_GRAY2BGR)))
    if sigma > 0.2:
        picture = u8(cv2.GaussianBlur(picture, (0, 0), sigma))
    return picture


def see(bodies: Sequence[Body], optics: Optics) -> Floats:
    """Where the camera sees the pieces: of each the top corners, then the bottom corners, (n, 8, 2) px."""
    points = [
        (x, y, z)
        for body in bodies
        for z in (body.z + body.kind.thickness, body.z)
        for x, y in body.corners()
    ]
    return optics.project(points).reshape(-1, 8, 2) if points else np.empty((0, 8, 2))


def draw_piece(picture: Picture, body: Body, seen: Floats, optics: Optics, art: Art) -> list[Floats]:
    """A piece whose corners are seen at ``seen`` (8, 2) px, with the sides that show; returns those sides."""
    sides = []
    if body.kind.thickness >= 1:
        for index, side in enumerate(_quads(seen[4:], seen[:4])):
            if _area(side) > 0:
                turn = (round(body.turn / 90) + index) % 4
                fill(picture, side, _dimmed(CARDBOARD, (0.92, 0.8, 0.68, 0.8)[turn]))
                sides.append(side)
    paste(picture, seen[:4], art.face(body.identity, round(optics.scale() * 1.15, 3)))
    return sides


def _walled_in(body: Body, tops: Mapping[Cell, int], box: Box | None) -> bool:
    if not body.cells or box is None:
        return False
    around = {(c + dc, r + dr) for c, r in body.cells for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    near = {(c, r) for c, r in around if 0 <= c < box.columns and 0 <= r < box.rows}
    covered = all(tops.get(cell, 0) > body.level for cell in body.cells)
    return covered and all(tops.get(cell, 0) >= body.level for cell in near)


def _walls(box: Box) -> list[Blocker]:
    outer, inner = box.outline(box.wall), box.outline()
    return [
        Blocker((outer[i], outer[(i + 1) % 4], inner[(i + 1) % 4], inner[i]), 0.0, box.height)
        for i in range(4)
    ]


def _quads(lower: Floats, upper: Floats) -> list[Floats]:
    corners = np.concatenate([lower, upper])
    return [corners[[i, j, j + 4, i + 4]] for i, j in ((0, 1), (1, 2), (2, 3), (3, 0))]


def _area(quad: Floats) -> float:
    """Positive if the outline runs clockwise on the screen."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def _dimmed(colour: Colour, share: float) -> Colour:
    blue, green, red = (min(255, round(part * share)) for part in colour)
    return blue, green, red


def _over(ground: Picture, art: Picture, x: NDArray[np.float32], y: NDArray[np.float32]) -> Picture:
    """``art`` (BGRA) over the ground: for every pixel of the ground its place in the art, in px."""
    seen = cv2.remap(art, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, (0, 0, 0, 0))
    clear = cv2.cvtColor(255 - seen[:, :, 3], cv2.COLOR_GRAY2BGR)
    return u8(cv2.add(cv2.multiply(ground, clear, scale=1 / 255), seen[:, :, :3]))


def _wood(colour: Colour, seed: int) -> Picture:
    """A table top with grain, 2 mm per px, about 1.1 x 0.9 m."""
    rng = np.random.default_rng(seed)
    grain = rng.standard_normal((460, 560)).astype(np.float32)
    long = cv2.GaussianBlur(grain, (0, 0), sigmaX=26, sigmaY=0.9)
    broad = cv2.GaussianBlur(grain, (0, 0), sigmaX=60, sigmaY=9)
    share = 1 + 0.045 * long / long.std() + 0.03 * broad / broad.std()
    wood = np.clip(share[:, :, None] * np.array(colour, np.float32), 0, 255)
    return u8(wood)
