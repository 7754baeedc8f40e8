"""The rules of Tanis: what is legal, what it does, and why not. Numbers in brackets are those of rules.toml.

Every function is pure. A state holds what everyone at the table can see; a move is refused only when nothing that
nobody saw could make it legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.game import Hint, IllegalMove, Move, Option, Options, Refusal, Reveal, Step
from engines.rulebook import rulebook
from engines.tanis.dig import (
    CELLS,
    DIRECTIONS,
    INDEX,
    LONGEST,
    indices,
    slid,
    slide_fault,
    slides,
)
from engines.tanis.effects import declare, ended, excavate, explore, on, onward, other_sign, take
from engines.tanis.knowledge import ORDER, deduced, gone, known, left, nameable, parts, spots, surely, title
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take
from engines.tanis.notation import format, parse, phrase
from engines.tanis.reveals import learn
from engines.tanis.scoring import outcome, score
from engines.tanis.state import LEVELS, SIGNS, Cards, DigTile, Stage, TanisState

if TYPE_CHECKING:
    from engines.catalogue import Catalogue, Lack

__all__ = [
    "DEFAULTS",
    "OPTIONS",
    "apply",
    "awaited",
    "complete",
    "doubt",
    "due",
    "format",
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
    Option("packing", ("brick", "random"), "How the layers are laid"),
    Option("floor_supports", ("no", "yes"), "Tiles slide on the floor"),
    Option("expert_keeps_second", ("no", "yes"), "Expert must leave a 2nd sign"),
    Option("expert_on_last_tile", ("no", "yes"), "Expert on the last tile"),
    Option("explorer_may_stay", ("no", "yes"), "Explorer without a slide"),
)
DEFAULTS: Options = {option.name: option.values[0] for option in OPTIONS}

Cause = tuple[str, str, dict[str, str]]
"""Rule, wording and words of a refusal; the texts are made only when somebody wants to read them."""

AFTER_TAKE: dict[Stage, Stage] = {"first of expert": "second of expert"}
DUE: dict[Stage, str] = {
    "start": "tile or card",
    "take after explorer": "take a tile",
    "take after excavator": "take a tile",
    "first of expert": "1st tile",
    "second of expert": "2nd tile",
}
TAKE_DUE = {
    "take after explorer": "C8",
    "take after excavator": "C11",
    "first of expert": "T29",
    "second of expert": "T29",
}

SLIDE_FAULTS = {
    "floor": ("T18", "floor"),
    "gap": ("T17", "gap"),
    "blocked": ("T19", "blocked"),
    "wall": ("T19", "wall"),
}


def start(players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> TanisState:
    """The set-up before anything of the dig has been seen (S1-S8). Raises ValueError for settings that cannot be.

    No rule rests on a number of the catalogue that anybody could have printed otherwise, so none is looked up.
    """
    if players != 2 or first not in (0, 1):
        raise ValueError("Tanis is for two players, and one of them begins")
    for option in OPTIONS:
        if options.get(option.name, option.values[0]) not in option.values:
            raise ValueError(f"{option.name} is one of {', '.join(option.values)}")
    return TanisState(
        heights=(LEVELS,) * len(CELLS),
        dig=(),
        collected=((), ()),
        removed=(),
        cards=(Cards(), Cards()),
        first=first,
        to_move=first,
        stage="start",
        options=tuple(sorted({**DEFAULTS, **options}.items())),
    )


def lacks(players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
    """Nothing: every number Tanis needs stands in its rulebook."""
    return ()


def to_move(state: TanisState) -> int:
    return state.to_move


def due(state: TanisState) -> str:
    """What the player to move may do now, in at most 14 characters."""
    if not left(state):
        return "game over"
    if state.stage == "second of expert":
        return f"2nd, no {state.last_sign}"
    return DUE[state.stage]


# What a move meets


def _cover(state: TanisState, place: DigTile) -> str | None:
    """The tile that is known to lie on the place, if any."""
    cells = place.cells
    for above in state.dig:
        if above.level == place.level + 1 and above.tile and (set(above.cells) & set(cells)):
            return above.tile
    return None


def _unseen(state: TanisState, tile: str) -> Cause:
    """Why a tile is not completely visible: what lies on it is named only when nobody can doubt it."""
    place = known(state, tile) or deduced(state, tile)
    if place is None:
        return "T9", "hidden", {"tile": title(tile)}
    above = _cover(state, place)
    if above is None:
        return "T9", "under", {"tile": title(tile)}
    return "T9", "covered", {"tile": title(tile), "by": title(above)}


def _where(state: TanisState, tile: str) -> str:
    return "it was removed from the game" if tile in state.removed else "it has been collected"


def _tile_cause(state: TanisState, tile: str) -> Cause | None:
    """Why this tile cannot be lifted or slid by anybody."""
    if tile not in ORDER:
        return "P2", "unknown", {"tile": tile}
    if gone(state, tile):
        return "G4", "gone", {"tile": title(tile), "where": _where(state, tile)}
    if state.unplaced or spots(state, tile):
        return None
    return _unseen(state, tile)


def _slide_cause(state: TanisState, move: Explorer) -> Cause | None:
    words = {"tile": title(move.tile)}
    if move.direction not in LONGEST or move.steps < 0:
        return "T15", "crooked", words
    if move.steps == 0:
        stays = on(state, "explorer_may_stay") and move.direction == "right"
        return None if stays else ("T14", "still", words)
    if move.steps > LONGEST[move.direction]:
        return "T19", "wall", words
    floor = on(state, "floor_supports")
    if state.unplaced:
        place = known(state, move.tile)
        inside = place is None or all(cell in INDEX for cell in slid(place, move.direction, move.steps).cells)
        return None if inside else ("T19", "wall", words)
    fault = None
    for place in spots(state, move.tile):
        fault = slide_fault(state.heights, indices(place), move.direction, move.steps, floor)
        if fault is None:
            return None
    assert fault is not None
    return *SLIDE_FAULTS[fault], words


def _leaves_second(state: TanisState, tile: str) -> bool:
    """Whether a tile of another sign may be in sight once this one is taken, as far as everyone knows."""
    return take(state, tile).stage == "second of expert"


def _keep_cause(state: TanisState, tile: str) -> Cause | None:
    """Option expert_keeps_second: a first tile that surely leaves no second is refused while another may leave one."""
    if _leaves_second(state, tile) or not any(
        _leaves_second(state, other) for other in nameable(state) if other != tile
    ):
        return None
    return "T28", "keep", {}


def _turn_cause(state: TanisState, move: Move) -> Cause | None:
    """What the turn says, whatever the tile: over, another's turn, a second card, a card that is spent."""
    stage = state.stage
    if not left(state):
        return "E1", "over", {}
    if move.player != state.to_move:
        if stage == "start":
            return "G2", "turn", {}
        if stage == "second of expert" and other_sign(state) is not True:
            return _turn_cause(ended(state), move)
        return TAKE_DUE[stage], "due", {}
    if isinstance(move, Take):
        return None
    if stage != "start":
        return "T8", "second", {}
    cards = state.cards[move.player]
    kind = (
        "excavator" if isinstance(move, Excavator) else "expert" if isinstance(move, Expert) else "explorer"
    )
    if not getattr(cards, kind):
        return "C1", "spent", {"card": kind.capitalize()}
    return None


