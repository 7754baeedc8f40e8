"""Values written as TOML, and in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDE = 90
"""Letters of a list that stay on one line."""


def assigned(name: str, value: Any) -> Iterator[str]:
    """``name = value`` in lines: a long list has one entry a line. A value that is missing is a question mark, which no reader takes."""
    if value is None:
        yield f"{_key(name)} = ?"
        return
    text = f"{_key(name)} = {written(value)}"
    if len(text) <= _WIDE or not isinstance(value, list | tuple):
        yield text
        return
    yield f"{_key(name)} = ["
    for entry in value:
        yield f"  {written(entry)},"
    yield "]"


def table_line(*path: str) -> str:
    """The line that begins a table; each part may be a dotted path."""
    return f"[{'.'.join(_key(name) for part in path if part for name in part.split('.'))}]"


def written(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {written(part)}" for name, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # texts, numbers, true and false are written alike


def in_words(value: Any) -> list[str]:
    """A value for reading, entry by entry; nothing for one that is missing."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [f"{name} {_said(part)}" for name, part in value.items()]
    return [_said(entry) for entry in value] if isinstance(value, list | tuple) else [_said(value)]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(in_words(value)) if isinstance(value, Mapping | list | tuple) else str(value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
