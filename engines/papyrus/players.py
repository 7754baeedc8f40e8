"""Two ways to play Papyrus, from what lies open and the own hand and holder alone: sensibly, and at random.

The sensible player chooses the god of the hand that is nearest, collects its letters, then its way, and goes there. Every game
ends that way: now and then it does something else, so that two of them never wait for each other for ever.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from engines.game import Move
from engines.papyrus.board import Way, split, ways
from engines.papyrus.effects import amount
from engines.papyrus.events import Effect
from engines.papyrus.moves import (
    EYE,
    FACES,
    Buy,
    Decline,
    Draw,
    Form,
    Gain,
    Go,
    Lose,
    Pass,
    Stop,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.numbers import God, Numbers
from engines.papyrus.piles import cards_left, tiles_left
from engines.papyrus.state import HANDS, PILE, PapyrusState
from engines.papyrus.travel import payments, roads

WHIM = 0.03
"""How often a sensible player does just anything; more often as a game drags on."""
DRAGGING = 1000
"""Moves after which a game drags on."""
TURN = 1.0
CARD = 0.7
"""What a square of a way costs, in turns: two cards are drawn in one, not all of them the right ones."""
FROM_ROW, FROM_BAG = 1.0, 5.0
"""Turns for a letter that lies open, and for one that has to come from the bag."""

FEW, SHARE = 8, 0.6
"""A hand is full with this part of an even share of the deck, and at least so many cards."""


class View(NamedTuple):
    """What a player knows: the table, and the own movement cards, hieroglyphs and gods."""

    state: PapyrusState
    seat: int
    cards: tuple[str, ...]
    tiles: tuple[str, ...]
    gods: tuple[str, ...]

    @property
    def place(self) -> str:
        return self.state.seats[self.seat].place


def pick(view: View, rng: random.Random, style: str, moves: int = 0) -> Move:
    """A truly legal move of the player, who is the one to move; ``moves`` is how many were made in the game so far.

    Raises ValueError when there is none.
    """
    if view.state.alone:
        return _alone(view, rng, style)
    if style == "random":
        return _anything(view, rng)
    match view.state.stage:
        case "arrived":
            return _best_win(view) or Decline(view.seat)
        case "effect":
            return _answer(view, rng)
        case "turn":
            if rng.random() < WHIM * max(1.0, moves / DRAGGING):
                return _anything(view, rng)
            return _turn(view, rng)
    raise ValueError("nobody has anything to do")


# What the hand can do


def _wins(view: View) -> list[God]:
    """The gods that can be won here."""
    tiles = Counter(view.tiles)
    gods = (view.state.numbers.gods[god] for god in view.gods)
    return [god for god in gods if god.pyramid == view.place and not Counter(god.letters) - tiles]


def _payments(view: View, way: Way) -> list[tuple[str, ...]]:
    """The ways the hand can pay, the one with the fewest Eyes of Horus first."""
    hand = Counter(view.cards)
    wild = "eye_of_horus=wild" in view.state.options
    if _short(hand, way, wild):
        return []
    return [
        cards for cards in payments(way, wild) if all(cards.count(face) <= hand[face] for face in set(cards))
    ]


def _ways(view: View) -> Mapping[str, Way]:
    return roads(view.state).ways[view.place]


def _anything(view: View, rng: random.Random) -> Move:
    """Any truly legal move, each kind as likely as the others."""
    state, seat = view.state, view.seat
    if state.stage == "effect":
        return _any_answer(view, rng)
    kinds: list[list[Move]] = []
    wins: list[Move] = [
        Win(seat, god.id, card, tiles)
        for god in _wins(view)
        for card in (True, True, False)
        for tiles in (*(None,) * 7, rng.randint(0, min(len(god.letters), tiles_left(state))))
    ]
    if state.stage == "arrived":
        return rng.choice([*wins, *wins, Decline(seat)])
    if "win_where_you_stand=yes" in state.options:
        kinds.append(wins)
    kinds.append([Draw(seat)] if cards_left(state) else [])
    kinds.append(
        [Travel(seat, target, cards) for target, way in _ways(view).items() for cards in _payments(view, way)]
    )
    takes = ([None] if tiles_left(state) else []) + [*dict.fromkeys(state.row)]
    kinds.append([Swap(seat, rng.choice(view.tiles), rng.choice(takes))] if view.tiles and takes else [])
    kinds = [kind for kind in kinds if kind]
    if not kinds or ("passing=yes" in state.options and rng.random() < 0.02):
        return Pass(seat)
    return rng.choice(rng.choice(kinds))


def _any_answer(view: View, rng: random.Random) -> Move:
    state, seat = view.state, view.seat
    effect = state.pending[0]
    number = amount(state, effect)
    match effect.verb:
        case "gain":
            return Gain(seat, tuple(rng.sample(state.row, number)))
        case "lose":
            return Lose(seat, tuple(rng.sample(view.cards if effect.what == "card" else view.tiles, number)))
        case "take":
            return TakeFrom(seat, rng.choice(_others(view, effect)))
        case "swap":
            return SwapWith(seat, rng.choice(_others(view, effect)))
    return Go(seat, rng.choice(roads(state).places))


def _others(view: View, effect: Effect) -> list[int]:
    """Who can be taken from, or swapped with."""
    state = view.state
    store = state.cards if effect.what == "card" else state.hieroglyphs
    giving = effect.verb == "swap" and store.size(HANDS[view.seat])
    return [
        seat for seat in range(len(state.seats)) if seat != view.seat and (giving or store.size(HANDS[seat]))
    ]


# Playing sensibly


@lru_cache(maxsize=256)
def _far(numbers: Numbers, stops: bool, target: str) -> Mapping[str, float]:
    """From each place, the turns to the target when all cards have yet to be drawn."""
    back: dict[str, list[tuple[str, float]]] = {}
    for place, them in ways(split(numbers.board) if stops else numbers.board).items():
        for way in them:
            length = TURN + CARD * sum(n for _, n in way.cost)
            back.setdefault(way.target, []).append((place, length))
    found: dict[str, float] = {}
    todo = [(0.0, target)]
    while todo:
        far, place = heapq.heappop(todo)
        if place in found:
            continue
        found[place] = far
        for before, more in back.get(place, ()):
            if before not in found:
                heapq.heappush(todo, (far + more, before))
    return found


def _short(cards: Counter[str], way: Way, wild: bool) -> int:
    """How many cards the hand lacks for a way."""
    lacking = sum(max(0, n - cards[symbol]) for symbol, n in way.cost)
    return max(0, lacking - (cards[EYE] if wild else 0))


def _next(view: View, target: str) -> tuple[float, Way | None]:
    """Turns to the target, and the way to take first; to a place the pawn stands on, away and back again."""
    far = _far(view.state.numbers, "stop_on_event_square=yes" in view.state.options, target)
    cards = Counter(view.cards)
    wild = "eye_of_horus=wild" in view.state.options
    rated = [
        (TURN + 2 * CARD * _short(cards, way, wild) + far.get(way.target, math.inf), way.target, way)
        for way in _ways(view).values()
    ]
    best = min(rated, default=(math.inf, "", None), key=lambda entry: entry[:2])
    return best[0], best[2]


def _letters(view: View, god: God) -> tuple[float, Counter[str]]:
    """Turns to get the letters the god still lacks, and which these are."""
    lacking = Counter(god.letters) - Counter(view.tiles)
    if len(god.letters) > len(view.tiles):
        return math.inf, lacking
    row = Counter(view.state.row)
    return (
        sum(
            FROM_ROW * min(n, row[letter]) + FROM_BAG * max(0, n - row[letter])
            for letter, n in lacking.items()
        ),
        lacking,
    )


def _goal(view: View) -> tuple[float, God] | None:
    """The god that promises most for the turns it takes, with these turns; None when none can be formed in this holder."""
    found = []
    for id in view.gods:
        god = view.state.numbers.gods[id]
        turns = _letters(view, god)[0] + _next(view, god.pyramid)[0]
        if turns < math.inf:
            found.append(((god.value + 5) / (turns + 2), turns, god.id, god))
    return max(found)[1::2] if found else None


def _worth(view: View) -> Counter[str]:
    """How badly each letter of the holder is needed: by the goal most, a little by the other gods of the hand."""
    needed: Counter[str] = Counter()
    goal = _goal(view)
    for id in view.gods:
        god = view.state.numbers.gods[id]
        weight = 10 if goal and god == goal[1] else 1
        for letter, n in Counter(god.letters).items():
            needed[letter] = max(needed[letter], weight) if n else 0
    return needed


def _least(view: View, n: int) -> tuple[str, ...]:
    """The hieroglyphs that are missed least: those beyond what the goal needs first."""
    worth, goal = _worth(view), _goal(view)
    keep = Counter(goal[1].letters) if goal else Counter()
    rated = []
    for letter in sorted(view.tiles):
        kept = keep[letter] > 0
        keep[letter] -= kept
        rated.append((100 if kept else worth[letter] % 10, letter))
    return tuple(letter for _, letter in sorted(rated)[:n])


def _turn(view: View, rng: random.Random) -> Move:
    state, seat = view.state, view.seat
    if "win_where_you_stand=yes" in state.options and (win := _best_win(view)):
        return win
    goal = _goal(view)
    if goal is None:
        return _wander(view, rng)
    _, lacking = _letters(view, goal[1])
    if lacking:
        open_ones = [letter for letter in sorted(lacking) if letter in state.row]
        pay = _least(view, 1)[0]
        if open_ones:
            return Swap(seat, pay, open_ones[0])
        if tiles_left(state):
            return Swap(seat, pay)
        return _wander(view, rng)
    way = _next(view, goal[1].pyramid)[1]
    assert way is not None  # else it would be infinitely far, and no goal
    paid = _payments(view, way)
    if paid:
        return Travel(seat, way.target, paid[0])
    return _drawn(view, rng, goal[1].pyramid)


def _drawn(view: View, rng: random.Random, target: str) -> Move:
    """More cards; but who has a full hand spends some on any way, so that the deck never lies in the hands of players who all
    wait for the one colour that they lack."""
    state, seat = view.state, view.seat
    blank = (EYE,) if "eye_of_horus=blank" in state.options else ()
    there = sum(n for face, n in state.numbers.cards.items() if face not in blank)
    full = sum(card not in blank for card in view.cards) >= max(FEW, SHARE * there / len(state.seats))
    if full or not cards_left(state):
        far = _far(state.numbers, "stop_on_event_square=yes" in state.options, target)
        able = [(way, paid[0]) for way in _ways(view).values() if (paid := _payments(view, way))]
        if able:
            way, cards = min(able, key=lambda one: (far.get(one[0].target, math.inf), one[0].target))
            return Travel(seat, way.target, cards)
    return Draw(seat) if cards_left(state) else _anything(view, rng)


def _wander(view: View, rng: random.Random) -> Move:
    """Nothing in the hand can be formed: an event may bring hieroglyphs, so go where one is drawn."""
    where = roads(view.state)
    goals = sorted(where.events - {view.place}) or sorted(set(where.places) - {view.place})
    nearest = min(goals, key=lambda place: (_next(view, place)[0], place), default=None)
    way = _next(view, nearest)[1] if nearest else None
    paid = _payments(view, way) if way else []
    if way and paid:
        return Travel(view.seat, way.target, paid[0])
    return _drawn(view, rng, nearest or view.place)


def _best_win(view: View) -> Win | None:
    """The most valuable god that can be won here, with all that may be drawn."""
    best = max(_wins(view), key=lambda god: (god.son, god.value, god.id), default=None)
    return Win(view.seat, best.id) if best else None


def _answer(view: View, rng: random.Random) -> Move:
    """What a sensible player does for an event card."""
    state, seat = view.state, view.seat
    effect = state.pending[0]
    number = amount(state, effect)
    match effect.verb:
        case "gain":
            worth = _worth(view)
            lacking = Counter[str]()
            if goal := _goal(view):
                lacking = _letters(view, goal[1])[1]
            order = sorted(state.row, key=lambda letter: (-(letter in lacking), -worth[letter], letter))
            return Gain(seat, tuple(order[:number]))
        case "lose" if effect.what == "hieroglyph":
            return Lose(seat, _least(view, number))
        case "lose":
            return Lose(seat, _spare(view.cards, number))
        case "move":
            goal = _goal(view)
            if goal and not _letters(view, goal[1])[1] and goal[1].pyramid != view.place:
                return Go(seat, goal[1].pyramid)
        case "take" | "swap":
            store = state.cards if effect.what == "card" else state.hieroglyphs
            others = _others(view, effect)
            other = max(others, key=lambda seat: (store.size(HANDS[seat]), -seat))
            return TakeFrom(seat, other) if effect.verb == "take" else SwapWith(seat, other)
    return _any_answer(view, rng)


def _spare(cards: Iterable[str], n: int) -> tuple[str, ...]:
    """The cards of which the hand has most; an Eye of Horus last."""
    left = Counter(cards)
    spare = []
    for _ in range(n):
        face = max(left, key=lambda face: (left[face] > 0, face != EYE, left[face], FACES.index(face)))
        left[face] -= 1
        spare.append(face)
    return tuple(spare)


def _alone(view: View, rng: random.Random, style: str) -> Move:
    """Solo: form what can be formed, buy what is lacking; at random, sometimes buy on, and once in a long while give up."""
    state, tiles = view.state, Counter(view.tiles)
    gods = [state.numbers.gods[god] for god in view.gods]
    able = [god for god in gods if not Counter(god.letters) - tiles]
    can_buy = tiles_left(state) > 0 and (state.cards.size(PILE) > 0 or "solo_cards=once" not in state.options)
    if style == "random":
        moves: list[Move] = [Form(view.seat, god.id, card) for god in able for card in (True, True, False)]
        moves += [Buy(view.seat)] * (4 if can_buy else 0)
        return Stop(view.seat) if not moves or rng.random() < 0.002 else rng.choice(moves)
    if able:
        return Form(view.seat, max(able, key=lambda god: (len(god.letters), god.id)).id)
    return Buy(view.seat) if can_buy else Stop(view.seat)
