"""``thoth read PHOTO... --gallery GALLERY``: what lies in photographs, as a table for people or one line of JSON for each."""

from __future__ import annotations

import json
import math
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.commands.annotate import Drawings
from vision.decode import Decoded, PhotoError, load
from vision.gallery import BANKED, Gallery
from vision.photo import Photo
from vision.reading.bank import Bank
from vision.reading.quality import Fault, faults
from vision.reading.words import Reading

Reader = Callable[[Photo, Bank], Reading]


@dataclass(frozen=True, slots=True)
class Answer:
    """One photo's answer; ``error`` when it could not be read. ``ms`` by stage, with ``total``."""

    photo: str
    decoded: Decoded | None = None
    reading: Reading | None = None
    quality: tuple[Fault, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    error: Fault | None = None

    def json(self) -> str:
        """The line that ``--json`` prints."""
        pieces: list[dict[str, Any]] = []
        unknown: list[dict[str, Any]] = []
        if self.reading is not None and self.decoded is not None:
            pieces = [
                {
                    "identity": piece.identity,
                    "polygon": _polygon(self.decoded, piece.quad),
                    "visible": _share(piece.visible),
                    "confidence": _share(piece.confidence),
                }
                for piece in self.reading.pieces
            ]
            unknown = [{"polygon": _polygon(self.decoded, quad)} for quad in self.reading.unknown]
        said: dict[str, Any] = {
            "photo": self.photo,
            "pieces": pieces,
            "unknown": unknown,
            "quality": [{"fault": one.fault, "advice": one.advice} for one in self.quality],
            "ms": {stage: round(ms, 1) for stage, ms in self.ms.items()},
        }
        if self.error is not None:
            said["error"] = {"fault": self.error.fault, "advice": self.error.advice}
        return json.dumps(said, allow_nan=False)

    def words(self) -> Iterator[str]:
        """The lines for people. What a terminal would obey in the name of a file is shown as "?"."""
        photo = "".join(one if one.isprintable() else "?" for one in self.photo)
        if self.error is not None:
            yield f"{photo}: not read: {self.error.fault}; {self.error.advice}"
            return
        assert self.reading is not None and self.decoded is not None
        known, unknown = len(self.reading.pieces), len(self.reading.unknown)
        total = self.ms.get("total", 0.0) / 1000
        yield f"{photo}: {known} known, {unknown} unknown ({total:.2f} s)"
        width = max((len(piece.identity) for piece in self.reading.pieces), default=0)
        for piece in sorted(self.reading.pieces, key=lambda one: one.identity):
            x, y = self.decoded.in_file(piece.quad).mean(axis=0)
            yield (
                f"  {piece.identity:<{width}}  at {x:5.0f},{y:5.0f}  "
                f"{100 * _share(piece.visible):3.0f} % visible  sure {100 * _share(piece.confidence):3.0f} %"
            )
        for quad in self.reading.unknown:
            x, y = self.decoded.in_file(quad).mean(axis=0)
            yield f"  {'?':<{width}}  at {x:5.0f},{y:5.0f}"
        for fault in self.quality:
            yield f"  {fault.advice}"


def run(
    photos: Sequence[str],
    folder: Path,
    annotate: Path | None = None,
    *,
    as_json: bool = False,
    verbose: bool = False,
    reader: Reader | None = None,
) -> int:
    """Read photos in turn, answer each at once. Returns 0 when all were read, and drawn if asked for, else 1. Raises GalleryError, AnnotateError before the first."""
    bank = _bank(folder)
    drawings = None if annotate is None else Drawings.into(annotate, photos, folder)
    failed = False
    for photo in photos:
        answer = read_one(photo, bank, reader or _reader(), verbose=verbose)
        failed |= answer.error is not None
        for line in (answer.json(),) if as_json else answer.words():
            print(line, flush=True)
        if drawings is not None and answer.reading is not None and answer.decoded is not None:
            try:
                drawn = drawings.draw(photo, answer.decoded.photo.picture, answer.reading)
            except OSError as error:
                failed = True
                print(
                    f"{error.filename}: not drawn: {error.strerror}; free some space, or check the folder's rights",
                    file=sys.stderr,
                )
                continue
            if not as_json:
                print(f"  drawn: {drawn}", flush=True)
    return 1 if failed else 0


def read_one(photo: str, bank: Bank, reader: Reader, *, verbose: bool = False) -> Answer:
    """One photo, whatever it is: nothing is raised but what ends the program."""
    started = time.perf_counter()

    def ms() -> float:
        return 1000 * (time.perf_counter() - started)

    try:
        decoded = load(photo)
        after = ms()
        reading = reader(decoded.photo, bank)
        found = ms()
        quality = faults(
            decoded.photo, [*(piece.quad for piece in reading.pieces), *reading.unknown], decoded.scale
        )
        stages = {stage: taken for stage, taken in reading.ms.items() if stage != "total"}
        total = ms()
        return Answer(
            photo,
            decoded,
            reading,
            quality,
            {"total": total, "decode": after, **stages, "quality": total - found},
        )
    except PhotoError as error:
        return Answer(photo, ms={"total": ms()}, error=Fault(error.fault, error.advice))
    except MemoryError:
        fault = Fault("there is not enough memory for this photo", "save it smaller, up to 12 megapixels")
        return Answer(photo, ms={"total": ms()}, error=fault)
    except Exception as error:  # noqa: BLE001 - one photo that cannot be read must not keep the others from it
        if verbose:
            traceback.print_exc()
        fault = Fault(
            f"something unexpected went wrong ({type(error).__name__})",
            "run it again with --verbose and report what it prints, with the photo",
        )
        return Answer(photo, ms={"total": ms()}, error=fault)


def _bank(folder: Path) -> Bank:
    """What reading needs of a gallery; what is damaged in it is told."""
    gallery = Gallery.salvage(folder, BANKED)
    for damage in gallery.damage:
        print(f"{damage}. The other faces are used", file=sys.stderr)
    return gallery.bank()


def _reader() -> Reader:
    from vision.reading.reader import read

    return read


def _polygon(decoded: Decoded, quad: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in decoded.in_file(quad)]


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 3) if math.isfinite(value) else 0.0
