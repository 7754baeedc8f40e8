"""What the steps share: the disk, the machine, the people in front of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.machine.vm import image
from tests.machine.vm.emulator import Emulator
from tests.machine.vm.image import Image
from tests.machine.vm.night import Night


class Trial:
    def __init__(self, disk: Image, place: Path) -> None:
        self.image, self.place = disk, place
        self.first = image.state(place)
        """The state's disk as it began."""
        self.log = place / "writes.log"
        self.machine = self.on(self.first, "machine")
        self.night = Night(self.machine)

    def on(self, first: Path, name: str) -> Emulator:
        """A machine whose state's disk begins as ``first``."""
        place = self.place / name
        place.mkdir()
        state = place / "state.img"
        shutil.copyfile(first, state)
        return Emulator(self.image, state, self.log if name == "machine" else place / "writes.log", place)

    def last_words(self) -> str:
        said = self.machine.last_words()
        try:
            said += f"display: {self.night.status}\n{self.machine.log_of()[-4000:]}"
        except Exception as error:  # noqa: BLE001 - it may be the machine itself that is gone
            said += f"(and nothing more: {error})"
        return said
