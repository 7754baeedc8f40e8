"""The forms a number of the catalogue may have: what fits, and the words that tell an owner how to write it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engines.catalogue import Number

LONGEST_TEXT = 200
MOST_ROWS = 1000
DEEPEST = 4
"""Lists and tables within a row."""
LARGEST = 1_000_000


class Form(NamedTuple):
    """What a value must be. ``low`` and ``high`` bound every number in it where the catalogue says nothing narrower."""

    fits: Callable[[Any], bool]
    words: str
    """What to write: ``a list of whole numbers``."""
    example: str
    low: int = 0
    high: int = 999


def _whole(value: Any) -> bool:
    return type(value) is int


def _text(value: Any) -> bool:
    return (
        isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= LONGEST_TEXT
    )


def _length(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value > 0


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list | tuple) and 0 < len(value) <= MOST_ROWS and all(map(fits, value))
    )


def _table(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and 0 < len(value) <= MOST_ROWS
        and all(_text(name) and _whole(number) for name, number in value.items())
    )


def _plain(value: Any, depth: int = 0) -> bool:
    """Whether a cell of a row is something that TOML, the record and a screen can all hold."""
    if isinstance(value, str):
        return value.isprintable() and len(value) <= LONGEST_TEXT
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return -LARGEST <= value <= LARGEST  # neither of them for a NaN
    if depth == DEEPEST:
        return False
    if isinstance(value, list | tuple):
        return len(value) <= MOST_ROWS and all(_plain(part, depth + 1) for part in value)
    return isinstance(value, Mapping) and all(
        _text(name) and _plain(part, depth + 1) for name, part in value.items()
    )


def _row(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and _plain(value)


FORMS: Mapping[str, Form] = {
    "count": Form(_whole, "a whole number", "4"),
    "number": Form(_whole, "a whole number", "4 or -1", -9999, 9999),
    "numbers": Form(_list_of(_whole), "a list of whole numbers", "[1, 2, 3]", -9999, 9999),
    "words": Form(_list_of(_text), "a list of texts in quotes", '["one", "two"]'),
    "text": Form(_text, "a text in quotes", '"one"'),
    "length": Form(_length, "a length in millimetres", "22.0", 0, 10_000),
    "table": Form(_table, "names with whole numbers", "{ one = 4, two = 3 }", -9999, 9999),
    "spots": Form(_list_of(_text), "a list of texts in quotes", '["horus 120 85", "anubis 244 85"]'),
    "rows": Form(_list_of(_row), "a list of tables", '[{ name = "one", value = 4 }]'),
}
SEVERAL = frozenset({"numbers", "table"})
BOUNDED = frozenset({"count", "number", "length"}) | SEVERAL


def bounds(number: Number) -> tuple[int, int]:
    """The smallest and the largest that a number in this entry may be."""
    form = FORMS[number.form]
    return (
        form.low if number.low is None else number.low,
        form.high if number.high is None else number.high,
    )


def how(number: Number) -> str:
    """How to write this number: ``a whole number from 0 to 99, like 4``; without the example where ``ask`` gives one."""
    form = FORMS[number.form]
    low, high = bounds(number)
    each = ", each" if number.form in SEVERAL else ""
    words = f"{form.words}{each} from {low} to {high}" if number.form in BOUNDED else form.words
    return words if " like " in number.ask else f"{words}, like {form.example}"


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = list(value.values())
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, int | float) and not isinstance(one, bool):
            yield one


def wrong(number: Number, value: Any) -> str | None:
    """What is wrong with a value for this number, in words that follow "this is"; None when it fits."""
    if not FORMS[number.form].fits(value):
        return "not what belongs here"
    if number.form in BOUNDED:
        low, high = bounds(number)
        outside = next((one for one in _numbers(value) if not low <= one <= high), None)
        if outside is not None:
            return f"out of range: {outside}" if abs(outside) < 10 * LARGEST else "far out of range"
    return None
