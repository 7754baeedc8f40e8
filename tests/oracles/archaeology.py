"""The exact oracle of Archaeology: decks cut to at most twelve hidden treasures, and every hidden world there may be.

The judge (``archaeology_judge``) says of each move and each reveal whether some world allows it; the referee is asked the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any

from engines.archaeology import rules
from engines.archaeology.counts import left_in
from engines.archaeology.numbers import FACES, MONUMENTS
from engines.archaeology.state import DIG
from engines.catalogue import Catalogue, override, shipped
from engines.game import Move, WrongReveal
from tests.oracles.archaeology_judge import Box, Judge, cards

Pair = tuple[str, str, bool, bool]
"""(the record so far, the step, whether it is refused, whether some world allows it)."""

TRADE = {
    "shard": 1,
    "scrap": 1,
    "coin": 2,
    "cup": 2,
    "talisman": 3,
    "map": 3,
    "mask": 4,
    "tablet": 2,
    "pendant": 3,
}
OPTIONS = (
    ("thief_target", "anyone"),
    ("trade_for_nothing", "yes"),
    ("maps_sold", "together"),
    ("game_end", "dig"),
    ("full_passes", "free"),
)
"""The rulings that can be switched."""
KNOWN_SIZE = ("cup", "talisman")
"""The largest set of these is known for this edition even where the prices are not."""
MOST = 12
"""Hidden treasures, maps included."""
ASKED = 5
"""Steps that are asked about in one state: so many that are possible, and so many that are not."""
LATE = 12
"""Acts after the last dig: little is unknown by then."""


@dataclass
class Cut:
    """A game with few cards: as the judge and as the referee sees it."""

    box: Box
    first: int
    state: Any
    judge: Judge
    steps: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        box = self.box
        copies = ", ".join(f"{n} {face}" for face, n in box.copies.items() if n)
        return (
            f"{box.seats} players, player-{self.first + 1} begins, {box.monument} {box.chambers} for {box.maps}, {copies}, "
            f"{box.thieves} thieves, {box.sandstorms} storms, hands of {box.hand}, {box.market} in the market, pile {box.pile}, "
            f"largest {box.largest}, {dict(box.options)}: {'; '.join(self.steps)}"
        )


def cut(rng: random.Random) -> Box:
    """Numbers for a small game of two to four, in which every rule can still happen."""
    seats = rng.choice((2, 2, 2, 3, 3, 4))
    monument = rng.choice(MONUMENTS)
    hand = rng.choice({2: (1, 2, 2, 3), 3: (1, 2), 4: (1, 1)}[seats])
    market = rng.randint(1, 3)
    chambers, maps, pile = {
        "great-pyramid": ((1, 2), (1, 2), 0),
        "temple": ((rng.randint(1, 2), 2), (rng.randint(1, 2), 2), 0),
        "tomb": ((rng.randint(1, 3), rng.randint(1, 3)), (1, 1), 0),
        "mine": ((rng.randint(2, 4),), (1,), 0),
        "sphinx": ((rng.randint(2, 5),), (1,), 0),
        "buried-ruins": (
            (1,) * (wide := rng.randint(1, 2)),
            (1,) * wide,
            wide * rng.randint(0, 2 if seats == 2 else 1),
        ),
    }[monument]
    hidden = seats * hand + sum(chambers) + pile
    maps_in = min(rng.randint(1, 3), MOST - hidden)
    treasures = market + max(hidden, rng.randint(MOST - maps_in - 3, MOST - maps_in))
    faces = rng.sample(("shard", "scrap", "coin", "cup", "talisman", "mask"), rng.randint(2, 5))
    copies = dict.fromkeys(FACES, 0)
    for n in range(treasures):
        copies[faces[n] if n < len(faces) else rng.choice(faces)] += 1
    copies["map"] = maps_in
    return Box(
        seats,
        monument,
        copies,
        TRADE,
        {face: 1 if face == "map" else rng.randint(1, 3) for face in FACES},
        thieves=rng.randint(0, 6),
        sandstorms=rng.randint(0, 2),
        hand=hand,
        market=market,
        chambers=chambers,
        maps=maps,
        keep=rng.choice((1, 2, 2)),
        limit=rng.randint(3, 6),
        draws=rng.randint(2, 4),
        pile=pile,
        options=frozenset((name, value) for name, value in OPTIONS if rng.random() < 0.15),
    )


def numbers(box: Box) -> Catalogue:
    """The box as the owner's own numbers."""
    at = f"monuments.{box.monument}"
    values: dict[str, Any] = {
        "setup.hand": box.hand,
        "setup.market": box.market,
        f"thieves.{box.seats}": box.thieves,
        f"sandstorms.{box.seats}": box.sandstorms,
        f"{at}.chambers": list(box.chambers),
        f"{at}.maps": list(box.maps),
        "monuments.tomb.keep": box.keep,
        "monuments.mine.limit": box.limit,
        "monuments.sphinx.draws": box.draws,
        "monuments.buried-ruins.pile": box.pile,
    }
    for face in FACES:
        values[f"treasures.{face}.copies"] = box.copies[face]
        values[f"treasures.{face}.trade"] = box.trade[face]
        values[f"treasures.{face}.sell"] = [box.trade[face] * n for n in range(1, box.largest[face] + 1)]
    for face in KNOWN_SIZE:
        values[f"treasures.{face}.largest"] = box.largest[face]
    return override(shipped("archaeology"), values, "own", "a cut deck")


