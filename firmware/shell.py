"""The event loop around a night: cameras, buttons and time become events, effects become pictures, light and entries.

    camera -> Frame -> still? good? -> Table --+
    buttons -> Press --------------------------+-> queue -> night.step -> Commit, Show, Look, Signal
    clock -> Tick -----------------------------+

One thread, one queue, one direction. The night itself is a pure function; everything that can fail is here: a
part that goes missing becomes an event and is tried again, and entries that cannot be written leave the night
where it was, so that the players see that nothing was kept and confirm again.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from engines.table import Layout, Table
from firmware.box.pace import REAL, Pace, Timings
from firmware.box.parts import Keeper
from firmware.chain import Signature, signature
from firmware.events import (
    Blind,
    Carry,
    Commit,
    Compare,
    Compared,
    Effect,
    Event,
    Export,
    Exported,
    Look,
    Looked,
    Notice,
    Pair,
    Part,
    PowerOff,
    Pressed,
    Show,
    Signal,
    Tick,
)
from firmware.notices import NO_STICK, NOWHERE, not_kept, plain
from firmware.ports import Eyes, Keeps, Lamp, Recorder
from firmware.written.journal import JournalError
from hardware.buttons.press import Buttons, Press
from hardware.camera.frame import Camera, CameraError, Frame
from hardware.clock import Clock
from hardware.display.screen import Display, Screen
from hardware.signals.port import Signals

log = logging.getLogger("thoth")

N = TypeVar("N")
Step = Callable[[N, Event], tuple[N, tuple[Effect, ...]]]

_READING = 0.5
"""Seconds in which nobody can have read what a display shows that was dark before."""
_LONGEST_PATIENCE = 8.0
"""Seconds between two readings of a picture in which something seems to change and nothing does."""


class Shell(Generic[N]):
    """Runs a night on a camera, a display and buttons; each may be None or a Keeper that opens it when it can.

    ``eyes`` makes eyes for a layout; ``journal.append`` makes entries durable before anything is shown;
    ``night`` and ``effects`` are what ``firmware.night.begin`` or ``resume`` gave; ``step`` is ``firmware.night.step`` unless a test
    brings another. ``observe(before, event, after, effects)`` is called
    after every step. With ``failsafe``, a night from ``failsafe()`` replaces one whose step raised; without, the
    exception leaves ``run_until``. ``export(night)`` writes the night's record and returns (file name, "") or ("", advice).
    ``compare()`` gives the faces of a gallery that are too alike. ``signals``: light and sound. ``carry(what)`` begins to carry something
    to a stick. ``chores`` are asked every round, with the time in monotonic s, for events from elsewhere: settings, sticks, the machine.
    """

    def __init__(
        self,
        clock: Clock,
        camera: Camera | Keeper[Camera] | None,
        display: Display | Keeper[Display] | None,
        buttons: Buttons | Keeper[Buttons] | None,
        eyes: Callable[[Layout], Eyes],
        journal: Keeps,
        night: N,
        *,
        step: Step[N] | None = None,
        effects: tuple[Effect, ...] = (),
        pace: Pace = REAL,
        recorder: Recorder | None = None,
        light: Lamp | None = None,
        signals: Signals | Keeper[Signals] | None = None,
        observe: Callable[[N, Event, N, tuple[Effect, ...]], None] | None = None,
        failsafe: Callable[[], tuple[N, tuple[Effect, ...]]] | None = None,
        export: Callable[[N], tuple[str, str]] | None = None,
        compare: Callable[[], tuple[Pair, ...]] = tuple,
        carry: Callable[[str], None] | None = None,
        chores: Callable[[float], Iterable[Event]] = lambda _: (),
    ) -> None:
        self.clock = clock
        self.night = night
        self.off = False
        """Whether the night asked to be switched off."""
        self.timings = Timings()
        self.frames = 0
        """Pictures taken, small and large."""
        self.screen: Screen | None = None
        """What the night last asked to show."""
        self.queue: deque[Event] = deque()
        self._camera = Keeper.of("camera", camera)
        self._display = Keeper.of("display", display)
        self._buttons = Keeper.of("buttons", buttons)
        self._signals = Keeper.of("signals", signals)
        self._make_eyes = eyes
        self._journal = journal
        self._step: Step[N] = step if step is not None else _the_night()
        self._pace = pace
        self._recorder = recorder
        self._light = light
        self._lit_badly: float | None = None
        self._observe = observe
        self._failsafe = failsafe
        self._export = export
        self._compare = compare
        self._carry = carry
        self._chores = chores
        self._failures: deque[float] = deque(maxlen=3)
        self._layout: Layout | None = None
        self._eyes: Eyes | None = None
        self._look = Look(None)
        self._last: Frame | None = None
        self._owed = self._fresh = False
        self._fault: str | None = None
        self._unsaved = ""
        """Why the last entries could not be written; empty when they were."""
        self._passing = False
        """Whether the fault was seen in a small picture, so that a small picture can also say that it has gone."""
        now = clock.monotonic()
        self._watch_at = self._tick_at = self._read_again_at = now
        self._patience, self._readable_from = 0.0, float("-inf")
        self._seen: Signature | None = None
        self._moved_at = now
        self.begin(effects)

    def begin(self, effects: tuple[Effect, ...]) -> None:
        """Carry out what a night wants done first (given by ``firmware.night.begin`` or ``resume``)."""
        entries = tuple(entry for effect in effects if isinstance(effect, Commit) for entry in effect.entries)
        if entries:
            self._journal.append(entries)
        for effect in effects:
            self._carry_out(effect, None)

    # -- the loop --------------------------------------------------------------------------------------

    def run_until(self, stop: Callable[[], bool]) -> None:
        """Go on until ``stop()`` says so or the night is switched off. Events that wait are worked off first."""
        while not stop() and not self.off:
            self.turn()
            self.clock.sleep(self._pace.beat)

    def turn(self) -> None:
        """One round: presses, small picture, tick; then every event in the queue."""
        now = self.clock.monotonic()
        self._open_parts(now)
        self.queue.extend(self._chores(now))
        self._unseen(now)
        if (buttons := self._buttons.part) is not None:
            for press in self._polled(buttons, now):
                self._press(Pressed(press))
        self._drain()
        if now >= self._watch_at:
            self._watch(now)
            self._drain()
        if (display := self._display.part) is not None:
            try:
                display.tick(now)
                self._display.report(display.fault, now)
            except Exception as error:  # noqa: BLE001 - see there
                self._stumbled(self._display, error)
        self._signal(lambda signals: signals.tick(now))
        if now >= self._tick_at:
            self._tick_at = max(self._tick_at + self._pace.tick, now)
            self.queue.append(Tick(now))
        self._drain()

    def attended(self, now: float) -> bool:
        """Whether every part is fresh, or was told to be missing; one that is silent without a word is told so by asking."""
        silent = [keeper for keeper in self._keepers if not keeper.attended(now)]
        return not silent

    @property
    def looking(self) -> tuple[Layout | None, Keeper[Camera]]:
        """The table that is looked at (None: none yet), and by which camera."""
        return self._layout, self._camera

    @property
    def _keepers(self) -> tuple[Keeper[Any], ...]:
        return self._camera, self._display, self._buttons, self._signals

    def exchange(self, **keepers: Keeper[Any]) -> None:
        """Other parts from now on (camera, display, buttons, signals), by other settings; those they take the place of are closed."""
        for name, keeper in keepers.items():
            before: Keeper[Any] = getattr(self, f"_{name}")
            before.close()
            if before.told is not None and not keeper.wanted:
                keeper.news.appendleft(None)  # nobody misses what is not wanted any more
            setattr(self, f"_{name}", keeper)

    def new_eyes(self, eyes: Callable[[Layout], Eyes]) -> None:
        """Other eyes from now on: the gallery has changed. The table is read anew."""
        self._make_eyes = eyes
        if self._layout is not None:
            self._eyes = eyes(self._layout)
            self._fresh, self._owed = False, True

    def renew(self, night: N, effects: tuple[Effect, ...]) -> None:
        """Another night in the place of this one, with what it wants done first: as after a new start, but without one."""
        self.night = night
        self.begin(effects)

    def tell(self, text: str) -> None:
        """Something the players should know once (two lines of 21 characters)."""
        self.queue.append(Notice(text, self.clock.monotonic()))

    def remind(self) -> None:
        """Somebody's turn is long: light the display up and give the signal, as if the turn had just begun."""
        if (display := self._display.part) is not None:
            try:
                display.wake()
            except Exception as error:  # noqa: BLE001 - see there
                self._stumbled(self._display, error)
        self._signal(lambda signals: signals.give("turn"))

    def _press(self, event: Pressed) -> None:
        # Nobody confirms what they cannot see: a press does nothing while the display has a fault, nor before what it
        # shows again could be read; the press that wakes a sleeping one does nothing else.
        if self._unseen(event.press.at):
            log.info("pressed while the display cannot be read: %s", event.press)
        elif (display := self._display.part) is None or not display.wake():
            self.queue.append(event)

    def _unseen(self, now: float) -> bool:
        """Whether there is a display and the players cannot know what stands on it."""
        display = self._display.part
        if self._display.wanted and (display is None or display.fault is not None):
            self._readable_from = now + _READING
        return now < self._readable_from

    def _open_parts(self, now: float) -> None:
        for keeper in self._keepers:
            if keeper.open_if_due(now) and keeper is self._display and self.screen is not None:
                self._show(self.screen)
            while keeper.news:
                advice = keeper.news.popleft()
                log.warning("%s: %s", keeper.name, advice or "back")
                self.queue.append(Part(keeper.name, advice, now))

    # -- looking ---------------------------------------------------------------------------------------

    def _watch(self, now: float) -> None:
        if (camera := self._camera.part) is None:
            self._watch_at = now + self._pace.busy
            return
        try:
            frame = camera.preview()
            self.frames += 1
            self._camera.report(None, now)
            if self._eyes is None or self._look.expected is None:
                self._watch_at = now + self._pace.idle
                return
            self._see(camera, self._eyes, self._look.expected, frame, now)
        except CameraError as error:
            log.debug("camera: %s", error)
            self._camera.failed(error.advice, now, str(error))
            self._owed = True
            self._watch_at = now + self._pace.again
            return
        except Exception:
            if self._failsafe is None:
                raise
            log.exception("the picture could not be worked on")
            self._blind("other", now)
            self._owed = True
            self._watch_at = now + self._pace.tick

    def _see(self, camera: Camera, eyes: Eyes, expected: Table, frame: Frame, now: float) -> None:
        sight = eyes.watch(frame.picture, frame.at)
        if self._recorder is not None:
            self._recorder.preview(frame, still=sight.settled and sight.fault is None)
        if sight.fault is not None:
            self._blind(sight.fault, frame.at)
            self._passing = True
        elif self._passing:
            self._fault, self._passing = None, False
            self.queue.append(Blind("", frame.at))
        self._mind_the_light(camera, self._fault, now)
        still = sight.settled and sight.fault is None
        if not still:
            self._moved_at = now
            self._patience, self._read_again_at = 0.0, now
        if not still or sight.changed:
            self._fresh = False
        busy = now - self._moved_at < self._pace.calm or self._owed
        self._watch_at = now + (self._pace.busy if busy else self._pace.quiet)
        doubted = sight.changed and now >= self._read_again_at
        if still and (doubted or self._owed):
            self._read(camera, eyes, expected, frame.at)

    def _mind_the_light(self, camera: Camera, fault: str | None, now: float) -> None:
        if fault not in ("dark", "bright") or self._light is None:
            self._lit_badly = None
        elif self._lit_badly is None:
            self._lit_badly = now
        elif now - self._lit_badly >= self._pace.light:
            self._lit_badly = now + 5 * self._pace.light
            self._light.measure(camera)

    def _blind(self, fault: str, at: float) -> None:
        self._owed = True
        if fault != self._fault:
            self._fault = fault
            self.queue.append(Blind(fault, at))

    def _read(self, camera: Camera, eyes: Eyes, expected: Table, settled_at: float) -> None:
        began = time.perf_counter()
        if self._fresh and self._last is not None:
            frame = self._last  # nothing moved since: only what is expected has changed
        else:
            frame = self._last = camera.capture(not_before=settled_at)
            self.frames += 1
            self.timings.add("capture", _ms_since(began))
        read_began = time.perf_counter()
        reading = eyes.read(frame.picture, expected)
        self.timings.add("read", _ms_since(read_began))
        for stage, ms in reading.ms.items():
            self.timings.add(f"read.{stage}", ms)
        if self._recorder is not None:
            self._recorder.read(frame, expected, reading, eyes)
        if reading.table is None:
            self._fresh = False
            self._blind(reading.fault or "other", frame.at)
            self._watch_at = self.clock.monotonic() + self._pace.again
            return
        if self._light is not None:
            self._light.seen(eyes, camera)
        self._fault = None
        self._passing = self._owed = False
        self._fresh = True
        seen = signature(reading.table)
        # Nothing has moved and the same is seen: what seemed a change was noise, and needs to be looked at less and less.
        first = 2 * self._pace.again
        self._patience = (
            min(max(2 * self._patience, first), _LONGEST_PATIENCE) if seen == self._seen else first
        )
        self._seen = seen
        self._read_again_at = self.clock.monotonic() + self._patience
        self.queue.append(Looked(reading.table, frame.at))
        self._drain()
        self.timings.add("settled to proposal", _ms_since(began))

    # -- events and effects ----------------------------------------------------------------------------

    def _drain(self) -> None:
        while self.queue and not self.off:
            self._dispatch(self.queue.popleft())

    def _dispatch(self, event: Event) -> None:
        before = self.night
        stumbled = False
        try:
            after, effects = self._step(before, event)
        except Exception:
            if self._failsafe is None:
                raise
            log.exception("the night stumbled over %r", event)
            now = self.clock.monotonic()
            if len(self._failures) == self._failures.maxlen and now - self._failures[0] < 60:
                raise  # a fresh process is the better cure
            self._failures.append(now)
            after, effects = self._failsafe()
            stumbled = True
        entries = tuple(entry for effect in effects if isinstance(effect, Commit) for entry in effect.entries)
        if entries:
            began = time.perf_counter()
            try:
                self._journal.append(entries)
            except JournalError as error:
                self._not_kept(error, event)
                return
            if self._unsaved:
                self._unsaved = ""
                if self.screen is not None:
                    self._show(self.screen)
            self.timings.add("commit", _ms_since(began))
        self.night = after
        if self._recorder is not None and not stumbled:
            self._recorder.step(event, effects)
        if self._observe is not None:
            self._observe(before, event, after, effects)
        for effect in effects:
            self._carry_out(effect, event)

    def _not_kept(self, error: JournalError, event: Event) -> None:
        """The night stays where it was: what is not on the disk has not happened. What was seen is looked at again."""
        if str(error) != self._unsaved:
            log.error("%s", error)
        self._unsaved = str(error)
        self._show(not_kept(error.advice))
        if isinstance(event, Looked):
            self._owed = True
            self._watch_at = self.clock.monotonic() + self._pace.tick

    def _carry_out(self, effect: Effect, event: Event | None) -> None:
        match effect:
            case Show(screen):
                self.screen = screen
                self._show(screen)
            case Look():
                self._turn_to(effect, event)
            case Signal(kind):
                self._signal(lambda signals: signals.give(kind))
            case Carry(what):
                if self._carry is not None:
                    self._carry(what)
                else:
                    self.tell(NO_STICK)
            case Export():
                file, fault = self._export(self.night) if self._export is not None else ("", NOWHERE)
                self.queue.append(Exported(file, fault, self.clock.monotonic()))
            case Compare():
                self.queue.append(Compared(self._compare(), self.clock.monotonic()))
            case PowerOff():
                self.off = True
            case Commit():
                pass  # written before all others

    def _turn_to(self, look: Look, event: Event | None) -> None:
        if look.layout is not None and look.layout != self._layout:
            self._layout = look.layout
            self._eyes = self._make_eyes(look.layout)
            self._fresh, self._owed = False, True
        again = look.expected == self._look.expected
        # What a table changed in the expectation was read from that very table: there is nothing new in it.
        if again or not isinstance(event, Looked):
            self._owed = True
            self._fresh = self._fresh and not again
            # A second look at once would see the same: what flickers needs a moment.
            now = self.clock.monotonic()
            self._watch_at = now + (self._pace.again if isinstance(event, Looked) else 0.0)
        self._look = look

    def _show(self, screen: Screen) -> None:
        if (display := self._display.part) is None:
            log.info("%s", plain(screen))
            return
        began = time.perf_counter()
        try:
            display.show(screen)
        except Exception as error:  # noqa: BLE001 - see there
            self._stumbled(self._display, error)
        self.timings.add("show", _ms_since(began))

    def _signal(self, use: Callable[[Signals], None]) -> None:
        if (signals := self._signals.part) is not None:
            try:
                use(signals)
                self._signals.report(None, self.clock.monotonic())
            except Exception as error:  # noqa: BLE001 - see there
                self._stumbled(self._signals, error)

    def _polled(self, buttons: Buttons, now: float) -> tuple[Press, ...]:
        try:
            presses = buttons.poll(now)
            self._buttons.report(getattr(buttons, "fault", None), now)
            return presses
        except Exception as error:  # noqa: BLE001 - see there
            self._stumbled(self._buttons, error)
            return ()

    def _stumbled(self, keeper: Keeper[Any], error: Exception) -> None:
        """A driver raised what it should have kept to itself: without this part the night goes on, and tries it again."""
        if self._failsafe is None:
            raise error
        log.error("%s: %r", keeper.name, error, exc_info=error)
        keeper.failed(f"{keeper.name} stopped:\nsee the log", self.clock.monotonic())

    def close(self) -> None:
        """Close the parts; the journal belongs to whoever opened it."""
        for keeper in (self._signals, self._buttons, self._display, self._camera):
            keeper.close()


def _the_night() -> Any:
    from firmware.night import step

    return step


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
