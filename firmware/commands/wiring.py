"""``thoth wiring``: which wire goes where, by the settings in force; as a table, and as a drawing. The page in docs/ is made by it too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from firmware.settings import BUTTON_KEYS, Settings

BCM = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24, 7: 26,
    0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Header pin of each GPIO (BCM number), the same on every Raspberry Pi with 40 pins."""
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
_GPIO = {pin: number for number, pin in BCM.items()}
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5230", "#555555")
"""Okabe and Ito's colours, which people who see few colours can tell apart."""
_BLACK, _RED = "#222222", "#c62828"


@dataclass(frozen=True, slots=True)
class Wire:
    """From a terminal of a device to a pin of the header. ``setting``: the key that says so, or empty."""

    device: str
    terminal: str
    pin: int
    setting: str = ""

    @property
    def what(self) -> str:
        """What the pin is."""
        if self.pin in POWER:
            return POWER[self.pin]
        return "ground" if self.pin in GROUNDS else f"GPIO {_GPIO[self.pin]}"


SUGGESTED = {"signals.led": 5, "signals.buzzer": 6}
"""Pins for light and sound that nothing else wants."""


def with_signals(settings: Settings) -> Settings:
    """The settings with a LED and a buzzer, where they have none, on pins that are free."""
    taken = {settings.number(key) for key in BUTTON_KEYS}
    free = iter(sorted(set(BCM) - taken - {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}))
    values = dict(settings.values)
    for key, pin in SUGGESTED.items():
        if not settings.number(key):
            values[key] = next(free) if pin in taken else pin
    return Settings(values)


def wires(settings: Settings) -> tuple[Wire, ...]:
    """All wires, device by device."""
    found: list[Wire] = []
    grounds = list(GROUNDS)

    def ground(near: int) -> int:
        """The nearest ground that is free; when there is none left, the nearest."""
        pin = min(grounds or GROUNDS, key=lambda one: (abs(one - near), one))
        if pin in grounds:
            grounds.remove(pin)
        return pin

    found += _display(settings, ground)
    for key in BUTTON_KEYS:
        pin = BCM[settings.number(key)]
        name = f"button {key.rpartition('.')[2].upper()}"
        found += [Wire(name, "one side", pin, key), Wire(name, "other side", ground(pin))]
    for key, name, terminals in (
        ("signals.led", "LED", ("long leg, 330 ohm", "short leg")),
        ("signals.buzzer", "buzzer", ("plus", "minus")),
    ):
        if number := settings.number(key):
            found += [
                Wire(name, terminals[0], BCM[number], key),
                Wire(name, terminals[1], ground(BCM[number])),
            ]
    return tuple(found)


def _display(settings: Settings, ground: object) -> list[Wire]:
    assert callable(ground)
    if settings.text("display.interface") == "spi":
        return [
            Wire("display", "VCC", 17),
            Wire("display", "GND", ground(17)),
            Wire("display", "D0 (SCK, CLK)", BCM[11]),
            Wire("display", "D1 (SDA, MOSI)", BCM[10]),
            Wire(
                "display",
                "CS",
                BCM[8] if settings.number("display.device") == 0 else BCM[7],
                "display.device",
            ),
            Wire("display", "DC", BCM[settings.number("display.dc")], "display.dc"),
            Wire("display", "RES (RST)", BCM[settings.number("display.reset")], "display.reset"),
        ]
    return [
        Wire("display", "VCC (VDD)", 1),
        Wire("display", "GND", ground(5)),
        Wire("display", "SDA", BCM[2], "display.bus"),
        Wire("display", "SCL (SCK)", BCM[3], "display.bus"),
    ]


def table(found: Sequence[Wire]) -> str:
    """The wires as a table that reads in a terminal and on a page."""
    lines = ["| device | terminal | header pin | is | setting |", "|---|---|---|---|---|"]
    for wire in found:
        setting = f"`{wire.setting}`" if wire.setting else ""
        lines.append(f"| {wire.device} | {wire.terminal} | {wire.pin} | {wire.what} | {setting} |")
    return "\n".join(lines) + "\n"


# -- the drawing -----------------------------------------------------------------------------------------

_ROW, _TOP = 22, 70
_LEFT, _RIGHT = 430, 462  # x of the two columns of pins
_BOX, _LANE = 190, 9  # width of a device; distance between two wires


