"""Leafing: through held moves without ever confirming another than the oldest, and through a refusal to its last word."""

from __future__ import annotations

import random
import string
from dataclasses import replace

import pytest

from engines.game import Explanation, Refusal
from engines.rulebook import rulebook
from engines.tanis.moves import Excavator, Explorer, Take
from firmware.chain import Finding
from firmware.commands.gallery import WIDEST
from firmware.events import Pressed
from firmware.night import screen
from firmware.screens import pages
from firmware.states.play import possibilities
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits
from tests.firmware.evenings import TEXTS, Evening, midgame, started, strange, takes

DOWN, UP, YES, NO = Button.DOWN, Button.UP, Button.CONFIRM, Button.REJECT


def shown_as(one: Evening, at: int) -> tuple[str, str]:
    move = one.night.chain[at].move
    return one.match.names[move.player], one.match.game.rules.phrase(move)[1]


def test_up_and_down_leaf_through_the_held_moves() -> None:
    one = started()
    takes(one, 4)
    for at in (1, 2, 3):
        shown = one.press(DOWN)
        name, what = shown_as(one, at)
        assert (shown.right, shown.main) == (f"{at + 1}/4", what)
        assert shown.title.startswith(name)
        assert shown.footer == TEXTS("foot.oldest", many=4)
        assert fits(shown) == ()
    assert one.press(DOWN).right == "1/4", "from the last on to the first"
    assert one.press(UP).right == "4/4"


@pytest.mark.parametrize("key", [YES, NO])
def test_a_later_move_can_be_neither_confirmed_nor_rejected(key: Button) -> None:
    one = started()
    done = takes(one, 3)
    one.press(DOWN)
    shown = one.press(key)
    assert shown.right == "1/3"
    assert shown.footer == TEXTS("foot.yesno")
    assert not one.match.moves
    assert [link.move for link in one.night.chain] == done
    one.send(Pressed(Press(key, False, one.now + 0.1)))
    assert not one.match.moves, "nobody has read the oldest in a tenth of a second"
    assert len(one.night.chain) == 3
    one.now += 1
    one.confirm()
    assert list(one.match.moves) == done[:1]


def test_nothing_but_what_is_on_display_is_ever_confirmed() -> None:
    """P20: whatever is pressed and seen, each move that is written stood on the display, named, when CONFIRM was pressed."""
    for seed in range(6):
        rng = random.Random(seed)
        one = started(seed + 1)
        for _ in range(60):
            before, moves = one.screen, len(one.match.moves)
            if rng.random() < 0.3 and len(one.night.chain) < 4:
                takes(one, 1, rng.randrange(1000))
            else:
                one.press(rng.choice([YES, DOWN, UP, DOWN]))
            for move in one.match.moves[moves:]:
                name, (verb, what) = one.match.names[move.player], one.match.game.rules.phrase(move)
                assert (before.title, before.main) == (f"{name} {verb}", what)
                assert before.right in ("", *(f"1/{many}" for many in range(2, 5)))


def test_a_chain_that_grows_keeps_the_page_and_one_that_changes_goes_back() -> None:
    one = started()
    takes(one, 2)
    one.press(DOWN)
    takes(one, 1)
    assert one.screen.right == "2/3"
    match = one.match
    table = match.game.reading.expected(match.accept(one.night.chain[0].move).state)
    shown = one.look(table)
    assert shown.right == ""
    assert shown.main == shown_as(one, 0)[1]
    one.send(Pressed(Press(YES, False, one.now + 0.1)))
    assert not one.match.moves, "the press was meant for what stood there before"


def refusals() -> list[Refusal]:
    book = rulebook("tanis")
    found = []
    for rule in book.rules.values():
        for name, wording in rule.refusals.items():
            said = wording.text + wording.remedy + wording.long
            keys = {key for _, key, _, _ in string.Formatter().parse(said) if key}
            words = {**dict.fromkeys(keys, "Scarab 10"), "sign": "scarab", "card": "Excavator"}
            found.append(book.refuse(rule.id, name, words))
    return found


