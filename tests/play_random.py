"""Random games of every game, with every invariant checked at every state (tests/invariants.py).

``python -m tests.play_random --game ankh --players 3 --states 100000 --games 500`` plays until both numbers are reached (once
the states suffice the games left are only finished) and prints one line for each game and number of players; without ``--game`` all games, without ``--players`` all numbers. It
ends with 1 when an invariant does not hold, naming the seed and the state: ``--seed N --games 1 --states 1`` shows it again.
``--share 0.02`` asks for two percent of both.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count

from engines import games
from tests.invariants import STEPS, Broken, Course, Tally
from tests.spaces import setting

STATES, GAMES = 100_000, 500
"""The full bar for each game and number of players: states checked, games of sensible players finished."""
SAMPLE = 6
"""Moves of the full space that are tried in a state."""


def play(game: str, players: int, seed: int, sample: int = SAMPLE) -> Tally:
    """One game from a seed. Raises Broken."""
    return Course(setting(games()[game], players, seed), sample).run()


def finish(game: str, players: int, seed: int) -> Tally:
    """One game of sensible players to its end, with nothing checked but that it ends. Raises Broken."""
    where = setting(games()[game], players, seed)
    if where.style != "sensible":
        return Tally()
    deal, minds, moves = where.deal(), random.Random(seed), 0
    while not deal.over:
        deal.play(deal.pick(minds))
        moves += 1
        if moves > STEPS["sensible"]:
            raise Broken(f"{game}, {players} players, seed {seed} ({where}): the game does not end")
    return Tally(1, 1, 0, moves)


def play_until(
    game: str, players: int, states: int, finished: int, seed: int = 0, sample: int = SAMPLE
) -> Tally:
    """Games from this seed on until so many states were checked and so many games finished. Raises Broken."""
    total = Tally()
    for number in count(seed):
        if total.states >= states and total.finished >= finished:
            break
        total += play(game, players, number, sample)
    return total


def _some(game: str, players: int, seeds: range, sample: int | None) -> Tally | str:
    """Several games, checked at every state or (sample None) only finished; the fault in words when there is one."""
    try:
        if sample is None:
            return sum((finish(game, players, seed) for seed in seeds), Tally())
        return sum((play(game, players, seed, sample) for seed in seeds), Tally())
    except Broken as error:
        return str(error)


def play_many(
    pool: ProcessPoolExecutor,
    processes: int,
    game: str,
    players: int,
    states: int,
    finished: int,
    seed: int,
    sample: int,
) -> Tally | str:
    """As ``play_until`` on several processes, and once the states suffice the games left are only finished; the fault in
    words when there is one."""
    total = Tally()
    portions: Iterable[range] = (range(at, at + 4) for at in count(seed, 4))
    if finished == states == 1:
        portions = [range(seed, seed + 1)]
    source = iter(portions)
    running: set[Future[Tally | str]] = set()
    while True:
        enough = total.states >= states and total.finished >= finished
        while not enough and len(running) < processes + 1 and (portion := next(source, None)) is not None:
            checked = None if total.states >= states else sample
            running.add(pool.submit(_some, game, players, portion, checked))
        if not running:
            return total
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            result = future.result()
            if isinstance(result, str):
                for other in running:
                    other.cancel()
                return result
            total += result


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--game", choices=list(games()), help="one game; without it all")
    parser.add_argument("--players", type=int, help="one number of players; without it all")
    parser.add_argument("--states", type=int, default=STATES, help="at least so many states are checked")
    parser.add_argument("--games", type=int, default=GAMES, help="at least so many games are finished")
    parser.add_argument("--share", type=float, default=1.0, help="such a part of both (0.02: two percent)")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="moves of the full space tried in a state")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args(words)
    states, finished = math.ceil(chosen.states * chosen.share), math.ceil(chosen.games * chosen.share)
    with ProcessPoolExecutor(chosen.processes) as pool:
        for game in games().values():
            if chosen.game not in (None, game.id):
                continue
            for players in game.players:
                if chosen.players not in (None, players):
                    continue
                began = time.monotonic()
                total = play_many(
                    pool, chosen.processes, game.id, players, states, finished, chosen.seed, chosen.sample
                )
                if isinstance(total, str):
                    print(total, file=sys.stderr)
                    pool.shutdown(cancel_futures=True)
                    return 1
                print(
                    f"{game.id}, {players} players: {total.games} games, {total.finished} finished, "
                    f"{total.moves} moves, {total.states} states, {total.tried} moves tried, "
                    f"{total.refused} refused; every invariant held; "
                    f"{time.monotonic() - began:.0f} s on {chosen.processes} processes",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