def svg(found: Sequence[Wire]) -> str:
    """The wires as a drawing: the header as it is seen from above, the SD card's end at the top; odd pins at the left."""
    devices = list(dict.fromkeys(wire.device for wire in found))
    colour = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(devices)}
    left, right = _sides(found, devices)
    parts = [_header(found)]
    height = _TOP + 20 * _ROW + 40
    for side, names in ((-1, left), (1, right)):
        y = _TOP - 2 * _ROW + 6.0  # so that no terminal lies on the row of a pin
        lane = 0
        for name in names:
            mine = [wire for wire in found if wire.device == name]
            tall = _ROW * len(mine) + 18
            x = 20 if side < 0 else _LEFT + _RIGHT - 20 - _BOX
            parts.append(
                f'<rect x="{x}" y="{y:.0f}" width="{_BOX}" height="{tall}" rx="6" fill="#ffffff" stroke="{colour[name]}" stroke-width="2"/>'
                f'<text x="{x + 8}" y="{y + 13:.0f}" font-weight="bold">{escape(name)}</text>'
            )
            for number, wire in enumerate(mine):
                at = y + _ROW * (number + 1)
                parts.append(_wire(wire, side, x, at, lane, colour[name]))
                lane += 1
            y += _ROW * (len(mine) + 1)
        height = max(height, round(y) + 30)
    width = _LEFT + _RIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{height}" fill="#f7f7f4"/>\n'
        f'<text x="{width / 2:.0f}" y="24" text-anchor="middle" font-size="15" font-weight="bold">Wires of Thoth</text>\n'
        f'<text x="{width / 2:.0f}" y="42" text-anchor="middle">the header from above, the end with the SD card at the top</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _sides(found: Sequence[Wire], devices: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which devices stand at the left and which at the right: where most of their pins are, from the top down, both sides about as full."""
    left: list[str] = []
    right: list[str] = []
    for name in sorted(devices, key=lambda name: min(wire.pin for wire in found if wire.device == name)):
        odd = sum(wire.pin % 2 for wire in found if wire.device == name and wire.pin not in GROUNDS)
        even = sum(1 - wire.pin % 2 for wire in found if wire.device == name and wire.pin not in GROUNDS)
        (left if odd > even or (odd == even and len(left) <= len(right)) else right).append(name)
    return left, right


def _header(found: Sequence[Wire]) -> str:
    used = {wire.pin for wire in found}
    parts = [
        f'<rect x="{_LEFT - 16}" y="{_TOP - 16}" width="{_RIGHT - _LEFT + 32}" height="{20 * _ROW + 10}" rx="4" fill="#2e3b2e"/>'
    ]
    for pin in range(1, 41):
        x = _LEFT if pin % 2 else _RIGHT
        y = _TOP + (pin - 1) // 2 * _ROW
        fill = "#f2c94c" if pin in used else "#8a8a7a"
        shape = (
            f'<rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="{fill}"/>'
            if pin == 1
            else f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}"/>'
        )
        parts.append(f'{shape}<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="9">{pin}</text>')
    return "\n".join(parts)


def _wire(wire: Wire, side: int, box: float, at: float, lane: int, colour: str) -> str:
    """One wire: from the terminal straight out, along its own lane, straight to the pin; across the header between two rows."""
    ink = _BLACK if wire.pin in GROUNDS else _RED if wire.pin in POWER else colour
    y = _TOP + (wire.pin - 1) // 2 * _ROW
    pin_x = _LEFT if wire.pin % 2 else _RIGHT
    near = _LEFT if side < 0 else _RIGHT
    edge = box + _BOX if side < 0 else box
    bend = near + side * (28 + _LANE * lane)
    points = [(edge, at), (bend, at)]
    if pin_x == near:
        points += [(bend, y), (pin_x + side * 8, y)]
    else:  # the pin is in the other column: between this row and the next
        points += [(bend, y + _ROW / 2), (pin_x, y + _ROW / 2), (pin_x, y + 8)]
    told = " ".join(f"{x:g},{y:g}" for x, y in points)
    text_x = box + 8
    dash = ' stroke-dasharray="5 3"' if wire.pin in GROUNDS else ""
    return (
        f'<polyline points="{told}" fill="none" stroke="{ink}" stroke-width="2"{dash}/>'
        f'<circle cx="{edge:g}" cy="{at:g}" r="3" fill="{ink}"/>'
        f'<text x="{text_x:g}" y="{at + 4:g}" font-size="10">{escape(wire.terminal)} - {wire.pin} ({escape(wire.what)})</text>'
    )
