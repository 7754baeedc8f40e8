"""What comes to a running service from outside the table: a SIGHUP, a stick, the machine's own complaints; and what is carried out of it.

Asked every round of the loop, it does its work about once a second and answers with events. What takes long (copying from a stick) is
done beside the loop.
"""

from __future__ import annotations

import functools
import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.catalogue import Catalogue
from firmware import night, notices, texts
from firmware.box import health, parts, stick
from firmware.box.aside import Aside
from firmware.box.cargo import Sources, cargo, figures
from firmware.box.eyesaside import aside
from firmware.box.reminder import Reminder
from firmware.box.roster import roster
from firmware.commands import optics
from firmware.events import Effect, Event, Notice, Part
from firmware.notices import plain
from firmware.settings import KEYS, Settings, SettingsError, load
from firmware.shell import Shell
from firmware.written.journal import JournalError

if TYPE_CHECKING:
    from firmware.box.light import Light
    from firmware.box.logtail import Tail
    from firmware.box.notify import Notifier
    from firmware.box.stop import Hangup
    from firmware.written.journal import Journal
    from firmware.written.recording import Recording
    from hardware.camera.frame import Camera

log = logging.getLogger("thoth")

_BEAT, _HEALTH, _STICKS = 1.0, 30.0, 1.0  # s between two looks at everything, at the machine, for sticks
_HANGING = 300.0  # s after which a stick that is still being copied counts as broken
_LATER = ("state_dir", "recording.folder", "recording.megabytes", "stick")
"""Settings that only a new start takes over."""


