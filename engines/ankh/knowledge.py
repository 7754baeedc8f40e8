"""What the table allows about hidden cards: the hands, the draw pile, discards that lie face down.

It is told in up to two ways, and a card can be where it is said to be only if both allow it:

- by *label*: the printed totals and whatever the owner has counted. A card that nobody has counted is just a mummy or a
  papyrus there, so a nineteenth papyrus is refused although the papyri are not known;
- by *face*: cards that lay open and were shuffled are known by face for ever; of the others nothing is known.

Where every card is counted the labels are the faces, and the first way says all.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.ankh.numbers import Numbers
from engines.hidden import Hidden

PILE, DISCARD = "pile", "discard"
DECK = "deck"
"""The stock of cards that have never lain open."""

Knowledge = tuple[Hidden, ...]


def hand(seat: int) -> str:
    """The place of a player's hand."""
    return f"hand-{seat + 1}"


def unknown(numbers: Numbers, players: int) -> Knowledge:
    """All cards in the pile, nothing dealt, nothing seen."""
    places: dict[str, dict[tuple[str, ...], int]] = {
        place: {} for place in (DISCARD, *map(hand, range(players)))
    }
    places[PILE] = {(DECK,): numbers.total}
    ways = []
    if numbers.stock is not None:
        ways.append(Hidden.of({DECK: numbers.stock}, places))
    if not numbers.exact:
        ways.append(Hidden.of({DECK: None}, places))
    return tuple(ways)


def _told(numbers: Numbers, way: int, cards: Iterable[str]) -> list[str]:
    """The cards as this way of telling names them: the first by label, if the totals are sure."""
    if way or numbers.stock is None:
        return list(cards)
    return [numbers.label(card) for card in cards]


def possible(numbers: Numbers, known: Knowledge, place: str, cards: Iterable[str]) -> bool:
    """Whether all these cards may be shown from the place now."""
    return all(hidden.possible(place, _told(numbers, way, cards)) for way, hidden in enumerate(known))


def shown(numbers: Numbers, known: Knowledge, place: str, cards: Iterable[str]) -> Knowledge:
    """These cards left the place and lie face up. Raises ``engines.hidden.Impossible``."""
    return tuple(hidden.show(place, _told(numbers, way, cards)) for way, hidden in enumerate(known))


def moved(known: Knowledge, source: str, target: str, number: int) -> Knowledge:
    """So many unseen cards changed their place."""
    return tuple(hidden.move(source, target, number) for hidden in known) if number else known


def shuffled(numbers: Numbers, known: Knowledge, name: str, cards: tuple[str, ...], unseen: int) -> Knowledge:
    """Open cards and face-down discards became the new pile; ``name`` is that of the new stock."""
    known = moved(known, DISCARD, PILE, unseen)
    if not cards:
        return known
    return tuple(hidden.stock(PILE, name, _told(numbers, way, cards)) for way, hidden in enumerate(known))


def counted(known: Knowledge, seat: int, number: int, pile: int) -> Knowledge:
    """A player holds this many cards and the pile that many, whatever was thought before."""
    return tuple(hidden.resize(hand(seat), number).resize(PILE, pile) for hidden in known)
