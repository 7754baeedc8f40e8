"""Every text in its box: all screens, all moves, all refusals, the longest names."""

from __future__ import annotations

import string
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from engines.game import Explanation, Move
from engines.rulebook import rulebook
from engines.tanis.moves import Direction, Excavator, Expert, Explorer, Shift, Take
from engines.tanis.state import TILES
from firmware import screens, texts
from firmware.chain import Finding, Link
from firmware.commands.gallery import WIDEST, gallery_of_screens
from firmware.keys import KEYS
from firmware.night import screen
from firmware.states.play import possibilities
from firmware.states.table import STATES
from hardware.buttons.press import Button
from hardware.display.draw import fits
from tests.firmware.evenings import TEXTS, started

NAMES = ["starting", "game", "players", "names", "first", "option", "setup", "turn", "proposal", "illegal", "ask", "desync", "menu", "takeback", "score", "end", "pause", "poweroff", "fault", "correct", "help", "hints", "export", "stick", "carry", "notice"]  # fmt: skip
GALLERY = gallery_of_screens()
LONGEST = max((tile for tile in TILES), key=len)


def every_move() -> list[Move]:
    moves: list[Move] = [Expert(0)]
    for tile in TILES:
        moves += [Take(0, tile), Excavator(1, tile), Shift(0, tile, (0, 0), (0, 1))]
    moves += [
        Explorer(1, tile, direction, steps)
        for tile, direction, steps in product(TILES, get_args(Direction), range(5))
    ]
    return moves


@pytest.mark.parametrize("name", sorted(GALLERY))
def test_every_screen_of_the_gallery_fits(name: str) -> None:
    assert fits(GALLERY[name]) == ()


def test_the_gallery_shows_every_kind_of_screen() -> None:
    shown = {one.name for one in GALLERY.values()}
    # "players" needs a game for several numbers of players.
    assert set(NAMES) - shown <= {"players"}
    assert shown <= set(NAMES)


def test_the_gallery_is_the_same_every_time() -> None:
    assert gallery_of_screens() == GALLERY


def test_no_two_choices_of_a_list_look_the_same() -> None:
    for name, one in GALLERY.items():
        assert len(set(one.choices)) == len(one.choices), name


def test_every_move_fits_as_proposal_with_the_widest_names() -> None:
    one = started(1, WIDEST)
    for move in every_move():
        for number in (1, 4):
            link = Link((move,), one.match)
            night = replace(one.night, place="proposal", chain=(link,) * number)
            for full in (False, True):
                shown = screen(replace(night, finding=Finding(full=full)))
                assert fits(shown) == (), shown
                verb, what = one.match.game.rules.phrase(move)
                assert shown.main == what and verb in shown.title
                assert one.match.names[move.player][:4] in shown.title, "whose move it is can be told"


def test_every_move_fits_as_an_answer_to_what_happened() -> None:
    one = started(1, WIDEST)
    moves = every_move()
    for at in range(0, len(moves), 5):
        choices = tuple(Explanation((move,), certain=False) for move in moves[at : at + 5])
        listing = possibilities(one.night, choices)
        night = replace(one.night, place="ask", listing=listing, finding=Finding("ask", choices=choices))
        assert fits(screen(night)) == (), listing.labels
        assert len(set(listing.labels)) == len(listing.labels)


def test_every_refusal_fits_whole() -> None:
    one = started(1, WIDEST)
    book = rulebook("tanis")
    seen = 0
    for rule in book.rules.values():
        for name, wording in rule.refusals.items():
            said = wording.text + wording.remedy + wording.long
            keys = {key for _, key, _, _ in string.Formatter().parse(said) if key}
            words = dict.fromkeys(keys, "Scarab 10")
            words.update({"card": "Excavator", "sign": "scarab", "where": "it was removed from the game"})
            refusal = book.refuse(rule.id, name, words)
            for move in (Take(0, LONGEST), Explorer(0, LONGEST, "right", 3), Expert(0)):
                finding = Finding("illegal", move=move, refusal=refusal)
                shown = screen(replace(one.night, place="illegal", finding=finding))
                assert fits(shown) == (), shown
                told = " ".join(shown.lines)
                assert told == " ".join((refusal.text + " " + refusal.remedy).split()), "nothing is left out"
                assert rule.id in shown.title
            seen += 1
    assert seen > 20


def test_every_option_fits() -> None:
    one = started(1, WIDEST)
    for option in one.match.game.options:
        assert f"option.{option.name}" in TEXTS.table
        assert f"short.{option.name}" in TEXTS.table


def test_every_fault_of_a_picture_has_its_words() -> None:
    for fault in (
        ["hand", "dark", "bright", "blurred", "other"]
        + ["no mat", "no board", "no corners"]
        + [f"glare {where}" for where in ("left", "right", "top", "bottom", "middle")]
    ):
        assert len(screens.small(TEXTS(f"blind.{fault}"))) == 1, fault


def test_every_text_is_used() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(screens.__file__).parent.rglob("*.py"))
    by_rule = {"enrol", "blind", "hints", "option", "short", "verb", "menu", "pause", "stick", "button"}
    for key in TEXTS.table:
        section, name = key.split(".", 1)
        assert f'"{key}"' in source or name in ("title", "main") or section in by_rule or "_title" in name, (
            key
        )


def test_a_missing_text_says_where_to_write_it() -> None:
    with pytest.raises(texts.MissingTextError, match=r"en\.toml: add it"):
        TEXTS("no.such")


def test_the_help_tells_every_key() -> None:
    pages = [replace(started().night, place="help", page=page) for page in range(len(Button))]
    told = " ".join(" ".join(screen(page).lines) for page in pages)
    for what in KEYS.values():
        assert TEXTS(what) in told


def test_every_state_has_a_screen() -> None:
    assert set(STATES) == set(screens._SCREENS)


def test_a_long_name_loses_its_end_and_never_the_words() -> None:
    assert screens.named("Ana", "takes") == "Ana takes"
    cut = screens.named("WWWWWWWWWWWWWWWWWWWWWWWWWW", "excavates")
    assert cut.endswith(". excavates")
