"""The rules of Pebbles. Every function is pure; numbers in brackets are those of rules.toml."""

from __future__ import annotations

from dataclasses import replace

from engines.catalogue import Catalogue, Lack, MissingNumbers, missing, shipped
from engines.game import (
    Hint,
    IllegalMove,
    Item,
    Move,
    Option,
    Options,
    Outcome,
    Refusal,
    Reveal,
    Score,
    Step,
    WrongReveal,
)
from engines.pebbles.moves import Colour, Draw, Take
from engines.pebbles.notation import format as format  # the rest of the house finds everything here
from engines.pebbles.notation import parse as parse
from engines.pebbles.notation import phrase as phrase
from engines.pebbles.state import COLOURS, PebblesState, Pouch
from engines.rulebook import rulebook

OPTIONS = (Option("most", ("3", "2"), "Pebbles in one take"),)
NUMBERS = ("heap.pebbles", "bag.white", "bag.black")
POINTS = {"heap": 1, "white": 3, "black": -1}


def lacks(players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
    """The numbers that nobody has given."""
    return missing(catalogue, NUMBERS)


def start(players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> PebblesState:
    """The full heap (P1). Raises ValueError for settings the game does not have, MissingNumbers."""
    numbers = shipped("pebbles") if catalogue is None else catalogue
    if players not in (2, 3, 4) or not 0 <= first < players:
        raise ValueError("Pebbles is for 2 to 4 players, and one of them begins")
    if lack := lacks(players, options, numbers):
        raise MissingNumbers(lack)
    return PebblesState(
        numbers["heap.pebbles"], (Pouch(),) * players, first, False, int(options.get("most", "3")), numbers
    )


def _bag(state: PebblesState) -> tuple[int, int, bool]:
    """How many were drawn, how many there are by the catalogue, and whether that is verified."""
    numbers = state.catalogue
    drawn = sum(map(state.seen, COLOURS)) + state.drawn
    return (
        drawn,
        numbers["bag.white"] + numbers["bag.black"],
        numbers.verified("bag.white") and numbers.verified("bag.black"),
    )


def refusal(state: PebblesState, move: Move) -> Refusal | None:
    """Why the move is illegal, or None when it is legal or nobody can know better."""
    refuse = rulebook("pebbles").refuse
    if outcome(state) is not None:
        return refuse("E1", "over", {})
    if state.drawn:
        return refuse("G3", "due", {})
    if move.player != state.to_move:
        return refuse("G1", "turn", {})
    if isinstance(move, Draw):
        drawn, there, verified = _bag(state)
        # Refuse by counting only on numbers that are verified; else see ``doubt``.
        return refuse("H1", "empty", {"all": str(there)}) if verified and drawn >= there else None
    assert isinstance(move, Take)
    if not 1 <= move.number <= state.most:
        return refuse("G2", "number", {"most": str(state.most), "number": str(move.number)})
    return refuse("G2", "few", {"left": str(state.heap)}) if move.number > state.heap else None


def doubt(state: PebblesState, move: Move) -> Refusal | None:
    """A draw that goes beyond a number nobody has verified (H1)."""
    drawn, there, _ = _bag(state)
    if not isinstance(move, Draw) or drawn < there:
        return None
    return rulebook("pebbles").refuse("H1", "more", {"all": str(there)})


def apply(state: PebblesState, step: Step) -> PebblesState:
    """The state after a step. Raises IllegalMove, or WrongReveal for a fact that cannot be."""
    following = (state.to_move + 1) % len(state.pouches)
    if isinstance(step, Colour):
        if not state.drawn or step.correction:
            raise WrongReveal("no pebble was drawn whose colour is not known")
        if step not in awaited(state):
            raise WrongReveal(f"all {step.colour} pebbles have been drawn")
        return replace(_given(state, step.colour, 1), drawn=False, to_move=following)
    assert isinstance(step, Move)
    no = refusal(state, step)
    if no is not None:
        raise IllegalMove(no)
    if isinstance(step, Draw):
        return replace(state, drawn=True)
    assert isinstance(step, Take)
    return replace(_given(state, "heap", step.number), heap=state.heap - step.number, to_move=following)


def _given(state: PebblesState, kind: str, number: int) -> PebblesState:
    """The player to move has so many more of a kind."""
    pouch = state.pouches[state.to_move]
    more = replace(pouch, **{kind: getattr(pouch, kind) + number})
    return replace(
        state, pouches=(*state.pouches[: state.to_move], more, *state.pouches[state.to_move + 1 :])
    )


def legal_moves(state: PebblesState) -> tuple[Move, ...]:
    """Every legal move."""
    every = (*(Take(state.to_move, number) for number in range(1, state.most + 1)), Draw(state.to_move))
    return tuple(move for move in every if refusal(state, move) is None)


def complete(state: PebblesState) -> bool:
    return True


def awaited(state: PebblesState) -> tuple[Reveal, ...]:
    """After a draw: the colours it may have (G3)."""
    numbers = state.catalogue
    return tuple(
        Colour(colour)
        for colour in COLOURS
        if state.drawn
        and not (numbers.verified(f"bag.{colour}") and state.seen(colour) >= numbers[f"bag.{colour}"])
    )


def score(state: PebblesState) -> Score:
    """What each player has, by kind (E2)."""
    return Score(
        tuple(
            tuple(
                Item(f"{number} {kind}", number * points)
                for kind, points in POINTS.items()
                if (number := getattr(pouch, kind))
            )
            for pouch in state.pouches
        )
    )


def outcome(state: PebblesState) -> Outcome | None:
    """None until the heap is empty (E1); equals share the win (H2)."""
    if state.heap or state.drawn:
        return None
    totals = score(state).totals
    best = max(totals)
    return Outcome(tuple(seat for seat, total in enumerate(totals) if total == best), f"{best} points")


def to_move(state: PebblesState) -> int:
    return state.to_move


def due(state: PebblesState) -> str:
    """In at most 14 letters."""
    return "show colour" if state.drawn else "take or draw" if state.heap else "game over"


def hints(state: PebblesState) -> tuple[Hint, ...]:
    """Whether the heap can be finished now."""
    return (Hint(f"Take {state.heap}: the end"),) if 0 < state.heap <= state.most and not state.drawn else ()
