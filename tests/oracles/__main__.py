"""``python -m tests.oracles [--game ankh] [--pairs 50000]``: the referees against the exact oracles, one line for each game."""

from __future__ import annotations

import argparse
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from engines import games
from tests.oracles import PAIRS, PORTION, Compared, compare


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracles", description=(__doc__ or "").split(": ")[1]
    )
    parser.add_argument("--game", choices=list(games()), help="one game; without it all")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="(state, step) pairs for each game")
    parser.add_argument("--share", type=float, default=1.0, help="such a part of them (0.02: two percent)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args(words)
    wanted = math.ceil(chosen.pairs * chosen.share)
    sizes = [min(PORTION, wanted - at) for at in range(0, wanted, PORTION)]
    with ProcessPoolExecutor(chosen.processes) as pool:
        for game in [chosen.game] if chosen.game else games():
            began = time.monotonic()
            total = Compared()
            try:
                for part in pool.map(compare, repeat(game), range(len(sizes)), sizes, repeat(chosen.seed)):
                    total += part
                    if total.difference:
                        break
            except RuntimeError as error:
                total += Compared(difference=str(error))
            if total.difference:
                print(total.difference, file=sys.stderr)
                pool.shutdown(cancel_futures=True)
                return 1
            print(
                f"{game}: {total.pairs} pairs, {total.refused} refused, no difference; "
                f"{time.monotonic() - began:.0f} s on {chosen.processes} processes",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