def _cause(state: TanisState, move: Move) -> Cause | None:
    cause = _turn_cause(state, move)
    if cause is not None:
        return cause
    if move.player != state.to_move:
        state = ended(state)
    match move:
        case Expert():
            if left(state) < 2 and not on(state, "expert_on_last_tile"):
                return "T28", "last", {}
            return None
        case Take(tile=tile):
            cause = _tile_cause(state, tile)
            if cause is None and state.stage == "second of expert" and parts(tile)[0] == state.last_sign:
                return "T27", "same", {"sign": parts(tile)[0]}
            if cause is None and state.stage == "first of expert" and on(state, "expert_keeps_second"):
                return _keep_cause(state, tile)
            return cause
        case Excavator(tile=""):
            return "C9", "still", {}
        case Excavator(tile=tile):
            cause = _tile_cause(state, tile)
            return ("T24", "last", {}) if cause is None and left(state) < 2 else cause
        case Shift(tile=tile):
            return _tile_cause(state, tile) or ("T15", "crooked", {"tile": title(tile)})
        case Explorer(tile="") if move.steps == 0:
            return "T14", "still", {}
        case Explorer(tile=tile):
            return _tile_cause(state, tile) or _slide_cause(state, move)
    raise TypeError(f"{move!r} is no move of Tanis")


def refusal(state: TanisState, move: Move) -> Refusal | None:
    """Why the move is illegal, or None when it is legal or nobody can know better."""
    cause = _cause(state, move)
    return None if cause is None else rulebook("tanis").refuse(*cause)


