"""Proposals, the chain, refusals, questions and the menu; what a bad picture may not do."""

from __future__ import annotations

import copy
import random
from dataclasses import replace

from engines.dealing import Act
from engines.tanis.moves import Excavator, Expert, Explorer, Take
from firmware.chain import LONGEST
from firmware.events import Commit, Look, Pressed, Show, Signal, Tick
from firmware.states.lists import words
from hardware.buttons.press import Button, Press
from tests.firmware.evenings import (
    TEXTS,
    legal,
    midgame,
    started,
    strange,
    takes,
)

UP, DOWN, YES, NO = Button.UP, Button.DOWN, Button.CONFIRM, Button.REJECT


# -- proposals and the chain


def test_nothing_is_written_before_confirm() -> None:
    one = started()
    before = list(one.written)
    takes(one, 3)
    assert one.written == before
    assert one.match.moves == ()


def test_commit_comes_before_show_and_light() -> None:
    one = started()
    takes(one, 1)
    one.confirm()
    order = [type(effect) for effect in one.effects]
    assert order.index(Commit) < order.index(Show) < order.index(Signal)


def test_four_moves_wait_and_the_fifth_asks_to_confirm_first() -> None:
    one = started()
    done = takes(one, 4)
    assert [link.move for link in one.night.chain] == done
    assert one.screen.right == "1/4"
    done += takes(one, 1)
    assert len(one.night.chain) == LONGEST
    assert one.screen.lines == (TEXTS("turn.full"),)
    for move in done:
        assert one.screen.name == "proposal"
        assert one.night.chain[0].move == move
        one.confirm()
    assert list(one.match.moves) == done
    assert one.screen.name == "turn"


def test_reject_drops_that_one_and_those_after_it() -> None:
    one = started()
    takes(one, 3)
    seen = []
    while one.screen.name == "proposal":
        # Other orders of the same takes are other readings; each is offered once.
        seen.append(one.night.chain[0].move)
        one.reject()
    assert len(set(seen)) == len(seen)
    assert one.night.chain == ()
    assert one.screen.name == "turn"
    assert TEXTS("turn.lost") in one.screen.lines
    one.look()
    assert one.screen.name == "turn", "a rejected reading is not proposed again for the same table"
    assert one.match.moves == ()


def test_reject_after_one_confirm_keeps_what_was_confirmed() -> None:
    one = started()
    done = takes(one, 3)
    one.confirm()
    one.reject()
    assert list(one.match.moves) == done[:1]
    assert one.night.chain == ()


def test_a_rejected_move_is_proposed_again_once_the_table_was_put_back() -> None:
    one = started()
    before = one.truth.table()
    takes(one, 1)
    after = one.truth.table()
    one.reject()
    one.look(before)
    assert one.screen.name == "turn"
    one.look(after)
    assert one.screen.name == "proposal"


def test_the_hand_takes_a_move_back() -> None:
    one = started()
    states = [one.truth.table()]
    for _ in range(3):
        takes(one, 1, seed=len(states))
        states.append(one.truth.table())
    for kept in (2, 1, 0):
        one.look(states[kept])
        assert len(one.night.chain) == kept
    assert one.screen.name == "turn"
    one.look(states[3])
    assert len(one.night.chain) == 3


def test_another_tile_instead_replaces_the_proposal() -> None:
    one = started()
    lying = copy.deepcopy(one.truth)
    first, second = [move for move in one.match.legal_moves() if isinstance(move, Take)][:2]
    for move in (first, second):
        one.truth = copy.deepcopy(lying)
        one.truth.dig.pop(move.tile)
        one.truth.piles["tiles-1"].append(move.tile)
        one.look()
        assert one.screen.name == "proposal"
        assert one.night.chain[0].move == move


def test_a_press_meant_for_the_proposal_before_does_not_confirm_the_new_one() -> None:
    one = started()
    lying = copy.deepcopy(one.truth)
    first, second = [move for move in one.match.legal_moves() if isinstance(move, Take)][:2]
    for move in (first, second):
        one.truth = copy.deepcopy(lying)
        one.truth.dig.pop(move.tile)
        one.truth.piles["tiles-1"].append(move.tile)
        one.look()
    one.send(Pressed(Press(YES, False, one.now + 0.1)))
    assert not one.match.moves
    one.confirm()
    assert one.match.moves == (second,)