def unsure(box: Box, rng: random.Random) -> Catalogue:
    """The box with some of the numbers on its cards not verified, and wrong more often than not."""
    wrong: dict[str, Any] = {
        f"thieves.{box.seats}": rng.randint(0, 6),
        f"sandstorms.{box.seats}": rng.randint(0, 3),
    }
    for face in FACES:
        if box.copies[face]:
            wrong[f"treasures.{face}.copies"] = max(1, box.copies[face] + rng.randint(-1, 2))
        wrong[f"treasures.{face}.trade"] = rng.randint(1, 4)
        wrong[f"treasures.{face}.sell"] = list(range(1, rng.randint(2, 4)))
    chosen = {path: value for path, value in wrong.items() if rng.random() < 0.4}
    for face in KNOWN_SIZE:
        if f"treasures.{face}.sell" in chosen:
            chosen[f"treasures.{face}.sell"] = list(range(1, box.largest[face] + 1))
    return override(numbers(box), chosen, "house", "nobody has looked")


def begin(seed: int, sure: bool = True) -> Cut:
    """A cut game from a seed; unless ``sure`` the referee goes by numbers of which some are not verified."""
    rng = random.Random(f"archaeology oracle {seed}")
    box = cut(rng)
    first = rng.randrange(box.seats)
    options = {"monument": box.monument, **dict(box.options)}
    catalogue = numbers(box) if sure else unsure(box, rng)
    while rules.lacks(box.seats, options, catalogue):
        catalogue = unsure(box, rng)
    state = rules.start(box.seats, first, options, catalogue)
    return Cut(box, first, state, Judge(box, first))


