"""What a legal move does, and what a reveal means for the table. Numbers in brackets are those of rules.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from engines.archaeology.counts import (
    KINDS,
    from_left,
    left_in,
    may_come,
    maybe_left,
    numbered,
    refilled,
)
from engines.archaeology.moves import (
    DISCARDS,
    DRAWN,
    Bust,
    Cards,
    Chamber,
    Cleared,
    Dig,
    Draw,
    Drawn,
    End,
    Explore,
    Hand,
    Lose,
    Market,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import MAP
from engines.archaeology.state import (
    CHAMBERS,
    DIG,
    HANDS,
    MARKET,
    PILE,
    ArchaeologyState,
    Stage,
    ordered,
)
from engines.archaeology.turns import begin, judged_in
from engines.game import Move, Reveal, WrongReveal
from engines.hidden import Hidden, Impossible
from engines.words import listed


def _less(pile: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    """The pile without these cards, which are in it."""
    return ordered((Counter(pile) - Counter(cards)).elements())


# Turns


def _end(state: ArchaeologyState) -> ArchaeologyState:
    """The turn passes clockwise (F1); once nothing can be dug, over those with no cards (A42)."""
    if state.dug or state.sold_now or state.explored:
        state = replace(state, passes=0)
    elif state.held(state.turn):
        state = replace(state, passes=state.passes + 1)
    diggable = maybe_left(state)
    if not diggable and state.option("game_end") == "dig":
        return replace(state, stage="over")
    seats = from_left(state)
    return begin(state, next((seat for seat in seats if diggable or state.held(seat)), seats[0]))


def _go_on(state: ArchaeologyState) -> ArchaeologyState:
    """After a sandstorm: the player digs again while a card may be left (W8, A13)."""
    return replace(state, stage="dig" if maybe_left(state) else "act", queue=(), sheltered=())


# Sandstorm


def _tents(state: ArchaeologyState) -> ArchaeologyState:
    """Those who still have a tent declare, from the left of who drew the storm (W1, W2)."""
    queue = tuple(seat for seat in from_left(state) if state.tents[seat])
    if queue:
        return replace(state, stage="tents", queue=queue, sheltered=())
    return _losses(replace(state, sheltered=()))


def _losses(state: ArchaeologyState) -> ArchaeologyState:
    """All without shelter lose, in the same order (W5, A18)."""
    queue = tuple(seat for seat in from_left(state) if seat not in state.sheltered)
    return _next_loss(replace(state, stage="lose", queue=queue))


def _next_loss(state: ArchaeologyState) -> ArchaeologyState:
    """Nobody is asked for nothing: with fewer than two cards there is nothing to lose (A17)."""
    queue = state.queue
    while queue and state.held(queue[0]) < 2:
        queue = queue[1:]
    return replace(state, queue=queue) if queue else _go_on(state)


def _tent(state: ArchaeologyState, move: Tent) -> ArchaeologyState:
    queue = state.queue[1:]
    if move.used:
        tents = tuple(has and seat != move.player for seat, has in enumerate(state.tents))
        state = replace(state, tents=tents, sheltered=(*state.sheltered, move.player))
    return replace(state, queue=queue) if queue else _losses(state)


def _lose(state: ArchaeologyState, move: Lose) -> ArchaeologyState:
    return _next_loss(
        replace(
            state,
            hidden=state.hidden.show(HANDS[move.player], move.treasures),
            market=ordered((*state.market, *move.treasures)),
            queue=state.queue[1:],
        )
    )


# Actions


def _steal(state: ArchaeologyState, move: Steal) -> ArchaeologyState:
    hidden = state.hidden
    if state.held(move.victim):
        hidden = hidden.move(HANDS[move.victim], HANDS[move.player])
    return replace(state, hidden=hidden, stage="act")


def _trade(state: ArchaeologyState, move: Trade) -> ArchaeologyState:
    hand = HANDS[move.player]
    return replace(
        state,
        hidden=state.hidden.show(hand, move.give).put(hand, move.take),
        market=ordered((*_less(state.market, move.take), *move.give)),
    )


def _sell(state: ArchaeologyState, move: Sell) -> ArchaeologyState:
    seat = move.player
    pile = move.treasures[0], len(move.treasures)
    sold = (*state.sold[:seat], (*state.sold[seat], pile), *state.sold[seat + 1 :])
    temple = state.monument == "temple" and any(left_in(state, chamber) for chamber in numbered(state))
    return replace(
        state,
        hidden=state.hidden.show(HANDS[seat], move.treasures),
        sold=sold,
        sold_now=True,
        may_peek=temple,
    )


def _explore(state: ArchaeologyState, move: Explore) -> ArchaeologyState:
    """The maps are paid (A27, A35); what the chamber gives follows at once, or with what the table shows."""
    monument = state.monument
    chamber = move.chamber or 1
    hand = HANDS[move.player]
    maps = state.numbers.maps[monument][chamber - 1]
    hidden = state.hidden.show(hand, (MAP,) * maps)
    discards = (*state.discards, *(MAP,) * maps)
    state = replace(state, explored=True, maps_gone=state.maps_gone + maps, discards=discards)
    if monument == "mine":
        return replace(state, hidden=hidden, stage="mine drawn", drawn=())
    if monument == "sphinx":
        return replace(state, hidden=hidden, stage="sphinx drawn", named=move.named)
    if monument == "buried-ruins":
        found = state.chambers[chamber - 1]
        chambers = (*state.chambers[: chamber - 1], (), *state.chambers[chamber:])
        return replace(state, hidden=hidden.put(hand, found), chambers=chambers)
    count = left_in(state, chamber)
    if monument == "tomb":
        count = min(count, state.numbers.keep)
    return replace(state, hidden=hidden.move(CHAMBERS[chamber], hand, count))


def _put_down(state: ArchaeologyState, place: str) -> ArchaeologyState:
    """The cards drawn in the Mine go to the hand, or back; everybody has seen them (A33, A50)."""
    return replace(state, hidden=state.hidden.put(place, state.drawn), drawn=(), stage="act")


def moved(state: ArchaeologyState, move: Move) -> ArchaeologyState:
    """The state after a legal move."""
    state = judged_in(state, move)
    if state.stage == "dig" and not isinstance(move, Dig):
        # Nobody acts before the dig while a card is there: so none is (A8).
        state = replace(state, stage="act", exhausted=True)
    if state.may_peek:
        state = replace(state, may_peek=False)
    match move:
        case Dig():
            return replace(state, stage="drawn")
        case Steal():
            return _steal(state, move)
        case Tent():
            return _tent(state, move)
        case Lose():
            return _lose(state, move)
        case Trade():
            return _trade(state, move)
        case Explore():
            return _explore(state, move)
        case Sell():
            return _sell(state, move)
        case Peek():
            return state
        case Draw():
            return replace(state, stage="mine drawn")
        case Stop():
            return _put_down(state, HANDS[move.player])
        case Bust():
            return _put_down(state, CHAMBERS[1])
        case End():
            return _end(state)
    raise TypeError(f"{move!r} is no move of Archaeology")


# What the table shows


def _shown(hidden: Hidden, place: str, treasures: tuple[str, ...]) -> Hidden:
    try:
        return hidden.show(place, treasures)
    except Impossible:
        raise WrongReveal(f"{listed(treasures)} cannot lie there: no cards that are left allow it") from None


def _drawn(state: ArchaeologyState, reveal: Drawn) -> ArchaeologyState:
    if state.stage != "drawn":
        raise WrongReveal("nobody has dug: write dig first")
    kind = reveal.kind
    if not may_come(state, kind):
        others = " or ".join(other for other in KINDS if may_come(state, other))
        raise WrongReveal(f"no {kind} is left in the dig site: it must be a {others}")
    if kind == "treasure":
        hidden = state.hidden
        if not hidden.size(DIG):
            hidden = hidden.resize(DIG, 1, uncounted=not state.numbers.counted)
        return replace(state, dug=True, stage="act", hidden=hidden.move(DIG, HANDS[state.turn]))
    if kind == "thief":
        found = any(state.held(seat) for seat in range(state.players) if seat != state.turn)
        discards = (*state.discards, "thief")
        stage: Stage = "steal" if found else "act"
        return replace(state, dug=True, thieves=state.thieves + 1, discards=discards, stage=stage)
    discards = (*state.discards, "sandstorm")
    state = replace(state, dug=True, storms=state.storms + 1, discards=discards)
    chambers = refilled(state)
    return replace(state, stage="refill", queue=chambers) if chambers else _tents(state)


def _market(state: ArchaeologyState, reveal: Market) -> ArchaeologyState:
    if state.stage != "market":
        raise WrongReveal("the marketplace has been shown; to change it take back to the start")
    count = state.hidden.size(MARKET)
    if len(reveal.treasures) != count:
        raise WrongReveal(f"the marketplace begins with {count} cards, not {len(reveal.treasures)}")
    state = replace(
        state,
        hidden=_shown(state.hidden, MARKET, reveal.treasures),
        market=ordered(reveal.treasures),
    )
    if state.monument != "buried-ruins":
        return begin(state, state.first)
    counts = state.numbers.chambers[state.monument]
    queue = tuple(number for number, count in enumerate(counts, start=1) for _ in range(count))
    return replace(state, stage="chambers", queue=queue) if queue else begin(state, state.first)


def _chamber(state: ArchaeologyState, reveal: Chamber) -> ArchaeologyState:
    if state.stage not in ("chambers", "refill"):
        raise WrongReveal("no chamber gets a card now: only in the set-up and in a sandstorm")
    at = reveal.chamber
    if at not in state.queue:
        left = " or ".join(map(str, sorted(set(state.queue))))
        raise WrongReveal(f"chamber {at} gets no card now: write chamber {left}")
    hidden = _shown(state.hidden, PILE, (reveal.treasure,))
    chambers = (
        *state.chambers[: at - 1],
        ordered((*state.chambers[at - 1], reveal.treasure)),
        *state.chambers[at:],
    )
    place = state.queue.index(at)
    queue = (*state.queue[:place], *state.queue[place + 1 :])
    state = replace(state, hidden=hidden, chambers=chambers, queue=queue)
    if queue:
        return state
    return begin(state, state.first) if state.stage == "chambers" else _tents(state)


def _cards(state: ArchaeologyState, reveal: Cards) -> ArchaeologyState:
    place, hand = CHAMBERS[1], HANDS[state.turn]
    if state.stage == "mine drawn":
        if len(reveal.treasures) != 1:
            raise WrongReveal("cards are drawn from the Mine one at a time: write reveal cards coin")
        hidden = _shown(state.hidden, place, reveal.treasures)
        return replace(state, hidden=hidden, drawn=(*state.drawn, *reveal.treasures), stage="mine")
    if state.stage != "sphinx drawn":
        raise WrongReveal("no cards are drawn from a monument now")
    count = min(state.numbers.draws, left_in(state, 1))
    if len(reveal.treasures) != count:
        raise WrongReveal(f"{count} cards are drawn from the Sphinx, not {len(reveal.treasures)}")
    taken = [face for face in reveal.treasures if face in state.named]
    back = [face for face in reveal.treasures if face not in state.named]
    hidden = _shown(state.hidden, place, reveal.treasures).put(hand, taken).put(place, back)
    return replace(state, hidden=hidden, named=(), laid=reveal.treasures, stage="act")


def _cleared(state: ArchaeologyState, reveal: Cleared) -> ArchaeologyState:
    place, number = reveal.place, reveal.number
    if not DRAWN <= place < state.players:
        raise WrongReveal(f"there are {state.players} players")
    if place >= 0:
        lying = len(state.sold[place]) - state.piled[place]
    else:
        lying = len(state.discards if place == DISCARDS else state.laid)
    if not 0 < number <= lying:
        raise WrongReveal(f"there lie {lying} and not {number}")
    if place == DISCARDS:
        return replace(state, discards=state.discards[number:])
    if place == DRAWN:
        return replace(state, laid=state.laid[number:])
    piled = (*state.piled[:place], state.piled[place] + number, *state.piled[place + 1 :])
    return replace(state, piled=piled)


def _hand(state: ArchaeologyState, reveal: Hand) -> ArchaeologyState:
    if not 0 <= reveal.player < state.players:
        raise WrongReveal(f"there are {state.players} players")
    held = state.held(reveal.player)
    if reveal.count == held:
        return state
    if not reveal.correction:
        raise WrongReveal(f"it should be {held} cards: write correct hand if {reveal.count} were counted")
    if state.stage in ("market", "chambers"):
        raise WrongReveal("first show what the set-up lays out")
    most = state.numbers.treasures
    if state.numbers.counted and reveal.count > most:
        raise WrongReveal(f"the game has only {most} treasures")
    hidden = state.hidden.resize(HANDS[reveal.player], reveal.count, uncounted=not state.numbers.counted)
    state = replace(state, hidden=hidden, corrected=True)
    if state.stage == "lose":
        return _next_loss(state)
    alone = not any(state.held(seat) for seat in range(state.players) if seat != state.turn)
    return replace(state, stage="act") if state.stage == "steal" and alone else state


def revealed(state: ArchaeologyState, reveal: Reveal) -> ArchaeologyState:
    """The state after what the table showed. Raises WrongReveal."""
    if isinstance(reveal, Hand):
        return _hand(state, reveal)
    if reveal.correction:
        raise WrongReveal("only a hand can be counted anew; take back to what is wrong, and show it again")
    match reveal:
        case Drawn():
            return _drawn(state, reveal)
        case Market():
            return _market(state, reveal)
        case Chamber():
            return _chamber(state, reveal)
        case Cards():
            return _cards(state, reveal)
        case Cleared():
            return _cleared(state, reveal)
    raise WrongReveal("this is nothing that a table of Archaeology shows")
