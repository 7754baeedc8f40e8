"""A recording: what a night saw, what happened to it and what it decided, in bounded space and without anybody in it.

A folder holds one numbered folder for each start of the service:

    start.json      the journal's entries at the start, the names' stand-ins, the seed
    events.jsonl    one line per event: the event, what the night decided, the picture it was read from
    000123-read.jpg a picture that was read; 000124-seen.jpg a small one from between

Names never come near the disk: beside the real night a second one is stepped that knows the players as A and B, and
its decisions are what is written. In the pictures everything outside the mat's zones and markers is painted over in the
mat's own colour; before the eyes know where the mat is, no picture is kept. When the space is used up, the oldest
pictures go first.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from engines import table_games
from engines.record import RecordError, told, understood
from engines.table import Layout, Table
from firmware import night
from firmware.events import Blind, Effect, Event, Exported, Looked
from firmware.ports import Reading
from firmware.written import wording
from firmware.written.journal import Entry
from hardware.camera.frame import Frame, Picture

if TYPE_CHECKING:
    from engines.catalogue import Catalogue
    from vision.calibration import Calibration

log = logging.getLogger("thoth")

VERSION = 1
START, EVENTS = "start.json", "events.jsonl"
_QUALITY = 92  # JPEG; below 90 the numbers on far tiles begin to change
_SEEN_EVERY, _STILL_EVERY = (
    1.0,
    60.0,
)  # s between two small pictures while something moves, and while nothing does
_NAMELESS = ("move", "reveal", "takeback", "mended")
"""Kinds of entries in which nobody is named."""
_MARGIN = 5.0  # mm around zones and markers: a tile over the edge, a marker's white


class Recording:
    """Records into ``folder`` (made when missing), at most ``limit`` bytes in all of it.

    ``entries``, ``names``, ``seed`` and ``numbers`` are what the real night was resumed from. Never raises: a disk that is full or gone ends the recording, not
    the night.
    """

    def __init__(
        self,
        folder: Path,
        limit: int,
        entries: Sequence[Entry],
        names: Sequence[str],
        seed: int,
        numbers: Mapping[str, Catalogue] | None = None,
    ) -> None:
        self.folder = folder
        self._limit = limit
        self._names = tuple(names)
        self._seed = seed
        self._numbers = {game: told(catalogue) for game, catalogue in (numbers or {}).items()}
        self._file: IO[str] | None = None
        self._pictures: deque[tuple[Path, int]] = deque()
        self._size = 0
        self._count = 0
        self._seen_at = float("-inf")
        self._frames: dict[float, str] = {}
        self._eyes: Any = None
        self._masks: dict[tuple[int, int], tuple[object, Picture]] = {}
        self._shadow: night.Night
        try:
            folder.mkdir(parents=True, exist_ok=True)
            before = sorted(path for path in folder.iterdir() if path.is_dir() and path.name.isdigit())
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    self._add(path)
            self.current = folder / f"{int(before[-1].name) + 1 if before else 1:04d}"
            self.current.mkdir()
            self._file = (self.current / EVENTS).open("a", encoding="utf-8")
        except OSError as error:
            self._give_up(error)
        self.restart(entries)

    def restart(
        self,
        entries: Sequence[Entry],
        failed: bool = False,
        names: Sequence[str] | None = None,
        numbers: Mapping[str, Catalogue] | None = None,
    ) -> None:
        """The night begins (again) from these entries; ``failed``: after a fault of the program. ``names`` and ``numbers`` when others are
        in force than before."""
        if names is not None:
            self._names = tuple(names)
        if numbers is not None:
            self._numbers = {game: told(catalogue) for game, catalogue in numbers.items()}
        alias = aliases(self._names, entries)
        start = {
            "version": VERSION,
            "entries": anonymous(entries, alias),
            "names": [alias[name] for name in self._names],
            "seed": self._seed,
            "failed": failed,
            "numbers": self._numbers,
        }
        self._shadow, _ = begin(start)
        if self._count == 0 and self._file is not None:
            try:
                _write(self.current / START, json.dumps(start, ensure_ascii=False).encode())
            except OSError as error:
                self._give_up(error)
        else:
            self._line({"start": start})

    def preview(self, frame: Frame, still: bool) -> None:
        """Keep a small picture now and then; seldom while nothing moves."""
        if self._eyes is not None and frame.at - self._seen_at >= (_STILL_EVERY if still else _SEEN_EVERY):
            self._seen_at = frame.at
            self._picture(frame, "seen")

    def read(self, frame: Frame, expected: Table, reading: Reading, eyes: object) -> None:
        """Keep the picture that was read."""
        del expected, reading
        self._eyes = eyes
        if (name := self._picture(frame, "read")) is not None:
            self._frames = {frame.at: name}

    def step(self, event: Event, effects: tuple[Effect, ...]) -> None:
        """Keep the event and what the nameless night decides on it."""
        del effects  # those of the real night name the players
        if isinstance(event, Exported):
            event = replace(event, file="")  # the file is named after the players
        try:
            self._shadow, decided = night.step(self._shadow, event)
        except Exception as error:  # noqa: BLE001 - what trips the nameless night must not trip the real one
            self._give_up(error)
            return
        line: dict[str, Any] = {"event": wording.encode(event), "effects": wording.decisions(decided)}
        if isinstance(event, Looked | Blind) and event.at in self._frames:
            line["frame"] = self._frames[event.at]
        self._line(line)

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk once more: what waited to be written
                self._file.close()
            self._file = None

    # -- the disk --------------------------------------------------------------------------------------

    def _line(self, said: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            self._file.write(text)
            self._file.flush()
            self._count += 1
            self._size += len(text.encode())
            self._make_room()
        except OSError as error:
            self._give_up(error)

    def _picture(self, frame: Frame, kind: str) -> str | None:
        if self._file is None or (shown := self._blanked(frame.picture)) is None:
            return None
        import cv2

        done, coded = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if not done:
            return None
        path = self.current / f"{self._count:06d}-{kind}.jpg"
        try:
            _write(path, coded.tobytes())
        except OSError as error:
            self._give_up(error)
            return None
        self._add(path)
        self._make_room()
        return path.name

    def _blanked(self, picture: Picture) -> Picture | None:
        """The picture with everything painted over that is neither zone nor marker; None while nobody knows where they are."""
        calibration: Calibration | None = getattr(self._eyes, "calibration", None)
        if calibration is None:
            return None
        size = picture.shape[1], picture.shape[0]
        if size not in self._masks or self._masks[size][0] is not calibration:
            self._masks[size] = calibration, mask(self._eyes.layout, calibration, size)
        return blanked(picture, self._masks[size][1])

    def _add(self, path: Path) -> None:
        size = path.stat().st_size
        self._size += size
        if path.suffix == ".jpg":
            self._pictures.append((path, size))

    def _make_room(self) -> None:
        while self._size > self._limit and self._pictures:
            path, size = self._pictures.popleft()
            path.unlink(missing_ok=True)
            self._size -= size
        while self._size > self._limit:
            past = [path for path in self.folder.iterdir() if path.is_dir() and path.name.isdigit()]
            if not past:
                raise FileNotFoundError(f"{self.folder} was emptied by somebody else")
            oldest = min(past)
            if oldest == self.current:
                log.warning("%s is full: the recording ends here", self.folder)
                self.close()
                return
            self._size -= sum(path.stat().st_size for path in oldest.iterdir())
            shutil.rmtree(oldest)

    def _give_up(self, error: Exception) -> None:
        if self._file is None and not isinstance(error, OSError):
            return  # it has ended before
        log.error("%s: the recording ends: %s; free some space or choose another folder", self.folder, error)
        self.close()


def begin(start: Mapping[str, Any]) -> tuple[night.Night, tuple[Effect, ...]]:
    """The nameless night at a start. Raises KeyError, TypeError or ValueError when the start is damaged."""
    entries = tuple((kind, text) for kind, text in start["entries"])
    again = night.failsafe if start["failed"] else night.resume
    games = table_games()
    try:
        numbers = {game: understood(games[game], lines) for game, lines in start.get("numbers", {}).items()}
    except RecordError as error:
        raise ValueError(f"its numbers: {error.text}") from error
    return again(games, entries, tuple(start["names"]), start["seed"], numbers=numbers)


def aliases(names: Sequence[str], entries: Sequence[Entry]) -> dict[str, str]:
    """A letter for every name that occurs: A for the first."""
    found = dict.fromkeys(names)
    for kind, text in entries:
        if kind in ("header", "setup"):
            found.update(dict.fromkeys(_names(text)))
    return {name: _letter(number) for number, name in enumerate(found)}


def anonymous(entries: Sequence[Entry], alias: Mapping[str, str]) -> list[Entry]:
    """The entries with every name replaced; what cannot be understood is left out."""
    done: list[Entry] = []
    for kind, text in entries:
        if kind in ("header", "setup"):
            try:
                said = json.loads(text)
                said["names"] = [alias[name] for name in said["names"]]
            except (ValueError, KeyError, TypeError):
                said = {}
            text = json.dumps(said)
        elif kind not in _NAMELESS:
            text = ""  # the totals at the end stand beside the names
        done.append((kind, text))
    return done


def blanked(picture: Picture, shown: Picture) -> Picture:
    """A copy of the picture, (height, width, 3) uint8, in which only what ``shown`` (255) leaves open is to be seen."""
    import numpy as np

    # One flat colour, and that of the mat: black, or a torn edge, would itself look like something on the table.
    ground = np.median(picture[::4, ::4][shown[::4, ::4] > 0], axis=0).astype(np.uint8)
    return np.where(shown[..., None] > 0, picture, ground)


def mask(layout: Layout, calibration: Calibration, size: tuple[int, int]) -> Picture:
    """255 where a zone or a marker of the mat can be seen in a picture of (width, height) px, else 0."""
    import cv2
    import numpy as np

    from vision.corners import placed

    standing = max((figure.height for figure in layout.figures), default=0.0)
    areas = [
        (
            zone.x,
            zone.y,
            zone.x + zone.width,
            zone.y + zone.height,
            max(zone.wall, standing) + 4 * zone.levels,
        )
        for zone in layout.zones
    ]
    for marker in placed(calibration, layout):
        half = marker.size / 2 if not layout.loose else marker.size  # at any turn, with its white
        areas.append((marker.x - half, marker.y - half, marker.x + half, marker.y + half, 0.0))
    shown = np.zeros((size[1], size[0]), np.uint8)
    for left, top, right, bottom, high in areas:
        corners = [
            (x, y, z)
            for x in (left - _MARGIN, right + _MARGIN)
            for y in (top - _MARGIN, bottom + _MARGIN)
            for z in (0.0, high)
        ]
        points = calibration.project(np.array(corners), size)
        hull = cv2.convexHull(np.rint(points).astype(np.int32))
        cv2.fillConvexPoly(shown, hull, 255)
    return shown


def _names(text: str) -> list[str]:
    try:
        names = json.loads(text)["names"]
    except (ValueError, KeyError, TypeError):
        return []
    return [str(name) for name in names] if isinstance(names, list) else []


def _letter(number: int) -> str:
    return chr(65 + number) if number < 26 else f"{chr(65 + number % 26)}{number // 26}"


def _write(path: Path, data: bytes) -> None:
    """Complete or not at all, whatever kills the process."""
    aside = path.with_suffix(".new")
    aside.write_bytes(data)
    aside.replace(path)
