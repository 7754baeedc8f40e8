"""The numbers of Papyrus made ready for play: the map, gods, events, letters and movement cards, and what is wrong with them.

Compiled once for a catalogue and kept; two are equal when their catalogues are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from engines.catalogue import Catalogue, Lack, missing
from engines.papyrus.board import COLOURS, Board, read
from engines.papyrus.events import VOCABULARY, Effect, read_effect, slug

EYE = "eye"
CARDS = (*COLOURS, EYE)
"""The movement cards; Eye of Horus last."""
AMON_RA = "amon-ra"
SONS = 4
HIGHEST = 999
"""The highest number anything may have: more is a slip of the pen."""
FORMS = ", ".join(VOCABULARY)


class God(NamedTuple):
    """A god card. ``letters`` one by one, each a hieroglyph of the bag (Y26)."""

    id: str
    name: str
    pyramid: str
    letters: tuple[str, ...]
    value: int
    son: bool = False

    @property
    def amon_ra(self) -> bool:
        """Whether it is the card that decides a tie (Y41)."""
        return self.id == AMON_RA


class Event(NamedTuple):
    """An event card; ``copies`` alike are in the deck."""

    id: str
    name: str
    effects: tuple[Effect, ...]
    copies: int = 1


class Numbers:
    """All numbers of a catalogue as the rules want them. ``faults`` forbid a game, those in ``alone`` also one without the board;
    ``warnings`` forbid nothing."""

    __slots__ = (
        "alone",
        "board",
        "cards",
        "catalogue",
        "counts",
        "events",
        "faults",
        "gods",
        "house",
        "letters",
        "start",
        "warnings",
    )

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.house = catalogue.house
        faults: list[Lack] = []
        on_board: list[Lack] = []
        warnings: list[Lack] = []
        places: dict[str, str] = {}
        self.counts: Mapping[str, int] = _counts(
            catalogue, "counts", ("gods", "events", "hieroglyphs"), faults
        )
        self.start: Mapping[str, int] = _counts(catalogue, "start", ("cards", "gods", "hieroglyphs"), faults)
        """How many cards, gods and hieroglyphs a player begins with; as many hieroglyphs fit into a holder."""
        self.cards: Mapping[str, int] = _cards(catalogue, faults)
        """How many movement cards there are of each symbol."""
        self.letters: Mapping[str, int] = {}
        """How many hieroglyphs there are of each letter."""
        self.gods: Mapping[str, God] = {}
        self.events: Mapping[str, Event] = {}
        self.board = Board()
        if catalogue["letters"] is not None:
            self.letters = _letters(catalogue, self.counts["hieroglyphs"], faults)
        if catalogue["gods"] is not None:
            self.gods = _gods(catalogue, self.counts["gods"], places, faults)
        if not any(catalogue[path] is None for path in MAP):
            drawn = {path: catalogue[path] for path in (*MAP, "map.event_squares")}
            self.board, found = read(drawn)
            on_board += found
        if catalogue["events"] is not None:
            self.events = _events(catalogue, self.counts["events"], self.board, on_board)
        if self.gods:
            _spelled_by(self, places, faults, warnings)
            _on_map(self, places, on_board, warnings)
        self.alone = tuple(faults)
        self.faults = (*faults, *on_board)
        self.warnings = tuple(warnings)

    @property
    def holder(self) -> int:
        """How many hieroglyphs a holder takes (Y51)."""
        return self.start["hieroglyphs"]

    @property
    def fingerprint(self) -> str:
        return self.catalogue.fingerprint

    def verified(self, path: str) -> bool:
        """Whether refusals may count on it: ``cards``, ``letters``, ``gods``, ``events``."""
        return self.catalogue.verified(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and self.catalogue == other.catalogue

    def __hash__(self) -> int:
        return hash(self.catalogue)

    def __repr__(self) -> str:
        return f"Numbers({self.fingerprint})"


MAP = ("map.start", "map.pyramids", "map.edges")
"""What a map cannot be without."""
SOLO = ("letters", "gods")
"""What the variant for one player needs (Y49)."""
FULL = (*SOLO, "events", *MAP)


def places(catalogue: Catalogue) -> tuple[str, ...]:
    """Where things lie on the owner's board. Catalogues are equal whatever that is (it is no rule), but the tables are not."""
    return tuple(
        map(str, (catalogue["map.width"], catalogue["map.height"], *(catalogue["map.squares"] or ())))
    )


def numbers(catalogue: Catalogue) -> Numbers:
    """The numbers of a catalogue. Never raises: what is wrong stands in ``faults``, what is missing is empty."""
    return _numbers(catalogue, places(catalogue))


@lru_cache(maxsize=32)
def _numbers(catalogue: Catalogue, places: tuple[str, ...]) -> Numbers:
    return Numbers(catalogue)


