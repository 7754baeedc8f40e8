"""From a file to a Photo: any common format, told by its content, turned as it was taken, with bounded memory.

The header is read first, so that nothing is decoded that cannot be, or that would need too much memory. OpenCV decodes what it decodes
rightly and quickly (JPEG, PNG, WebP), Pillow the rest. Half a picture is never handed on as a whole one: a truncated or damaged file is a
fault, as a piece on its missing part would be silently overlooked.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import stat
import sys
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.plane import Picture

MOST_BYTES = 160_000_000
"""A longer file is no photo."""
MOST_PIXELS = 26_000_000
"""A larger picture is handed on at a half, quarter or eighth of its size: 24-megapixel cameras are read as they are."""
MOST_HELD = 210_000_000
"""Bytes a decoder may hold at once; JPEGs are decoded smaller row by row and hold next to nothing."""
LEAST_SIDE = 24
"""Px; on a smaller picture no piece could be told from another."""
_STRIP = 256
"""Rows that are converted at a time."""
_PLUGINS = ("Jpeg", "Mpo", "Png", "WebP", "Tiff", "Bmp", "Gif", "Ppm", "Avif")
"""The parts of Pillow that are asked, as far as this Pillow has them: most of its others are for what is no photo."""
_AS_JPEG = "save it as JPEG or PNG and give that file"
_DAMAGED = "copy the file again from the camera, or take the photo again"


class PhotoError(Exception):
    """A file cannot be read as a photo. ``fault`` says why, ``advice`` what to do."""

    def __init__(self, fault: str, advice: str) -> None:
        super().__init__(f"{fault}; {advice}")
        self.fault = fault
        self.advice = advice


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A photo, and its scale: px of ``photo`` per px of the file's picture (below 1 only for very large pictures)."""

    photo: Photo
    scale: float = 1.0

    def in_file(self, quad: Quad) -> NDArray[np.float64]:
        """Points of the photo (n, 2) in px of the file's picture, already turned as its EXIF says."""
        return (np.asarray(quad, np.float64) + 0.5) / self.scale - 0.5


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of its picture before it is decoded: size px as stored, EXIF turn (1-8), and its format and kind of pixels in
    Pillow's words."""

    format: str
    width: int
    height: int
    mode: str
    turn: int
    progressive: bool


def load(path: str | os.PathLike[str]) -> Decoded:
    """The photo in a file. Raises PhotoError for anything that is no whole picture: also for folders, devices and pipes, which are
    not opened."""
    try:
        kind = Path(path).stat()
        if stat.S_ISDIR(kind.st_mode):
            raise PhotoError(
                "this is a folder", f"give the photos in it: {os.fspath(path).rstrip('/')}/*.jpg"
            )
        if not stat.S_ISREG(kind.st_mode):
            raise PhotoError("this is no ordinary file", "give the file of a photo")
        if kind.st_size > MOST_BYTES:
            raise PhotoError(
                f"{kind.st_size / 1e6:.0f} MB is too much for a photo",
                "give a picture of up to 100 megapixels as JPEG",
            )
        raw = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise PhotoError("there is no such file", "check the path") from error
    except PermissionError as error:
        raise PhotoError("the file may not be read", "check its rights") from error
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PhotoError(f"the file cannot be read ({said})", "check the disk and the path") from error
    return decode(raw)


def decode(raw: bytes) -> Decoded:
    """The photo in the bytes of a file, whatever its name was. Raises PhotoError."""
    if not raw:
        raise PhotoError("the file is empty", _DAMAGED)
    head = header(raw)
    if min(head.width, head.height) < LEAST_SIDE:
        raise PhotoError(
            f"{head.width} x {head.height} px is too small to show a piece",
            "give the photo itself, not a thumbnail",
        )
    times = _halvings(head)
    decoder = _DECODERS.get(head.format, _by_pillow)
    if head.mode in ("CMYK", "YCCK"):
        decoder = _by_pillow
    try:
        with _said_by_decoders() as said:
            picture = decoder(raw, head, times)
    except MemoryError as error:
        raise PhotoError(
            "there is not enough memory for this picture", "save it smaller, up to 12 megapixels"
        ) from error
    if picture is None or _damaged(said.text, raw):
        raise PhotoError("the file is damaged", _DAMAGED)
    whole = max(head.width, head.height)
    scale = max(picture.shape[:2]) / whole
    return Decoded(Photo(np.ascontiguousarray(picture)), scale)


