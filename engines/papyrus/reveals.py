"""Facts the table shows: event cards, and counts that players correct."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engines.game import Reveal, WrongReveal
from engines.hidden import ELSEWHERE, Impossible
from engines.papyrus.effects import settle
from engines.papyrus.moves import Cleared, Count, Counted, EventShown, Left, Lying, Pile, Standing
from engines.papyrus.notation import title
from engines.papyrus.piles import cleared, spread
from engines.papyrus.state import HANDS, PILE, PapyrusState
from engines.papyrus.travel import placed, roads
from engines.words import listed

THINGS = {"hand": "movement cards", "holder": "hieroglyphs", "gods": "god cards", "skips": "turns to miss"}


def learn(state: PapyrusState, reveal: Reveal) -> PapyrusState:
    """The state with the fact taken in. Raises WrongReveal when it cannot be."""
    match reveal:
        case EventShown():
            return _event(state, reveal)
        case Counted() | Standing() if not 0 <= reveal.player < len(state.seats):
            raise WrongReveal(f"there is no player {reveal.player + 1} in this game.")
        case Counted():
            state = _counted(state, reveal)
        case Standing():
            state = _standing(state, reveal)
        case Left():
            state = _left(state, reveal)
        case Lying():
            state = _lying(state, reveal)
        case Cleared():
            return cleared(state, reveal.place)
        case _:
            raise WrongReveal("Papyrus knows no such fact.")
    # What waits may have become impossible, or needless; what an event asked for may have changed its number.
    return settle(state) if state.stage in ("arrived", "effect") else state


def _event(state: PapyrusState, reveal: EventShown) -> PapyrusState:
    """An event card was turned up: what it does happens, up to the first choice. The deck is shuffled when it runs out (Y23)."""
    if state.stage != "event":
        raise WrongReveal("no event card is due: one is turned up when a pawn comes to an event square.")
    event = state.numbers.events.get(reveal.event)
    if event is None:
        known = ", ".join(list(state.numbers.events)[:6])
        raise WrongReveal(f"there is no event {reveal.event}: the event cards are {known} ...")
    deck = sum(event.copies for event in state.numbers.events.values())
    shown = () if len(state.shown) >= deck else state.shown
    if shown.count(event.id) >= event.copies and state.numbers.verified("events"):
        raise WrongReveal(
            f"all {event.copies} of {title(event.id)} have been shown since the deck was shuffled."
        )
    state = spread(replace(state, shown=tuple(sorted((*shown, event.id)))), "event", (event.id,))
    return settle(replace(state, pending=(*event.effects, *state.pending[1:])))


def count(state: PapyrusState, seat: int, what: Count) -> int:
    """How many the player has, by all that was seen."""
    mine, hand = state.seats[seat], HANDS[seat]
    match what:
        case "hand":
            return state.cards.size(hand)
        case "holder":
            return state.hieroglyphs.size(hand)
        case "gods":
            return state.gods.size(hand)
        case "points":
            return mine.points
        case "scarabs":
            return mine.scarabs
    return mine.skips


def _counted(state: PapyrusState, reveal: Counted) -> PapyrusState:
    what, number = reveal.what, reveal.number
    there = count(state, reveal.player, what)
    if number == there:
        return state
    if not reveal.correction:
        raise WrongReveal(
            f"by the moves player {reveal.player + 1} has {there} {THINGS.get(what, what)}, not {number}: "
            f"write correct in place of reveal if they are wrong."
        )
    if number < 0 and what != "points":
        raise WrongReveal(f"nobody has {number} {THINGS.get(what, what)}.")
    hand, mine = HANDS[reveal.player], state.seats[reveal.player]
    match what:
        case "hand" | "holder" | "gods":
            return _resized(state, what, hand, number)
        case "points":
            mine = replace(mine, points=number)
        case "scarabs":
            mine = replace(mine, scarabs=number)
        case "skips":
            mine = replace(mine, skips=number)
    return state.seated(reveal.player, mine)


def _resized(state: PapyrusState, what: Count | Pile, place: str, n: int) -> PapyrusState:
    """The hand or pile has ``n`` cards: some went unnoticed, so from now on any of them may be anywhere."""
    verified = state.numbers.verified
    match what:
        case "hand" | "deck":
            return replace(state, cards=state.cards.resize(place, n, not verified("cards")))
        case "holder" | "bag":
            return replace(state, hieroglyphs=state.hieroglyphs.resize(place, n, not verified("letters")))
    return replace(state, gods=state.gods.resize(place, n, not verified("gods")))


def _standing(state: PapyrusState, reveal: Standing) -> PapyrusState:
    here = state.seats[reveal.player].place
    if reveal.place not in roads(state).places:
        raise WrongReveal(f"{reveal.place} is no place of the map: {', '.join(roads(state).places[:6])} ...")
    if reveal.place != here and not reveal.correction:
        raise WrongReveal(
            f"by the moves the pawn of player {reveal.player + 1} stands on {here}: write correct in place of reveal "
            "if they are wrong."
        )
    return placed(state, reveal.player, reveal.place)


def _left(state: PapyrusState, reveal: Left) -> PapyrusState:
    """So many are left to draw from."""
    number = reveal.number
    store = {"deck": state.cards, "bag": state.hieroglyphs}.get(reveal.what, state.gods)
    there = store.size(PILE)
    if number == there:
        return state
    if not reveal.correction:
        raise WrongReveal(
            f"by the moves {there} are left, not {number}: write correct in place of reveal if they are wrong."
        )
    return _resized(state, reveal.what, PILE, number)


def _lying(state: PapyrusState, reveal: Lying) -> PapyrusState:
    """These lie open. What came is from those that are out of sight since a count was corrected, else from the bag; what went lies
    in the bag, as far as counts say; yet nobody saw it, so from now on any hieroglyph may be anywhere."""
    if reveal.tiles == state.row:
        return state
    if not reveal.correction:
        raise WrongReveal(
            f"by the moves {listed(state.row)} lies open: write correct in place of reveal if the moves are wrong."
        )
    unknown = [letter for letter in reveal.tiles if letter not in state.numbers.letters]
    if unknown:
        raise WrongReveal(f"there is no hieroglyph {unknown[0]} in this game.")
    came = tuple((Counter(reveal.tiles) - Counter(state.row)).elements())
    went = tuple((Counter(state.row) - Counter(reveal.tiles)).elements())
    tiles = state.hieroglyphs
    away = min(tiles.size(ELSEWHERE), len(came))
    tiles = tiles.put(PILE, went)
    number = tiles.size(PILE)
    uncounted = not state.numbers.verified("letters")
    tiles = tiles.resize(PILE, number + 1, uncounted).resize(PILE, number, uncounted)
    try:
        tiles = tiles.show(ELSEWHERE, came[:away]).show(PILE, came[away:])
    except Impossible:
        raise WrongReveal(
            f"{listed(came)} cannot all be new there: count the open hieroglyphs again."
        ) from None
    return replace(state, hieroglyphs=tiles, row=reveal.tiles)
