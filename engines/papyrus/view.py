"""What lies open in a game of Papyrus, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.game import Reveal
from engines.papyrus.events import write_effect
from engines.papyrus.moves import EventShown
from engines.papyrus.notation import title
from engines.papyrus.state import HANDS, PILE, PapyrusState
from engines.papyrus.travel import roads, told
from engines.words import counted, listed, write_seat


def lines(state: PapyrusState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Where each pawn stands and what each player has, the open hieroglyphs, the paths from where the player to move stands."""
    return tuple(_lines(state, names))


def says(state: PapyrusState, reveal: Reveal) -> str:
    """What stands on a card that was shown: the effects of an event; nothing for any other."""
    if not isinstance(reveal, EventShown):
        return ""
    event = state.numbers.events[reveal.event]
    return f"{event.name}: {'; '.join(map(write_effect, event.effects))}"


def _lines(state: PapyrusState, names: Sequence[str]) -> Iterator[str]:
    for seat, one in enumerate(state.seats):
        hand = HANDS[seat]
        where = "" if state.alone else f" on {one.place}"
        held = (
            f"{counted(state.cards.size(hand), 'card')}, {counted(state.hieroglyphs.size(hand), 'hieroglyph')}, "
            f"{counted(state.gods.size(hand), 'god')} in hand"
        )
        won = ", ".join(map(title, one.won)) or "nothing"
        more = f", {counted(one.scarabs, 'scarab')}" if one.scarabs else ""
        more += f", {counted(one.points, 'point')} of events" if one.points else ""
        more += f", misses {counted(one.skips, 'turn')}" if one.skips else ""
        more += f", {counted(one.paid, 'card')} paid" if one.paid else ""
        yield f"{write_seat(seat, names)}{where}: {held}; won {won}{more}"
    yield f"open hieroglyphs: {listed(state.row)}; in the bag: {state.hieroglyphs.size(PILE)}"
    yield f"movement cards: {state.cards.size(PILE)}; god cards: {state.gods.size(PILE)}"
    if not state.alone:
        ways = roads(state).ways.get(state.seats[state.to_move].place, {})
        paths = "; ".join(f"{target} ({told(way) or 'free'})" for target, way in ways.items())
        yield f"paths from {state.seats[state.to_move].place}: {paths}"
