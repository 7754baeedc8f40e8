"""``kill -9`` at random moments of a night: ``python -m tests.kill9 --times 200``.

A child process plays a night with the real shell, night and journal on a true table, and says on a pipe what a person in
the room would see: every screen the display shows, and every press just before the finger goes down. The watcher kills it
at a random moment, opens the journal itself and starts the child again. Each resume has to be at the last move that the display
acknowledged, or one later, nothing lost, nothing twice. Exit 1 if any was not.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NAMES = ("Ana", "Ben")


# -- the child: a night in a process of its own -----------------------------------------------------------


def child(path: Path, seed: int) -> int:
    """Play on from where the journal is, until the game is over; exit 0 then."""
    import numpy as np

    from engines import games
    from engines.tanis.dealing import deal
    from firmware import night
    from firmware.box.pace import SIMULATED
    from firmware.shell import Shell
    from firmware.written import entries
    from firmware.written.journal import Journal
    from hardware.buttons.press import Button, Press
    from hardware.camera.frame import Frame
    from hardware.clock import SimulatedClock
    from hardware.display.screen import Screen
    from tests import perfect_reader

    def say(**what: Any) -> None:
        print(json.dumps(what), flush=True)

    clock = SimulatedClock()
    journal = Journal(path)
    written = journal.entries()
    match = entries.replay(games(), written).match
    world = deal(seed, 2, 0, {})
    wood = perfect_reader.TrueTable.from_setup(world.setup())
    for move in match.moves if match else ():
        for act in world.intent(move).stages[0][0]:
            wood = wood.after(act)
        world.play(move)
    rng = random.Random(f"{seed} {len(match.moves) if match else -1}")

    @dataclass
    class Person:
        """Everybody at the table: does the next move when it is due, confirms what the display proposes."""

        screen: Screen | None = None
        next_at: float = 0.0
        pending: Any = None
        presses: list[Button] = field(default_factory=list)

        def act(self, now: float) -> None:
            nonlocal wood
            if self.screen is None or now < self.next_at:
                return
            self.next_at = now + 1.0
            name = self.screen.name
            if name == "turn" and self.pending is None and not world.over:
                self.pending = world.choose(rng).stages[0]
                for act in self.pending[0]:
                    wood = wood.after(act)
            elif name == "proposal":
                assert self.pending is not None
                world.play(self.pending[1][0])
                self.pending = None
                self.presses.append(Button.CONFIRM)
            elif name in ("game", "names", "first", "option", "desync") or self.screen.main == "Ready":
                self.presses.append(Button.CONFIRM)

    person = Person()
    clock.on_advance(person.act)

    class Eyes:
        """Perfect, and as quick to notice."""

        seen: Any = None

        def watch(self, preview: Any, at: float) -> Any:
            changed, Eyes.seen = Eyes.seen is not wood, wood
            return _Sight(changed)

        def read(self, picture: Any, expected: Any) -> Any:
            return _Reading(perfect_reader.read(wood))

    class Camera:
        size = (4, 4)
        picture = np.zeros((4, 4, 3), np.uint8)

        def preview(self) -> Frame:
            return Frame(self.picture, clock.monotonic())

        def capture(self, not_before: float) -> Frame:
            return Frame(self.picture, clock.monotonic())

        def close(self) -> None: ...

    class Display:
        fault = None

        def show(self, screen: Screen) -> None:
            person.screen = screen
            person.next_at = clock.monotonic() + 1.0
            say(screen=screen.name, title=screen.title, main=screen.main, right=screen.right)

        def tick(self, now: float) -> None: ...

        def wake(self) -> bool:
            return False

        def close(self) -> None: ...

    class Buttons:
        def poll(self, now: float) -> tuple[Press, ...]:
            pressed = tuple(Press(button, at=now) for button in person.presses)
            for press in pressed:
                say(press=press.button.value)
            person.presses.clear()
            return pressed

        def close(self) -> None: ...

    if match is not None and not world.over and rng.random() < 0.5:
        # The move that was on the table when the power went is still there.
        person.pending = world.choose(rng).stages[0]
        for act in person.pending[0]:
            wood = wood.after(act)
    state, effects = night.resume(games(), written, NAMES, seed)
    say(resumed=len(match.moves) if match else 0, notice=journal.notice)
    shell: Shell[Any] = Shell(
        clock,
        Camera(),
        Display(),
        Buttons(),
        lambda _: Eyes(),
        journal,
        state,
        effects=effects,
        pace=SIMULATED,
    )
    limit = clock.monotonic() + 3600
    shell.run_until(
        lambda: clock.monotonic() > limit or (person.screen is not None and person.screen.name == "end")
    )
    say(over=person.screen is not None and person.screen.name == "end")
    journal.close()
    return 0


@dataclass(frozen=True)
class _Sight:
    changed: bool
    settled: bool = True
    fault: str | None = None


@dataclass(frozen=True)
class _Reading:
    table: Any
    fault: str | None = None
    ms: dict[str, float] = field(default_factory=dict)


# -- the watcher -------------------------------------------------------------------------------------------


@dataclass
class Watcher:
    """What somebody in the room has seen: the moves the display acknowledged, as (title, main) of their proposals."""

    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    screen: dict[str, str] = field(default_factory=dict)
    confirming: tuple[str, str] | None = None
    over: bool = False

    def sees(self, line: dict[str, Any]) -> None:
        if line.get("press") == "confirm" and self.screen.get("screen") == "proposal":
            self.confirming = self.screen["title"], self.screen["main"]
        elif "screen" in line:
            if self.confirming is not None and line["screen"] != "fault":
                self.acknowledged.append(self.confirming)
            self.confirming = None
            self.screen = line
        elif "over" in line:
            self.over = bool(line["over"])


@dataclass(frozen=True)
class Kill:
    """One kill and what was found after it."""

    acknowledged: int
    found: int
    fault: str = ""


def kills(folder: Path, times: int, seed: int) -> Iterator[Kill]:
    """Kill a night ``times`` times, beginning a new one (another seed) when one is over."""
    rng = random.Random(seed)
    game = seed * 1000
    done = 0
    path = folder / "journal.db"
    watcher = Watcher()
    while done < times:
        killed, told = _one_life(path, game, watcher, rng)
        if told:
            yield Kill(len(watcher.acknowledged), -1, told)
            done += 1
        elif killed:
            kill = _inspect(path, watcher)
            yield kill
            done += 1
            watcher.acknowledged = _phrases(path)
        if watcher.over or told:
            game += 1
            watcher = Watcher()
            for leftover in folder.glob("journal.db*"):
                leftover.unlink()


def _one_life(path: Path, game: int, watcher: Watcher, rng: random.Random) -> tuple[bool, str]:
    """Run the child until it is killed or done: (was it killed, what was wrong)."""
    watcher.screen, watcher.confirming = {}, None
    words = [sys.executable, "-m", "tests.kill9", "--child", str(path), "--game", str(game)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        deadline: float | None = None
        # Some after a while, some after so many lines: both random, one in time, the other in what is being done.
        lines_left = rng.randrange(1, 120) if rng.random() < 0.5 else None
        killed = False
        for raw in process.stdout:
            if not raw.endswith(b"\n"):
                break  # torn by the kill: nobody can have read it
            line = json.loads(raw)
            if "resumed" in line:
                deadline = time.monotonic() + rng.random() * 0.6
                if line["notice"]:
                    process.kill()
                    return False, f"the journal was damaged: {line['notice']}"
                if line["resumed"] != len(watcher.acknowledged):
                    process.kill()
                    return (
                        False,
                        f"resumed at {line['resumed']}, acknowledged were {len(watcher.acknowledged)}",
                    )
            watcher.sees(line)
            if lines_left is not None:
                lines_left -= 1
            if not killed and (
                lines_left == 0
                if lines_left is not None
                else deadline is not None and time.monotonic() >= deadline
            ):
                time.sleep(rng.random() * 0.004)
                process.kill()
                killed = True  # what still stands in the pipe was said before
        code = process.wait()
        if not killed and code != 0:
            return False, f"the child ended with {code}: {process.stderr.read().decode()[-1500:]}"
        return killed and not watcher.over, ""


def _phrases(path: Path) -> list[tuple[str, str]]:
    """The journal's moves as the display proposes them: (title, main)."""
    from engines import games
    from firmware.written import entries
    from firmware.written.journal import Journal

    # A copy is read, so that the child's own resume finds the file as the kill left it.
    with tempfile.TemporaryDirectory() as copy:
        for part in path.parent.glob(path.name + "*"):
            shutil.copy(part, copy)
        with Journal(Path(copy) / path.name) as journal:
            found = entries.replay(games(), journal.entries())
    if found.match is None:
        return []
    if found.damage:
        raise ValueError(found.damage)
    phrase = found.match.game.rules.phrase
    told = []
    for move in found.match.moves:
        verb, what = phrase(move)
        told.append((f"{found.match.names[move.player]} {verb}", what or verb))
    return told


