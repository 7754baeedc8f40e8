"""Moves and reveals in words: for the record, and for the display.

=================================  =================================================================================
``dig``                            draws from the dig site; a reveal follows
``steal from Ben``                 the thief's pick
``tent yes``, ``tent no``          takes shelter in a sandstorm, or not
``lose 2 coin, mask``              gives up half of the hand in a sandstorm
``trade 2 coin for mask, shard``   cards of the hand for cards of the marketplace
``explore 2``                      explores a chamber, by its number
``explore``                        explores the Mine; a reveal follows, then ``draw``, ``stop`` or ``bust``
``explore coin, mask``             explores the Sphinx and names two types; a reveal follows
``sell 3 mask``                    sells a set
``peek 2``                         looks into a chamber of the Temple after a sale
``end``                            ends the turn
``reveal market 2 coin, ...``      the five cards of the set-up
``reveal chamber 2 coin``          a card laid face up into a chamber of the Buried Ruins
``reveal treasure``                what was dug; or ``reveal thief``, ``reveal sandstorm``
``reveal cards coin``              what was drawn from the Mine or the Sphinx
``reveal hand Ben 5``              how many cards were counted; ``correct hand Ben 5``: in place of the count so far
``reveal cleared sets Ben 2``      sets that were sold lie on the player's pile now; ``cleared discards 3``: Thieves,
                                   Sandstorms and Maps on theirs; ``cleared monument 5``: what the Sphinx showed is gone
=================================  =================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from engines.archaeology.moves import (
    DISCARDS,
    DRAWN,
    Bust,
    Cards,
    Chamber,
    Cleared,
    Dig,
    Draw,
    Drawn,
    Dug,
    End,
    Explore,
    Hand,
    Lose,
    Market,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import FACES
from engines.game import Move, Reveal, Step
from engines.words import forms_like, listed, read_list, read_seat, write_seat

FORMS = (
    "dig, steal from NAME, tent yes|no, lose CARDS, trade CARDS for CARDS, explore ..., draw, stop, bust, "
    "sell CARDS, peek CHAMBER, end"
)
REVEALS = (
    "reveal treasure|thief|sandstorm, reveal market CARDS, reveal chamber 2 coin, reveal cards CARDS, "
    "correct hand NAME 5, reveal cleared sets NAME 2"
)
OPEN = {"discards": DISCARDS, "monument": DRAWN}
"""Places in which cards lie open until they are put away; the others are the players'."""
PLAIN = {"dig": Dig, "draw": Draw, "stop": Stop, "bust": Bust, "end": End}
KINDS = ("treasure", "thief", "sandstorm")
PLURAL = {
    "shard": "Shards",
    "scrap": "Scraps",
    "coin": "Coins",
    "cup": "Cups",
    "talisman": "Talismans",
    "map": "Maps",
    "mask": "Masks",
    "tablet": "Tablets",
    "pendant": "Pendants",
}
WIDEST = 16
"""Letters of a phrase's object that fit the display."""


def title(face: str, number: int = 1) -> str:
    """The cards for the display: ``Mask``, ``3 Masks``."""
    return face.capitalize() if number == 1 else f"{number} {PLURAL.get(face, face)}"


def _reveal(step: Reveal, names: Sequence[str]) -> str:
    verb = "correct" if step.correction else "reveal"
    match step:
        case Drawn(kind=kind):
            return f"{verb} {kind}"
        case Market(treasures=treasures):
            return f"{verb} market {listed(treasures)}"
        case Chamber(chamber=chamber, treasure=treasure):
            return f"{verb} chamber {chamber} {treasure}"
        case Cards(treasures=treasures):
            return f"{verb} cards {listed(treasures)}"
        case Hand(player=seat, count=count):
            return f"{verb} hand {write_seat(seat, names)} {count}"
        case Cleared(place=place, number=number):
            where = next((word for word, one in OPEN.items() if one == place), "")
            return f"{verb} cleared {where or f'sets {write_seat(place, names)}'} {number}"
    raise TypeError(f"{step!r} is no step of Archaeology")


def format(step: Step, names: Sequence[str] = ()) -> str:
    """The step in the record's words, without the player's name. Raises TypeError for a step of another game."""
    match step:
        case Dig() | Draw() | Stop() | Bust() | End():
            return type(step).__name__.lower()
        case Steal(victim=victim):
            return f"steal from {write_seat(victim, names)}"
        case Tent(used=used):
            return f"tent {'yes' if used else 'no'}"
        case Lose(treasures=treasures):
            return f"lose {listed(treasures)}"
        case Trade(give=give, take=take):
            return f"trade {listed(give)} for {listed(take)}"
        case Explore(chamber=chamber, named=named):
            return f"explore {listed(named) if named else chamber}" if named or chamber else "explore"
        case Peek(chamber=chamber):
            return f"peek {chamber}"
        case Sell(treasures=treasures):
            return f"sell {listed(treasures)}"
        case Reveal():
            return _reveal(step, names)
    raise TypeError(f"{step!r} is no step of Archaeology")


def _cards(text: str) -> tuple[str, ...]:
    """Treasures in words. Raises ValueError."""
    try:
        return read_list(text, FACES)
    except ValueError as error:
        raise ValueError(f"{error}: write cards like 2 coin, mask") from None


