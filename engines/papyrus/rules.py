"""The rules of Papyrus: what is legal, what it does, and why not. Numbers in brackets are those of rules.toml.

Every function is pure. A state holds what everyone at the table can see; a move is refused only when no hand, holder or pile
that fits what was seen could make it legal. Counting rests on numbers that are verified; beyond others a move is
doubted, not refused.
"""

from __future__ import annotations

from dataclasses import replace

from engines.game import Hint, IllegalMove, Move, Refusal, Reveal, Step
from engines.papyrus import effects, solo, travel, winning
from engines.papyrus.effects import ARRIVE, EVENT, settle
from engines.papyrus.ending import ended, last_card
from engines.papyrus.moves import Decline, Draw, EventShown, Form, Pass, Swap, Travel, Win
from engines.papyrus.notation import format, parse, phrase, title
from engines.papyrus.options import DEFAULTS, OPTIONS
from engines.papyrus.piles import cards_left, draw_cards, draw_tiles, lay_open, take_open, tiles_left
from engines.papyrus.reveals import learn
from engines.papyrus.scoring import outcome, score
from engines.papyrus.setup import lacks, start
from engines.papyrus.state import HANDS, Cause, PapyrusState
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

MANY = 500
"""Legal moves are all listed up to this number."""
DRAWN = 2
ANSWERS = tuple(effects.MOVES.values())
DUE = {"turn": "draw/move/swap", "arrived": "win or decline", "event": "turn up event", "over": "game over"}


def to_move(state: PapyrusState) -> int:
    return state.to_move


def due(state: PapyrusState) -> str:
    """What the player to move may do now, in at most 14 characters; alone with the cards that were paid so far."""
    if state.stage == "turn" and state.alone:
        return f"buy/form  ({state.seats[state.to_move].paid})"[:14]
    return effects.due(state) if state.stage == "effect" else DUE[state.stage]


# What a move meets


def _swap_cause(state: PapyrusState, move: Swap) -> Cause | None:
    """Why this hieroglyph cannot be paid, or that one not be taken (H1, H2, Y34-Y36)."""
    hand, words = HANDS[move.player], {"letter": move.pay}
    if move.pay not in state.numbers.letters:
        return "P6", "unknown", words
    if not state.hieroglyphs.size(hand):
        return "H1", "none", words
    if not state.hieroglyphs.possible(hand, (move.pay,)):
        return "P6", "gone", words
    if move.take is None:
        return None if tiles_left(state) else ("Y36", "empty", {})
    if move.take not in state.row:
        return ("Y34", "back", words) if move.take == move.pay else ("H2", "row", {"letter": move.take})
    return None


def _free(state: PapyrusState) -> bool:
    """Whether everybody can see that the player has something to do: cards to draw, or a hieroglyph to swap (Y11)."""
    swaps = state.hieroglyphs.size(HANDS[state.to_move]) and (tiles_left(state) or state.row)
    return bool(cards_left(state) or swaps)


def _standing(state: PapyrusState) -> bool:
    """Whether a god may be won without moving (Y24)."""
    return "win_where_you_stand=yes" in state.options


def _turn_cause(state: PapyrusState, move: Move) -> Cause | None:
    """Why the move cannot be what the turn is used for."""
    match move:
        case Draw():
            return None if cards_left(state) else ("Y13", "empty", {})
        case Travel():
            return travel.cause(state, move)
        case Swap():
            return _swap_cause(state, move)
        case Pass():
            return ("Y11", "pass", {}) if "passing=no" in state.options and _free(state) else None
        case Win():
            return winning.cause(state, move) if _standing(state) else ("Y24", "arrive", {})
        case Decline():
            return "Y27", "nothing", {}
    return "V1", "none", {}


def _cause(state: PapyrusState, move: Move) -> Cause | None:
    if state.stage == "over":
        return ("N6" if state.alone else "E3"), "over", {}
    if move.player != state.to_move:
        return "T2", "turn", {}
    if state.alone:
        return solo.cause(state, move)
    if isinstance(move, solo.MOVES):
        return "N1", "alone", {}
    match state.stage:
        case "event":
            return "V1", "due", {}
        case "arrived":
            if isinstance(move, Win):
                return winning.cause(state, move)
            return None if isinstance(move, Decline) else ("G1", "first", {})
        case "effect":
            return effects.cause(state, move)
    return _turn_cause(state, move)


def refusal(state: PapyrusState, move: Move) -> Refusal | None:
    """Why the move is illegal, or None when it is legal or nobody can know better."""
    cause = _cause(state, move)
    return None if cause is None else rulebook("papyrus").refuse(*cause)


def _doubt(state: PapyrusState, move: Move) -> Cause | None:
    match move:
        case Pass():
            return ("Y11", "sure", {}) if _free(state) else None
        case Win() | Form():
            return winning.doubt(state, move)
        case Swap():
            letter = winning.over_counted(state, move.player, (move.pay,))
            return None if letter is None else ("P6", "beyond", {"letter": letter})
    return effects.doubt(state, move)