def test_flicker_between_two_readings_commits_nothing_and_ends() -> None:
    """P13: a table that alternates may neither write without end nor block what comes after."""
    one = started()
    good = one.truth.table()
    piece = next(piece for piece in good.within("dig") if all(piece.seen))
    sign, number = str(piece.identity).split("-")
    gone = {p.identity for p in good.pieces}
    other = next(f"{sign}-{n}" for n in range(1, 11) if f"{sign}-{n}" not in gone and str(n) != number)
    bad = replace(
        good, pieces=tuple(replace(p, identities=(other,)) if p is piece else p for p in good.pieces)
    )
    before = len(one.written)
    for _ in range(20):
        one.look(bad)
        one.look(good)
    assert one.match.moves == ()
    assert len(one.written) - before <= 4
    move = next(
        move
        for move in one.match.legal_moves()
        if isinstance(move, Take) and move.tile not in (piece.identity, other)
    )
    one.do(move)
    assert one.screen.name == "proposal"
    assert one.night.chain[0].move == move


def test_one_bad_look_is_not_believed() -> None:
    one = midgame(started())
    shown = one.screen
    one.look(strange(one))
    assert one.screen == shown
    assert any(isinstance(effect, Look) for effect in one.effects)
    one.look()
    assert one.screen == shown
    assert one.night.doubt is None


def test_a_bad_look_does_not_move_a_proposal() -> None:
    one = midgame(started())
    takes(one, 1)
    shown = one.screen
    for _ in range(3):
        one.look(strange(one))
        assert one.screen == shown
        one.look()
        assert one.screen == shown


def test_a_table_that_stays_inexplicable_is_said_and_goes_away_by_itself() -> None:
    one = midgame(started())
    one.look(strange(one))
    one.look(strange(one))
    assert one.screen.name == "desync"
    assert one.night.differences
    one.press(DOWN)
    one.look()
    assert one.screen.name == "turn"


def test_an_inexplicable_table_is_said_after_a_while_without_a_second_look() -> None:
    one = midgame(started())
    one.look(strange(one))
    assert one.screen.name == "turn"
    one.send(Tick(one.now + 3))
    assert one.screen.name == "desync"


def test_going_on_with_the_table_as_it_is() -> None:
    """P13: what the players have accepted is not said again, and the menu works on."""
    one = midgame(started())
    one.look(strange(one))
    one.look(strange(one))
    one.confirm()
    assert one.screen.name == "turn"
    one.look(strange(one))
    one.look(strange(one))
    assert one.screen.name == "turn"
    one.press(YES, long=True)
    assert one.screen.name == "menu"


# -- refusals and questions


def test_a_refusal_names_rule_text_and_remedy_and_commits_nothing() -> None:
    one = started()
    rng = random.Random(4)
    lying = copy.deepcopy(one.truth)
    chances = one.world.chances(rng)
    for kind, intent in chances.items():
        if not intent.refutable:
            continue
        one.truth = copy.deepcopy(lying)
        written = list(one.written)
        for act in intent.stages[0][0]:
            one.truth.act(act)
        one.look()
        assert one.screen.name == "illegal", kind
        assert intent.mistake is not None and intent.mistake in one.screen.title
        refusal = one.night.finding.refusal
        assert refusal is not None
        told = " ".join(one.screen.lines)
        assert " ".join(refusal.text.split()) in told
        assert " ".join(refusal.remedy.split()) in told
        assert Signal("illegal") in one.effects
        one.look()
        assert Signal("illegal") not in one.effects, "it sounds once"
        one.confirm()
        assert one.screen.name == "illegal", "CONFIRM does not make it legal"
        assert one.written == written
        one.truth = copy.deepcopy(lying)
        one.look()
        assert one.screen.name == "turn"
        assert one.written == written


