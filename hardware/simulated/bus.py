"""A simulated I2C bus with a display chip on it: luma's unmodified driver writes bytes, and out comes the picture one would see.

The chip keeps to the data sheets (Solomon SSD1306 rev 1.1 chapters 8-10, SSD1309; Sino Wealth SH1106 2.2): addressing modes, 132 columns of which an
SH1106 module shows the middle 128, remapping, display on/off, contrast, and a command parser that waits for arguments even if
the connection broke in between. The bus can fail with any errno at any byte.
"""

from __future__ import annotations

import errno as errnos
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_PAGES = 8
# Arguments that a command takes; all others take none.
_ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1,
    0xA3: 2, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_SH1106_ARGUMENTS = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class OledChip:
    """One display: "ssd1306", "ssd1309" or "sh1106". Without power it forgets everything, and shows noise when it comes back."""

    def __init__(self, driver: str = "ssd1306") -> None:
        if driver not in ("ssd1306", "ssd1309", "sh1106"):
            raise ValueError(f"no such chip: {driver!r}")
        self.driver = driver
        self.columns = 132 if driver == "sh1106" else 128
        self.bytes_written = 0
        self.power_on()

    def power_on(self) -> None:
        """The state after a reset; the memory holds what it happens to hold."""
        self.memory = [
            bytearray((37 * x + 91 * page) & 0xFF for x in range(self.columns)) for page in range(_PAGES)
        ]
        self.on = False
        self.contrast = 0x7F
        self.inverted = False
        self.pumped = self.driver != "ssd1306"  # the charge pump: without it an SSD1306 module stays dark
        self._mode = 2  # page addressing
        self._column = self._page = 0
        self._window = [0, self.columns - 1, 0, _PAGES - 1]
        self._remapped = self._flipped = False
        self._multiplex = 63
        self._offset = self._start = 0
        self._pending: list[int] = []

    def receive(self, control: int, payload: Iterable[int]) -> None:
        """One I2C write: ``control`` 0x00 before commands, 0x40 before data."""
        for byte in payload:
            self.bytes_written += 1
            if control & 0x40:
                self._data(byte)
            else:
                self._command_byte(byte)

    @property
    def whole(self) -> bool:
        """Whether no picture is under way: in its window, the next byte would be the first one again."""
        return self._mode != 0 or (self._column, self._page) == (self._window[0], self._window[2])

    def picture(self) -> Image:
        """What the glass shows: 128 x 64, mode "1", the module mounted as usual (segments and rows remapped)."""
        from PIL import Image

        image = Image.new("1", (128, 64))
        if not self.on or not self.pumped:
            return image
        # Glass column c of an SH1106 module hangs on segment c + 2 (of 132): the middle of the memory.
        first = (self.columns - 128) // 2
        pixels = image.load()
        assert pixels is not None
        for y in range(min(64, self._multiplex + 1)):
            row = y if self._flipped else 63 - y
            line = (row + self._start + self._offset) % 64
            for x in range(128):
                segment = x + first
                column = segment if self._remapped else self.columns - 1 - segment
                lit = self.memory[line // 8][column] >> (line % 8) & 1
                pixels[x, y] = 255 if bool(lit) != self.inverted else 0
        return image

    def _data(self, byte: int) -> None:
        if self._column < self.columns:
            self.memory[self._page][self._column] = byte
        self._column += 1
        if self._mode == 0 and self._column > self._window[1]:
            self._column = self._window[0]
            self._page = self._page + 1 if self._page < self._window[3] else self._window[2]
        elif self._mode == 2 and self._column >= self.columns:
            self._column = 0

    def _command_byte(self, byte: int) -> None:
        self._pending.append(byte)
        arguments = _SH1106_ARGUMENTS if self.driver == "sh1106" else _ARGUMENTS
        if len(self._pending) > arguments.get(self._pending[0], 0):
            command, *values = self._pending
            self._pending = []
            self._execute(command, values)

    def _execute(self, command: int, values: Sequence[int]) -> None:
        page_mode = self._mode == 2
        if command <= 0x0F and page_mode:
            self._column = (self._column & 0xF0) | command
        elif 0x10 <= command <= 0x1F and page_mode:
            self._column = ((command & 0x0F) << 4) | (self._column & 0x0F)
        elif 0xB0 <= command <= 0xB7 and page_mode:
            self._page = command & 0x07
        elif 0x40 <= command <= 0x7F:
            self._start = command & 0x3F
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif command in (0xA0, 0xA1):
            self._remapped = command == 0xA1
        elif command in (0xC0, 0xC8):
            self._flipped = command == 0xC8
        elif command in (0xA6, 0xA7):
            self.inverted = command == 0xA7
        elif command == 0x81:
            self.contrast = values[0]
        elif command == 0xA8:
            self._multiplex = values[0] & 0x3F
        elif command == 0xD3:
            self._offset = values[0] & 0x3F
        elif command == 0x8D and self.driver == "ssd1306":
            self.pumped = bool(values[0] & 0x04)
        elif command == 0x20 and values:
            self._mode = values[0] & 0x03
        elif command == 0x21 and values:
            self._window[:2] = (values[0] & 0x7F, values[1] & 0x7F)
            self._column = self._window[0]
        elif command == 0x22 and values:
            self._window[2:] = (values[0] & 0x07, values[1] & 0x07)
            self._page = self._window[2]


class SimulatedBus:
    """Stands where smbus2's SMBus stands; ``open`` is to be given as ``open_bus``. ``chips``: address -> chip.

    ``fail(errno, after=n, times=k)``: the next ``k`` transfers that reach beyond ``n`` more bytes break there with that errno.
    ``unplug``/``plug``: the display's wires. ``missing``: errno of opening the bus itself (ENOENT: I2C is switched off).
    """

    def __init__(self, chips: dict[int, OledChip] | None = None) -> None:
        self.chips = chips if chips is not None else {0x3C: OledChip()}
        self.transfers = 0
        self.opened = 0
        self.closed = 0
        self.missing: int | None = None
        self._plugged = True
        self._errno: int | None = None
        self._bytes_left = 0
        self._times = 0

    def open(self, number: int) -> SimulatedBus:
        if self.missing is not None:
            raise OSError(self.missing, os.strerror(self.missing), f"/dev/i2c-{number}")
        self.opened += 1
        return self

    def close(self) -> None:
        self.closed += 1

    def fail(self, errno: int, after: int = 0, times: int = 1) -> None:
        self._errno, self._bytes_left, self._times = errno, after, times

    def unplug(self) -> None:
        self._plugged = False

    def plug(self) -> None:
        """Wires back: every chip comes up from power-on."""
        self._plugged = True
        for chip in self.chips.values():
            chip.power_on()

    def write_i2c_block_data(
        self, address: int, register: int, data: Sequence[int], force: Any = None
    ) -> None:
        """As smbus2's: at most 32 bytes; ``register`` is the first byte on the wire, for these chips the control byte."""
        if len(data) > 32:
            raise ValueError("Data length cannot exceed 32 bytes")
        self._transfer(address, register, data)

    def i2c_rdwr(self, *messages: Any) -> None:
        """As smbus2's, for messages made by i2c_msg.write."""
        for message in messages:
            control, *data = list(message)
            self._transfer(message.addr, control, data)

    def _transfer(self, address: int, control: int, data: Sequence[int]) -> None:
        self.transfers += 1
        chip = self.chips.get(address)
        if chip is None or not self._plugged:
            raise OSError(errnos.EREMOTEIO, os.strerror(errnos.EREMOTEIO))
        if self._errno is not None:
            if self._bytes_left < len(data):
                chip.receive(control, data[: self._bytes_left])
                code = self._errno
                self._bytes_left = 0
                self._times -= 1
                if self._times <= 0:
                    self._errno = None
                raise OSError(code, os.strerror(code))
            self._bytes_left -= len(data)
        chip.receive(control, data)
