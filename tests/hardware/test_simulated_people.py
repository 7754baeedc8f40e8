"""The simulated people against a display that knows the truth, and that now and then does not."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import pytest

from engines.dealing import Intent
from engines.game import Move
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.reading import layout
from engines.tanis.rules import phrase
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.diary import Broken, Diary, Made
from hardware.simulated.glances import answer, meant, menu_line, rule_named, says, step_in_list, words
from hardware.simulated.people import LostPatienceError, People
from hardware.simulated.places import Body
from hardware.simulated.table import SimulatedTable

NAMES = ("Ana", "Ben")
LAYOUT = layout(2, {})
Trouble = Callable[["Device", Made], Screen | None]


class WatchedWorld:
    """The hidden world, and what was last begun in it."""

    def __init__(self, world: TanisWorld) -> None:
        self._world = world
        self.begun: list[Intent] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._world, name)

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        self.begun.append(self._world.choose(rng, mistakes))
        return self.begun[-1]


class Device:
    """A display that sees everything. ``trouble(device, move)`` may show something else for the oldest open move."""

    def __init__(
        self, seed: int, mistakes: float = 0.0, trouble: Trouble | None = None, **habits: float
    ) -> None:
        self.clock = SimulatedClock()
        self.world = WatchedWorld(deal(seed, 2, 0, {}))
        self.table = SimulatedTable(LAYOUT, self.world.setup(), seed)  # type: ignore[operator]
        self.presses: deque[tuple[Button, bool]] = deque()
        self.people = People(
            self.world,  # type: ignore[arg-type]
            self.table,
            NAMES,
            lambda button, long: self.presses.append((button, long)),
            self.clock,
            seed,
            mistakes,
            phrase,
            **habits,  # type: ignore[arg-type]
        )
        self.trouble = trouble
        self.place = "game"
        self.chosen = 0
        self.path = ""
        self.confirmed = 0
        self.log: list[str] = []
        self.turned_down: list[int] = []
        self.still = 0.0

    @property
    def open(self) -> list[Made]:
        return self.people.diary.made[self.confirmed :]

    def illegal(self) -> str | None:
        """The rule that the table shows broken just now."""
        wrong = [
            intent for intent in self.world.begun if intent.mistake and (intent.undo or intent.refutable)
        ]
        told = [one for one in self.people.diary.broken if one.seen_as != "nobody could see it"]
        return wrong[-1].mistake if len(wrong) > len(told) else None

    def screen(self) -> Screen:
        questions = {
            "game": ("Archaeology", "Tanis"),
            "names": ("Eve", "Ben", "Ana"),
            "first": (*NAMES, "Random"),
            "option": ("Start", "brick", "no"),
        }
        if self.place in questions:
            return Screen(
                self.place, choices=questions[self.place], chosen=self.chosen, right=str(len(self.log))
            )
        if self.place == "setup":
            waiting = self.table.to_lay_out()
            return Screen(
                "setup", main="" if waiting else "Ready", lines=(f"{waiting[0]} missing",) if waiting else ()
            )
        if self.place == "menu":
            return Screen("menu", self.path, choices=self.lines(), chosen=self.chosen)
        if self.place == "takeback":
            return Screen("takeback", choices=(words(self.people.diary.made[self.confirmed - 1]),))
        rule = self.illegal()
        if rule:
            return Screen("illegal", f"Not allowed  {rule}", lines=("Put it back",))
        if self.open:
            one = self.open[0]
            other = self.trouble(self, one) if self.trouble else None
            return other or proposal(one)
        return Screen("end", "Ana wins") if self.world.over else Screen("turn", NAMES[self.world.to_move])  # type: ignore[index]

    def lines(self) -> tuple[str, ...]:
        told = [words(one) for one in self.open] + ["takes Snake 99", "excavates Snake 99"]
        below = [text[len(self.path) :].split()[0] for text in told if text.startswith(self.path)]
        return (*dict.fromkeys(below), "Score")

    def press(self, button: Button, long: bool) -> None:
        shown = self.screen()
        self.log.append(f"{shown.name} {button.value}{' long' if long else ''}")
        if shown.choices and button in (Button.UP, Button.DOWN):
            self.chosen = (self.chosen + (1 if button is Button.DOWN else -1)) % len(shown.choices)
        elif (button, long) == (Button.CONFIRM, True):
            self.place, self.chosen, self.path = "menu", 0, ""
        elif (button, long) == (Button.REJECT, True):
            self.place, self.chosen = "takeback", 0
        elif button is Button.REJECT:
            self.turned_down.append(self.confirmed)
            self.place = "play" if self.place == "menu" else self.place
        elif self.place == "takeback":
            self.confirmed -= 1
            self.place = "play"
        elif self.place == "menu":
            line, self.chosen = shown.choices[self.chosen], 0
            self.path = f"{self.path}{line} "
            if any(words(one) == self.path.strip() for one in self.open):
                self.place, self.trouble = "play", None
        elif self.place in ("game", "names", "first", "option", "setup"):
            done = sum(entry == "names confirm" for entry in self.log)
            order = ["game", "names", "first", "option", "setup", "play"]
            if self.place != "names" or done == 2:
                self.place = order[order.index(self.place) + 1]
            self.chosen = 0
        elif shown.name == "proposal" or (
            shown.name == "ask" and shown.choices[self.chosen] == words(self.open[0])
        ):
            self.confirmed += 1

    def run(self, seconds: float = 2000.0) -> Diary:
        shown: Screen | None = None
        while not self.people.done:
            while self.presses:
                self.press(*self.presses.popleft())
            if self.table.hands:
                self.still = self.clock.monotonic()
            if self.clock.monotonic() - self.still > 0.5 or self.presses:
                now = self.screen()
                if now != shown:
                    shown = now
                    self.people.see(now)
            self.clock.sleep(0.1)
            assert self.clock.monotonic() < 1000 + seconds, shown
        return self.people.diary


def proposal(one: Made) -> Screen:
    return Screen("proposal", f"{one.name} {one.verb}", one.object or one.verb)


def test_a_whole_night() -> None:
    device = Device(1, forget=0.0, regret=0.0)
    diary = device.run()
    assert device.world.over and device.confirmed == len(diary.made) > 40
    assert all(one.confirmed and one.first_right for one in diary.made)
    assert diary.first_proposal_right == 1.0 and diary.illegal_tried == 0
    assert device.people.names == ["Ana", "Ben"]
    assert (
        len(device.table.within("tiles-1"))
        + len(device.table.within("tiles-2"))
        + len(device.table.within("removed"))
        == 40
    )


def test_the_same_seed_plays_the_same_night() -> None:
    first, second, other = Device(2), Device(2), Device(3)
    assert first.run() == second.run()
    assert first.log == second.log and first.clock.monotonic() == second.clock.monotonic()
    assert first.people.diary != other.run()


def test_people_think_and_move_at_a_human_pace() -> None:
    device = Device(4)
    diary = device.run()
    assert 5 < (device.clock.monotonic() - 1000) / len(diary.made) < 15


def test_mistakes_are_made_told_and_put_right() -> None:
    device = Device(5, mistakes=0.5)
    diary = device.run()
    assert diary.illegal_tried > 8
    assert diary.illegal_named + diary.illegal_unseen == diary.illegal_tried and diary.illegal_missed == 0
    assert device.world.over and all(one.confirmed for one in diary.made)


def test_the_wrong_rule_does_not_count_as_named(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device(5, mistakes=0.5)
    right = device.illegal
    monkeypatch.setattr(device, "illegal", lambda: "X1" if right() else None)
    diary = device.run()
    assert diary.illegal_named == 0 and diary.illegal_missed > 5


def test_confirm_is_forgotten_and_somebody_presses_it_later() -> None:
    device = Device(6, forget=0.7, regret=0.0)
    held: list[int] = []
    device.trouble = lambda seen, one: held.append(len(seen.open))
    diary = device.run()
    assert max(held) == 4 and all(one.confirmed for one in diary.made)


def test_a_move_is_taken_back_and_made_again() -> None:
    device = Device(7, forget=0.0, regret=0.2)
    diary = device.run()
    assert diary.taken_back > 3 and "turn reject long" in device.log and "takeback confirm" in device.log
    assert device.confirmed == len(diary.made) and all(one.confirmed for one in diary.made)


def test_a_wrong_proposal_is_rejected() -> None:
    def wrong(device: Device, one: Made) -> Screen | None:
        stale = device.confirmed % 9 == 4 and device.confirmed not in device.turned_down
        return Screen("proposal", f"{one.name} takes", "Snake 99") if stale else None

    device = Device(8, trouble=wrong, forget=0.0, regret=0.0)
    diary = device.run()
    wrongly = [number for number, one in enumerate(diary.made) if not one.first_right]
    assert wrongly == [number for number in range(len(diary.made)) if number % 9 == 4]
    assert diary.first_proposal_right < 1.0


def test_a_move_that_is_not_seen_is_chosen_in_the_menu() -> None:
    def unseen(device: Device, one: Made) -> Screen | None:
        return Screen("turn", one.name) if device.confirmed == 5 else None

    device = Device(9, trouble=unseen, forget=0.0, regret=0.0)
    diary = device.run()
    assert diary.menus == 1 and diary.made[5].way == "menu" and diary.made[5].first_right is False
    assert "menu confirm" in device.log and all(one.confirmed for one in diary.made)


def test_a_legal_move_that_is_refused_is_counted_and_insisted_on() -> None:
    def refused(device: Device, one: Made) -> Screen | None:
        stale = device.confirmed == 5 and 5 not in device.turned_down
        return Screen("illegal", "Not allowed  T9", lines=("It is covered",)) if stale else None

    diary = Device(10, trouble=refused, forget=0.0, regret=0.0).run()
    assert diary.legal_refused == 1 and diary.illegal_tried == 0 and all(one.confirmed for one in diary.made)


def test_the_true_answer_is_chosen() -> None:
    def asks(device: Device, one: Made) -> Screen | None:
        if device.confirmed % 7 != 3:
            return None
        return Screen(
            "ask",
            "What happened?",
            choices=("Nothing yet", "takes Snake 99", words(one)),
            chosen=device.chosen,
        )

    diary = Device(11, trouble=asks, forget=0.0, regret=0.0).run()
    asked = [one for one in diary.made if one.way == "ask"]
    assert diary.asked == len(asked) > 4 and all(one.first_right is None for one in asked)


def test_a_difference_is_tidied_then_passed_over() -> None:
    def differs(device: Device, one: Made) -> Screen | None:
        stuck = device.confirmed == 3 and "desync confirm" not in device.log
        return Screen("desync", "Table differs", lines=("blue: 3 Explorer", "not 2")) if stuck else None

    device = Device(12, trouble=differs, forget=0.0, regret=0.0)
    diary = device.run()
    assert "desync reject" in device.log and "desync confirm" in device.log
    assert all(one.confirmed for one in diary.made)


def test_patience_ends_and_says_why() -> None:
    device = Device(13, trouble=lambda seen, one: Screen("turn", "Ana", "stuck"), forget=0.0)
    device.lines = lambda: ("Score",)  # type: ignore[method-assign]
    with pytest.raises(LostPatienceError, match=r"the display shows .*; the people expect Ana"):
        device.run()


class TestGlances:
    one = Made(None, "Bartholomew", "takes", "Falcon 7")  # type: ignore[arg-type]

    def test_says(self) -> None:
        assert says(Screen("proposal", "Bartholomew takes", "Falcon 7"), self.one)
        assert says(Screen("proposal", "Barthol. takes", "Falcon 7", right="1/2"), self.one)
        assert not says(Screen("proposal", "Bartholomew takes", "Falcon 8"), self.one)
        assert not says(Screen("proposal", "Ana takes", "Falcon 7"), self.one)
        assert not says(Screen("turn", "Bartholomew takes", "Falcon 7"), self.one)
        expert = Made(None, "Ana", "plays Expert", "")  # type: ignore[arg-type]
        assert says(Screen("proposal", "Ana plays Expert", "plays Expert"), expert)

    def test_lists(self) -> None:
        screen = Screen("menu", choices=("takes", "Explorer", "Explorer Snake", "Score"), chosen=0)
        assert step_in_list(screen, "takes") == "" and step_in_list(screen, "Explorer") == "down"
        assert step_in_list(screen, "Score") == "up" and step_in_list(screen, "Ankh") is None
        assert menu_line(screen, "Explorer Snake 7 up 1") == "Explorer Snake"
        assert menu_line(screen, "excavates Snake 7") is None

    def test_answers(self) -> None:
        def one(verb: str, what: str = "Falcon 7", seat: int = 1) -> Made:
            return Made(Move(seat), ("Ana", "Ben")[seat], verb, what)

        def told(made: Made, *lines: str) -> str | None:
            return answer(Screen("ask", choices=lines), made)

        assert told(one("takes"), "Nothing yet", "takes Snake 1", "takes Falcon 7") == "takes Falcon 7"
        assert told(one("takes"), "A takes Falcon 7", "B takes Falcon 7") == "B takes Falcon 7"
        assert told(one("excavates"), "Ben takes Falcon 7", "Ben removes Falcon 7") == "Ben removes Falcon 7"
        assert told(one("takes"), "1 Falcon 7", "2 Falcon 7") == "2 Falcon 7"
        assert told(one("Explorer", "Falcon 7 up 1"), "Falcon 7 up 2", "Falcon 7 up 1") == "Falcon 7 up 1"
        assert told(one("plays Expert", ""), "A plays Expert", "B plays Expert") == "B plays Expert"
        assert told(one("takes"), "Nothing yet", "Ana takes Falcon 7", "removes Falcon 7") is None
        assert told(one("plays Expert", ""), "Nothing yet", "Ana plays Expert") is None

    def test_rule(self) -> None:
        assert rule_named(Screen("illegal", "Not allowed  T9")) == "T9"
        assert rule_named(Screen("illegal")) is None and rule_named(Screen("turn", "T9")) is None

    def test_what_a_text_means(self) -> None:
        tile = Body("falcon-7", "falcon-7", LAYOUT.kind("tile"))
        card = Body("red-expert", "red-expert", LAYOUT.kind("card"))
        assert meant(Screen("desync", lines=("Falcon 7 not seen:", "blue's tiles")), (card, tile)) == tile
        assert meant(Screen("desync", lines=("red: 1 Expert missing",)), (tile, card)) == card
        assert meant(Screen("desync", lines=("Something else",)), (tile, card)) is None


def test_diary_counts() -> None:
    diary = Diary(
        broken=[
            Broken("T9", True, "T9"),
            Broken("T9", True, "T8"),
            Broken("T8", False, None),
            Broken("T8", True, None),
        ]
    )
    assert (diary.illegal_tried, diary.illegal_named, diary.illegal_missed, diary.illegal_unseen) == (
        4,
        1,
        2,
        1,
    )
    assert diary.first_proposal_right == 1.0