def test_players_who_say_it_was_not_so_get_the_turn_and_the_menu() -> None:
    one = started()
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    one.truth.dig.pop(move.tile)
    one.truth.piles["tiles-2"].append(move.tile)
    one.look()
    assert one.screen.name == "illegal"
    one.reject()
    assert one.screen.name == "turn"
    one.look()
    assert one.screen.name == "turn", "it is not said again for the same table"


def test_a_card_put_away_for_nothing_is_refused_and_reject_leads_to_the_plain_take() -> None:
    """The card has to come back all the same: that is said once the take is confirmed, until somebody denies it."""
    one = started()
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    seat = move.player
    one.truth.act(Act(f"{('blue', 'red')[seat]}-excavator", f"cards-{seat + 1}", None))
    one.look()
    assert one.screen.name == "turn"
    one.truth.act(Act(move.tile, "dig", f"tiles-{seat + 1}"))
    one.look()
    assert (one.screen.name, one.screen.title.split()[-1]) == ("illegal", "C9")
    one.reject()
    assert one.screen.name == "proposal" and one.night.chain[0].move == move
    one.confirm()
    assert one.match.moves == (move,)
    one.look()
    assert (one.screen.name, one.screen.title.split()[-1]) == ("illegal", "G2")
    assert "Put it back as it was" in " ".join(one.screen.lines)
    one.reject()
    one.look()
    assert one.screen.name == "turn" and "no Excavator" in " ".join(one.screen.lines)
    one.truth.act(Act(f"{('blue', 'red')[seat]}-excavator", None, f"cards-{seat + 1}"))
    one.look()
    assert one.screen.name == "turn" and "no Excavator" not in " ".join(one.screen.lines)


def test_a_card_put_away_out_of_turn_is_refused_and_reject_says_that_it_is_missing() -> None:
    one = started()
    other = 1 - one.match.state.to_move
    colour = ("blue", "red")[other]
    one.truth.act(Act(f"{colour}-expert", f"cards-{other + 1}", None))
    one.look()
    assert (one.screen.name, one.screen.title.split()[-1]) == ("illegal", "G2")
    one.reject()
    assert one.screen.name == "turn" and f"{colour}: no Expert" in one.screen.lines
    one.look()
    assert one.screen.name == "turn"


def test_one_look_without_a_card_accuses_nobody() -> None:
    """P20: a card that was overlooked looks as one that was put away."""
    one = started()
    other = 1 - one.match.state.to_move
    zone, colour = f"cards-{other + 1}", ("blue", "red")[other]
    whole = one.truth.table()
    one.truth.act(Act(f"{colour}-expert", zone, None))
    for _ in range(3):
        one.glance()
        assert one.screen.name == "turn" and not one.screen.lines
        assert [effect.expected for effect in one.effects if isinstance(effect, Look)] == [one.night.expected]
        one.glance(whole)
        assert one.screen.name == "turn" and one.night.suspected is None
    one.glance()
    # The same with a move that can be told meanwhile: it is, and only the card is looked for again.
    one.glance(whole)
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    one.truth.act(Act(move.tile, "dig", f"tiles-{move.player + 1}"))
    one.truth.cards[zone].append(f"{colour}-expert")
    one.glance()
    assert one.screen.name == "proposal"
    one.truth.act(Act(f"{('blue', 'red')[move.player]}-expert", f"cards-{move.player + 1}", None))
    one.glance()
    assert one.screen.name == "proposal" and one.written[-1][0] != "move"


def test_two_looks_that_agree_name_the_card() -> None:
    one = started()
    other = 1 - one.match.state.to_move
    one.truth.act(Act(f"{('blue', 'red')[other]}-explorer", f"cards-{other + 1}", None))
    one.glance()
    assert one.screen.name == "turn"
    one.send(Tick(one.now + 30))
    assert one.screen.name == "turn", "time alone is no second look"
    one.glance()
    assert (one.screen.name, one.screen.title.split()[-1]) == ("illegal", "G2")
    assert Signal("illegal") in one.effects
    one.glance()
    assert one.screen.name == "illegal", "and it stays"