def candidates(game: Cut, rng: random.Random) -> list[tuple[int, str]]:
    """(seat, step) to ask about: all that fits the moment, and some that do not."""
    judge, box = game.judge, game.box
    board = judge.board
    seat = judge.acting()
    faces = [face for face in FACES if box.copies[face]] + ["tablet"]

    def some(least: int, most: int) -> str:
        number = rng.randint(least, max(least, most))
        return _words(tuple(rng.choice(faces) for _ in range(number)))

    held = judge.size(seat)
    if board.stage == "market":
        return [(0, f"reveal market {some(box.market, box.market)}") for _ in range(6)]
    if board.stage in ("laying", "refill"):
        return [
            (0, f"reveal chamber {number} {face}")
            for number in range(1, len(box.chambers) + 1)
            for face in faces
        ]
    if board.stage == "drawn":
        return [(0, f"reveal {kind}") for kind in ("treasure", "thief", "sandstorm")]
    if board.stage in ("mine?", "sphinx?"):
        number = 1 if board.stage == "mine?" else min(box.draws, judge.lies_in(1))
        drawn = [(0, f"reveal cards {_words(pile)}") for pile in combinations_with_replacement(faces, number)]
        return rng.sample(drawn, min(len(drawn), 10))
    wrong = [
        "dig",
        "end",
        "draw",
        "stop",
        "bust",
        "tent yes",
        "tent no",
        "explore",
        "peek 1",
        f"sell {some(1, 1)}",
    ]
    wrong += [f"steal from player-{n}" for n in range(1, box.seats + 1)]
    fitting: list[str] = []
    match board.stage:
        case "dig":
            fitting = ["dig"]
        case "steal":
            fitting = wrong[-box.seats :]
        case "tents":
            fitting = ["tent yes", "tent no"]
        case "mine":
            fitting = ["draw", "stop", "bust"]
        case "lose":
            losses = [_words(pile) for pile in combinations_with_replacement(faces, held // 2)]
            fitting = [f"lose {lost}" for lost in rng.sample(losses, min(len(losses), 12))]
            fitting.append(f"lose {some(0, held)}")
        case "act":
            fitting = [
                *_acts(game, rng, faces),
                f"sell {some(1, 3)}",
                f"explore {some(2, 2)}",
                f"explore {some(2, 2)}",
            ]
            fitting += [f"trade {some(1, 3)} for {some(0, 2)}" for _ in range(4)]
    found = [(seat, text) for text in [*fitting, *rng.sample(wrong, 2)]]
    return [*found, (rng.randrange(box.seats), rng.choice(fitting))]


def _acts(game: Cut, rng: random.Random, faces: list[str]) -> list[str]:
    """What may be done after the dig: each set and each chamber, and all that a hand could be for what lies in the market."""
    judge = game.judge
    held, market = judge.size(judge.acting()), judge.board.market
    acts = ["end", "explore"]
    acts += [f"sell {_words((face,) * n)}" for face in faces for n in range(1, min(held, 4) + 2)]
    acts += [f"{verb} {n}" for verb in ("explore", "peek") for n in range(1, len(game.box.chambers) + 2)]
    for _ in range(16):
        give = tuple(rng.choice(faces) for _ in range(rng.randint(1, max(1, min(held, 4)))))
        take = rng.sample(market, rng.randint(1, min(2, len(market)))) if market else ()
        acts.append(f"trade {_words(give)} for {_words(tuple(take))}")
    return acts


def _words(pile: tuple[str, ...]) -> str:
    """Cards as the record writes them."""
    counted = {face: pile.count(face) for face in pile}
    return ", ".join(face if n == 1 else f"{n} {face}" for face, n in counted.items()) or "nothing"


def refused(game: Cut, seat: int, text: str) -> bool:
    """What the referee says."""
    step = rules.parse(text, seat)
    if isinstance(step, Move):
        return rules.refusal(game.state, step) is not None
    try:
        rules.apply(game.state, step)
    except WrongReveal:
        return True
    return False


def pairs(seed: int, n: int, sure: bool = True) -> Iterator[Pair]:
    """``n`` pairs of a record and a step, from games that are played on by any step that is possible.

    Unless ``sure`` the referee has to accept what is possible, and may accept more.
    """
    made = 0
    while True:
        game = begin(seed, sure)
        rng = random.Random(f"archaeology pairs {seed}")
        seed += 1
        late = 0
        while late < LATE and not game.judge.over:
            asked = list(dict.fromkeys(candidates(game, rng)))
            possible = [step for step in asked if game.judge.possible(*step)]
            impossible = [step for step in asked if step not in possible]
            chosen = [
                *rng.sample(possible, min(len(possible), ASKED)),
                *rng.sample(impossible, min(len(impossible), ASKED)),
            ]
            for seat, text in chosen:
                said = f"player-{seat + 1}: {text}"
                yield str(game), said, refused(game, seat, text), (seat, text) in possible
                made += 1
                if made == n:
                    return
            playable = [step for step in possible if not refused(game, *step)]
            if not playable:
                break
            late += game.judge.board.stage == "act" and not game.judge.diggable
            _play_on(game, *_chosen(playable, rng))
            if sure:
                agree(game)
            assert game.judge.over or rules.outcome(game.state) is None, f"ended too early: {game}"


def universe(game: Cut) -> list[str]:
    """Every move of the player who has to act that names no card too many, in the words of the record."""
    box, judge = game.box, game.judge
    held, market = judge.size(judge.acting()), judge.board.market
    faces = [face for face in FACES if box.copies[face]]
    hands = [_words(pile) for n in range(1, held + 1) for pile in combinations_with_replacement(faces, n)]
    takes = {
        _words(tuple(sorted(pile, key=FACES.index)))
        for n in range(len(market) + 1)
        for pile in combinations(market, n)
    }
    numbers = range(1, len(box.chambers) + 1)
    return [
        *("dig", "end", "draw", "stop", "bust", "tent yes", "tent no", "explore"),
        *(f"steal from player-{seat}" for seat in range(1, box.seats + 1)),
        *(f"{verb} {pile}" for verb in ("lose", "sell") for pile in hands),
        *(f"trade {give} for {take}" for give in hands for take in sorted(takes)),
        *(f"{verb} {number}" for verb in ("explore", "peek") for number in numbers),
        *(f"explore {one}, {other}" for one, other in combinations(FACES, 2)),
    ]


def facts(game: Cut) -> list[str]:
    """Everything that the table might show of a card that was drawn or laid."""
    numbers = range(1, len(game.box.chambers) + 1)
    return [
        *(f"reveal {kind}" for kind in ("treasure", "thief", "sandstorm")),
        *(f"reveal chamber {number} {face}" for number in numbers for face in FACES),
        *(f"reveal cards {face}" for face in FACES),
    ]


def games(seed: int, n: int) -> Iterator[Cut]:
    """``n`` states of cut games, each as it stands."""
    while n:
        game = begin(seed)
        rng = random.Random(f"archaeology games {seed}")
        seed += 1
        late = 0
        while n and late < LATE and not game.judge.over:
            yield game
            n -= 1
            playable = [step for step in dict.fromkeys(candidates(game, rng)) if game.judge.possible(*step)]
            if not playable:
                break
            late += game.judge.board.stage == "act" and not game.judge.diggable
            _play_on(game, *_chosen(playable, rng))


def _chosen(possible: list[tuple[int, str]], rng: random.Random) -> tuple[int, str]:
    """One of the possible steps, each kind as likely as the others; but trades are what makes hands known."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    for seat, text in possible:
        kinds.setdefault(text.split()[1] if text.startswith("reveal") else text.split()[0], []).append(
            (seat, text)
        )
    weights = [{"trade": 3, "explore": 6, "end": 2, "draw": 3}.get(kind, 1) for kind in kinds]
    return rng.choice(kinds[rng.choices(list(kinds), weights)[0]])


def _play_on(game: Cut, seat: int, text: str) -> None:
    game.judge.play(seat, text)
    game.state = rules.apply(game.state, rules.parse(text, seat))
    game.steps.append(text if text.startswith("reveal") else f"player-{seat + 1}: {text}")


def agree(game: Cut) -> None:
    """Whose turn it is, whether the game is over and how many cards lie where: both say the same. Raises AssertionError."""
    judge, state = game.judge, game.state
    assert judge.over == (rules.outcome(state) is not None), f"over or not? {game}"
    assert judge.over or judge.acting() == rules.to_move(state), f"whose turn? {game}"
    for seat in range(game.box.seats):
        assert judge.size(seat) == state.held(seat), f"how many cards has player-{seat + 1}? {game}"
    if judge.board.stage not in ("market", "laying"):
        assert judge.size(judge.dig) == state.hidden.size(DIG), f"how many treasures has the dig site? {game}"
        for number in range(1, len(game.box.chambers) + 1):
            assert judge.lies_in(number) == left_in(state, number), f"how many has chamber {number}? {game}"
    assert tuple(judge.board.market) == tuple(sorted(state.market)), f"what lies in the market? {game}"


__all__ = ["FACES", "MONUMENTS", "Cut", "Pair", "begin", "cards", "cut", "numbers", "pairs"]
