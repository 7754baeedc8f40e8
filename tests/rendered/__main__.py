"""``python -m tests.rendered``: read the rendered suite, or write scenes of it into folders of pictures.

    python -m tests.rendered --set hard --count 200 --processes 2
    python -m tests.rendered --small --accept
    python -m tests.rendered --printed --set easy,hard --count 12
    python -m tests.rendered --set covered --start 14 --count 1 --follow 0.9
    python -m tests.rendered --set hard --export build/rendered --family painted,counts --count 12

Rows are kept in build/rendered/SET.csv; what this version has read already is not read again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.rendered.export import export, families
from tests.rendered.follow import follow
from tests.rendered.report import report
from tests.rendered.run import ROOT, Reader, commit, committed, real, resume, write
from tests.rendered.sets import SETS, Job, small_form


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.rendered", description="Rendered photographs of tables."
    )
    parser.add_argument(
        "--set", default=",".join(SETS), help=f"comma separated: {', '.join(SETS)} (default: all)"
    )
    parser.add_argument("--count", type=int, default=40, help="scenes of each set (default: 40)")
    parser.add_argument("--start", type=int, default=0, help="number of the first scene (default: 0)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the small form: what the test reads")
    parser.add_argument(
        "--accept", action="store_true", help="with --small: make these rows the committed results"
    )
    parser.add_argument(
        "--printed",
        action="store_true",
        help="Thoth's own faces, drawn beside cut from the printed sheets; --count: scenes of each family",
    )
    parser.add_argument("--family", help="comma separated; default: every family of the set")
    parser.add_argument(
        "--edition", type=int, help="which deck of a family (default: they take turns; with --export: 0)"
    )
    parser.add_argument(
        "--export", type=Path, metavar="DIR", help="write DIR/SET-FAMILY-EDITION/{refs,scenes,truth.json}"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "build" / "rendered",
        help="folder of the rows (default: build/rendered)",
    )
    parser.add_argument(
        "--follow",
        type=float,
        metavar="VISIBLE",
        help="read the scenes and tell where pieces were lost of which so much can be seen (0 to 1)",
    )
    args = parser.parse_args(argv)
    if args.export:
        for name in args.set.split(","):
            for family in families(name, args.family):
                print(export(args.export, name, family, args.edition or 0, args.count), flush=True)
        return 0
    if args.follow is not None:
        reader = Reader(real())
        for name in args.set.split(","):
            for index in range(args.start, args.start + args.count):
                print(
                    *follow(Job(name, index, args.family, args.edition), args.follow, reader),
                    sep="\n",
                    flush=True,
                )
        return 0
    version = commit()
    if args.printed:
        from tests.rendered import printed

        version = commit("hardware/print")
        wanted = [job for name in args.set.split(",") for job in printed.jobs(name, args.count, args.start)]
        rows = printed.read_both(
            printed.small_form() if args.small else wanted,
            args.out,
            "small" if args.small else "own",
            version,
            print,
        )
        if args.small and args.accept:
            write(committed("printed"), rows["printed"])
        print(printed.beside(rows))
        return 0
    if args.small:
        lines = resume(small_form(), args.out / "small.csv", version, args.processes, print)
        if args.accept:
            write(committed(), lines)
        print(report(lines))
        return 0
    wanted = args.family.split(",") if args.family else [None]
    lines = []
    for name in args.set.split(","):
        jobs = [
            Job(name, index, family, args.edition)
            for family in wanted
            for index in range(args.start, args.start + args.count)
            if family is None or family in SETS[name].families
        ]
        file = args.out / f"{name}{'-' + args.family if args.family else ''}.csv"
        lines += resume(jobs, file, version, args.processes, print)
    print(report(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
