"""Cameras by name: the Raspberry Pi's own, or a folder of pictures. (The simulated one is in ``hardware.simulated``.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.clock import Clock

if TYPE_CHECKING:
    from hardware.camera.frame import Camera, Exposure


def _picamera2(
    size: tuple[int, int], folder: Path | None, exposure: Exposure | None, clock: Clock | None
) -> Camera:
    from hardware.camera.picamera import PicameraCamera

    return PicameraCamera(size, exposure, clock=clock)


def _folder(
    size: tuple[int, int], folder: Path | None, exposure: Exposure | None, clock: Clock | None
) -> Camera:
    from hardware.camera.folder import FolderCamera

    if folder is None:
        raise ValueError("the camera 'folder' needs the folder's path")
    return FolderCamera(folder, clock, size)


_KINDS: Mapping[str, Callable[[tuple[int, int], Path | None, Exposure | None, Clock | None], Camera]] = {
    "picamera2": _picamera2,
    "folder": _folder,
}
KINDS = tuple(_KINDS)


def open_camera(
    kind: str,
    size: tuple[int, int] = (2304, 1296),
    folder: Path | None = None,
    exposure: Exposure | None = None,
    clock: Clock | None = None,
) -> Camera:
    """The camera of ``kind`` (one of KINDS) with a large stream of ``size`` px.

    Raises CameraError, with advice, if it gives no picture, and ValueError for a kind that does not exist.
    """
    if kind not in _KINDS:
        raise ValueError(f"no camera of kind {kind!r}; there are: {', '.join(KINDS)}")
    return _KINDS[kind](size, folder, exposure, clock)
