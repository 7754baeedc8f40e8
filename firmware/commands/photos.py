"""``thoth read`` and ``thoth sample`` on the command line. Imports what they need only when they run."""

from __future__ import annotations

import argparse
from pathlib import Path

READ = """\
Say what lies in photos: which faces of a gallery, where, how much of each can be seen; and what is unknown.

examples:
  thoth read table.jpg --gallery mygame
  thoth read *.jpg --gallery mygame --json     one line of JSON for each photo
  thoth read table.jpg --gallery mygame --annotate drawn.jpg
  thoth read *.jpg --gallery mygame --annotate drawn

A gallery is made with thoth enrol; docs/photos.md says how to take good pictures.
Exit code: 0 if all were read, 1 if some could not be, 2 for a bad call.
"""

SAMPLE = """\
Write pictures to try enrolling and reading with: Thoth's own faces of a game, and a simulated photo of some on a table.

examples:
  thoth sample try                             the faces in try/faces, try/table.jpg, what lies in it in try/truth.json
  thoth sample try --game ankh --pieces 20 --seed 5
"""


class ReadError(Exception):
    """The call cannot be carried out; the text says why and what to do."""


def read_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--gallery", type=Path, metavar="GALLERY", help="made with thoth enrol")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each photo")
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT", help="draw what was read: a folder, or a file for one photo"
    )


def read(arguments: argparse.Namespace) -> int:
    if arguments.gallery is None:
        raise ReadError(
            "by which gallery? Add --gallery GALLERY; make one from pictures of your pieces with: thoth enrol GALLERY --from DIR"
        )
    from firmware.commands.read import run

    return run(
        arguments.photos,
        arguments.gallery,
        arguments.annotate,
        as_json=arguments.json,
        verbose=arguments.verbose,
    )


def sample_arguments(parser: argparse.ArgumentParser, games: tuple[str, ...]) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder; it may be new")
    parser.add_argument("--game", choices=games, default=games[0], metavar="GAME", help=", ".join(games))
    parser.add_argument("--pieces", type=int, default=10, metavar="N", help="on the table (default: 10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which table (default: 1)")


def sample(arguments: argparse.Namespace) -> int:
    if arguments.seed < 0:
        raise ReadError("--seed is a whole number from 0 on: --seed 7")
    from firmware.commands.sample import write

    return write(arguments.out, arguments.game, arguments.seed, arguments.pieces)