def lacks(catalogue: Catalogue, players: int) -> tuple[Lack, ...]:
    """What is missing or wrong for a game of so many players; empty when it can be played."""
    needed = SOLO if players == 1 else FULL
    gone = missing(catalogue, needed)
    found = numbers(catalogue)
    faults = found.alone if players == 1 else found.faults
    if gone or faults:
        return gone + faults
    few = []
    for what, there in (
        ("cards", sum(found.cards.values())),
        ("gods", len(found.gods)),
        ("hieroglyphs", sum(found.letters.values())),
    ):
        needs = players * found.start[what]
        if there < needs:
            path = {"cards": "cards", "gods": "gods", "hieroglyphs": "letters"}[what]
            remedy = f"fewer players, or a smaller start.{what}"
            few.append(Lack(path, f"{there} {what} are too few: {players} players need {needs}", remedy))
    return tuple(few)


# Reading, number by number


def _counts(
    catalogue: Catalogue, table: str, names: tuple[str, ...], faults: list[Lack]
) -> Mapping[str, int]:
    found = {}
    for name in names:
        path = f"{table}.{name}"
        value = catalogue[path]
        if not _number(value):
            faults.append(Lack(path, f"{path} is no number", f"write {path} as a whole number"))
            value = 0
        found[name] = value
    return MappingProxyType(found)


