"""Games of Archaeology in few words: lines of a record, played one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engines.archaeology import rules
from engines.archaeology.moves import Market
from engines.archaeology.numbers import FACES
from engines.archaeology.state import HANDS, ArchaeologyState
from engines.catalogue import Catalogue, house, override, shipped
from engines.game import Move, Refusal, Step, WrongReveal

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
ANA, BEN, CLEO, DAN, EVE = range(5)
MARKET = "reveal market shard, scrap, coin, talisman, cup"
DUG = ("Ana: dig", "reveal treasure")


@cache
def seen() -> Catalogue:
    """The house numbers as if an owner had read every one of them from the cards."""
    numbers = house("archaeology").numbers
    values = {path: number.value for path, number in numbers.items() if not number.verified}
    return override(house("archaeology"), values, "own", "test")


def with_numbers(values: Mapping[str, Any], base: Catalogue | None = None) -> Catalogue:
    """The catalogue (as far as nothing is said: all seen) with these numbers as the owner's."""
    return override(seen() if base is None else base, values, "own", "test")


def step(line: str, players: int = 5) -> Step:
    """A line like ``Ben: dig`` or ``reveal thief``."""
    name, colon, words = line.partition(": ")
    if not colon:
        return rules.parse(line, 0, NAMES[:players])
    return rules.parse(words, NAMES.index(name), NAMES[:players])


def play(state: ArchaeologyState, *lines: str) -> ArchaeologyState:
    """The state after these lines; one line may hold several, with a semicolon between them."""
    for line in lines:
        for part in line.split("; "):
            state = rules.apply(state, step(part, state.players))
    return state


def begin(
    *lines: str,
    players: int = 2,
    market: str = MARKET,
    numbers: Catalogue | None = None,
    **options: str,
) -> ArchaeologyState:
    """A game of Ana and so many others, after the set-up and these lines. All numbers count as seen unless others are given."""
    state = rules.start(players, 0, options, seen() if numbers is None else numbers)
    if market:
        state = play(state, market)
    return play(state, *lines)


def late() -> ArchaeologyState:
    """Seven rounds later, Ana having dug once more."""
    turns = "Ana: dig; reveal treasure; Ana: end", "Ben: dig; reveal treasure; Ben: end"
    return begin(*turns * 6, *DUG)


def as_shipped(*lines: str, players: int = 2, **options: str) -> ArchaeologyState:
    """The same by the numbers that come with Thoth, of which some are not verified."""
    return begin(*lines, players=players, numbers=shipped("archaeology"), **options)


def move(state: ArchaeologyState, line: str) -> Move:
    made = step(line, state.players)
    assert isinstance(made, Move)
    return made


def refused(state: ArchaeologyState, line: str) -> str:
    """``rule wording`` of the refusal of a move, or an empty text when it is accepted."""
    said = rules.refusal(state, move(state, line))
    return "" if said is None else f"{said.rule} {said.text}"


def refusal(state: ArchaeologyState, line: str) -> Refusal:
    said = rules.refusal(state, move(state, line))
    assert said is not None, f"{line} is accepted"
    return said


def rule_of(state: ArchaeologyState, line: str) -> str:
    """The number of the rule that refuses a move; an empty text when it is accepted."""
    said = rules.refusal(state, move(state, line))
    return "" if said is None else said.rule


def doubted(state: ArchaeologyState, line: str) -> str:
    """The number of the rule that makes a legal move doubtful; an empty text when nothing is asked."""
    assert rule_of(state, line) == "", refused(state, line)
    said = rules.doubt(state, move(state, line))
    return "" if said is None else said.rule


def wrong(state: ArchaeologyState, line: str) -> str:
    """What is said to a reveal that cannot be."""
    try:
        play(state, line)
    except WrongReveal as error:
        return str(error)
    raise AssertionError(f"{line} is accepted")


def hands(state: ArchaeologyState) -> tuple[int, ...]:
    """How many cards each player holds."""
    return tuple(state.held(seat) for seat in range(state.players))


def may_hold(state: ArchaeologyState, seat: int) -> str:
    """The treasures of which the hand may hold one, in the order of FACES."""
    return " ".join(face for face in FACES if state.hidden.possible(HANDS[seat], (face,)))


def dug(state: ArchaeologyState, line: str = "treasure") -> ArchaeologyState:
    """The player whose turn it is digs, and the table shows this."""
    return play(state, f"{NAMES[state.turn]}: dig", f"reveal {line}")


def turns(state: ArchaeologyState, number: int) -> ArchaeologyState:
    """So many turns in which a treasure is dug and nothing else done."""
    for _ in range(number):
        state = play(dug(state), f"{NAMES[state.turn]}: end")
    return state


def first_market(state: ArchaeologyState) -> Market:
    (shown,) = rules.awaited(state)
    assert isinstance(shown, Market)
    return shown
