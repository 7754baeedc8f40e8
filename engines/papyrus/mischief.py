"""How people break the rules of Papyrus: what the hand does, what it means, and how it is put right.

Each maker gets the world as it is (the public state and the true hands) and gives None when there is no chance for its mistake.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engines.dealing import Act, Intent
from engines.game import Move
from engines.papyrus import rules
from engines.papyrus.board import Way
from engines.papyrus.effects import amount
from engines.papyrus.hands import backwards, go, lay, take, win
from engines.papyrus.moves import FACES, Form, Gain, Lose, Travel, Win, ordered
from engines.papyrus.state import HANDS, PapyrusState
from engines.papyrus.travel import payments, roads
from engines.papyrus.zones import PLAYED


class Truth(Protocol):
    """What a maker may know."""

    state: PapyrusState
    cards: dict[str, list[str]]
    tiles: dict[str, list[str]]
    gods: dict[str, list[str]]


Maker = Callable[[Truth, random.Random], Intent | None]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A way to break a rule, and the rule that the referee names for it."""

    kind: str
    make: Maker


def _ways(state: PapyrusState, seat: int) -> list[Way]:
    return list(roads(state).ways[state.seats[seat].place].values())


def _able(truth: Truth, seat: int) -> list[tuple[Way, tuple[str, ...]]]:
    """Paths that the hand can pay, each with a payment."""
    state, hand = truth.state, Counter(truth.cards[HANDS[seat]])
    wild = "eye_of_horus=wild" in state.options
    found = []
    for way in _ways(state, seat):
        paid = next((cards for cards in payments(way, wild) if not Counter(cards) - hand), None)
        if paid:
            found.append((way, paid))
    return found


def _journey(truth: Truth, seat: int, place: str, cards: Sequence[str]) -> Intent | None:
    """A pawn is moved and these cards are laid, wrongly; the rule is what the referee says."""
    move = Travel(seat, place, tuple(cards))
    refusal = rules.refusal(truth.state, move)
    if refusal is None:
        return None
    laid = tuple(lay(truth.state.numbers, PLAYED, move.cards))
    here = truth.state.seats[seat].place
    undo = (go(seat, here), *backwards(laid))
    return Intent(seat, (((*laid, go(seat, place)), (move,)),), refusal.rule, True, undo)


def pays_wrongly(truth: Truth, rng: random.Random) -> Intent | None:
    """One card of the payment has another colour than the square."""
    state, seat = truth.state, truth.state.to_move
    if state.stage != "turn":
        return None
    hand = Counter(truth.cards[HANDS[seat]])
    for way in rng.sample(_ways(state, seat), len(_ways(state, seat))):
        paid = [face for face, n in way.cost for _ in range(n)]
        if not paid:
            continue
        at = rng.randrange(len(paid))
        others = [face for face in FACES[:-1] if face != paid[at]]
        cards = [*paid[:at], rng.choice(others), *paid[at + 1 :]]
        if not Counter(cards) - hand:
            return _journey(truth, seat, way.target, cards)
    return None


def pays_too_few(truth: Truth, rng: random.Random) -> Intent | None:
    """One card less than the path has squares."""
    seat = truth.state.to_move
    able = [(way, cards) for way, cards in _able(truth, seat) if len(cards) > 1]
    if truth.state.stage != "turn" or not able:
        return None
    way, cards = rng.choice(able)
    at = rng.randrange(len(cards))
    return _journey(truth, seat, way.target, [*cards[:at], *cards[at + 1 :]])


def pays_too_many(truth: Truth, rng: random.Random) -> Intent | None:
    """One card more than the path has squares."""
    seat = truth.state.to_move
    hand = Counter(truth.cards[HANDS[seat]])
    able = [(way, cards, [*(hand - Counter(cards)).elements()]) for way, cards in _able(truth, seat)]
    able = [one for one in able if one[2]]
    if truth.state.stage != "turn" or not able:
        return None
    way, cards, spare = rng.choice(able)
    return _journey(truth, seat, way.target, [*cards, rng.choice(spare)])


def goes_without_path(truth: Truth, rng: random.Random) -> Intent | None:
    """Two paths in one turn: no single one leads there."""
    state, seat = truth.state, truth.state.to_move
    if state.stage != "turn":
        return None
    hand = list(truth.cards[HANDS[seat]])
    near = roads(state).ways[state.seats[seat].place]
    far = sorted(
        {way.target for one in near for way in roads(state).ways[one].values()}
        - {*near, state.seats[seat].place}
    )
    if not far or not hand:
        return None
    return _journey(truth, seat, rng.choice(far), rng.sample(hand, min(len(hand), 3)))


def moves_out_of_turn(truth: Truth, rng: random.Random) -> Intent | None:
    """Somebody moves whose turn it is not. After an arrival the table cannot say that the next player was too quick."""
    state = truth.state
    if state.stage != "turn" or len(state.seats) < 2:
        return None
    seat = rng.choice([one for one in range(len(state.seats)) if one != state.to_move])
    able = _able(truth, seat)
    if not able:
        return None
    way, cards = rng.choice(able)
    return _journey(truth, seat, way.target, cards)


