"""The end of a process in which a thread of a driver still hangs: at once, with all that is to be done at an end."""

from __future__ import annotations

import subprocess
import sys

import pytest

WORDS = """
import atexit, sys, threading, time
from firmware.box.stop import leave
atexit.register(print, "at the end", flush=True)
print("before", end=" ")
if {hangs}:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
leave(3)
print("after", end=" ")
sys.exit(4)
"""


@pytest.mark.parametrize(
    ("hangs", "code", "said"), [(True, 3, "before at the end\n"), (False, 4, "before after at the end\n")]
)
def test_a_process_is_left_at_once_only_where_a_thread_may_still_wake(
    hangs: bool, code: int, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WORDS.format(hangs=hangs)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, said, "")
