"""Whole nights without pictures: the simulated people, the simulated table and the real night; only the eyes are perfect.

``python -m tests.perfect_nights --seeds 1-300 --mistakes 0.25`` plays them and prints one line per faulty night and the sums.
What people broke is judged by the oracle, which shares nothing with the referee: a mistake counts as unseen only when
no perfect reader with the public record could refute it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import engines
from engines.dealing import Intent
from engines.table import Table
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.rules import phrase
from engines.tanis.state import TanisState
from firmware import night as nights
from firmware.states.setup import option_label
from hardware.buttons.press import Press
from hardware.clock import SimulatedClock
from hardware.simulated.people import People
from hardware.simulated.table import SimulatedTable
from tests.oracle import Situation, Stage, Verdict, judge
from tests.perfect_evening import PerfectEvening, span
from tests.perfect_reader import Lying, TrueTable, read

NAMES = ("Ana", "Ben")
STAGES: dict[str, Stage] = {
    "start": "start",
    "take after explorer": "explorer",
    "take after excavator": "excavator",
    "first of expert": "first",
    "second of expert": "second",
}


def seen(table: SimulatedTable) -> TrueTable:
    """What lies on the simulated table, for the perfect reader."""
    dig = {body.identity: Lying((body.cells[0], body.cells[1]), body.level) for body in table.within("dig")}
    loose = {
        zone.name: [body.identity for body in table.within(zone.name)]
        for zone in table.layout.zones
        if zone.form == "free"
    }
    return TrueTable(
        tuple(sorted(dig.items())),
        tuple((zone, tuple(sorted(names))) for zone, names in sorted(loose.items())),
    )


@dataclass(frozen=True)
class Wrong:
    """A rule broken: which, what the maker says of it, and what the oracle says."""

    rule: str
    refutable: bool
    verdict: Verdict


class WatchedWorld:
    """The hidden world, and every mistake that was begun in it, judged by the oracle."""

    def __init__(self, world: TanisWorld, table: SimulatedTable) -> None:
        self._world, self._table = world, table
        self.wrong: list[Wrong] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._world, name)

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        intent = self._world.choose(rng, mistakes)
        if intent.mistake:
            now = situation(self._world.state, seen(self._table))
            verdict = judge(now, [stage for stage, _ in intent.stages])
            self.wrong.append(Wrong(intent.mistake, intent.refutable, verdict))
        return intent


def situation(state: TanisState, true: TrueTable) -> Situation:
    """The oracle's words for where a world stands."""
    cards = tuple((hand.explorer, hand.excavator, hand.expert) for hand in state.cards)
    return Situation(
        true,
        state.to_move,
        STAGES[state.stage],
        state.last_sign,
        cards,  # type: ignore[arg-type]
        tuple(pair for pair in state.options if pair[1] in ("yes", "no")),
    )


@dataclass
class Evening(PerfectEvening):
    """One night at the table: ``play`` lets it happen, ``faults`` says what was wrong with it."""

    seed: int
    mistakes: float = 0.0
    options: dict[str, str] = field(default_factory=dict)
    forget: float = 0.15

    def __post_init__(self) -> None:
        games = engines.games()
        self.clock = SimulatedClock()
        rng = random.Random(f"evening {self.seed}")
        first = rng.randrange(2)
        self.game = games["tanis"]
        everything = {option.name: option.values[0] for option in self.game.options} | self.options
        self.truth = deal(self.seed, 2, first, everything)
        self.table = SimulatedTable(self.game.reading.layout(2, everything), self.truth.setup(), self.seed)
        self.world = WatchedWorld(self.truth, self.table)
        self.presses: deque[Press] = deque()
        self.begun(*nights.begin(games, NAMES, self.seed))
        self.people = People(
            self.world,  # type: ignore[arg-type]
            self.table,
            NAMES,
            lambda button, long: self.presses.append(Press(button, long, self.clock.monotonic())),
            self.clock,
            self.seed,
            self.mistakes,
            phrase,
            first=first,
            options=tuple(option_label(self.night, option, everything) for option in self.game.options),
            forget=self.forget,
        )

    def reading(self) -> Table:
        return read(seen(self.table))

    def faults(self) -> list[str]:
        """What was not as it must be, in words; empty for a night without fault."""
        diary, found = self.diary, self.broken_promises()
        for broken, wrong in zip(diary.broken, self.world.wrong, strict=False):
            if wrong.verdict == "refutable" and broken.named != broken.rule:
                found.append(f"missed {broken.rule} (named {broken.named}; {broken.seen_as})")
            elif wrong.verdict != "refutable" and wrong.refutable:
                found.append(f"{broken.rule} is {wrong.verdict} (named {broken.named}; {broken.seen_as})")
            elif wrong.verdict == "refutable" and not wrong.refutable:
                found.append(f"{broken.rule} is refutable")
        return found


@dataclass(frozen=True)
class Row:
    """One night in numbers."""

    seed: int
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    counts: dict[str, int]


def row(seed: int, mistakes: float, options: dict[str, str], forget: float = 0.15) -> Row:
    evening = Evening(seed, mistakes, options, forget).play()
    diary = evening.diary
    judged = [one.first_right for one in diary.made if one.first_right is not None]
    counts = {
        "nights": 1,
        "not ended": int(bool(evening.lost)),
        "moves": len(diary.made),
        "first proposals": len(judged),
        "first right": sum(judged),
        "asked": diary.asked,
        "menus": diary.menus,
        "wrong commits": evening.wrong_commits,
        "wrong scores": int("wrong score" in evening.faults()),
        "legal refused": diary.legal_refused,
        "illegal tried": diary.illegal_tried,
        "illegal named": diary.illegal_named,
        "illegal missed": diary.illegal_missed,
        "illegal unseen": diary.illegal_unseen,
    }
    return Row(seed, tuple(evening.faults()), tuple(diary.notes), counts)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.perfect_nights", description=__doc__)
    parser.add_argument("--seeds", default="1-20", help="which nights: 1-300 or 1,4,9")
    parser.add_argument("--mistakes", type=float, default=0.25)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--forget", type=float, default=0.15, help="how often nobody presses CONFIRM")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--notes", action="store_true", help="also what the people found odd")
    parser.add_argument("--log", action="store_true", help="every screen of every night")
    args = parser.parse_args(argv)
    options = dict(pair.split("=", 1) for pair in args.option)
    seeds = span(args.seeds)
    if args.log:
        for seed in seeds:
            print("\n".join(Evening(seed, args.mistakes, options, args.forget).play().log))
        return 0
    sums: Counter[str] = Counter()
    faulty = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for one in pool.map(partial(row, mistakes=args.mistakes, options=options, forget=args.forget), seeds):
            sums.update(one.counts)
            faulty += bool(one.faults)
            if one.faults:
                print(f"{one.seed}: {'; '.join(one.faults)}", flush=True)
            if args.notes and one.notes:
                print(*(f"    {one.seed} {note}" for note in one.notes), sep="\n", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sums.items()))
    print(
        f"first proposal right {sums['first right'] / max(1, sums['first proposals']):.4f}, faulty nights {faulty}"
    )
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
