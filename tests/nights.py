"""Play a matrix of simulated nights and keep one row per night: ``python -m tests.nights --seeds 1-100 --mistakes 0.15``.

Nights run side by side, each in a process of its own. A row that is in the file already (same game, seed, players,
mistakes and commit) is not played again, so an interrupted run goes on where it stopped; with --as NAME its rows bear that name in
place of the commit, so that a long run may be taken up again however often something else is committed. Nights are played seed by
seed through all games and numbers of players; one line of sums for each. Exit 1 if any night broke the promise
(a wrong commit, a wrong score, a legal move refused, an illegal one missed, or a night that did not end).
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
KEYS = ("commit", "game", "seed", "players", "mistakes")
FIGURES = (
    "exit", "seconds", "frames", "moves", "asked", "wrong_commits", "legal_refused", "illegal_tried", "illegal_named",
    "illegal_missed", "illegal_unseen", "first_proposal_right", "score", "true_score", "winner", "p50", "p95", "startup_s", "rss_mb",
)  # fmt: skip
Row = dict[str, Any]


@dataclass(frozen=True)
class Night:
    game: str
    seed: int
    players: int | None
    mistakes: float

    def row(self, commit: str) -> Row:
        return dict(zip(KEYS, (commit, self.game, self.seed, self.players or "", self.mistakes), strict=True))


def seeds(text: str) -> list[int]:
    """``1-3,7`` -> [1, 2, 3, 7]."""
    spans = [part.split("-") for part in text.split(",")]
    return list(itertools.chain.from_iterable(range(int(span[0]), int(span[-1]) + 1) for span in spans))


def commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def play(night: Night, timeout: float, gallery: Path | None = None) -> Row:
    words = [
        sys.executable,
        "-m",
        "firmware.cli",
        "demo",
        "--json",
        "--game",
        night.game,
        "--seed",
        str(night.seed),
    ]
    words += ["--mistakes", str(night.mistakes)] + (
        ["--players", str(night.players)] if night.players else []
    )
    words += ["--gallery", str(gallery)] if gallery is not None else []
    began = time.monotonic()
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False)
        code, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        code, out, err = 124, "", str(late)
    seconds = round(time.monotonic() - began, 2)
    try:
        result = json.loads(out.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        result = {}
    if code:
        folder = ROOT / "build" / "nights"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{night.game}-{night.seed}.log").write_text(out + err)
    read_ms = result.pop("read_ms", {})
    return {"exit": code, "seconds": seconds, **result, **read_ms}


def faults(row: Row) -> list[str]:
    """What of the promise this night broke, in words."""
    told = []
    if int(row["exit"]) != 0:
        told.append(f"exit {row['exit']}")
    for figure in ("wrong_commits", "legal_refused", "illegal_missed"):
        if str(row.get(figure, "")) not in ("0", ""):
            told.append(f"{figure} {row[figure]}")
    if str(row.get("score")) != str(row.get("true_score")):
        told.append(f"score {row.get('score')} is not {row.get('true_score')}")
    return told


def summary(rows: list[Row]) -> str:
    def total(figure: str) -> int:
        return sum(int(row[figure] or 0) for row in rows if row.get(figure) not in (None, ""))

    moves = total("moves")
    right = sum(
        float(row["first_proposal_right"] or 0) * int(row["moves"] or 0) for row in rows if row.get("moves")
    )
    same = sum(int(row["exit"]) == 0 and str(row.get("score")) == str(row.get("true_score")) for row in rows)
    slowest = max((float(row["seconds"]) for row in rows), default=0.0)
    names = (
        "asked",
        "wrong_commits",
        "legal_refused",
        "illegal_tried",
        "illegal_named",
        "illegal_missed",
        "illegal_unseen",
    )
    return (
        f"{len(rows)} nights, {moves} moves, score right in {same}, first proposal right {right / max(moves, 1):.4f}, "
        + ", ".join(f"{name} {total(name)}" for name in names)
        + f", slowest night {slowest:.1f} s"
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default="tanis", help="comma separated (default: tanis)")
    parser.add_argument("--seeds", default="1-10", type=seeds, help="such as 1-100 or 1,5,9 (default: 1-10)")
    parser.add_argument("--players", default="", help="comma separated numbers; empty: each game's default")
    parser.add_argument("--mistakes", default="0.15", help="comma separated chances per turn (default: 0.15)")
    parser.add_argument("--jobs", type=int, default=2, help="nights side by side (default: 2)")
    parser.add_argument(
        "--timeout", type=float, default=180.0, help="seconds after which a night counts as hung"
    )
    parser.add_argument(
        "--gallery",
        type=Path,
        help="read the tables by these galleries (give --out too: rows do not say by which)",
    )
    parser.add_argument("--as", dest="name", default="", help="what rows are called in place of the commit")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "nights.csv")
    args = parser.parse_args(argv)

    now = args.name or commit()
    players = [int(n) for n in args.players.split(",")] if args.players else [None]
    chances = [float(p) for p in args.mistakes.split(",")]
    games = args.games.split(",")
    wanted = [
        Night(game, seed, count, chance)
        for seed, game, count, chance in itertools.product(args.seeds, games, players, chances)
    ]
    args.out.parent.mkdir(parents=True, exist_ok=True)
    old = list(csv.DictReader(args.out.open())) if args.out.exists() else []
    done = {tuple(str(row[key]) for key in KEYS): row for row in old}
    rows = [done[key] for night in wanted if (key := tuple(str(v) for v in night.row(now).values())) in done]
    todo = [night for night in wanted if tuple(str(v) for v in night.row(now).values()) not in done]

    with args.out.open("a", newline="") as file, ThreadPoolExecutor(args.jobs) as pool:
        writer = csv.DictWriter(file, KEYS + FIGURES, extrasaction="ignore", restval="")
        if not old:
            writer.writeheader()
        running = {pool.submit(play, night, args.timeout, args.gallery): night for night in todo}
        for future in as_completed(running):
            night = running[future]
            row = night.row(now) | future.result()
            writer.writerow(row)
            file.flush()
            rows.append(row)
            told = "; ".join(faults(row)) or "ok"
            print(
                f"{night.game} {row.get('players') or ''} seed {night.seed}: {row.get('moves', '?')} moves in {row['seconds']} s: {told}",
                flush=True,
            )
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((str(row["game"]), str(row["players"])), []).append(row)
    if len(groups) > 1:
        for (game, count), mine in sorted(groups.items()):
            print(f"{game} {count}: {summary(mine)}")
    print(summary(rows))
    return 1 if any(faults(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
