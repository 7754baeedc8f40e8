"""The exact oracle of Papyrus: decks cut to at most twelve hidden cards of a kind, and every hidden world there may be.

The judge (``papyrus_judge``) says of each step whether some world allows it; the referee is asked the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import Any

from engines.catalogue import Catalogue, override, shipped
from engines.game import Move, WrongReveal
from engines.papyrus import rules
from tests.oracles.papyrus_box import CARDS, COLOURS, GODS, TILES, Box
from tests.oracles.papyrus_judge import Judge

Pair = tuple[str, str, bool, bool]
"""(the record so far, the step, whether it is refused, whether some world allows it)."""
Step = tuple[int, str]
"""Seat and words."""

MOST = 12
"""Hidden cards of each kind."""
ASKED = 14
"""Steps that are asked about in one state."""
LONG = 120
"""Steps after which another game is begun."""
EFFECTS = (
    "draw 1 card",
    "draw 2 cards",
    "draw 1 hieroglyph",
    "draw 1 god",
    "gain 1 hieroglyph",
    "gain 2 hieroglyphs",
    "gain 1 scarab",
    "take 1 card from a player",
    "take 2 cards from a player",
    "take 1 hieroglyph from a player",
    "lose 1 card",
    "lose 2 cards",
    "lose 1 hieroglyph",
    "swap 1 card with a player",
    "swap 2 cards with a player",
    "swap 1 hieroglyph with a player",
    "move anywhere",
    "move anywhere",
    "move to amun",
    "move to ptah",
    "skip 1 turn",
    "points +2",
    "as agreed at the table",
)
PYRAMIDS = ("amun", "bes", "ptah")
CHOICES = (
    ("eye_of_horus", ("wild", "wild", "blank")),
    ("passing", ("yes", "no")),
    ("stop_on_event_square", ("yes", "no")),
    ("event_move_reaches", ("yes", "no")),
    ("win_where_you_stand", ("no", "yes")),
    ("used_hieroglyphs", ("refill", "bag", "out")),
    ("without_board", ("no", "no", "no", "no", "yes")),
    ("solo_hieroglyphs", ("none", "holder")),
    ("solo_cards", ("reshuffle", "once")),
)


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
        told = [
            f"{box.seats} players, player-{self.first + 1} begins",
            *(
                f"{name} {dict(what)}"
                for name, what in (
                    ("options", box.options),
                    ("dealt", box.dealt),
                    ("cards", box.cards),
                    ("letters", box.letters),
                    ("gods", box.gods),
                    ("events", box.events),
                )
            ),
            f"paths {box.paths}",
        ]
        return f"{', '.join(told)}: {'; '.join(self.steps)}"


def _composition(rng: random.Random, faces: tuple[str, ...], total: int) -> dict[str, int]:
    """So many of these faces, each at least once while there are enough."""
    return dict(Counter([*faces[:total], *(rng.choice(faces) for _ in range(total - len(faces)))]))


def cut(rng: random.Random) -> Box:
    """Numbers for a small game, in which every rule can still happen."""
    seats = rng.choice((1, 2, 2, 3, 3, 4))
    dealt = {CARDS: rng.randint(1, 3), TILES: rng.randint(2, 4), GODS: rng.randint(1, 2)}
    faces = (*rng.sample(COLOURS, rng.randint(2, 4)), *(("eye",) if rng.random() < 0.7 else ()))
    letters = tuple("ABCDE"[: rng.randint(2, 5)])
    gods = {}
    for n in range(rng.randint(seats * dealt[GODS], 8)):
        name = tuple(rng.choice(letters) for _ in range(rng.choice((1, 2, 2, 3, 3, 4))))
        gods[f"god-{n + 1}"] = rng.choice(PYRAMIDS), name
    colours = faces[:-1] if faces[-1] == "eye" else faces
    places = (*PYRAMIDS, *rng.choice(((), ("oasis",))))
    paths = [(places[n], places[n + 1], _squares(rng, colours)) for n in range(len(places) - 1)]
    if rng.random() < 0.6:
        paths.append((places[0], places[2], _squares(rng, colours)))
    most = {letter: max(name.count(letter) for _, name in gods.values()) for letter in letters}
    tiles = Counter(most) + Counter(_composition(rng, letters, max(1, MOST - sum(most.values()))))
    return Box(
        seats=seats,
        start=rng.choice(places),
        pyramids=PYRAMIDS,
        event_squares=places[3:],
        paths=tuple(paths),
        gods=gods,
        events={
            f"event-{n + 1}": (
                rng.randint(1, 2),
                tuple(rng.choice(EFFECTS) for _ in range(rng.randint(1, 3))),
            )
            for n in range(rng.randint(2, 5))
        },
        cards=_composition(rng, faces, rng.randint(max(9, seats * dealt[CARDS]), MOST)),
        letters=tiles,
        dealt=dealt,
        options={name: rng.choice(values) for name, values in CHOICES},
    )


def _squares(rng: random.Random, colours: tuple[str, ...]) -> tuple[str, ...]:
    squares = [rng.choice(colours) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    if rng.random() < 0.5:
        squares.insert(rng.randint(0, len(squares)), "event")
    return tuple(squares)


def numbers(box: Box) -> Catalogue:
    """The box as the owner's own numbers."""
    return override(
        shipped("papyrus"),
        {
            "cards": dict(box.cards),
            "letters": dict(box.letters),
            "gods": [
                {"name": god, "pyramid": pyramid, "letters": list(letters), "value": len(letters)}
                for god, (pyramid, letters) in box.gods.items()
            ],
            "events": [
                {"name": event, "copies": copies, "effects": list(effects)}
                for event, (copies, effects) in box.events.items()
            ],
            "counts.gods": len(box.gods),
            "counts.events": sum(copies for copies, _ in box.events.values()),
            "counts.hieroglyphs": sum(box.letters.values()),
            **{f"start.{what}": box.dealt[kind] for what, kind in _DEALT.items()},
            "map.start": box.start,
            "map.pyramids": list(box.pyramids),
            "map.event_squares": list(box.event_squares) or None,
            "map.edges": [f"{one} - {other}: {', '.join(squares)}" for one, other, squares in box.paths],
        },
        "own",
        "a cut deck",
    )


