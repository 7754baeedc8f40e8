"""The command line: ``thoth``. Light to import; every command brings its own modules when it runs."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.commands import appliance, boardlearn, photos, printing

GAMES = ("tanis", "archaeology", "ankh", "papyrus")

_HELP = """\
Thoth keeps the score and the rules of physical table games: a camera looks at the table,
a small display says what happened, four buttons confirm it.

first steps:
  thoth demo                     watch a whole night on a simulated table; nothing needed
  thoth print mat tanis          the mat as a PDF: print it at 100 %, A2
  thoth check-config FILE        every fault of a settings file, with line and remedy
  thoth run                      the real thing: camera, display and buttons
"""

_RUN = """\
The main program. Starts with whatever parts are there, says what is missing, and takes a part back
when it returns. After a power cut it goes on at the last confirmed move.

examples:
  thoth run                                    settings from /etc/thoth/thoth.toml, or the defaults
  thoth run --config thoth.toml --state-dir ~/games
  thoth run --record ~/recording               keep what the camera saw, to play a fault again

Without a camera every move is chosen from the menu. In a terminal the keys c r u d are CONFIRM REJECT UP DOWN,
as capital letters the long presses. Stop with Ctrl-C or SIGTERM; nothing that was confirmed is lost.
"""

_REPLAY = """\
A folder is a recording (thoth run --record): the same night is run again from it, and where it differs
is said. A file is the record of a game: it is checked move by move and scored.

examples:
  thoth replay ~/recording
  thoth replay game.txt
  thoth replay game.txt --json
  thoth replay game.txt --numbers my.toml      by these numbers of the components

Exit code: 0 if all is well, 1 if the night differs or the record has a fault.
"""

_PLAY = """\
Play without a camera. In a terminal: choose from a list, or type a move as the record writes it. On a pipe: one line of
a record per line, each answered at once; empty lines and comments are passed over, refused lines change nothing.

examples:
  thoth play tanis                             by hand; ? shows what can be typed
  thoth play tanis --deal 7                    with the tiles dealt from a seed: what they show comes by itself
  thoth play tanis --json < game.txt           judge the lines of a record; one JSON object each, the result last
  thoth play archaeology --players Ana,Ben,Clara --numbers house
  thoth play tanis --option packing=random --first Ben --out game.txt
  thoth play game.txt                          go on where that game stopped

Exit code: 0 when the input ended, 2 when the game cannot be played as asked.
"""

_CATALOG = """\
examples:
  thoth catalog archaeology                    every number, where it is from, and what nobody has verified
  thoth catalog papyrus --template > gods.toml a file to fill in from your own components
  thoth catalog --check gods.toml              every fault of it, with line and remedy
"""

_ENROL = """\
Two ways. With the camera: lay the faces of a game on the table as the display asks, press CONFIRM; every face is kept at once, so it
can be broken off and goes on where it stopped. From pictures: one of each face, its name is what the face is called; cropped to its
edge, or whole on a plain ground that differs from it, upright within 45 degrees.

examples:
  thoth enrol tanis                            show your own tiles and cards to the camera
  thoth enrol tanis --face snake-3             show one face again
  thoth enrol tanis --use                      and play with them from now on (written into the settings)
  thoth enrol tanis --simulated --seed 7       watch somebody do it on a simulated table
  thoth enrol mygame --from ~/Pictures/faces   falcon-7.jpg is enrolled as falcon-7, in the folder mygame
  thoth enrol mygame --from more               add faces, or take better pictures of some

A picture named back.jpg is the back of all pieces. Exit code: 0; 1 when no picture could be enrolled, or faces are missing still.
"""

_EXPORT = """\
Write the record of a game: a text that a person can read, and that `thoth replay FILE` checks and scores.

examples:
  thoth export                                 the last night, to the terminal
  thoth export --night 12 --out game.txt
  thoth export --list                          all nights
"""

_CONFIG = """\
examples:
  thoth check-config thoth.toml                every fault at once, with line and remedy; exit code 1
  thoth check-config --example > thoth.toml    a file with every setting at its default
