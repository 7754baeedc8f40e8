"""``thoth play``: whatever comes on the pipe is answered line by line, and by hand nothing is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engines import games, record
from engines.catalogue import house, shipped
from engines.game import Move, Refusal
from engines.tanis import rules
from firmware.alone.heading import NAMES, Answer, Heading, PlayError, named, usual
from firmware.alone.play import LONGEST, Pipe, Wish, _dealer
from firmware.alone.sitting import Sitting
from firmware.written import replay

ROOT = Path(__file__).parents[2]
KEYS = ["line", "verdict", "rule", "text", "remedy", "to_move", "score", "over"]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.txt"))
THOTH = [sys.executable, "-m", "firmware.cli", "play"]


def play(*words: str, said: bytes | str = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    data = said.encode() if isinstance(said, str) else said
    path = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(cwd / "nowhere")}
    return subprocess.run([*THOTH, *words], cwd=cwd, input=data, capture_output=True, check=False, env=path)


def answers(*words: str, said: bytes | str = b"") -> list[dict[str, Any]]:
    """The objects of ``--json``; the result stands last."""
    done = play(*words, "--json", said=said)
    assert done.returncode == 0 and not done.stderr, done.stderr
    found = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert list(found[-1]) == ["result"]
    assert all(list(one) == KEYS for one in found[:-1])
    return found


def sitting(game: str, seed: int | None = None, count: int | None = None) -> Sitting:
    found = games()[game]
    names = NAMES[: count or usual(found)]
    return Sitting(Heading(found, names, catalogue=house(game)), _dealer(seed))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_whole_record_is_replayed_line_by_line(path: Path) -> None:
    text = path.read_text("utf-8")
    match = record.read(text)
    found = answers(match.game.id, said=text)
    assert {one["verdict"] for one in found[:-1]} == {"accepted"}
    asked = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
    assert len(found) == len(asked) + 1
    assert [one["line"] for one in found[:-1]] == [
        number for number, line in enumerate(text.splitlines(), 1) if line in asked
    ]
    result = found[-1]["result"]
    judged = replay.judge(text)
    assert result == {
        "game": match.game.id,
        "players": list(match.names),
        "moves": judged["moves"],
        "score": {name: score["total"] for name, score in judged["score"].items()},
        "winner": judged["winner"],
        "over": match.outcome() is not None,
        "house": match.house,
    }
    before_last = next(one for one in reversed(found[:-1]) if one["score"])
    assert before_last["score"] == result["score"] and before_last["over"] is result["over"]


def test_refused_and_unreadable_lines_change_nothing_and_say_what_to_do() -> None:
    said = (
        "reveal a1-a2 falcon-3\n"
        "\n"
        "; the first tile\n"
        "Ben: take falcon-3\n"
        "1. Ana: take falcon-11\n"
        "what now?\n"
        "take falcon-3\n"
        "Carl: take falcon-3\n"
        "9. Ana: take falcon-3\n"
        "1. Ana: take falcon-3\n"
        "reveal b1-b2 falcon-3\n"
        "Ana: reveal b1-b2 falcon-4\n"
        "result: Ana 0, Ben 0; Ana wins, by magic\n"
    )
    found = answers("tanis", said=said)
    verdicts = {one["line"]: (one["verdict"], one["rule"]) for one in found[:-1]}
    assert verdicts == {
        1: ("accepted", None),
        4: ("refused", "G2"),
        5: ("unreadable", None),
        6: ("unreadable", None),
        7: ("unreadable", None),
        8: ("unreadable", None),
        9: ("refused", None),
        10: ("accepted", None),
        11: ("refused", None),
        12: ("unreadable", None),
        13: ("refused", None),
    }
    for one in found[:-1]:
        good = one["verdict"] == "accepted"
        assert bool(one["text"]) is bool(one["remedy"]) is not good
        assert one["to_move"] == ("Ana" if one["line"] < 10 else "Ben")
        assert one["score"] == {"Ana": 0, "Ben": 0} and one["over"] is False
    assert found[-1]["result"]["moves"] == 1
    assert "Ana: take falcon-3" in found[4]["remedy"]


def test_without_json_each_line_is_a_sentence() -> None:
    done = play("tanis", said="Ben: take falcon-3\nAna: take falcon-3\n")
    assert done.returncode == 0
    first, second, last = done.stdout.decode().splitlines()
    assert first.startswith("line 1: refused (G2): ") and second == "line 2: accepted"
    assert last == "not over: Ana 0, Ben 0"


def test_every_answer_comes_at_once() -> None:
    with subprocess.Popen(
        [*THOTH, "tanis", "--json"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for line, verdict in (
            (b"Ana: take falcon-1\n", "accepted"),
            (b"Ana: take falcon-1\n", "refused"),
            (b"\n; nothing is said to this\nBen: dance\n", "unreadable"),
        ):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.close()
        assert "result" in json.loads(process.stdout.readline())
        assert process.wait() == 0


NASTY = (
    b"\xff\xfe\x00\x80\n",
    b"\0\0\0\n",
    b"take " + b"falcon-" * 150_000 + b"\n",
    b"Ana: take " + b"9" * 5000 + b"\n",
    b'"' * 4000 + b": take falcon-1\n",
    b"players: A" + b" " * 100_000 + b";\n",
    b"number x: " + b"[" * 5000 + b"\n",
    b"catalogue: " + b"own " * 1000 + b"\n",
    b"99999999999999999999. Ana: take falcon-1\n",
    "Ana: take falcon-\u0663\n".encode(),
    "\u2028Ana: take falcon-1\u2028\n".encode(),
    b"Ana: take falcon-1\r\n",
    b"\xef\xbb\xbf; a mark of bytes\n",
    b"result: \n",
    b"reveal\n",
    b"correct \n",
    b"Ana:  \n",
    b": : :\n",
    b"?\n",
    b'"\\ud800": take falcon-1\n',
    b"option : x\n",
    b'first: "\\u0000"\n',
)


@pytest.mark.parametrize("game", games())
def test_any_bytes_survive(game: str) -> None:
    rng = random.Random(game)
    said = b"".join(NASTY) + rng.randbytes(50_000) + b"\n" + b"Ana: \n" * 50 + b"torn"
    words = () if game == "tanis" else ("--numbers", "house")
    found = answers(game, *words, said=said)
    numbers = [one["line"] for one in found[:-1]]
    assert numbers == sorted(set(numbers)) and numbers[-1] == len(said.split(b"\n"))
    for one in found[:-1]:
        assert one["verdict"] in ("accepted", "refused", "unreadable")
        assert len(one["text"]) < 1000 or one["verdict"] == "accepted"
        assert one["verdict"] == "accepted" or (one["text"] and one["remedy"])


def test_a_line_that_is_far_too_long_is_one_line() -> None:
    said = b"x" * (3 * LONGEST) + b"\nAna: take falcon-1\n" + b"y" * LONGEST
    found = answers("tanis", said=said)
    assert [(one["line"], one["verdict"]) for one in found[:-1]] == [
        (1, "unreadable"),
        (2, "accepted"),
        (3, "unreadable"),
    ]


def test_a_hundred_thousand_lines_take_seconds() -> None:
    one = b"reveal a1-a2 falcon-3\n" + b"correct a1-a2 falcon-4\ncorrect a1-a2 falcon-3\n" * 10_000
    said = one + b"Ben: take falcon-3\nwhat?\n" * 40_000
    before = time.monotonic()
    done = play("tanis", "--json", said=said)
    assert time.monotonic() - before < 60
    found = done.stdout.splitlines()
    assert len(found) == 100_002
    assert json.loads(found[-1])["result"]["moves"] == 0


@pytest.mark.parametrize("game", games())
def test_a_dealt_game_is_played_to_its_end_through_the_pipe(game: str) -> None:
    table = sitting(game, seed=5)
    rng = random.Random(5)
    lines = []
    assert table.deal is not None
    while table.outcome is None:
        lines.append(table.words(table.deal.pick(rng)))
        assert table.answer(lines[-1]).verdict == "accepted"
    words = () if game == "tanis" else ("--numbers", "house")
    found = answers(game, "--deal", "5", *words, said="\n".join(lines))
    assert {one["verdict"] for one in found[:-1]} == {"accepted"}
    result = found[-1]["result"]
    assert result["over"] and result["score"] == table.score
    assert result["winner"] == [table.names[seat] for seat in table.deal.winners()]
    assert result["house"] is (game != "tanis")
    assert found[-2]["over"] is True and found[-2]["to_move"] is None

    # Its record is judged as the same game, with its dealer and without.
    text = record.write(table.match)
    assert replay.judge(text)["ok"]
    for more in ((), ("--deal", "5")):
        again = answers(game, *more, said=text)
        assert {one["verdict"] for one in again[:-1]} == {"accepted"}
        assert again[-1] == found[-1]


def test_the_dealer_tells_what_is_shown_and_refuses_what_is_not_so() -> None:
    found = answers("tanis", "--deal", "7", said="?\nAna: take snake-3\nreveal a1-a2 falcon-1\n?\n")
    asked = found[0]["text"].splitlines()
    assert "Ana: tile or card" in asked and "1   snake-3 4    ankh-3 4     ankh-1 4     ankh-8 4" in asked
    assert "reveal a2-a1 snake-3" in asked and "Ana: take snake-3" in asked
    assert found[1]["text"] == "reveal b1-a1 falcon-?; reveal a3-a2 ankh-?"
    assert found[2]["verdict"] == "refused"
    assert "reveal b1-a1 falcon-?" in found[3]["text"].splitlines()


def slipped(rng: random.Random, line: str, others: list[str]) -> str:
    """A line as it may come from a hand that slips: words lost, doubled, swapped or cut, digits and signs of every kind."""
    words = line.split(" ")
    at = rng.randrange(len(words))
    match rng.randrange(7):
        case 0:
            words[at] = rng.choice(rng.choice(others).split(" "))
        case 1:
            del words[at]
        case 2:
            words.insert(at, rng.choice(rng.choice(others).split(" ")))
        case 3:
            return line[: rng.randrange(len(line))]
        case 4:
            return rng.choice(others)
        case 5:
            return line.replace(
                rng.choice("0123456789"), rng.choice(["99999", "-1", "00", "1" * 5000, "\u00b2"])
            )
        case _:
            return line + rng.choice(["\0", ",", ", nothing", " 0", '"', "\u2028", "\ufffd"])
    return " ".join(words)


@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize("game", games())
def test_a_slip_in_any_line_changes_nothing_or_is_a_move(game: str, seed: int | None) -> None:
    dealt, table = sitting(game, seed=5), sitting(game, seed=seed)
    assert dealt.deal is not None
    rng = random.Random(game)
    while dealt.outcome is None and len(dealt.steps) < 250:
        dealt.answer(dealt.words(dealt.deal.pick(rng)))
    lines = [dealt.words(step) for step in dealt.steps]
    for line in lines:
        wrong = slipped(rng, line, lines)
        before = table.state
        answer = table.answer(wrong)
        if answer.verdict != "accepted":
            assert table.state is before and answer.text and answer.remedy, wrong
        elif (
            table.played
            and not wrong.startswith(("?", ";"))
            and table.steps != dealt.steps[: len(table.steps)]
        ):
            assert table.undo() is not None
        table.answer(line)
    text = record.write(table.match)
    assert record.read(text) == table.match


@pytest.mark.parametrize("game", games())
def test_taking_back_restores_a_dealt_game(game: str) -> None:
    table = sitting(game, seed=2)
    assert table.deal is not None
    rng = random.Random(2)
    kept = []
    for _ in range(12):
        if table.outcome is not None:
            break
        kept.append((table.state, table.hand(), table.shown, tuple(table.steps)))
        assert table.answer(table.words(table.deal.pick(rng))).verdict == "accepted"
    while kept:
        assert isinstance(table.undo(), Move)
        assert kept.pop() == (table.state, table.hand(), table.shown, tuple(table.steps))
        assert table.deal.state == table.state
    assert table.undo() is None and not table.played


@pytest.mark.parametrize("game", games())
def test_by_hand_the_other_half_of_the_record_is_typed(game: str) -> None:
    """Without a dealer the same game is played by telling what the table shows."""
    dealt, table = sitting(game, seed=3), sitting(game)
    assert dealt.deal is not None
    rng = random.Random(3)
    while dealt.outcome is None:
        dealt.answer(dealt.words(dealt.deal.pick(rng)))
    for step in dealt.steps:
        awaited = table.rules.awaited(table.state)
        if awaited and isinstance(step, Move):
            assert table.answer(table.words(step)).verdict == "refused"
        assert table.answer(table.words(step)).verdict == "accepted"
        assert table.undo() == step
        assert table.answer(table.words(step)).verdict == "accepted"
    assert table.match == dealt.match


# What it begins with


def test_a_header_settles_what_the_command_line_left_open() -> None:
    header = "Thoth record 1\ngame: tanis\nplayers: Zoe, Yan\nfirst: Yan\noption packing: random\n"
    found = answers("tanis", said=header + "1. Yan: take falcon-1\nplayers: Ana, Ben\nfirst: Yan\n")
    assert [one["verdict"] for one in found[:-1]] == [*["accepted"] * 6, "refused", "accepted"]
    assert found[-1]["result"]["players"] == ["Zoe", "Yan"]


def test_a_header_that_says_otherwise_is_refused_line_by_line() -> None:
    header = (
        "Thoth record 1\ngame: chess\nplayers: Zoe, Yan\nfirst: Ben\noption packing: random\n"
        "option colour: red\nplayers: ,\nfirst: Nobody\ncatalogue: mine\ncatalogue: shipped 00000000\nnumber a.b: 3\n"
    )
    words = ("--players", "Ana, Ben", "--first", "Ana", "--option", "packing=brick", "--numbers", "shipped")
    found = answers("tanis", *words, said=header)
    assert [one["verdict"] for one in found[:-1]] == [
        "accepted", *["refused"] * 4, *["unreadable"] * 4, "refused", "unreadable",
    ]  # fmt: skip
    assert all(one["text"] and one["remedy"] for one in found[1:-1])
    assert found[-1]["result"]["players"] == ["Ana", "Ben"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess",), "there is no game 'chess'"),
        (("friday.txt",), "no record can be read at 'friday.txt'; check the path"),
        (("records/friday",), "no record can be read at 'records/friday'; check the path"),
        (("tanis", "--players", "Ana"), "for 2 players, not 1"),
        (("tanis", "--players", "4"), "for 2 players, not 4"),
        (("tanis", "--players", "Ana,Ana"), "a name of their own"),
        (("tanis", "--players", ",,"), "--players Ana,Ben"),
        (("tanis", "--first", "Zoe"), "one of Ana, Ben"),
        (("tanis", "--players", "Zoe,Yan", "--first", "Ana"), "--first is one of the players: Zoe, Yan"),
        (("tanis", "--option", "packing"), "--option name=value"),
        (("tanis", "--option", "packing=brick", "--option", "packing=random"), "packing is given twice"),
        (("tanis", "--option", "packing=tight"), "write brick or random"),
        (("tanis", "--option", "colour=red"), "no option 'colour'"),
        (("tanis", "--numbers", "nowhere.toml"), "no numbers 'nowhere.toml'"),
        (("tanis", "--deal", "-1"), "--deal 7"),
        (("tanis", "--out", "/proc/thoth/game.txt"), "/proc/thoth"),
    ],
)
def test_a_bad_call_is_one_sentence_and_code_2(words: tuple[str, ...], told: str) -> None:
    done = play(*words, said="Ana: take falcon-1\n")
    assert done.returncode == 2
    assert told in done.stderr.decode() and done.stderr.count(b"\n") == 1, done.stderr


def test_a_record_that_cannot_be_written_costs_no_answer() -> None:
    done = play("tanis", "--json", "--out", "/proc/thoth/game.txt", said="Ana: take falcon-1\n")
    assert done.returncode == 2 and b"/proc/thoth" in done.stderr
    first, last = map(json.loads, done.stdout.splitlines())
    assert first["verdict"] == "accepted" and last["result"]["moves"] == 1


def test_names_are_given_or_counted() -> None:
    tanis = games()["tanis"]
    assert named("Ana,Ben", tanis) == named("Ana, Ben", tanis) == named("2", tanis) == ("Ana", "Ben")
    assert named('"a, b",Ben', tanis) == ("a, b", "Ben")
    with pytest.raises(PlayError):
        named("Ana;Ben", tanis)


@pytest.mark.parametrize("game", [game for game in games() if game != "tanis"])
def test_missing_numbers_are_asked_for_from_their_component(game: str) -> None:
    found = games()[game]
    needed = found.rules.lacks(max(found.players), found.defaults, shipped(game))
    done = play(game, "--players", str(max(found.players)), "--numbers", "shipped")
    assert done.returncode == (2 if needed else 0), done.stderr
    for lack in needed:
        assert f"{lack.text}: {lack.remedy}" in done.stderr.decode()
    if needed:
        assert not done.stdout and "thoth catalog" in done.stderr.decode()


# The record that is left


def test_the_record_is_written_and_can_be_played_on(tmp_path: Path) -> None:
    out = tmp_path / "new" / "game.txt"
    said = "; by lamplight\nreveal a1-a2 falcon-3\nAna: take falcon-3\nBen: dance\n; late\n"
    assert play("tanis", "--out", str(out), said=said).returncode == 0
    text = out.read_text("utf-8")
    assert text.endswith("; by lamplight\nreveal a1-a2 falcon-3\n1. Ana: take falcon-3\n; late\n")
    assert replay.judge(text)["moves"] == 1
    assert answers("tanis", said=text + "Ben: take falcon-4\n")[-1]["result"]["moves"] == 2


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_the_record_so_far_is_left_by_ctrl_c(sign: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    with subprocess.Popen(
        [*THOTH, "tanis", "--out", str(out)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"Ana: take falcon-3\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(sign)
        assert process.wait(10) == 128 + sign
        assert b"Traceback" not in process.stderr.read()
    assert out.read_text("utf-8").endswith("1. Ana: take falcon-3\n")


def test_a_reader_who_leaves_ends_the_game_quietly(tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    command = f"yes 'Ana: take falcon-3' | {' '.join(THOTH)} tanis --json --out {out} | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0 and not done.stderr
    assert "1. Ana: take falcon-3" in out.read_text("utf-8")


def test_pipe_reads_nothing_from_a_stream_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    heading = Heading(games()["tanis"])
    assert Pipe(heading, Wish("tanis")).run() == 0


def test_doubts_are_told_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    doubt = Refusal("T1", "short", "Nobody has counted them.", "Count them.")
    monkeypatch.setattr(rules, "doubt", lambda state, move: doubt)
    for seed, more in ((None, ""), (7, "; reveal b1-a1 falcon-?; reveal a3-a2 ankh-?")):
        answer = sitting("tanis", seed).answer("Ana: take snake-3")
        assert answer == Answer("accepted", f"Nobody has counted them.{more}", "Count them.", "T1")
        refused = sitting("tanis", seed).answer("Ben: take snake-3")
        assert (refused.verdict, refused.rule) == ("refused", "G2")
