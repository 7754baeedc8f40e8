"""Hands above a mat: seen by their colour across its edge, by what they change, and told from another lamp by a large picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engines.table import Layout
from vision import quality
from vision.calibration import Calibration
from vision.plane import Picture
from vision.stillness import STIRRED, Blocks, stir_beyond_light, uneven

PATIENCE = 4.0
"""Seconds of rest after which a large picture has to tell whether what reaches in is a hand."""

KNOCK = 0.5
"""Seconds of rest after which a large picture has to tell whether the camera was knocked: nobody waits for longer than that."""

Stirred = Callable[[Blocks, Blocks], NDArray[np.bool_]]


class Reach:
    """Whether a hand is above the mat, preview by preview. ``stir`` tells what differs between two moments."""

    def __init__(self, layout: Layout, stir: Stirred) -> None:
        self._layout, self._stir = layout, stir
        self.clean: Blocks | None = None
        """How the mat looked when it was last read."""
        self.ground: quality.Ground | None = None
        """Where the mat is in a preview, as soon as that is known."""
        self._borders: dict[tuple[int, int], quality.Border] = {}
        self._for: Calibration | None = None
        self._since: float | None = None
        self._sure = False
        self._suspected: Blocks | None = None
        self._stood: Calibration | None = None
        self._held: Blocks | None = None
        self._early = self._stands = False
        """Whether a large picture is asked for the camera alone; whether one told, in this rest, that it stands as it stood."""

    def read(self, now: Blocks | None, calibration: Calibration) -> None:
        """The mat was read: no hand is above it now."""
        self.clean, self._stood = now, calibration

    def watch(
        self, preview: Picture, now: Blocks, settled: bool, at: float, calibration: Calibration
    ) -> str | None:
        """ "hand", or None. What a large picture told to be a hand stays one until something moves."""
        across, self._early = self.across(preview, calibration), False
        if self._held is not None and settled and np.count_nonzero(self._stir(now, self._held)) < STIRRED:
            return "hand"
        self._held = None
        self._sure = self._sure and across
        if not across and not self._changed(now):
            self._since = None
            return None
        if not settled or self._since is None:
            self._since, self._stands = at, False
        self._early = at - self._since < PATIENCE
        if self._sure or (self._early and (self._stands or at - self._since < KNOCK)):
            return "hand"
        if self._early:
            return None
        # It may be the edge itself since the camera was knocked, or a new lamp: only a large picture tells.
        self._suspected = self._suspected if self.clean is None else self.clean
        if not across:
            self.clean, self._since = None, None
        return None

    def _changed(self, now: Blocks) -> bool:
        if self.clean is None or self.ground is None:
            return False
        return quality.reaches_in(self._stir(now, self.clean), self.ground)

    def across(self, preview: Picture, calibration: Calibration) -> bool:
        """Whether something that has not the mat's colour lies across its edge."""
        size = (preview.shape[1], preview.shape[0])
        if self._for is not calibration:
            self._borders, self._for = {}, calibration
            self.ground = quality.Ground.of(self._layout, calibration)
        if self._layout.loose:
            return False  # no mat, no edge: glasses and sleeves lie where they like
        border = self._borders.get(size)
        if border is None:
            border = self._borders[size] = quality.Border.of(self._layout, calibration, size)
        return quality.covered(preview, border)

    def rests(self, newest: Blocks | None, calibration: Calibration) -> bool:
        """Whether what reached in is a hand that rests, be its skin the colour of the mat. ``calibration``: where a large picture has found
        the camera now. Where it stood when the mat was clean, this is a hand or another lamp, and no lamp looks like that; so soon that it
        was asked for a knock alone, no lamp is thought of either."""
        if self._early and calibration is self._stood:
            self._stands = True
            return True
        before, self._suspected = self._suspected, None
        if before is None or newest is None or self.ground is None or self._layout.loose:
            return False
        if calibration is not self._stood:
            return False
        ground = self.ground
        changed = stir_beyond_light(newest, before, ground.inside, ground.laid)
        if not quality.arm(changed, ground):
            return False
        # A hand that was read below, for it had the mat's colour, and is gone now leaves the same difference: it lies where the mat is uneven.
        # (On a mat of tiles a hand may be more even than what it covers.)
        then, now = (uneven(one, ground.inside, ground.laid, changed) for one in (before, newest))
        if then > now and ground.laid.any():
            return False
        self.clean, self._held = before, newest
        return True

    def judged(self, fault: str | None) -> None:
        """What a large picture could not be read for."""
        self._sure = fault == "hand" and self._held is None
