"""A table without a mat, on the settings' default picture: the camera is opened for a larger one while the night goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engines import table_games
from engines.table import Layout, Table
from firmware import night
from firmware.box import parts
from firmware.box.light import Light
from firmware.box.logtail import Tail
from firmware.box.notify import Notifier
from firmware.box.renewal import Renewal
from firmware.box.stop import Hangup
from firmware.events import Looked, Pressed
from firmware.screens import screen
from firmware.settings import Settings
from firmware.shell import Shell
from firmware.written.journal import Journal
from hardware.buttons.press import Button, Press
from hardware.clock import SystemClock
from tests.firmware.test_shell import Reading, Sight

NAMES = ("Ana", "Ben", "Cleo")


class Particular:
    """Eyes that read no picture narrower than 2304 px of a table without a mat."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.widths: list[int] = []

    def watch(self, preview: object, at: float) -> Sight:
        return Sight(changed=True)

    def read(self, picture: Any, expected: Table) -> Reading:
        self.widths.append(picture.shape[1])
        coarse = self.layout.loose and picture.shape[1] < 2304
        return Reading(None if coarse else expected, "coarse" if coarse else None)


def test_the_camera_takes_the_larger_picture_by_itself_and_the_smaller_again(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    noise = np.random.default_rng(1).integers(0, 255, (1296, 2304, 3)).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "pictures" / "1.png"), noise)
    settings = Settings({"camera.kind": "folder", "camera.folder": str(tmp_path / "pictures")})
    clock, made, read = SystemClock(), list[Particular](), list[Looked]()

    def eyes(layout: Layout) -> Any:
        made.append(Particular(layout))
        return made[-1]

    def observe(before: object, event: object, after: object, effects: object) -> None:
        read.extend([event] if isinstance(event, Looked) else [])

    state, effects = night.begin(table_games(), NAMES, seed=1)
    with Journal(tmp_path / "journal.db") as journal:
        shell: Shell[night.Night] = Shell(
            clock, parts.camera(settings, clock, aside=True), None, None, eyes, journal, state,
            effects=effects, observe=observe, chores=lambda now: renewal(now),
        )  # fmt: skip
        renewal = Renewal(
            shell, settings, None, tmp_path, journal, None, {}, NAMES, 1, Light(tmp_path / "c.toml"), Hangup(), Notifier({}), Tail()
        )  # fmt: skip
        at = count(1)

        def press(button: Button = Button.CONFIRM, long: bool = False) -> None:
            shell.queue.append(Pressed(Press(button, long, clock.monotonic() + next(at))))
            shell.turn()

        def choose(line: str) -> None:
            for _ in range(40):
                shown = screen(shell.night)
                if shown.choices[shown.chosen] == line:
                    return press()
                press(Button.DOWN)
            raise AssertionError(f"{line} is not in {shown.choices}")

        def until(done: Callable[[], bool]) -> None:
            end = time.monotonic() + 30
            shell.run_until(lambda: done() or time.monotonic() > end)
            assert done()

        def set_up(game: str) -> None:
            answers = {"game": game, "players": "2", "first": "Ana", "option": "Start"}
            while (shown := screen(shell.night)).name in (*answers, "names"):
                choose(answers.get(shown.name, shown.choices[0] if shown.choices else ""))
            assert shown.name == "setup"

        set_up("Papyrus The Game")
        until(lambda: bool(read))
        assert made[-1].layout.loose and made[-1].widths[-1] == 2304
        assert shell.looking[1].part is not None and shell.looking[1].part.size == (2304, 1296)
        read.clear()
        press(Button.REJECT, long=True)  # back to the games
        for _ in range(12):
            if screen(shell.night).name == "game":
                break
            press(Button.REJECT)
        set_up("Tanis")
        until(lambda: bool(read) and made[-1].layout.game == "tanis" and made[-1].widths[-1] == 1536)
        shell.close()
