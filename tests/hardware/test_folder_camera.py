from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import open_camera
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import CameraError
from hardware.clock import SimulatedClock


def write(path: Path, value: int, size: tuple[int, int] = (320, 180)) -> None:
    picture = np.full((size[1], size[0], 3), value, np.uint8)
    picture[:, : size[0] // 2, 0] = 255 - value
    cv2.imwrite(str(path), picture)


def test_pictures_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    clock = SimulatedClock()
    for name, value in (("b.png", 120), ("a.jpg", 60), ("c.JPEG", 200), ("notes.txt", 0)):
        if name.endswith("txt"):
            (tmp_path / name).write_text("no picture")
        else:
            write(tmp_path / name, value)
    camera = FolderCamera(tmp_path, clock, seconds=3.0)
    assert camera.size == (320, 180)
    seen = []
    for _ in range(4):
        frame = camera.capture(clock.monotonic())
        seen.append((camera.path.name, int(frame.picture[90, 300, 2])))
        clock.advance(3.0)
    assert [name for name, _ in seen] == ["a.jpg", "b.png", "c.JPEG", "c.JPEG"]
    assert all(abs(value - wanted) <= 2 for (_, value), wanted in zip(seen, (60, 120, 200, 200), strict=True))


def test_preview_is_384_wide_and_large_frames_are_scaled(tmp_path: Path) -> None:
    write(tmp_path / "a.png", 90, (640, 360))
    camera = open_camera("folder", (1536, 864), tmp_path, clock=SimulatedClock())
    assert camera.preview().picture.shape == (216, 384, 3)
    assert camera.capture(0.0).picture.shape == (864, 1536, 3)


def test_a_picture_is_handed_out_as_it_is_and_locked(tmp_path: Path) -> None:
    write(tmp_path / "1.png", 10)
    camera = FolderCamera(tmp_path, SimulatedClock())
    first, again = camera.capture(0.0).picture, camera.capture(0.0).picture
    assert np.shares_memory(first, again) and not first.flags.writeable


def test_a_frame_is_not_older_than_asked(tmp_path: Path) -> None:
    write(tmp_path / "a.png", 90)
    clock = SimulatedClock()
    assert FolderCamera(tmp_path, clock).capture(clock.monotonic() + 5).at >= clock.monotonic()


def test_a_picture_that_takes_the_place_of_another_is_seen(tmp_path: Path) -> None:
    write(tmp_path / "a.png", 60)
    camera = FolderCamera(tmp_path, SimulatedClock())
    assert camera.capture(0.0).picture[90, 300, 2] == 60
    write(tmp_path / "next.png.part.png", 200)
    (tmp_path / "next.png.part.png").rename(tmp_path / "a.png")
    assert camera.capture(0.0).picture[90, 300, 2] == 200
    (tmp_path / "a.png").unlink()
    with pytest.raises(CameraError, match="cannot read"):
        camera.preview()


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_a_damaged_picture_is_named(tmp_path: Path, content: bytes) -> None:
    clock = SimulatedClock()
    write(tmp_path / "1.png", 90)
    (tmp_path / "2.png").write_bytes(content)
    camera = FolderCamera(tmp_path, clock, seconds=1.0)
    camera.capture(clock.monotonic())
    clock.advance(1.0)
    for look in (camera.preview, lambda: camera.capture(clock.monotonic())):
        with pytest.raises(CameraError, match=r"2\.png is damaged") as raised:
            look()
        assert all(len(line) <= 21 for line in raised.value.advice.split("\n"))
    write(tmp_path / "2.png", 30)
    assert camera.preview().picture.size  # put right, it goes on


def test_no_folder_and_no_pictures(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="cannot read the folder"):
        FolderCamera(tmp_path / "missing")
    with pytest.raises(CameraError, match="no picture"):
        FolderCamera(tmp_path)


def test_cameras_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="picamera2, folder"):
        open_camera("webcam")
    with pytest.raises(ValueError, match="path"):
        open_camera("folder")
