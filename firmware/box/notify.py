"""Telling systemd how the service is (sd_notify(3)); does nothing where no systemd asked for it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping


class Notifier:
    """Sends datagrams to the socket that systemd named in ``NOTIFY_SOCKET``. Never raises."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of Linux's abstract socket names.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        micro = environment.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(micro) / 1e6 if micro.isascii() and micro.isdigit() else 0.0
        """Seconds within which ``alive`` must be called again; 0: nobody watches."""
        self._status = ""

    @property
    def heard(self) -> bool:
        """Whether there is somebody to tell: the service runs under systemd."""
        return bool(self._address)

    def ready(self) -> None:
        self._send("READY=1")

    def alive(self) -> None:
        if self.watchdog_s:
            self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for ``systemctl status``; sent when it is new."""
        if text != self._status:
            self._status = text
            self._send("STATUS=" + text.replace("\n", " "))

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto(message.encode(), self._address)