def test_a_tile_that_vanished_is_asked_for() -> None:
    one = started()
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    one.truth.dig.pop(move.tile)
    one.look()
    assert one.screen.name == "ask"
    assert len(one.screen.choices) > 1
    written = list(one.written)
    one.look()
    assert one.written == written
    one.confirm()
    assert one.match.moves[0] == move


def test_none_of_the_questions_is_not_asked_again() -> None:
    one = started()
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    one.truth.dig.pop(move.tile)
    one.look()
    one.reject()
    assert one.screen.name == "turn"
    one.look()
    assert one.screen.name == "turn"
    one.truth.piles["tiles-1"].append(move.tile)
    one.look()
    assert one.screen.name == "proposal"


def test_a_card_put_away_is_waited_for() -> None:
    """P10: a move in two parts is not read half way."""
    one = started()
    one.truth.cards["cards-1"].remove("blue-explorer")
    one.look()
    assert one.screen.name == "turn"
    assert "Explorer" in one.screen.lines[0]
    move = legal(one.match, random.Random(1), Explorer)
    one.truth.cards["cards-1"].append("blue-explorer")
    one.do(move)
    assert one.night.chain[0].move == move


def test_the_expert_is_declared_by_its_card() -> None:
    one = started()
    one.do(Expert(0))
    assert one.screen.name == "proposal"
    assert one.night.chain[0].move == Expert(0)


# -- menu


def test_any_legal_move_can_be_chosen_from_the_menu() -> None:
    rng = random.Random(3)
    one = started(2)
    for kind in (Take, Explorer, Take, Excavator, Take, Expert, Take, Take):
        move = legal(one.match, rng, kind)
        assert isinstance(move, kind)
        one.press(YES, long=True)
        labels: list[str] = []
        while one.screen.name == "menu":
            values = one.night.listing.values
            said = words(one.match, move)
            at = next(
                at
                for at, value in enumerate(values)
                if value == move or (isinstance(value, tuple) and said[: len(value)] == value)
            )
            labels.append(one.screen.choices[at])
            while one.screen.chosen != at:
                one.press(DOWN)
            one.confirm()
        assert one.screen.name == "proposal", "chosen moves are shown once more"
        assert move not in one.match.moves[-1:]
        one.confirm()
        assert one.match.moves[-1] == move
        assert one.written[-1][0] == "move"


def test_a_move_by_menu_is_looked_for_on_the_table() -> None:
    one = started()
    move = legal(one.match, random.Random(0), Take)
    one.press(YES, long=True)
    one.confirm()
    while one.screen.name == "menu":
        one.confirm()
    one.confirm()
    assert any(isinstance(effect, Look) and effect.expected is not None for effect in one.effects)
    chosen = one.match.moves[0]
    one.look()
    one.look()
    assert one.screen.name in ("desync", "illegal"), "the table does not show it"
    assert isinstance(chosen, Take)
    one.do(chosen)
    assert one.screen.name == "turn"
    assert one.match.moves == (chosen,)
    assert move.player == 0


def test_a_move_from_the_menu_stays_though_the_table_differs() -> None:
    one = started()
    for _ in range(2):
        one.press(YES, long=True)
        while one.screen.name == "menu":
            one.confirm()
        shown = one.screen
        assert shown.name == "proposal"
        one.send(Tick(one.now + 5))
        assert one.screen == shown, "a doubt from before does not throw the chosen move away"
        one.confirm()
        one.look()
        one.look()
        assert one.screen.name in ("desync", "illegal")
    assert len(one.match.moves) == 2


def test_the_menu_can_be_left_step_by_step_and_by_waiting() -> None:
    one = started()
    one.press(YES, long=True)
    one.confirm()
    assert one.night.path
    one.reject()
    assert one.screen.name == "menu" and not one.night.path
    one.reject()
    assert one.screen.name == "turn"
    one.press(YES, long=True)
    one.send(Tick(one.now + 61))
    assert one.screen.name == "turn"