def header(raw: bytes) -> Header:
    """What a file says of its picture. Raises PhotoError when it holds none, or one that cannot be decoded here."""
    from PIL import Image, UnidentifiedImageError

    _refuse_others(raw)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(raw), formats=_formats()) as image:
                width, height = image.size
                # Asked for its EXIF, Pillow would decode a PNG.
                tags: Any = _png_exif(raw) if image.format == "PNG" else image.getexif()
                turn, progressive = tags.get(0x0112, 1), bool(image.info.get("progressive"))
                if image.format == "TIFF" and 50706 in tags:
                    raise PhotoError("this is a camera's raw file", _AS_JPEG)
                found = Header(
                    str(image.format),
                    width,
                    height,
                    image.mode,
                    turn if isinstance(turn, int) and 1 <= turn <= 8 else 1,
                    progressive,
                )
    except PhotoError:
        raise
    except Image.DecompressionBombError as error:
        raise PhotoError("the picture is far too large", "save it smaller, up to 100 megapixels") from error
    except UnidentifiedImageError as error:
        raise PhotoError("this is no picture", "give a JPEG, PNG, WebP or TIFF file") from error
    except Exception as error:
        raise PhotoError("the file is damaged", _DAMAGED) from error
    return found


@lru_cache(maxsize=1)
def _formats() -> tuple[str, ...]:
    from PIL import Image

    for name in _PLUGINS:
        with contextlib.suppress(ImportError):
            importlib.import_module(f"PIL.{name}ImagePlugin")
    return tuple(name for name in Image.OPEN if name in {plugin.upper() for plugin in _PLUGINS})