_DEALT = {"cards": CARDS, "gods": GODS, "hieroglyphs": TILES}


def begin(seed: int) -> Cut:
    """A cut game from a seed; one whose cards would not go round is made anew."""
    rng = random.Random(f"papyrus oracle {seed}")
    while True:
        box = cut(rng)
        options = {**box.options, "gods": "all"}
        catalogue = numbers(box)
        if sum(box.letters.values()) <= MOST and not rules.lacks(box.seats, options, catalogue):
            break
    first = rng.randrange(box.seats)
    return Cut(box, first, rules.start(box.seats, first, options, catalogue), Judge(box, first))


# What is asked


def candidates(game: Cut, rng: random.Random) -> list[Step]:
    """(seat, step) to ask about: all that fits the moment, and some that do not."""
    judge, box = game.judge, game.box
    table, seat = judge.table, judge.table.turn
    wrong = [
        *("draw", "pass", "decline", "buy", "stop", f"win {_any(rng, box.gods)}"),
        *(f"form {_any(rng, box.gods)}", f"swap {_any(rng, box.letters)} from bag", "gain A", "lose B"),
        *(
            "lose 2 light",
            f"take from player-{rng.randint(1, box.seats)}",
            f"exchange with player-{box.seats}",
        ),
        *(f"go to {_any(rng, box.roads)}", f"move to {_any(rng, box.roads)} paying eye"),
    ]
    if table.stage == "event":
        return [
            *((0, f"reveal event {event}") for event in box.events),
            *((seat, step) for step in rng.sample(wrong, 3)),
        ]
    if judge.alone:
        found = ["buy", *_wins(game, rng, "form", box.gods)]
    elif table.stage == "arrived":
        found = ["decline", *_wins(game, rng, "win", box.gods)]
    elif table.stage == "effect":
        found = _answers(game)
    else:
        found = [*_turns(game, rng), *_wins(game, rng, "win", (_any(rng, box.gods),))]
    found += rng.sample(wrong, 3)
    other = rng.randrange(box.seats)
    return [(seat, step) for step in found] + [(other, rng.choice(found))]


