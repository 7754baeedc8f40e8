"""People in front of a Thoth that is installed in a container: the display is what ``systemctl status`` says stands on it, a picture takes
the place of the last one in the camera's folder, a pin of the mock factory is pulled down."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import cv2

from tests.machine.container import Container
from tests.machine.people import PINS, People

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


class Evening(People):
    """``show`` before the service starts: its camera needs a first picture."""

    def __init__(self, box: Container, seed: int = 3) -> None:
        super().__init__(seed)
        self.box = box
        self._scene = box.merged / SCENES.lstrip("/") / "scene.png"

    @property
    def status(self) -> str:
        return self.box.status

    def show(self) -> None:
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

    def journal_files(self) -> Mapping[str, bytes]:
        state = self.box.merged / "var/lib/thoth"
        return {path.name: path.read_bytes() for path in state.glob("journal.db*")}