def _whole(text: str, what: str) -> int:
    """A number written plainly, below 1000."""
    if not (text.isascii() and text.isdigit()) or text != str(int(text[:4])):
        raise ValueError(f"'{text}' is no {what}: write a number like 2")
    return int(text)


def _parse_reveal(verb: str, rest: str, names: Sequence[str]) -> Reveal:
    correction = verb == "correct"
    what, _, more = rest.partition(" ")
    if rest in KINDS:
        return Drawn(cast("Dug", rest), correction=correction)
    if what == "market":
        return Market(_cards(more), correction=correction)
    if what == "cards":
        return Cards(_cards(more), correction=correction)
    if what == "chamber":
        number, _, face = more.partition(" ")
        if face not in FACES:
            raise ValueError(f"'{face}' is no treasure: write reveal chamber 2 and one of {', '.join(FACES)}")
        return Chamber(_whole(number, "chamber"), face, correction=correction)
    if what == "hand":
        name, _, count = more.rpartition(" ")
        return Hand(read_seat(name, names), _whole(count, "number of cards"), correction=correction)
    if what == "cleared":
        where, _, count = more.rpartition(" ")
        kind, _, name = where.partition(" ")
        if where not in OPEN and kind != "sets":
            raise ValueError(f"write {verb} cleared sets {write_seat(1, names)} 2, or cleared discards 3")
        place = OPEN[where] if where in OPEN else read_seat(name, names)
        return Cleared(place, _whole(count, "number"), correction=correction)
    raise ValueError(f"'{verb} {rest}' is nothing that the table shows: write {REVEALS}")


def _explore(player: int, text: str) -> Explore:
    if text.isdigit():
        chamber = _whole(text, "chamber")
        if not chamber:
            raise ValueError("chambers are counted from 1: write explore 1")
        return Explore(player, chamber)
    named = _cards(text)
    if not named:
        raise ValueError("write explore, explore and the chamber's number, or explore and two treasures")
    return Explore(player, 0, named)


def parse(text: str, player: int, names: Sequence[str] = ()) -> Step:
    """The inverse of ``format``. Raises ValueError with a sentence that says what to write."""
    verb, _, rest = text.partition(" ")
    if text in PLAIN:
        return PLAIN[text](player)
    match verb:
        case "steal" if rest.startswith("from "):
            return Steal(player, read_seat(rest.removeprefix("from "), names))
        case "tent" if rest in ("yes", "no"):
            return Tent(player, rest == "yes")
        case "lose":
            return Lose(player, _cards(rest))
        case "trade" if rest.count(" for ") == 1:
            give, take = rest.split(" for ")
            return Trade(player, _cards(give), _cards(take))
        case "explore":
            return _explore(player, rest) if text != "explore" else Explore(player)
        case "peek":
            return Peek(player, _whole(rest, "chamber"))
        case "sell":
            return Sell(player, _cards(rest))
        case "reveal" | "correct":
            return _parse_reveal(verb, rest, names)
    raise ValueError(f"'{text}' is no move of Archaeology: write {forms_like(text, f'{FORMS}, {REVEALS}')}")


def _shown(treasures: Sequence[str]) -> str:
    """The cards in at most 16 letters: by name where they fit, else their number."""
    text = _named(treasures)
    return text if text and len(text) <= WIDEST else f"{len(treasures)} cards"


def told_apart(move: Move) -> str:
    """The cards of a move whose phrase does not name them all; "" where it does."""
    match move:
        case Trade(give=give, take=take):
            return " for ".join(_named(cards) for cards in (give, take) if cards)
        case Lose(treasures=treasures) | Sell(treasures=treasures) if len(_named(treasures)) > WIDEST:
            return _named(treasures)
    return ""


def _named(treasures: Sequence[str]) -> str:
    return ", ".join(title(face, number) for face, number in Counter(treasures).items())


def phrase(move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
    """The move for the display: (verb, object)."""
    match move:
        case Dig():
            return "digs", "for treasure"
        case Steal(victim=victim):
            name = names[victim] if victim < len(names) else f"player {victim + 1}"
            return "steals", f"from {name}" if len(name) <= WIDEST - 5 else f"from {name[: WIDEST - 6]}."
        case Tent(used=used):
            return ("uses", "the tent") if used else ("keeps", "the tent")
        case Lose(treasures=treasures):
            return "loses", _shown(treasures)
        case Trade(give=give, take=take):
            return "trades", f"{len(give)} for {_shown(take)}" if len(
                take
            ) < 2 else f"{len(give)} for {len(take)} cards"
        case Explore(named=(one, other)):
            first, second = title(one), title(other)
            room = WIDEST - len(second) - 2
            return "explores", f"{first if len(first) <= room else f'{first[: room - 1]}.'}, {second}"
        case Explore(chamber=chamber):
            return "explores", f"chamber {chamber}" if chamber else "the monument"
        case Draw():
            return "draws", "a card"
        case Stop():
            return "stops", "and keeps all"
        case Bust():
            return "puts back", "all cards"
        case Peek(chamber=chamber):
            return "looks into", f"chamber {chamber}"
        case Sell(treasures=treasures):
            return "sells", _shown(treasures)
        case End():
            return "ends", "the turn"
    raise TypeError(f"{move!r} is no move of Archaeology")
