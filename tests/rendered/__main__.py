"""``python -m tests.rendered``: read the rendered suite, or write scenes of it into folders of pictures.

python -m tests.rendered --set hard --count 200 --processes 2
python -m tests.rendered --set hard --export build/rendered --family painted,counts --count 12
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.rendered.export import export, families
from tests.rendered.sets import SETS


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.rendered", description="Rendered photographs of tables."
    )
    parser.add_argument("--set", default="hard", help=f"comma separated: {', '.join(SETS)} (default: hard)")
    parser.add_argument("--count", type=int, default=40, help="scenes of each set (default: 40)")
    parser.add_argument("--family", help="comma separated; default: every family of the set")
    parser.add_argument(
        "--edition", type=int, default=0, help="with --export: which deck of the family (default: 0)"
    )
    parser.add_argument(
        "--export", type=Path, metavar="DIR", help="write DIR/SET-FAMILY-EDITION/{refs,scenes,truth.json}"
    )
    args = parser.parse_args(argv)
    for name in args.set.split(","):
        if args.export:
            for family in families(name, args.family):
                print(export(args.export, name, family, args.edition, args.count))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
