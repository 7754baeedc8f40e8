"""A whole night of a game by its four keys, from the first question to the first question of the next: ``python -m tests.keys GAME``.

The people see the glass of the display and nothing else: what stands in the chip's memory is held, screen by screen, to what the night
meant to show. Counted is every press, by what it was for; with --pictures every different screen is written as a PNG, to be looked at.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.demo import Evening, Wish, prepare
from firmware.written.journal import Journal
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.draw import draw
from hardware.display.oled import SHIFTS
from hardware.display.screen import Screen

PHASES = {
    "game": "questions", "players": "questions", "names": "questions", "first": "questions", "option": "questions",
    "setup": "set-up", "turn": "turns", "proposal": "proposals", "ask": "questions of the table", "illegal": "refusals",
    "takeback": "take-backs", "menu": "menus", "desync": "differences", "end": "end and next game", "pause": "end and next game",
}  # fmt: skip
"""What a press is for, by the screen on which it falls."""


@dataclass
class Watched:
    """What was shown and pressed on one evening."""

    evening: Evening
    screens: dict[Screen, Any] = field(default_factory=dict)
    presses: Counter[str] = field(default_factory=Counter)
    mistaken: list[Screen] = field(default_factory=list)
    """Screens that the glass did not show as they were meant."""

    def see(self, screen: Screen) -> None:
        picture = self.evening.chip.picture().convert("1")
        meant = (draw(screen, shift).convert("1").tobytes() for shift in SHIFTS)
        if picture.tobytes() not in meant:
            self.mistaken.append(screen)
        self.screens.setdefault(screen, picture)


def night(wish: Wish, folder: Path, regret: float = 0.1) -> Watched:
    """The night, with people who now and then take a move back; then CONFIRM at the end, and CONFIRM again."""
    clock = SimulatedClock()
    with Journal(folder / "journal.db") as journal:
        evening = prepare(wish, clock, journal)
        watched = Watched(evening)
        people, shell = evening.people, evening.shell
        see, press = people.see, people._press

        def seen(screen: Screen) -> None:
            watched.see(screen)
            see(screen)

        def pressed(button: Button, long: bool) -> None:
            now = people.screen.name if people.screen is not None else ""
            phase = (
                "take-backs" if now == "turn" and long and button is Button.REJECT else PHASES.get(now, now)
            )
            watched.presses[phase] += 1
            press(button, long)

        people._regret = regret
        people._press = pressed
        shell._display.part._see = seen  # type: ignore[union-attr]
        try:
            shell.run_until(lambda: bool(people.done))
            for _ in range(2):
                pressed(Button.CONFIRM, False)
                stop = clock.monotonic() + 2
                shell.run_until(lambda stop=stop: clock.monotonic() > stop)  # type: ignore[misc]
        finally:
            shell.close()
        return watched


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.keys", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mistakes", type=float, default=0.15)
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="write every different screen there")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        watched = night(Wish(args.game, args.seed, args.players, mistakes=args.mistakes), Path(folder))
    moves = len(watched.evening.tally.written)
    told = ", ".join(f"{phase} {count}" for phase, count in watched.presses.most_common())
    print(
        f"{args.game}: {moves} moves, {sum(watched.presses.values())} presses ({told}); {len(watched.screens)} screens"
    )
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
        for number, (screen, picture) in enumerate(watched.screens.items()):
            picture.resize((512, 256)).save(args.pictures / f"{number:03d}-{screen.name}.png")
    return 0 if not watched.mistaken else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
