"""The display's wire, outside the machine: every byte that the display acknowledged, and the picture that it makes.

The bytes come while the driver's write is still under way (``kernel/thoth-wire.c``), so what stands here stood there; with each picture is
kept how much had been written to the state's disk by then, as far as the emulator had logged it.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.simulated.bus import OledChip
from tests.machine.vm import glass

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Sight:
    """``logged``: bytes of the log of block writes when the picture was whole; ``at``: host's monotonic s."""

    picture: bytes
    logged: int
    at: float


@dataclass
class Wire:
    """A socket at ``place`` to which the emulator connects. ``log``: the file whose length is noted with each picture."""

    place: Path
    log: Path
    sights: list[Sight] = field(default_factory=list)
    """What stood on the display, one after the other, each once."""
    messages: int = 0

    def __post_init__(self) -> None:
        self._chip = OledChip()
        self._lock = threading.Lock()
        self._ears = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ears.bind(str(self.place))
        self._ears.listen(1)
        threading.Thread(target=self._listen, name="wire", daemon=True).start()

    def _listen(self) -> None:
        try:
            peer, _ = self._ears.accept()
        except OSError:
            return
        left = b""
        with peer:
            while got := peer.recv(65536):
                logged = self.log.stat().st_size if self.log.exists() else 0
                left = self._take(left + got, logged)

    def _take(self, data: bytes, logged: int) -> bytes:
        """Carry out the whole messages in ``data``; what is left of it."""
        with self._lock:
            while len(data) >= 2 and len(data) >= 2 + (size := int.from_bytes(data[:2], "little")):
                message, data = data[2 : 2 + size], data[2 + size :]
                self.messages += 1
                if message:
                    self._chip.receive(message[0], message[1:])
            if not data:
                seen = self._chip.picture().tobytes()
                if not self.sights or self.sights[-1].picture != seen:
                    self.sights.append(Sight(seen, logged, time.monotonic()))
        return data

    def picture(self) -> Image:
        with self._lock:
            return self._chip.picture()

    def lose_power(self) -> None:
        """What a display does whose wires are pulled: when it comes back, it holds noise and is dark."""
        with self._lock:
            self._chip.power_on()

    @property
    def text(self) -> str:
        return glass.words(self.picture())

    def lines(self) -> tuple[glass.Line, ...]:
        return glass.read(self.picture())

    def close(self) -> None:
        self._ears.close()


def text_of(sight: Sight) -> str:
    from PIL import Image

    return glass.words(Image.frombytes("1", (128, 64), sight.picture))


def steady(look: Callable[[], str], seconds: float = 0.3) -> str:
    """What ``look`` says once it says the same for a while: a picture is several writes on the bus."""
    said, since = look(), time.monotonic()
    while time.monotonic() - since < seconds:
        time.sleep(0.05)
        if (now := look()) != said:
            said, since = now, time.monotonic()
    return said
