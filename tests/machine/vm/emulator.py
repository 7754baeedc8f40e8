"""The emulated machine: switched on, asked and told things, and off again, orderly or not."""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.machine.container import WrongError, until
from tests.machine.vm.image import Image
from tests.machine.vm.layer import ROOT
from tests.machine.vm.wire import Wire

EMULATOR = "qemu-system-x86_64"
MEMORY_MB = 1024
BOOT_S = 600.0
"""At the most until the hands answer. A minute where nothing else runs; software emulation beside others is slow."""
PORT = 0x5C0
"""Of the display's wire, as kernel/thoth-wire.c has it."""
_PROBE_S = 6.0
UNIT = "thoth.service"


@functools.cache
def acceleration(kernel: Path) -> tuple[str, ...]:
    """qemu's options for KVM where a kernel runs under it, else for software emulation. That /dev/kvm is there says little: where this
    machine is itself a guest, KVM may take a machine and never run it, so a kernel is let begin."""
    # Not a processor with AVX: qemu 7.2 says it can, and NumPy's logarithms end in a segmentation fault.
    tcg = ("-accel", "tcg,thread=multi", "-cpu", "Nehalem")
    if not Path("/dev/kvm").exists():
        return tcg
    words = [
        EMULATOR,
        "-M",
        "q35",
        "-accel",
        "kvm",
        "-cpu",
        "host",
        "-m",
        "512",
        "-display",
        "none",
        "-no-reboot",
    ]
    words += [
        "-monitor",
        "none",
        "-serial",
        "stdio",
        "-kernel",
        str(kernel),
        "-append",
        "console=ttyS0 panic=-1",
    ]
    try:
        said = subprocess.run(
            words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PROBE_S, check=False
        ).stdout
    except subprocess.TimeoutExpired as error:
        said = error.stdout or b""
    return ("-accel", "kvm", "-cpu", "host") if b"Linux version" in said else tcg