def turned(picture: Picture, turn: int) -> Picture:
    """A picture as it was seen when taken, from how it is stored: ``turn`` is EXIF's Orientation, 1-8."""
    turns: Mapping[int, Callable[[Any], Any]] = {
        2: lambda p: cv2.flip(p, 1),
        3: lambda p: cv2.rotate(p, cv2.ROTATE_180),
        4: lambda p: cv2.flip(p, 0),
        5: cv2.transpose,
        6: lambda p: cv2.rotate(p, cv2.ROTATE_90_CLOCKWISE),
        7: lambda p: cv2.rotate(cv2.transpose(p), cv2.ROTATE_180),
        8: lambda p: cv2.rotate(p, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }
    return np.asarray(turns[turn](picture), np.uint8) if turn in turns else picture


# -- what is no photo ------------------------------------------------------------------------------------


def _refuse_others(raw: bytes) -> None:
    """Files that people do give and that need another word than "damaged"."""
    if raw[4:8] == b"ftyp" and raw[8:12] in (
        b"heic",
        b"heix",
        b"heim",
        b"heis",
        b"hevc",
        b"hevx",
        b"mif1",
        b"msf1",
    ):
        raise PhotoError(
            "this is a HEIC picture, which cannot be read here",
            "save it as JPEG; to take JPEGs at once choose Most Compatible in the phone's camera settings (Formats)",
        )
    if raw[4:8] == b"ftyp" and raw[8:12] not in (b"avif", b"avis"):
        raise PhotoError("this is a film or another kind of media", "give a photo: JPEG, PNG, WebP or TIFF")
    if raw[:4] == b"%PDF":
        raise PhotoError("this is a PDF", "save its page as PNG and give that file")
    if not raw[:4096].strip(b"\0"):
        raise PhotoError("the file holds nothing but zeros", _DAMAGED)


def _halvings(head: Header) -> int:
    """How often the picture is halved. Raises PhotoError when decoding would hold too much."""
    pixels = head.width * head.height
    times = 0
    while pixels >> (2 * times) > MOST_PIXELS:
        times += 1
    rows = head.format in ("JPEG", "MPO") and not head.progressive and head.mode in ("RGB", "L")
    held = pixels * (_BYTES.get(head.mode, 4) * (2 if head.progressive else 1))
    if times > 3 or (not rows and held > MOST_HELD):
        raise PhotoError(
            f"{pixels / 1e6:.0f} megapixels are too many for this kind of file",
            "save it as an ordinary (baseline) JPEG, or smaller",
        )
    return times


_BYTES: Mapping[str, int] = {
    "1": 1,
    "L": 1,
    "P": 1,
    "LA": 2,
    "RGB": 3,
    "RGBA": 4,
    "CMYK": 4,
    "I;16": 2,
    "I;16B": 2,
}


# -- decoders: (bytes, header, halvings) -> BGR uint8, turned; None for damage ----------------------------


def _jpeg(raw: bytes, head: Header, times: int) -> Picture | None:
    if not _ends(raw):
        raise PhotoError("the file ends in the middle of the picture", _DAMAGED)
    flags = (
        cv2.IMREAD_COLOR,
        cv2.IMREAD_REDUCED_COLOR_2,
        cv2.IMREAD_REDUCED_COLOR_4,
        cv2.IMREAD_REDUCED_COLOR_8,
    )
    decoded = _imdecode(raw, flags[times] | cv2.IMREAD_IGNORE_ORIENTATION)
    return None if decoded is None else turned(np.asarray(decoded, np.uint8), head.turn)


def _ends(raw: bytes) -> bool:
    """Whether the picture's data come to their end mark (ITU T.81, B.1): segments are skipped by their length up to the first scan,
    as a thumbnail within them has an end mark of its own."""
    at = 2
    while at + 4 <= len(raw):
        if raw[at] != 0xFF:
            return False
        kind = raw[at + 1]
        if kind == 0xFF or kind == 0x01 or 0xD0 <= kind <= 0xD8:
            at += 1 if kind == 0xFF else 2
            continue
        at += 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
        if kind == 0xDA:
            return raw.find(b"\xff\xd9", at) >= 0
    return False


def _png(raw: bytes, head: Header, times: int) -> Picture | None:
    if not _sound(raw):
        return None
    decoded = _imdecode(raw, cv2.IMREAD_UNCHANGED)
    return None if decoded is None else turned(_halved(_over_white(decoded), times), head.turn)


def _chunks(raw: bytes) -> Iterator[tuple[bytes, memoryview, bytes]]:
    """The chunks of a PNG, as far as they are whole: kind, kind and data, checksum."""
    at = 8
    while at + 12 <= len(raw):
        end = at + 8 + int.from_bytes(raw[at : at + 4], "big")
        if end + 4 > len(raw):
            return
        yield raw[at + 4 : at + 8], memoryview(raw)[at + 4 : end], raw[end : end + 4]
        at = end + 4


def _sound(raw: bytes) -> bool:
    """Whether every chunk of a PNG up to its end is there and has the checksum it says."""
    for kind, body, checksum in _chunks(raw):
        if checksum != zlib.crc32(body).to_bytes(4, "big"):
            return False
        if kind == b"IEND":
            return True
    return False


def _png_exif(raw: bytes) -> Any:
    from PIL import Image

    found = Image.Exif()
    for kind, body, _ in _chunks(raw):
        if kind == b"eXIf":
            found.load(b"Exif\0\0" + bytes(body[4:]))
    return found


def _webp(raw: bytes, head: Header, times: int) -> Picture | None:
    if len(raw) < 8 + int.from_bytes(raw[4:8], "little"):
        raise PhotoError("the file ends in the middle of the picture", _DAMAGED)
    decoded = _imdecode(raw, cv2.IMREAD_UNCHANGED)
    if decoded is None or decoded.ndim != 3:  # a moving picture: its first frame, by Pillow
        return _by_pillow(raw, head, times)
    return turned(_halved(_over_white(decoded), times), head.turn)


def _by_pillow(raw: bytes, head: Header, times: int) -> Picture | None:
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(raw), formats=_formats()) as image:
                image.load()
                upright = ImageOps.exif_transpose(image)
                pixels = _pixels(upright)
    except PhotoError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        cut = "truncated" in str(error)
        fault = "the file ends in the middle of the picture" if cut else "the file is damaged"
        raise PhotoError(fault, _DAMAGED) from error
    return _halved(_over_white(pixels), times)


