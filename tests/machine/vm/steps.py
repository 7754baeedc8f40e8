"""The steps of the virtual machine, in order. Each raises WrongError, or returns what was measured."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tests.machine.container import WrongError, until
from tests.machine.vm import cuts
from tests.machine.vm.emulator import acceleration
from tests.machine.vm.layer import LED
from tests.machine.vm.trial import Trial

MOVES, CUTS = 10, 24
"""At least: moves of a night that are played, and power cuts."""
DEVICES = {
    "/dev/gpiochip0": "gpio 660",
    "/dev/i2c-1": "i2c 660",
    "/dev/media0": "video 660",
    "/dev/dma_heap/system": "video 660",
}
"""Group and mode that the installed rules give them."""
_OPEN = ("/dev/gpiochip0", "/dev/i2c-1", "/dev/media0", "/dev/video")
_LOADED = ("lgpio", "libcamera", "cv2")
_UNPLUGGED = "/sys/module/thoth_wire/parameters/unplugged"
_LIBCAMERA = 'assertion "data->queuedRequests_.empty()" failed in stop()'
_SENSOR = "/sys/bus/platform/drivers/vimc"


def boots(t: Trial) -> str:
    """The machine boots"""
    seconds = t.machine.switch_on()
    kernel = t.machine.run("uname", "-r")
    return f"Linux {kernel}, {acceleration(t.image.kernel)[1].split(',')[0]}, hands after {seconds:.0f} s"


def has_devices(t: Trial) -> str:
    """Pins, bus and camera are the kernel's, with the rights that Thoth's rules give them"""
    seen = [""]

    def missing() -> list[str]:
        seen[0] = t.machine.run("stat", "--dereference", "--format=%n %G %a", *DEVICES, code=None)
        return [f"{name} {rights}" for name, rights in DEVICES.items() if f"{name} {rights}" not in seen[0]]

    until(lambda: not missing(), 300, lambda: f"{missing()} are not in\n{seen[0]}", 2.0)
    return ""


def becomes_ready(t: Trial) -> str:
    """The installed service started with the machine and is ready, with the real drivers open"""
    t.night.show()
    t.machine.until_ready()
    t.night.reads(lambda text: "game" in text.lower(), "the question which game")
    pid = t.machine.shows("MainPID")
    until(
        lambda: not closed(t, pid),
        300,
        lambda: f"not open: {closed(t, pid)}\n{t.machine.log_of()[-3000:]}",
        2.0,
    )
    maps = t.machine.run("cat", f"/proc/{pid}/maps")
    if missing := [name for name in _LOADED if name not in maps]:
        raise WrongError(f"not loaded: {missing}")
    names = ("InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    began, ready = (int(t.machine.shows(name)) for name in names)
    return f"{(ready - began) / 1e6:.1f} s from start to READY"


def closed(t: Trial, pid: str) -> list[str]:
    """Those of the devices that the process has not open."""
    said = t.machine.run("sh", "-c", f"readlink /proc/{pid}/fd/*", code=None)
    return [name for name in _OPEN if name not in said]


def plays(t: Trial) -> str:
    """A night: scenes before the camera, proposals read off the glass, buttons pressed on their lines, rows in the journal"""
    began = time.monotonic()
    t.night.begin()
    t.night.play(MOVES)
    each = (time.monotonic() - began) / len(t.night.moves)
    same_process(t)
    return f"{len(t.night.moves)} moves, {each:.0f} s each; {t.night.pressed_again} presses of which nothing came"


def same_process(t: Trial) -> None:
    """Raises WrongError when the service has been started anew."""
    if (count := t.machine.shows("NRestarts")) != "0":
        raise WrongError(f"the service started anew {count} times\n{t.machine.log_of()[-3000:]}")


def signals(t: Trial) -> str:
    """The light answers a press, on its own line"""
    t.night.watched = LED
    try:
        t.night.play(1)
    finally:
        t.night.watched = None
    levels = t.night.levels
    if 1 not in levels or levels[-1] != 0:
        raise WrongError(f"the light's levels after a confirmed move: {levels}")
    return f"levels {levels}"


def display_away(t: Trial) -> str:
    """The display unplugged, a move made meanwhile, and plugged in again"""
    wire = t.machine.wire
    assert wire is not None
    t.machine.write(_UNPLUGGED, "Y")
    wire.lose_power()
    t.night.lay()
    time.sleep(20)
    if wire.picture().getbbox() is not None:
        raise WrongError("something stands on a display that is unplugged")
    t.machine.write(_UNPLUGGED, "N")
    began = time.monotonic()
    t.night.answer()
    same_process(t)
    return f"the proposal stood there {time.monotonic() - began:.0f} s later"


def camera_away(t: Trial) -> str:
    """The camera removed while it streams, its module taken out, and back"""
    t.machine.write(f"{_SENSOR}/unbind", "vimc.0")
    t.night.reads(lambda text: "camera" in text.lower(), "that the camera is gone")
    said = t.night.status
    pid = t.machine.shows("MainPID")
    until(lambda: "/dev/video" in closed(t, pid), 300, "the driver keeps a camera that is gone", 2.0)
    t.machine.run("modprobe", "--remove", "vimc")
    time.sleep(5)
    t.machine.run("modprobe", "vimc")
    t.night.lay()
    began = time.monotonic()
    t.night.answer()
    seconds = time.monotonic() - began
    count, log = t.machine.shows("NRestarts"), t.machine.log_of()
    # libcamera cannot stop a camera whose device is gone: it ends the process, and systemd begins a new one, in which the night goes on.
    if count != "0" and (count != "1" or _LIBCAMERA not in log):
        raise WrongError(f"the service started anew {count} times\n{log[-5000:]}")
    ended = "libcamera ended the process, which began anew; " if count == "1" else ""
    return f"{ended}said {said!r}; the next move was proposed {seconds:.0f} s after its return"


def cuts_power(t: Trial) -> str:
    """The plug pulled in the middle of a night, at many points of its block writes: every acknowledged move is there, the journal whole"""
    t.night.play(2)
    t.machine.kill()
    log = cuts.read_log(t.log)
    rng = random.Random(20)
    done: dict[str, int] = {}
    beyond = 0
    for cut in cuts.points(log, [one.logged for one in t.night.acknowledged], CUTS, rng):
        made = t.place / "cut.img"
        cuts.replay(log, t.first, cut, made, rng)
        kept = [one.move for one in t.night.acknowledged if log.at(one.logged) <= cut.entry]
        with cuts.mounted(made, t.place / "cut") as state:
            try:
                beyond += cuts.look(state, kept) - len(kept)
            except WrongError as error:
                raise WrongError(
                    f"cut behind write {cut.entry} of {len(log.entries)}, kept {cut.kept}: {error}"
                ) from error
        done[cut.kept] = done.get(cut.kept, 0) + 1
    if (count := sum(done.values())) < CUTS:
        raise WrongError(f"only {count} cuts")
    words = ", ".join(f"{number} x {kept}" for kept, number in done.items())
    return (
        f"{count} cuts in {len(log.entries)} writes (since the last flush the disk kept: {words}); "
        f"{len(t.night.acknowledged)} acknowledged moves, {beyond} times one more than was acknowledged"
    )


def goes_on(t: Trial) -> str:
    """After the last of these cuts the machine boots, and the night goes on where it was"""
    log = cuts.read_log(t.log)
    first = t.place / "after.img"
    cuts.replay(log, t.first, cuts.Cut(len(log.entries), cuts.LOSSES[0]), first, random.Random(1))
    t.machine = t.on(first, "after")
    t.night.machine = t.machine
    seconds = t.machine.switch_on()
    t.night.show()
    t.machine.until_ready()
    t.night.resume()
    t.night.play(1)
    return f"hands after {seconds:.0f} s; {len(t.night.moves)} moves in the journal"


def switches_off(t: Trial) -> str:
    """The machine switches off"""
    t.machine.switch_off()
    return ""


STEPS: tuple[Callable[[Trial], str], ...] = (
    boots,
    has_devices,
    becomes_ready,
    plays,
    signals,
    display_away,
    camera_away,
    cuts_power,
    goes_on,
    switches_off,
)
