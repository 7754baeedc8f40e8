"""Moves and reveals in words: for the record, and for the display.

=============================================  =====================================================
``play green-4``                               a mummy into the own row
``play green-yellow-blue-red-5``               a papyrus: colours from x2 to x-1, then the number
``sacrifice 2 green-4, red-1``                 discards three cards face up and draws three
``sacrifice 2 unseen``                         discards two face down (option sacrifices=hidden)
``sacrifice nothing``                          passes (option passing=yes)
``reveal papyrus green-yellow-blue-red-5``     the first papyrus; ``correct papyrus ...``: it is another
``reveal shuffled``                            the discards became the pile before a card was needed
``reveal cleared row Ben``                     what a scoring left in Ben's row is on the discard pile
``reveal cleared sacrifice``                   what was sacrificed is on the discard pile
``correct hand Ben 3``                         Ben holds three cards
=============================================  =====================================================

Cards may be read out: ``green 4``, ``papyrus green yellow blue red 5``, ``GYBR-5`` are understood; they are written as above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.ankh.cards import COLOURS, INITIALS, short, title
from engines.ankh.moves import SACRIFICE, Cleared, FirstPapyrus, HandCount, Play, Sacrifice, Shuffled
from engines.game import Move, Reveal, Step
from engines.words import listed, read_list, read_seat, words, write_seat

UNSEEN = "unseen"
"""A sacrificed card that lies face down."""
LARGE = 16
"""Large letters that a line of the display has room for."""
FACTS = "reveal papyrus CARD, reveal shuffled, reveal cleared row NAME, correct hand NAME 3"
FORMS = f"play CARD, sacrifice CARD, CARD; or {FACTS}"
_COLOUR = f"(?:{'|'.join(COLOURS)})"
_MUMMY = re.compile(f"(?:mummy-)?({_COLOUR}-(?:0|[1-9][0-9]?))")
_PAPYRUS = re.compile(f"(?:papyrus-)?({_COLOUR}(?:-{_COLOUR}){{3}}-(?:0|[1-9][0-9]?))")
_SHORT = re.compile(f"(?:papyrus-)?([{''.join(INITIALS)}]{{4}})-?(0|[1-9][0-9]?)")


def format(step: Step, names: Sequence[str] = ()) -> str:
    """The step in the record's words, without the name of who moves. Raises TypeError for a step of another game."""
    match step:
        case Play(card=card):
            return f"play {card}"
        case Sacrifice(cards=cards, unseen=unseen):
            return f"sacrifice {listed((*cards, *[UNSEEN] * unseen))}"
        case FirstPapyrus(card=card):
            return f"{'correct' if step.correction else 'reveal'} papyrus {card}"
        case Shuffled():
            return "reveal shuffled"
        case Cleared(place=place):
            where = "sacrifice" if place == SACRIFICE else f"row {write_seat(place, names)}"
            return f"reveal cleared {where}"
        case HandCount(seat=seat, cards=number):
            return f"correct hand {write_seat(seat, names)} {number}"
    raise TypeError(f"{step!r} is no step of Ankh")


def _card(text: str) -> str:
    """The name of a card, however it was read out. Raises ValueError that says how to write one."""
    word = text.lower().replace(" ", "-")
    found = _MUMMY.fullmatch(word) or _PAPYRUS.fullmatch(word)
    if found:
        return found[1]
    short = _SHORT.fullmatch(word)
    if short:
        return f"{'-'.join(INITIALS[letter] for letter in short[1])}-{short[2]}"
    raise ValueError(f"'{text}' is no card: write like green-4, or green-yellow-blue-red-5 for a papyrus")


def _papyrus(text: str) -> str:
    card = _card(text)
    if _MUMMY.fullmatch(card):
        raise ValueError(f"'{text}' is no papyrus: write like green-yellow-blue-red-5")
    return card


def _sacrifice(player: int, text: str) -> Sacrifice:
    if text == "nothing":
        return Sacrifice(player)
    parts = []
    for part in text.split(", "):
        number, space, name = part.partition(" ")
        counted = bool(space) and number.isdigit()
        name = name if counted else part
        name = UNSEEN if name == UNSEEN else _card(name)
        parts.append((f"{number} {name}" if counted else name, name))
    cards = read_list(", ".join(said for said, _ in parts), [name for _, name in parts])
    unseen = cards.count(UNSEEN)
    return Sacrifice(player, tuple(card for card in cards if card != UNSEEN), unseen)


def _hand(said: list[str], names: Sequence[str]) -> HandCount:
    if len(said) != 2 or not re.fullmatch("0|[1-9][0-9]?", said[1]):
        raise ValueError(f"a hand is corrected like: correct hand {write_seat(1, names)} 3")
    return HandCount(read_seat(said[0], names), int(said[1]), correction=True)


def parse(text: str, player: int, names: Sequence[str] = ()) -> Step:
    """The inverse of ``format``. Raises ValueError with a sentence that says what to write."""
    verb, _, rest = text.partition(" ")
    match verb:
        case "play" if rest:
            return Play(player, _card(rest))
        case "sacrifice" if rest:
            return _sacrifice(player, rest)
        case "reveal" | "correct":
            return _fact(verb, rest, names)
    raise ValueError(f"'{text}' is no move of Ankh: write {FORMS}")


def _cleared(said: list[str], names: Sequence[str]) -> Cleared:
    match said:
        case ["sacrifice"]:
            return Cleared(SACRIFICE)
        case ["row", name]:
            return Cleared(read_seat(name, names))
    raise ValueError(f"write reveal cleared row {write_seat(1, names)}, or reveal cleared sacrifice")


def _fact(verb: str, text: str, names: Sequence[str]) -> Reveal:
    what, _, rest = text.partition(" ")
    if what == "papyrus":
        return FirstPapyrus(_papyrus(rest), correction=verb == "correct")
    if (verb, text) == ("reveal", "shuffled"):
        return Shuffled()
    if (verb, what) == ("reveal", "cleared"):
        return _cleared(words(rest), names)
    if (verb, what) == ("correct", "hand"):
        return _hand(words(rest), names)
    raise ValueError(f"'{verb} {text}' is no fact of Ankh: write {FACTS}")


def phrase(move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
    """The move for the display: (verb, object)."""
    match move:
        case Play(card=card):
            return "plays", title(card)
        case Sacrifice(cards=cards, unseen=unseen):
            number = len(cards) + unseen
            if len(cards) == number == 1:
                return "sacrifices", title(cards[0])
            named = " ".join(map(short, cards))
            if cards and not unseen and len(named) <= LARGE:
                return "sacrifices", named
            return "sacrifices", f"{number or 'no'} card{'' if number == 1 else 's'}"
    raise TypeError(f"{move!r} is no move of Ankh")
