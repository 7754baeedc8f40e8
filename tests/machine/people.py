"""Two people at a simulated table in front of a Thoth, whatever it runs on: they lay things out, look at the display, press buttons.

They see what stands on the display and know the table by its pictures only. How a picture comes before the camera, how a button goes down and
how the display is looked at, is for the machine that they sit at to say.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path

from engines import table_games
from engines.dealing import Deed
from engines.game import Move
from engines.tanis.dealing import deal
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedTable
from tests.machine.container import WrongError, until

PINS = {"confirm": 17, "reject": 27, "up": 22, "down": 23}


class People(ABC):
    """Two people and a night of Tanis. ``patience``: seconds within which the display must answer; a busy machine is slow."""

    patience = 60.0

    def __init__(self, seed: int = 3) -> None:
        self.moves: list[str] = []
        """What was confirmed, as the journal writes it."""
        game = table_games()["tanis"]
        self._game = game
        self._rng = random.Random(f"evening {seed}")
        self._world = deal(seed, 2, 0, game.defaults)
        layout = game.reading.layout(2, game.defaults)
        self._table = SimulatedTable(layout, self._world.setup(), seed)
        self._stages: list[tuple[tuple[Deed, ...], tuple[Move, ...]]] = []
        """What is left to do of what a player wants to do."""
        self._camera = SimulatedCamera(self._table, SimulatedClock(), seed=seed, conditions=Conditions())

    # -- the machine -------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def status(self) -> str:
        """What stands on the display."""

    @property
    def chosen(self) -> str:
        """The line of a list that CONFIRM would take."""
        return self.status

    @abstractmethod
    def show(self) -> None:
        """What lies on the table now stands before the camera."""

    @abstractmethod
    def press(self, button: str, seconds: float = 0.15) -> None: ...

    @abstractmethod
    def journal_files(self) -> Mapping[str, bytes]:
        """The journal's files by name, as they are now."""

    # -- what people do ----------------------------------------------------------------------------------

    def reads(self, wanted: Callable[[str], bool], what: str, patience: float | None = None) -> str:
        """Look at the display until it says what is wanted. Raises WrongError with what it says instead."""
        seen = [self.status]

        def look() -> bool:
            seen[0] = self.status
            return wanted(seen[0])

        until(
            look,
            self.patience if patience is None else patience,
            lambda: f"{what}; the display says: {seen[0]!r}",
        )
        return seen[0]

    def push(self, button: str, seconds: float = 0.15) -> str:
        """Press, and wait until the display answers with another picture."""
        before = self.status
        self.press(button, seconds)
        return self.reads(lambda text: text != before, f"{button} was pressed at {before!r}")

    def choose(self, wanted: str) -> None:
        """Go down a list to a line and confirm it. Raises WrongError when it is not there."""
        for _ in range(8):
            if wanted in self.chosen:
                self.push("confirm")
                return
            self.push("down")
        raise WrongError(f"no {wanted!r} in the list; the display says: {self.status!r}")

    @property
    def turn(self) -> bool:
        """Whether the display waits for a move."""
        return "tile or card" in self.status

    def begin(self) -> None:
        """From the start screen to the first turn: the game, the people, the table laid out."""
        self.reads(lambda text: "Tanis" in text or "game" in text.lower(), "the question which game")
        self.choose("Tanis")
        self._table.lay_out()
        self.show()
        for _ in range(8):
            said = self.push("confirm")
            if "Ready" in said:
                break
            if "Set" in said:  # it becomes "Ready" by itself, maybe already
                self.reads(lambda text: "Ready" in text, "the table laid out")
                break
        self.push("confirm")

    def play(self, count: int) -> None:
        """Moves, each done on the table, read off it, confirmed and found in the journal. Raises WrongError."""
        for _ in range(count):
            self.lay()
            self.answer()

    def lay(self) -> None:
        """Do the next thing that a player wants to do on the table, as far as the display need not be asked."""
        if not self._stages:
            self._stages = list(self._world.choose(self._rng, 0.0).stages)
        for deed in self._stages[0][0]:
            self._table.do(deed)
        self.show()

    def answer(self) -> None:
        """Confirm what was laid, and do what is left of it."""
        while self._stages:
            for move in self._stages[0][1]:
                self._world.play(move)
                verb, what = self._game.rules.phrase(move)
                wanted = what or verb
                self.reads(lambda text, wanted=wanted: wanted in text, f"a proposal of {verb} {what}".strip())  # type: ignore[misc]
                self.confirm(f"{move.player + 1} {self._game.rules.format(move)}")
                self.kept()
            del self._stages[0]
            if self._stages:
                self.lay()

    def confirm(self, move: str) -> None:
        """Say yes to the proposal of ``move`` (as the journal writes it)."""
        self.push("confirm")
        self.moves.append(move)

    # -- what must be in the box -------------------------------------------------------------------------

    def kept(self) -> None:
        """Every move that was confirmed is in the journal, and no other. Raises WrongError."""
        found = self.journal()
        if found != self.moves:
            raise WrongError(f"the journal holds {found}, confirmed were {self.moves}")

    def journal(self) -> list[str]:
        """The moves of the journal's last night, read from a copy of its files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, data in self.journal_files().items():
                (Path(folder) / name).write_bytes(data)
            return moves_in(Path(folder) / "journal.db")


def moves_in(journal: Path) -> list[str]:
    """The moves of a journal's last night."""
    with contextlib.closing(sqlite3.connect(journal)) as database:
        rows = database.execute(
            "SELECT text FROM entry WHERE kind = 'move' AND night = (SELECT max(number) FROM night) ORDER BY sequence"
        )
        return [text for (text,) in rows]
