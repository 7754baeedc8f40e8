"""The commands for whoever builds a box and keeps it running, for the command line: doctor, wiring, optics."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

DOCTOR = """\
Looks at everything that can be wrong with a box; each line is OK, WARN or FAIL, with what to do about it. Each check has a
deadline: nothing in it can hang. While the service runs, what it holds is left to it.

examples:
  thoth doctor                                 at a terminal it also asks for presses and for a look at the display
  sudo -u thoth thoth doctor                   with the rights of the service
  thoth doctor --json                          one JSON object, nothing is asked
  thoth doctor --only camera --only display
  thoth doctor --self-test                     does this version work here? With simulated parts, in a few seconds

Exit code: 0, or 1 when something FAILs.
"""

WIRING = """\
examples:
  thoth wiring                                 a table of all wires, by the settings
  thoth wiring --svg --out wires.svg           a drawing of them
  thoth wiring --config thoth.toml             with pins of your own
  thoth wiring --signals                       with a LED and a buzzer: where they would go
"""

OPTICS = """\
How high the camera hangs so that the whole table is in the picture, and how many pixels a millimetre gets then.

examples:
  thoth optics                                 for the mat (A2), with every camera module
  thoth optics --table 900x600                 for a larger table, in mm
  thoth optics --table 900x600 --picture 2304x1296
  thoth optics --height 65                     what is in the picture from 65 cm
"""


class Adds(Protocol):
    """How the command line takes a command."""

    def __call__(
        self, name: str, text: str, does: Callable[[argparse.Namespace], int], more: str = ""
    ) -> argparse.ArgumentParser: ...


def arguments(command: Adds) -> None:
    doctor = command("doctor", "say what is wrong with this box, and what to do about it", _doctor, DOCTOR)
    doctor.add_argument("--json", action="store_true", help="one JSON object on stdout")
    doctor.add_argument(
        "--self-test", action="store_true", help="prove this version with simulated parts instead"
    )
    doctor.add_argument(
        "--only", action="append", default=[], metavar="CHECK", help="this check alone; may be repeated"
    )
    doctor.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )
    doctor.add_argument("--state-dir", type=Path, metavar="DIR", help="where the journal is kept")

    wiring = command("wiring", "say which wire goes where", _wiring, WIRING)
    wiring.add_argument("--signals", action="store_true", help="with a LED and a buzzer, even if none is set")
    wiring.add_argument("--svg", action="store_true", help="draw it")
    wiring.add_argument("--out", type=Path, metavar="FILE", help="write here instead of to the terminal")
    wiring.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )
    optics = command("optics", "say how high the camera hangs for a table", _optics, OPTICS)
    optics.add_argument(
        "--table", default="A2", metavar="SIZE", help="A2, A3 or WIDTHxHEIGHT in mm (default: A2)"
    )
    optics.add_argument("--height", type=float, metavar="CM", help="what is seen from this height instead")
    optics.add_argument(
        "--picture",
        metavar="WxH",
        help="px of the large picture (default: the settings'; 2304 across at the least for more than a mat)",
    )
    optics.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )


class ApplianceError(Exception):
    """The call cannot be carried out; the sentence says what to write."""


def _wiring(arguments: argparse.Namespace) -> int:
    from firmware.commands import wiring
    from firmware.settings import load
    from firmware.written.records import put

    settings, faults = load(arguments.config)
    for fault in faults:
        print(f"{arguments.config}, {fault}", file=sys.stderr)
    found = wiring.wires(wiring.with_signals(settings) if arguments.signals else settings)
    text = wiring.svg(found) if arguments.svg else wiring.table(found)
    if arguments.out is None:
        print(text, end="")
    else:
        put(arguments.out, text)
        print(f"{arguments.out}: {len(found)} wires")
    return 0


def _optics(arguments: argparse.Namespace) -> int:
    from firmware.commands import optics
    from firmware.settings import load

    settings, _ = load(arguments.config)
    try:
        table = optics.size(arguments.table)
    except ValueError as error:
        raise ApplianceError(str(error)) from error
    asked = settings.number("camera.width"), settings.number("camera.height")
    picture = optics.picture(asked, optics.fits_a_mat(table))
    if arguments.picture is not None:
        wide, _, tall = arguments.picture.partition("x")
        if not (wide.isdigit() and tall.isdigit() and int(wide) and int(tall)):
            raise ApplianceError(
                f"{arguments.picture} is no picture: write width x height in px such as 2304x1296"
            )
        picture = int(wide), int(tall)
    if arguments.height is not None:
        if not 5 <= arguments.height <= 500:
            raise ApplianceError("--height is in cm, between 5 and 500")
        views = [optics.from_height(module, 10 * arguments.height, picture) for module in optics.MODULES]
        print(f"From {arguments.height:g} cm, in a picture of {picture[0]} x {picture[1]} px:\n")
    else:
        views = [optics.view(module, table, picture) for module in optics.MODULES]
        beside, above = optics.margins(table)
        around = f"{optics.MARGIN:g} mm around it"
        if beside != above:
            where = "left and right of" if beside > above else "above and below"
            around += f", {max(beside, above):g} mm {where} it for the loose corners"
        print(
            f"A table of {table[0]:g} x {table[1]:g} mm whole in a picture of {picture[0]} x {picture[1]} px, {around}:\n"
        )
    print(optics.table(views), end="")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from firmware.doctor import run

    run.quiet_libraries()
    if not arguments.self_test:
        return run.doctor(arguments.config, arguments.state_dir, arguments.json, arguments.only)
    return run.self_tested(arguments.config, arguments.state_dir, arguments.json)
