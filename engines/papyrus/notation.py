"""Moves and reveals in words: for the record, and for the display.

==========================================  =============================================================
``draw``                                    draws 2 movement cards, or what is left of them
``move to anubis paying 4 water, 2 light``  moves the pawn; ``eye`` is the Eye of Horus
``win horus``                               wins the god whose pyramid was reached, draws a god and hieroglyphs anew
``win horus without god drawing 3``         ... draws no god, and 3 hieroglyphs only (``drawing 0``: none)
``decline``                                 does not win here
``swap E from bag``, ``swap E for A``       pays an E, takes one unseen or the open A
``pass``                                    does nothing
``gain A, 2 E``                             event: takes open hieroglyphs
``lose 2 water, eye``, ``lose A``           event: lays down movement cards, or hieroglyphs
``take from Ben``, ``exchange with Ben``    event: draws from, or exchanges with, another player, unseen
``go to isis``                              event: sets the pawn on a place of the own choice
``buy``                                     solo: pays a movement card for a hieroglyph
``form horus``, ``form horus without god``  solo: forms the name of a god; draws no god for it
``stop``                                    solo: gives up
``reveal event flood``                      the event card that was turned up
``reveal hand Ben 5``                       Ben has 5 movement cards; also ``holder``, ``gods``, ``points``, ``scarabs``, ``skips``
``reveal pawn Ben isis``                    Ben's pawn stands there
``reveal deck 12``                          12 movement cards are left to draw; also ``bag``, ``god-deck``
``reveal open A, 2 E``, ``open nothing``    the hieroglyphs that lie open by the bag
``reveal cleared played``                   the cards that were played have been put away; also ``event``, ``name``
``correct ...``                             as reveal, in place of what the moves say
==========================================  =============================================================

Hieroglyphs are written by their letter, gods and places in small letters with hyphens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engines.game import Move, Reveal, Step
from engines.papyrus.moves import (
    EYE,
    FACES,
    SPREADS,
    Buy,
    Cleared,
    Count,
    Counted,
    Decline,
    Draw,
    EventShown,
    Form,
    Gain,
    Go,
    Left,
    Lose,
    Lying,
    Pass,
    Pile,
    Standing,
    Stop,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.words import forms_like, listed, read_list, read_seat, words, write_seat

FORMS = (
    "draw, move to PLACE paying CARDS, win GOD, decline, swap E from bag, swap E for A, pass, buy, form GOD, stop, "
    "gain LETTERS, lose CARDS, take from NAME, exchange with NAME, go to PLACE"
)
COUNTS: tuple[Count, ...] = get_args(Count)
PILES: tuple[Pile, ...] = get_args(Pile)
_PLAIN: dict[type[Move], str] = {
    Draw: "draw",
    Decline: "decline",
    Pass: "pass",
    Buy: "buy",
    Stop: "stop",
}
_BY_WORD = {word: kind for kind, word in _PLAIN.items()}


def title(name: str) -> str:
    """A god or place as the display says it: ``amon-ra`` is Amon-Ra."""
    return "-".join(part.capitalize() for part in name.split("-"))


def short(name: str) -> str:
    """The title in at most 16 letters; of an event square on a path the two places that it lies between."""
    told = title(name.removeprefix("event-") if name.count("-") > 1 else name)
    return told if len(told) <= 16 else f"{told[:15]}."


def _verb(reveal: Reveal) -> str:
    return "correct" if reveal.correction else "reveal"


def format(step: Step, names: Sequence[str] = ()) -> str:
    """The step in the record's words, without the name of who moves. Raises TypeError for a step of another game."""
    match step:
        case Travel(place=place, cards=cards):
            return f"move to {place} paying {listed(cards)}"
        case Win(god=god, card=card, tiles=tiles):
            return f"win {god}{'' if card else ' without god'}{'' if tiles is None else f' drawing {tiles}'}"
        case Form(god=god, card=card):
            return f"form {god}{'' if card else ' without god'}"
        case Swap(pay=pay, take=None):
            return f"swap {pay} from bag"
        case Swap(pay=pay, take=take):
            return f"swap {pay} for {take}"
        case Gain(pieces=tiles):
            return f"gain {listed(tiles)}"
        case Lose(pieces=pieces):
            return f"lose {listed(pieces)}"
        case TakeFrom(other=other):
            return f"take from {write_seat(other, names)}"
        case SwapWith(other=other):
            return f"exchange with {write_seat(other, names)}"
        case Go(place=place):
            return f"go to {place}"
        case EventShown(event=event):
            return f"{_verb(step)} event {event}"
        case Counted(player=player, what=what, number=number):
            return f"{_verb(step)} {what} {write_seat(player, names)} {number}"
        case Left(what=what, number=number):
            return f"{_verb(step)} {what} {number}"
        case Lying(tiles=tiles):
            return f"{_verb(step)} open {listed(tiles)}"
        case Standing(player=player, place=place):
            return f"{_verb(step)} pawn {write_seat(player, names)} {place}"
        case Cleared(place=place):
            return f"{_verb(step)} cleared {place}"
        case Move() if type(step) in _PLAIN:
            return _PLAIN[type(step)]
    raise TypeError(f"{step!r} is no step of Papyrus")


