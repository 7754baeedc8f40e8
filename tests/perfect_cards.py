"""Whole nights of a card game without pictures: the simulated people and table and the real night; only the eyes are perfect.

``python -m tests.perfect_cards --game ankh --players 3 --seeds 1-30 --mistakes 0.15`` prints one line per faulty night and the sums.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import engines
from engines.catalogue import house, shipped
from engines.referee import lawful
from engines.table import Piece, Table
from firmware import night as nights
from firmware.states.setup import option_label
from hardware.buttons.press import Press
from hardware.clock import SimulatedClock
from hardware.simulated.people import People
from hardware.simulated.table import SimulatedTable
from tests.perfect_evening import PerfectEvening, span

SHORT: Mapping[str, Mapping[str, str]] = {"papyrus": {"gods": "2-each"}}
"""Options of a night that ends within an evening."""
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva")


def read(table: SimulatedTable) -> Table:
    """What a perfect reader makes of the table: every piece, but of a pile the topmost alone."""
    pieces = []
    for zone in table.layout.zones:
        bodies = table.within(zone.name)
        for body in bodies[-1:] if zone.form == "pile" else bodies:
            pieces.append(
                Piece(
                    (body.identity,), body.kind.name, zone.name, body.x, body.y, body.turn, square=body.square
                )
            )
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


class Evening(PerfectEvening):
    """One night at the table: ``play`` lets it happen, ``faults`` says what was wrong with it."""

    def __init__(
        self, game: str, seed: int, players: int, mistakes: float, chosen: Mapping[str, str] | None = None
    ) -> None:
        """``chosen``: options that are not the usual ones."""
        reading = importlib.import_module(f"engines.{game}.reading")
        self.game = replace(engines.games()[game], eyes=lambda: reading)
        games = {game: self.game}
        self.clock = SimulatedClock()
        first = random.Random(f"evening {seed}").randrange(players)
        options = {option.name: option.values[0] for option in self.game.options} | dict(SHORT.get(game, {}))
        options |= dict(chosen or {})
        deal = importlib.import_module(f"engines.{game}.dealing").deal
        lacking = self.game.rules.lacks(players, options, shipped(game))
        numbers = house(game) if lacking else shipped(game)
        self.truth = deal(seed, players, first, options, catalogue=numbers)
        layout = self.game.reading.layout(players, options, numbers)
        self.table = SimulatedTable(layout, self.truth.setup(), seed)
        self.presses: deque[Press] = deque()
        self.begun(*nights.begin(games, NAMES[:players], seed, numbers={game: numbers}))
        self.people = People(
            self.truth,
            self.table,
            NAMES[:players],
            lambda button, long: self.presses.append(Press(button, long, self.clock.monotonic())),
            self.clock,
            seed,
            mistakes,
            partial(self.game.rules.phrase, names=NAMES[:players]),
            game=self.game.name,
            first=first,
            options=tuple(option_label(self.night, option, options) for option in self.game.options),
            implied=getattr(reading, "TRACELESS", ()),
            nameless=getattr(reading, "NAMELESS", ()),
            lawful=partial(lawful, self.game),
            spelling=self.game.spelled,
        )

    def reading(self) -> Table:
        return read(self.table)

    def faults(self) -> list[str]:
        """What was not as it must be, in words; empty for a night without fault."""
        found = self.broken_promises()
        found += [
            f"missed {one.rule} (named {one.named}; {one.seen_as})"
            for one in self.diary.broken
            if one.refutable and one.named != one.rule
        ]
        return found


def row(
    seed: int, game: str, players: int, mistakes: float, chosen: Mapping[str, str] | None = None
) -> tuple[int, list[str], list[str], dict[str, int]]:
    """A night's seed, faults, notes, and counts."""
    evening = Evening(game, seed, players, mistakes, chosen).play()
    diary = evening.diary
    judged = [one.first_right for one in diary.made if one.first_right is not None]
    counts = {
        "nights": 1,
        "moves": len(diary.made),
        "first proposals": len(judged),
        "first right": sum(judged),
        "presses": evening.pressed,
        "asked": diary.asked,
        "menus": diary.menus,
        "wrong commits": evening.wrong_commits,
        "legal refused": diary.legal_refused,
        "illegal tried": diary.illegal_tried,
        "illegal named": diary.illegal_named,
        "illegal missed": diary.illegal_missed,
        "illegal unseen": diary.illegal_unseen,
    }
    return seed, evening.faults(), list(diary.notes), counts


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.perfect_cards", description=__doc__)
    parser.add_argument("--game", default="ankh")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seeds", default="1-10", help="which nights: 1-300 or 1,4,9")
    parser.add_argument("--mistakes", type=float, default=0.15)
    parser.add_argument("--option", action="append", default=[], help="such as monument=mine")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--notes", action="store_true", help="also what the people found odd")
    parser.add_argument("--log", action="store_true", help="every screen of every night")
    args = parser.parse_args(argv)
    seeds = span(args.seeds)
    chosen = dict(option.split("=", 1) for option in args.option)
    if args.log:
        for seed in seeds:
            print("\n".join(Evening(args.game, seed, args.players, args.mistakes, chosen).play().log))
        return 0
    sums: Counter[str] = Counter()
    faulty = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        play = partial(row, game=args.game, players=args.players, mistakes=args.mistakes, chosen=chosen)
        for seed, faults, notes, counts in pool.map(play, seeds):
            sums.update(counts)
            faulty += bool(faults)
            if faults:
                print(f"{seed}: {'; '.join(faults)}", flush=True)
            if args.notes:
                print(*(f"    {seed} {note}" for note in notes), sep="\n", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sums.items()))
    print(
        f"first proposal right {sums['first right'] / max(1, sums['first proposals']):.4f}, faulty nights {faulty}"
    )
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
