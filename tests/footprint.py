"""Start to ready, and peak memory, of ``thoth run`` at a size of picture: ``python -m tests.footprint [WIDTH HEIGHT]``.

The service runs as it does under systemd: it says READY on the socket it was given, and it is driven by keys on a
terminal (a pseudo one) until it has read the table. Peak memory is what Linux says of the whole process (VmHWM).
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
UNIT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "262144",
    "MALLOC_TRIM_THRESHOLD_": "1048576",
    "PYTHONMALLOC": "malloc",
}
"""What the unit sets that memory depends on."""


@dataclass(frozen=True)
class Footprint:
    """``ready_s``: from the start of the process to READY; ``peak_mb``: the most memory it ever held; ``said``: its last screens."""

    ready_s: float
    peak_mb: float
    said: str


def picture(size: tuple[int, int], path: Path) -> None:
    """A set-up as the simulated camera sees it, so that the service itself has only to look at it."""
    import cv2

    from firmware.box import parts
    from firmware.settings import check
    from hardware.clock import SystemClock

    settings, _ = check(f'[camera]\nkind = "simulated"\nwidth = {size[0]}\nheight = {size[1]}\n')
    camera = parts.camera(settings, SystemClock())
    camera.open_if_due(0.0)
    assert camera.part is not None
    cv2.imwrite(str(path), camera.part.capture(0.0).picture)


def measure(size: tuple[int, int], seconds: float = 12.0) -> Footprint:
    """Start the service on a folder with one picture, go to the set-up by CONFIRM, let it read, stop it."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "thoth.toml"
        (Path(folder) / "pictures").mkdir()
        picture(size, Path(folder) / "pictures" / "1.png")
        config.write_text(
            f'names = ["Ana", "Ben"]\n[camera]\nkind = "folder"\nfolder = "{folder}/pictures"\n'
            f"width = {size[0]}\nheight = {size[1]}\n"
            '[buttons]\nkind = "keyboard"\n[display]\ndriver = "png"\n'
            f'folder = "{folder}/screens"\n'
        )
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.bind(f"{folder}/notify")
            notify.settimeout(30)
            main, other = pty.openpty()
            began = time.monotonic()
            words = [
                sys.executable,
                "-m",
                "firmware.cli",
                "run",
                "--config",
                str(config),
                "--state-dir",
                folder,
            ]
            with subprocess.Popen(
                words,
                cwd=ROOT,
                stdin=other,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "NOTIFY_SOCKET": f"{folder}/notify", **UNIT},
            ) as process:
                try:
                    said = [_datagram(notify)]
                    while said[-1] and "READY=1" not in said[-1]:
                        said.append(_datagram(notify))
                    ready = time.monotonic() - began
                    until = time.monotonic() + seconds
                    while time.monotonic() < until and process.poll() is None:
                        at_setup = any("Lay out" in line for line in said)
                        if not at_setup:
                            os.write(main, b"c")
                        if select.select([notify], [], [], 1.0)[0]:
                            said.append(_datagram(notify))
                    peak = _peak_mb(process.pid)
                finally:
                    process.send_signal(signal.SIGTERM)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(10)
                    os.close(main)
                    os.close(other)
    return Footprint(
        round(ready, 2), round(peak, 1), " / ".join(line for line in said if "STATUS" in line)[-300:]
    )


def _datagram(notify: socket.socket) -> str:
    return notify.recv(4096).decode()


def _peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    given = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (1536, 864)
    print(measure(given))