def doubt(state: PapyrusState, move: Move) -> Refusal | None:
    """Why a legal move should be asked about: a turn is given away (Y11), or it goes beyond numbers nobody has verified."""
    cause = None if _cause(state, move) else _doubt(state, move)
    return None if cause is None else rulebook("papyrus").refuse(*cause)


# What a move does


def _swapped(state: PapyrusState, move: Swap) -> PapyrusState:
    state = lay_open(state, move.player, (move.pay,))
    if move.take is None:
        return draw_tiles(state, move.player, 1)
    return take_open(state, move.player, (move.take,))


def _travelled(state: PapyrusState, move: Travel) -> PapyrusState:
    """The pawn has arrived: a god may be won there, and an event card is drawn where an event square was reached."""
    state, event = travel.travelled(state, move)
    return settle(replace(state, pending=(ARRIVE, EVENT) if event else (ARRIVE,)))


def _won(state: PapyrusState, move: Win) -> PapyrusState:
    """The god is won; when it was the last card the final round begins. What an event has left to do follows."""
    return settle(last_card(replace(winning.won(state, move), pending=state.pending[1:]), move.player))


def apply(state: PapyrusState, step: Step) -> PapyrusState:
    """The state after a move or a reveal.

    Raises IllegalMove with the refusal, or WrongReveal for a fact that cannot be true. The state given is never changed.
    """
    if isinstance(step, Reveal):
        return learn(state, step)
    cause = _cause(state, step)
    if cause is not None:
        raise IllegalMove(rulebook("papyrus").refuse(*cause))
    if state.alone:
        return solo.played(state, step)
    match step:
        case Draw():
            return ended(draw_cards(state, step.player, DRAWN))
        case Travel():
            return _travelled(state, step)
        case Swap():
            return ended(_swapped(state, step))
        case Win():
            return _won(state, step)
        case Decline():
            return settle(replace(state, pending=state.pending[1:]))
        case Pass():
            return ended(state)
    return effects.answered(state, step)


def awaited(state: PapyrusState) -> tuple[Reveal, ...]:
    """The event cards that may be turned up, while one is due; else nothing is awaited."""
    if state.stage != "event":
        return ()
    return tuple(EventShown(event) for event in state.numbers.events)


# What may be played


def _wins(state: PapyrusState) -> list[Move]:
    """Every way to win here: with all that may be drawn, without the god card, with fewer hieroglyphs (Y31)."""
    player = state.to_move
    moves: list[Move] = []
    for god in winning.winnable(state, player):
        most = min(len(god.letters), winning.drawable(state, god))
        moves += [
            Win(player, god.id, card, tiles) for tiles in (None, *range(most + 1)) for card in (True, False)
        ]
    return moves


def _swaps(state: PapyrusState) -> tuple[list[Swap], bool]:
    """Swaps: of every hieroglyph that may be in the holder for the bag or each open one; when these are too many, for each open
    one only the first that may pay it. Whether these are all."""
    player, hand = state.to_move, HANDS[state.to_move]
    own = [letter for letter in state.numbers.letters if state.hieroglyphs.possible(hand, (letter,))]
    row = sorted(set(state.row))
    bag = [Swap(player, letter) for letter in own] if tiles_left(state) else []
    if len(own) * (len(row) + 1) <= MANY // 2:
        return bag + [Swap(player, letter, take) for letter in own for take in row], True
    return bag + [Swap(player, own[0], take) for take in row], False


def _listed(state: PapyrusState) -> tuple[tuple[Move, ...], bool]:
    """The legal moves that can be named, and whether they are all."""
    if state.stage in ("over", "event"):
        return (), True
    if state.alone:
        return solo.legal_moves(state), True
    if state.stage == "arrived":
        return (*_wins(state), Decline(state.to_move)), True
    if state.stage == "effect":
        return effects.choices(state)
    moves: list[Move] = [Draw(state.to_move)] if cards_left(state) else []
    moves += travel.journeys(state)
    swaps, whole = _swaps(state)
    moves += swaps
    if _standing(state):
        moves += _wins(state)
    if "passing=yes" in state.options or not _free(state):
        moves.append(Pass(state.to_move))
    return tuple(moves[:MANY]), whole and len(moves) <= MANY


def legal_moves(state: PapyrusState) -> tuple[Move, ...]:
    """The legal moves that public knowledge can name, in a stable order: all where ``complete``, else canonical ones."""
    return _listed(state)[0]


def complete(state: PapyrusState) -> bool:
    """Whether ``legal_moves`` lists every legal move."""
    return _listed(state)[1]


def hints(state: PapyrusState) -> tuple[Hint, ...]:
    """Where the pawn can go and for what; which gods may be won here."""
    if state.stage == "arrived":
        return tuple(
            Hint(f"Win {title(god.id)}?"[:21], (god.id,)) for god in winning.winnable(state, state.to_move)
        )
    if state.stage != "turn" or state.alone:
        return ()
    found = []
    for target, way in travel.roads(state).ways[state.seats[state.to_move].place].items():
        short = " ".join(f"{n}{symbol[0].upper()}" for symbol, n in way.cost)
        room = 20 - len(short)
        found.append(Hint(f"{title(target)[:room]} {short}", (target,)))
    return tuple(found)
