"""Files of every kind become a photo or a fault with advice, and nothing else."""

from __future__ import annotations

import io
import os
import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.decode import Decoded, PhotoError, decode, load
from vision.plane import Picture

WIDTH, HEIGHT = 160, 96


def picture() -> Picture:
    """Something smooth whose corners differ, so that any turn and any loss shows."""
    coarse = np.random.default_rng(5).integers(0, 255, (4, 6, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)


PICTURE = picture()
IMAGE = Image.fromarray(PICTURE[..., ::-1].copy())


def coded(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def by_opencv(suffix: str, pixels: np.ndarray[Any, Any]) -> bytes:
    return bytes(cv2.imencode(suffix, pixels)[1].tobytes())


def off(found: Decoded, wanted: np.ndarray[Any, Any]) -> float:
    assert found.photo.picture.shape == wanted.shape
    assert found.photo.picture.dtype == np.uint8
    return float(np.abs(found.photo.picture.astype(float) - wanted).mean())


def turn(pixels: Picture, orientation: int) -> Picture:
    """EXIF's table in words: 2 mirrored, 3 upside down, 4 mirrored upside down, 5-8 the same on their side."""
    ways = {
        1: pixels,
        2: pixels[:, ::-1],
        3: pixels[::-1, ::-1],
        4: pixels[::-1],
        5: np.transpose(pixels, (1, 0, 2)),
        6: np.rot90(pixels, -1),
        7: np.rot90(np.transpose(pixels, (1, 0, 2)), 2),
        8: np.rot90(pixels, 1),
    }
    return ways[orientation]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_every_exif_turn_is_taken(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"quality": 95} if kind in ("JPEG", "WEBP") else {}
    found = decode(coded(IMAGE, kind, exif=exif, **options))
    assert off(found, turn(PICTURE, orientation)) < 3


def test_a_turn_that_is_none_is_passed_over() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    assert off(decode(coded(IMAGE, "JPEG", exif=exif, quality=95)), PICTURE) < 3


GREY = np.repeat(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
DEEP = PICTURE.astype(np.uint16) * 257
HALF = IMAGE.copy()
HALF.putalpha(Image.linear_gradient("L").resize((WIDTH, HEIGHT)))
SHARE = np.asarray(HALF)[..., 3:].astype(float) / 255
OVER_WHITE = PICTURE * SHARE + 255 * (1 - SHARE)


@pytest.mark.parametrize(
    ("name", "raw", "wanted", "most"),
    [
        ("progressive", coded(IMAGE, "JPEG", progressive=True, quality=95), PICTURE, 3),
        ("cmyk", coded(IMAGE.convert("CMYK"), "JPEG", quality=95), PICTURE, 3),
        ("grey jpeg", coded(IMAGE.convert("L"), "JPEG", quality=95), GREY, 3),
        ("grey png", coded(IMAGE.convert("L"), "PNG"), GREY, 1),
        ("palette", coded(IMAGE.quantize(256), "PNG"), PICTURE, 8),
        ("alpha png", coded(HALF, "PNG"), OVER_WHITE, 1),
        ("alpha webp", coded(HALF, "WEBP", lossless=True, exact=True), OVER_WHITE, 1),
        ("alpha tiff", coded(HALF, "TIFF"), OVER_WHITE, 1),
        ("grey with alpha", coded(HALF.convert("LA"), "PNG"), GREY * SHARE + 255 * (1 - SHARE), 1.5),
        ("16 bits", by_opencv(".png", DEEP), PICTURE, 0.01),
        ("16 bits grey", by_opencv(".png", DEEP[..., 1]), np.repeat(PICTURE[..., 1:2], 3, 2), 0.01),
        ("16 bits tiff", by_opencv(".tiff", DEEP), PICTURE, 1),
        ("bmp", coded(IMAGE, "BMP"), PICTURE, 0.01),
        ("gif", coded(IMAGE, "GIF"), PICTURE, 12),
        ("two in one jpeg", coded(IMAGE, "MPO", save_all=True, append_images=[IMAGE.rotate(90)]), PICTURE, 4),
        ("moving webp", coded(IMAGE, "WEBP", save_all=True, append_images=[HALF], lossless=True), PICTURE, 1),
    ],
)
def test_kinds_of_pictures(name: str, raw: bytes, wanted: np.ndarray[Any, Any], most: float) -> None:
    assert off(decode(raw), wanted) < most, name


def test_the_content_counts_and_not_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(coded(IMAGE, "PNG"))
    assert off(load(path), PICTURE) == 0


JPEG = coded(IMAGE, "JPEG", quality=95)
PROGRESSIVE = coded(IMAGE, "JPEG", quality=95, progressive=True)
THUMBNAILED = coded(
    IMAGE, "JPEG", quality=95, exif=b"Exif\0\0" + b"x" * 50 + coded(IMAGE.resize((32, 20)), "JPEG")
)


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"", "empty"),
        (bytes(5000), "nothing but zeros"),
        (b"Thoth " * 100, "no picture"),
        (b"%PDF-1.7" + bytes(100), "PDF"),
        (b"\0\0\0\x18ftypheic" + b"x" * 100, "HEIC"),
        (b"\0\0\0\x18ftypisom" + b"x" * 100, "film"),
        (coded(IMAGE.resize((1, 1)), "PNG"), "1 x 1 px is too small"),
        (coded(IMAGE.resize((400, 3)), "JPEG"), "400 x 3 px is too small"),
        (JPEG[: len(JPEG) // 2], "ends in the middle"),
        (JPEG[:-2], "ends in the middle"),
        (THUMBNAILED[: len(THUMBNAILED) * 2 // 3], "ends in the middle"),
        (JPEG[:300], "damaged|ends|no picture"),
        (PROGRESSIVE[: len(PROGRESSIVE) // 2], "ends in the middle"),
        (coded(IMAGE, "PNG")[:3000], "damaged"),
        (coded(IMAGE, "WEBP", lossless=True)[:1000], "ends|damaged"),
        (coded(IMAGE, "TIFF")[:1000], "ends|damaged|no picture"),
        (coded(IMAGE, "BMP")[:20000], "ends|damaged"),
        (coded(IMAGE.convert("F"), "TIFF"), "32 bits"),
    ],
)
def test_what_is_no_whole_picture_has_a_fault_and_advice(raw: bytes, fault: str) -> None:
    with pytest.raises(PhotoError, match=fault) as caught:
        decode(raw)
    assert caught.value.advice


def test_a_whole_jpeg_with_a_thumbnail_or_padding_is_read() -> None:
    assert off(decode(THUMBNAILED), PICTURE) < 3
    assert off(decode(JPEG[:-2] + bytes(900) + JPEG[-2:]), PICTURE) < 3
    assert off(decode(JPEG + b"trailer" * 50), PICTURE) < 3


def test_damage_in_the_middle_is_damage() -> None:
    """What is left of a JPEG may by chance decode to something; a piece that is lost is noticed."""
    for at in range(1000, len(JPEG) - 1000, 400):
        with pytest.raises(PhotoError, match=r"damaged|ends"):
            decode(JPEG[:at] + JPEG[at + 300 :])
    raw = bytearray(coded(IMAGE, "PNG"))
    raw[len(raw) // 2] ^= 4
    with pytest.raises(PhotoError, match="damaged"):
        decode(bytes(raw))


def test_no_bytes_raise_anything_else() -> None:
    rng = random.Random(3)
    whole = [JPEG, *(coded(IMAGE, kind) for kind in ("PNG", "WEBP", "TIFF", "BMP", "GIF"))]
    for _ in range(150):
        raw = bytearray(rng.choice(whole))
        for _ in range(rng.randrange(1, 6)):
            raw[rng.randrange(len(raw) if rng.random() < 0.5 else 60)] = rng.randrange(256)
        try:
            decode(bytes(raw[: rng.randrange(len(raw))] if rng.random() < 0.3 else raw))
        except PhotoError as error:
            assert error.fault and error.advice


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, fault in (
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "no ordinary file"),
        (Path("/dev/zero"), "no ordinary file"),
        (tmp_path / "missing.jpg", "no such file"),
        (tmp_path / ("x" * 300), "cannot be read"),
    ):
        with pytest.raises(PhotoError, match=fault):
            load(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_without_rights_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.jpg"
    path.write_bytes(JPEG)
    path.chmod(0)
    with pytest.raises(PhotoError, match="may not be read"):
        load(path)


def test_decoders_tell_the_user_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    for raw in (JPEG[: len(JPEG) // 2] + JPEG[-2:], coded(IMAGE, "PNG")[:2000], coded(IMAGE, "TIFF")[:2000]):
        with pytest.raises(PhotoError):
            decode(raw)
    print("still here", file=sys.stderr)
    assert capfd.readouterr().err == "still here\n"


_PEAK = """
import pathlib, re, sys
from vision.decode import load
found = load(sys.argv[1])
print(*found.photo.size, found.scale, found.in_file([[0, 0]])[0][0], found.in_file([found.photo.size])[0][0])
print(int(re.search(r"VmHWM:\\s*(\\d+)", pathlib.Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_hundred_megapixels_are_decoded_smaller(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    Image.new("RGB", (11600, 8700), (90, 120, 60)).save(path, quality=40)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True, cwd=root
    )
    answer, peak = done.stdout.splitlines()
    assert answer == "5800 4350 0.5 0.5 11600.5"
    assert int(peak) < 300, "MB"


def sized(raw: bytes, width: int, height: int) -> bytes:
    """A PNG or JPEG whose header says another size than it has."""
    changed = bytearray(raw)
    if raw[:4] == b"\x89PNG":
        changed[16:24] = struct.pack(">II", width, height)
        changed[29:33] = struct.pack(">I", zlib.crc32(changed[12:29]))
    else:
        at = max(raw.find(b"\xff\xc0"), raw.find(b"\xff\xc2"))
        changed[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(changed)


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (sized(coded(IMAGE, "PNG"), 11600, 8700), "101 megapixels are too many"),
        (sized(PROGRESSIVE, 11600, 8700), "101 megapixels are too many"),
        (sized(JPEG, 65000, 65000), "far too large"),
        (sized(coded(IMAGE, "PNG"), 2_000_000, 2_000_000), "far too large"),
        (sized(coded(IMAGE, "PNG"), 4000, 3000), "damaged"),
        (sized(JPEG, 4000, 3000), "damaged"),
    ],
)
def test_what_would_need_too_much_memory_is_refused_before_it_is_decoded(raw: bytes, fault: str) -> None:
    with pytest.raises(PhotoError, match=fault):
        decode(raw)
