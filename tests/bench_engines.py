"""The engines' part of ``make bench``: play at random, one move accepted or refused, a long record, what importing costs.

The peers of random play run in the same process: RLCard's UNO (a card game with little to know) and python-chess (a game with
much to generate). They come with the extra ``bench``; without it their rows are left out.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from engines import catalogue, games, record
from engines.dealing import Deal
from engines.game import IllegalMove, Move
from engines.referee import Match
from tests import spaces

NAMES = ("Ana", "Ben", "Clara", "David", "Emma")
LONG = 300
"""Moves of the record that is replayed."""
COST = """
import time
def resident():
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))
before, began = resident(), time.perf_counter()
import engines
engines.games()
spent = time.perf_counter() - began
print(spent * 1000, (resident() - before) / 1024)
"""


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def dealt(game: str, seed: int, players: int, style: str = "random") -> Deal:
    """A hidden world of any game, with the numbers that come with Thoth."""
    dealing = importlib.import_module(f"engines.{game}.dealing")
    deal: Deal = dealing.deal(seed, players, 0, {}, style, catalogue.house(game))
    return deal


def rate(play: Callable[[int], int], seconds: float = 2.0) -> float:
    """Moves per second of games played from seeds 1, 2, ...; ``play`` gives how many moves its game had."""
    made, seed, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        seed += 1
        made += play(seed)
    return made / (time.perf_counter() - began)


def random_game(game: str, players: int) -> Callable[[int], int]:
    def play(seed: int) -> int:
        rng = random.Random(seed)
        deal = dealt(game, seed, players)
        made = 0
        while not deal.over:
            deal.play(deal.pick(rng))
            made += 1
        return made

    return play


def uno(seed: int) -> int:
    from rlcard.games.uno import Game

    rng = random.Random(seed)
    game = Game()
    import numpy as np

    game.np_random = np.random.RandomState(seed)
    game.init_game()
    made = 0
    while not game.is_over():
        game.step(rng.choice(game.get_legal_actions()))
        made += 1
    return made


def chess_game(seed: int) -> int:
    import chess

    rng = random.Random(seed)
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def peers() -> Iterator[tuple[str, float]]:
    for name, package, play in (("RLCard UNO", "rlcard", uno), ("python-chess", "chess", chess_game)):
        try:
            importlib.import_module(package)
        except ModuleNotFoundError:
            continue
        yield name, rate(play)


def judged(game: str, players: int, seconds: float = 2.0) -> list[float]:
    """ms that one move took to be accepted (with its new state) or refused, over whole games at random."""
    rules = games()[game].rules
    space = spaces.space(game)
    spent: list[float] = []

    def judge(state: object, move: Move) -> None:
        began = time.perf_counter()
        with contextlib.suppress(IllegalMove):
            rules.apply(state, move)
        spent.append((time.perf_counter() - began) * 1000)

    began, seed = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        seed += 1
        rng = random.Random(seed)
        deal = dealt(game, seed, players)
        while not deal.over:
            move = deal.pick(rng)
            judge(deal.state, move)
            for other in space.near_misses(deal.state, rng, 2):
                judge(deal.state, other)
            deal.play(move)
    return spent


def long_record(game: str, players: int) -> str:
    """The record of a game at random that is as long as LONG moves, or the longest of ten."""
    best: Match | None = None
    for seed in range(1, 11):
        rng = random.Random(seed)
        deal = dealt(game, seed, players)
        match = Match.begin(games()[game], NAMES[:players], 0, {}, deal.opening(), catalogue.house(game))
        while not deal.over and len(match.moves) < LONG:
            move = deal.pick(rng)
            match = match.accept(move)
            for fact in deal.play(move):
                match = match.accept(fact)
        if best is None or len(match.moves) > len(best.moves):
            best = match
        if len(best.moves) == LONG:
            break
    assert best is not None
    return record.write(best)


def import_cost() -> tuple[float, float]:
    """(ms, MB) that importing all engines adds to a bare interpreter, compiled as any installation is: the median of nine."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = [
        tuple(
            map(
                float,
                subprocess.run(
                    [sys.executable, "-c", COST],
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout.split(),
            )
        )
        for _ in range(9)
    ]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def figures() -> Iterator[tuple[str, float, str, float | None]]:
    """Rows of (name, value, unit, floor)."""
    rivals = dict(peers())
    for name, value in rivals.items():
        yield f"peer: {name}, random play", value, "moves/s", None
    slowest = min(rivals.values(), default=None)
    for game in games():
        players = 2 if game == "tanis" else 3
        yield f"{game}: random play", rate(random_game(game, players)), "moves/s", slowest
        spent = judged(game, players)
        yield f"{game}: accept or refuse one move p50", quantile(spent, 0.5), "ms", 1.0
        yield f"{game}: accept or refuse one move p95", quantile(spent, 0.95), "ms", 1.0
        text = long_record(game, max(games()[game].players))
        took = []
        for _ in range(5):
            began = time.perf_counter()
            match = record.read(text)
            took.append((time.perf_counter() - began) * 1000)
        yield f"{game}: replay a record of {len(match.moves)} moves", statistics.median(took), "ms", 150.0
    ms, mb = import_cost()
    yield "import all four engines", ms, "ms", 60.0
    yield "import all four engines, memory", mb, "MB", 10.0