def goes_on(truth: Truth, last: int, rng: random.Random) -> Intent | None:
    """Somebody else moves before the event card of ``last`` has been turned up."""
    seats = [seat for seat in range(len(truth.state.seats)) if seat != last]
    seat = rng.choice(seats) if seats else last
    able = _able(truth, seat) if seats else []
    if not able:
        return None
    way, cards = rng.choice(able)
    laid = tuple(lay(truth.state.numbers, PLAYED, cards))
    undo = (go(seat, truth.state.seats[seat].place), *backwards(laid))
    deeds = (*laid, go(seat, way.target))
    return Intent(seat, ((deeds, (Travel(seat, way.target, cards),)),), "V1", True, undo)


def forgets_to_arrive(truth: Truth, rng: random.Random) -> Intent | None:
    """A god is won where the pawn stands already."""
    state, seat = truth.state, truth.state.to_move
    if state.stage != "turn" or "win_where_you_stand=yes" in state.options:
        return None
    return _god(truth, rng, seat, here=True)


def wins_elsewhere(truth: Truth, rng: random.Random) -> Intent | None:
    """A god is won at a pyramid that is another god's."""
    state, seat = truth.state, truth.state.to_move
    return _god(truth, rng, seat, here=False) if state.stage == "arrived" else None


def _god(truth: Truth, rng: random.Random, seat: int, here: bool) -> Intent | None:
    state, numbers = truth.state, truth.state.numbers
    tiles, place = Counter(truth.tiles[HANDS[seat]]), state.seats[seat].place
    gods = [numbers.gods[god] for god in truth.gods[HANDS[seat]]]
    able = [god.id for god in gods if (god.pyramid == place) == here and not Counter(god.letters) - tiles]
    if not able or place not in numbers.board.pyramids:
        return None
    god = rng.choice(able)
    return _wins(truth, Win(seat, god), place, None)


def _wins(
    truth: Truth, move: Win | Form, place: str | None, rule: str | None, letters: Sequence[str] | None = None
) -> Intent | None:
    refusal = rules.refusal(truth.state, move)
    named = rule or (refusal.rule if refusal else None)
    if named is None:
        return None
    deeds = tuple(win(truth.state.numbers, move.player, move.god, place, letters))
    return Intent(move.player, ((deeds, (move,)),), named, True, backwards(deeds))


def spells_wrongly(truth: Truth, rng: random.Random) -> Intent | None:
    """A name with a wrong hieroglyph in it."""
    state, seat = truth.state, truth.state.to_move
    place = state.seats[seat].place
    if state.stage != ("turn" if state.alone else "arrived"):
        return None
    tiles = Counter(truth.tiles[HANDS[seat]])
    for id in truth.gods[HANDS[seat]]:
        god = state.numbers.gods[id]
        lacking = [*(Counter(god.letters) - tiles).elements()]
        others = [*(tiles - Counter(god.letters)).elements()]
        if (god.pyramid != place and not state.alone) or len(lacking) > 1 or not others:
            continue
        if len(god.letters) > len(truth.tiles[HANDS[seat]]):
            continue  # Everybody can count that.
        swapped = lacking or [rng.choice(god.letters)]
        others = [letter for letter in others if letter not in swapped]
        if not others:
            continue
        letters = [*(Counter(god.letters) - Counter(swapped)).elements(), rng.choice(others)]
        if state.alone:
            return _wins(truth, Form(seat, id), None, "Y26", letters)
        return _wins(truth, Win(seat, id), place, "Y26", letters)
    return None


def takes_too_many(truth: Truth, rng: random.Random) -> Intent | None:
    """An event gives fewer hieroglyphs than are taken, or takes fewer pieces than are laid down."""
    state, seat = truth.state, truth.state.to_move
    if state.stage != "effect":
        return None
    effect = state.pending[0]
    number = amount(state, effect) + 1
    if effect.verb == "gain" and len(state.row) >= number:
        letters = ordered(rng.sample(state.row, number))
        deeds = tuple(take(state.numbers, letters))
        move: Move = Gain(seat, letters)
    elif effect.verb == "lose" and effect.what == "card" and len(truth.cards[HANDS[seat]]) >= number:
        cards = ordered(rng.sample(truth.cards[HANDS[seat]], number))
        deeds = tuple(lay(state.numbers, PLAYED, cards))
        move = Lose(seat, cards)
    else:
        return None
    undo: tuple[Act, ...] = backwards(deeds)
    return Intent(seat, ((deeds, (move,)),), "V1", True, undo)


MISTAKES = (
    Mistake("pays with a card of another colour", pays_wrongly),
    Mistake("pays with too few cards", pays_too_few),
    Mistake("pays with too many cards", pays_too_many),
    Mistake("goes where no single path leads", goes_without_path),
    Mistake("moves out of turn", moves_out_of_turn),
    Mistake("wins where the pawn stands already", forgets_to_arrive),
    Mistake("wins at another god's pyramid", wins_elsewhere),
    Mistake("forms a name with a wrong hieroglyph", spells_wrongly),
    Mistake("takes or lays down too many for an event", takes_too_many),
)
"""Every kind of mistake the simulated people make."""