class Renewal:
    """``settings`` in force came from ``config`` and the state ``folder``; ``own``: the owner's numbers."""

    def __init__(
        self,
        shell: Shell[night.Night],
        settings: Settings,
        config: Path | None,
        folder: Path,
        journal: Journal,
        recorder: Recording | None,
        own: Mapping[str, Catalogue],
        names: tuple[str, ...],
        seed: int,
        light: Light,
        hangup: Hangup,
        notifier: Notifier,
        tail: Tail,
    ) -> None:
        self._shell, self._settings, self._config, self._folder = shell, settings, config, folder
        self._journal, self._recorder, self._own, self._names = journal, recorder, dict(own), names
        self._seed, self._light, self._hangup, self._notifier, self._tail = (
            seed,
            light,
            hangup,
            notifier,
            tail,
        )
        self._sticks = stick.Sticks(settings.text("stick"))
        self._reminder = Reminder(settings.number("remind_after"))
        self._waiting: deque[tuple[Path, bool]] = deque()
        self._bringing: Aside[stick.Brought] | None = None
        self._quiet = False
        self._carrying: Aside[str] | None = None
        self._since = 0.0
        self._faults: dict[str, str] = {}
        self._powerless = False
        self._mat, self._told_small = True, False
        self._due = self._health_due = self._sticks_due = 0.0

    def __call__(self, now: float) -> tuple[Event, ...]:
        """The events since the last call."""
        if now < self._due:
            return ()
        self._due = now + _BEAT
        self._tell_systemd(now)
        try:
            return tuple(self._work(now))
        except Exception:
            log.exception("what comes from outside the table could not be worked on")
            return ()

    def _work(self, now: float) -> list[Event]:
        self._reminder(self._shell, now)
        said: list[Event] = []
        if self._hangup.take():
            said += [Notice(text, now) for text in self.reread()]
        if now >= self._health_due:
            self._health_due = now + _HEALTH
            said += self._machine(now)
        if now >= self._sticks_due:
            self._sticks_due = now + _STICKS
            self._waiting.extend(self._sticks.poll())
            said += [Notice(text, now) for text in self._sticks.faults()]
        said += [Notice(text, now) for text in (*self._brought(now), *self._carried(now), *self._pictures())]
        return said

    def _tell_systemd(self, now: float) -> None:
        """That the loop turns and nothing is silently missing, and what stands on the display."""
        if self._shell.attended(now):
            self._notifier.alive()
        shown = self._shell.screen
        lasting = [advice.replace("\n", " ") for advice in self._faults.values()]
        power = [notices.LITTLE_POWER.replace("\n", " ")] if self._powerless else []
        self._notifier.status(
            "; ".join([*([plain(shown)] if shown is not None else []), *lasting, *power]) or "running"
        )

    def _machine(self, now: float) -> list[Event]:
        found = health.look(self._folder)
        said: list[Event] = []
        for name in {**self._faults, **found.faults}:
            if self._faults.get(name) != (advice := found.faults.get(name)):
                log.warning("%s: %s", name, advice or "all right again")
                said.append(Part(name, advice, now))
        self._faults = dict(found.faults)
        if found.under_voltage and not self._powerless:
            log.warning("the Pi says that its voltage was too low: %s", notices.LITTLE_POWER)
            said.append(Notice(notices.LITTLE_POWER, now))
        self._powerless = bool(found.under_voltage)
        return said

    # -- settings ----------------------------------------------------------------------------------------

    def reread(self) -> tuple[str, ...]:
        """Read the settings again and take over what has changed. With a fault in them those of before stay in force. What to tell the
        players."""
        from firmware.service import own_numbers

        brought = self._folder / stick.BROUGHT
        try:
            settings, faults = load(self._config, (brought / stick.SETTINGS,))
        except SettingsError as error:
            log.error("%s; the settings stay as they were", error)
            return (notices.SETTINGS_KEPT,)
        if faults:
            for fault in faults:
                log.error("settings, %s", fault)
            log.error("the settings stay as they were")
            return (notices.SETTINGS_KEPT,)
        own, sound = own_numbers(self._config, brought)
        try:
            self._adopt(settings, own if sound else self._own)
        except JournalError as error:
            log.error("%s", error)
            return (error.advice,)
        return () if sound else (notices.NUMBERS_FAULTY,)

    def _adopt(self, settings: Settings, own: Mapping[str, Catalogue]) -> None:
        changed = {key.name for key in KEYS if settings[key.name] != self._settings[key.name]}
        self._settings = settings
        log.info("settings read anew: %s", ", ".join(sorted(changed)) or "nothing has changed")
        if later := changed & set(_LATER):
            log.warning("%s: taken over at the next start", ", ".join(sorted(later)))
        self._reminder.after = settings.number("remind_after")
        clock = self._shell.clock
        makers: Mapping[str, Callable[[], parts.Keeper[Any]]] = {
            "camera": self._camera,
            "display": lambda: parts.display(settings),
            "buttons": lambda: parts.buttons(settings),
            "signals": lambda: parts.signals(settings, clock),
        }
        for name, make in makers.items():
            shared = name == "signals" and "buttons.factory" in changed
            if shared or any(key.startswith(f"{name}.") for key in changed):
                self._shell.exchange(**{name: make()})
        names = self._roster(settings)
        # Numbers are equal wherever the squares of an own board lie: the tables are not.
        numbers = [{game: dict(one.numbers) for game, one in them.items()} for them in (self._own, own)]
        moved = numbers[0] != numbers[1]
        if changed & {"language"} or names != self._names or moved:
            self._names, self._own = names, dict(own)
            self._begin_again()
        if "gallery" in changed or moved:
            self._new_eyes()

    def _camera(self) -> parts.Keeper[Camera]:
        light = self._light
        return parts.camera(
            self._settings,
            self._shell.clock,
            lambda: light.exposure,
            aside=True,
            mat=self._mat,
            night=lambda: self._shell.night,
        )

    def _pictures(self) -> tuple[str, ...]:
        """Open the camera for another picture, when the table on hand has a mat and the one before had none, or the other way round. What
        to tell the players."""
        layout, camera = self._shell.looking
        if layout is None or camera.opening:
            return ()
        if layout.loose == self._mat:
            self._mat, self._told_small = not layout.loose, False
            if optics.picture(self._asked, True) != optics.picture(self._asked, False):
                log.info(
                    "the camera takes a picture for a table %s a mat", "with" if self._mat else "without"
                )
                self._shell.exchange(camera=self._camera())
            return ()
        part = camera.part
        if part is None or self._told_small or part.size[0] >= optics.picture(self._asked, self._mat)[0]:
            return ()
        self._told_small = True
        log.warning("no memory for a larger picture than %d x %d: see thoth doctor", *part.size)
        return (notices.SMALL_PICTURE,)

    @property
    def _asked(self) -> tuple[int, int]:
        return self._settings.number("camera.width"), self._settings.number("camera.height")

    def _roster(self, settings: Settings) -> tuple[str, ...]:
        came = stick.names_of(self._folder / stick.BROUGHT / stick.NAMES)[0]
        return roster((*settings.names, *came), self._journal)

    def _begin_again(self) -> None:
        """The night once more from the journal, with the names, numbers and texts that are in force now."""
        waiting = self._shell.night.notices
        state, effects = self._resumed(failed=False)
        self._shell.renew(replace(state, notices=waiting), effects)

    def _resumed(self, failed: bool) -> tuple[night.Night, tuple[Effect, ...]]:
        from firmware.service import resume

        if self._recorder is not None:
            self._recorder.restart(self._journal.entries(), failed, self._names, self._own)
        tongue = texts.load(self._settings.text("language"))
        return resume(self._journal, self._names, self._seed, tongue, failed, self._own)

    def failsafe(self) -> tuple[night.Night, tuple[Effect, ...]]:
        """The night after a fault of the program itself."""
        return self._resumed(failed=True)

    def _new_eyes(self) -> None:
        from firmware.service import make_eyes

        self._shell.new_eyes(
            aside(
                functools.partial(
                    make_eyes, self._settings, self._folder, tell=self._shell.tell, own=self._own
                )
            )
        )

    # -- sticks ------------------------------------------------------------------------------------------

    def _brought(self, now: float) -> tuple[str, ...]:
        """Read the sticks that have come, one after the other; what to tell of the one that is done."""
        if self._bringing is None:
            if not self._waiting:
                return ()
            place, self._quiet = self._waiting.popleft()
            log.info("reading %s", place)
            self._bringing = Aside("stick", functools.partial(stick.bring, place, self._folder, self._quiet))
            self._since = now
            return ()
        if not self._bringing.done:
            if now - self._since < _HANGING:
                return ()
            self._bringing = None
            return (stick.FAILED_READING,)
        done, self._bringing = self._bringing, None
        try:
            came = done.result()
        except Exception:
            log.exception("the stick could not be read")
            return (stick.FAILED_READING,)
        said = came.notices(self._quiet)
        if "settings" in came.new or "numbers" in came.new or "names" in came.new:
            said += self.reread()
        if "gallery" in came.new:
            self._new_eyes()
        return said

    def carry(self, what: str) -> None:
        """Begin to write to the stick that is in; a notice says what came of it."""
        place = self._sticks.writable
        if place is None:
            self._shell.tell(notices.NO_STICK)
        elif self._carrying is None:
            sources = Sources(
                self._folder,
                self._settings,
                figures(self._shell),
                repr(self._shell.screen),
                self._tail.text(),
                getattr(self._recorder, "current", None),
            )
            self._carrying = Aside("carry", lambda: stick.carry(place, cargo(what, sources)))

    def _carried(self, now: float) -> tuple[str, ...]:
        if self._carrying is None or not self._carrying.done:
            return ()
        done, self._carrying = self._carrying, None
        try:
            return (done.result(),)
        except Exception:
            log.exception("the stick could not be written")
            return (stick.FAILED,)