def apply(state: TanisState, step: Step) -> TanisState:
    """The state after a move or a reveal.

    Raises IllegalMove with the refusal, or WrongReveal for a fact that cannot be true. The state given is never changed.
    """
    if isinstance(step, Reveal):
        return onward(learn(state, step))
    cause = _cause(state, step)
    if cause is not None:
        raise IllegalMove(rulebook("tanis").refuse(*cause))
    if step.player != state.to_move:
        state = ended(state)
    match step:
        case Take(tile=tile):
            return take(state, tile)
        case Explorer():
            return explore(state, step)
        case Excavator(tile=tile):
            return excavate(state, tile)
    return declare(state)


# What can be done


def _explorers(state: TanisState, tiles: tuple[str, ...]) -> list[Move]:
    player = state.to_move
    found: list[Move] = []
    floor = on(state, "floor_supports")
    for tile in tiles:
        if on(state, "explorer_may_stay"):
            found.append(Explorer(player, tile, "right", 0))
        if state.unplaced:
            found += [
                move
                for direction in DIRECTIONS
                for steps in range(1, LONGEST[direction] + 1)
                if _slide_cause(state, move := Explorer(player, tile, direction, steps)) is None
            ]
            continue
        ways = {way for place in spots(state, tile) for way in slides(state.heights, indices(place), floor)}
        found += [
            Explorer(player, tile, direction, steps)
            for direction in DIRECTIONS
            for steps in range(1, LONGEST[direction] + 1)
            if (direction, steps) in ways
        ]
    return found


def legal_moves(state: TanisState) -> tuple[Move, ...]:
    """All legal moves that public knowledge can name: takes, then Explorers, Excavators and the Expert.

    While nobody knows whether the Expert's second tile can be taken, the other player's moves follow: the turn may have
    passed on (T28).
    """
    remaining = left(state)
    if not remaining:
        return ()
    player = state.to_move
    tiles = nameable(state)
    moves: list[Move] = [Take(player, tile) for tile in tiles]
    if state.stage == "second of expert":
        moves = [Take(player, tile) for tile in tiles if parts(tile)[0] != state.last_sign]
        if other_sign(state) is not True:
            moves += legal_moves(ended(state))
        return tuple(moves)
    if state.stage == "first of expert" and on(state, "expert_keeps_second"):
        return tuple(Take(player, tile) for tile in tiles if _keep_cause(state, tile) is None)
    if state.stage != "start":
        return tuple(moves)
    cards = state.cards[player]
    if cards.explorer:
        moves += _explorers(state, tiles)
    if cards.excavator and remaining > 1:
        moves += [Excavator(player, tile) for tile in tiles]
    if cards.expert and (remaining > 1 or on(state, "expert_on_last_tile")):
        moves.append(Expert(player))
    return tuple(moves)


def complete(state: TanisState) -> bool:
    """Always: ``legal_moves`` names every legal move."""
    return True


def doubt(state: TanisState, move: Move) -> Refusal | None:
    """None: a legal move of Tanis goes beyond no number that might be another."""
    return None


def awaited(state: TanisState) -> tuple[Reveal, ...]:
    """Nothing: what a move uncovers may be told later, or never, and play goes on."""
    return ()


def hints(state: TanisState) -> tuple[Hint, ...]:
    """The tiles that can be taken now because everybody sees them whole, sign by sign ("Falcon 3 7-9"); T9, T27, T28.

    Tiles that have not been read are not among them, nor any while the heights are not known.
    """
    seen = {tile for place in surely(state) if (tile := place.tile)}
    free = [tile for tile in ORDER if tile in seen and _cause(state, Take(state.to_move, tile)) is None]
    found = []
    for sign in SIGNS:
        tiles = tuple(tile for tile in free if parts(tile)[0] == sign)
        if tiles:
            found.append(Hint(f"{sign.capitalize()} {_numbers([parts(tile)[1] for tile in tiles])}", tiles))
    return tuple(found)


def _numbers(numbers: list[int]) -> str:
    """Rising numbers in few letters: "1 2 4-7"."""
    told: list[str] = []
    for number in numbers:
        run = number - 2 in numbers and number - 1 in numbers
        if run and "-" in told[-1]:
            told[-1] = f"{told[-1].split('-')[0]}-{number}"
        elif run:
            told[-2:] = [f"{number - 2}-{number}"]
        else:
            told.append(str(number))
    return " ".join(told)
