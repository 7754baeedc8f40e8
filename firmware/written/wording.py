"""Events and effects as JSON: what a recording writes down, and reads back to play the night again."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any

from engines.table import Piece, Table
from firmware.chain import signature
from firmware.events import (
    Blind,
    Carry,
    Commit,
    Effect,
    Event,
    Export,
    Exported,
    Look,
    Looked,
    Notice,
    Part,
    PowerOff,
    Pressed,
    Show,
    Signal,
    Tick,
)
from hardware.buttons.press import Button, Press
from hardware.display.screen import Screen

_WORDS: Mapping[str, type] = {
    word.__name__: word
    for word in (
        Looked,
        Blind,
        Pressed,
        Tick,
        Part,
        Exported,
        Notice,
        Press,
        Button,
        Table,
        Piece,
        Commit,
        Show,
        Screen,
        Signal,
        Export,
        Carry,
        PowerOff,
    )
}


def encode(value: object) -> Any:
    """JSON for an event, or for any value in it: {"is": type, field: value ...}; fields at their default are left out."""
    if isinstance(value, Enum):
        return {"is": type(value).__name__, "value": value.value}
    if is_dataclass(value) and not isinstance(value, type):
        said = {field.name: getattr(value, field.name) for field in fields(value)}
        kept = {
            field.name: encode(said[field.name])
            for field in fields(value)
            if said[field.name] != _default(field)
        }
        return {"is": type(value).__name__, **kept}
    if isinstance(value, tuple):
        return [encode(one) for one in value]
    return value


def decode(said: Any) -> Any:
    """The inverse of ``encode``. Raises ValueError for a word that is not known or fields that do not belong to it."""
    if isinstance(said, list):
        return tuple(decode(one) for one in said)
    if not isinstance(said, dict):
        return said
    name = said.get("is")
    if (word := _WORDS.get(str(name))) is None:
        raise ValueError(f"{name!r} is no word of a recording")
    try:
        return word(**{key: decode(value) for key, value in said.items() if key != "is"})
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from error


def event(said: Any) -> Event:
    """The event that ``encode`` wrote. Raises ValueError."""
    found = decode(said)
    if not isinstance(found, Looked | Blind | Pressed | Tick | Part | Exported | Notice):
        raise ValueError(f"{type(found).__name__} is no event")
    return found


def decisions(effects: tuple[Effect, ...]) -> list[Any]:
    """What a night decided, to be compared: an expected table is only a number that changes with it."""
    return [
        {"is": "Look", "expected": _number(effect.expected)} if isinstance(effect, Look) else encode(effect)
        for effect in effects
    ]


def _number(table: Table | None) -> int | None:
    return None if table is None else zlib.crc32(repr(signature(table)).encode())


def _default(field: Field[Any]) -> object:
    return field.default_factory() if field.default_factory is not MISSING else field.default
