"""What a legal move does, and what a reveal changes. Numbers in brackets are those of rules.toml."""

from __future__ import annotations

from dataclasses import replace
from operator import add

from engines.ankh import knowledge
from engines.ankh.cards import is_papyrus, points, title, wishes
from engines.ankh.knowledge import DISCARD, PILE, hand
from engines.ankh.moves import SACRIFICE, Cleared, FirstPapyrus, HandCount, Play, Sacrifice, Shuffled
from engines.ankh.scoring import outcome
from engines.ankh.state import AnkhState
from engines.game import Reveal, WrongReveal

UNSEEN = "unseen"
"""A discard that lies face down, among those that have yet to be put on the pile."""


def played(state: AnkhState, move: Play) -> AnkhState:
    """A card lies in the row or on the papyri; what it triggers, the refill, the next turn."""
    seat, card = move.player, move.card
    rows, papyri = state.rows, state.papyri
    if is_papyrus(card):
        papyri = (*papyri, card)
    else:
        rows = (*rows[:seat], (*rows[seat], card), *rows[seat + 1 :])
    state = replace(
        state,
        hands=_with(state.hands, seat, -1),
        rows=rows,
        papyri=papyri,
        hidden=knowledge.shown(state.numbers, state.hidden, hand(seat), (card,)),
        forced=False,
    )
    state = _scored(state)
    if outcome(state):
        return state  # The last scoring is followed by no refill (K27).
    return passed_on(drawn(state, seat), seat + 1)


def sacrificed(state: AnkhState, move: Sacrifice) -> AnkhState:
    """Cards are discarded, then as many drawn (D1, K8)."""
    seat = move.player
    known = knowledge.shown(state.numbers, state.hidden, hand(seat), move.cards)
    state = replace(
        state,
        hidden=knowledge.moved(known, hand(seat), DISCARD, move.unseen),
        hands=_with(state.hands, seat, -len(move.cards) - move.unseen),
        discard=tuple(sorted((*state.discard, *move.cards))),
        unseen=state.unseen + move.unseen,
        forced=False,
        lying=_with_sacrifice(state, (*move.cards, *(UNSEEN,) * move.unseen)),
    )
    return passed_on(drawn(state, seat), seat + 1)


def _lying(state: AnkhState) -> tuple[tuple[str, ...], ...]:
    """What lies where it has yet to be put on the discards: one place for each row, then the sacrifice."""
    return state.lying or ((),) * (len(state.rows) + 1)


def _with_sacrifice(state: AnkhState, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    *rows, sacrifice = _lying(state)
    return (*rows, (*sacrifice, *cards)) if cards else state.lying


def _with(hands: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] + more, *hands[seat + 1 :])


def _scored(state: AnkhState) -> AnkhState:
    """Everybody's points, if some row is long enough for the papyrus on top now (T1-T4, K10-K12, K15, K16)."""
    top = state.papyri[-1]
    if max(map(len, state.rows)) < wishes(top)[1]:
        return state
    earned = tuple(points(row, top, state.numbers.points) for row in state.rows)
    cleared = [card for row in state.rows for card in row]
    *left, sacrifice = _lying(state)
    return replace(
        state,
        lying=(*(old + row for old, row in zip(left, state.rows, strict=True)), sacrifice),
        rows=((),) * len(state.rows),
        papyri=(top,),
        discard=tuple(sorted((*state.discard, *state.papyri[:-1], *cleared))),
        written=(*state.written, (top, earned)),
        totals=tuple(map(add, state.totals, earned)),
    )


def drawn(state: AnkhState, seat: int) -> AnkhState:
    """The hand filled up from the pile, and from the shuffled discards when the pile is not enough (G3, K17, K18)."""
    while state.hands[seat] < state.numbers.hand:
        if not state.pile:
            if not shuffleable(state):
                break
            state = replace(_shuffled(state), forced=True)
        number = min(state.numbers.hand - state.hands[seat], state.pile)
        state = replace(
            state,
            hands=_with(state.hands, seat, number),
            pile=state.pile - number,
            hidden=knowledge.moved(state.hidden, PILE, hand(seat), number),
        )
    return state


def shuffleable(state: AnkhState) -> bool:
    """Whether there is anything to make a new pile of."""
    return bool(state.discard or state.unseen or state.papyri[1:])


