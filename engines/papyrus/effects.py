"""What event cards do: the effects that happen by themselves, and those that ask the player for a choice (V1, Y23, Y52, Y53)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice
from math import comb

from engines.game import Move
from engines.hidden import Hidden
from engines.papyrus.ending import ended
from engines.papyrus.events import Effect
from engines.papyrus.moves import FACES, Gain, Go, Lose, SwapWith, TakeFrom, ordered
from engines.papyrus.notation import short
from engines.papyrus.piles import discard, draw_cards, draw_gods, draw_tiles, lay_open, take_open
from engines.papyrus.state import HANDS, Cause, PapyrusState
from engines.papyrus.travel import placed, roads
from engines.papyrus.winning import over_counted, winnable

ARRIVE = Effect("arrive")
"""A pyramid has been reached: a god may be won there."""
EVENT = Effect("event")
"""An event card is to be turned up."""
BETWEEN = "between"
"""Where cards lie while two players exchange them."""
MOST_LISTED = 500

MOVES: dict[str, type[Move]] = {"gain": Gain, "lose": Lose, "take": TakeFrom, "swap": SwapWith, "move": Go}
"""What answers an effect that asks for a choice."""


def _store(state: PapyrusState, what: str) -> Hidden:
    return state.cards if what == "card" else state.hieroglyphs


def amount(state: PapyrusState, effect: Effect) -> int:
    """How many the effect comes to for the player to move: hands stop at 0, nobody takes what is not there (Y53)."""
    if effect.verb == "gain":
        return min(effect.n, len(state.row))
    if effect.verb == "lose":
        return min(effect.n, _store(state, effect.what).size(HANDS[state.to_move]))
    return effect.n


def _others(state: PapyrusState, effect: Effect) -> list[int]:
    """The players from whom can be taken, or with whom can be exchanged."""
    store = _store(state, effect.what)
    mine = effect.verb == "swap" and store.size(HANDS[state.to_move]) > 0
    return [
        seat
        for seat in range(len(state.seats))
        if seat != state.to_move and (mine or store.size(HANDS[seat]) > 0)
    ]


def _asks(state: PapyrusState, effect: Effect) -> bool:
    """Whether the effect waits for a choice of the player."""
    match effect.verb:
        case "gain" | "lose":
            return effect.what != "scarab" and amount(state, effect) > 0
        case "take" | "swap":
            return bool(_others(state, effect))
        case "move":
            return not effect.where
    return False


def _moved(state: PapyrusState, place: str) -> PapyrusState:
    """An event has set the pawn on a place: a pyramid is reached by it, an event square is not entered anew (Y52)."""
    if state.seats[state.to_move].place == place:
        return state
    state = placed(state, state.to_move, place)
    if "event_move_reaches=no" in state.options:
        return state
    return replace(state, pending=(ARRIVE, *state.pending))


def _done(state: PapyrusState, effect: Effect) -> PapyrusState:
    """The state after an effect that asks nothing."""
    player, mine = state.to_move, state.seats[state.to_move]
    match effect.verb, effect.what:
        case "draw", "card":
            return draw_cards(state, player, effect.n)
        case "draw", "hieroglyph":
            return draw_tiles(state, player, effect.n)
        case "draw", _:
            return draw_gods(state, player, effect.n)
        case "gain", "scarab":
            return state.seated(player, replace(mine, scarabs=mine.scarabs + effect.n))
        case "lose", "scarab":
            return state.seated(player, replace(mine, scarabs=max(0, mine.scarabs - effect.n)))
        case "skip", _:
            return state.seated(player, replace(mine, skips=mine.skips + effect.n))
        case "points", _:
            return state.seated(player, replace(mine, points=mine.points + effect.n))
        case "move", _:
            after = _moved(state, effect.where)
            # The card says it; a hand has yet to do it.
            return after if after is state else replace(after, astray=(*after.astray, (player, mine.place)))
    return state  # As agreed at the table, or there was nothing to gain, lose, take or swap.


def settle(state: PapyrusState) -> PapyrusState:
    """What is pending happens in its order, up to the first thing that waits for a player or the table; then the turn ends."""
    while state.pending:
        effect, rest = state.pending[0], state.pending[1:]
        if effect == EVENT:
            return replace(state, stage="event")
        if effect == ARRIVE:
            if winnable(state, state.to_move):
                return replace(state, stage="arrived")
            state = replace(state, pending=rest)
        elif _asks(state, effect):
            return replace(state, stage="effect")
        else:
            state = _done(replace(state, pending=rest), effect)
    return ended(state)


# Answers


def _piece_cause(state: PapyrusState, move: Lose, effect: Effect) -> Cause | None:
    """Why these are not what the player may lay down."""
    cards = effect.what == "card"
    if any((piece in FACES) != cards for piece in move.pieces):
        return "V1", "other", {"what": f"{effect.what}s"}
    unknown = next((piece for piece in move.pieces if not cards and piece not in state.numbers.letters), None)
    if unknown is not None:
        return "P6", "unknown", {"letter": unknown}
    if not _store(state, effect.what).possible(HANDS[move.player], move.pieces):
        return ("P3", "gone", {}) if cards else ("P6", "gone", {"letter": move.pieces[0]})
    return None


def cause(state: PapyrusState, move: Move) -> Cause | None:
    """Why the move does not answer the effect that is due."""
    effect = state.pending[0]
    if MOVES.get(effect.verb) is not type(move):
        return "V1", "asks", {"what": due(state)}
    number = amount(state, effect)
    match move:
        case Gain(pieces=pieces) | Lose(pieces=pieces) if len(pieces) != number:
            return "V1", "number", {"n": str(number)}
        case Gain(pieces=tiles):
            row = list(state.row)
            for letter in tiles:
                if letter not in row:
                    return "H2", "row", {"letter": letter}
                row.remove(letter)
            return None
        case Lose():
            return _piece_cause(state, move, effect)
        case TakeFrom(other=other) | SwapWith(other=other):
            return None if other in _others(state, effect) else ("V1", "whom", {})
        case Go(place=place):
            known = place in roads(state).places
            return None if known else ("P1", "place", {"place": short(place)})
    raise TypeError(f"{move!r} answers no event")


def doubt(state: PapyrusState, move: Move) -> Cause | None:
    """Why to ask before hieroglyphs are laid down: more than numbers say that nobody has verified."""
    if not isinstance(move, Lose) or state.pending[0].what == "card":
        return None
    letter = over_counted(state, move.player, move.pieces)
    return None if letter is None else ("P6", "beyond", {"letter": letter})


def _exchanged(hidden: Hidden, one: str, other: str, n: int) -> Hidden:
    """So many unseen cards from each of two hands to the other; who has fewer gives all."""
    mine, theirs = min(n, hidden.size(one)), min(n, hidden.size(other))
    return hidden.move(one, BETWEEN, mine).move(other, one, theirs).move(BETWEEN, other, mine)


def _kept(state: PapyrusState, what: str, hidden: Hidden) -> PapyrusState:
    return replace(state, cards=hidden) if what == "card" else replace(state, hieroglyphs=hidden)


def answered(state: PapyrusState, move: Move) -> PapyrusState:
    """The state after a choice that an effect asked for; what follows has happened as well."""
    effect = state.pending[0]
    state = replace(state, pending=state.pending[1:])
    player, store = move.player, _store(state, effect.what)
    match move:
        case Gain(pieces=tiles):
            state = take_open(state, player, tiles)
        case Lose(pieces=pieces) if effect.what == "card":
            state = discard(state, player, pieces)
        case Lose(pieces=pieces):
            state = lay_open(state, player, pieces)
        case TakeFrom(other=other):
            n = min(effect.n, store.size(HANDS[other]))
            state = _kept(state, effect.what, store.move(HANDS[other], HANDS[player], n))
        case SwapWith(other=other):
            swapped = _exchanged(store, HANDS[player], HANDS[other], effect.n)
            state = _kept(state, effect.what, swapped)
        case Go(place=place):
            state = _moved(state, place)
    return settle(state)


# What may be answered


def due(state: PapyrusState) -> str:
    """What the effect asks for, in at most 14 letters."""
    effect = state.pending[0]
    things = "cards" if effect.what == "card" else "tiles"
    match effect.verb:
        case "take":
            return "take from whom"
        case "swap":
            return "swap with whom"
        case "move":
            return "go where"
    number = amount(state, effect)
    return f"{effect.verb} {number} {things if number > 1 else things[:-1]}"


def _faces(state: PapyrusState, effect: Effect) -> tuple[str, ...]:
    """The faces that may be among the pieces the player lays down."""
    faces = FACES if effect.what == "card" else tuple(state.numbers.letters)
    store, hand = _store(state, effect.what), HANDS[state.to_move]
    return tuple(face for face in faces if store.possible(hand, (face,)))


def _losses(state: PapyrusState, effect: Effect) -> Iterator[tuple[str, ...]]:
    """What may be laid down: everything where it can be listed, else for each face the first that goes with it."""
    number, faces = amount(state, effect), _faces(state, effect)
    store, hand = _store(state, effect.what), HANDS[state.to_move]
    if comb(len(faces) + number - 1, number) <= MOST_LISTED:
        for pieces in combinations_with_replacement(faces, number):
            if store.possible(hand, pieces):
                yield pieces
        return
    seen = set()
    for face in faces:
        some = [face]
        while len(some) < number:
            more = next((more for more in (face, *faces) if store.possible(hand, (*some, more))), None)
            if more is None:
                break
            some.append(more)
        if len(some) == number and (found := ordered(some)) not in seen:
            seen.add(found)
            yield found


def _gains(state: PapyrusState, number: int) -> list[tuple[str, ...]]:
    """What may be taken of the open hieroglyphs: all ways where they can be listed, else some."""
    whole = comb(len(state.row), number) <= 20 * MOST_LISTED
    ways = combinations(state.row, number)
    return sorted(set(ways if whole else islice(ways, MOST_LISTED)))[:MOST_LISTED]


def choices(state: PapyrusState) -> tuple[tuple[Move, ...], bool]:
    """The answers to the effect that is due, and whether these are all."""
    effect, player = state.pending[0], state.to_move
    number = amount(state, effect)
    match effect.verb:
        case "gain":
            gains = _gains(state, number)
            return tuple(Gain(player, tiles) for tiles in gains), len(gains) < MOST_LISTED
        case "lose":
            whole = comb(len(_faces(state, effect)) + number - 1, number) <= MOST_LISTED
            return tuple(Lose(player, pieces) for pieces in _losses(state, effect)), whole
        case "take":
            return tuple(TakeFrom(player, seat) for seat in _others(state, effect)), True
        case "swap":
            return tuple(SwapWith(player, seat) for seat in _others(state, effect)), True
    return tuple(Go(player, place) for place in roads(state).places), True