def _name(word: str, what: str) -> str:
    if not all(part.isalnum() and part == part.lower() for part in word.split("-")) or len(word) > 120:
        raise ValueError(f"'{word}' is no {what}: write its name in small letters, like amon-ra")
    return word


def _letter(word: str) -> str:
    if not word.isalpha() or len(word) > 3 or word != word.upper():
        raise ValueError(f"'{word}' is no hieroglyph: write its letter, like A")
    return word


def _number(word: str, least: int = 0) -> int:
    digits = word.removeprefix("-") if least < 0 else word
    plain = digits.isascii() and digits.isdigit() and len(digits) <= 3 and digits == str(int(digits))
    if not plain or word == "-0":
        raise ValueError(f"'{word}' is no number: write one like 3")
    return int(word)


def _tiles(text: str) -> tuple[str, ...]:
    if text == "nothing":
        return ()
    return read_list(text, [_letter(part.rpartition(" ")[2]) for part in text.split(", ")])


def _pieces(text: str) -> tuple[str, ...]:
    """Movement cards or hieroglyphs, never both."""
    return read_list(text, FACES) if text.rpartition(" ")[2] in FACES else _tiles(text)


def _reveal(said: list[str], names: Sequence[str]) -> Reveal:
    correction = said[0] == "correct"
    match said[1:]:
        case ["event", event]:
            return EventShown(_name(event, "event"), correction=correction)
        case ["pawn", seat, place]:
            return Standing(read_seat(seat, names), _name(place, "place"), correction=correction)
        case [what, seat, number] if what in COUNTS:
            least = -1 if what == "points" else 0
            return Counted(read_seat(seat, names), what, _number(number, least), correction=correction)
        case [what, number] if what in PILES:
            return Left(what, _number(number), correction=correction)
        case ["cleared", place] if place in SPREADS:
            return Cleared(place, correction=correction)
        case ["open", _, *_]:
            return Lying(_tiles(" ".join(said[2:])), correction=correction)
    raise ValueError(
        "that is nothing the table shows: write reveal event NAME; or correct hand, holder, gods, points, scarabs, skips or "
        "pawn with the player and what it is; or correct deck, bag or god-deck with a number, or correct open with letters"
    )


