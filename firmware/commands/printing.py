"""``thoth print``: decks, mats and corner markers as PDFs at true scale. Imports what it draws with only when it draws."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.game import Game
    from engines.table import Layout

HELP = """\
examples:
  thoth print deck ankh                        every card, as often as it is in the box: ankh-deck.pdf
  thoth print deck papyrus --numbers my.toml   with the names and numbers of your own copy
  thoth print deck ankh --backs --paper A3     with backs, for a printer that prints both sides
  thoth print deck ankh --once                 one of each face only, to try the reading
  thoth print mat tanis                        the mat, A2: tanis-mat.pdf
  thoth print mat tanis --paper tiled-A4       the same on sheets to be glued together
  thoth print board papyrus                    the board of the map in force: papyrus-board.pdf
  thoth print board papyrus --paper tiled-A4   the same on sheets to be glued together
  thoth print plan papyrus --players 3         one page that shows where everything lies: papyrus-plan.pdf
  thoth print corners                          four corner markers for a table larger than any mat

Print at 100 % ("actual size"): the eyes measure the table by what is printed.
"""
PAPERS = ("A4", "A3")
MATS = {"A2": (594.0, 420.0), "A3": (420.0, 297.0)}
"""Papers a mat may fit on as one page, mm."""
_MEASURE = 'Print it at 100 % ("actual size"), then measure the line marked 100 mm on it'
_TILED = 'Print them at 100 % ("actual size"), measure the lines marked 50 mm, cut, and glue each on the marks of the one before'


class PrintError(Exception):
    """Something cannot be printed as asked; the text says why and what to do."""


def arguments(
    parser: argparse.ArgumentParser,
    games: tuple[str, ...],
    numbers: Callable[[argparse.ArgumentParser], None],
) -> None:
    """What can be printed, as commands below ``parser``."""
    things = parser.add_subparsers(title="what", metavar="deck|mat|board|plan|corners", required=True)

    def thing(name: str, text: str, does: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        made = things.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            epilog=HELP,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.add_argument(
            "--verbose", action="store_true", default=argparse.SUPPRESS, help="details to stderr"
        )
        made.set_defaults(printed=does)
        return made

    cards = thing("deck", "all cards and tiles of a game", _deck)
    cards.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    cards.add_argument("--backs", action="store_true", help="a page of backs behind each sheet")
    cards.add_argument("--once", action="store_true", help="one of each face only")
    numbers(cards)
    board = thing("board", "the board of a game that has one, by the map in force", _board)
    board.add_argument("game", choices=("papyrus",), metavar="GAME", help="papyrus")
    numbers(board)
    mat = thing("mat", "the mat that the game is played on", _mat)
    mat.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    tiles = tuple(f"tiled-{paper}" for paper in PAPERS)
    for made, sizes in ((board, ("whole",)), (mat, tuple(MATS))):
        made.add_argument(
            "--paper",
            choices=(*sizes, *tiles),
            default=sizes[0],
            help=f"one page ({', '.join(sizes)}), or sheets to be glued together ({', '.join(tiles)}); default: {sizes[0]}",
        )
    mat.add_argument(
        "--players", type=int, metavar="N", help="how many play (default: the most that a mat has room for)"
    )
    plan = thing("plan", "where everything lies on a table, on one page", _plan)
    plan.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    plan.add_argument("--players", type=int, metavar="N", help="how many play (default: the most)")
    plan.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    numbers(plan)
    corners = thing("corners", "four corner markers for a table larger than any mat", _corners)
    for made, name in (
        (cards, "GAME-deck.pdf"),
        (board, "GAME-board.pdf"),
        (mat, "GAME-mat.pdf"),
        (plan, "GAME-plan.pdf"),
        (corners, "corners.pdf"),
    ):
        made.add_argument("--out", type=Path, metavar="FILE", help=f"the PDF (default: {name})")
    for made in (cards, plan, corners):
        made.add_argument("--paper", choices=PAPERS, default="A4", help="default: A4")


def run(parsed: argparse.Namespace) -> int:
    """Print what was asked for. Raises PrintError, and OSError when the file cannot be written."""
    does: Callable[[argparse.Namespace], int] = parsed.printed
    return does(parsed)


def _deck(parsed: argparse.Namespace) -> int:
    from engines.catalogue import MissingNumbers
    from firmware.numbers import catalogue_for
    from hardware.print.deck import deck_pdf

    out: Path = parsed.out or Path(f"{parsed.game}-deck.pdf")
    catalogue = catalogue_for(parsed.game, parsed.numbers)
    try:
        made = deck_pdf(parsed.game, out, catalogue, parsed.paper, parsed.backs, parsed.once)
    except MissingNumbers as error:
        raise PrintError(_refusal(parsed.game, error)) from error
    sheets = len(made.pages) // (2 if parsed.backs else 1) - 1
    print(
        f"{out}: {made.pieces} pieces on {sheets} sheets of {parsed.paper}; a sheet before them says how to cut. {_MEASURE}"
    )
    if catalogue.house:
        print(
            f"Some of what is printed on them is invented; the numbers of your own copy: thoth catalog {parsed.game} --template"
        )
    return 0


def _refusal(game: str, error: Exception) -> str:
    from engines import games
    from engines.catalogue import MissingNumbers
    from firmware.numbers import told

    lacks = error.lacks if isinstance(error, MissingNumbers) else ()
    return "\n".join(
        (
            f"the cards of {games()[game].name} cannot be printed by these numbers:",
            *(f"  {told(lack)}" for lack in lacks),
            "Make a file to fill in and print by it:",
            f"  thoth catalog {game} --template > {game}.toml",
            f"  thoth print deck {game} --numbers {game}.toml",
            f"or print them with invented numbers: thoth print deck {game} --numbers house",
        )
    )


def _mat(parsed: argparse.Namespace) -> int:
    from engines import table_games
    from hardware.print.mat import mat_pdf
    from hardware.print.tiled import tiled_pdf

    game = table_games().get(parsed.game)
    if game is None:
        raise PrintError(
            f"there is no mat for {parsed.game} yet; there is one for {', '.join(table_games())}"
        )
    out: Path = parsed.out or Path(f"{parsed.game}-mat.pdf")
    layouts = {players: game.reading.layout(players, game.defaults) for players in game.players}
    fitting = [players for players, layout in layouts.items() if not layout.loose]
    players = _players(game, max(fitting or game.players) if parsed.players is None else parsed.players)
    layout = layouts[players]
    if layout.loose:
        raise PrintError(
            f"{game.name} for {players} is larger than any mat ({_size(layout)}): lay four corner markers around the table instead,\n"
            f"  thoth print corners\nand see where everything lies:\n  thoth print plan {game.id} --players {players}"
        )
    if parsed.paper not in MATS:
        paper = parsed.paper.removeprefix("tiled-")
        sheets = tiled_pdf(layout, out, paper)
        print(f"{out}: {_size(layout)} on {sheets} sheets of {paper}. {_TILED}")
        return 0
    wide, high = MATS[parsed.paper]
    if layout.width > wide or layout.height > high:
        raise PrintError(
            f"the mat of {game.name} for {players} is {_size(layout)}, too large for one sheet of {parsed.paper}: write --paper tiled-{parsed.paper}"
        )
    mat_pdf(layout, out)
    print(f"{out}: {_size(layout)}. {_MEASURE}")
    return 0


def _players(game: Game, players: int) -> int:
    """The number of players, when so many can play it. Raises PrintError."""
    if players not in game.players:
        told = " or ".join(map(str, game.players))
        raise PrintError(
            f"{game.name} is played by {told}, not by {players}: write --players {game.players[0]}"
        )
    return players


def _plan(parsed: argparse.Namespace) -> int:
    from engines import table_games
    from firmware.numbers import catalogue_for
    from hardware.print.faces import boards
    from hardware.print.plan import plan_pdf

    game = table_games()[parsed.game]
    players = _players(game, max(game.players) if parsed.players is None else parsed.players)
    options = dict(game.defaults)
    for text in parsed.option:
        name, _, value = text.partition("=")
        known = next((option for option in game.options if option.name == name), None)
        if known is None or value not in known.values:
            all_ = "; ".join(f"{option.name}={'|'.join(option.values)}" for option in game.options)
            raise PrintError(f"{game.name} has no option {text}; there are: {all_}")
        options[name] = value
    catalogue = catalogue_for(game.id, parsed.numbers)
    lacks = game.rules.lacks(players, options, catalogue)
    layout = game.reading.layout(players, options, None if lacks else catalogue)
    out: Path = parsed.out or Path(f"{game.id}-plan.pdf")
    plan_pdf(layout, players, out, parsed.paper, boards(layout, None if lacks else catalogue))
    print(
        f"{out}: {game.name} for {players} on one sheet of {parsed.paper}, {_size(layout)} in true proportions"
    )
    if layout.loose:
        print("The corner markers around it: thoth print corners")
    else:
        print(f"The mat shows the same at its true size: thoth print mat {game.id} --players {players}")
    return 0


def _size(layout: Layout) -> str:
    return f"{layout.width:.0f} x {layout.height:.0f} mm"


def _board(parsed: argparse.Namespace) -> int:
    from engines.papyrus.numbers import numbers
    from engines.papyrus.plan import printed
    from firmware.numbers import catalogue_for
    from hardware.print.board import board_pdf

    out: Path = parsed.out or Path(f"{parsed.game}-board.pdf")
    catalogue = catalogue_for(parsed.game, parsed.numbers)
    board = numbers(catalogue).board
    if not board.edges:
        raise PrintError(
            f"there is no map to print: copy yours with thoth catalog {parsed.game} --template > {parsed.game}.toml\n"
            f"or print the sample: thoth print board {parsed.game} --numbers house"
        )
    paper = None if parsed.paper == "whole" else parsed.paper.removeprefix("tiled-")
    count = board_pdf(board, out, paper)
    if paper is None:
        wide, high, _ = printed(board)
        print(
            f'{out}: the board on one page. Print it at 100 % ("actual size"): it is {wide:.0f} mm wide and {high:.0f} mm high'
        )
    else:
        print(f"{out}: the board on {count} sheets of {paper}. {_TILED}")
    if catalogue["map.squares"] is not None:
        print(
            "This is Thoth's board for your map. Your own board needs no print: Thoth reads it as you told it"
        )
    return 0


def _corners(parsed: argparse.Namespace) -> int:
    from hardware.print.corners import corners_pdf

    out: Path = parsed.out or Path("corners.pdf")
    corners_pdf(out, parsed.paper)
    print(f"{out}: four corner markers and how to lay them, on one sheet of {parsed.paper}. {_MEASURE}")
    return 0
