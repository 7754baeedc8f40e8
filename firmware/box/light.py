"""What eyes and camera measured, kept in the state folder: the calibration and, with it, the camera's exposure.

The exposure is set again at every start, so that white and brightness do not differ from one picture to the next. It is measured
anew only when the picture stays too dark or too bright with no hand in view; the camera's own driver keeps the limits.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hardware.camera.frame import CameraError, Exposure, MeasuredExposure

if TYPE_CHECKING:
    from vision.calibration import Calibration

log = logging.getLogger("thoth")

CALIBRATION = "calibration.toml"


@runtime_checkable
class Measures(Protocol):
    """A camera whose exposure can be measured and held (the simulated one and a folder have none)."""

    def measure_exposure(self) -> MeasuredExposure: ...


class Light:
    """``path``: the calibration's file, read at once; a damaged one is said in the log and measured anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.calibration: Calibration | None = None
        self._saved: object = None
        self.exposure: Exposure | None = None
        if not path.exists():
            return
        from vision.calibration import Calibration, CalibrationError

        try:
            self.calibration = self._saved = Calibration.load(path)
        except CalibrationError as error:
            log.warning("%s", error)
            return
        if any(value is not None for value in _values(self.calibration.exposure)):
            self.exposure = self.calibration.exposure

    def seen(self, eyes: object, camera: object) -> None:
        """After a picture was read: keep the eyes' calibration if it is new; measure the light if nobody has yet."""
        calibration: Calibration | None = getattr(eyes, "calibration", None)
        if calibration is None:
            return
        if self.exposure is None and isinstance(camera, Measures):
            self.measure(camera)
        if calibration is not self._saved:
            self.calibration = self._saved = calibration
            self._save()

    def measure(self, camera: object) -> None:
        """Let the camera find its exposure anew, hold it and keep it. Takes some seconds."""
        if not isinstance(camera, Measures):
            return
        before = self.exposure
        try:
            self.exposure = camera.measure_exposure()
        except CameraError as error:
            log.warning("the light could not be measured: %s", error)
            return
        log.info(
            "exposure measured anew: %s, was %s",
            _values(self.exposure),
            _values(before) if before else "not set",
        )
        self._save()

    def _save(self) -> None:
        if self.calibration is None:
            return
        kept = self.calibration
        if self.exposure is not None:
            from vision.calibration import Exposure as Stored

            kept = replace(kept, exposure=Stored(*_values(self.exposure)))
        try:
            kept.save(self._path)
        except OSError as error:
            log.warning("%s: the calibration is not kept: %s", self._path, error)


def _values(
    exposure: Exposure,
) -> tuple[int | None, float | None, tuple[float, float] | None, float | None]:
    return exposure.exposure_us, exposure.gain, exposure.colour_gains, exposure.lens_position
