"""A game by hand in a terminal: numbered lists, typed lines, and a record that is always there."""

from __future__ import annotations

import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engines import games, record
from engines.catalogue import house
from engines.game import Refusal, Reveal
from engines.rulebook import rulebook
from engines.tanis import rules
from firmware.alone.byhand import PAGE, Table
from firmware.alone.heading import NAMES, Heading, PlayError, usual
from firmware.alone.play import DEALT, _dealer
from firmware.cli import main
from firmware.menu import below

ROOT = Path(__file__).parents[2]
LINE = re.compile(r" *(\d+)  (.*)")


class Terminal:
    """Types what a plan says, and keeps what was shown since the last line was typed."""

    def __init__(self, typed: Callable[[list[str]], str]) -> None:
        self.shown: list[str] = []
        self.all: list[str] = []
        self._typed = typed

    def say(self, text: str) -> None:
        self.shown += text.split("\n")
        self.all += text.split("\n")

    def ask(self, prompt: str) -> str:
        said = self._typed([*self.shown, prompt])
        self.shown = []
        return said


def scripted(*typed: str) -> Terminal:
    lines = iter(typed)

    def answer(_: list[str]) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return Terminal(answer)


def table(terminal: Terminal, out: Path, game: str = "tanis", seed: int | None = 7) -> Table:
    found = games()[game]
    heading = Heading(found, NAMES[: usual(found)], catalogue=house(game))
    return Table(heading, _dealer(seed), out, seed, ask=terminal.ask, say=terminal.say)


@pytest.mark.parametrize("game", games())
def test_a_game_is_played_to_its_end_by_choosing_numbers_alone(game: str, tmp_path: Path) -> None:
    rng = random.Random(game)
    out = tmp_path / "game.txt"
    dealer = _dealer(4)
    lists: list[int] = []

    def choose(shown: list[str]) -> str:
        if any("game is over" in line for line in shown):
            return "quit"
        if shown[-1].startswith("Is it so"):
            return "y"
        numbers = [found[1] for line in shown if (found := LINE.fullmatch(line))]
        lists.append(len(numbers))
        if len(lists) > 4000:
            raise EOFError
        return rng.choice(numbers)

    terminal = Terminal(choose)
    found = games()[game]
    heading = Heading(found, NAMES[: usual(found)], catalogue=house(game))
    played = Table(heading, dealer, out, 4, ask=terminal.ask, say=terminal.say)
    assert played.run() == 0
    assert max(lists) <= PAGE
    match = record.read(out.read_text("utf-8"))
    if len(lists) <= 4000:
        outcome = match.outcome()
        assert outcome is not None
        assert any(outcome.decided_by in line for line in terminal.all)
    for name, total in zip(match.names, match.score().totals, strict=True):
        assert f"{name}: {total}" in terminal.all
    assert "dealt from seed 4" in out.read_text("utf-8")