def _pixels(image: Any) -> NDArray[Any]:
    """A loaded Pillow picture as OpenCV would hold it: grey, BGR or BGRA, 8 or 16 bits."""
    if image.mode.startswith("I;16"):
        return np.asarray(image).astype(np.uint16)
    if image.mode in ("I", "F"):
        raise PhotoError("this kind of picture (32 bits a point) holds measurements, no photo", _AS_JPEG)
    clear = image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info
    if clear:
        return np.asarray(image.convert("RGBA"))[..., [2, 1, 0, 3]]
    return np.asarray(image.convert("RGB"))[..., ::-1]


_DECODERS: Mapping[str, Callable[[bytes, Header, int], Picture | None]] = {
    "JPEG": _jpeg,
    "MPO": _jpeg,
    "PNG": _png,
    "WEBP": _webp,
}


def _imdecode(raw: bytes, flags: int) -> NDArray[Any] | None:
    try:
        decoded: Any = cv2.imdecode(np.frombuffer(raw, np.uint8), flags)
    except cv2.error as error:
        if "memory" in str(error).lower():
            raise MemoryError from error
        return None
    return None if decoded is None else np.asarray(decoded)


def _over_white(pixels: NDArray[Any]) -> Picture:
    """Grey, BGR or BGRA pixels of 8 or 16 bits as BGR uint8, what is transparent over white. Strip by strip: a large picture is not held
    twice as floating point numbers."""
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[..., 0]
    if pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3:
        return pixels
    out = np.empty((*pixels.shape[:2], 3), np.uint8)
    top = float(np.iinfo(pixels.dtype).max) if pixels.dtype.kind == "u" else 1.0
    for start in range(0, len(pixels), _STRIP):
        strip = pixels[start : start + _STRIP].astype(np.float32) * (255.0 / top)
        if strip.ndim == 2:
            strip = strip[..., None]
        if strip.shape[2] in (2, 4):
            share = strip[..., -1:] / 255.0
            strip = strip[..., :-1] * share + 255.0 * (1.0 - share)
        out[start : start + _STRIP] = np.clip(np.rint(strip), 0, 255)
    return out


def _halved(picture: Picture, times: int) -> Picture:
    if not times:
        return picture
    size = (max(1, picture.shape[1] >> times), max(1, picture.shape[0] >> times))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


# -- what decoders print ---------------------------------------------------------------------------------

_DAMAGE = (
    "remature end",
    "bad Huffman",
    "Bogus",
    "nvalid JPEG",
    "Unsupported marker",
    "CRC error",
    "bad adaptive",
)
"""What libjpeg and libpng say of data that they have only partly understood."""


_LEFT = re.compile(r"(\d+) extraneous bytes before marker 0xd9")
_PADDING = 16


def _damaged(said: str, raw: bytes) -> bool:
    """Whether the decoder lost its way. Some cameras fill up their files before the end mark; what is left over in a damaged one is data."""
    if any(word in said for word in _DAMAGE):
        return True
    left = max((int(one) for one in _LEFT.findall(said)), default=0)
    end = raw.rfind(b"\xff\xd9")
    return left > _PADDING and len(set(raw[max(0, end - left) : end])) > _PADDING


class _Said:
    """What was said, known when the decoders have ended."""

    text = ""


@contextlib.contextmanager
def _said_by_decoders() -> Iterator[_Said]:
    """What the decoders write to the process's stderr meanwhile is kept from the user, and can be looked at afterwards."""
    said = _Said()
    try:
        sys.stderr.flush()
        kept = os.dup(2)
    except (OSError, ValueError, AttributeError):  # no stderr at all: nothing to keep
        yield said
        return
    try:
        with tempfile.TemporaryFile() as aside:
            os.dup2(aside.fileno(), 2)
            try:
                yield said
            finally:
                os.dup2(kept, 2)
                aside.seek(0)
                said.text = aside.read(20_000).decode("ascii", "replace")
    finally:
        os.close(kept)
