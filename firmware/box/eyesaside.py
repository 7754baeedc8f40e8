"""Eyes that are made beside the loop: on a small Pi the pictures of a gallery take seconds, and keys and watchdog do not wait for them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engines.table import Layout, Table
from firmware.box.aside import Aside
from firmware.box.memory import give_back
from firmware.ports import Eyes, Reading, Sight
from hardware.camera.frame import Picture

NOT_YET = "opening"
"""What is wrong with every picture until there are eyes to look at it."""
_ONE_AT_A_TIME = threading.Lock()  # memory for two is more than a small Pi has


@dataclass(frozen=True, slots=True)
class _Nothing:
    """Nothing is seen, neither in a small picture nor in a large one."""

    settled: bool = False
    fault: str | None = NOT_YET
    changed: bool = True
    table: Table | None = None
    ms: Mapping[str, float] = field(default_factory=dict)


class EyesAside:
    """Eyes for ``layout``, which ``make`` makes in a thread. What it raises is raised by whatever is asked first afterwards."""

    def __init__(self, make: Callable[[Layout], Eyes], layout: Layout) -> None:
        self.layout = layout
        self._eyes: Eyes | None = None

        def work() -> Eyes:
            with _ONE_AT_A_TIME:
                eyes = make(layout)
                give_back()
                return eyes

        self._making = Aside("eyes", work)

    def watch(self, preview: Picture, at: float) -> Sight:
        eyes = self._made()
        return _Nothing() if eyes is None else eyes.watch(preview, at)

    def read(self, picture: Picture, expected: Table) -> Reading:
        eyes = self._made()
        return _Nothing() if eyes is None else eyes.read(picture, expected)

    @property
    def calibration(self) -> object | None:
        """What the eyes have measured; see ``vision.eyes``."""
        return getattr(self._eyes, "calibration", None)

    def _made(self) -> Eyes | None:
        if self._eyes is None and self._making.done:
            self._eyes = self._making.result()
        return self._eyes


def aside(make: Callable[[Layout], Eyes]) -> Callable[[Layout], EyesAside]:
    """What makes the same eyes beside the loop."""
    return functools.partial(EyesAside, make)