def _any(rng: random.Random, those: Any) -> str:
    found: str = rng.choice(sorted(those))
    return found


def _wins(game: Cut, rng: random.Random, verb: str, gods: Any) -> list[str]:
    return [
        f"{verb} {god}{rng.choice(('', '', ' without god'))}"
        + (f" drawing {rng.randint(0, 4)}" if verb == "win" and rng.random() < 0.5 else "")
        for god in gods
    ]


def _turns(game: Cut, rng: random.Random) -> list[str]:
    judge, box = game.judge, game.box
    found = ["draw", "pass"]
    letters = sorted(box.letters)
    for letter in letters:
        found.append(f"swap {letter} from bag")
        found += [f"swap {letter} for {take}" for take in letters]
    for place, (price, _) in box.roads[judge.table.places[judge.table.turn]].items():
        ways = product(*(range(n + 1) for n in price.values()))
        for eyes in ways:
            paid = [
                face
                for (face, n), less in zip(price.items(), eyes, strict=True)
                for face in [face] * (n - less)
            ]
            paid += ["eye"] * sum(eyes)
            if rng.random() < 0.1:
                paid.append(_any(rng, box.cards))
            found.append(f"move to {place} paying {_words(paid)}")
    return found


def _answers(game: Cut) -> list[str]:
    judge, box = game.judge, game.box
    verb, rest = judge.table.todo[0].split()[0], judge.table.todo[0].split()[1:]
    match verb:
        case "gain" | "lose":
            faces = sorted(box.cards if rest[1].startswith("card") else box.letters)
            some = [
                f"{verb} {_words(pieces)}"
                for number in range(1, int(rest[0]) + 1)
                for pieces in combinations_with_replacement(faces, number)
            ]
            return some
        case "take":
            return [f"take from player-{seat + 1}" for seat in range(box.seats + 1)]
        case "swap":
            return [f"exchange with player-{seat + 1}" for seat in range(box.seats + 1)]
    return [f"go to {place}" for place in (*box.roads, "atlantis")]


def _words(pieces: Any) -> str:
    """Cards as the record writes them."""
    counted = Counter(pieces)
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


def pairs(seed: int, n: int) -> Iterator[Pair]:
    """``n`` pairs of a record and a step, from games that are played on by any step that is possible."""
    made = 0
    while True:
        game = begin(seed)
        rng = random.Random(f"papyrus pairs {seed}")
        seed += 1
        while len(game.steps) < LONG and not game.judge.over:
            asked = list(dict.fromkeys(candidates(game, rng)))
            kept = rng.sample(asked, min(len(asked), ASKED))
            for step in kept:
                yield (
                    str(game),
                    f"player-{step[0] + 1}: {step[1]}",
                    refused(game, *step),
                    game.judge.possible(*step),
                )
                made += 1
                if made == n:
                    return
            playable = [step for step in asked if game.judge.possible(*step) and not refused(game, *step)]
            if not playable:
                break
            _play_on(game, *_chosen(playable, rng))


LIKED = {"win": 5, "form": 5, "move": 3, "stop": 0.02, "pass": 0.2, "decline": 0.5}
"""How much rather some kinds of steps are made: those that make hands known, and bring events."""


def _chosen(playable: list[Step], rng: random.Random) -> Step:
    kinds: dict[str, list[Step]] = {}
    for step in playable:
        kinds.setdefault(step[1].split()[0], []).append(step)
    return rng.choice(kinds[rng.choices(list(kinds), [LIKED.get(kind, 1) for kind in kinds])[0]])


def _play_on(game: Cut, seat: int, text: str) -> None:
    game.judge.play(seat, text)
    game.state = rules.apply(game.state, rules.parse(text, seat))
    game.steps.append(text if text.startswith("reveal") else f"player-{seat + 1}: {text}")


__all__ = ["Cut", "Pair", "begin", "cut", "numbers", "pairs"]
