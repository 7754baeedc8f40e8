"""The kernel's simulated devices: gpio-sim and vimc from the distribution's own kernel source, changed in few places, and a bus of ours.

Debian leaves gpio-sim and vimc out of its kernel, so they are built beside it. The changes are made here, each by a text that must
stand in the source exactly as often as is said: a kernel that has moved on ends the build, not the meaning of a test.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.machine import tree

OURS = Path(__file__).parent / "kernel"
VIMC = "drivers/media/test-drivers/vimc"
SOURCES = (VIMC, "drivers/gpio/gpio-sim.c", "kernel/irq/irq_sim.c")
MODULES = ("gpio-sim", "vimc", "thoth-wire")


@dataclass(frozen=True, slots=True)
class Change:
    """In ``file``, ``old`` (which stands there ``times`` times) becomes ``new``."""

    file: str
    old: str
    new: str
    times: int = 1


_HEADER = '#include "vimc-common.h"\n'
CHANGES = (
    # irq_to_desc is not for modules; the way round by the interrupt's data is.
    Change("irq_sim.c", "irq_to_desc(irqnum)", "irq_data_to_desc(irq_get_irq_data(irqnum))"),
    # An exposure shows the scene, and then nothing need be computed for it.
    Change("vimc-capture.c", _HEADER, _HEADER + '#include "vimc-scene.h"\n'),
    Change("vimc-capture.c", "memcpy(vbuf, frame,", "vimc_scene_expose(vbuf, frame,"),
    Change("vimc-streamer.c", '#include "vimc-streamer.h"\n', '#include "vimc-streamer.h"\n#include "vimc-scene.h"\n'),
    Change("vimc-streamer.c", "i = stream->pipe_size - 1; i >= 0;", "i = vimc_scene_there() ? 0 : stream->pipe_size - 1; i >= 0;"),
    Change("vimc-streamer.c", "schedule_timeout(HZ / 60)", "schedule_timeout(vimc_scene_pause())"),
    # Of the two orders of colours that vimc's stages know, this kernel's debayer gives one whatever it is asked for; a Pi gives the other.
    Change("vimc-debayer.c", "VIMC_DEBAYER_SOURCE_MBUS_FMT\tMEDIA_BUS_FMT_RGB888_1X24", "VIMC_DEBAYER_SOURCE_MBUS_FMT\tMEDIA_BUS_FMT_BGR888_1X24"),
    Change("vimc-core.c", _HEADER, _HEADER + '#include "vimc-scene.h"\n'),
    Change("vimc-core.c", "\tint ret;\n\n\tret = platform_device_register(&vimc_pdev);", "\tint ret;\n\n\tvimc_scene_begin();\n\tret = platform_device_register(&vimc_pdev);"),
    Change("vimc-core.c", "\tplatform_device_unregister(&vimc_pdev);\n}", "\tplatform_device_unregister(&vimc_pdev);\n\tvimc_scene_end();\n}"),
)  # fmt: skip
KBUILD = """\
obj-m := gpio-sim.o vimc.o thoth-wire.o
gpio-sim-y := gpio-sim-main.o irq_sim.o
vimc-y := vimc-core.o vimc-common.o vimc-streamer.o vimc-capture.o vimc-debayer.o vimc-scaler.o vimc-sensor.o vimc-lens.o vimc-scene.o
"""
_PLACE = "usr/src/thoth"


def lay_out(source: Path, place: Path) -> None:
    """From the unpacked kernel ``source`` and our files to a folder that make can build. Raises CannotRunError."""
    place.mkdir(parents=True)
    for file in (source / VIMC).glob("*.[ch]"):
        shutil.copy(file, place)
    shutil.copy(source / "drivers/gpio/gpio-sim.c", place / "gpio-sim-main.c")
    shutil.copy(source / "kernel/irq/irq_sim.c", place)
    for file in OURS.iterdir():
        shutil.copy(file, place)
    for change in CHANGES:
        path = place / change.file
        text = path.read_text()
        if (found := text.count(change.old)) != change.times:
            raise tree.CannotRunError(
                f"this kernel's {change.file} has {change.old!r} {found} times, not {change.times}: tests/machine/vm/modules.py must follow it"
            )
        path.write_text(text.replace(change.old, change.new))
    (place / "Kbuild").write_text(KBUILD)


def build(builder: Path, version: str) -> list[Path]:
    """The modules for kernel ``version``, built in the tree ``builder``, which has its headers and its source. Raises CannotRunError."""
    archives = sorted((builder / "usr/src").glob("linux-source-*.tar.xz"))
    if not archives:
        raise tree.CannotRunError("the distribution's kernel source is not in the builder's tree")
    unpacked = builder / "usr/src/unpacked"
    unpacked.mkdir(parents=True, exist_ok=True)
    words = ["tar", "--extract", f"--file={archives[-1]}", f"--directory={unpacked}", "--strip-components=1"]
    _run([*words, "--wildcards", *(f"*/{name}" for name in SOURCES)])
    lay_out(unpacked, builder / _PLACE)
    _run(
        ["chroot", str(builder), "make", "-C", f"/usr/src/linux-headers-{version}", f"M=/{_PLACE}", "modules"]
    )
    return [builder / _PLACE / f"{name}.ko" for name in MODULES]


def _run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise tree.CannotRunError(f"{words[0]} {words[1]}: {(done.stdout + done.stderr)[-1500:]}")
