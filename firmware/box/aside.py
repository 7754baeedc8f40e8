"""Work beside the loop: in a thread of its own, asked now and then whether it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Aside(Generic[T]):
    """Begins ``work`` at once. A thread that hangs is left behind: it is a daemon, and the program ends without it."""

    def __init__(self, name: str, work: Callable[[], T]) -> None:
        self._result: list[T] = []
        self._error: Exception | None = None
        self._work = work
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            # A library that wants to end the program has nothing to say beside the loop.
            self._error = error if isinstance(error, Exception) else RuntimeError(repr(error))

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Whether it is done within that time."""
        self._thread.join(seconds)
        return self.done

    def result(self) -> T:
        """What the work gave, once it is done. Raises what it raised."""
        if self._error is not None:
            raise self._error
        return self._result[0]
