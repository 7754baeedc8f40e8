"""Why a move is illegal, or should be asked about. Numbers in brackets are those of rules.toml."""

from __future__ import annotations

from collections import Counter

from engines.archaeology.counts import (
    left_in,
    likely_bust,
    likely_left,
    maybe_left,
    must_sell,
    numbered,
    over,
    surely_bust,
    surely_safe,
    too_little,
    untouched,
    worth,
)
from engines.archaeology.moves import (
    Bust,
    Dig,
    Draw,
    End,
    Explore,
    Lose,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import MAP
from engines.archaeology.state import HANDS, ArchaeologyState, Stage
from engines.archaeology.turns import acting, judged_in, may_skip_dig, only_ends
from engines.game import Move

Cause = tuple[str, str, dict[str, str]]
"""Rule, wording and words of a refusal; the texts are made only when somebody wants to read them."""

AWAITING: dict[Stage, tuple[str, str]] = {
    "market": ("S7", "due"),
    "chambers": ("N24", "due"),
    "drawn": ("D4", "due"),
    "refill": ("N26", "due"),
    "mine drawn": ("N14", "due"),
    "sphinx drawn": ("N19", "due"),
}
"""What to say to any move while the table has to show something first."""

DUE: dict[Stage, tuple[str, str]] = {
    "dig": ("D1", "first"),
    "steal": ("D6", "first"),
    "tents": ("W1", "first"),
    "lose": ("W5", "first"),
    "mine": ("N15", "first"),
}
"""What to say to a move of another kind while one of this stage is due."""

FITS: dict[Stage, tuple[type[Move], ...]] = {
    "dig": (Dig,),
    "steal": (Steal,),
    "tents": (Tent,),
    "lose": (Lose,),
    "act": (Trade, Explore, Sell, Peek, End),
    "mine": (Draw, Stop, Bust),
}
ACTIONS = FITS["act"]
MISPLACED: dict[type[Move], tuple[str, str]] = {
    Steal: ("D6", "none"),
    Tent: ("W1", "none"),
    Lose: ("W5", "none"),
    Draw: ("N14", "none"),
    Stop: ("N14", "none"),
    Bust: ("N14", "none"),
}
"""What to say to a move for which there is no occasion."""


def title(face: str) -> str:
    return face.capitalize()


def _turn(state: ArchaeologyState, move: Move) -> Cause | None:
    """What the moment says, whatever the cards: over, something to be shown, another's turn, something else is due."""
    if over(state):
        return "A40", "over", {}
    stage = state.stage
    if stage in AWAITING:
        return *AWAITING[stage], {}
    if move.player != acting(state):
        if stage == "tents" and isinstance(move, Tent):
            return ("W2", "order", {}) if move.player in state.queue else ("W4", "spent", {})
        return ("W6", "order", {}) if stage == "lose" and isinstance(move, Lose) else ("F1", "turn", {})
    if isinstance(move, FITS[stage]):
        return None
    if isinstance(move, ACTIONS) and may_skip_dig(state):
        return ("D1", "first", {}) if only_ends(state) and not isinstance(move, End) else None
    if stage in DUE:
        return *DUE[stage], {}
    if isinstance(move, Dig):
        return ("D1", "again", {}) if state.dug and maybe_left(state) else ("A8", "empty", {})
    return *MISPLACED[type(move)], {}


def _holds(state: ArchaeologyState, treasures: tuple[str, ...]) -> bool:
    """Whether the hand of the player may hold these, for all that anybody knows."""
    place = HANDS[acting(state)]
    if len(treasures) > state.hidden.size(place) or not state.hidden.possible(place, treasures):
        return False
    return state.numbers.counted or all(face in state.numbers.copies for face in treasures)


def _steal(state: ArchaeologyState, move: Steal) -> Cause | None:
    if move.victim == move.player or not 0 <= move.victim < state.players:
        return "D6", "opponent", {}
    if not state.held(move.victim) and state.option("thief_target") == "with-cards":
        return "A9", "empty", {}
    return None


def _lose(state: ArchaeologyState, move: Lose) -> Cause | None:
    due = state.held(move.player) // 2
    if len(move.treasures) != due:
        return "W5", "half", {"count": str(due)}
    return None if _holds(state, move.treasures) else ("W7", "hand", {})


def _trade(state: ArchaeologyState, move: Trade) -> Cause | None:
    if not move.give:
        return "C3", "nothing", {}
    if not move.take and state.option("trade_for_nothing") == "no":
        return "A21", "take", {}
    wanted, lying = Counter(move.take), Counter(state.market)
    missing = wanted - lying
    if missing:
        face = next(iter(missing))
        words = {"treasure": title(face)}
        return ("A23", "back", words) if face in move.give else ("C3", "market", words)
    if not _holds(state, move.give):
        return "C3", "hand", {}
    if too_little(state.numbers, move.give, move.take):
        numbers = state.numbers
        return (
            "C3",
            "value",
            {"give": str(worth(numbers, move.give)), "take": str(worth(numbers, move.take))},
        )
    return None


def _explore(state: ArchaeologyState, move: Explore) -> Cause | None:
    if state.explored:
        return "E2", "again", {}
    monument = state.monument
    chamber = move.chamber
    if monument in ("mine", "sphinx"):
        if chamber:
            return "E3", "one", {}
        chamber = 1
    elif move.named or chamber not in numbered(state):
        return "E3", "chamber", {"count": str(len(numbered(state)))}
    if monument == "sphinx" and not (len(move.named) == 2 == len(set(move.named))):
        return "N19", "two", {}
    if monument == "mine" and move.named:
        return "N14", "named", {}
    if not left_in(state, chamber):
        return EMPTY[monument]
    maps = state.numbers.maps[monument][chamber - 1]
    if _holds(state, (MAP,) * maps):
        return None
    return ("A49", "maps", {}) if untouched(state) else ("E1", "maps", {"count": str(maps)})


EMPTY: dict[str, Cause] = {
    "great-pyramid": ("E6", "once", {}),
    "temple": ("E6", "once", {}),
    "tomb": ("A28", "empty", {}),
    "buried-ruins": ("A28", "empty", {}),
    "mine": ("A32", "empty", {}),
    "sphinx": ("A48", "empty", {}),
}


def largest(state: ArchaeologyState, face: str) -> tuple[int, bool]:
    """The largest set of a treasure that can be sold, and whether that is sure."""
    if face == MAP and len(state.numbers.prices[MAP]) == 1:
        return (1, True) if state.option("maps_sold") == "singly" else (state.numbers.copies[MAP], False)
    return state.numbers.largest[face]


def _sell(state: ArchaeologyState, move: Sell) -> Cause | None:
    if not move.treasures:
        return "L1", "none", {}
    face = move.treasures[0]
    if len(set(move.treasures)) > 1:
        return "L1", "mixed", {}
    if not _holds(state, move.treasures):
        return "L1", "hand", {"treasure": title(face)}
    most, sure = largest(state, face)
    if sure and len(move.treasures) > most:
        if face == MAP and most == 1:
            return "A38", "maps", {}
        return "L8", "most", {"treasure": title(face), "count": str(most)}
    return None


def _peek(state: ArchaeologyState, move: Peek) -> Cause | None:
    if state.monument != "temple":
        return "N6", "temple", {}
    if not state.may_peek:
        if not any(left_in(state, chamber) for chamber in numbered(state)):
            return "A30", "empty", {}
        return ("A51", "late", {}) if state.sold_now else ("N6", "sale", {})
    if move.chamber not in numbered(state):
        return "N6", "chamber", {"count": str(len(numbered(state)))}
    return None if left_in(state, move.chamber) else ("A30", "empty", {})


def _mine(state: ArchaeologyState, move: Move) -> Cause | None:
    if isinstance(move, Bust):
        return ("N16", "safe", {}) if surely_safe(state) else None
    if surely_bust(state):
        return "N16", "bust", {}
    return ("A32", "out", {}) if isinstance(move, Draw) and not left_in(state, 1) else None


def cause(state: ArchaeologyState, move: Move) -> Cause | None:
    """Why the move is illegal; None when it is legal, or when nobody can know better."""
    state = judged_in(state, move)
    found = _turn(state, move)
    if found is not None:
        return found
    match move:
        case Steal():
            return _steal(state, move)
        case Lose():
            return _lose(state, move)
        case Trade():
            return _trade(state, move)
        case Explore():
            return _explore(state, move)
        case Sell():
            return _sell(state, move)
        case Peek():
            return _peek(state, move)
        case Draw() | Stop() | Bust():
            return _mine(state, move)
        case End():
            return ("A41", "sell", {}) if must_sell(state) else None
    return None


def doubtful(state: ArchaeologyState, move: Move) -> Cause | None:
    """Why a legal move should be asked about: it goes beyond a number nobody has verified, or is hardly meant."""
    if isinstance(move, Dig):
        return None if likely_left(state) else ("A8", "further", {})
    if state.stage == "dig" and likely_left(state):
        return "A8", "early", {}
    match move:
        case Tent(used=True) if state.held(move.player) < 2:
            return "A16", "useless", {}
        case Trade() if worth(state.numbers, move.give) < worth(state.numbers, move.take):
            return (
                "C3",
                "short",
                {
                    "give": str(worth(state.numbers, move.give)),
                    "take": str(worth(state.numbers, move.take)),
                },
            )
        case Sell():
            face = move.treasures[0]
            most, _ = largest(state, face)
            if len(move.treasures) > most:
                return "L8", "beyond", {"treasure": title(face), "count": str(most)}
        case Draw() | Stop() if likely_bust(state):
            return "N16", "over", {}
        case Bust() if not likely_bust(state):
            return "N16", "under", {}
    return None
