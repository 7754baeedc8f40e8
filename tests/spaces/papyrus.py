"""Any member of the full space of Papyrus' moves, legal or not, and what must never be lost."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, get_args

from engines.game import Move, Reveal
from engines.hidden import Hidden
from engines.papyrus.dealing import PapyrusDeal
from engines.papyrus.moves import (
    FACES,
    Buy,
    Count,
    Counted,
    Decline,
    Draw,
    Form,
    Gain,
    Go,
    Lose,
    Pass,
    Standing,
    Stop,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.options import OPTIONS
from engines.papyrus.state import BOX, HANDS, PILE, PapyrusState
from engines.papyrus.travel import payments, roads

PLAIN = (Draw, Decline, Pass, Buy, Stop)


def options(players: int, rng: random.Random) -> dict[str, str]:
    """Every option takes any value, but decks of gods are mostly short and always enough; the board is mostly there."""
    chosen = {option.name: rng.choice(option.values) for option in OPTIONS}
    enough = [number for number in ("8", "12", "18", "24") if int(number) >= 3 * players]
    chosen["gods"] = "all" if rng.random() < 0.1 else enough[0] if rng.random() < 0.7 else rng.choice(enough)
    if chosen["gods"] == "all":
        # With all gods and Eyes that pay nothing the deck may end in hands of which none can pay a way: no rule ends that.
        chosen["eye_of_horus"] = "wild"
    chosen["without_board"] = "yes" if rng.random() < 0.15 else "no"
    return chosen


def near_misses(state: PapyrusState, rng: random.Random, n: int) -> list[Move]:
    """So many moves of any kind: many nearly right, some for another player or of things that are not in the game."""
    return [_any(state, rng) for _ in range(n)]


def corrections(state: PapyrusState, rng: random.Random) -> list[Reveal]:
    """Somebody has another number of something, or stands elsewhere, than the moves say."""
    seat = rng.randrange(len(state.seats))
    places = list(roads(state).places)
    if places and rng.random() < 0.2:
        return [Standing(seat, rng.choice(places), correction=True)]
    what: Count = rng.choice(get_args(Count))
    return [Counted(seat, what, rng.choice((0, 1, 2, 3, 5, 9)), correction=True)]


def _any(state: PapyrusState, rng: random.Random) -> Move:
    seat = state.to_move if rng.random() < 0.9 else rng.randrange(len(state.seats) + 1)
    letters = [*state.numbers.letters, "Ö"]
    places = [*roads(state).places, "atlantis"]
    gods = [*state.numbers.gods, "zeus"]
    if rng.random() < 0.4:  # of the gods, those of the place are the interesting ones
        gods = [
            god.id for god in state.numbers.gods.values() if god.pyramid == state.seats[state.to_move].place
        ] or gods
    match rng.randrange(12):
        case 0:
            return rng.choice(PLAIN)(seat)
        case 1 | 2 | 3:
            return _travel(state, rng, seat, places)
        case 4 | 5:
            some = rng.choice([None, *state.row, *letters]) if rng.random() < 0.7 else None
            return Swap(seat, rng.choice(letters), some)
        case 6:
            return Win(seat, rng.choice(gods), rng.random() < 0.8, rng.choice([None, None, 0, 2, 5, 40]))
        case 7:
            return Gain(seat, tuple(rng.choice([*state.row, *letters]) for _ in range(_some(state, rng))))
        case 8 | 9:
            faces = FACES if rng.random() < 0.5 else letters
            return Lose(seat, tuple(rng.choice(faces) for _ in range(_some(state, rng))))
        case 10:
            kind = rng.choice((TakeFrom, SwapWith))
            return kind(seat, rng.randrange(len(state.seats) + 1))
    return rng.choice((Go(seat, rng.choice(places)), Form(seat, rng.choice(gods), rng.random() < 0.8)))


def _some(state: PapyrusState, rng: random.Random) -> int:
    """Mostly as many as an event asks for."""
    if state.stage == "effect" and rng.random() < 0.8:
        return max(1, state.pending[0].n)
    return rng.randint(1, 3)


def _travel(state: PapyrusState, rng: random.Random, seat: int, places: list[str]) -> Move:
    """A way from where the pawn stands, paid by and by wrongly; or anything."""
    ways = list(roads(state).ways[state.seats[state.to_move].place].values())
    if not ways or rng.random() < 0.2:
        return Travel(seat, rng.choice(places), tuple(rng.choice(FACES) for _ in range(rng.randint(0, 7))))
    way = rng.choice(ways)
    cards = list(rng.choice(list(payments(way, rng.random() < 0.7))))
    if cards and rng.random() < 0.3:
        cards[rng.randrange(len(cards))] = rng.choice(FACES)
    if cards and rng.random() < 0.15:
        cards.pop(rng.randrange(len(cards)))
    if rng.random() < 0.15:
        cards.append(rng.choice(FACES))
    return Travel(seat, way.target, tuple(cards))


def conserved(state: PapyrusState, deal: Any) -> None:
    """Nothing is lost: every card, god and hieroglyph is where the state says, by number, and where the truth has it, by face;
    what everybody knows is true, and what is true is held possible."""
    assert isinstance(deal, PapyrusDeal)
    numbers = state.numbers
    won = [god for seat in state.seats for god in seat.won]
    _store(state.cards, deal.cards, Counter(numbers.cards), deal.discards)
    _store(state.hieroglyphs, deal.tiles, Counter(numbers.letters), [*deal.heap, *state.row])
    _store(state.gods, deal.gods, Counter(list(numbers.gods)), won)
    assert Counter(state.discards) == Counter(deal.discards)
    assert Counter(state.heap) == Counter(deal.heap)
    deck = Counter({event.id: event.copies for event in numbers.events.values()})
    assert not Counter(state.shown) - deck
    places = roads(state).places
    assert all(not places or seat.place in places for seat in state.seats)
    assert all(seat.scarabs >= 0 and seat.skips >= 0 for seat in state.seats)


def _store(hidden: Hidden, truth: dict[str, list[str]], there: Counter[str], open_ones: list[str]) -> None:
    for place in (*HANDS, BOX, PILE):
        assert hidden.size(place) == len(truth[place]), place
        assert not Counter(dict(hidden.known(place))) - Counter(truth[place]), place
        # The pile as a whole is asked for only when it is small: that question costs by its size.
        if place in HANDS or len(truth[place]) < 20:
            assert hidden.possible(place, truth[place]), place
    assert Counter(card for cards in truth.values() for card in cards) + Counter(open_ones) == +there
