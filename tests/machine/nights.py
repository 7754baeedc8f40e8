"""Whole nights of every game in front of the installed unit, in real time: what its kernel calls were refused, and its memory.

    python -m tests.machine.nights                        the four games, one after the other; one JSON object for each
    python -m tests.machine.nights --games papyrus --high 150 --no-trace

Root and systemd-nspawn, as the container tier. The people, the table and the light are those of ``thoth demo``; what they see is the screen
of the installed service, what it sees is a picture in its camera's folder, and what they press is a pin of the mock factory. At the end every
move of the journal is held against what hands truly did.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pickle
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from engines import games
from engines.catalogue import shipped
from firmware import demo
from firmware.alone.heading import NAMES
from firmware.written import entries
from firmware.written.journal import Journal
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.people import LostPatienceError
from tests.machine import steps, tree
from tests.machine.evening import SCENES, SETTINGS
from tests.machine.ledger import Ledger, cold
from tests.machine.looks import UNIT, Denied, cpu_s, memory_mb, put, start_s
from tests.machine.people import PINS
from tests.machine.running import CANNOT
from tests.machine.trial import Trial

FRAME = 0.2
"""Seconds between two pictures while something moves."""
AGAIN = 5.0
"""Seconds after which a picture of a table that rests is taken again: noise is never the same."""


class Night:
    """One game's night in front of the box. ``size``: of the pictures, px."""

    def __init__(self, trial: Trial, game: str, seed: int, players: int | None, speed: float) -> None:
        self.trial, self.box, self.speed = trial, trial.box, speed
        self.clock = SimulatedClock()
        self._folder = tempfile.TemporaryDirectory(prefix="thoth-")
        with Journal(Path(self._folder.name) / "unused.db") as unused:
            self.evening = demo.prepare(demo.Wish(game=game, seed=seed, players=players), self.clock, unused)
        self.people: Any = self.evening.people
        self.people.screen = None
        self.people._press = self._press
        self._scene = self.box.merged / SCENES.lstrip("/") / "scene.jpg"
        self._shown: object = None
        self._taken = 0.0
        self._last = b""

    @property
    def size(self) -> tuple[int, int]:
        return tuple(self.evening.camera.size)  # type: ignore[return-value]

    def _press(self, button: Button, long: bool) -> None:
        place = f"/proc/{self.box.leader}/root/run/thoth/press"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as finger, contextlib.suppress(OSError):
            finger.sendto(f"{PINS[button.value]} {1.0 if long else 0.15}".encode(), place)

    def show(self) -> None:
        """The table as it is now stands before the camera, if it is not as it was."""
        table, now = self.evening.table, time.monotonic()
        looks = table.version, table.hands, self.evening.camera.conditions
        if looks == self._shown and now - self._taken < AGAIN:
            return
        self._shown, self._taken = looks, now
        self._scene.parent.mkdir(parents=True, exist_ok=True)
        beside = self._scene.with_name(".next.jpg")
        cv2.imwrite(str(beside), self.evening.camera.capture(0.0).picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
        beside.replace(self._scene)

    def look(self) -> None:
        """Let the people see what stands on the display."""
        with contextlib.suppress(OSError):
            raw = Path(f"/proc/{self.box.leader}/root/run/thoth/screen").read_bytes()
            if raw and raw != self._last:
                self._last = raw
                screen = pickle.loads(raw)
                assert isinstance(screen, Screen)
                self.people.see(screen)

    def play(self, pid: int, patience: float) -> str:
        """Until the people are done, before the service that is process ``pid``; "" or why the night did not end."""
        began = start = time.monotonic()
        self.people._progress = self.clock.monotonic()
        drawn = 0.0
        while not self.people.done:
            now = time.monotonic()
            if now - start > patience:
                return f"not ended within {patience:.0f} s"
            if not Path(f"/proc/{pid}").exists():
                return f"the service started anew: {self.box.log_of()[-300:]}"
            step, began = (now - began) * self.speed, now
            try:
                self.clock.advance(step)
            except LostPatienceError as lost:
                return str(lost)
            self.look()
            if now - drawn >= FRAME:
                drawn = now
                self.show()
            time.sleep(0.03)
        return ""

    def wrong(self) -> list[str]:
        """What the journal holds otherwise than it was done."""
        with tempfile.TemporaryDirectory() as folder:
            for part in (self.box.merged / "var/lib/thoth").glob("journal.db*"):
                shutil.copy(part, folder)
            with Journal(Path(folder) / "journal.db") as journal:
                match = entries.replay(games(), journal.entries()).match
        kept = list(match.moves) if match is not None else []
        done = [one.move for one in self.people.diary.made if one.confirmed]
        return [
            f"{at + 1}: {ours} was done, {theirs} is kept"
            for at, (ours, theirs) in enumerate(_paired(done, kept))
            if ours != theirs
        ]

    def close(self) -> None:
        self._folder.cleanup()


def _paired(first: list[Any], second: list[Any]) -> Iterator[tuple[Any, Any]]:
    for at in range(max(len(first), len(second))):
        yield (first[at] if at < len(first) else None), (second[at] if at < len(second) else None)


def lay_hooks(trial: Trial) -> None:
    """Fingers and eyes inside: see ``inside/sitecustomize.py``."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(
        steps.ROOT / "tests/machine/inside", trial.merged / steps.HOOKS.lstrip("/"), ignore=ignored
    )
    # Under strace everything takes many times as long: a start is not broken off for it.
    patient = "TimeoutStartSec=900\nWatchdogSec=600\n"
    seen = f"[Service]\nEnvironment=PYTHONPATH={steps.HOOKS} THOTH_SEEN=1\n{patient}"
    put(trial.merged, "/etc/systemd/system/thoth.service.d/fingers.conf", seen)
    trial.box.run("systemctl", "daemon-reload")


def one(trial: Trial, game: str, wish: argparse.Namespace) -> dict[str, Any]:
    """Play one night; its figures."""
    box = trial.box
    box.run("systemctl", "stop", UNIT)
    shutil.rmtree(trial.merged / "var/lib/thoth", ignore_errors=True)
    shutil.rmtree(trial.merged / SCENES.lstrip("/"), ignore_errors=True)
    night = Night(trial, game, wish.seed, wish.players, wish.speed)
    night.show()
    names = ", ".join(f'"{name}"' for name in NAMES[: len(night.people.names)])
    width, height = night.size
    settings = SETTINGS.replace('["Ana", "Ben"]', f"[{names}]").replace(
        "[camera]\n", f"[camera]\nwidth = {width}\nheight = {height}\n"
    )
    put(trial.merged, "/etc/thoth/thoth.toml", settings)
    numbers = trial.merged / "etc/thoth/numbers.toml"
    numbers.unlink(missing_ok=True)
    if night.evening.shell.night.numbers[game] is not shipped(game):
        # The people play by the invented numbers: the box gets them as an owner's file.
        shutil.copy(steps.ROOT / "engines" / game / "house.toml", numbers)
    cold(trial.merged)
    refused: list[str] = []
    with Ledger(box.leader, wish.high) as ledger, contextlib.ExitStack() as held:
        if wish.trace:
            refused = held.enter_context(Denied(box, trial.place))
        else:
            box.run("systemctl", "restart", UNIT)
        ledger.only(box.pid)
        ready, pid, began = start_s(box), box.pid, time.monotonic()
        lost = night.play(pid, wish.patience)
        seconds, there = time.monotonic() - began, Path(f"/proc/{pid}").exists()
        used = cpu_s(pid) if there else 0.0
        peaks = {"own": memory_mb(pid, "RssAnon"), "with_files": memory_mb(pid, "VmHWM")} if there else {}
        timings = Path(f"/proc/{box.leader}/root/run/thoth/timings")
        figures = ledger.figures()
        again = box.pid != pid
        reads = json.loads(timings.read_text()) if timings.exists() else {}
    wrong = night.wrong()
    night.close()
    return {
        "game": game,
        "players": len(night.people.names),
        "picture": f"{width}x{height}",
        "lost": lost,
        "moves": len(night.people.diary.made),
        "wrong": wrong,
        "started_again": again,
        "refused": refused if wish.trace else "not traced",
        "ready_s": round(ready, 2),
        "seconds": round(seconds),
        "cpu": round(used / seconds, 3),
        "rss_mb": {name: round(mb, 1) for name, mb in peaks.items()},
        "memory": figures,
        "read_ms": reads,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.machine.nights", description=__doc__)
    parser.add_argument("--games", default="tanis,archaeology,ankh,papyrus")
    parser.add_argument("--players", type=int, help="how many play (default: the demo's)")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument(
        "--speed", type=float, default=1.0, help="of the people, against the clock on the wall"
    )
    parser.add_argument("--patience", type=float, default=3600.0, help="seconds for one night")
    parser.add_argument("--high", type=float, help="MB at which the kernel drops the service's file pages")
    parser.add_argument("--no-trace", dest="trace", action="store_false", help="without strace")
    wish = parser.parse_args()
    try:
        tree.require()
        lower = tree.base(False)
    except tree.CannotRunError as error:
        print(f"not run: {error}")
        return CANNOT
    good = True
    with tempfile.TemporaryDirectory(prefix="thoth-machine-") as place, tree.overlay(lower) as merged:
        trial = Trial(merged, Path(place))
        try:
            steps.copy_checkout(trial)
            steps.boots(trial)
            steps.installs(trial)
            lay_hooks(trial)
            for game in wish.games.split(","):
                figures = one(trial, game, wish)
                print(json.dumps(figures), flush=True)
                good &= not (figures["lost"] or figures["wrong"] or figures["started_again"])
                good &= not wish.trace or not figures["refused"]
        finally:
            trial.box.kill()
    return 0 if good else 1


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
