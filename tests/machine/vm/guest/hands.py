"""Hands inside the machine: does what is asked through a virtio port, one line of JSON for each wish, one for each answer.

``{"run": [words], "timeout": s}`` -> ``{"code": n, "said": text}``; ``{"write": path, "text": text}``; ``{"read": path, "binary": bool}``;
``{"press": {"pin": n, "seconds": s}}`` pulls a line down and lets it up again; with ``"watch": {"pin": n, "seconds": s}`` it then looks at an output.
What goes wrong is answered as ``{"error": text}``. Python's own library only.
"""

from __future__ import annotations

import base64
import json
import subprocess
import time
from pathlib import Path
from typing import Any

PORT = "/dev/virtio-ports/thoth.hands"
PINS = Path("/sys/kernel/config/gpio-sim/header")


def line(pin: int) -> Path:
    device, chip = ((PINS / name).read_text().strip() for name in ("dev_name", "bank0/chip_name"))
    return Path(f"/sys/devices/platform/{device}/{chip}/sim_gpio{pin}")


def watch(pin: int, seconds: float) -> list[int]:
    """The levels that an output had, one after the other."""
    value = line(pin) / "value"
    seen: list[int] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        level = int(value.read_text())
        if not seen or seen[-1] != level:
            seen.append(level)
        time.sleep(0.005)
    return seen


def carry_out(wish: dict[str, Any]) -> dict[str, Any]:
    if "run" in wish:
        done = subprocess.run(
            wish["run"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=wish.get("timeout", 300),
            check=False,
        )
        return {"code": done.returncode, "said": done.stdout.decode(errors="replace")}
    if "write" in wish:
        Path(wish["write"]).write_text(wish["text"])
        return {}
    if "read" in wish:
        data = Path(wish["read"]).read_bytes()
        return {"data": base64.b64encode(data).decode()}
    if "press" in wish:
        pull = line(wish["press"]["pin"]) / "pull"
        pull.write_text("pull-down")
        time.sleep(wish["press"]["seconds"])
        pull.write_text("pull-up")
        return {"levels": watch(**wish["watch"])} if "watch" in wish else {}
    raise ValueError(f"what is {sorted(wish)}?")


def main() -> None:
    while not Path(PORT).exists():  # udev has not named it yet
        time.sleep(0.2)
    with Path(PORT).open("r+b", buffering=0) as port:  # it may be opened once only
        left = b""
        while True:
            got = port.read(65536)
            if not got:  # nobody has the other end yet
                time.sleep(0.2)
                continue
            *whole, left = (left + got).split(b"\n")
            for one in whole:
                try:
                    answer = carry_out(json.loads(one))
                except Exception as error:  # noqa: BLE001 - whoever asked hears of it
                    answer = {"error": f"{type(error).__name__}: {error}"}
                left_to_say = json.dumps(answer).encode() + b"\n"
                while left_to_say:  # a port takes what it has room for
                    left_to_say = left_to_say[port.write(left_to_say) or 0 :]


if __name__ == "__main__":
    main()
