"""The settings: one TOML file, every key in one table, every fault listed at once with its line and remedy.

``check`` never stops at the first fault: a line that is no TOML is named and read as if it were empty, a key
with a wrong value is named and keeps its default. So a box with a faulty file still starts, and says so.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.tomllines import key_lines, lenient

Value = str | int | bool | tuple[str, ...]

PLACES = (Path("/etc/thoth/thoth.toml"),)
"""Where the settings are looked for when no --config is given."""
NAME_LENGTH = 12
"""Longest player's name that fits every screen."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the file: its default (which also gives its type), what it may be, and what to write instead."""

    name: str
    default: Value
    text: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    hexadecimal: bool = False

    @property
    def remedy(self) -> str:
        match self.default:
            case bool():
                return "write true or false"
            case int():
                show = hex if self.hexadecimal else str
                return f"write a whole number from {show(self.low)} to {show(self.high)}"
            case tuple():
                return f'write a list of up to {self.high} names, each 1 to {NAME_LENGTH} letters: ["Ana", "Ben"]'
            case _ if self.choices:
                return "write one of " + ", ".join(f'"{choice}"' for choice in self.choices)
        return "write a text in quotes"


KEYS = (
    Key("language", "en", "language of the screens", choices=("en",)),
    Key("names", (), "names offered for the players", high=6),
    Key("remind_after", 300, "seconds for which nothing happens until whose turn it is gets a reminder; 0: never", high=86400),
    Key("state_dir", "", "folder of the journal; empty: the service's own"),
    Key("gallery", "", "folder with the pictures of your own pieces; empty: Thoth's printed set"),
    Key("stick", "", "a folder to be read and written like a USB stick; empty: only the sticks that are put in"),
    Key("camera.kind", "auto", "picamera2, folder, simulated (a table laid out for the game that is chosen) or none; auto: picamera2 on a Raspberry Pi, else none", choices=("auto", "picamera2", "folder", "simulated", "none")),
    Key("camera.width", 1536, "width of the large picture in px; of a table without a mat it is 2304 at the least, and as much higher", low=640, high=4608),
    Key("camera.height", 864, "height of the large picture in px", low=360, high=3456),
    Key("camera.folder", "", "folder of pictures for kind = \"folder\""),
    Key("camera.frozen_after", 10, "seconds of exactly equal pictures until the camera counts as frozen; 0: never", high=3600),
    Key("display.driver", "auto", "auto: ssd1306 on a Raspberry Pi, else terminal", choices=("auto", "ssd1306", "sh1106", "ssd1309", "terminal", "png", "none")),
    Key("display.interface", "i2c", "how the display is wired", choices=("i2c", "spi")),
    Key("display.bus", 1, "I2C bus (1), or SPI port (0)", low=0, high=22),
    Key("display.address", 0x3C, "I2C address (0x3c or 0x3d on most boards)", low=0x08, high=0x77, hexadecimal=True),
    Key("display.device", 0, "SPI device (chip select)", low=0, high=2),
    Key("display.dc", 24, "GPIO of the display's D/C pin (SPI)", low=0, high=27),
    Key("display.reset", 25, "GPIO of the display's reset pin (SPI)", low=0, high=27),
    Key("display.upside_down", False, "turn the picture by 180 degrees"),
    Key("display.dim_after", 120, "seconds without a press until the display dims; 0: never", high=86400),
    Key("display.sleep_after", 1800, "seconds without a press until it sleeps; 0: never", high=86400),
    Key("display.folder", "screens", "folder for driver = \"png\""),
    Key("buttons.kind", "auto", "auto: gpio on a Raspberry Pi, else keyboard", choices=("auto", "gpio", "keyboard", "none")),
    Key("buttons.factory", "auto", "gpiozero's pin factory; auto: lgpio on a Raspberry Pi", choices=("auto", "lgpio", "rpigpio", "pigpio", "native", "mock")),
    Key("buttons.confirm", 17, "GPIO (BCM number) of CONFIRM", low=0, high=27),
    Key("buttons.reject", 27, "GPIO of REJECT", low=0, high=27),
    Key("buttons.up", 22, "GPIO of UP", low=0, high=27),
    Key("buttons.down", 23, "GPIO of DOWN", low=0, high=27),
    Key("signals.led", 0, "GPIO of a LED (with its resistor) to ground; 0: none", low=0, high=27),
    Key("signals.buzzer", 0, "GPIO of a buzzer; 0: none", low=0, high=27),
    Key("signals.passive", False, "the buzzer is a bare piezo disc, which needs a tone"),
    Key("signals.confirmed", "both", "how a confirmed move is signalled", choices=("both", "light", "sound", "none")),
    Key("signals.illegal", "both", "how a move that is not allowed is signalled", choices=("both", "light", "sound", "none")),
    Key("signals.turn", "both", "how it is signalled that somebody's turn begins", choices=("both", "light", "sound", "none")),
    Key("signals.fault", "both", "how it is signalled that something is wrong", choices=("both", "light", "sound", "none")),
    Key("recording.folder", "", "record every night into this folder; empty: no recording"),
    Key("recording.megabytes", 200, "the most a recording may take", low=10, high=100_000),
)  # fmt: skip
_BY_NAME = {key.name: key for key in KEYS}
_TABLES = {key.name.split(".")[0] for key in KEYS if "." in key.name}
_MOST = 1_000_000
"""Bytes; a longer file is no settings file."""
BUTTON_KEYS = ("buttons.confirm", "buttons.reject", "buttons.up", "buttons.down")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in the file: the line from 1, the key, what is wrong and what to write instead."""

    line: int
    key: str
    text: str
    remedy: str

    def __str__(self) -> str:
        key = f"{self.key[:60]}: " if self.key else ""
        said = f"line {self.line}: {key}{self.text}; {self.remedy}"
        # The file may hold anything; what goes to a terminal may not.
        return "".join(sign if sign.isprintable() else "\ufffd" for sign in said)


class SettingsError(Exception):
    """The file cannot be read at all; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values by key; what the file did not say, or said wrongly, is the default."""

    values: Mapping[str, Value]

    def __getitem__(self, name: str) -> Value:
        return self.values.get(name, _BY_NAME[name].default)

    def text(self, name: str) -> str:
        value = self[name]
        assert isinstance(value, str)
        return value

    def number(self, name: str) -> int:
        value = self[name]
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        return self[name] is True

    @property
    def names(self) -> tuple[str, ...]:
        value = self["names"]
        assert isinstance(value, tuple)
        return value

    def kind(self, name: str) -> str:
        """``camera.kind``, ``display.driver`` or ``buttons.kind`` with "auto" resolved for this machine."""
        value = self.text(name)
        return _AUTO[name][0 if on_a_pi() else 1] if value == "auto" else value

    @property
    def state_dir(self) -> Path:
        """The journal's folder: the file's, else systemd's, else the user's."""
        if folder := self.text("state_dir"):
            return Path(folder).expanduser()
        if folder := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
            return Path(folder)
        home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
        return Path(home).expanduser() / "thoth"


_AUTO = {
    "camera.kind": ("picamera2", "none"),
    "display.driver": ("ssd1306", "terminal"),
    "buttons.kind": ("gpio", "keyboard"),
}
DEFAULTS = Settings({key.name: key.default for key in KEYS})


def on_a_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine says it is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False


def load(path: Path | None, over: Sequence[Path] = ()) -> tuple[Settings, tuple[Fault, ...]]:
    """The settings of a file, and its faults; None: the first of PLACES that exists, else the defaults. What the files ``over`` it say
    (those of them that there are) stands over what it says.

    Raises SettingsError when a file that was named cannot be read; where none was named, that is a fault like others.
    """
    settings = DEFAULTS
    faults: tuple[Fault, ...] = ()
    place = path if path is not None else next((place for place in PLACES if place.exists()), None)
    for file in (*((place,) if place is not None else ()), *(one for one in over if one.exists())):
        try:
            settings, found = read(file, settings)
        except SettingsError as error:
            if file == path:
                raise
            found = (Fault(1, "", str(error), "until then the defaults are in force"),)
        faults += found
    return settings, faults


def read(path: Path, base: Settings | None = None) -> tuple[Settings, tuple[Fault, ...]]:
    """The settings of one file over ``base`` (None: the defaults), and its faults. Raises SettingsError when it cannot be read."""
    base = base if base is not None else DEFAULTS
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read: {error.strerror}; check the path and its rights"
        ) from error
    if len(data) > _MOST:
        return base, (Fault(1, "", "this is far too long for a settings file", "choose another file"),)
    try:
        return check(data.decode("utf-8-sig"), base)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return base, (Fault(line, "", "this is not UTF-8 text", "save the file as UTF-8"),)


def check(text: str, base: Settings | None = None) -> tuple[Settings, tuple[Fault, ...]]:
    """The settings a text gives over ``base`` (None: the defaults), and every fault in it, sorted by line."""
    base = base if base is not None else DEFAULTS
    try:
        document, unreadable, text = lenient(text)
        lines = key_lines(text)
        flat = _flatten(document)
    except RecursionError:
        remedy = "start from thoth check-config --example"
        return base, (Fault(1, "", "brackets or dots are nested without end", remedy),)
    values = dict(base.values)
    faults = [
        Fault(line, "", said, 'write it as key = "text", key = 5 or [table]') for line, said in unreadable
    ]
    for name, value in flat:
        line = lines.get(name, lines.get(name.rsplit(".", 1)[0], 1))
        if (key := _BY_NAME.get(name)) is None:
            faults.append(_unknown(name, line))
        elif (wrong := _wrong(key, value)) is not None:
            faults.append(Fault(line, name, wrong, key.remedy))
        else:
            values[name] = tuple(value) if isinstance(value, list) else value
    faults += _between(values, lines)
    return Settings(values), tuple(sorted(faults, key=lambda fault: (fault.line, fault.key)))


def example() -> str:
    """A settings file with every key at its default, each with its description."""
    lines, table = ["# Settings of Thoth. Every line may be left out; these are the defaults."], ""
    for key in KEYS:
        head, _, tail = key.name.rpartition(".")
        if head != table:
            table = head
            lines += ["", f"[{table}]"]
        lines += [f"# {key.text}", f"{tail} = {_toml(key)}"]
    return "\n".join(lines) + "\n"


def _toml(key: Key) -> str:
    match key.default:
        case bool():
            return str(key.default).lower()
        case int():
            return hex(key.default) if key.hexadecimal else str(key.default)
        case tuple():
            return "[]"
    return f'"{key.default}"'


def _flatten(document: Mapping[str, Any], head: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in document.items():
        path = f"{head}{name}"
        if isinstance(value, Mapping) and path not in _BY_NAME and (value or path in _TABLES):
            found += _flatten(value, f"{path}.")
        else:
            found.append((path, value))
    return found


def _unknown(name: str, line: int) -> Fault:
    near = difflib.get_close_matches(name, _BY_NAME, n=1) or [
        known for known in _BY_NAME if known.rsplit(".", 1)[-1] == name.rsplit(".", 1)[-1]
    ]
    remedy = f"did you mean {near[0]}?" if near else "take it out"
    return Fault(line, name, "there is no such setting", remedy)


def _wrong(key: Key, value: Any) -> str | None:
    if isinstance(key.default, tuple):
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return "this is no list of names"
        if len(value) > key.high or not all(
            0 < len(name) <= NAME_LENGTH and name.isprintable() and name == name.strip() for name in value
        ):
            return "too many names, or one too long, empty or with a space at its end"
        return "two players have the same name" if len(set(value)) < len(value) else None
    if type(value) is not type(key.default):
        return f"{_short(value)} is of the wrong type"
    if key.choices and value not in key.choices:
        return f"{_short(value)} is not known"
    if isinstance(value, str) and not value.isprintable():
        return f"{_short(value)} holds signs that cannot be seen"
    if isinstance(value, int) and not isinstance(value, bool) and not key.low <= value <= key.high:
        return f"{_number(value, key.hexadecimal)} is out of range"
    return None


def _short(value: object) -> str:
    """A value as it may stand in a sentence: a text in quotes, a long one cut."""
    said = f'"{value}"' if isinstance(value, str) and value.isprintable() else repr(value)
    return said if len(said) <= 60 else said[:57] + "..."


def _number(value: int, hexadecimal: bool) -> str:
    if value.bit_length() > 64:
        return "a number of that size"
    return hex(value) if hexadecimal else str(value)


def _between(values: Mapping[str, Value], lines: Mapping[str, int]) -> list[Fault]:
    """Faults that lie between keys: pins used twice, a kind that needs another key."""
    faults = []
    pins: dict[Value, str] = {}
    if values["display.driver"] in ("auto", "ssd1306", "sh1106", "ssd1309"):
        if values["display.interface"] == "i2c" and values["display.bus"] == 1:
            pins |= {2: "the display (SDA)", 3: "the display (SCL)"}
        elif values["display.interface"] == "spi":
            pins |= {9: "the display (SPI)", 10: "the display (SPI)", 11: "the display (SPI)"}
            pins |= {values["display.dc"]: "display.dc", values["display.reset"]: "display.reset"}
    pressed = BUTTON_KEYS if values["buttons.kind"] in ("auto", "gpio") else ()
    lamps = tuple(name for name in ("signals.led", "signals.buzzer") if values[name])
    for name in (*pressed, *lamps):
        if (user := pins.setdefault(values[name], name)) != name:
            line = lines.get(name, lines.get(user, lines.get(name.split(".")[0], 1)))
            faults.append(
                Fault(line, name, f"GPIO {values[name]} is already used by {user}", "choose another pin")
            )
    if values["camera.kind"] == "folder" and not values["camera.folder"]:
        line = lines.get("camera.kind", 1)
        faults.append(
            Fault(line, "camera.folder", "a camera of kind folder needs one", 'add folder = "pictures"')
        )
    return faults
