"""Single acts that account for a piece of the evidence: who may have done what, as far as a table can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from engines.game import Move, Refusal, Step
from engines.papyrus import effects, rules
from engines.papyrus.effects import amount
from engines.papyrus.evidence import Evidence, conquered
from engines.papyrus.moves import (
    Buy,
    Cleared,
    Decline,
    Draw,
    Form,
    Gain,
    Go,
    Lose,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.notation import short, title
from engines.papyrus.numbers import God
from engines.papyrus.state import PapyrusState
from engines.papyrus.travel import brief, payments, roads
from engines.papyrus.winning import winnable
from engines.rulebook import rulebook

MOST_BEFORE = 4
"""More turns than this that nobody saw are not thought of."""
MOST_WAYS = 40


class Act(NamedTuple):
    """One thing that was done. ``before``: what must have happened unseen first; ``refusal``: why it is wrong although the rules, which do
    not see the table, would allow the move; ``waiting``: it is half done, and what comes next, in 21 letters; ``half``: it may as well belong
    to the move before."""

    move: Move | None = None
    before: tuple[Step, ...] = ()
    certain: bool = True
    refusal: Refusal | None = None
    waiting: str = ""
    again: bool = False
    half: bool = False


def acts(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """What may have been done first, likeliest first."""
    if state.alone:
        yield from _formed(state, evidence)
        return
    match state.stage:
        case "effect":
            mine = list(_answers(state, evidence))
        case "arrived":
            mine = list(_won(state, evidence))
        case "turn":
            mine = list(_turn(state, evidence))
        case _:
            mine = []
    if mine:
        yield from mine
        return
    yield from _others(state, evidence)


# The player to move


def _turn(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """A journey, an exchange; a god laid down before the pawn has arrived."""
    player = state.to_move
    moved = dict(evidence.moved)
    if player in moved:
        yield from _journeys(state, evidence, player, moved[player])
    elif evidence.played.came and not moved and not evidence.built:
        yield from _hidden(state, evidence, player)
    if not moved or player not in moved:
        yield from _swaps(player, evidence)
    if (evidence.formed.came or evidence.built) and not moved:
        yield from _won(state, evidence)


def _journeys(state: PapyrusState, evidence: Evidence, player: int, place: str) -> Iterator[Act]:
    """The pawn went there: with all cards that came, with some of them (the others are another's), or half paid."""
    came = evidence.played.came
    ways_from = roads(state).ways[state.seats[player].place]
    way = ways_from.get(place)
    move = Travel(player, place, came)
    if evidence.shown.came:
        # An event card has set the pawn on from where the journey went.
        for target in ways_from:
            onward = Travel(player, target, came)
            if target in roads(state).events and target != place and rules.refusal(state, onward) is None:
                yield Act(onward)
    if rules.refusal(state, move) is None:
        yield Act(move)
    elif way is None:
        yield Act(move)
        return
    wild = "eye_of_horus=wild" in state.options
    ways = payments(way, wild) if way is not None else ()
    for cards in ways:
        if Counter(cards) < Counter(came) and rules.refusal(state, Travel(player, place, cards)) is None:
            yield Act(Travel(player, place, cards))
    if rules.refusal(state, move) is None or way is None:
        return
    all_there = (*came, *evidence.played.left)
    # The last player's cards may have been put away and others laid down between two looks: the like, or such as cannot be told.
    untold = evidence.played.hidden == len(evidence.played.left)
    if covered := paid_by(state, evidence, evidence.played.hidden) if untold else []:
        yield from (Act(one, (Cleared("played"),), certain=False) for one in covered)
    elif not came and any(Counter(all_there) == Counter(cards) for cards in ways):
        yield Act(Travel(player, place, all_there), (Cleared("played"),), certain=False)
    elif not came:
        yield Act(waiting=f"Pay {brief(way)}")
    elif any(Counter(came) < Counter(cards) for cards in ways):
        yield Act(move, again=True)
    else:
        yield Act(move)


def _hidden(state: PapyrusState, evidence: Evidence, player: int) -> Iterator[Act]:
    """Cards were laid down and the pawn is not where it stood, as far as can be seen: it may be what stands beside an own pyramid."""
    places = [place for seat, place in evidence.perhaps if seat == player and player in evidence.lost]
    legal = [Travel(player, place, evidence.played.came) for place in dict.fromkeys(places) if place]
    legal = [move for move in legal if rules.refusal(state, move) is None]
    yield from (Act(move, certain=False) for move in legal)
    if not legal:
        yield Act(waiting="Now move your pawn")


def paid_by(state: PapyrusState, evidence: Evidence, unknown: int) -> list[Travel]:
    """Journeys of the player to move that all cards that came pay together with ``unknown`` others, of whatever face."""
    place = dict(evidence.moved).get(state.to_move, "")
    way = roads(state).ways[state.seats[state.to_move].place].get(place)
    if way is None or not unknown:
        return []
    came = Counter(evidence.played.came)
    ways = [Counter(cards) for cards in payments(way, "eye_of_horus=wild" in state.options)]
    fitting = [cards for cards in ways if cards >= came and (cards - came).total() == unknown]
    moves = [Travel(state.to_move, place, tuple(cards.elements())) for cards in fitting]
    return [move for move in dict.fromkeys(moves) if rules.refusal(state, move) is None]


def named_by(state: PapyrusState, evidence: Evidence, unknown: int) -> list[Win]:
    """Gods that are won where all that came spells their name together with ``unknown`` hieroglyphs, of whatever letter."""
    gods = [state.numbers.gods[name] for name in evidence.formed.came if name in state.numbers.gods]
    letters = Counter(name for name in evidence.formed.came if name not in state.numbers.gods)
    if not gods and unknown == 1:
        return _by_name(state, evidence)
    if len(gods) != 1 or not unknown:
        return []
    (god,), move = gods, Win(state.to_move, gods[0].id)
    lacking = Counter(god.letters) - letters
    stands = (move.player, god.pyramid) in {*evidence.built, *evidence.perhaps, *conquered(state)}
    fits = stands and Counter(god.letters) >= letters and lacking.total() == unknown
    return [move] if fits and rules.refusal(state, move) is None else []


def misnamed_by(state: PapyrusState, evidence: Evidence) -> list[Win]:
    """Gods that must not be won: a card that cannot be told, a whole name, and a pyramid is set where no god of that name is won."""
    others = evidence.moved or evidence.played.came or evidence.paid
    if others or evidence.formed.unread != 1 or not evidence.built or _by_name(state, evidence):
        return []
    moves = [Win(state.to_move, god.id) for god in _spelt(state, evidence)]
    return [move for move in moves if rules.refusal(state, move) is not None]


def _by_name(state: PapyrusState, evidence: Evidence) -> list[Win]:
    """Gods that are won where a name is formed and its pyramid stands, and no god card can be told."""
    there = {*evidence.built, *evidence.perhaps, *conquered(state)}
    moves = [
        Win(state.to_move, god.id) for god in _spelt(state, evidence) if (state.to_move, god.pyramid) in there
    ]
    return [move for move in moves if rules.refusal(state, move) is None]


def _spelt(state: PapyrusState, evidence: Evidence) -> list[God]:
    """The gods of the name that was formed."""
    letters = Counter(evidence.formed.came)
    return [god for god in state.numbers.gods.values() if letters and Counter(god.letters) == letters]


def _swaps(player: int, evidence: Evidence) -> Iterator[Act]:
    """A hieroglyph came to lie open; one of those that lay there may have gone."""
    for pay in dict.fromkeys(evidence.paid):
        for take in (*dict.fromkeys(evidence.taken), None):
            if take is not None or len(evidence.taken) < len(evidence.paid):
                yield Act(Swap(player, pay, take))


def _won(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """A god was laid down with its name, a pyramid set, a scarab laid on the scroll: step by step."""
    new, built = evidence.formed.came, evidence.built
    gods = [name for name in new if name in state.numbers.gods]
    letters = Counter(name for name in new if name not in state.numbers.gods)
    player = built[0][0] if len(built) == 1 else state.to_move
    if not gods:
        # A card that was not seen: the name and the pyramid say which it has to be.
        spelled = [Act(move, certain=False) for move in _by_name(state, evidence)]
        spelled = spelled or list(_put_away(state, evidence))
        yield from spelled
        if not spelled and (letters or built):
            yield Act(waiting="Show the god card")
        return
    god = state.numbers.gods[gods[0]]
    move = Win(player, god.id)
    refusal = rules.refusal(state, move)
    arrived = state.stage == "arrived"
    if len(gods) > 1:
        yield Act(move, refusal=rulebook("papyrus").refuse("Y28", "one", {}))
    elif refusal is not None and (arrived or built):
        yield Act(move)
    elif refusal is not None:
        yield Act(waiting="Now move your pawn")
    else:
        yield _spelled(state, evidence, move, god, letters)


def _put_away(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """A pyramid was set and a scarab laid, and card and name were put away before they were read: which god it was is asked. Whoever breaks a
    rule after that is told, whichever it was."""
    player, place = state.to_move, state.seats[state.to_move].place
    scored = bool(evidence.scarabs[player]) and evidence.built == ((player, place),)
    if state.stage != "arrived" or not scored or evidence.formed.came:
        return
    wins = [Win(player, god.id) for god in winnable(state, player)]
    wins = [move for move in wins if rules.refusal(state, move) is None]
    came = evidence.played.came
    if not (evidence.moved or evidence.paid or evidence.taken or came):
        yield from (Act(move, certain=False) for move in wins)
        return
    for seat, there in evidence.moved:
        move = Travel(seat, there, came)
        after = [rules.apply(state, win) for win in wins]
        found = [rules.refusal(one, move) for one in after if one.to_move == seat and one.stage == "turn"]
        if found and len(found) == len(wins) and all(one == found[0] for one in found):
            yield Act(move, refusal=found[0])


def _spelled(
    state: PapyrusState, evidence: Evidence, move: Win | Form, god: God, letters: Counter[str]
) -> Act:
    """A god that may be won: is its name spelled, does everything lie where it belongs?"""
    needed = Counter(god.letters)
    if letters - needed:
        wrong = rulebook("papyrus").refuse("Y26", "spelled", _spelling(god))
        return Act(move, refusal=wrong)
    lacking = sorted((needed - letters).elements())
    if lacking:
        return Act(waiting=f"Lay {', '.join(lacking)}"[:21])
    here = (move.player, god.pyramid)
    stands = state.alone or here in evidence.built or bool(conquered(state)[here])
    if not stands and here not in evidence.perhaps:
        return Act(waiting=f"Pyramid on {title(god.pyramid)}"[:21])
    # A scarab that does not lie there yet may have been overlooked, a pyramid hide behind the own pawn: then it is asked.
    more = evidence.scarabs[move.player]
    return Act(move, certain=stands and (more is None or more > 0))


def _spelling(god: God) -> dict[str, str]:
    return {"god": short(god.id), "letters": " ".join(god.letters)[:21], "word": "".join(god.letters)[:16]}


def _formed(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """Alone: a name was formed. Whose it is, among several, the scarab says."""
    new = evidence.formed.came
    gods = [name for name in new if name in state.numbers.gods]
    if not gods:
        yield Act(waiting="Show the god card")
        return
    scored = [seat for seat, more in enumerate(evidence.scarabs) if more]
    player = scored[0] if len(scored) == 1 else state.to_move
    god = state.numbers.gods[gods[0]]
    letters = Counter(name for name in new if name not in state.numbers.gods)
    if player != state.to_move:
        yield from _later(state, player, Form(player, god.id), None)
        return
    move = Form(player, god.id)
    yield Act(move) if rules.refusal(state, move) else _spelled(state, evidence, move, god, letters)


def _answers(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """What an event card asks for."""
    effect, player = state.pending[0], state.to_move
    number = amount(state, effect)
    match effect.verb:
        case "gain":
            yield from _some(Gain, player, evidence.taken, number, alone=not evidence.paid, what="hieroglyph")
        case "lose":
            cards = effect.what == "card"
            came = evidence.played.came if cards else evidence.paid
            alone = not (evidence.moved if cards else evidence.taken)
            yield from _some(Lose, player, came, number, alone=alone, what=effect.what)
        case "take" | "swap":
            choices, _ = effects.choices(state)
            for move in choices:
                yield Act(move, certain=len(choices) == 1)
        case "move":
            place = dict(evidence.moved).get(player)
            if place is not None:
                yield Act(Go(player, place))


def _some(
    kind: type[Gain] | type[Lose], player: int, pieces: Sequence[str], number: int, alone: bool, what: str
) -> Iterator[Act]:
    """So many of the pieces; too few are waited for, too many are refused unless others may have done that."""
    if not pieces:
        return
    if len(pieces) < number:
        verb = "Take" if kind is Gain else "Lay"
        yield Act(waiting=f"{verb} {number - len(pieces)} more")
        return
    if len(pieces) > number and alone:
        yield Act(kind(player, tuple(pieces)))
        return
    for chosen in list(dict.fromkeys(combinations(sorted(pieces), number)))[:MOST_WAYS]:
        yield Act(kind(player, chosen))


# Others


def _others(state: PapyrusState, evidence: Evidence) -> Iterator[Act]:
    """What only a later player can have done, after turns that nobody saw; or it was done out of turn."""
    # Before the event card is turned up nobody goes on, whoever it is.
    due = rulebook("papyrus").refuse("V1", "due", {}) if state.stage == "event" else None
    for seat, place in evidence.moved:
        yield from _later(state, seat, Travel(seat, place, evidence.played.came), due)
    if evidence.moved:
        return
    if evidence.paid:
        seat = (state.to_move + 1) % len(state.seats)
        pay, take = evidence.paid[0], evidence.taken[0] if evidence.taken else None
        yield from _later(state, seat, Swap(seat, pay, take), due)
    elif evidence.played.came and not evidence.built and state.stage in ("arrived", "event"):
        yield _laid(state, evidence)


def _laid(state: PapyrusState, evidence: Evidence) -> Act:
    """Cards were laid after a journey, and no pawn has moved: the next player's, who says so that no god was won. So long as those that paid the
    journey lie there, they may be more of them."""
    after = rules.apply(state, Decline(state.to_move)) if state.stage == "arrived" else state
    waiting = "Turn up the event" if after.stage == "event" else "Now move your pawn"
    return Act(waiting=waiting, half=bool(evidence.played.left))


def _later(state: PapyrusState, seat: int, move: Move, due: Refusal | None) -> Iterator[Act]:
    """The turn has come to somebody else. What they did is read anew there; as it stands it is out of turn."""
    unseen = _unseen(state, seat)
    certain = unseen is not None and unseen[1]
    if unseen is not None:
        yield Act(unseen[0][-1], unseen[0][:-1], certain)
    if not certain:
        # Who has arrived and does not win has no second turn.
        arrived = state.stage == "arrived" and seat == state.to_move
        yield Act(move, (Decline(seat),) if arrived else (), certain=False, refusal=due)


def _unseen(state: PapyrusState, seat: int) -> tuple[tuple[Move, ...], bool] | None:
    """The moves without a trace after which it is somebody's turn, and whether they say themselves; None when there are none."""
    moves: list[Move] = []
    certain = True
    while state.to_move != seat or state.stage != "turn" or not moves:
        player = state.to_move
        move: Move = Buy(player) if state.alone else Draw(player)
        if state.stage == "arrived":
            move = Decline(player)
        elif state.stage != "turn":
            return None
        else:
            certain = False
        if len(moves) == MOST_BEFORE or rules.refusal(state, move) is not None:
            return None
        moves.append(move)
        state = rules.apply(state, move)
    return tuple(moves), certain


def whom(state: PapyrusState) -> tuple[TakeFrom | SwapWith, ...]:
    """From whom an event card may take, or with whom it exchanges; empty when it asks for nothing of the kind."""
    if state.stage != "effect" or state.pending[0].verb not in ("take", "swap"):
        return ()
    moves, _ = effects.choices(state)
    return tuple(move for move in moves if isinstance(move, TakeFrom | SwapWith))
