"""On which line of a TOML text each key stands. The standard library's reader does not say.

Only for texts that ``tomllib`` has accepted: this scanner knows strings, comments, brackets, table headers and
dotted or quoted keys, and leaves the rest of the grammar to it.
"""

from __future__ import annotations

import re

_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
_PART = r'(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
_PATH = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*({_PATH})[ \t]*\]\]?")
_KEY = re.compile(rf"[ \t]*({_PATH})[ \t]*=")


def key_lines(text: str) -> dict[str, int]:
    """Dotted key (or table name) -> line from 1, for every key, also those inside inline tables."""
    found: dict[str, int] = {}
    table, at, line = "", 0, 1
    while at < len(text):
        if header := _HEADER.match(text, at):
            table = _dotted(header[1])
            found.setdefault(table, line)
            at = header.end()
        elif key := _KEY.match(text, at):
            at = _value(
                text, key.end(), f"{table}.{_dotted(key[1])}" if table else _dotted(key[1]), found, line
            )
        end = text.find("\n", at)
        at = len(text) if end < 0 else end + 1
        line = text.count("\n", 0, at) + 1
    return found


def _value(text: str, at: int, name: str, found: dict[str, int], line: int) -> int:
    """Note ``name`` and the keys of an inline table that begins here; return where the value ends."""
    parts = name.split(".")
    for count in range(1, len(parts)):
        found.setdefault(".".join(parts[:count]), line)
    found.setdefault(name, line)
    heads = [name]
    open_brackets: list[str] = []
    expect_key = False
    while at < len(text):
        if expect_key and (key := _KEY.match(text, at)):
            inner = f"{heads[-1]}.{_dotted(key[1])}"
            found.setdefault(inner, text.count("\n", 0, at) + 1)
            heads.append(inner)
            at, expect_key = key.end(), False
            continue
        if string := _STRING.match(text, at):
            at = string.end()
            continue
        sign = text[at]
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
