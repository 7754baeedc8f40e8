"""A whole night on hardware that fails at random: what is written is what happened, and the people see it again."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.demo import Evening, Seen, Wish, prepare
from firmware.written.journal import Journal
from hardware.camera.frame import CameraError
from hardware.clock import SimulatedClock
from hardware.display.draw import draw
from hardware.display.oled import SHIFTS
from hardware.simulated.bus import SimulatedBus

ERRNOS = sorted(errno.errorcode)


class Glass(Seen):
    """A display that people look at, and on which they see nothing while it has a fault."""

    def __init__(self, seen: Seen, people: Any, clock: SimulatedClock) -> None:
        super().__init__(seen._display, seen._see)
        self._people, self._clock = people, clock
        self.last: Any = None
        self.lost = self.back = 0

    def show(self, screen: Any) -> None:
        self.last = screen
        self._watched(lambda: self._display.show(screen))

    def tick(self, now: float) -> None:
        self._watched(lambda: self._display.tick(now))

    def _watched(self, do: Callable[[], None]) -> None:
        before = self._display.fault
        do()
        after = self._display.fault
        self.lost += before is None and after is not None
        self.back += before is not None and after is None
        if after is not None:
            self._people._due = self._clock.monotonic() + 1  # who sees a dark display waits
        elif self.last is not None:
            self._see(self.last)


def break_bus(monkeypatch: pytest.MonkeyPatch, rng: random.Random, clock: SimulatedClock) -> dict[int, int]:
    """Transfers break at random, with every errno there is, once or for a moment."""
    told: dict[int, int] = {}
    true = SimulatedBus._transfer
    until, code = 0.0, 0

    def transfer(self: SimulatedBus, address: int, control: int, data: Any) -> None:
        nonlocal until, code
        if clock.monotonic() >= until and rng.random() < 0.008:
            code = ERRNOS[len(told) % len(ERRNOS)]
            until = clock.monotonic() + rng.choice((0.0, 0.0, 0.3))
        elif clock.monotonic() >= until:
            true(self, address, control, data)
            return
        told[code] = told.get(code, 0) + 1
        if (chip := self.chips.get(address)) is not None:
            chip.receive(control, data[: rng.randrange(len(data) + 1)])
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(SimulatedBus, "_transfer", transfer)
    return told


def break_camera(evening: Evening, rng: random.Random) -> list[str]:
    failed: list[str] = []

    def breaking(name: str) -> Any:
        true = getattr(evening.camera, name)

        def call(*args: Any, **words: Any) -> Any:
            if rng.random() < 0.01:
                failed.append(name)
                raise CameraError("the sensor does not answer", "camera stopped:\nplease wait")
            return true(*args, **words)

        return call

    for name in ("preview", "capture"):
        setattr(evening.camera, name, breaking(name))
    return failed


@pytest.mark.parametrize("seed", [3])
def test_display_and_camera_fail_at_random_and_the_score_is_right(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, rng = SimulatedClock(), random.Random(seed)
    with Journal(tmp_path / "journal.db") as journal:
        evening = prepare(Wish(seed=seed, size=(1280, 720)), clock, journal)
        codes = break_bus(monkeypatch, rng, clock)
        failed = break_camera(evening, rng)
        shell = evening.shell
        glass = Glass(shell._display._opened, evening.people, clock)  # type: ignore[arg-type]
        shell._display._opened = glass
        shell.run_until(lambda: bool(evening.people.done))
        assert len(codes) > 10 and len(failed) > 10 and glass.lost >= 3
        match = shell.night.match
        assert match is not None
        assert match.score().totals == evening.world.score().totals
        assert match.outcome() is not None
        assert evening.tally.wrong == 0
        monkeypatch.undo()
        stop = clock.monotonic() + 60
        shell.run_until(lambda: clock.monotonic() > stop)
        assert glass.back == glass.lost
        assert shell.screen is not None
        glass_holds = evening.chip.picture().convert("1").tobytes()
        wanted = [draw(shell.screen, shift).convert("1").tobytes() for shift in SHIFTS]
        assert glass_holds in wanted, "they see it again"