def _inspect(path: Path, watcher: Watcher) -> Kill:
    seen = watcher.acknowledged
    try:
        kept = _phrases(path)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
        return Kill(len(seen), -1, f"the journal cannot be read: {error!r}")
    if not len(seen) <= len(kept) <= len(seen) + 1:
        return Kill(len(seen), len(kept), f"{len(seen)} moves were acknowledged, {len(kept)} are kept")
    if kept[: len(seen)] != seen:
        return Kill(len(seen), len(kept), f"other moves are kept than were acknowledged: {kept} {seen}")
    if len(kept) > len(seen) and watcher.confirming != kept[-1]:
        return Kill(len(seen), len(kept), f"a move is kept that nobody confirmed: {kept[-1]}")
    return Kill(len(seen), len(kept))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--game", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.child is not None:
        return child(given.child, given.game)
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        for number, kill in enumerate(kills(Path(folder), given.times, given.seed), 1):
            if kill.fault:
                counts["faults"] += 1
                print(f"kill {number}: {kill.fault}")
            else:
                counts[
                    "one later" if kill.found > kill.acknowledged else "at the last acknowledged move"
                ] += 1
            if number % 20 == 0:
                print(f"{number} kills, {counts['faults']} faults", flush=True)
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(
        f"{sum(counts.values())} kills in {time.monotonic() - began:.0f} s: {told}; faults {counts['faults']}"
    )
    return 1 if counts["faults"] or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
