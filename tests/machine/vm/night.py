"""People in front of the emulated machine: they read the display's pixels, pull down lines of its pin chip, and lay pictures of the simulated
table before its camera's sensor."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tests.machine.container import WrongError
from tests.machine.people import PINS, People
from tests.machine.vm.emulator import Emulator
from tests.machine.vm.wire import Wire, text_of

FRAMES = 4
"""Exposures of one scene, each with a noise of its own in the two lowest bits, as two frames of a sensor never are the same."""
SCENES = "/run/scenes"
SENSOR = "/sys/kernel/debug/vimc-scene"
_REACTION_S = 3.0
"""Seconds from a picture to a press, long for people, for half a second of the emulated machine may be longer than that of a clock."""
_PRESSES, _ANSWER_S = 6, 120.0
"""People press so often, and wait so many seconds for an answer each time: the emulated machine is slow."""
_LIGHT_S = 8.0
"""Seconds for which the light is looked at; the emulated machine takes its time to answer a press."""
STATE = "/var/lib/thoth"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A move that the display acknowledged, by the first picture that stood there after the button. ``logged``: bytes of the log of block
    writes by then."""

    move: str
    logged: int


class Night(People):
    """``show`` before the service starts, so that its camera sees something."""

    patience = 900.0

    def __init__(self, machine: Emulator, seed: int = 3) -> None:
        super().__init__(seed)
        self.machine = machine
        self.acknowledged: list[Acknowledged] = []
        self.watched: int | None = None
        """A pin whose levels are looked at after each press of CONFIRM."""
        self.levels: list[int] = []
        self.pressed_again = 0
        """Presses of which nothing came."""
        self._shown = 0

    @property
    def _wire(self) -> Wire:
        assert self.machine.wire is not None
        return self.machine.wire

    @property
    def status(self) -> str:
        return self._wire.text

    @property
    def chosen(self) -> str:
        return " ".join(line.text for line in self._wire.lines() if line.dark)

    def show(self) -> None:
        """The emulated camera has one stream, in the order of bytes that the driver asks for."""
        self._shown += 1
        path = self.machine.scenes / f"scene-{self._shown % 2}"
        seen = self._camera.capture(0.0).picture
        noise = np.random.default_rng(self._shown)
        exposures = (seen ^ noise.integers(0, 4, seen.shape, np.uint8) for _ in range(FRAMES))
        path.write_bytes(b"".join(one.tobytes() for one in exposures))
        self.machine.run(
            "sh",
            "-c",
            f"mountpoint -q {SCENES} || {{ mkdir -p {SCENES} && "
            f"mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,ro scenes {SCENES}; }}; "
            f"dd if={SCENES}/{path.name} of={SENSOR} bs=1M status=none",
        )

    def press(self, button: str, seconds: float = 0.15) -> None:
        # Thoth takes no press for an answer that comes in the moment in which something appears; people are not that quick either.
        while time.monotonic() - self._wire.sights[-1].at < _REACTION_S:
            time.sleep(0.1)
        if self.watched is not None and button == "confirm":
            self.levels += self.machine.press_and_watch(PINS[button], self.watched, _LIGHT_S)
        else:
            self.machine.press(PINS[button], seconds)

    def push(self, button: str, seconds: float = 0.15) -> str:
        """As people do: pressed again when nothing comes of it. A display that stood still for a while takes no press."""
        before = self.status
        for _ in range(_PRESSES):
            self.press(button, seconds)
            with contextlib.suppress(WrongError):
                return self.reads(lambda text: text != before, "an answer", _ANSWER_S)
            self.pressed_again += 1
        raise WrongError(
            f"{button} was pressed {_PRESSES} times at {before!r}\n{self.machine.log_of()[-3000:]}"
        )

    def confirm(self, move: str) -> None:
        count, before = len(self._wire.sights), self.status
        super().confirm(move)
        # Against burn-in the same picture is drawn a pixel further now and then; what says something else is the answer.
        answer = next(sight for sight in self._wire.sights[count:] if text_of(sight) != before)
        self.acknowledged.append(Acknowledged(move, answer.logged))

    def journal_files(self) -> Mapping[str, bytes]:
        names = self.machine.run("sh", "-c", f"ls {STATE} | grep ^journal.db").split()
        return {name: self.machine.read(f"{STATE}/{name}") for name in names}

    def resume(self) -> None:
        """In front of a machine that has just started: until it waits for the next move."""
        self.reads(lambda _: self.turn or "go on" in self.status.lower(), "the night going on")
        if not self.turn:
            self.push("confirm")
            self.reads(lambda _: self.turn, "the turn after the night went on")
        self.kept()

    def story(self) -> list[str]:
        """What stood on the display, one after the other."""
        return [text_of(sight) for sight in self._wire.sights]
