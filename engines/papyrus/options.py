"""The choices of Papyrus: the first value of each is the recommended one."""

from __future__ import annotations

from engines.game import Option, Options

OPTIONS = (
    Option(
        "gods", ("usual", "2-each", "1-each", "3-each", "8", "12", "18", "24", "all"), "Size of the god deck"
    ),
    Option("eye_of_horus", ("wild", "blank"), "Eye of Horus pays a square"),
    Option("passing", ("yes", "no"), "A turn may be passed"),
    Option("stop_on_event_square", ("yes", "no"), "Paths stop on event squares"),
    Option("event_move_reaches", ("yes", "no"), "Event moves reach a pyramid"),
    Option("win_where_you_stand", ("no", "yes"), "Win without moving"),
    Option("used_hieroglyphs", ("refill", "bag", "out"), "Used hieroglyphs"),
    Option("without_board", ("no", "yes"), "2-5: names only, no board"),
    Option("solo_hieroglyphs", ("none", "holder"), "Solo: hieroglyphs at first"),
    Option("solo_cards", ("reshuffle", "once"), "Solo: movement deck runs out"),
)
DEFAULTS: Options = {option.name: option.values[0] for option in OPTIONS}
EACH = "-each"
"""Behind a number: so many god cards are dealt to each, and none is left to draw (Y48)."""
SHORT = 12
"""God cards of the usual solo game (Y48)."""


def settled(options: Options) -> frozenset[str]:
    """Every option as "name=value", defaults filled in. Raises ValueError for a value that an option does not have."""
    for option in OPTIONS:
        if options.get(option.name, option.values[0]) not in option.values:
            raise ValueError(f"{option.name} is one of {', '.join(option.values)}")
    return frozenset(f"{name}={value}" for name, value in {**DEFAULTS, **options}.items())


def god_cards(options: Options, players: int, there: int) -> int:
    """How many of the god cards that are there play (Y48): short decks come first for one player, all cards for more."""
    chosen = options.get("gods", "usual")
    if chosen.endswith(EACH):
        return min(there, players * int(chosen.removesuffix(EACH)))
    if chosen == "all" or (chosen == "usual" and players > 1):
        return there
    return min(there, SHORT if chosen == "usual" else int(chosen))


def dealt_gods(options: Options, usual: int) -> int:
    """How many god cards each begins with (S6, Y48)."""
    chosen = options.get("gods", "usual")
    return int(chosen.removesuffix(EACH)) if chosen.endswith(EACH) else usual