def parse(text: str, player: int, names: Sequence[str] = ()) -> Step:
    """The inverse of ``format``. Raises ValueError with a sentence that says what to write."""
    said = words(text)
    if " ".join(said) != text:
        raise ValueError(f"'{text}' cannot be read: write one space between words, like {FORMS}")
    match said:
        case [word] if word in _BY_WORD:
            return _BY_WORD[word](player)
        case ["move", "to", place, "paying", _, *_]:
            return Travel(player, _name(place, "place"), read_list(text.partition(" paying ")[2], FACES))
        case ["win", god]:
            return Win(player, _name(god, "god"))
        case ["win", god, "without", "god"]:
            return Win(player, _name(god, "god"), card=False)
        case ["win", god, "drawing", number]:
            return Win(player, _name(god, "god"), tiles=_number(number))
        case ["win", god, "without", "god", "drawing", number]:
            return Win(player, _name(god, "god"), card=False, tiles=_number(number))
        case ["form", god]:
            return Form(player, _name(god, "god"))
        case ["form", god, "without", "god"]:
            return Form(player, _name(god, "god"), card=False)
        case ["swap", pay, "from", "bag"]:
            return Swap(player, _letter(pay))
        case ["swap", pay, "for", take]:
            return Swap(player, _letter(pay), _letter(take))
        case ["gain", _, *_]:
            return Gain(player, _tiles(text.partition(" ")[2]))
        case ["lose", _, *_]:
            return Lose(player, _pieces(text.partition(" ")[2]))
        case ["take", "from", seat]:
            return TakeFrom(player, read_seat(seat, names))
        case ["exchange", "with", seat]:
            return SwapWith(player, read_seat(seat, names))
        case ["go", "to", place]:
            return Go(player, _name(place, "place"))
        case ["reveal" | "correct", _, *_]:
            return _reveal(said, names)
    raise ValueError(f"'{text}' is no move of Papyrus: write {forms_like(text, FORMS)}")


def _shown(pieces: tuple[str, ...]) -> str:
    """The pieces in at most 16 letters: in words, or how many."""
    told = listed(pieces)
    return told if len(told) <= 16 else f"{len(pieces)} {'cards' if pieces[0] in FACES else 'hieroglyphs'}"


def _with(name: str, more: str) -> str:
    """A name and what tells it from the like, in at most 16 letters: the name gives way."""
    told, room = short(name), 15 - len(more)
    if not more:
        return told
    return f"{told if len(told) <= room else f'{told[: room - 1]}.'} {more}"


def _paid(cards: tuple[str, ...]) -> str:
    """With which cards, if Eyes of Horus are among them: ``N2DE``. Without one there is only one way to pay a path."""
    counts = [(cards.count(face), face[0].upper()) for face in FACES]
    return "".join(f"{n if n > 1 else ''}{letter}" for n, letter in counts if n) if EYE in cards else ""


def _drawn(card: bool, tiles: int | None) -> str:
    """What is drawn after a win, if it is not all that may be: ``-god``, ``+3`` hieroglyphs."""
    return ("" if card else "-god") + ("" if tiles is None else f"+{tiles}")


def phrase(move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
    """The move for the display: (verb, object of at most 16 letters)."""
    match move:
        case Draw():
            said = "draws", "cards"
        case Travel(place=place, cards=cards):
            said = "moves to", _with(place, _paid(cards))
        case Win(god=god, card=card, tiles=tiles):
            said = "wins", _with(god, _drawn(card, tiles))
        case Form(god=god, card=card):
            said = "forms", _with(god, _drawn(card, None))
        case Decline():
            said = "wins", "nothing"
        case Swap(pay=pay, take=None):
            said = "swaps", f"{pay} from bag"
        case Swap(pay=pay, take=take):
            said = "swaps", f"{pay} for {take}"
        case Pass():
            said = "passes", ""
        case Gain(pieces=tiles):
            said = "gains", _shown(tiles)
        case Lose(pieces=pieces):
            said = "loses", _shown(pieces)
        case TakeFrom(other=other):
            said = "takes from", write_seat(other, names)
        case SwapWith(other=other):
            said = "trades with", write_seat(other, names)
        case Go(place=place):
            said = "goes to", short(place)
        case Buy():
            said = "buys", "1 hieroglyph"
        case Stop():
            said = "gives up", ""
        case _:
            raise TypeError(f"{move!r} is no move of Papyrus")
    return said if len(said[1]) <= 16 else (said[0], f"{said[1][:15]}.")
