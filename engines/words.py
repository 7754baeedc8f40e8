"""The small change of every game's notation: words of a line, names of players, lists of pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
SEAT = re.compile(r"player-([1-9][0-9]?)")


def quoted(name: str) -> str:
    """The name as one word: in double quotes with JSON's escapes where it is not one already, or looks like a seat."""
    plain = name.isprintable() and not set(name) & set(' ,:";\\') and not SEAT.fullmatch(name) and name
    if plain:
        return name
    import json

    return json.dumps(name)


def words(text: str) -> list[str]:
    """The line's words; a quoted name stays one word with its quotes. Raises ValueError for a quote that is never closed."""
    found = WORD.findall(text)
    if "".join(found) != "".join(text.split()) and '"' in text and text.count('"') % 2:
        raise ValueError("a quote is opened and never closed")
    return found


def write_seat(seat: int, names: Sequence[str] = ()) -> str:
    """The player at this seat (from 0) as one word: the name, or ``player-2`` when there are no names."""
    return quoted(names[seat]) if seat < len(names) else f"player-{seat + 1}"


def read_seat(word: str, names: Sequence[str] = ()) -> int:
    """The inverse of ``write_seat``. Raises ValueError that names the players."""
    for seat, name in enumerate(names):
        if word == quoted(name) or (word == name and not SEAT.fullmatch(word)):
            return seat
    found = SEAT.fullmatch(word)
    if found and (not names or int(found[1]) <= len(names)):
        return int(found[1]) - 1
    said = f"{word} is none of the players" if word else "no player is named"
    raise ValueError(f"{said}: write {' or '.join(map(quoted, names)) or 'player-2'}")


def named(text: str, names: Sequence[str]) -> str:
    """A text for the display with each ``player-2`` in it called by name."""
    return SEAT.sub(lambda seat: (*names[int(seat[1]) - 1 : int(seat[1])], seat[0])[0], text)


def listed(pieces: Iterable[str]) -> str:
    """Pieces in words, like ones counted: ``2 coin, mask``. Nothing: ``nothing``."""
    counted = Counter(pieces)
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in counted.items()) or "nothing"


def read_list(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """The inverse of ``listed`` (order of first mention). Raises ValueError for a piece that is not among the known."""
    if text == "nothing":
        return ()
    pieces: list[str] = []
    for part in text.split(", "):
        number, space, name = part.partition(" ")
        if not space:
            number, name = "1", part
        elif not (number.isascii() and number.isdigit() and 2 <= int(number) <= 999 and number[0] != "0"):
            raise ValueError(f"'{part}' is no list of pieces: write like 2 {known[0]}, {known[-1]}")
        if name not in known:
            raise ValueError(f"'{name}' is none of {', '.join(known)}")
        if name in pieces:
            raise ValueError(f"'{name}' stands twice: write it once with its number")
        pieces += [name] * int(number)
    return tuple(pieces)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 card``, ``2 cards``, ``2 thieves``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def forms_like(text: str, forms: str) -> str:
    """Of the forms a line may have (``draw, move to PLACE``) those that begin as the text does; all where none does."""
    first = text.partition(" ")[0]
    alike = [form for form in forms.split(", ") if form.partition(" ")[0] == first]
    return ", or ".join(alike) or forms
