"""What changed on the mat since the last reading: each zone seen small from above and compared with how it looked then.

The comparison is of log brightness and colour with the slow light taken out, so that a lamp, a cloud or a soft shadow changes nothing; a piece that came,
went, moved by a millimetre or was exchanged does.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Layout, Zone
from vision.area import Area
from vision.calibration import Calibration
from vision.plane import Picture, Samplings, Window

SCALE = 1.0
"""Pixels per mm: print of a millimetre shows."""
CHANGED = 0.16
"""Difference of log brightness or colour that counts, after smoothing over about 2 mm."""
LIGHT = 31
"""Side (mm) of the neighbourhood whose mean difference is taken to be light."""
_SHARES = np.array([[1 / 3, 1 / 3, 1 / 3], [0.0, -0.7, 0.7], [0.7, -0.7, 0.0]])
"""From blue, green and red to brightness and half the red and blue shares."""
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(16.0))


class Patchwork:
    """How each zone looked when it was last read."""

    def __init__(self, layout: Layout) -> None:
        self._zones: Mapping[str, Zone] = {zone.name: zone for zone in layout.zones}
        self._heights = {
            zone.name: 0.0
            if zone.form == "squares"
            else max(layout.kind(name).thickness for name in zone.kinds) * max(1, zone.levels) * 0.75
            for zone in layout.zones
        }
        self._known: dict[str, NDArray[np.float32]] = {}
        self._samplings = Samplings()

    def compare(self, picture: Picture, calibration: Calibration) -> dict[str, Area | None]:
        """The area of each zone that changed (None: nothing did; a zone never seen has changed altogether), and remember the new look."""
        return {name: self._one(picture, calibration, zone) for name, zone in self._zones.items()}

    def _one(self, picture: Picture, calibration: Calibration, zone: Zone) -> Area | None:
        window = Window(
            zone.x + zone.width / 2,
            zone.y + zone.height / 2,
            zone.width,
            zone.height,
            self._heights[zone.name],
            0.0,
            SCALE,
        )
        now = features(self._samplings.rectify(picture, window, calibration))
        then = self._known.get(zone.name)
        if then is None or then.shape != now.shape:
            self._known[zone.name] = now
            return Area.of(zone)
        change = now - then
        light = cv2.blur(change, (LIGHT, LIGHT), borderType=cv2.BORDER_REFLECT)
        local = cv2.blur(change, (3, 3)) - light
        size = np.abs(local)
        strong = np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]) > CHANGED
        if np.count_nonzero(strong) < 4:
            return None
        ys, xs = np.nonzero(strong)
        # The outermost 0.1 % do not decide: single noisy points would make the area large.
        cut = 0.1 if len(xs) > 1000 else 0.0
        left, right = np.percentile(xs, [cut, 100 - cut])
        top, bottom = np.percentile(ys, [cut, 100 - cut])
        self._known[zone.name] = now
        return Area(
            zone.x + float(left) / SCALE,
            zone.y + float(top) / SCALE,
            zone.x + float(right + 1) / SCALE,
            zone.y + float(bottom + 1) / SCALE,
        )


def features(view: Picture) -> NDArray[np.float32]:
    """Log brightness and half its red and blue shares, (H, W, 3) float32."""
    return np.asarray(cv2.transform(cv2.LUT(view, _LOG), _SHARES), np.float32)
