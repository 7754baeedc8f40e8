"""A folder of pictures as a camera: to read photos that were taken before, in the order of their names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hardware.camera.frame import CameraError, Frame, Picture
from hardware.clock import Clock, SystemClock

SUFFIXES = (".png", ".jpg", ".jpeg")
PREVIEW_WIDTH = 384  # px


class FolderCamera:
    """Shows each picture of ``folder`` for ``seconds`` seconds of ``clock``, sorted by name; the last one stays. A picture that another
    takes the place of (by a rename) is looked at anew, so that a folder can be fed while it is watched.

    ``size``: (width, height) px to which pictures are scaled; None: that of the first one. Raises CameraError for a folder without
    pictures and, when its turn comes, for a damaged one, by name.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock | None = None,
        size: tuple[int, int] | None = None,
        seconds: float = 3.0,
    ) -> None:
        self._clock = clock if clock is not None else SystemClock()
        self._seconds = seconds
        try:
            self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise CameraError(
                f"cannot read the folder {folder}: {error.strerror}", "no picture folder:\ncheck settings"
            ) from error
        if not self._paths:
            raise CameraError(f"no picture ({', '.join(SUFFIXES)}) in {folder}", "picture folder is\nempty")
        self._size = size
        self._start = self._clock.monotonic()
        self._read: tuple[tuple[int, int], Picture] | None = None

    @property
    def size(self) -> tuple[int, int]:
        if self._size is None:
            height, width = _load(self._paths[0]).shape[:2]
            self._size = width, height
        return self._size

    @property
    def path(self) -> Path:
        """The file that is shown now."""
        return self._paths[self._index()]

    def preview(self) -> Frame:
        import cv2

        picture = self._picture()
        height = round(PREVIEW_WIDTH * self.size[1] / self.size[0] / 2) * 2
        small = cv2.resize(picture, (PREVIEW_WIDTH, height), interpolation=cv2.INTER_AREA)
        return Frame(np.asarray(small, np.uint8), self._clock.monotonic())

    def capture(self, not_before: float) -> Frame:
        wait = not_before - self._clock.monotonic()
        if wait > 0:
            self._clock.sleep(wait)
        return Frame(self._picture(), self._clock.monotonic())

    def close(self) -> None:
        self._read = None

    def _index(self) -> int:
        passed = self._clock.monotonic() - self._start
        return (
            min(int(passed / self._seconds), len(self._paths) - 1)
            if self._seconds > 0
            else len(self._paths) - 1
        )

    def _picture(self) -> Picture:
        import cv2

        path = self._paths[self._index()]
        which = _identity(path)
        if self._read is None or self._read[0] != which:
            picture = _load(path)
            if (picture.shape[1], picture.shape[0]) != self.size:
                picture = np.asarray(cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA), np.uint8)
            picture.flags.writeable = False  # it is shown again: who wants to draw on it takes a copy
            self._read = which, picture
        return self._read[1]


def _identity(path: Path) -> tuple[int, int]:
    """Which file that is: (inode, time of its last change in ns). Raises CameraError when it is gone."""
    try:
        found = path.stat()
    except OSError as error:
        raise CameraError(f"cannot read {path}: {error.strerror}", "picture is unreadable") from error
    return found.st_ino, found.st_mtime_ns


def _load(path: Path) -> Picture:
    """One picture, BGR. Raises CameraError that names the file."""
    import cv2

    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise CameraError(f"cannot read {path}: {error.strerror}", "picture is unreadable") from error
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        picture = None
    if picture is None:
        raise CameraError(
            f"{path} is damaged or no picture; delete it or copy it again",
            "picture is damaged:\n" + path.name[:21],
        )
    return np.asarray(picture, np.uint8)