"""

_MISSING = {
    "numpy": "NumPy is missing; on a Raspberry Pi: sudo apt install python3-numpy, elsewhere: pip install 'thoth-tabletop[desk]'",
    "cv2": "OpenCV is missing; on a Raspberry Pi: sudo apt install python3-opencv, elsewhere: pip install 'thoth-tabletop[desk]'",
    "fpdf": "the PDF writer is missing; pip install 'thoth-tabletop[print]'",
}


class Mistake(Exception):  # noqa: N818 - what the user made
    """The call cannot be carried out. The sentence says why and what to do; the exit code is 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code (0 well, 1 a fault was found, 2 a bad call)."""
    for stream in (sys.stdout, sys.stderr):
        # In a terminal without Unicode a name is better with a "?" in it than not shown at all.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    verbose = "--verbose" in arguments
    try:
        if arguments[:1] == ["demo"]:
            code = _demo(arguments[1:])
        else:
            parsed = _parser().parse_args(arguments)
            command: Callable[[argparse.Namespace], int] = parsed.command
            code = command(parsed)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk or a closed pipe shows here at the latest
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _let_go_of_stdout()
        return 0
    except ModuleNotFoundError as error:
        root = (error.name or "").split(".")[0]
        return _say(_MISSING.get(root, f"{error}; install Thoth again"), verbose)
    except OSError as error:
        _let_go_of_stdout()
        where = f"{error.filename}: " if error.filename else ""
        return _say(
            f"{where}{error.strerror or error}; check the path, its rights and the free space", verbose
        )
    except Exception as error:  # noqa: BLE001 - the last stop: a sentence for the user, the details for the log
        expected = type(error).__module__.split(".")[0] in ("engines", "vision", "hardware", "firmware")
        if expected:
            return _say(str(error), verbose)
        return _say(
            f"something unexpected went wrong ({type(error).__name__}: {error}); "
            "run it again with --verbose and report what it prints",
            verbose,
        )


def _let_go_of_stdout() -> None:
    """What still waits to be written would raise once more when Python ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(sentence: str, verbose: bool) -> int:
    if verbose:
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):  # nobody is left to be told
        print(f"thoth: {sentence}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="thoth",
        description=_HELP,
        epilog="`thoth COMMAND --help` shows the options and examples of a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(
        name: str, text: str, does: Callable[[argparse.Namespace], int], more: str = ""
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.add_argument(
            "--verbose", action="store_true", help="details to stderr, and where an error arose"
        )
        made.set_defaults(command=does)
        return made

    command("demo", "watch a whole night on a simulated table", lambda _: _demo([]))

    run = command("run", "play at a real table (the service's main program)", _run, _RUN)
    run.add_argument("--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)")
    run.add_argument("--state-dir", type=Path, metavar="DIR", help="where the journal is kept")
    run.add_argument("--record", type=Path, metavar="DIR", help="keep frames, events and decisions here")

    replay = command("replay", "run a recorded night again, or check and score a record", _replay, _REPLAY)
    replay.add_argument("path", type=Path, metavar="DIR|FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object on stdout (record files)")
    _numbers(replay, "those the record names")

    play = command("play", "play without a camera: by hand, or on a pipe", _play, _PLAY)
    play.add_argument("game", metavar="GAME|FILE", help=f"{', '.join(GAMES)}; or a record, to go on with it")
    play.add_argument("--players", metavar="A,B", help="their names by seat, or how many")
    play.add_argument("--option", action="append", default=[], metavar="K=V", help="may be repeated")
    play.add_argument("--first", metavar="NAME", help="who begins (default: the first player)")
    play.add_argument("--deal", type=int, metavar="SEED", help="deal a hidden world and answer by its truth")
    play.add_argument("--json", action="store_true", help="answer each line with one JSON object")
    play.add_argument("--out", type=Path, metavar="FILE", help="write the record here")
    _numbers(play)

    catalog = command("catalog", "the numbers printed on a game's components", _catalog, _CATALOG)
    catalog.add_argument("game", nargs="?", metavar="GAME", help=", ".join(GAMES))
    catalog.add_argument("--template", action="store_true", help="print a file to fill in")
    catalog.add_argument("--check", type=Path, metavar="FILE", help="name every fault of a file of numbers")
    _numbers(catalog)

    board = command(
        "board", "the map of Papyrus, in words or as a drawing; your own board", _board, boardlearn.HELP
    )
    board.add_argument(
        "learn", nargs="*", metavar="learn PHOTO", help="teach the eyes your own board from a photo"
    )
    board.add_argument("--page", type=Path, metavar="FILE", help="learn: make a page to click the squares on")
    board.add_argument("--clicks", type=Path, metavar="FILE", help="learn: what was clicked")
    board.add_argument("--gallery", type=Path, metavar="FOLDER", help="learn: where the pictures are kept")
    board.add_argument(
        "--figures", action="store_true", help="learn: the page asks for figures, not for squares"
    )
    board.add_argument("--svg", action="store_true", help="draw it")
    board.add_argument("--out", type=Path, metavar="FILE", help="write here instead of to the terminal")
    _numbers(board)

    print_ = command("print", "what belongs on paper: cards, mats, corners", printing.run, printing.HELP)
    printing.arguments(print_, GAMES, _numbers)

    enrol = command("enrol", "teach the eyes the faces of your own pieces", _enrol, _ENROL)
    enrol.add_argument(
        "gallery",
        type=Path,
        metavar="GAME|GALLERY",
        help=f"{', '.join(GAMES)}; with --from the gallery's folder",
    )
    enrol.add_argument(
        "--from", type=Path, dest="source", metavar="DIR", help="folder with one picture of each face"
    )
    enrol.add_argument("--face", metavar="NAME", help="show this face alone")
    enrol.add_argument(
        "--out", type=Path, metavar="DIR", help="the gallery's folder (default: see docs/enrol.md)"
    )
    enrol.add_argument("--use", action="store_true", help="write the gallery into the settings")
    enrol.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )
    enrol.add_argument("--state-dir", type=Path, metavar="DIR", help="where the service keeps its own")
    enrol.add_argument("--simulated", action="store_true", help="on a simulated table, by a simulated person")
    enrol.add_argument("--seed", type=int, default=1, metavar="N", help="which simulated table (default: 1)")
    enrol.add_argument(
        "--slips",
        type=float,
        default=0.0,
        metavar="P",
        help="chance that a simulated group is laid out wrongly",
    )
    enrol.add_argument("--json", action="store_true", help="simulated: one JSON object with its figures")

    read = command("read", "say what lies in photos", photos.read, photos.READ)
    photos.read_arguments(read)
    sample = command("sample", "write pictures to try enrol and read with", photos.sample, photos.SAMPLE)
    photos.sample_arguments(sample, GAMES)

    config = command("check-config", "check a settings file", _check_config, _CONFIG)
    config.add_argument("file", type=Path, nargs="?", metavar="FILE")
    config.add_argument("--example", action="store_true", help="print a file with every setting")

    screens = command("screens", "draw every screen of the display as a picture", _screens)
    screens.add_argument(
        "game",
        nargs="?",
        choices=GAMES,
        metavar="GAME",
        help=f"only those of this game, in DIR/GAME: {', '.join(GAMES)} (default: those of every game, and all others in DIR)",
    )
    screens.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the PNG files")

    export = command("export", "write the record of a game that was played", _export, _EXPORT)
    export.add_argument("--night", type=int, metavar="N", help="which night (default: the last)")
    export.add_argument("--list", action="store_true", help="list the nights of the journal")
    export.add_argument("--out", type=Path, metavar="FILE", help="write here instead of to the terminal")
    export.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )
    export.add_argument("--state-dir", type=Path, metavar="DIR", help="where the journal is kept")

    appliance.arguments(command)
    command("version", "which Thoth this is", _version)
    command("rollback", "go back to the version before (sudo, on an installed Thoth)", _rollback)
    return parser


