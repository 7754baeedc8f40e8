"""What an event card does, as data: a small vocabulary that an owner writes the printed cards in.

An effect is one line; a card has one or more, done in their order by the player who drew it::

    effects = ["draw 2 cards", "lose 1 hieroglyph"]

``VOCABULARY`` lists every form with what it means. What no form says is written ``as agreed at the table``: then the players do
what the card says and tell it by corrections.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

Verb = str
"""draw, gain, take, lose, swap, move, skip, points or agreed."""

DRAWN = ("card", "hieroglyph", "god")
GAINED = ("hieroglyph", "scarab")
TAKEN = ("card", "hieroglyph")
LOST = ("card", "hieroglyph", "scarab")
MOST = 30
"""The highest number an effect may name: more is a slip of the pen."""


class Effect(NamedTuple):
    """One thing an event card does to the player who drew it."""

    verb: Verb
    n: int = 0
    """How many; for ``points`` how many points, below 0 when they are lost."""
    what: str = ""
    """card (a movement card), hieroglyph, god or scarab."""
    where: str = ""
    """Of ``move``: the place; empty when the player chooses one."""


VOCABULARY: Mapping[str, str] = {
    "draw N cards": "take the top N movement cards; also hieroglyphs (from the bag) or gods",
    "gain N hieroglyphs": "choose N of the uncovered hieroglyphs; or scarabs, from the box",
    "take N cards from a player": "draw N movement cards unseen from a player's hand; or hieroglyphs",
    "lose N cards": "discard N movement cards of the own choice; or hieroglyphs, or scarabs",
    "swap N cards with a player": (
        "each gives the other N movement cards of the own choice, unseen; or hieroglyphs"
    ),
    "move to PLACE": "set the own pawn on a pyramid or an event square of the map",
    "move anywhere": "set the own pawn on any pyramid or event square",
    "skip 1 turn": "miss the next turn, or the next N turns",
    "points +N": "score N points at once, or points -N",
    "as agreed at the table": "do what the card says and tell Thoth by corrections",
}
"""Every form of an effect, and what it does."""

# Patterns are kept as texts: most who import this never read an event.
_DRAWN = r"(draw|gain|lose) (\d{1,2}) (card|hieroglyph|god|scarab)s?"
_TAKEN = r"(take|swap) (\d{1,2}) (card|hieroglyph)s? (from|with) a player"
_MOVE = r"move (?:(anywhere)|to (\S.*))"
_SKIP = r"skip (\d{1,2}) turns?"
_POINTS = r"points ([+-])(\d{1,2})"
_MAY = {"draw": DRAWN, "gain": GAINED, "lose": LOST}


def slug(name: str) -> str:
    """A name as one word of the notation: "Amon Ra" is amon-ra. Raises ValueError for a name without letters or with signs."""
    word = "-".join(name.lower().replace("'", "").split())
    if not re.fullmatch(r"[^\W_]+(?:-[^\W_]+)*", word) or len(word) > 40:
        raise ValueError(
            f"'{name}' is no name: write letters and digits, words with a space or hyphen between"
        )
    return word


def read_effect(text: str) -> Effect:
    """The effect that a line of an event card says. Raises ValueError that says what to write."""
    line = " ".join(text.split()).lower()
    if line == "as agreed at the table":
        return Effect("agreed")
    effect = None
    if found := re.fullmatch(_DRAWN, line):
        verb, n, what = found[1], int(found[2]), found[3]
        if what not in _MAY[verb]:
            raise ValueError(f"'{text}': {verb} is for {' or '.join(thing + 's' for thing in _MAY[verb])}")
        effect = Effect(verb, n, what)
    elif found := re.fullmatch(_TAKEN, line):
        if (found[1] == "take") == (found[4] == "from"):
            effect = Effect(found[1], int(found[2]), found[3])
    elif found := re.fullmatch(_MOVE, line):
        return Effect("move", where="" if found[1] else slug(found[2]))
    elif found := re.fullmatch(_SKIP, line):
        effect = Effect("skip", int(found[1]))
    elif found := re.fullmatch(_POINTS, line):
        effect = Effect("points", int(found[2]) * (-1 if found[1] == "-" else 1))
    if effect is None:
        raise ValueError(f"'{text}' is no effect: write one of {', '.join(VOCABULARY)}")
    if not 1 <= abs(effect.n) <= MOST:
        raise ValueError(f"'{text}': the number must be from 1 to {MOST}")
    return effect


def write_effect(effect: Effect) -> str:
    """The inverse of ``read_effect``, also what a screen says."""
    things = effect.what if effect.n == 1 else f"{effect.what}s"
    match effect.verb:
        case "agreed":
            return "as agreed at the table"
        case "move":
            return f"move to {effect.where}" if effect.where else "move anywhere"
        case "skip":
            return f"skip {effect.n} turn{'s' if effect.n > 1 else ''}"
        case "points":
            return f"points {effect.n:+d}"
        case "take":
            return f"take {effect.n} {things} from a player"
        case "swap":
            return f"swap {effect.n} {things} with a player"
    return f"{effect.verb} {effect.n} {things}"