def test_lines_are_typed_as_in_the_record_or_without_the_name(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted(
        "take snake-3",
        "Ben: take falcon-9",
        "3. Ana: take ankh-1",
        "dance",
        "take snake-3",
        "Zoe: take ankh-2",
    )
    assert table(terminal, out).run() == 0
    match = record.read(out.read_text("utf-8"))
    assert [match.game.rules.format(move) for move in match.moves] == [
        "take snake-3",
        "take falcon-9",
        "take ankh-1",
    ]
    assert "Ana: takes Snake 3." in terminal.all
    assert "The table shows: reveal b1-a1 falcon-?; reveal a3-a2 ankh-?" in terminal.all
    assert any(line.startswith("This line cannot be read: 'dance'") for line in terminal.all)
    assert any(line.startswith("Not allowed (G4): ") for line in terminal.all)
    assert any("none of the players" in line for line in terminal.all)


def test_a_choice_is_meant_by_the_gist_of_its_words(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted(
        "TAKE", "take Falcon 3", "score", "undo", "take", "falcon 3", "rule t9", "rule", "rule excavator"
    )
    assert table(terminal, out).run() == 0
    assert "Ana: takes Falcon 3." in terminal.all
    assert "  10  take scarab-8" in terminal.all
    assert any(line.startswith("T9 (") and "T9" in rulebook("tanis").rules for line in terminal.all)
    assert any(line.startswith("Write the number of a rule, like rule ") for line in terminal.all)
    assert any("Excavator" in line and " (the rulebook, " in line for line in terminal.all)


@pytest.mark.parametrize(
    ("game", "typed", "noted"),
    [
        ("ankh", ("RYGB-3",), "reveal papyrus red-yellow-green-blue-3"),
        ("ankh", ("red yellow green blue 3",), "reveal papyrus red-yellow-green-blue-3"),
        ("archaeology", ("two coins, shard, mask and cup", "dig", "Thief"), "reveal thief"),
        (
            "papyrus",
            ("draw", "draw", "draw", "move to ferry paying 2 water", "Flood of the Nile"),
            "reveal event flood-of-the-nile",
        ),
    ],
)
def test_what_all_choices_begin_with_need_not_be_typed(
    game: str, typed: tuple[str, ...], noted: str, tmp_path: Path
) -> None:
    terminal = scripted(*typed)
    assert table(terminal, tmp_path / "game.txt", game, seed=None).run() == 0
    assert f"Noted: {noted}." in terminal.all
    if "event" in noted:
        assert "  Flood of the Nile: draw 2 cards." in terminal.all


def test_what_is_cut_for_the_display_is_told_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As for a place with a longer name than any on the sample map.
    monkeypatch.setattr("engines.papyrus.notation.short", lambda name: f"{name[:12].title()}.")
    path = "move to event-bastet-ptah paying 2 light"
    terminal = scripted("draw", "draw", "draw", "correct pawn Ana bastet", path)
    assert table(terminal, tmp_path / "game.txt", "papyrus", seed=None).run() == 0
    assert f"Ana: {path}." in terminal.all
    assert not any("Event-Bastet" in line for line in terminal.all)


def test_points_are_told_when_they_are_made(tmp_path: Path) -> None:
    terminal = scripted(*["1"] * 20)
    assert table(terminal, tmp_path / "game.txt", "ankh", seed=5).run() == 0
    assert any(re.fullmatch(r"Ana [+-][0-9]+: Scoring 1 [A-Z]{4} [0-9].", line) for line in terminal.all)


@pytest.mark.parametrize(
    ("game", "typed"),
    [("ankh", "play green-4"), ("archaeology", "sell mask"), ("papyrus", "swap Z from bag")],
)
def test_a_dealt_hand_is_not_said_to_be_seen_elsewhere(game: str, typed: str, tmp_path: Path) -> None:
    terminal = scripted("dig", typed) if game == "archaeology" else scripted(typed)
    assert table(terminal, tmp_path / "game.txt", game, seed=5).run() == 0
    refused = [line for line in terminal.all if line.startswith("Not allowed")]
    assert refused
    assert not any("seen" in line or "lie elsewhere" in line for line in refused)


def test_commands(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted(
        "?", "hints", "score", "undo", "take snake-3", "undo", "99", "0", "take", "", "quit", "1"
    )
    assert table(terminal, out).run() == 0
    said = "\n".join(terminal.all)
    for told in (
        "Type the number of a line, or a move as the record writes it (take snake-3)",
        "  Ankh 1-3 5 8",
        "Ana: 0",
        "There is nothing to take back.",
        "Taken back: Ana: take snake-3",
        "There is no line 99 in the list.",
        "  10  take scarab-8",
        f"The record is in {out}",
    ):
        assert told in said, told
    assert record.read(out.read_text("utf-8")).moves == ()


def test_a_wide_list_is_grouped_paged_and_left_again(tmp_path: Path) -> None:
    """Without a dealer, and before anything was revealed, every tile might lie on top."""
    terminal = scripted("1", "", "", "take falcon-1", "quit")
    assert table(terminal, tmp_path / "game.txt", seed=None).run() == 0
    said = "\n".join(terminal.all)
    assert "   1  take ... (40 ways)" in said and "   2  excavator ... (40 ways)" in said
    assert f"... {40 - PAGE} more: press Enter" in said
    assert "  21  take " in said and "  40  take " in said
    assert said.count("   1  take ... (") == 3, "Enter leads out of the group, and a move does"
    assert all(
        len([line for line in block.split("\n") if LINE.fullmatch(line)]) <= PAGE
        for block in said.split("\n\n")
    )


def test_reveals_are_typed_and_taken_back(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted(
        "reveal a1-a2 falcon-3", "reveal a1-a2 falcon-4", "correct a1-a2 falcon-4", "undo", "reveal a1-a9 x"
    )
    assert table(terminal, out, seed=None).run() == 0
    match = record.read(out.read_text("utf-8"))
    assert [match.game.rules.format(step) for step in match.steps] == ["reveal a1-a2 falcon-3"]
    assert any(line.startswith("Not allowed: This cannot be") for line in terminal.all)


def test_what_is_awaited_is_the_list(tmp_path: Path) -> None:
    """In a game where the table must show something before anybody can go on."""
    for game in games():
        terminal = scripted()
        played = table(terminal, tmp_path / "game.txt", game, seed=None)
        sitting = played._sitting
        dealt = table(scripted(), tmp_path / "game.txt", game, seed=6)._sitting
        assert dealt.deal is not None
        rng = random.Random(6)
        while dealt.outcome is None and len(dealt.steps) < 60:
            dealt.make(dealt.deal.pick(rng))
        for step in dealt.steps:
            awaited = sitting.rules.awaited(sitting.state)
            if awaited:
                played._options()
                assert "What does the table show?" in "\n".join(terminal.shown)
                assert all(isinstance(one, Reveal) for one in sitting.choices())
                terminal.shown = []
            assert sitting.make(step).verdict == "accepted"


def test_an_example_of_what_the_table_may_show_is_no_choice(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted("1", "reveal market 2 coin, shard, mask, cup", "1", "2")
    assert table(terminal, out, "archaeology", seed=None).run() == 0
    assert any(line.startswith("That is an example: type what your table shows") for line in terminal.all)
    match = record.read(out.read_text("utf-8"))
    assert [match.game.rules.format(step) for step in match.steps] == [
        "reveal market 2 coin, shard, mask, cup",
        "dig",
        "reveal thief",
    ]


def test_a_doubtful_move_is_asked_about_before_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubt = Refusal("T1", "short", "Nobody has counted them.", "Count them.")
    monkeypatch.setattr(rules, "doubt", lambda state, move: doubt)
    for said, stands in (("n", 0), ("", 0), ("y", 1)):
        terminal = scripted("take snake-3", said)
        played = table(terminal, tmp_path / "game.txt")
        assert played.run() == 0
        assert "Nobody has counted them. Count them." in terminal.all
        assert len(played._sitting.match.moves) == stands


def test_ctrl_c_leaves_the_record_so_far(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    lines = iter(("take snake-3",))

    def typed(_: list[str]) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    terminal = Terminal(typed)
    assert table(terminal, out).run() == 130
    assert len(record.read(out.read_text("utf-8")).moves) == 1
    assert f"The record is in {out}" in "\n".join(terminal.all)


def test_nothing_is_written_when_nothing_was_played(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    terminal = scripted("dance", "?")
    assert table(terminal, out).run() == 0
    assert not out.exists() and "The record is in" not in "\n".join(terminal.all)


def test_a_record_never_takes_the_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    heading = Heading(games()["tanis"])
    for _ in range(3):
        terminal = scripted("take falcon-1")
        played = Table(heading, ask=terminal.ask, say=terminal.say)
        played.run()
    assert len(list(tmp_path.glob("*-tanis-ana-ben*.txt"))) == 3


def test_house_numbers_are_named(tmp_path: Path) -> None:
    for game in games():
        if not house(game).house:
            continue
        terminal = scripted("score")
        table(terminal, tmp_path / "game.txt", game).run()
        assert "house numbers" in terminal.all[0] and "House numbers are in force." in terminal.all


def test_unverified_numbers_are_counted_once(tmp_path: Path) -> None:
    for game in games():
        terminal = scripted("score")
        table(terminal, tmp_path / "game.txt", game).run()
        doubtful = len(house(game).unverified)
        told = [line for line in terminal.all if "numbers are not verified" in line]
        assert [line.split()[0] for line in told] == ([str(doubtful)] if doubtful else [])
        assert all(f"thoth catalog {game}" in line for line in told)


def test_the_menu_below_a_path_holds_everything_once() -> None:
    told = [
        (tuple(text.split()), text)
        for text in ("take a", "take b", "slide a left 1", "slide a left 2", "slide b up 1", "pass")
    ]
    labels, values = below(told, ())
    assert labels == ("take", "slide", "pass")
    assert values == (("take",), ("slide",), "pass")
    assert below(told, ("slide",)) == (("a left", "b up 1"), (("slide", "a", "left"), "slide b up 1"))

    def leaves(path: tuple[str, ...]) -> Iterator[str]:
        for value in below(told, path)[1]:
            if isinstance(value, tuple):
                yield from leaves(value)
            else:
                yield value

    assert list(leaves(())) == [text for _, text in told]


def test_in_a_real_terminal(tmp_path: Path) -> None:
    """The whole command on a pseudo-terminal: a list appears, a number is typed, Ctrl-D ends it."""
    theirs, ours = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "XDG_CONFIG_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "firmware.cli", "play", "tanis", "--deal", "7"],
        cwd=tmp_path, stdin=ours, stdout=ours, stderr=ours, env=env, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(ours)
        seen = b""
        for said in (b"1\n", b"1\n", b"\xff\xfe\n", b"\x04"):
            until = time.monotonic() + 20
            while not seen.endswith(b"> ") and time.monotonic() < until:
                if select.select([theirs], [], [], 0.1)[0]:
                    seen += os.read(theirs, 65536)
            os.write(theirs, said)
            time.sleep(0.05)
            seen += b"."
        while select.select([theirs], [], [], 5)[0]:
            try:
                seen += os.read(theirs, 65536)
            except OSError:
                break
        os.close(theirs)
        assert process.wait(10) == 0
    assert b"Ana: takes Snake 3." in seen and b"Traceback" not in seen
    (path,) = tmp_path.glob("*.txt")
    assert len(record.read(path.read_text("utf-8")).moves) == 1


@pytest.mark.parametrize(("game", "seed"), [("tanis", 7), ("ankh", 5), ("papyrus", 3), ("archaeology", None)])
def test_a_record_is_gone_on_with_another_day(game: str, seed: int | None, tmp_path: Path) -> None:
    """Cut in two, the game is the one that was played at once: the same lines are accepted, the same record is written."""
    lines = [
        line.partition(". ")[2] if line[0].isdigit() else line
        for line in (ROOT / "tests" / "golden" / f"{game}.txt").read_text("utf-8").split("\n")
        if re.match("[0-9]|reveal|correct", line)
    ][:14]
    if seed is not None:
        lines = ["1"] * 14
    texts = []
    for cut in (14, 6):
        out = tmp_path / f"{cut}.txt"
        heading = Heading(
            games()[game],
            ("Ana", "Ben", "Cleo")[: usual(games()[game])],
            "Cleo" if seed is None else None,
            {"monument": "mine"} if seed is None else None,
            house(game),
        )
        first = scripted(*lines[:cut])
        assert Table(heading, _dealer(seed), out, seed, ask=first.ask, say=first.say).run() == 0
        assert f"Go on another day with: thoth play {out}" in first.all
        if cut < 14:
            kept = record.read_annotated(out.read_text("utf-8"))
            match = kept.match
            heading = Heading(
                match.game, match.names, match.names[match.first], match.options, match.catalogue
            )
            second = scripted(*lines[cut:])
            later = Table(heading, _dealer(seed), out, seed, ask=second.ask, say=second.say)
            later.go_on(match.steps, tuple(note for note in kept.comments if not DEALT.fullmatch(note[1])))
            assert later.run() == 0
            assert any(line.endswith(" so far; undo takes them back.") for line in second.all)
        texts.append(out.read_text("utf-8"))
    assert texts[0] == texts[1]
    assert len(record.read(texts[0]).moves) > 3


def test_cards_that_are_dealt_otherwise_are_named(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    assert table(scripted("1", "1"), out).run() == 0
    steps = record.read(out.read_text("utf-8")).steps
    terminal = scripted()
    with pytest.raises(PlayError, match=r"the game cannot go on at 'reveal .*dealt from seed"):
        table(terminal, out, seed=8).go_on(steps, ())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--first", "Ben"), "leave out all but --numbers and --out"),
        (("--json",), "on a pipe: thoth play GAME --json < FILE"),
    ],
)
def test_a_record_says_by_itself_who_plays(
    more: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.txt"
    assert table(scripted("1", "1"), out).run() == 0
    assert main(["play", str(out), *more]) == 2
    assert told in capsys.readouterr().err


def test_going_on_in_a_real_terminal(tmp_path: Path) -> None:
    """The command finds the seed in the record, deals again, and writes the record on; a new game does not take its place."""
    out = tmp_path / "game.txt"
    assert table(scripted("take snake-3"), out).run() == 0
    for arguments, typed, told in (
        ((str(out),), "take falcon 9\nquit\n", "Ben: takes Falcon 9."),
        (("tanis", "--out", str(out)), "", "is there already: go on with it"),
    ):
        keyboard, terminal = pty.openpty()
        child = subprocess.Popen(
            [sys.executable, "-m", "firmware.cli", "play", *arguments],
            cwd=ROOT,
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        os.close(terminal)
        os.write(keyboard, typed.encode())
        shown, _ = child.communicate(timeout=60)
        os.close(keyboard)
        assert told in shown
    assert [str(move.player) for move in record.read(out.read_text("utf-8")).moves] == ["0", "1"]
    assert out.read_text("utf-8").count("dealt from seed 7") == 1


def test_no_label_of_a_menu_ends_in_the_comma_of_what_follows() -> None:
    told = [
        (("loses", "water,", "light"), 1),
        (("loses", "water,", "eye"), 2),
        (("loses", "dark,", "eye"), 3),
    ]
    assert below(told, ("loses",))[0] == ("water", "dark, eye")