def _numbers(parser: argparse.ArgumentParser, default: str = "your own file, if there is one") -> None:
    parser.add_argument(
        "--numbers",
        action="append",
        default=[],
        metavar="house|FILE",
        help=f"numbers of the components; may be repeated (default: {default})",
    )


def _demo(arguments: list[str]) -> int:
    from firmware import demo

    return int(demo.main(arguments))


def _run(arguments: argparse.Namespace) -> int:
    from firmware import service

    return service.run(arguments.config, arguments.state_dir, arguments.record, arguments.verbose)


def _replay(arguments: argparse.Namespace) -> int:
    from firmware.written import replay

    path: Path = arguments.path
    if not arguments.json and not path.exists():
        raise Mistake(f"{path} does not exist; give the folder of a recording or the file of a record")
    if not arguments.json and path.is_dir():
        if arguments.numbers:
            raise Mistake(f"{path} is the folder of a recording; --numbers is for the file of a record")
        return replay.recording(path)
    return replay.record(path, as_json=arguments.json, numbers=arguments.numbers)


def _play(arguments: argparse.Namespace) -> int:
    from firmware.alone import play

    if arguments.deal is not None and arguments.deal < 0:
        raise Mistake("--deal is a whole number from 0 on: --deal 7")
    return play.run(
        play.Wish(
            arguments.game,
            arguments.players,
            tuple(arguments.option),
            arguments.first,
            tuple(arguments.numbers),
            arguments.deal,
            arguments.json,
            arguments.out,
        )
    )