def _number(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= HIGHEST


def _table(value: Any, path: str, faults: list[Lack], like: str) -> dict[str, int]:
    """The entries of a table that are numbers."""
    if not isinstance(value, Mapping):
        faults.append(Lack(path, f"{path} is no table", f"write {like}"))
        return {}
    found = {}
    for name, number in value.items():
        if _number(number):
            found[name] = number
        else:
            faults.append(Lack(path, f"{path}.{name} is no number", f"write {like}"))
    return found


def _cards(catalogue: Catalogue, faults: list[Lack]) -> Mapping[str, int]:
    found = _table(catalogue["cards"], "cards", faults, "light = 24")
    for name in found:
        if name not in CARDS:
            faults.append(Lack("cards", f"unknown movement card {name}", f"write {', '.join(CARDS)}"))
    return MappingProxyType({name: found.get(name, 0) for name in CARDS})


def _letters(catalogue: Catalogue, total: int, faults: list[Lack]) -> Mapping[str, int]:
    letters: dict[str, int] = {}
    for name, n in _table(catalogue["letters"], "letters", faults, "A = 24").items():
        letter = name.upper()
        if not (letter.isalpha() and len(letter) <= 3):
            faults.append(Lack("letters", f"'{name}' is no letter", "write a letter like A, or two for SH"))
        elif letter in letters:
            faults.append(Lack("letters", f"the letter {letter} stands twice", "write each letter once"))
        else:
            letters[letter] = n
    if sum(letters.values()) != total:
        remedy = f"count again, or write counts.hieroglyphs = {sum(letters.values())}"
        faults.append(
            Lack("letters", f"the letters make {sum(letters.values())}, the bag holds {total}", remedy)
        )
    return MappingProxyType(dict(sorted(letters.items())))


def _spelled(value: Any) -> tuple[str, ...]:
    """The letters of a name: single ones of a text, spaces and hyphens left out; a list says them one by one ("SH", "U").

    Raises ValueError.
    """
    parts = value if isinstance(value, (list, tuple)) else list(value) if isinstance(value, str) else None
    if parts is None or not all(isinstance(part, str) for part in parts):
        raise ValueError
    letters = tuple(part.upper() for part in parts if part not in (" ", "-", "'"))
    if (
        not letters
        or not all(letter.isalpha() and len(letter) <= 3 for letter in letters)
        or len(letters) > 40
    ):
        raise ValueError
    return letters


def _rows(
    catalogue: Catalogue, path: str, fields: frozenset[str], faults: list[Lack]
) -> list[tuple[str, str, Mapping[str, Any]]]:
    """(place, id, row) of every row with a name of its own; unknown fields are faults."""
    value = catalogue[path]
    if not isinstance(value, (list, tuple)):
        faults.append(Lack(path, f"{path} are no rows", f"write [[papyrus.{path}]] above each card"))
        return []
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    seen: dict[str, str] = {}
    for index, row in enumerate(value, start=1):
        at = f"{path}[{index}]"
        if not isinstance(row, Mapping) or not isinstance(row.get("name"), str):
            faults.append(Lack(at, f"{at} has no name", 'write name = "..."'))
            continue
        for field in row:
            if field not in fields:
                faults.append(
                    Lack(
                        at,
                        f"{at} ({row['name']}) has an unknown {field}",
                        f"write {', '.join(sorted(fields))}",
                    )
                )
        try:
            id = slug(row["name"])
        except ValueError as error:
            text, _, remedy = str(error).partition(": ")
            faults.append(Lack(at, text, remedy))
            continue
        if id in seen:
            remedy = "give each card its own name; for cards that are alike write copies = 2"
            faults.append(Lack(at, f"{at} has the name of {seen[id]}: {id}", remedy))
            continue
        seen[id] = at
        found.append((at, id, row))
    return found


GOD_FIELDS = frozenset({"name", "pyramid", "letters", "value", "son"})
EVENT_FIELDS = frozenset({"name", "effects", "copies"})


def _gods(catalogue: Catalogue, total: int, places: dict[str, str], faults: list[Lack]) -> Mapping[str, God]:
    """The gods by their id; ``places`` learns in which row each stands."""
    gods: dict[str, God] = {}
    for at, id, row in _rows(catalogue, "gods", GOD_FIELDS, faults):
        name = row["name"]
        if "value" not in row:
            faults.append(Lack(at, f"{at} ({name}) has no value", "write value = and the points on the card"))
        elif not _number(row["value"], 1):
            faults.append(
                Lack(
                    at,
                    f"{at} ({name}): the value is no number",
                    "write value = and the points on the card",
                )
            )
        if not isinstance(row.get("son", False), bool):
            faults.append(
                Lack(
                    at,
                    f"{at} ({name}): son is neither true nor false",
                    "write son = true or leave it out",
                )
            )
        try:
            letters = _spelled(row.get("letters", name))
        except ValueError:
            faults.append(Lack(at, f"{at} ({name}): the letters cannot be read", 'write letters = "HORUS"'))
            letters = ()
        try:
            pyramid = slug(row.get("pyramid", id))
        except (ValueError, AttributeError):
            faults.append(Lack(at, f"{at} ({name}): the pyramid is no name", 'write pyramid = "horus"'))
            pyramid = ""
        value: Any = row.get("value")
        places[id] = at
        gods[id] = God(id, name, pyramid, letters, value if _number(value, 1) else 0, row.get("son") is True)
    if len(gods) != total:
        text = f"{len(gods)} gods, the deck has {total}"
        faults.append(Lack("gods", text, f"type the others, or write counts.gods = {len(gods)}"))
    return MappingProxyType(gods)


def _events(catalogue: Catalogue, total: int, board: Board, faults: list[Lack]) -> Mapping[str, Event]:
    events: dict[str, Event] = {}
    for at, id, row in _rows(catalogue, "events", EVENT_FIELDS, faults):
        name, listed, copies = row["name"], row.get("effects"), row.get("copies", 1)
        if not _number(copies, 1):
            faults.append(
                Lack(at, f"{at} ({name}): copies is no number", "write copies = 2, or leave it out")
            )
            copies = 1
        if not isinstance(listed, (list, tuple)) or not listed:
            faults.append(Lack(at, f"{at} ({name}) has no effects", f'write effects = ["..."] with {FORMS}'))
            listed = ()
        effects = []
        for line in listed:
            try:
                effect = read_effect(line if isinstance(line, str) else str(line)[:40])
            except ValueError as error:
                text, _, remedy = str(error).partition(": ")
                faults.append(Lack(at, f"{at} ({name}): {text}", remedy))
                continue
            if effect.where and board.start and effect.where not in board.places:
                remedy = "write a place of map.pyramids or map.event_squares"
                faults.append(Lack(at, f"{at} ({name}): {effect.where} is not on the map", remedy))
            effects.append(effect)
        events[id] = Event(id, name, tuple(effects), copies)
    there = sum(event.copies for event in events.values())
    if there != total:
        remedy = f"type the others, or write counts.events = {there}"
        faults.append(Lack("events", f"{there} event cards, the deck has {total}", remedy))
    return MappingProxyType(events)


# One number against another


def _spelled_by(found: Numbers, places: Mapping[str, str], faults: list[Lack], warnings: list[Lack]) -> None:
    """Letters that are not in the bag, names nobody can form, sons and Amon-Ra that are not marked."""
    for god in found.gods.values():
        at = places[god.id]
        if found.letters:
            for letter, n in Counter(god.letters).items():
                there = found.letters.get(letter, 0)
                if there < n:
                    text = f"{god.name} needs {n} {letter}, the bag holds {there}"
                    faults.append(Lack(at, text, f"mend letters.{letter}, or the letters of {god.name}"))
        if len(god.letters) > found.holder:
            text = f"{god.name} has {len(god.letters)} letters, a holder takes {found.holder}"
            warnings.append(Lack(at, text, "nobody can ever form it: is it spelled as on the card?"))
    sons = sum(god.son for god in found.gods.values())
    if sons != SONS:
        text = f"{sons} {'son' if sons == 1 else 'sons'} of Horus, the rulebook has {SONS}"
        warnings.append(Lack("gods", text, "write son = true at the four"))
    if AMON_RA not in found.gods:
        text = "Amon-Ra is not among the gods"
        warnings.append(Lack("gods", text, "the card that decides a tie is called Amon-Ra"))


def _on_map(found: Numbers, places: Mapping[str, str], faults: list[Lack], warnings: list[Lack]) -> None:
    """Gods without a pyramid, and pyramids without a god."""
    if not found.board.pyramids:
        return
    for god in found.gods.values():
        if god.pyramid and god.pyramid not in found.board.pyramids:
            remedy = f'write {god.pyramid} under map.pyramids, or pyramid = "..." at the god'
            text = f"the pyramid of {god.name} is not on the map: {god.pyramid}"
            faults.append(Lack(places[god.id], text, remedy))
    homes = {god.pyramid for god in found.gods.values()}
    for index, pyramid in enumerate(found.board.pyramids, start=1):
        if pyramid not in homes:
            text = f"no god belongs to the pyramid {pyramid}"
            warnings.append(Lack(f"map.pyramids[{index}]", text, "is it spelled as on the god card?"))
