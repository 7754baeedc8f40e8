"""The numbers of Ankh's cards, compiled once from the catalogue into what the rules look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from engines.ankh.cards import COLOURS, VALUES, any_papyri, is_papyrus
from engines.catalogue import Catalogue, Lack, MissingNumbers, missing, shipped

MUMMY, PAPYRUS = "mummy", "papyrus"
"""What stands for a card whose faces nobody has counted, as long as it is hidden."""
HIGHEST = 14
"""The largest number on a papyrus at which five players cannot empty the whole deck into their rows (K18)."""


class Numbers:
    """What is known of the deck. Two are equal when their catalogues are."""

    __slots__ = ("_labels", "colours", "counts", "exact", "fingerprint", "hand", "papyri", "points", "stock")

    def __init__(self, catalogue: Catalogue) -> None:
        self.fingerprint = catalogue.fingerprint
        self.hand: int = catalogue["deck.hand"]
        self.points: tuple[int, ...] = tuple(catalogue["papyri.points"])
        self.papyri = catalogue.verified("papyri.cards")
        """Whether the owner has copied all papyri: then there are no others."""
        self.colours = frozenset(colour for colour in COLOURS if catalogue.verified(f"mummies.{colour}"))
        """The colours whose values the owner has counted."""
        self.counts: Mapping[str, int] = MappingProxyType(dict(_cards(catalogue)))
        """Every card of the catalogue and how often it is there, mummies first."""
        self.exact = self.papyri and len(self.colours) == len(COLOURS)
        """Whether every card may be counted."""
        totals = {MUMMY: catalogue["deck.mummies"], PAPYRUS: catalogue["deck.papyri"]}
        counted = {face: number for face, number in self.counts.items() if self.counted(face)}
        self._labels: dict[str, str] = {}
        self.stock: Mapping[str, int] | None = None
        """The deck by label: what is printed or counted. None when not even the two totals are sure."""
        if catalogue.verified("deck.mummies") and catalogue.verified("deck.papyri"):
            for face, number in counted.items():
                totals[PAPYRUS if is_papyrus(face) else MUMMY] -= number
            self.stock = MappingProxyType({k: n for k, n in {**counted, **totals}.items() if n > 0})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def counted(self, card: str) -> bool:
        """Whether the owner has said how many there are of this card."""
        return self.papyri if is_papyrus(card) else card.partition("-")[0] in self.colours

    def label(self, card: str) -> str:
        """The card itself where it is counted, else what stands for its kind."""
        label = self._labels.get(card)
        if label is None:
            label = card if self.counted(card) else PAPYRUS if is_papyrus(card) else MUMMY
            self._labels[card] = label
        return label

    def exists(self, card: str) -> bool:
        """Whether there may be such a card. A papyrus nobody has copied may show any order and a number from 1 to 9."""
        return card in self.counts or (not self.papyri and card in any_papyri())

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def _cards(catalogue: Catalogue) -> Iterator[tuple[str, int]]:
    for colour in COLOURS:
        for value, number in zip(VALUES, catalogue[f"mummies.{colour}"], strict=True):
            if number or not catalogue.verified(f"mummies.{colour}"):
                yield f"{colour}-{value}", number
    yield from Counter(catalogue["papyri.cards"]).items()


@cache
def compiled(catalogue: Catalogue) -> Numbers:
    """The numbers by this catalogue. Raises MissingNumbers when it has faults that no number of players can mend."""
    found = faults(catalogue)
    if found:
        raise MissingNumbers(found)
    return Numbers(catalogue)


def lacks(players: int, options: Mapping[str, str], catalogue: Catalogue) -> tuple[Lack, ...]:
    """The numbers that are missing or do not fit for a game of so many players; empty when it can be played (K2, K25)."""
    found = faults(catalogue)
    if found:
        return found
    cards = catalogue["deck.mummies"] + catalogue["deck.papyri"]
    if players * catalogue["deck.hand"] + 1 > cards:
        return (
            Lack("deck.hand", f"{cards} cards are too few for {players} players", "count the cards again"),
        )
    return ()


@cache
def faults(catalogue: Catalogue) -> tuple[Lack, ...]:
    """What is missing or cannot be, whoever plays."""
    paths = [path for path in shipped("ankh").numbers if catalogue[path] is None]
    if paths:
        return missing(catalogue, paths)
    return tuple(_faults(catalogue))


def _faults(catalogue: Catalogue) -> Iterator[Lack]:
    said = {path: number.ask for path, number in catalogue.numbers.items()}
    five = True
    for colour in COLOURS:
        path = f"mummies.{colour}"
        if len(catalogue[path]) != len(VALUES):
            five = False
            yield Lack(
                path, f"{path} has {len(catalogue[path])} numbers instead of {len(VALUES)}", said[path]
            )
    if len(catalogue["papyri.points"]) != len(COLOURS):
        yield Lack("papyri.points", "papyri.points must have four numbers", said["papyri.points"])
    mummies = sum(sum(catalogue[f"mummies.{colour}"]) for colour in COLOURS)
    if five and mummies != catalogue["deck.mummies"]:
        yield Lack(
            "deck.mummies",
            f"the mummies counted are {mummies}, and deck.mummies says {catalogue['deck.mummies']}",
            "count the mummies of each colour again",
        )
    papyri = catalogue["papyri.cards"]
    for card in dict.fromkeys(papyri):
        if not _proper(card):
            yield Lack(
                "papyri.cards",
                f"'{card}' is no papyrus",
                f"write the four colours, each once, and the number from 1 to {HIGHEST}, like yellow-green-blue-red-5",
            )
    if len(papyri) != catalogue["deck.papyri"] or not papyri:
        yield Lack(
            "papyri.cards",
            f"the papyri listed are {len(papyri)}, and deck.papyri says {catalogue['deck.papyri']}",
            "write each papyrus as often as it is there",
        )


def _proper(card: str) -> bool:
    """Whether it is a papyrus: each colour once, then a number (K25)."""
    *colours, number = card.split("-")
    return (
        sorted(colours) == sorted(COLOURS)
        and number.isascii()
        and number.isdigit()
        and number == str(int(number))
        and 1 <= int(number) <= HIGHEST
    )
