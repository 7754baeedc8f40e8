"""The eyes: a small picture to watch, a large one to read, and nothing read that could not be seen.

``watch`` takes every preview and says whether the table lies still and whether something is wrong with the picture. ``read`` takes a large picture of a
settled table and says what lies there. Only what changed since the last reading is read again. Neither raises, whatever the picture.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Cell, Layout, Piece, Table, Zone
from vision import assemble, corners, figures, loose, quality, sizes, stack
from vision.area import Area
from vision.calibration import Box, Calibration
from vision.cards import reader as cards
from vision.cards import register
from vision.cards.bank import CardBank
from vision.changes import Patchwork
from vision.compare import Bank, separation
from vision.gallery import SCALE, Gallery
from vision.locate import check, drawing, find
from vision.plane import Picture, Samplings
from vision.reach import Reach
from vision.stillness import Blocks, Stillness, blocks, stir

STRAY = 1.3
"""When the box's tiles lie this far (mm) from where the box should be, it has been bumped and is measured again."""
BLOCKED = 5
"""So many pieces of a stack that cannot be told, and a third of its cells, mean that something stands in the way."""
CHANGED = 2
"""Blocks of a preview that must differ before it is worth reading again."""
RESIZED = 0.006
"""Pieces that turn out to be this much larger or smaller than was thought are looked at again."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a preview tells: the table lies still; what is wrong with the picture (None: nothing); it differs from the last one read."""

    settled: bool
    fault: str | None
    changed: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What a large picture tells: the table, or (table None) the fault that kept it from being read; milliseconds per stage."""

    table: Table | None
    fault: str | None
    ms: Mapping[str, float]


class Eyes:
    """Watch and read one mat. Raises GalleryError at the start when the gallery does not fit the layout."""

    def __init__(self, layout: Layout, gallery: Gallery, calibration: Calibration | None = None) -> None:
        gallery.check(layout)
        self.layout = layout
        self._calibration = calibration
        self._markers = corners.placed(calibration, layout)
        self._figures = figures.seekers(layout, gallery.pictures)
        self._boards = {name: seeker.board for name, seeker in self._figures.items()}
        self._gone = "no mat" if not layout.loose else "no board" if self._boards else "no corners"
        self._drawings = {marker.id: drawing(marker) for marker in self._markers}
        laid = {name for zone in layout.zones if zone.form in ("row", "pile") for name in zone.kinds}
        self._cards = {
            name: CardBank.of(layout, layout.kind(name), gallery.pictures, SCALE) for name in sorted(laid)
        }
        banks = {
            kind.name: Bank.of(layout, kind, gallery.pictures, SCALE)
            for kind in layout.kinds
            if kind.name not in laid
        }
        self._loose = {name: loose.LooseSeeker.of(bank, layout, gallery) for name, bank in banks.items()}
        stacked = {zone.kinds[0] for zone in layout.zones if zone.form == "stack"}
        self._stack = {name: stack.StackSeeker.of(banks[name]) for name in stacked}
        self._stillness = Stillness()
        self._reach = Reach(layout, self._stir)
        self._mat = Samplings()
        self._newest: Blocks | None = None
        self._stirred: tuple[Blocks, Blocks, NDArray[np.bool_]] | None = None
        self._read_at: Blocks | None = None
        self._lost = False
        self._measured: dict[str, list[sizes.Stretch]] = {}
        self._table = register.Registrar(
            layout, list(self._cards.values()), layout.loose and not self._boards and bool(self._cards)
        )
        self.forget()

    @property
    def calibration(self) -> Calibration | None:
        """The newest calibration, to be saved; None until the mat has been seen."""
        return self._calibration

    def forget(self) -> None:
        """Nothing read so far counts: the next reading is a whole one."""
        self._patches: Patchwork | None = None
        self._sights: dict[str, dict[Cell, stack.CellSight]] = {}
        self._levels: dict[str, dict[Cell, int]] = {}
        self._pieces: dict[str, tuple[Piece, ...]] = {}
        self._blocked: dict[str, bool] = {}

    # -- watching ---------------------------------------------------------------------------------------------

    def watch(self, preview: Picture, at: float) -> Sight:
        """One preview (H, W, 3) uint8 and its monotonic time in s; about 1 ms."""
        if not quality.usable(preview):
            return Sight(False, self._gone, True)
        now = blocks(preview)
        settled = self._stillness.see(now, at)
        changed = self._read_at is None or self._differs(now, self._read_at)
        self._newest = now
        wrong = quality.brightness(preview)
        if wrong is None and self._calibration is not None and not self._lost:
            wrong = self._reach.watch(preview, now, settled, at, self._calibration)
        if wrong is None and self._lost and not changed:
            wrong = self._gone
        return Sight(settled and wrong is None, wrong, changed)

    def _differs(self, now: Blocks, then: Blocks) -> bool:
        """Whether something on the mat (anywhere, while it is not known where the mat is) is not as it was."""
        changed = self._stir(now, then)
        if self._reach.ground is not None and not self._lost:
            changed = changed & self._reach.ground.inside
        return int(np.count_nonzero(changed)) >= CHANGED

    def _stir(self, now: Blocks, then: Blocks) -> NDArray[np.bool_]:
        """What stirred between the two; asked twice of most previews, for the mat was clean when it was last read."""
        if self._stirred is None or self._stirred[0] is not now or self._stirred[1] is not then:
            self._stirred = now, then, stir(now, then)
        return self._stirred[2]

    # -- reading ----------------------------------------------------------------------------------------------

    def read(self, picture: Picture, expected: Table) -> Look:
        """Read a settled picture (H, W, 3) uint8. ``expected`` is what should lie there: it ranks, it does not decide."""
        ms: dict[str, float] = {}
        begun = time.perf_counter()
        if not quality.usable(picture):
            return Look(None, self._gone, ms)
        half = _halved(picture)
        fault = quality.brightness(picture) or self._stand(picture, half, ms)
        calibration = self._calibration
        if fault is None and calibration is not None and self._reach.rests(self._newest, calibration):
            fault = "hand"
        if fault is not None or calibration is None:
            ms["total"] = 1e3 * (time.perf_counter() - begun)
            self._lost = fault == self._gone
            self._reach.judged(fault)
            self._read_at = self._newest
            return Look(None, fault or self._gone, ms)
        self._lost = False
        lap = time.perf_counter()
        if self._patches is None:
            self._patches = Patchwork(self.layout)
        changes = self._patches.compare(half, calibration)
        ms["changes"] = 1e3 * (time.perf_counter() - lap)
        # The stack first: most pieces of its kind lie there at the start, and tell how large the owner's are.
        for zone in sorted(self.layout.zones, key=lambda zone: zone.form != "stack"):
            lap = time.perf_counter()
            area = changes.get(zone.name)
            if zone.form == "stack":
                self._read_stack(picture, zone, area, expected)
            elif zone.form == "squares":
                self._read_board(picture, zone, area)
            elif all(name in self._cards for name in zone.kinds):
                self._read_cards(picture, zone, area)
            else:
                self._read_free(picture, half, zone, area)
            ms[zone.name] = 1e3 * (time.perf_counter() - lap)
        if not self._table.done and self._register(picture, calibration, expected):
            return self.read(picture, expected)
        unread = tuple(zone.name for zone in self.layout.zones if self._blocked.get(zone.name))
        found = [piece for zone, seen in self._pieces.items() if zone not in unread for piece in seen]
        whole = assemble.narrowed(found, self.layout)
        self._read_at = self._newest
        assert self._calibration is not None
        self._reach.read(self._newest, self._calibration)
        ms["total"] = 1e3 * (time.perf_counter() - begun)
        return Look(Table(tuple(sorted(whole, key=lambda p: (p.zone, p.y, p.x))), unread), None, ms)

    def _stand(self, picture: Picture, half: Picture, ms: dict[str, float]) -> str | None:
        """See to it that the calibration holds for this picture (``half``: the same, halved); the fault when it cannot be read."""
        lap = time.perf_counter()
        found = (
            check(picture, self._calibration, self._markers, self._drawings) if self._calibration else None
        )
        ms["check"] = 1e3 * (time.perf_counter() - lap)
        if (
            self._calibration is None
            or found is None
            or len(found.seen) < 2
            or found.moved
            or corners.shifted(picture, self._calibration, self.layout, self._boards)
        ):
            lap = time.perf_counter()
            if self.layout.loose:
                fresh = corners.find(picture, self.layout, self._calibration, self._boards)
            else:
                fresh = find(picture, self._markers, self._calibration)
            ms["find"] = 1e3 * (time.perf_counter() - lap)
            if fresh is not None and self.layout.loose and not self._boards:
                fresh = self._table.carried(fresh, self._calibration)
            if fresh is None:
                if found is not None and found.seen and 0 < found.contrast < quality.DARK_CONTRAST:
                    return "dark"
                return "blurred" if quality.unsharp(picture) else self._gone
            self._calibration = fresh
            self._markers = corners.placed(fresh, self.layout)
            self.forget()
            found = check(picture, fresh, self._markers, self._drawings)
        if corners.coarse(self._calibration, self.layout, (picture.shape[1], picture.shape[0])):
            return "coarse"
        lap = time.perf_counter()
        small = _halved(half)
        fault = quality.fault(small, self.layout, self._calibration, found, self._mat)
        if fault is None and self._reach.across(small, self._calibration):
            fault = "hand"
        ms["quality"] = 1e3 * (time.perf_counter() - lap)
        return fault

    def _register(self, picture: Picture, calibration: Calibration, expected: Table) -> bool:
        """A table without mat and board lies where its cards do; as its corners say as long as too few are there. True when that is new."""
        seen = [piece for pieces in self._pieces.values() for piece in pieces]
        there = self._table.settled(picture, calibration, expected, seen)
        if there is not None:
            self._calibration = there
            self._markers = corners.placed(there, self.layout)
            self.forget()
        return there is not None

    # -- stack zones ------------------------------------------------------------------------------------------

    def _read_stack(self, picture: Picture, zone: Zone, area: Area | None, expected: Table) -> None:
        calibration = self._calibration
        assert calibration is not None
        seeker = self._stack[zone.kinds[0]]
        awaited = expected.within(zone.name)
        before = self._levels.get(zone.name, {})
        levels = stack.levels(zone, awaited, before)
        box = calibration.boxes.get(zone.name)
        known = self._sights.get(zone.name)
        if box is None or known is None:
            box, sights = self._first_look(picture, zone, box, levels)
        else:
            size, zone = self._size(zone.kinds[0]), replace(zone, cell=box.cell or zone.cell)
            doubtful = [
                cell
                for cell, sight in known.items()
                if not _clear(sight, seeker.bank.contrast) or abs(levels.get(cell, 1) - sight.level) > 1
            ]
            cells = sorted({*(stack.touched(zone, box, area) if area else ()), *doubtful})
            fresh = stack.look(picture, calibration, zone, box, seeker, levels, cells, size=size)
            sights = {**known, **fresh}
            moved = stack.stand({c: sights[c] for c in cells}, zone, box) if len(cells) > 5 else None
            if moved is not None and _far(moved, box):
                box, sights = self._first_look(picture, zone, moved, levels)
        zone = replace(zone, cell=box.cell or zone.cell)
        self._sights[zone.name] = sights
        kind = self.layout.kind(zone.kinds[0])
        found = assemble.pieces(
            sights, zone, box, kind, self.layout.faces, seeker.bank.contrast, awaited, before or levels
        )
        self._pieces[zone.name] = found
        shown = sum(not assemble.bare(sight, seeker.bank.contrast) for sight in sights.values())
        untold = sum(1 for piece in found if not piece.identities)
        self._blocked[zone.name] = untold >= BLOCKED and untold > shown / 3
        if self._blocked[zone.name]:
            return
        tops = dict.fromkeys(levels, 0)
        for piece in found:
            for cell, seen in zip(piece.cells, piece.seen, strict=False):
                if seen or len(piece.cells) == 1:
                    tops[cell] = piece.level
        self._levels[zone.name] = tops

    def _first_look(
        self, picture: Picture, zone: Zone, box: Box | None, levels: Mapping[Cell, int]
    ) -> tuple[Box, dict[Cell, stack.CellSight]]:
        """All cells of a stack of which it is not known where it stands, nor (the first time) how large its pieces are."""
        calibration, seeker = self._calibration, self._stack[zone.kinds[0]]
        assert calibration is not None
        kind, contrast = seeker.bank.kind, seeker.bank.contrast
        start = box or Box(zone.x + zone.width / 2, zone.y + zone.height / 2, 0.0)
        size = self._size(kind.name)
        best: tuple[float, Box, dict[Cell, stack.CellSight]] | None = None
        for stretch in (1.0,) if kind.name in calibration.pieces else sizes.TRIED:
            wide = replace(zone, cell=start.cell or zone.cell * stretch * size)
            rough = stack.look(
                picture, calibration, wide, start, seeker, levels, reach=7, size=size * stretch
            )
            clear = sum(bool(s.guesses) and s.guesses[0].alike > sizes.ALIKE for s in rough.values())
            if best is None or clear > best[0]:
                best = clear, stack.stand(rough, wide, start) or start, rough
            if clear >= sum(not assemble.bare(sight, contrast) for sight in rough.values()) / 2:
                break
        assert best is not None
        box = best[1]
        for _ in range(2):
            zone = replace(zone, cell=box.cell or zone.cell)
            sights = stack.look(picture, calibration, zone, box, seeker, levels, size=size)
            found = assemble.pieces(sights, zone, box, kind, self.layout.faces, contrast, (), levels)
            known, size = size, self._measure(picture, kind.name, found, size)
            if abs(size - known) < RESIZED:
                break
        assert self._calibration is not None
        self._calibration = replace(self._calibration, boxes={**self._calibration.boxes, zone.name: box})
        return box, sights

    def _size(self, kind: str) -> float:
        """How large the owner's pieces of a kind are, relative to the layout's."""
        assert self._calibration is not None
        nominal = self.layout.kind(kind)
        width, height = self._calibration.pieces.get(kind, (nominal.width, nominal.height))
        return float(np.sqrt(width * height / (nominal.width * nominal.height)))

    def _measure(self, picture: Picture, name: str, found: Sequence[Piece], size: float) -> float:
        """Learn the size of a kind from pieces read at ``size``; the newest size relative to the layout's."""
        assert self._calibration is not None
        pool = self._measured.setdefault(name, [])
        if len(pool) >= sizes.ENOUGH:
            return self._size(name)
        bank = self._loose[name].bank
        pool += sizes.measured(picture, self._calibration, self.layout, bank, found, size)
        if len(pool) >= sizes.FEWEST:
            wide, high = sizes.typical(pool)
            fits = {name: (bank.kind.width * wide, bank.kind.height * high)}
            self._calibration = replace(self._calibration, pieces={**self._calibration.pieces, **fits})
            if abs(self._size(name) - size) >= RESIZED:
                pool.clear()  # measured again, better, at the size just learnt
            return self._size(name)
        return size

    # -- zones of cards ---------------------------------------------------------------------------------------

    def _read_cards(self, picture: Picture, zone: Zone, area: Area | None) -> None:
        """Cards that may lie over one another."""
        assert self._calibration is not None
        banks = [self._cards[name] for name in zone.kinds]
        before = None if self._blocked.get(zone.name) else self._pieces.get(zone.name)
        if before is not None and area is None and all(piece.identities for piece in before):
            return
        seen = cards.look_again(picture, self._calibration, zone, banks, before, area)
        self._pieces[zone.name] = seen.pieces
        self._blocked[zone.name] = seen.blocked

    # -- boards -----------------------------------------------------------------------------------------------

    def _read_board(self, picture: Picture, zone: Zone, area: Area | None) -> None:
        """The figures on a board; the whole of it, whenever something on it changed or was not told."""
        assert self._calibration is not None
        before = self._pieces.get(zone.name)
        if before is not None and area is None and all(piece.identity for piece in before):
            return
        seen, self._calibration = figures.read(picture, self._calibration, self._figures[zone.name])
        self._pieces[zone.name], self._blocked[zone.name] = seen.pieces, seen.blocked

    # -- free zones -------------------------------------------------------------------------------------------

    def _read_free(self, picture: Picture, small: Picture, zone: Zone, area: Area | None) -> None:
        assert self._calibration is not None
        before = self._pieces.get(zone.name)
        if before is not None:
            unsure = [piece for piece in before if piece.identity is None]
            area = _joined(area, [Area(p.x, p.y, p.x, p.y).grown(14) for p in unsure])
            if area is None:
                return
        whole = Area.of(zone)
        found: list[Piece] = []
        for name in zone.kinds:
            seeker = self._loose[name]
            kind = seeker.bank.kind
            reach = (kind.width**2 + kind.height**2) ** 0.5 / 2 + 2
            if before is None or area is None:
                found += self._looked(picture, zone, seeker)
                continue
            wide = area.grown(reach * 2).cut(whole)
            touched = area.grown(reach)
            kept = [p for p in before if p.kind == name and not _within(p, touched)]
            fresh = self._looked(picture, zone, seeker, before, wide)
            found += kept
            found += [
                p
                for p in fresh
                if _within(p, touched)
                and all(abs(p.x - q.x) + abs(p.y - q.y) > kind.width * 0.4 for q in kept)
            ]
        self._pieces[zone.name] = tuple(found)
        kinds = [self._loose[name].bank.kind for name in zone.kinds]
        self._blocked[zone.name] = loose.obstructed(small, self._calibration, zone, found, kinds)

    def _looked(
        self,
        picture: Picture,
        zone: Zone,
        seeker: loose.LooseSeeker,
        before: Sequence[Piece] = (),
        area: Area | None = None,
    ) -> tuple[Piece, ...]:
        """The pieces of one kind in a free zone; their size is learnt as long as it is not well known."""
        assert self._calibration is not None
        name = seeker.bank.kind.name
        size = self._size(name)
        guesses = (size,) if name in self._calibration.pieces else tuple(size * one for one in sizes.TRIED)
        best: tuple[Piece, ...] = ()
        for guess in guesses:
            found = loose.look(picture, self._calibration, zone, seeker, before, area, guess)
            if guess == guesses[0] or sum(p.confidence for p in found) > sum(p.confidence for p in best):
                best, size = found, guess
            if not found:
                break
        for _ in range(3):
            known, size = size, self._measure(picture, name, best, size)
            if abs(size - known) < RESIZED:
                break
            best = loose.look(picture, self._calibration, zone, seeker, before, area, size)
        return best


def _halved(picture: Picture) -> Picture:
    """Half as wide and half as high, each pixel the mean of four."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _within(piece: Piece, area: Area) -> bool:
    return area.left <= piece.x <= area.right and area.top <= piece.y <= area.bottom


def _joined(area: Area | None, more: Sequence[Area]) -> Area | None:
    every = [*([area] if area else []), *more]
    if not every:
        return None
    return Area(
        min(a.left for a in every),
        min(a.top for a in every),
        max(a.right for a in every),
        max(a.bottom for a in every),
    )


def _clear(sight: stack.CellSight, contrast: float) -> bool:
    if assemble.bare(sight, contrast):
        return True
    return len(sight.guesses) > 1 and assemble.believable(
        sight.guesses[0].alike, separation(sight.guesses[0].alike, sight.guesses[1].alike)
    )


def _far(one: Box, other: Box) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) > STRAY or abs(one.turn - other.turn) > 1.2
