"""The exact oracle of Ankh: decks cut to at most twelve hidden cards, and every hidden world there may be.

The judge below knows the game by itself and shares no code with the referee: it keeps all worlds (how often each card lies in
each hand, in the pile and among the face-down discards) that fit what the table has shown, and says of a step whether one of them
allows it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Any

from engines.ankh import rules
from engines.catalogue import Catalogue, override, shipped
from engines.game import Move, WrongReveal

Pair = tuple[str, str, bool, bool]
"""(the record so far, the step, whether it is refused, whether some world allows it)."""
Vector = tuple[int, ...]
"""How often each card lies in a place."""
World = tuple[Vector, ...]
"""The hands by seat, the pile, the face-down discards."""

COLOURS = ("green", "yellow", "blue", "red")
MOST = 12
WORLDS = 4000
"""A game that has more worlds than this is left: the next one has fewer cards of more kinds."""
LONGEST = 70
"""Moves of a game."""
ASKED = 14
"""Steps that are asked about in one state."""


@dataclass(frozen=True)
class Box:
    """A small game."""

    seats: int
    hand: int
    copies: dict[str, int]
    first: int
    options: dict[str, str]

    def catalogue(self) -> Catalogue:
        values: dict[str, Any] = {
            f"mummies.{colour}": [self.copies.get(f"{colour}-{value}", 0) for value in range(1, 6)]
            for colour in COLOURS
        }
        papyri = [card for card, n in self.copies.items() for _ in range(n) if card.count("-") == 4]
        values |= {
            "papyri.cards": papyri,
            "deck.papyri": len(papyri),
            "deck.mummies": sum(self.copies.values()) - len(papyri),
            "deck.hand": self.hand,
        }
        return override(shipped("ankh"), values, "own", "cut deck")

    def __str__(self) -> str:
        cards = ", ".join(f"{n} {card}" for card, n in self.copies.items())
        switched = ", ".join(f"{name} {value}" for name, value in self.options.items())
        return (
            f"{self.seats} players, player-{self.first + 1} begins, hands of {self.hand}, {switched}, {cards}"
        )


def cut(rng: random.Random) -> Box:
    """A game of two or three with few cards, in which every rule can still happen."""
    seats = rng.choice((2, 2, 3))
    hand = rng.choice((1, 2, 2, 3, 4) if seats == 2 else (1, 2, 2, 3))
    total = rng.randint(max(seats * hand + 1, 7), MOST + 1)
    papyri: Counter[str] = Counter()
    for _ in range(rng.randint(2, max(2, total // 3))):
        colours = rng.choice(list(permutations(COLOURS))[:: rng.choice((1, 5, 11))])
        papyri[f"{'-'.join(colours)}-{rng.choice((1, 2, 2, 3, 3, 4))}"] += 1
    kinds = [f"{rng.choice(COLOURS)}-{rng.randint(1, 5)}" for _ in range(rng.randint(2, 4))]
    mummies = Counter(rng.choice(kinds) for _ in range(max(1, total - papyri.total())))
    options = {
        "target": rng.choice(("50", "150")),
        "sacrifices": rng.choice(("open", "open", "hidden")),
        "passing": rng.choice(("no", "no", "yes")),
        "tie": rng.choice(("shared", "play-on")),
    }
    return Box(seats, hand, dict(sorted((mummies + papyri).items())), rng.randrange(seats), options)


def below(have: Vector, n: int) -> tuple[Vector, ...]:
    """Every way to take ``n`` cards from these."""
    return _below(have, n)


@lru_cache(maxsize=100_000)
def _below(have: Vector, n: int) -> tuple[Vector, ...]:
    if not have:
        return ((),) if n == 0 else ()
    return tuple((k, *rest) for k in range(min(have[0], n) + 1) for rest in _below(have[1:], n - k))


def plus(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def minus(one: Vector, other: Vector) -> Vector:
    return tuple(a - b for a, b in zip(one, other, strict=True))


@dataclass
class Judge:
    """The open table, and every hidden world."""

    box: Box
    faces: list[str] = field(init=False)
    worlds: set[World] = field(init=False)
    rows: list[list[str]] = field(init=False)
    papyri: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    totals: list[int] = field(init=False)
    turn: int = field(init=False)
    forced: bool = False
    shuffles: int = 0

    def __post_init__(self) -> None:
        seats = self.box.seats
        self.faces = list(self.box.copies)
        nothing = (0,) * len(self.faces)
        self.worlds = {((nothing,) * seats + (tuple(self.box.copies.values()), nothing))}
        self.rows = [[] for _ in range(seats)]
        self.totals = [0] * seats
        self.turn = self.box.first

    # What can be seen

    def count(self, place: int) -> int:
        """Cards in a place: a hand, -2 the pile, -1 the face-down discards."""
        return sum(next(iter(self.worlds))[place])

    def loose(self) -> bool:
        """Whether a new pile could be made."""
        return bool(self.discard or self.papyri[1:] or self.count(-1))

    def stuck(self) -> bool:
        cards = sum(self.count(seat) for seat in range(self.box.seats)) + self.count(-2)
        return bool(self.papyri) and not cards and not self.loose()

    def over(self) -> bool:
        best = max(self.totals)
        if self.stuck():
            return True
        alone = self.totals.count(best) == 1
        return best >= int(self.box.options["target"]) and (alone or self.box.options["tie"] == "shared")

    def vector(self, cards: Iterable[str]) -> Vector:
        counted = Counter(cards)
        return tuple(counted[face] for face in self.faces)

    def possible(self, seat: int, text: str) -> bool:
        """Whether some world allows the step."""
        verb, _, rest = text.partition(" ")
        if text == "reveal shuffled":
            if self.forced:
                return True
            return bool(self.papyri) and not self.over() and not self.count(-2) and self.loose()
        if verb == "reveal":
            card = rest.removeprefix("papyrus ")
            return not self.papyri and self.box.copies.get(card, 0) > 0 and card.count("-") == 4
        if not self.papyri or self.over() or seat != self.turn:
            return False
        if verb == "play":
            return self.holds(seat, [rest])
        cards, down = said(rest)
        if not cards and not down:
            return self.box.options["passing"] == "yes"
        if down and self.box.options["sacrifices"] == "open":
            return False
        return len(cards) + down <= self.count(seat) and self.holds(seat, cards)

    def holds(self, seat: int, cards: list[str]) -> bool:
        if any(card not in self.box.copies for card in cards):
            return False
        wanted = self.vector(cards)
        return any(all(h >= w for h, w in zip(world[seat], wanted, strict=True)) for world in self.worlds)

    # What happens

    def play(self, seat: int, text: str) -> None:
        """The step is made; it must be possible."""
        verb, _, rest = text.partition(" ")
        if text == "reveal shuffled":
            if not self.forced:
                self.shuffle()
            self.forced = False
        elif verb == "reveal":
            self.papyri = [rest.removeprefix("papyrus ")]
            self.leave(self.box.seats, self.papyri)
            for player in range(self.box.seats):
                self.draw(player, self.box.hand)
        else:
            self.forced = False
            if verb == "play":
                self.lay(seat, rest)
            else:
                self.sacrifice(seat, *said(rest))
            if not self.over():
                self.refill(seat)
                self.pass_on(seat)

    def lay(self, seat: int, card: str) -> None:
        self.leave(seat, [card])
        (self.papyri if card.count("-") == 4 else self.rows[seat]).append(card)
        *colours, number = self.papyri[-1].split("-")
        if all(len(row) < int(number) for row in self.rows):
            return
        for player, row in enumerate(self.rows):
            for mummy in row:
                colour, _, value = mummy.partition("-")
                self.totals[player] += (2, 1, 0, -1)[colours.index(colour)] * int(value)
            self.discard += row
            row.clear()
        self.discard += self.papyri[:-1]
        del self.papyri[:-1]

    def sacrifice(self, seat: int, cards: list[str], down: int) -> None:
        self.leave(seat, cards)
        self.discard += cards
        after = set()
        for world in self.worlds:
            for taken in below(world[seat], down):
                places = list(world)
                places[seat] = minus(world[seat], taken)
                places[-1] = plus(world[-1], taken)
                after.add(tuple(places))
        self.worlds = after

    def leave(self, place: int, cards: list[str]) -> None:
        """These cards are shown from a place: only worlds that have them there remain."""
        wanted = self.vector(cards)
        after = set()
        for world in self.worlds:
            rest = minus(world[place], wanted)
            if min(rest) >= 0:
                after.add((*world[:place], rest, *world[place + 1 :]))
        self.worlds = after

    def draw(self, seat: int, n: int) -> None:
        after = set()
        for world in self.worlds:
            for taken in below(world[-2], n):
                places = list(world)
                places[seat] = plus(world[seat], taken)
                places[-2] = minus(world[-2], taken)
                after.add(tuple(places))
        self.worlds = after

    def refill(self, seat: int) -> None:
        while (need := self.box.hand - self.count(seat)) > 0:
            if not self.count(-2):
                if not self.loose():
                    return
                self.shuffle()
                self.forced = True
            self.draw(seat, min(need, self.count(-2)))

    def shuffle(self) -> None:
        """Everything that is not in a hand or a row, but for the top papyrus, becomes the pile."""
        more = self.vector([*self.discard, *self.papyri[:-1]])
        self.discard = []
        del self.papyri[:-1]
        nothing = self.vector(())
        self.worlds = {
            (*world[:-2], plus(plus(world[-2], more), world[-1]), nothing) for world in self.worlds
        }
        self.shuffles += 1

    def pass_on(self, seat: int) -> None:
        for step in range(1, self.box.seats + 1):
            self.turn = (seat + step) % self.box.seats
            if not self.count(self.turn):
                self.refill(self.turn)
            if self.count(self.turn):
                return
        self.turn = (seat + 1) % self.box.seats


def said(text: str) -> tuple[list[str], int]:
    """What a sacrifice says: the open cards, and how many lie face down."""
    cards: list[str] = []
    for part in [] if text == "nothing" else text.split(", "):
        number, _, name = part.rpartition(" ")
        cards += [name] * int(number or 1)
    return [card for card in cards if card != "unseen"], cards.count("unseen")


@dataclass
class Cut:
    """A game as the judge and as the referee sees it."""

    box: Box
    judge: Judge
    state: Any
    steps: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.box}: {'; '.join(self.steps)}"


def begin(seed: int) -> Cut:
    """A game before its first papyrus is seen."""
    box = cut(random.Random(f"ankh cut {seed}"))
    return Cut(box, Judge(box), rules.start(box.seats, box.first, box.options, box.catalogue()))


def refused(game: Cut, seat: int, text: str) -> bool:
    """Whether the referee refuses the step."""
    step = rules.parse(text, seat)
    if isinstance(step, Move):
        return rules.refusal(game.state, step) is not None
    try:
        rules.apply(game.state, step)
    except WrongReveal:
        return True
    return False


def candidates(game: Cut, rng: random.Random) -> list[tuple[int, str]]:
    """Steps to ask about: every card of the deck, a few that are not in it, sacrifices of any cards, reveals."""
    seat = game.judge.turn
    faces = game.judge.faces
    found = [(seat, f"play {card}") for card in faces]
    found += [(seat, f"play {rng.choice(COLOURS)}-{rng.randint(0, 6)}"), (seat, "sacrifice nothing")]
    found += [(rng.randrange(game.box.seats), f"play {rng.choice(faces)}"), (seat, "reveal shuffled")]
    found.append((seat, f"reveal papyrus {rng.choice([card for card in faces if card.count('-') == 4])}"))
    for _ in range(12):
        few = rng.sample(faces, min(len(faces), rng.choice((1, 2, 3, len(faces)))))
        names = sorted(rng.choice(few) for _ in range(rng.randint(0, game.box.hand + (rng.random() < 0.1))))
        down = rng.choice((0, 0, 0, 1, 2)) if len(names) < game.box.hand else 0
        counted = [*Counter(names).items(), *([("unseen", down)] if down else [])]
        said = ", ".join(name if n == 1 else f"{n} {name}" for name, n in counted)
        found.append((seat, f"sacrifice {said or 'nothing'}"))
    return found


def pairs(seed: int, n: int) -> Iterator[Pair]:
    """``n`` pairs of a record and a step, from games that are played on by any step that is possible."""
    made = 0
    while True:
        game = begin(seed)
        rng = random.Random(f"ankh pairs {seed}")
        seed += 1
        while len(game.steps) < LONGEST and len(game.judge.worlds) <= WORLDS:
            asked = list(dict.fromkeys(candidates(game, rng)))
            fits = {step: game.judge.possible(*step) for step in asked}
            for seat, text in rng.sample(asked, min(len(asked), ASKED)):
                yield str(game), f"player-{seat + 1}: {text}", refused(game, seat, text), fits[seat, text]
                made += 1
                if made == n:
                    return
            playable = [step for step in asked if fits[step] and not refused(game, *step)]
            if not playable:
                break
            play_on(game, *chosen(playable, rng))


def chosen(possible: list[tuple[int, str]], rng: random.Random) -> tuple[int, str]:
    """One of the steps: mostly a card is played, so that scorings come."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    for step in possible:
        kinds.setdefault(step[1].split()[0], []).append(step)
    weights = [{"play": 5, "reveal": 2}.get(kind, 2) for kind in kinds]
    return rng.choice(kinds[rng.choices(list(kinds), weights)[0]])


def play_on(game: Cut, seat: int, text: str) -> None:
    """The step is made, by the judge and by the referee."""
    game.judge.play(seat, text)
    game.state = rules.apply(game.state, rules.parse(text, seat))
    game.steps.append(text if text.startswith("reveal") else f"player-{seat + 1}: {text}")
    assert list(game.state.hands) == [game.judge.count(place) for place in range(game.box.seats)]
    assert (game.state.pile, game.state.to_move) == (game.judge.count(-2), game.judge.turn)
    assert list(rules.score(game.state).totals) == game.judge.totals
    assert (rules.outcome(game.state) is not None) == game.judge.over()
