"""Points, written down scoring by scoring, and the winner (T1-T5, E1-E4, K15, K19-K21)."""

from __future__ import annotations

from functools import cache
from operator import add

from engines.ankh.cards import title
from engines.ankh.state import AnkhState
from engines.game import Item, Outcome, Score


def option(state: AnkhState, name: str) -> str:
    """The value an option stands at."""
    return _chosen(state.options)[name]


@cache
def _chosen(options: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return dict(options)


def score(state: AnkhState) -> Score:
    """One item for each scoring; they add up to the totals. Mummies that still lie in a row count nothing yet."""
    return Score(
        tuple(
            tuple(
                Item(f"Scoring {number} {title(papyrus)}", points[seat])
                for number, (papyrus, points) in enumerate(state.written, start=1)
            )
            for seat in range(len(state.hands))
        )
    )


def stuck(state: AnkhState) -> bool:
    """Whether nobody has a card left and none can be drawn (H2)."""
    return bool(state.papyri) and not (
        any(state.hands) or state.pile or state.unseen or state.discard or state.papyri[1:]
    )


def _tied_before(state: AnkhState) -> bool:
    """Whether players who were even at the target play on (K20): whoever is ahead then wins, also below it."""
    if option(state, "tie") == "shared":
        return False
    totals = (0,) * len(state.totals)
    target = int(option(state, "target"))
    for _, points in state.written:
        totals = tuple(map(add, totals, points))
        if max(totals) >= target:
            return True
    return False


def outcome(state: AnkhState) -> Outcome | None:
    """None until a player has reached the target (E1); then who has most, shared when even (K20)."""
    best = max(state.totals)
    reached = best >= int(option(state, "target")) or _tied_before(state)
    if not reached and (state.pile or not stuck(state)):
        return None
    winners = tuple(seat for seat, total in enumerate(state.totals) if total == best)
    if not reached:
        return Outcome(winners, f"No card left, {best} points")
    if len(winners) > 1:
        if option(state, "tie") == "play-on" and not stuck(state):
            return None
        return Outcome(winners, f"All at {best} points")
    second = max(total for seat, total in enumerate(state.totals) if seat not in winners)
    return Outcome(winners, f"{best} to {second} points")
