"""The display's wire, outside the machine: every byte that the display acknowledged, and the picture that it makes.

The bytes come while the driver's write is still under way (``kernel/thoth-wire.c``), so what stands here stood there; with each picture is
kept how much had been written to the state's disk by then, as far as the emulator had logged it.
"""

from __future__ import annotations

import socket
import threading
import time
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
        self._seen = self._chip.picture()
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
        """Carry out the whole messages in ``data``; what is left of it. A picture counts when its last byte is there: a machine that is slow
        takes seconds for one, and nobody reads a display that is being drawn."""
        with self._lock:
            while len(data) >= 2 and len(data) >= 2 + (size := int.from_bytes(data[:2], "little")):
                message, data = data[2 : 2 + size], data[2 + size :]
                self.messages += 1
                if message:
                    self._chip.receive(message[0], message[1:])
                if self._chip.whole:
                    self._look(logged)
        return data

    def _look(self, logged: int) -> None:
        self._seen = self._chip.picture()
        pixels = self._seen.tobytes()
        if not self.sights or self.sights[-1].picture != pixels:
            self.sights.append(Sight(pixels, logged, time.monotonic()))

    def picture(self) -> Image:
        """What a person sees: the last picture that was whole."""
        with self._lock:
            return self._seen

    def lose_power(self) -> None:
        """What a display does whose wires are pulled: it is dark, and when it comes back, it holds noise."""
        with self._lock:
            self._chip.power_on()
            self._look(0)

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
