"""People in front of an installed Thoth: a simulated table in front of its camera, fingers on its buttons, eyes on its display.

They see what ``systemctl status`` says stands on the display and know the table by its pictures only; what they do is real: a picture
takes the place of the last one in the camera's folder, a pin of the mock factory is pulled down.
"""

from __future__ import annotations

import random
import shutil
import socket
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2

from engines import table_games
from engines.dealing import Intent
from engines.tanis.dealing import deal
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedTable
from tests.machine.container import Container, WrongError, until

PINS = {"confirm": 17, "reject": 27, "up": 22, "down": 23}
SCENES = "/srv/scenes"
SETTINGS = f"""\
names = ["Ana", "Ben"]
[camera]
kind = "folder"
folder = "{SCENES}"
[display]
driver = "none"
[buttons]
kind = "gpio"
factory = "mock"
"""
_LOOK = 60.0
"""Seconds within which the display must answer; a busy machine is slow."""


class Evening:
    """Two people, a night of Tanis and one installed Thoth. ``show`` before the service starts: its camera needs a first picture."""

    def __init__(self, box: Container, seed: int = 3) -> None:
        self.box = box
        self.moves: list[str] = []
        """What was confirmed, as the journal writes it."""
        game = table_games()["tanis"]
        self._game = game
        self._rng = random.Random(f"evening {seed}")
        self._world = deal(seed, 2, 0, game.defaults)
        layout = game.reading.layout(2, game.defaults)
        self._table = SimulatedTable(layout, self._world.setup(), seed)
        self._camera = SimulatedCamera(self._table, SimulatedClock(), seed=seed, conditions=Conditions())
        self._scene = box.merged / SCENES.lstrip("/") / "scene.png"

    def show(self) -> None:
        """What lies on the table now stands before the camera."""
        self._scene.parent.mkdir(parents=True, exist_ok=True)
        beside = self._scene.with_name(".next.png")
        cv2.imwrite(str(beside), self._camera.capture(0.0).picture)
        beside.replace(self._scene)

    def press(self, button: str, seconds: float = 0.15) -> None:
        self._send(f"{PINS[button]} {seconds}")

    def hang(self) -> None:
        """A driver that never returns."""
        self._send("hang 0")

    def _send(self, text: str) -> None:
        place = f"/proc/{self.box.leader}/root/run/thoth/press"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as finger:
            finger.sendto(text.encode(), place)

    def reads(self, wanted: Callable[[str], bool], what: str, patience: float = _LOOK) -> str:
        """Look at the display until it says what is wanted. Raises WrongError with what it says instead."""
        until(
            lambda: wanted(self.box.status),
            patience,
            lambda: f"{what}; the display says: {self.box.status!r}",
        )
        return self.box.status

    def push(self, button: str, seconds: float = 0.15) -> str:
        """Press, and wait until the display answers with another picture."""
        before = self.box.status
        self.press(button, seconds)
        return self.reads(lambda text: text != before, f"{button} was pressed at {before!r}")

    def choose(self, wanted: str) -> None:
        """Go down a list to a line and confirm it. Raises WrongError when it is not there."""
        for _ in range(8):
            if wanted in self.box.status:
                self.push("confirm")
                return
            self.push("down")
        raise WrongError(f"no {wanted!r} in the list; the display says: {self.box.status!r}")

    @property
    def turn(self) -> bool:
        """Whether the display waits for a move."""
        return "tile or card" in self.box.status

    def begin(self) -> None:
        """From the start screen to the first turn: the game, the people, the table laid out."""
        self.reads(lambda text: "Tanis" in text or "game" in text.lower(), "the question which game")
        self.choose("Tanis")
        self._table.lay_out()
        self.show()
        for _ in range(8):
            if "Ready" in self.push("confirm"):
                break
            if "Set" in self.box.status:
                self.reads(lambda text: "Ready" in text, "the table laid out")
                break
        self.push("confirm")

    def play(self, count: int) -> None:
        """Moves, each done on the table, read off it, confirmed and found in the journal. Raises WrongError."""
        for _ in range(count):
            self._one(self._world.choose(self._rng, 0.0))

    def _one(self, intent: Intent) -> None:
        for deeds, moves in intent.stages:
            for deed in deeds:
                self._table.do(deed)
            self.show()
            for move in moves:
                self._world.play(move)
                verb, what = self._game.rules.phrase(move)
                wanted = what or verb
                self.reads(lambda text, wanted=wanted: wanted in text, f"a proposal of {verb} {what}".strip())  # type: ignore[misc]
                self.push("confirm")
                self.moves.append(f"{move.player + 1} {self._game.rules.format(move)}")
                self.kept()

    def kept(self) -> None:
        """Every move that was confirmed is in the journal, and no other. Raises WrongError."""
        found = self.journal()
        if found != self.moves:
            raise WrongError(f"the journal holds {found}, confirmed were {self.moves}")

    def journal(self) -> list[str]:
        """The moves of the journal's last night, read from a copy of its files."""
        state = self.box.merged / "var/lib/thoth"
        with tempfile.TemporaryDirectory() as folder:
            for part in state.glob("journal.db*"):
                shutil.copy(part, folder)
            with sqlite3.connect(Path(folder) / "journal.db") as database:
                rows = database.execute(
                    "SELECT text FROM entry WHERE kind = 'move' AND night = (SELECT max(number) FROM night) ORDER BY sequence"
                )
                return [text for (text,) in rows]
