"""What the event loop needs of its neighbours, as protocols: eyes, journal, recording, light. Tests bring their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engines.table import Table
from firmware.events import Effect, Event
from firmware.written.journal import Entry
from hardware.camera.frame import Frame, Picture


class Sight(Protocol):
    """What a small picture says: see ``vision.eyes``."""

    @property
    def settled(self) -> bool: ...
    @property
    def fault(self) -> str | None: ...
    @property
    def changed(self) -> bool: ...


class Reading(Protocol):
    """What a large picture says: a table, or the fault that forbids reading it. ``ms``: time per stage."""

    @property
    def table(self) -> Table | None: ...
    @property
    def fault(self) -> str | None: ...
    @property
    def ms(self) -> Mapping[str, float]: ...


class Eyes(Protocol):
    """``vision.eyes.Eyes``, or a test's."""

    def watch(self, preview: Picture, at: float) -> Sight: ...
    def read(self, picture: Picture, expected: Table) -> Reading: ...


class Keeps(Protocol):
    """What the shell needs of a journal."""

    def append(self, entries: tuple[Entry, ...]) -> int: ...


class Recorder(Protocol):
    """What a recording wants to know; see ``firmware.written.recording``."""

    def preview(self, frame: Frame, still: bool) -> None: ...
    def read(self, frame: Frame, expected: Table, reading: Reading, eyes: Eyes) -> None: ...
    def step(self, event: Event, effects: tuple[Effect, ...]) -> None: ...


class Lamp(Protocol):
    """Who looks after the light and what the eyes measured; see ``firmware.box.light``."""

    def seen(self, eyes: object, camera: object) -> None: ...
    def measure(self, camera: object) -> None: ...
