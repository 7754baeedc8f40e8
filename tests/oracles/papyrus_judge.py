"""A judge of Papyrus who keeps every hidden world in a list, and shares no code with the referee.

Written from the rulebook and the rulings alone. There are three kinds of hidden things: movement cards, hieroglyphs and god
cards; a world of one kind says what lies in every hand, in the pile and in the box, in no order, and the kinds have nothing to
do with each other. A step is written as in a record; a move is possible when some world allows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from tests.oracles.papyrus_box import (
    ARRIVE,
    CARDS,
    EVENT,
    GODS,
    TILES,
    Box,
    Pile,
    Table,
    World,
    kind_of,
    less,
    more,
    pieces,
    put,
)


class Judge:
    """A game under way: what lies open, and all worlds there may be."""

    def __init__(self, box: Box, first: int) -> None:
        self.box = box
        self.table = Table(first, [box.start] * box.seats, [0] * box.seats)
        self.pile, self.chest = box.seats, box.seats + 1
        self.worlds: dict[str, frozenset[World]] = {}
        self._hands: dict[tuple[str, int], frozenset[Pile]] = {}
        self.alone = solo = box.seats == 1 or box.options["without_board"] == "yes"
        for kind, there, each in (
            (CARDS, Counter(box.cards), 0 if solo else box.dealt[CARDS]),
            (
                TILES,
                Counter(box.letters),
                0 if solo and box.options["solo_hieroglyphs"] == "none" else box.dealt[TILES],
            ),
            (GODS, Counter(box.gods.keys()), box.dealt[GODS]),
        ):
            everything = tuple(sorted(there.elements()))
            self.worlds[kind] = frozenset({(*((),) * box.seats, everything, ())})
            for seat in range(box.seats):
                self._unseen(kind, self.pile, seat, each)

    def option(self, name: str) -> str:
        return self.box.options[name]

    def size(self, kind: str, place: int) -> int:
        """The same in every world."""
        return len(next(iter(self.worlds[kind]))[place])

    def can(self, kind: str, place: int, shown: Iterable[str]) -> bool:
        """Whether some world lets the place show these."""
        if (kind, place) not in self._hands:
            self._hands[kind, place] = frozenset(world[place] for world in self.worlds[kind])
        wanted = Counter(shown)
        return any(not wanted - Counter(hand) for hand in self._hands[kind, place])

    @property
    def over(self) -> bool:
        return self.table.stage == "over"

    def drawable(self, kind: str) -> int:
        """Cards or hieroglyphs that can still be drawn."""
        if kind == CARDS:
            return self.size(CARDS, self.pile) + len(self.table.discards)
        again = 0 if self.option("used_hieroglyphs") == "out" else len(self.table.heap)
        return self.size(TILES, self.pile) + again

    # What is possible

    def possible(self, seat: int, text: str) -> bool:
        """Whether some world allows a move, or an event card to be turned up (``reveal event ...``)."""
        table = self.table
        if text.startswith("reveal event "):
            event = text.removeprefix("reveal event ")
            copies = self.box.events.get(event, (0, ()))[0]
            whole = sum(n for n, _ in self.box.events.values())
            shown = table.shown if len(table.shown) < whole else []
            return table.stage == "event" and shown.count(event) < copies
        if self.over or seat != table.turn:
            return False
        verb, _, rest = text.partition(" ")
        if self.alone:
            return self._alone(seat, verb, rest)
        if table.stage == "arrived":
            return verb == "decline" or (verb == "win" and self._win(seat, rest))
        if table.stage == "effect":
            return self._answer(seat, verb, rest)
        if table.stage != "turn":
            return False
        match verb:
            case "draw":
                return self.drawable(CARDS) > 0
            case "pass":
                return self.option("passing") == "yes" or not self._able(seat)
            case "move":
                place, paid = rest.removeprefix("to ").split(" paying ")
                return self._pays(self.box.roads[table.places[seat]].get(place), pieces(paid)) and self.can(
                    CARDS, seat, pieces(paid)
                )
            case "swap":
                return self._swap(seat, rest)
            case "win":
                return self.option("win_where_you_stand") == "yes" and self._win(seat, rest)
        return False

    def _able(self, seat: int) -> bool:
        """Whether the player can draw cards or swap a hieroglyph."""
        swap = self.size(TILES, seat) > 0 and (self.drawable(TILES) > 0 or self.table.row)
        return self.drawable(CARDS) > 0 or bool(swap)

    def _pays(self, road: tuple[Counter[str], bool] | None, paid: Pile) -> bool:
        """Exactly one card per square, an Eye of Horus for any of them."""
        if road is None:
            return False
        price, given = road[0], Counter(paid)
        eyes = given.pop("eye", 0)
        if eyes and self.option("eye_of_horus") != "wild":
            return False
        return not given - price and (price - given).total() == eyes

    def _swap(self, seat: int, rest: str) -> bool:
        pay, _, take = rest.partition(" ")
        if not self.can(TILES, seat, (pay,)):
            return False
        if take == "from bag":
            return self.drawable(TILES) > 0
        return take.removeprefix("for ") in self.table.row

    def _win(self, seat: int, rest: str) -> bool:
        said = rest.split()
        if said[0] not in self.box.gods:
            return False
        pyramid, letters = self.box.gods[said[0]]
        number = int(said[-1]) if "drawing" in said else 0
        again = 0 if self.option("used_hieroglyphs") == "out" else len(letters)
        return (
            pyramid == self.table.places[seat]
            and self.can(GODS, seat, (said[0],))
            and self.can(TILES, seat, letters)
            and number <= min(len(letters), self.drawable(TILES) + again)
        )

    def _alone(self, seat: int, verb: str, rest: str) -> bool:
        match verb:
            case "buy":
                cards = self.size(CARDS, self.pile) > 0 or self.option("solo_cards") == "reshuffle"
                return cards and self.drawable(TILES) > 0
            case "form":
                god = rest.split()[0]
                return (
                    god in self.box.gods
                    and self.can(GODS, seat, (god,))
                    and self.can(TILES, seat, self.box.gods[god][1])
                )
        return verb == "stop"

    # Effects of event cards, in the words of the owner's file

    def _number(self, effect: str) -> int:
        """How many it comes to: nobody loses what is not in the hand, nobody gains what does not lie open."""
        verb, number = effect.split()[:2]
        if verb == "gain":
            return min(int(number), len(self.table.row))
        if verb == "lose":
            return min(int(number), self.size(kind_of(effect), self.table.turn))
        return int(number)

    def _partners(self, effect: str) -> list[int]:
        mine, kind = self.table.turn, kind_of(effect)
        others = [seat for seat in range(self.box.seats) if seat != mine]
        if effect.startswith("swap") and self.size(kind, mine):
            return others
        return [seat for seat in others if self.size(kind, seat)]

    def _asks(self, effect: str) -> bool:
        if effect.startswith(("take", "swap")):
            return bool(self._partners(effect))
        if effect.startswith(("gain", "lose")):
            return "scarab" not in effect and self._number(effect) > 0
        return effect == "move anywhere"

    def _answer(self, seat: int, verb: str, rest: str) -> bool:
        effect = self.table.todo[0]
        asked = effect.split()[0]
        match verb:
            case "gain" | "lose" if verb == asked:
                given = pieces(rest)
                if len(given) != self._number(effect):
                    return False
                if verb == "gain":
                    return not Counter(given) - Counter(self.table.row)
                return self.can(kind_of(effect), seat, given)
            case "take" | "exchange" if asked == {"take": "take", "exchange": "swap"}[verb]:
                return int(rest.split("-")[1]) - 1 in self._partners(effect)
            case "go":
                return effect == "move anywhere" and rest.removeprefix("to ") in self.box.roads
        return False

    # What happens

    def play(self, seat: int, text: str) -> None:
        """Takes in a step that is possible."""
        verb, _, rest = text.partition(" ")
        table = self.table
        if verb == "reveal":
            event = rest.removeprefix("event ")
            if len(table.shown) >= sum(n for n, _ in self.box.events.values()):
                table.shown = []
            table.shown.append(event)
            table.todo[:1] = self.box.events[event][1]
        elif table.stage == "arrived" and verb == "decline":
            table.todo.pop(0)
        elif table.stage == "effect":
            self._answered(seat, verb, rest)
        else:
            if table.stage == "arrived":
                table.todo.pop(0)
            getattr(self, f"_{verb}_")(seat, rest)
        if self.alone:
            self._on()
        else:
            self._settle()

    def _draw_(self, seat: int, rest: str) -> None:
        self._draw(CARDS, seat, 2)

    def _pass_(self, seat: int, rest: str) -> None:
        pass

    def _move_(self, seat: int, rest: str) -> None:
        place, paid = rest.removeprefix("to ").split(" paying ")
        passed = self.box.roads[self.table.places[seat]][place][1]
        self._out(CARDS, seat, pieces(paid))
        self.table.discards += pieces(paid)
        self.table.places[seat] = place
        self.table.todo = [ARRIVE, EVENT] if passed or place in self.box.stops else [ARRIVE]

    def _swap_(self, seat: int, rest: str) -> None:
        pay, _, take = rest.partition(" ")
        self._out(TILES, seat, (pay,))
        self.table.row.append(pay)
        if take == "from bag":
            self._draw(TILES, seat, 1)
        else:
            self.table.row.remove(take.removeprefix("for "))
            self._into(TILES, seat, (take.removeprefix("for "),))

    def _win_(self, seat: int, rest: str) -> None:
        said = rest.split()
        letters = self.box.gods[said[0]][1]
        self._use(seat, said[0])
        self._draw(TILES, seat, int(said[-1]) if "drawing" in said else len(letters))
        if "without" not in said:
            self._draw(GODS, seat, 1)
        if self.table.final is None and not self.size(GODS, self.pile) and not self.size(GODS, seat):
            seats = self.box.seats
            self.table.final = [(seat + n) % seats for n in range(1, seats)]

    def _use(self, seat: int, god: str) -> None:
        """The god and the hieroglyphs of its name leave the hand."""
        letters = self.box.gods[god][1]
        self._out(GODS, seat, (god,))
        self._out(TILES, seat, letters)
        if self.option("used_hieroglyphs") == "bag":
            self._into(TILES, self.pile, letters)
        else:
            self.table.heap += letters

    def _buy_(self, seat: int, rest: str) -> None:
        if not self.size(CARDS, self.pile):
            self._unseen(CARDS, self.chest, self.pile, self.size(CARDS, self.chest))
        self._unseen(CARDS, self.pile, self.chest, 1)
        self._draw(TILES, seat, 1)

    def _form_(self, seat: int, rest: str) -> None:
        said = rest.split()
        self._use(seat, said[0])
        if "without" not in said:
            self._draw(GODS, seat, 1)

    def _stop_(self, seat: int, rest: str) -> None:
        self.table.stopped.add(seat)

    def _on(self) -> None:
        """Without the board: the next who has a god in the hand and has not given up."""
        seats = self.box.seats
        for seat in [(self.table.turn + n) % seats for n in range(1, seats + 1)]:
            if self.size(GODS, seat) and seat not in self.table.stopped:
                self.table.turn = seat
                return
        self.table.stage = "over"

    def _answered(self, seat: int, verb: str, rest: str) -> None:
        table = self.table
        effect = table.todo.pop(0)
        match verb:
            case "gain":
                for letter in pieces(rest):
                    table.row.remove(letter)
                self._into(TILES, seat, pieces(rest))
            case "lose":
                self._out(kind_of(effect), seat, pieces(rest))
                (table.discards if kind_of(effect) == CARDS else table.row).extend(pieces(rest))
            case "take":
                other, kind = int(rest.split("-")[1]) - 1, kind_of(effect)
                self._unseen(kind, other, seat, min(int(effect.split()[1]), self.size(kind, other)))
            case "exchange":
                self._exchange(kind_of(effect), seat, int(rest.split("-")[1]) - 1, int(effect.split()[1]))
            case "go":
                self._go(rest.removeprefix("to "))

    def _go(self, place: str) -> None:
        """An event sets the pawn somewhere: a pyramid is reached by it."""
        if place != self.table.places[self.table.turn]:
            self.table.places[self.table.turn] = place
            if self.option("event_move_reaches") == "yes":
                self.table.todo.insert(0, ARRIVE)

    def _settle(self) -> None:
        """Whatever is due happens, until somebody is asked; then the turn is over."""
        table = self.table
        while table.todo:
            due = table.todo[0]
            if due == EVENT:
                table.stage = "event"
                return
            if due == ARRIVE:
                if any(self._win(table.turn, god) for god in self.box.gods):
                    table.stage = "arrived"
                    return
                table.todo.pop(0)
            elif self._asks(due):
                table.stage = "effect"
                return
            else:
                self._by_itself(table.todo.pop(0))
        self._next()

    def _by_itself(self, effect: str) -> None:
        verb, _, rest = effect.partition(" ")
        turn = self.table.turn
        if verb == "draw":
            self._draw(kind_of(effect), turn, int(rest.split()[0]))
        elif verb == "skip":
            self.table.skips[turn] += int(rest.split()[0])
        elif effect.startswith("move to "):
            self._go(effect.removeprefix("move to "))

    def _next(self) -> None:
        table, seats = self.table, self.box.seats
        table.stage = "turn"
        if table.final is None and not any(self.size(GODS, seat) for seat in range(seats)):
            table.stage = "over"
            return
        while True:
            if table.final is None:
                table.turn = (table.turn + 1) % seats
            elif table.final:
                table.turn = table.final.pop(0)
            else:
                table.stage = "over"
                return
            if not table.skips[table.turn]:
                return
            table.skips[table.turn] -= 1

    # The worlds

    def _draw(self, kind: str, seat: int, number: int) -> None:
        """From the pile; when it has run out, what was used is shuffled into a new one."""
        used = {CARDS: self.table.discards, TILES: self.table.heap, GODS: []}[kind]
        if kind == TILES and self.option("used_hieroglyphs") == "out":
            used = []
        for _ in range(number):
            if not self.size(kind, self.pile):
                self._into(kind, self.pile, used)
                used.clear()
            if not self.size(kind, self.pile):
                return
            self._unseen(kind, self.pile, seat, 1)

    def _each(self, kind: str, change: Callable[[World], Iterator[World]]) -> None:
        self.worlds[kind] = frozenset(after for world in self.worlds[kind] for after in change(world))
        self._hands = {key: hands for key, hands in self._hands.items() if key[0] != kind}
        assert self.worlds[kind]

    def _unseen(self, kind: str, source: int, target: int, number: int) -> None:
        """Any cards change place, and nobody says which."""

        def change(world: World) -> Iterator[World]:
            for moved in set(combinations(world[source], number)):
                rest = less(world[source], moved)
                assert rest is not None
                yield put(put(world, source, rest), target, more(world[target], moved))

        self._each(kind, change)

    def _exchange(self, kind: str, one: int, other: int, number: int) -> None:
        def change(world: World) -> Iterator[World]:
            mine, theirs = world[one], world[other]
            for given in set(combinations(mine, min(number, len(mine)))):
                for got in set(combinations(theirs, min(number, len(theirs)))):
                    less_mine, less_theirs = less(mine, given), less(theirs, got)
                    assert less_mine is not None and less_theirs is not None
                    yield put(put(world, one, more(less_mine, got)), other, more(less_theirs, given))

        self._each(kind, change)

    def _out(self, kind: str, place: int, shown: Iterable[str]) -> None:
        """These were seen to leave the place."""
        shown = tuple(shown)

        def change(world: World) -> Iterator[World]:
            rest = less(world[place], shown)
            if rest is not None:
                yield put(world, place, rest)

        self._each(kind, change)

    def _into(self, kind: str, place: int, added: Iterable[str]) -> None:
        added = tuple(added)

        def change(world: World) -> Iterator[World]:
            yield put(world, place, more(world[place], added))

        self._each(kind, change)