def test_every_refusal_can_be_read_to_its_last_word() -> None:
    one = started(1, WIDEST)
    move = Take(0, "scarab-10")
    for refusal in refusals():
        one.night = replace(
            one.night, place="illegal", page=0, finding=Finding("illegal", move=move, refusal=refusal)
        )
        first = one.screen
        assert refusal.rule in first.title
        assert " ".join(first.lines) == f"{refusal.text} {refusal.remedy}"
        assert first.footer == TEXTS("foot.why")
        told: list[str] = []
        for number in range(2, pages(one.night) + 1):
            shown = one.press(DOWN)
            assert shown.right == f"{number}/{pages(one.night)}"
            assert refusal.rule in shown.title
            assert fits(shown) == (), shown
            told += shown.lines
        said = refusal.long
        for option in one.match.game.options:
            for value in option.values:
                name = f"{option.name}={value}"
                said = said.replace(f"option {name}", f'option "{TEXTS("option." + option.name)}: {value}"')
        assert " ".join(told) == " ".join(said.split())
        assert one.press(DOWN) == first
        assert one.confirm().name == "illegal"


def test_a_ruling_says_that_it_is_one_and_which_option_switches_it() -> None:
    one = started()
    refusal = rulebook("tanis").refuse("T18", "floor", {"tile": "Snake 1"})
    finding = Finding("illegal", move=Take(0, "snake-1"), refusal=refusal)
    one.night = replace(one.night, place="illegal", page=0, finding=finding)
    told = " ".join(" ".join(screen(replace(one.night, page=page)).lines) for page in range(pages(one.night)))
    assert "a ruling where the rulebook is silent" in told
    assert 'the option "Slide on floor: yes" switches it' in told


def test_another_refusal_begins_at_its_first_page() -> None:
    one = started()
    first, second = [move for move in one.match.legal_moves() if isinstance(move, Take)][:2]
    place = one.truth.dig.pop(first.tile)
    one.truth.piles["tiles-2"].append(first.tile)
    one.look()
    one.press(DOWN)
    assert one.night.page == 1
    one.look()
    assert one.night.page == 1, "the same refusal stays where it is"
    one.truth.piles["tiles-2"].remove(first.tile)
    one.truth.dig[first.tile] = place
    one.look()
    one.truth.dig.pop(second.tile)
    one.truth.piles["tiles-2"].append(second.tile)
    one.look()
    assert one.screen.name == "illegal"
    assert one.night.page == 0


def test_a_question_names_player_and_piece_and_no_line_twice() -> None:
    for names in (("Ana", "Ben"), ("Anna", "Anne"), WIDEST):
        one = started(1, names)
        moves = [kind(seat, "scarab-10") for kind in (Take, Excavator) for seat in (0, 1)] + [
            Explorer(seat, "scarab-10", "right", steps) for seat in (0, 1) for steps in (1, 2)
        ]
        choices = tuple(Explanation((move,), certain=False) for move in moves)
        listing = possibilities(one.night, (*choices, *choices, Explanation(certain=False)))
        assert len(listing.labels) == len(moves) + 1
        assert len(set(listing.labels)) == len(listing.labels), listing.labels
        night = replace(one.night, place="ask", finding=Finding("ask", choices=choices), listing=listing)
        for at, found in enumerate(listing.values):
            shown = screen(replace(night, listing=replace(listing, chosen=at)))
            assert fits(shown) == (), shown
            if found.moves:
                assert shown.title.startswith(names[found.moves[0].player][:6])
                assert "Scarab 10" in listing.labels[at]


def test_a_question_that_changes_under_the_finger_confirms_nothing() -> None:
    one = started()
    first, second = [move for move in one.match.legal_moves() if isinstance(move, Take)][:2]
    place = one.truth.dig.pop(first.tile)
    one.look()
    assert one.screen.name == "ask"
    one.truth.dig[first.tile] = place
    one.truth.dig.pop(second.tile)
    one.look()
    assert one.screen.name == "ask"
    one.send(Pressed(Press(YES, False, one.now + 0.1)))
    assert not one.match.moves
    one.confirm()
    assert one.match.moves == (second,)


def test_a_press_for_a_difference_does_not_confirm_the_move_that_takes_its_place() -> None:
    one = midgame(started())
    made = len(one.match.moves)
    odd = strange(one)
    one.look(odd)
    one.look(odd)
    assert one.screen.name == "desync"
    takes(one, 1)
    assert one.screen.name == "proposal"
    one.send(Pressed(Press(YES, False, one.now + 0.1)))
    assert len(one.match.moves) == made
    one.confirm()
    assert len(one.match.moves) == made + 1
