"""The rules of Archaeology: The New Expedition. Numbers in brackets are those of rules.toml.

Every function is pure. A state holds what everyone at the table can see; a move is refused only when no cards that nobody
saw, and no number that nobody has verified, could make it legal.
"""

from __future__ import annotations

from engines.archaeology import listing, numbers
from engines.archaeology.causes import cause, doubtful, largest
from engines.archaeology.counts import likely_bust, must_sell, over
from engines.archaeology.effects import moved, revealed
from engines.archaeology.listing import awaited, forms
from engines.archaeology.notation import format, parse, phrase, title
from engines.archaeology.numbers import MAP, MONUMENTS, SEATS, compiled
from engines.archaeology.scoring import outcome, score
from engines.archaeology.state import CHAMBERS, DIG, HANDS, MARKET, PILE, ArchaeologyState, Stage
from engines.archaeology.turns import acting, may_skip_dig
from engines.catalogue import Catalogue, Lack, MissingNumbers, shipped
from engines.game import Hint, IllegalMove, Move, Option, Options, Refusal, Reveal, Step
from engines.hidden import Hidden
from engines.rulebook import rulebook

__all__ = [
    "DEFAULTS",
    "OPTIONS",
    "apply",
    "awaited",
    "complete",
    "doubt",
    "due",
    "format",
    "forms",
    "hints",
    "lacks",
    "legal_moves",
    "outcome",
    "parse",
    "phrase",
    "refusal",
    "score",
    "start",
    "to_move",
]

OPTIONS = (
    Option("monument", MONUMENTS, "Which monument"),
    Option("thief_target", ("with-cards", "anyone"), "Thief: who can be robbed"),
    Option("trade_for_nothing", ("no", "yes"), "Give cards away in a trade"),
    Option("maps_sold", ("singly", "together"), "How maps are sold"),
    Option("game_end", ("hands", "dig"), "Ends with hands or dig site"),
    Option("full_passes", ("sell", "free"), "When everybody has passed"),
    Option("tie", ("fewer-cards", "shared"), "Who wins a tie"),
)
DEFAULTS: Options = {option.name: option.values[0] for option in OPTIONS}

DUE: dict[Stage, str] = {
    "market": "show market",
    "chambers": "show chambers",
    "dig": "dig",
    "drawn": "what was dug",
    "refill": "fill chambers",
    "steal": "steal a card",
    "tents": "use a tent?",
    "act": "act or end",
    "mine drawn": "show the card",
    "mine": "draw or stop",
    "sphinx drawn": "show the cards",
}


def _options(options: Options) -> dict[str, str]:
    for option in OPTIONS:
        if options.get(option.name, option.values[0]) not in option.values:
            raise ValueError(f"{option.name} is one of {', '.join(option.values)}")
    return {**DEFAULTS, **options}


def lacks(players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
    """The numbers that are missing or do not fit for such a game; empty when it can be played."""
    return numbers.lacks(players, _options(options)["monument"], catalogue)


def start(players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> ArchaeologyState:
    """The set-up before anything has been shown (S1-S13). Raises ValueError, MissingNumbers."""
    if players not in SEATS or not 0 <= first < players:
        raise ValueError("Archaeology is for two to five players, and one of them begins")
    chosen = _options(options)
    catalogue = shipped("archaeology") if catalogue is None else catalogue
    missing = lacks(players, chosen, catalogue)
    if missing:
        raise MissingNumbers(missing)
    printed = compiled(catalogue, players)
    monument = chosen["monument"]
    ruins = monument == "buried-ruins"
    return ArchaeologyState(
        numbers=printed,
        options=tuple(sorted(chosen.items())),
        first=first,
        turn=first,
        stage="market",
        hidden=_dealt(printed, monument),
        tents=(True,) * players,
        sold=((),) * players,
        piled=(0,) * players,
        chambers=((),) * len(printed.chambers[monument]) if ruins else (),
    )


def _dealt(printed: numbers.Numbers, monument: str) -> Hidden:
    """Where the cards lie before any has been seen. Maps go into the dig site only (S6, S13, A49)."""
    treasures = {face: count for face, count in printed.copies.items() if face != MAP}
    counts = printed.chambers[monument]
    places = {HANDS[seat]: printed.hand for seat in range(printed.players)} | {MARKET: printed.market}
    if monument == "buried-ruins":
        places[PILE] = sum(counts) + printed.pile
    else:
        places |= {CHAMBERS[number]: count for number, count in enumerate(counts, start=1)}
    left = printed.treasures - sum(places.values())
    if not printed.counted:
        return Hidden.of(
            {"treasure": None}, {place: {("treasure",): n} for place, n in {**places, DIG: left}.items()}
        )
    return Hidden.of(
        {"treasure": treasures, "map": {MAP: printed.copies[MAP]}},
        {
            **{place: {("treasure",): count} for place, count in places.items()},
            DIG: {("treasure", "map"): left},
        },
    )


def to_move(state: ArchaeologyState) -> int:
    return acting(state)


def due(state: ArchaeologyState) -> str:
    """What the player to move may do now, in at most 14 letters."""
    if over(state):
        return "game over"
    if state.stage == "lose":
        count = state.held(acting(state)) // 2
        return f"lose {count} card{'s' if count > 1 else ''}"
    if state.stage == "mine" and likely_bust(state):
        return "put all back"
    if state.stage == "act" and must_sell(state):
        return "sell something"
    return "dig or go on" if may_skip_dig(state) else DUE[state.stage]


def refusal(state: ArchaeologyState, move: Move) -> Refusal | None:
    """Why the move is illegal, or None when it is legal or nobody can know better."""
    found = cause(state, move)
    return None if found is None else rulebook("archaeology").refuse(*found)


def doubt(state: ArchaeologyState, move: Move) -> Refusal | None:
    """Why a legal move should be asked about: it goes beyond a number nobody has verified, or is hardly meant."""
    found = None if cause(state, move) else doubtful(state, move)
    return None if found is None else rulebook("archaeology").refuse(*found)


def apply(state: ArchaeologyState, step: Step) -> ArchaeologyState:
    """The state after a move or a reveal.

    Raises IllegalMove with the refusal, or WrongReveal for a fact that cannot be true. The state given is never changed.
    """
    if isinstance(step, Reveal):
        return revealed(state, step)
    found = cause(state, step)
    if found is not None:
        raise IllegalMove(rulebook("archaeology").refuse(*found))
    return moved(state, step)


def legal_moves(state: ArchaeologyState) -> tuple[Move, ...]:
    """The legal moves that public knowledge can name, in a stable order; canonical trades and losses where there are too many."""
    return listing.listed(state)[0]


def complete(state: ArchaeologyState) -> bool:
    """Whether ``legal_moves`` lists every legal move (with cards in another order it is the same move)."""
    return listing.listed(state)[1]


def hints(state: ArchaeologyState) -> tuple[Hint, ...]:
    """Full sets that the player to move is known to hold, and a map that pays for an exploration."""
    if over(state) or state.stage != "act":
        return ()
    known = state.hidden.known(HANDS[state.turn])
    found = []
    for face, count in known.items():
        most, _ = largest(state, face)
        if face != MAP and count >= most > 1:
            found.append(Hint(f"Full set: {title(face, most)}", (face,) * most))
    if known.get(MAP) and not state.explored:
        found.append(Hint("A map: explore", (MAP,)))
    return tuple(found)
