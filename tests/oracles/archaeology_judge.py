"""A judge of Archaeology who keeps every hidden world in a list, and shares no code with the referee.

Written from the rulebook and the rulings alone. A world says which treasures lie in every hand, chamber,
pile and in the dig site, in no order; the judge holds all worlds that fit what was said and shown so far. A step is
written as in a record. A move is possible when some world allows it; what the table shows, when some world has it so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

Pile = tuple[str, ...]
"""Treasures, sorted by name."""
World = tuple[Pile, ...]
"""The hands by seat, the chambers, the pile of the Buried Ruins, and last the treasures of the dig site."""


@dataclass(frozen=True)
class Box:
    """The numbers of a game that is cut down: what takes part, and what is printed on it."""

    seats: int
    monument: str
    copies: Mapping[str, int]
    trade: Mapping[str, int]
    largest: Mapping[str, int]
    thieves: int
    sandstorms: int
    hand: int
    market: int
    chambers: tuple[int, ...]
    maps: tuple[int, ...]
    keep: int = 2
    limit: int = 5
    draws: int = 5
    pile: int = 0
    options: frozenset[tuple[str, str]] = frozenset()
    """Those that are not at their default, as (name, value)."""

    def on(self, name: str, value: str) -> bool:
        return (name, value) in self.options

    @property
    def laid(self) -> tuple[int, ...]:
        """How many cards lie face down in each chamber at the start."""
        return (0,) * len(self.chambers) if self.monument == "buried-ruins" else self.chambers

    @property
    def beside(self) -> int:
        """Cards that are dealt face down for the Buried Ruins, with those that are turned up in the set-up."""
        return self.pile + sum(self.chambers) if self.monument == "buried-ruins" else 0


@dataclass(frozen=True)
class Board:
    """What lies open, and whose turn it is."""

    stage: str
    turn: int
    thieves: int
    storms: int
    market: Pile = ()
    ruins: tuple[Pile, ...] = ()
    tents: frozenset[int] = frozenset()
    sheltered: frozenset[int] = frozenset()
    waiting: tuple[int, ...] = ()
    dug: bool = False
    explored: bool = False
    sold: bool = False
    peek: bool = False
    mine: Pile = ()
    named: Pile = ()
    passers: frozenset[int] = frozenset()
    """Who has passed since the last turn with a dig, a sale or an exploration."""


class Judge:
    """A game under way: the board, and all worlds there may be."""

    def __init__(self, box: Box, first: int) -> None:
        self.box = box
        self.board = Board(
            "market",
            first,
            box.thieves,
            box.sandstorms,
            ruins=((),) * len(box.chambers) if box.monument == "buried-ruins" else (),
            tents=frozenset(range(box.seats)),
        )
        self.worlds: frozenset[World] = frozenset()
        self._contents: dict[int, frozenset[Pile]] = {}

    # Sizes are the same in every world.

    def size(self, place: int) -> int:
        return len(next(iter(self.worlds))[place]) if self.worlds else 0

    def may_hold(self, place: int, shown: Pile) -> bool:
        """Whether these cards lie in a place, in some world."""
        if place not in self._contents:
            self._contents[place] = frozenset(world[place] for world in self.worlds)
        return any(_within(shown, pile) for pile in self._contents[place])

    def chamber(self, number: int) -> int:
        """The place of a chamber, from 1."""
        return self.box.seats + number - 1

    @property
    def pile(self) -> int:
        return self.box.seats + len(self.box.chambers)

    @property
    def dig(self) -> int:
        return self.pile + 1

    def lies_in(self, number: int) -> int:
        """How many cards lie in a chamber."""
        if self.box.monument == "buried-ruins":
            return len(self.board.ruins[number - 1])
        return self.size(self.chamber(number))

    @property
    def diggable(self) -> int:
        return self.size(self.dig) + self.board.thieves + self.board.storms

    @property
    def over(self) -> bool:
        held = sum(self.size(seat) for seat in range(self.box.seats))
        stage = self.board.stage
        return stage == "over" or (stage in ("dig", "act") and not self.diggable and not held)

    def acting(self) -> int:
        board = self.board
        return board.waiting[0] if board.stage in ("tents", "lose") else board.turn

    # What is possible

    def possible(self, seat: int, text: str) -> bool:
        """Whether some world allows a move, or what the table is said to show (``reveal ...``)."""
        if text.startswith("reveal "):
            return self._visible(text.removeprefix("reveal "))
        shown = self._shown_by(seat, text)
        return shown is not None and self.may_hold(seat, shown)

    def _shown_by(self, seat: int, text: str) -> Pile | None:
        """The cards of the own hand that a move shows, if the board allows it; None when it does not."""
        board, box = self.board, self.box
        verb, _, rest = text.partition(" ")
        if self.over or seat != self.acting():
            return None
        right = {"dig": "dig", "steal": "steal", "tent": "tents", "lose": "lose"}
        right |= dict.fromkeys(("draw", "stop", "bust"), "mine")
        if board.stage != right.get(verb, "act"):
            return None
        value = sum(box.trade[face] for face in board.mine)
        match verb:
            case "steal":
                victim = int(rest.removeprefix("from player-")) - 1
                robbed = victim != seat and 0 <= victim < box.seats
                return () if robbed and (self.size(victim) or box.on("thief_target", "anyone")) else None
            case "lose":
                lost = cards(rest)
                return lost if len(lost) == self.size(seat) // 2 else None
            case "trade":
                give, take = map(cards, rest.split(" for "))
                given, taken = (sum(box.trade.get(face, 0) for face in pile) for pile in (give, take))
                some = give and (take or box.on("trade_for_nothing", "yes"))
                return give if some and _within(take, board.market) and given >= taken else None
            case "sell":
                sold = cards(rest)
                if len(set(sold)) != 1:
                    return None
                together = sold[0] == "map" and box.on("maps_sold", "together")
                return sold if together or len(sold) <= box.largest[sold[0]] else None
            case "explore":
                return None if board.explored else self._explored_by(rest)
            case "peek":
                fits = box.monument == "temple" and board.peek and 1 <= int(rest) <= len(box.chambers)
                return () if fits and self.lies_in(int(rest)) else None
            case "draw":
                return () if value <= box.limit and self.lies_in(1) else None
            case "stop":
                return () if value <= box.limit else None
            case "bust":
                return () if value > box.limit else None
            case "end":
                holders = {other for other in range(box.seats) if self.size(other)}
                stuck = holders and holders <= board.passers and seat in holders
                free = board.dug or board.sold or box.on("full_passes", "free")
                return None if stuck and not free else ()
        return ()

    def _explored_by(self, rest: str) -> Pile | None:
        box = self.box
        number = 1
        if box.monument == "sphinx":
            named = cards(rest) if rest and not rest.isdigit() else ()
            if len(named) != 2 or named[0] == named[1]:
                return None
        elif box.monument == "mine":
            if rest:
                return None
        else:
            if not rest.isdigit() or not 1 <= int(rest) <= len(box.chambers):
                return None
            number = int(rest)
        return ("map",) * box.maps[number - 1] if self.lies_in(number) else None

    def _visible(self, what: str) -> bool:
        board, box = self.board, self.box
        kind, _, rest = what.partition(" ")
        match kind:
            case "treasure" | "thief" | "sandstorm":
                left = {"treasure": self.size(self.dig), "thief": board.thieves, "sandstorm": board.storms}
                return board.stage == "drawn" and left[kind] > 0
            case "market":
                laid = Counter(cards(rest))
                fits = all(face != "map" and n <= box.copies.get(face, 0) for face, n in laid.items())
                return board.stage == "market" and laid.total() == box.market and fits
            case "chamber":
                number, face = rest.split()
                right = board.stage in ("laying", "refill") and int(number) in board.waiting
                return right and self.may_hold(self.pile, (face,))
            case "cards":
                drawn = cards(rest)
                due = {"mine?": 1, "sphinx?": min(box.draws, self.lies_in(1))}.get(board.stage, -1)
                return len(drawn) == due and self.may_hold(self.chamber(1), drawn)
        raise ValueError(what)

    # What happens

    def play(self, seat: int, text: str) -> None:
        """Takes in a step that is possible."""
        self._contents = {}
        if text.startswith("reveal "):
            self._see(text.removeprefix("reveal "))
            return
        shown = self._shown_by(seat, text)
        assert shown is not None
        self._each(
            lambda world: _put(world, seat, less) if (less := _less(world[seat], shown)) is not None else None
        )
        self.board = replace(self.board, peek=False)
        verb, _, rest = text.partition(" ")
        getattr(self, f"_{verb}")(seat, rest)

    def _each(self, change: Callable[[World], World | None]) -> None:
        self.worlds = frozenset(after for world in self.worlds if (after := change(world)) is not None)

    def _unseen(self, source: int, target: int, number: int = 1) -> None:
        """Any cards change place, and nobody says which."""
        self.worlds = frozenset(
            _put(_put(world, source, rest), target, _more(world[target], moved))
            for world in self.worlds
            for moved in set(combinations(world[source], number))
            if (rest := _less(world[source], moved)) is not None
        )

    def _into(self, place: int, added: Pile) -> None:
        self._each(lambda world: _put(world, place, _more(world[place], added)))

    def _out_of(self, place: int, shown: Pile) -> None:
        self._each(
            lambda world: (
                _put(world, place, less) if (less := _less(world[place], shown)) is not None else None
            )
        )

    def _turn(self, seat: int) -> None:
        stage = "dig" if self.diggable else "act"
        self.board = replace(self.board, stage=stage, turn=seat, dug=False, explored=False, sold=False)

    def _dig(self, seat: int, rest: str) -> None:
        self.board = replace(self.board, stage="drawn", dug=True)

    def _steal(self, seat: int, rest: str) -> None:
        victim = int(rest.removeprefix("from player-")) - 1
        self._unseen(victim, seat, min(1, self.size(victim)))
        self.board = replace(self.board, stage="act")

    def _tent(self, seat: int, rest: str) -> None:
        board = self.board
        if rest == "yes":
            board = replace(board, tents=board.tents - {seat}, sheltered=board.sheltered | {seat})
        self.board = replace(board, waiting=board.waiting[1:])
        if not self.board.waiting:
            self._losses([other for other in self._around() if other not in self.board.sheltered])

    def _around(self) -> list[int]:
        """From the left of who drew the storm; who drew it comes last."""
        return [(self.board.turn + n) % self.box.seats for n in range(1, self.box.seats + 1)]

    def _losses(self, seats: Iterable[int]) -> None:
        losers = tuple(seat for seat in seats if self.size(seat) // 2)
        again = "dig" if self.diggable else "act"
        self.board = replace(self.board, stage="lose" if losers else again, waiting=losers)

    def _lose(self, seat: int, rest: str) -> None:
        self.board = replace(self.board, market=_more(self.board.market, cards(rest)))
        self._losses(self.board.waiting[1:])

    def _trade(self, seat: int, rest: str) -> None:
        give, take = map(cards, rest.split(" for "))
        left = _less(self.board.market, take)
        assert left is not None
        self.board = replace(self.board, market=_more(left, give))
        self._into(seat, take)

    def _sell(self, seat: int, rest: str) -> None:
        self.board = replace(self.board, sold=True, peek=True)

    def _peek(self, seat: int, rest: str) -> None:
        """Only the seller has learned something."""

    def _explore(self, seat: int, rest: str) -> None:
        board, monument = self.board, self.box.monument
        self.board = board = replace(board, explored=True)
        if monument in ("mine", "sphinx"):
            named = cards(rest) if rest else ()
            self.board = replace(board, stage=f"{monument}?", named=named)
        elif monument == "buried-ruins":
            at = int(rest) - 1
            self._into(seat, board.ruins[at])
            self.board = replace(board, ruins=(*board.ruins[:at], (), *board.ruins[at + 1 :]))
        else:
            place = self.chamber(int(rest))
            number = min(self.box.keep, self.size(place)) if monument == "tomb" else self.size(place)
            self._unseen(place, seat, number)

    def _draw(self, seat: int, rest: str) -> None:
        self.board = replace(self.board, stage="mine?")

    def _stop(self, seat: int, rest: str) -> None:
        self._into(seat, self.board.mine)
        self.board = replace(self.board, stage="act", mine=())

    def _bust(self, seat: int, rest: str) -> None:
        self._into(self.chamber(1), self.board.mine)
        self.board = replace(self.board, stage="act", mine=())

    def _end(self, seat: int, rest: str) -> None:
        board = self.board
        passed = not (board.dug or board.sold or board.explored)
        self.board = replace(board, passers=board.passers | {seat} if passed else frozenset())
        if not self.diggable and self.box.on("game_end", "dig"):
            self.board = replace(self.board, stage="over")
            return
        others = [other for other in self._around() if self.diggable or self.size(other)]
        self._turn(others[0] if others else self._around()[0])

    def _see(self, what: str) -> None:
        kind, _, rest = what.partition(" ")
        board = self.board
        match kind:
            case "treasure":
                self._unseen(self.dig, board.turn)
                self.board = replace(board, stage="act")
            case "thief":
                found = any(self.size(seat) for seat in range(self.box.seats) if seat != board.turn)
                self.board = replace(board, thieves=board.thieves - 1, stage="steal" if found else "act")
            case "sandstorm":
                chambers = tuple(range(1, len(board.ruins) + 1))
                filled = len(board.ruins) > 0 and self.size(self.pile) >= len(chambers)
                self.board = replace(
                    board, storms=board.storms - 1, stage="refill", waiting=chambers if filled else ()
                )
                self._shelter()
            case "market":
                self._set_up(cards(rest))
            case "chamber":
                number, face = rest.split()
                at = int(number) - 1
                self._out_of(self.pile, (face,))
                ruins = (*board.ruins[:at], _more(board.ruins[at], (face,)), *board.ruins[at + 1 :])
                place = board.waiting.index(int(number))
                waiting = board.waiting[:place] + board.waiting[place + 1 :]
                self.board = replace(board, ruins=ruins, waiting=waiting)
                if board.stage == "refill":
                    self._shelter()
                elif not waiting:
                    self._turn(board.turn)
            case "cards":
                self._drawn(cards(rest))

    def _shelter(self) -> None:
        """When the ruins are filled: who has a tent declares."""
        if self.board.waiting:
            return
        asked = tuple(seat for seat in self._around() if seat in self.board.tents)
        self.board = replace(self.board, stage="tents", waiting=asked, sheltered=frozenset())
        if not asked:
            self._losses(self._around())

    def _drawn(self, drawn: Pile) -> None:
        board = self.board
        self._out_of(self.chamber(1), drawn)
        if board.stage == "mine?":
            self.board = replace(board, stage="mine", mine=_more(board.mine, drawn))
            return
        self._into(board.turn, tuple(face for face in drawn if face in board.named))
        self._into(self.chamber(1), tuple(face for face in drawn if face not in board.named))
        self.board = replace(board, stage="act", named=())

    def _set_up(self, market: Pile) -> None:
        box = self.box
        deck = Counter({face: n for face, n in box.copies.items() if face != "map"}) - Counter(market)
        sizes = (*[box.hand] * box.seats, *box.laid, box.beside)
        maps = ("map",) * box.copies.get("map", 0)
        self.worlds = frozenset(
            (*piles, _more(tuple(left.elements()), maps)) for piles, left in _deals(deck, sizes)
        )
        self.board = replace(self.board, market=market)
        if box.monument == "buried-ruins":
            waiting = tuple(n for n, size in enumerate(box.chambers, start=1) for _ in range(size))
            self.board = replace(self.board, stage="laying", waiting=waiting)
        else:
            self._turn(self.board.turn)


def cards(text: str) -> Pile:
    """``2 coin, mask`` as cards."""
    pile: list[str] = []
    for part in text.split(", ") if text != "nothing" else ():
        number, _, face = part.rpartition(" ")
        pile += [face] * int(number or 1)
    return tuple(sorted(pile))


def _within(few: Pile, many: Pile) -> bool:
    return all(few.count(face) <= many.count(face) for face in set(few))


def _less(pile: Pile, gone: Pile) -> Pile | None:
    left = list(pile)
    for face in gone:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


def _more(pile: Pile, added: Pile) -> Pile:
    return tuple(sorted(pile + added))


def _put(world: World, place: int, pile: Pile) -> World:
    return (*world[:place], pile, *world[place + 1 :])


def _deals(deck: Counter[str], sizes: tuple[int, ...]) -> Iterator[tuple[World, Counter[str]]]:
    """Every way to deal piles of these sizes, with what is left."""
    if not sizes:
        yield (), deck
        return
    for pile in sorted(set(combinations(sorted(deck.elements()), sizes[0]))):
        for piles, left in _deals(deck - Counter(pile), sizes[1:]):
            yield (pile, *piles), left


__all__ = ["Board", "Box", "Judge", "Pile", "World", "cards"]
