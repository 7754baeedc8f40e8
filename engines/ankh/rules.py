"""The rules of Ankh: what is legal, what it does, and why not. Numbers in brackets are those of rules.toml.

Every function is pure. A state holds what everyone at the table can see; a move is refused only when no hand that fits all
that was seen could make it legal.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb

from engines.ankh import effects, knowledge
from engines.ankh.cards import COLOURS, is_papyrus, points, title, wishes
from engines.ankh.knowledge import hand
from engines.ankh.moves import FirstPapyrus, Play, Sacrifice
from engines.ankh.notation import format, parse, phrase
from engines.ankh.numbers import compiled, lacks
from engines.ankh.scoring import option, outcome, score
from engines.ankh.state import AnkhState
from engines.catalogue import Catalogue, MissingNumbers, shipped
from engines.game import Hint, IllegalMove, Move, Option, Options, Refusal, Reveal, Step
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

PLAYERS = (2, 3, 4, 5)
OPTIONS = (
    Option("target", ("50", "100", "150"), "Points that end the game"),
    Option("sacrifices", ("open", "hidden"), "How sacrificed cards lie"),
    Option("passing", ("no", "yes"), "Sacrifice of no card"),
    Option("tie", ("shared", "play-on"), "Even at the end"),
)
DEFAULTS: Options = {option.name: option.values[0] for option in OPTIONS}
MANY = 500
"""Up to so many legal moves are all listed."""

Cause = tuple[str, str, dict[str, str]]
"""Rule, wording and words of a refusal; the texts are made only when somebody wants to read them."""


def start(players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> AnkhState:
    """The state before the first papyrus has been seen: nothing is dealt yet (S1).

    Raises ValueError for settings that cannot be, MissingNumbers when the numbers of the cards do not fit.
    """
    if players not in PLAYERS or first not in range(players):
        raise ValueError("Ankh is for two to five players, and one of them begins")
    for known in OPTIONS:
        if options.get(known.name, known.values[0]) not in known.values:
            raise ValueError(f"{known.name} is one of {', '.join(known.values)}")
    catalogue = catalogue or shipped("ankh")
    found = lacks(players, options, catalogue)
    if found:
        raise MissingNumbers(found)
    numbers = compiled(catalogue)
    return AnkhState(
        numbers=numbers,
        hands=(0,) * players,
        rows=((),) * players,
        papyri=(),
        discard=(),
        unseen=0,
        pile=numbers.total,
        hidden=knowledge.unknown(numbers, players),
        written=(),
        totals=(0,) * players,
        first=first,
        to_move=first,
        options=tuple(sorted({**DEFAULTS, **options}.items())),
    )


def to_move(state: AnkhState) -> int:
    return state.to_move


def due(state: AnkhState) -> str:
    """What the player to move may do now, in at most 14 characters."""
    if not state.papyri:
        return "first papyrus"
    return "game over" if outcome(state) else "play a card"


def awaited(state: AnkhState) -> tuple[Reveal, ...]:
    """The first papyrus, until it has been seen."""
    if state.papyri:
        return ()
    return tuple(FirstPapyrus(card) for card in state.numbers.counts if is_papyrus(card))


# What a move meets


def _open(state: AnkhState, card: str) -> int:
    """How many of a card lie face up."""
    return sum(row.count(card) for row in state.rows) + state.discard.count(card) + state.papyri.count(card)


def _kind_open(state: AnkhState, papyri: bool) -> int:
    """How many papyri, or mummies, lie face up."""
    piles = (*state.rows, state.discard, state.papyri)
    return sum(is_papyrus(card) == papyri for pile in piles for card in pile)


def _card_cause(state: AnkhState, card: str) -> Cause | None:
    """Why there is no such card."""
    if state.numbers.exists(card):
        return None
    words = {"card": title(card)}
    if not is_papyrus(card):
        return "P1", "unknown", words
    *colours, number = card.split("-")
    if sorted(colours) != sorted(COLOURS):
        return "K25", "colours", words
    return ("P2", "unknown", words) if state.numbers.papyri else ("W3", "number", {"number": number})


def _hand_cause(state: AnkhState, player: int, cards: tuple[str, ...]) -> Cause | None:
    """Why the player cannot hold these cards, by all that lies open and has been shuffled."""
    numbers = state.numbers
    if knowledge.possible(numbers, state.hidden, hand(player), cards):
        return None
    for card in cards:
        if numbers.counted(card) and _open(state, card) + cards.count(card) > numbers.counts.get(card, 0):
            words = {"card": title(card), "count": str(numbers.counts.get(card, 0))}
            return "G2", "open", words
    for papyri, cited in ((False, "P1"), (True, "P2")):
        mine = sum(is_papyrus(card) == papyri for card in cards)
        count = sum(number for card, number in numbers.counts.items() if is_papyrus(card) == papyri)
        if numbers.stock is not None and mine and mine + _kind_open(state, papyri) > count:
            return cited, "all", {"count": str(count)}
    if len(cards) == 1:
        return "G2", "none", {"card": title(cards[0])}
    return "G2", "together", {"cards": ", ".join(map(title, cards))}


def _turn_cause(state: AnkhState, move: Move) -> Cause | None:
    """What the turn says, whatever the card."""
    if not state.papyri:
        return "S1", "first", {}
    if outcome(state):
        return "E1", "over", {}
    return None if move.player == state.to_move else ("G4", "turn", {})


def _cause(state: AnkhState, move: Move) -> Cause | None:
    if not isinstance(move, Play | Sacrifice):
        raise TypeError(f"{move!r} is no move of Ankh")
    cause = _turn_cause(state, move)
    if cause is not None:
        return cause
    cards = (move.card,) if isinstance(move, Play) else move.cards
    if isinstance(move, Sacrifice):
        held, size = state.hands[move.player], len(cards) + move.unseen
        if move.unseen < 0 or (size == 0 and option(state, "passing") == "no"):
            return "K7", "nothing", {}
        if move.unseen and option(state, "sacrifices") == "open":
            return "K9", "unseen", {}
        if size > held:
            return "D1", "many", {"held": str(held)}
    for card in cards:
        cause = _card_cause(state, card)
        if cause is not None:
            return cause
    return _hand_cause(state, move.player, cards)


def refusal(state: AnkhState, move: Move) -> Refusal | None:
    """Why the move is illegal, or None when it is legal or nobody can know better."""
    cause = _cause(state, move)
    return None if cause is None else rulebook("ankh").refuse(*cause)


def doubt(state: AnkhState, move: Move) -> Refusal | None:
    """For a legal move: a card that nobody has counted lies open more often than the catalogue has it (K2)."""
    if not isinstance(move, Play | Sacrifice):
        raise TypeError(f"{move!r} is no move of Ankh")
    cards = (move.card,) if isinstance(move, Play) else move.cards
    numbers = state.numbers
    for card in dict.fromkeys(cards):
        count = numbers.counts.get(card, 0)
        if not numbers.counted(card) and _open(state, card) + cards.count(card) > count:
            words = {"card": title(card), "count": str(count) if count else "none"}
            return rulebook("ankh").refuse("K2", "more", words)
    return None


# What a move does


def apply(state: AnkhState, step: Step) -> AnkhState:
    """The state after a move or a reveal.

    Raises IllegalMove for a move the rules refuse, WrongReveal for a fact that cannot be; the state is as it was.
    """
    if isinstance(step, Reveal):
        return effects.learned(state, step)
    cause = _cause(state, step)
    if cause is not None:
        raise IllegalMove(rulebook("ankh").refuse(*cause))
    if isinstance(step, Play):
        return effects.played(state, step)
    assert isinstance(step, Sacrifice)
    return effects.sacrificed(state, step)


# What can be done


def _holdable(state: AnkhState) -> list[str]:
    """The cards of the catalogue that the player to move may hold, mummies first."""
    place = hand(state.to_move)
    return [
        card
        for card in state.numbers.counts
        if knowledge.possible(state.numbers, state.hidden, place, (card,))
    ]


def _few(state: AnkhState, cards: list[str]) -> bool:
    """Whether all moves with these cards are few enough to be listed, and no card is beyond the catalogue."""
    held, plays = state.hands[state.to_move], len(cards)
    forms = plays + (option(state, "sacrifices") == "hidden")
    return state.numbers.exact and plays + comb(forms + held, held) <= MANY


def complete(state: AnkhState) -> bool:
    """Whether ``legal_moves`` lists all: else only sacrifices of one card are listed, and papyri of the catalogue."""
    if not state.papyri or outcome(state):
        return True
    return _few(state, _holdable(state))


def legal_moves(state: AnkhState) -> tuple[Move, ...]:
    """What the player to move may do, as far as everyone knows: mummies, papyri, then sacrifices."""
    if not state.papyri or outcome(state):
        return ()
    player, held = state.to_move, state.hands[state.to_move]
    cards = _holdable(state)
    moves: list[Move] = [Play(player, card) for card in cards]
    moves += [Sacrifice(player, (card,)) for card in cards]
    hidden = option(state, "sacrifices") == "hidden"
    if _few(state, cards):
        moves += [
            Sacrifice(player, chosen)
            for size in range(2, held + 1)
            for chosen in combinations_with_replacement(sorted(cards), size)
            if knowledge.possible(state.numbers, state.hidden, hand(player), chosen)
        ]
        if hidden:
            moves += _mixed(state, moves)
    if hidden:
        moves += [Sacrifice(player, (), number) for number in range(1, held + 1)]
    if option(state, "passing") == "yes":
        moves.append(Sacrifice(player))
    return tuple(moves)


def _mixed(state: AnkhState, moves: list[Move]) -> list[Move]:
    """Sacrifices that are partly open and partly face down."""
    held = state.hands[state.to_move]
    return [
        replace(move, unseen=number)
        for move in moves
        if isinstance(move, Sacrifice)
        for number in range(1, held - len(move.cards) + 1)
    ]


def hints(state: AnkhState) -> tuple[Hint, ...]:
    """What the row of the player to move is worth now, whether one mummy more brings the scoring, and that the pile is empty."""
    if not state.papyri or outcome(state):
        return ()
    row, top = state.rows[state.to_move], state.papyri[-1]
    worth = points(row, top, state.numbers.points)
    found = [Hint(f"Row worth {worth} now", row)] if row else []
    if len(row) + 1 == wishes(top)[1]:
        found.append(Hint("1 mummy more scores", (top,)))
    if state.forced or (not state.pile and effects.shuffleable(state)):
        found.append(Hint("Shuffle the discards"))
    return tuple(found)
