from __future__ import annotations

import time

import pytest

from hardware.clock import SimulatedClock, SystemClock


def test_system_clock_sleeps_and_never_goes_back() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    clock.sleep(0.01)
    clock.sleep(-1)
    assert 0.01 <= clock.monotonic() - before < 1.0
    assert abs(clock.monotonic() - time.monotonic()) < 0.1


def test_simulated_time_takes_no_time() -> None:
    clock = SimulatedClock(5.0)
    began = time.perf_counter()
    clock.sleep(3600.0)
    assert clock.monotonic() == 3605.0
    assert time.perf_counter() - began < 1.0
    clock.sleep(0)
    clock.sleep(-1)
    assert clock.monotonic() == 3605.0
    with pytest.raises(ValueError, match="back"):
        clock.advance(-0.1)


def test_callbacks_hear_of_every_step_in_order() -> None:
    clock = SimulatedClock(0.0)
    heard: list[tuple[str, float]] = []
    clock.on_advance(lambda now: heard.append(("a", now)))
    clock.on_advance(lambda now: heard.append(("b", now)))
    clock.sleep(1.0)
    clock.sleep(0.5)
    assert heard == [("a", 1.0), ("b", 1.0), ("a", 1.5), ("b", 1.5)]


def test_planned_calls_see_their_own_moment() -> None:
    clock = SimulatedClock(0.0)
    heard: list[tuple[str, float]] = []
    for name, when in (("late", 2.0), ("early", 0.5), ("later", 3.0), ("same", 0.5)):
        clock.call_at(when, lambda name=name: heard.append((name, clock.monotonic())))  # type: ignore[misc]
    clock.sleep(2.5)
    assert heard == [("early", 0.5), ("same", 0.5), ("late", 2.0)]
    assert clock.monotonic() == 2.5
    clock.call_at(1.0, lambda: heard.append(("past", clock.monotonic())))
    clock.sleep(0.1)
    assert heard[-1] == ("past", 2.5)


def test_a_call_that_sleeps_moves_time_on_and_never_back() -> None:
    clock = SimulatedClock(0.0)
    seen: list[float] = []
    clock.call_at(1.0, lambda: clock.sleep(5.0))
    clock.call_at(2.0, lambda: seen.append(clock.monotonic()))
    clock.on_advance(seen.append)
    clock.sleep(1.5)
    assert clock.monotonic() == 6.0
    assert seen == sorted(seen)
