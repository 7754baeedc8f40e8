"""TOML as people write it: all that can be read, what cannot and on which line, and on which line each key stands.

The standard library's reader stops at the first fault and names no lines of keys. The scanner for those is for texts that
``tomllib`` has accepted: it knows strings, comments, brackets, table headers and dotted or quoted keys, and leaves the rest
of the grammar to it.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
_PART = r'(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
_PATH = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*({_PATH})[ \t]*\]\]?")
_KEY = re.compile(rf"[ \t]*({_PATH})[ \t]*=")
_HUGE = re.compile(r"[0-9_]{4300}")
_ENOUGH = 50
"""So many lines that are no TOML: this is none."""


def lenient(text: str) -> tuple[dict[str, Any], list[tuple[int, str]], str]:
    """The document with every line left out that is no TOML, those lines (from 1) with what is wrong, and the text that was read.

    Raises RecursionError for a text whose brackets or dots are nested without end.
    """
    faults: list[tuple[int, str]] = []
    lines = text.split("\n")
    while True:
        try:
            return tomllib.loads("\n".join(lines)), faults, "\n".join(lines)
        except ValueError as error:  # a TOMLDecodeError, or a number of more than 4300 digits
            at = re.search(r"\(at line (\d+), column \d+\)", str(error))
            number = int(at[1]) if at else len(lines)
            if not isinstance(error, tomllib.TOMLDecodeError):
                error = ValueError("this number is far too long")
                number = next((n for n, line in enumerate(lines, 1) if _HUGE.search(line)), number)
            said = re.sub(r" \(at .*\)$", "", str(error))
            if (
                at is None and "'" in said
            ):  # an apostrophe that was never closed: the reader went on to the end
                odd = (n for n, line in enumerate(lines, 1) if line.count("'") % 2 and not _is_toml(line))
                number = next(odd, number)
            # A fault at the end of the document belongs to the last line that says something.
            while number > 1 and not _says_something(lines[number - 1]):
                number -= 1
            if not _says_something(lines[number - 1]) or len(faults) == _ENOUGH:
                return {}, faults, ""
            sound = (
                faults
                and said.startswith(("Invalid", "Expected", "Unclosed"))
                and _is_toml(lines[number - 1])
            )
            if not sound:  # else a bracket before it was not closed, and that is named already
                faults.append((number, f"{said}: {lines[number - 1].strip()[:40]}"))
            lines[number - 1] = ""


def _is_toml(line: str) -> bool:
    try:
        tomllib.loads(line)
    except ValueError:
        return False
    return True


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def key_lines(text: str) -> dict[str, int]:
    """Dotted key (or table name) -> line from 1, for every key, also those inside inline tables.

    Of a list of tables, the first of each key. The entries of a list of texts or tables by their number from 1: ``map.edges[3]``.
    """
    found: dict[str, int] = {}
    rows: Counter[str] = Counter()
    table, at, line = "", 0, 1
    while at < len(text):
        if header := _HEADER.match(text, at):
            table = _dotted(header[1])
            _around(table, found, line)
            if header[0].lstrip().startswith("[["):
                rows[table] += 1
                found[f"{table}[{rows[table]}]"] = line
            at = header.end()
        elif key := _KEY.match(text, at):
            at = _value(
                text, key.end(), f"{table}.{_dotted(key[1])}" if table else _dotted(key[1]), found, line
            )
        end = text.find("\n", at)
        at = len(text) if end < 0 else end + 1
        line = text.count("\n", 0, at) + 1
    return found


def _around(name: str, found: dict[str, int], line: int) -> None:
    """Note a dotted name and every table around it."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        found.setdefault(".".join(parts[:count]), line)


def _value(text: str, at: int, name: str, found: dict[str, int], line: int) -> int:
    """Note ``name`` and the keys of an inline table that begins here; return where the value ends."""
    _around(name, found, line)
    heads = [name]
    open_brackets: list[str] = []
    expect_key = False
    rows = 0
    while at < len(text):
        if expect_key and (key := _KEY.match(text, at)):
            inner = f"{heads[-1]}.{_dotted(key[1])}"
            found.setdefault(inner, text.count("\n", 0, at) + 1)
            heads.append(inner)
            at, expect_key = key.end(), False
            continue
        sign = text[at]
        if sign in "{'\"" and open_brackets == ["["]:  # one more entry of a list of texts or tables
            rows += 1
            found.setdefault(f"{name}[{rows}]", text.count("\n", 0, at) + 1)
        if string := _STRING.match(text, at):
            at = string.end()
            continue
        if sign == "#" or (sign == "\n" and not open_brackets):
            if not open_brackets:
                return at
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif sign in "[{":
            open_brackets.append(sign)
            expect_key = sign == "{"
        elif sign in "]}" and open_brackets:
            if open_brackets.pop() == "{" and len(heads) > 1:
                heads.pop()
        elif sign == "," and open_brackets and open_brackets[-1] == "{":
            heads.pop()
            expect_key = True
        at += 1
    return at


def _dotted(path: str) -> str:
    return ".".join(part.strip("\"'") for part in re.findall(_PART, path))
