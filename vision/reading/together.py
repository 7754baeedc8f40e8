"""Independent work side by side, on the cores there are: OpenCV and NumPy let go of Python's lock while they compute."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

MOST = 4
"""So many threads at most: each keeps networks and their working memory of its own."""

Part = TypeVar("Part")
Result = TypeVar("Result")


@lru_cache(maxsize=1)
def threads() -> int:
    """How many pieces of work are done at once; 1: all in the caller's own thread."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST)


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads(), "reading")


# A forked child has none of its parent's threads.
os.register_at_fork(after_in_child=_pool.cache_clear)


def begun(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begins the work beside the caller's, where there is a core for it; what is returned gives its result."""
    return _pool().submit(work).result if threads() > 1 else work


def each(work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    """The work done for every part, in their order. Never call it from within such work: all threads would wait for others."""
    return list(_pool().map(work, parts)) if threads() > 1 else [work(part) for part in parts]