def _shuffled(state: AnkhState) -> AnkhState:
    """Discards and covered papyri become the pile; the top papyrus, rows and hands stay (E3, K17)."""
    cards = tuple(sorted((*state.discard, *state.papyri[:-1])))
    name = f"shuffle-{state.shuffles + 1}"
    return replace(
        state,
        papyri=state.papyri[-1:],
        discard=(),
        unseen=0,
        lying=(),
        pile=state.pile + len(cards) + state.unseen,
        hidden=knowledge.shuffled(state.numbers, state.hidden, name, cards, state.unseen),
        shuffles=state.shuffles + 1,
    )


def passed_on(state: AnkhState, seat: int) -> AnkhState:
    """It is the turn of this seat, or of the next that has a card or can draw one (G4, H1)."""
    players = len(state.hands)
    for step in range(players):
        candidate = (seat + step) % players
        if not state.hands[candidate]:
            state = drawn(state, candidate)
        if state.hands[candidate]:
            return replace(state, to_move=candidate)
    return replace(state, to_move=seat % players)


# Reveals


def learned(state: AnkhState, fact: Reveal) -> AnkhState:
    """The state that knows the fact. Raises WrongReveal."""
    match fact:
        case FirstPapyrus(card=card):
            return _laid(state, card, fact.correction)
        case Shuffled():
            return _reshuffled(state)
        case Cleared(place=place):
            return _cleared(state, place)
        case HandCount(seat=seat, cards=cards):
            return _recounted(state, seat, cards, fact.correction)
    raise TypeError(f"{fact!r} is no reveal of Ankh")


def _laid(state: AnkhState, card: str, correction: bool) -> AnkhState:
    numbers, players = state.numbers, len(state.hands)
    if correction:
        if not _untouched(state):
            raise WrongReveal("The first papyrus is corrected before the first move: take the moves back.")
        state = replace(
            state,
            papyri=(),
            hands=(0,) * players,
            pile=numbers.total,
            hidden=knowledge.unknown(numbers, players),
        )
    if state.papyri:
        raise WrongReveal("The first papyrus lies there already: write correct papyrus ... if it is another.")
    if not is_papyrus(card) or not numbers.exists(card):
        raise WrongReveal(f"{title(card)} is no papyrus of this deck: look at the card again.")
    known = knowledge.shown(numbers, state.hidden, PILE, (card,))
    for seat in range(players):
        known = knowledge.moved(known, PILE, hand(seat), numbers.hand)
    return replace(
        state,
        papyri=(card,),
        hands=(numbers.hand,) * players,
        pile=numbers.total - 1 - players * numbers.hand,
        hidden=known,
    )


def _untouched(state: AnkhState) -> bool:
    """Whether the first papyrus lies there and nothing has happened since."""
    return (
        len(state.papyri) == 1
        and not (any(state.rows) or state.discard or state.unseen or state.written or state.shuffles)
        and all(number == state.numbers.hand for number in state.hands)
    )


def _reshuffled(state: AnkhState) -> AnkhState:
    if state.forced:
        return replace(state, forced=False)  # It was needed for the last refill, and is known already.
    if state.pile:
        raise WrongReveal(
            f"The draw pile still has {state.pile} cards: if it is empty, correct a hand, like correct hand Ben 3."
        )
    if not shuffleable(state) or outcome(state):
        raise WrongReveal("Nothing lies on the discard pile: there is nothing to shuffle.")
    return _shuffled(state)


def _cleared(state: AnkhState, place: int) -> AnkhState:
    if place not in range(SACRIFICE, len(state.rows)):
        raise WrongReveal(f"There is no row {place + 1}: {len(state.rows)} play.")
    lying = list(_lying(state))
    if not lying[place]:
        raise WrongReveal("Nothing lies there that has to be put on the discards.")
    lying[place] = ()
    return replace(state, lying=tuple(lying) if any(lying) else ())


def _recounted(state: AnkhState, seat: int, cards: int, correction: bool) -> AnkhState:
    if not correction:
        raise WrongReveal("Hands are counted by the moves: to correct one, write correct hand Ben 3.")
    if not state.papyri:
        raise WrongReveal("No hand has been dealt yet: say first which papyrus lies in the middle.")
    if seat not in range(len(state.hands)):
        raise WrongReveal(f"There is no player {seat + 1}: {len(state.hands)} play.")
    most = state.hands[seat] + state.pile
    if not 0 <= cards <= most:
        raise WrongReveal(f"With the draw pile this hand can hold 0 to {most} cards, not {cards}.")
    if cards == state.hands[seat]:
        return state
    pile = most - cards
    state = replace(
        state,
        hands=(*state.hands[:seat], cards, *state.hands[seat + 1 :]),
        pile=pile,
        hidden=knowledge.counted(state.hidden, seat, cards, pile),
    )
    return state if state.hands[state.to_move] else passed_on(state, state.to_move)
