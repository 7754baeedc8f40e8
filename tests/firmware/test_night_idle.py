"""CONFIRM on an unchanged table, and moves that leave no trace: what is written, and what a hasty press may not do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

import engines
from engines.archaeology import rules
from engines.archaeology.moves import Dig, Drawn, End, Market, Sell, Steal, Trade
from engines.archaeology.state import ArchaeologyState
from engines.game import Difference, Explanation, Step
from engines.table import Layout, Piece, Table
from firmware import night as nights
from firmware.events import Blind, Commit, Effect, Event, Look, Looked, Part, Pressed
from firmware.night import Night
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits
from hardware.display.screen import Screen

MARKET = Market(("shard", "shard", "scrap", "scrap", "coin"))
TREASURE = Drawn("treasure")


def shows(*told: str) -> Table:
    """A table on which each piece is something that was done: this game is not about how it is seen."""
    return Table(tuple(Piece((one,), "card", "middle", float(at), 0.0) for at, one in enumerate(told)))


def dug(seat: int) -> tuple[Step, ...]:
    return Dig(seat), TREASURE


def _meaning(state: ArchaeologyState, told: str) -> tuple[Step, ...]:
    seat = state.turn
    first = dug(seat) if state.stage == "dig" else ()
    acts: dict[str, tuple[Step, ...]] = {
        "sale": (*first, Sell(seat, ("shard",))),
        "trade": (*first, Trade(seat, ("shard",), ("scrap",))),
        "storm": (Dig(seat), Drawn("sandstorm")),
        "next sale": (*first, End(seat), *dug(1 - seat), Sell(1 - seat, ("coin",))),
    }
    return acts[told]


def _explain(state: ArchaeologyState, table: Table) -> tuple[Explanation, ...]:
    told = [piece.identity or "" for piece in table.pieces]
    done = sum(map(len, state.sold)) + state.storms + (state.market != MARKET.treasures)
    if told == ["trade", "out of turn"]:
        sale = Sell(1, ("coin",))
        if done:
            return (Explanation((sale,), rules.refusal(state, sale)),)
        other = Trade(0, ("shard", "shard"), ("scrap", "scrap"))
        return (Explanation((*dug(0), other, End(0), *dug(1), sale)),)
    if told in (["half"], ["whole"]):
        if done:
            waiting = "" if told == ["half"] else "Pay: worth 1"
            return (Explanation(waiting=waiting, half=bool(waiting)),)
        taken = ("scrap",) * (1 if told == ["half"] else 2)
        return (Explanation((*dug(0), Trade(0, ("coin", "coin"), taken))),)
    if told == ["theft"]:
        thief = Explanation((Dig(0), Drawn("thief"), Steal(0, 1)), certain=False)
        return () if state.thieves else (thief, Explanation())
    steps: tuple[Step, ...] = ()
    for one in told[done:]:
        more = _meaning(state, one)
        steps += more
        for step in more:
            state = rules.apply(state, step)
    return (Explanation(steps),)


def _idle(state: ArchaeologyState) -> Explanation | None:
    if state.stage == "dig":
        return Explanation((*dug(state.turn), End(state.turn)), waiting="dug, done")
    return Explanation((End(state.turn),), waiting="turn over") if state.stage == "act" else None


READING: Any = SimpleNamespace(
    TRACELESS=(Dig, End),
    layout=lambda players, options, *_: Layout("archaeology", 1.0, 1.0, (), (), ()),
    expected=lambda state: shows(str(hash(state))),
    explain=_explain,
    idle=_idle,
    reveals=lambda state, table: (MARKET,) if state.stage == "market" else (),
    differences=lambda state, table: tuple[Difference, ...](),
)
GAME = replace(engines.games()["archaeology"], eyes=lambda: READING)


@dataclass
class Evening:
    """A night of Archaeology whose table says in words what was done."""

    night: Night
    now: float = 0.0
    effects: tuple[Effect, ...] = ()
    written: list[str] = field(default_factory=list)

    @property
    def screen(self) -> Screen:
        assert fits(nights.screen(self.night)) == ()
        return nights.screen(self.night)

    def send(self, event: Event) -> Screen:
        self.night, self.effects = nights.step(self.night, event)
        for effect in self.effects:
            if isinstance(effect, Commit):
                self.written += [text for kind, text in effect.entries if kind in ("move", "reveal")]
        return self.screen

    def press(self, button: Button, after: float = 2.0) -> Screen:
        self.now += after
        return self.send(Pressed(Press(button, False, self.now)))

    def confirm(self, after: float = 2.0) -> Screen:
        return self.press(Button.CONFIRM, after)

    def look(self, *told: str, after: float = 0.5) -> Screen:
        self.now += after
        return self.send(Looked(shows(*told), self.now))


def begun(names: Iterable[str] = ("Ana", "Ben")) -> Evening:
    one = Evening(nights.begin({"archaeology": GAME}, tuple(names))[0])
    while one.screen.name != "setup":
        one.confirm()
    one.look()
    one.confirm()
    one.look()
    one.written.clear()
    assert one.screen.name == "turn"
    return one


def test_the_display_says_what_confirm_means_on_an_unchanged_table() -> None:
    assert begun().screen.footer == "CONFIRM: dug, done"


def test_confirm_on_an_unchanged_table_writes_all_of_it_after_one_more_look() -> None:
    one = begun()
    one.confirm()
    assert one.written == [] and any(isinstance(effect, Look) for effect in one.effects)
    assert one.screen.footer == "One moment"
    shown = one.look()
    assert one.written == ["1 dig", "reveal treasure", "1 end"]
    assert shown.name == "turn" and shown.title.startswith("Ben")


def test_what_was_done_just_before_the_press_is_proposed_and_not_passed_over() -> None:
    one = begun()
    one.confirm()
    shown = one.look("sale")
    assert (shown.name, shown.main, one.written) == ("proposal", "Shard", [])
    assert one.look("sale").name == "proposal", "the press was for that look only"
    one.confirm()
    assert one.written == ["1 dig", "reveal treasure", "1 sell shard"]
    assert one.screen.footer == "CONFIRM: turn over"


def test_a_second_press_in_the_same_breath_ends_nobodys_turn() -> None:
    one = begun()
    one.look("sale")
    one.confirm()
    one.confirm(after=0.8)
    one.look("sale")
    assert one.written[-1] == "1 sell shard"
    one.confirm()
    one.look("sale")
    assert one.written[-1] == "1 end"


@pytest.mark.parametrize("hidden", [7.0, 60.0])
def test_a_press_is_forgotten_when_the_table_stays_out_of_sight(hidden: float) -> None:
    one = begun()
    one.confirm()
    one.send(Blind("hand", one.now))
    one.look(after=hidden)
    assert one.written == [] and one.screen.footer == "CONFIRM: dug, done"


def test_another_key_takes_the_press_back() -> None:
    one = begun()
    one.confirm()
    one.press(Button.UP, after=0.1)
    one.look()
    assert one.written == []


def test_without_a_camera_the_press_alone_counts() -> None:
    one = begun()
    one.send(Part("camera", "no camera: check\nthe ribbon", one.now))
    one.confirm()
    assert one.written == ["1 dig", "reveal treasure", "1 end"]


def test_moves_without_a_trace_are_confirmed_with_the_one_that_follows_from_them() -> None:
    one = begun()
    shown = one.look("sale", "next sale")
    assert (shown.right, shown.main) == ("1/2", "Shard")
    one.confirm()
    assert one.screen.main == "Coin" and one.screen.title.startswith("Ben")
    one.confirm()
    assert one.written[3:] == ["1 end", "2 dig", "reveal treasure", "2 sell coin"]
    assert one.night.match is not None and one.night.match.score().totals == (1, 2)


def test_a_move_without_a_trace_waits_for_the_next_and_both_are_one_press() -> None:
    one = begun()
    shown = one.look("storm")
    assert shown.name == "proposal" and [link.moves for link in one.night.chain] == [(Dig(0),)]
    one.confirm()
    assert one.written == ["1 dig", "reveal sandstorm"]


def test_a_question_names_the_move_that_is_seen_and_answering_writes_the_others_too() -> None:
    one = begun()
    shown = one.look("theft")
    assert (shown.name, shown.choices) == ("ask", ("steals from Ben", "Nothing yet"))
    one.confirm()
    assert one.written == ["1 dig", "reveal thief", "1 steal from player-2"]


def test_a_move_turned_down_takes_those_before_it_with_it() -> None:
    one = begun()
    one.look("sale")
    assert one.press(Button.REJECT).name == "turn" and one.written == []
    assert one.look("sale").name == "turn", "it is not proposed again for the same table"


def test_a_game_without_a_meaning_for_it_does_nothing() -> None:
    one = begun()
    assert one.night.match is not None
    plain: Any = SimpleNamespace(**{name: there for name, there in vars(READING).items() if name != "idle"})
    one.night = replace(one.night, match=replace(one.night.match, game=replace(GAME, eyes=lambda: plain)))
    assert one.screen.footer == "hold CONFIRM: moves"
    one.confirm()
    one.look()
    assert one.written == []


def test_the_rest_of_a_move_nobody_confirmed_is_no_beginning_of_another() -> None:
    """Two cards are given and two taken; somebody's hand was away when one had been taken."""
    one = begun()
    half = one.look("half")
    assert (half.name, half.main) == ("proposal", "2 for Scrap")
    whole = one.look("whole")
    assert (whole.name, whole.main, whole.right) == ("proposal", "2 for 2 cards", "")
    one.confirm()
    assert one.written == ["1 dig", "reveal treasure", "1 trade 2 coin for 2 scrap"]


def test_without_a_camera_what_was_dug_is_chosen_in_the_menu() -> None:
    one = begun()
    one.send(Part("camera", "no camera: check\nthe ribbon", one.now))

    def menu() -> Screen:
        one.now += 2
        return one.send(Pressed(Press(Button.CONFIRM, True, one.now)))

    assert menu().choices[0] == "digs for treasure"
    one.confirm()
    one.confirm()
    assert menu().choices[:3] == ("treasure", "thief", "sandstorm")
    one.press(Button.DOWN)
    one.confirm()
    assert one.written == ["1 dig", "reveal thief"] and one.screen.main == "steal a card"


def test_what_was_seen_whole_is_not_told_otherwise_to_make_a_refused_move_legal() -> None:
    """Ana's trade was seen and nobody confirmed it; then somebody sells out of turn. That it was Ben's trade would make the sale legal."""
    one = begun()
    assert one.look("trade").main == "1 for Scrap"
    shown = one.look("trade", "out of turn")
    assert (shown.name, shown.title) == ("illegal", "Not allowed  F1")
    assert [link.move for link in one.night.chain] == [Trade(0, ("shard",), ("scrap",))]
