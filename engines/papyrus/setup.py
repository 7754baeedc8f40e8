"""How Papyrus begins (S1-S8, N1, N2)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.catalogue import Catalogue, Lack, MissingNumbers, shipped
from engines.game import Options
from engines.hidden import Hidden
from engines.papyrus import numbers as printed
from engines.papyrus.numbers import Numbers
from engines.papyrus.options import dealt_gods, god_cards, settled
from engines.papyrus.state import BOX, HANDS, PILE, PapyrusState, Seat

DECK = ("deck",)


def lacks(players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
    """The numbers that are missing or do not fit for such a game; empty when it can be played."""
    found = printed.lacks(catalogue, 1 if _alone(players, options) else players)
    if found:
        return found
    numbers = printed.numbers(catalogue)
    each = dealt_gods(options, numbers.start["gods"])
    there, needed = god_cards(options, players, len(numbers.gods)), players * each
    if there < needed:
        text = f"{there} gods are too few: {players} players need {needed}"
        return (Lack("gods", text, "choose a larger god deck (option gods), or fewer players"),)
    there, needed = sum(numbers.letters.values()), players * _tiles(numbers, players, options)
    if there < needed:
        text = f"{there} hieroglyphs are too few: {players} players need {needed}"
        return (Lack("letters", text, "fewer players, or a smaller start.hieroglyphs"),)
    return ()


def _alone(players: int, options: Options) -> bool:
    return players == 1 or options.get("without_board") == "yes"


def _tiles(numbers: Numbers, players: int, options: Options) -> int:
    """Hieroglyphs that each begins with (S7, Y43)."""
    bought = _alone(players, options) and options.get("solo_hieroglyphs", "none") == "none"
    return 0 if bought else numbers.start["hieroglyphs"]


def _hidden(there: Mapping[str, int], exact: bool, hands: int, each: int, boxed: int = 0) -> Hidden:
    """A shuffled deck after dealing. ``exact``: the composition is verified, so that faces may be counted."""
    places: dict[str, dict[tuple[str, ...], int]] = {hand: {DECK: each} for hand in HANDS[:hands]}
    places[PILE] = {DECK: sum(there.values()) - hands * each - boxed}
    places[BOX] = {DECK: boxed}
    return Hidden.of({"deck": there if exact else None}, places)


def start(players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> PapyrusState:
    """The state when every player has been dealt cards, gods and hieroglyphs (S3-S8); in solo only gods (N2, Y43).

    Raises ValueError for settings that cannot be, MissingNumbers when these numbers do not suffice.
    """
    if not 1 <= players <= len(HANDS) or not 0 <= first < players:
        raise ValueError("Papyrus is for 1 to 5 players, and one of them begins")
    chosen = settled(options)
    catalogue = shipped("papyrus") if catalogue is None else catalogue
    missing = lacks(players, options, catalogue)
    if missing:
        raise MissingNumbers(missing)
    numbers: Numbers = printed.numbers(catalogue)
    cards = 0 if _alone(players, options) else numbers.start["cards"]
    boxed = len(numbers.gods) - god_cards(options, players, len(numbers.gods))
    gods = dict.fromkeys(numbers.gods, 1)
    return PapyrusState(
        numbers=numbers,
        options=chosen,
        seats=(Seat(numbers.board.start),) * players,
        cards=_hidden(numbers.cards, numbers.verified("cards"), players, cards),
        hieroglyphs=_hidden(
            numbers.letters, numbers.verified("letters"), players, _tiles(numbers, players, options)
        ),
        gods=_hidden(
            gods, numbers.verified("gods"), players, dealt_gods(options, numbers.start["gods"]), boxed
        ),
        first=first,
        to_move=first,
    )