def _catalog(arguments: argparse.Namespace) -> int:
    from firmware.commands import catalog

    if arguments.check is not None:
        return catalog.check(arguments.check, sys.stdout)
    from engines import games

    if arguments.game not in games():
        raise Mistake(f"which game? Write thoth catalog and one of: {', '.join(games())}")
    return catalog.catalog(arguments.game, arguments.numbers, arguments.template, sys.stdout)


def _board(arguments: argparse.Namespace) -> int:
    from firmware.commands import board

    if arguments.learn:
        if len(arguments.learn) != 2 or arguments.learn[0] != "learn":
            raise Mistake("write thoth board, or thoth board learn and a photo of your board")
        photo, wish = Path(arguments.learn[1]), (arguments.page, arguments.clicks, arguments.gallery)
        try:
            return boardlearn.learn(photo, arguments.numbers, *wish, arguments.figures)
        except boardlearn.LearnError as error:
            raise Mistake(str(error)) from error
    return board.board(arguments.numbers, arguments.svg, arguments.out)


def _enrol(arguments: argparse.Namespace) -> int:
    if arguments.source is not None:
        _for_pictures(arguments)
        from firmware.commands import enrol

        return enrol.from_folder(arguments.gallery, arguments.source, verbose=arguments.verbose)
    game = str(arguments.gallery)
    if game not in GAMES:
        raise Mistake(
            f"{game} is no game; write thoth enrol and one of {', '.join(GAMES)} to show its faces to the camera, or thoth "
            "enrol GALLERY --from DIR to make a gallery from pictures"
        )
    if arguments.seed < 0 or not 0 <= arguments.slips <= 1:
        raise Mistake("--seed is a whole number from 0 on, --slips a chance between 0 and 1")
    if not arguments.simulated and (arguments.json or arguments.slips):
        raise Mistake("--json and --slips are for a simulated table: add --simulated, or leave them out")
    from firmware.enrolling import run

    wish = run.Wish(
        game,
        arguments.face,
        arguments.out,
        arguments.config,
        arguments.state_dir,
        arguments.use,
        arguments.verbose,
    )
    if arguments.simulated:
        return run.simulate(wish, arguments.seed, arguments.slips, arguments.json)
    return run.run(wish)


def _for_pictures(arguments: argparse.Namespace) -> None:
    """Raises Mistake for what is said of the camera beside --from: nothing of it would be done."""
    if arguments.out is not None:
        raise Mistake(
            f"with --from the gallery's folder is said first: thoth enrol {arguments.out} --from {arguments.source}"
        )
    for option in ("face", "use", "config", "state_dir", "simulated", "json"):
        if getattr(arguments, option):
            name = option.replace("_", "-")
            raise Mistake(
                f"--{name} is for faces shown to the camera, --from for pictures that are there: leave one of them out"
            )


def _check_config(arguments: argparse.Namespace) -> int:
    from firmware import settings

    if arguments.example:
        print(settings.example(), end="")
        return 0
    if arguments.file is None:
        raise Mistake("which file? Write: thoth check-config thoth.toml, or --example for one to start from")
    _, faults = settings.load(arguments.file)
    for fault in faults:
        print(f"{arguments.file}, {fault}")
    if not faults:
        print(f"{arguments.file}: no faults")
    return 1 if faults else 0


def _screens(arguments: argparse.Namespace) -> int:
    from firmware.commands.played import draw

    for folder, count in draw(
        arguments.out, (arguments.game,) if arguments.game else GAMES, arguments.game is None
    ):
        print(f"{count} screens in {folder}")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from firmware.written import export

    return export.export(
        arguments.config, arguments.state_dir, arguments.night, arguments.out, list_nights=arguments.list
    )


def _rollback(_: argparse.Namespace) -> int:
    # An installed Thoth's own command does this before Python starts: it must work when the version in use does not.
    raise Mistake(
        "only an installed Thoth has a version to go back to; install it with sudo ./systemd/install"
    )


def _version(_: argparse.Namespace) -> int:
    from importlib import metadata  # slow to import

    installed = next(iter(metadata.distributions(name="thoth-tabletop")), None)
    print(f"thoth {installed.version}" if installed else "thoth, from a checkout that is not installed")
    return 0


def process() -> None:
    """The command as a process of its own: ``main``, and the end of it."""
    code = main()
    if stop := sys.modules.get("firmware.box.stop"):  # whatever opens a driver asks to be told when to stop
        stop.leave(code)
    sys.exit(code)


if __name__ == "__main__":
    process()