class Emulator:
    """One machine with ``image`` as its disk, which is not written to, and ``state`` as the disk of /var/lib/thoth, whose writes are logged in
    ``log``. ``place``: a folder for its sockets and what stands before its camera."""

    def __init__(self, image: Image, state: Path, log: Path, place: Path) -> None:
        self.image, self.state, self.log, self.place = image, state, log, place
        self.console = place / "console.log"
        self.scenes = place / "scenes"
        self.scenes.mkdir(exist_ok=True)
        self.wire: Wire | None = None
        self._qemu: subprocess.Popen[bytes] | None = None
        self._hands: socket.socket | None = None
        self._heard = b""
        self._boots = 0

    # -- power -------------------------------------------------------------------------------------------

    def switch_on(self) -> float:
        """Seconds until the hands inside answered. Raises WrongError."""
        began = time.monotonic()
        self._boots += 1
        sockets = {name: self.place / f"{name}-{self._boots}" for name in ("wire", "hands")}
        ears = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        ears.bind(str(sockets["hands"]))
        ears.listen(1)
        ears.settimeout(30)
        self.wire = Wire(sockets["wire"], self.log)
        self.log.touch()
        words = [EMULATOR, "-M", "q35", *acceleration(self.image.kernel), "-smp", "2", "-m", str(MEMORY_MB)]
        words += ["-nodefaults", "-display", "none", "-no-reboot", "-serial", f"file:{self.console}"]
        words += ["-kernel", str(self.image.kernel), "-initrd", str(self.image.initrd)]
        words += [
            "-append",
            f"root=LABEL={ROOT} rw console=ttyS0 mitigations=off quiet no_timer_check nowatchdog panic=-1",
        ]
        words += ["-drive", f"file={self.image.disk},format=raw,if=virtio,snapshot=on,cache=unsafe"]
        words += ["-blockdev", f"driver=file,node-name=state,filename={self.state}"]
        words += ["-blockdev", f"driver=file,node-name=log,filename={self.log}"]
        words += [
            "-blockdev",
            "driver=blklogwrites,node-name=logged,file=state,log=log,log-sector-size=512,log-super-update-interval=1",
        ]
        words += ["-device", "virtio-blk-pci,drive=logged"]
        words += ["-chardev", f"socket,id=wire,path={sockets['wire']}"]
        words += ["-device", f"isa-debugcon,iobase={PORT:#x},chardev=wire"]
        words += ["-chardev", f"socket,id=hands,path={sockets['hands']}", "-device", "virtio-serial-pci"]
        words += ["-device", "virtserialport,chardev=hands,name=thoth.hands", "-device", "virtio-rng-pci"]
        words += ["-virtfs", f"local,path={self.scenes},mount_tag=scenes,security_model=none,readonly=on"]
        if nice := shutil.which("nice"):
            words = [nice, "-n", "5", *words]
        with (self.place / "qemu.log").open("ab") as said:
            self._qemu = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        with contextlib.closing(ears):
            try:
                self._hands, _ = ears.accept()
            except TimeoutError as error:
                raise WrongError(f"the emulator did not start: {self.last_words()}") from error
        self._heard = b""
        self._answers_by(time.monotonic() + BOOT_S)
        return time.monotonic() - began

    def _answers_by(self, end: float) -> None:
        """Ask until there is an answer: what is said to a port that nobody has opened yet is lost, or is answered late."""
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                if self._ask({"read": "/proc/uptime"}, 10).get("data"):
                    time.sleep(0.5)
                    self._drain()
                    return
            if self._qemu is not None and self._qemu.poll() is not None:
                break
        raise WrongError(f"the machine did not come up: {self.last_words()}")

    def _drain(self) -> None:
        """Answers to what was asked again and again before somebody heard it."""
        assert self._hands is not None
        self._hands.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            while self._hands.recv(65536):
                pass
        self._heard = b""

    def switch_off(self) -> None:
        """Orderly, as from the menu. Raises WrongError when it does not go off."""
        if self._qemu is None:
            return
        with contextlib.suppress(WrongError, TimeoutError):
            self._ask({"run": ["systemctl", "poweroff", "--no-block"]}, 60)
        try:
            self._qemu.wait(180)
        except subprocess.TimeoutExpired as error:
            raise WrongError("the machine did not switch off") from error
        finally:
            self.kill()

    def kill(self) -> None:
        """The plug is pulled; nothing happens when it is not on."""
        if self._qemu is not None:
            self._qemu.kill()
            self._qemu.wait()
        self._qemu = None
        if self._hands is not None:
            self._hands.close()
            self._hands = None
        if self.wire is not None:
            self.wire.close()

    # -- hands inside ------------------------------------------------------------------------------------

    def _ask(self, wish: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Raises TimeoutError, or WrongError when the machine is gone."""
        assert self._hands is not None
        end = time.monotonic() + timeout
        self._hands.settimeout(timeout)
        self._hands.sendall(json.dumps(wish).encode() + b"\n")
        while b"\n" not in self._heard:
            self._hands.settimeout(max(0.01, end - time.monotonic()))
            got = self._hands.recv(1 << 20)
            if not got:
                raise WrongError(f"the machine is gone: {self.last_words()}")
            self._heard += got
        line, _, self._heard = self._heard.partition(b"\n")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def ask(self, wish: dict[str, Any], timeout: float = 300.0) -> dict[str, Any]:
        """Raises WrongError when the hands cannot do it, or do not answer."""
        try:
            answer = self._ask(wish, timeout)
        except TimeoutError as error:
            raise WrongError(f"no answer within {timeout:.0f} s to {str(wish)[:200]}") from error
        if "error" in answer:
            raise WrongError(f"{str(wish)[:200]}: {answer['error']}")
        return answer

    def run(self, *words: str, code: int | None = 0, timeout: float = 300.0) -> str:
        answer = self.ask({"run": list(words), "timeout": timeout}, timeout + 30)
        if code is not None and answer["code"] != code:
            raise WrongError(
                f"{' '.join(words)}: exit {answer['code']}, not {code}\n{answer['said'][-3000:]}"
            )
        return str(answer["said"]).strip()

    def read(self, path: str) -> bytes:
        return base64.b64decode(self.ask({"read": path})["data"])

    def write(self, path: str, text: str) -> None:
        self.ask({"write": path, "text": text})

    def press(self, pin: int, seconds: float = 0.15) -> None:
        self.ask({"press": {"pin": pin, "seconds": seconds}})

    def press_and_watch(self, pin: int, output: int, seconds: float) -> list[int]:
        """The levels that an output had, one after the other, in the seconds after a press."""
        wish = {"press": {"pin": pin, "seconds": 0.15}, "watch": {"pin": output, "seconds": seconds}}
        return [int(level) for level in self.ask(wish)["levels"]]

    def shows(self, name: str) -> str:
        return self.run("systemctl", "show", "--value", f"--property={name}", UNIT)

    def log_of(self, unit: str = "thoth") -> str:
        return self.run("journalctl", "--no-pager", "--output=short-monotonic", f"--unit={unit}", code=None)

    def until_ready(self, patience: float = 300.0) -> None:
        until(lambda: self.shows("ActiveState") == "active", patience, lambda: self.log_of()[-2000:], 1.0)

    def last_words(self) -> str:
        said = ""
        for path in (self.place / "qemu.log", self.console):
            if path.exists():
                said += f"{path.name}: {path.read_text(errors='replace')[-1500:]}\n"
        return said
