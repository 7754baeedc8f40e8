"""The numbers printed on the components: the owner's own file, and the words when some are missing.

The owner's file lies where updates leave it alone: beside the settings of the box, or in the user's own configuration. What is given
on the command line takes its place: ``house`` (the house set that comes with Thoth), ``shipped``, or a file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from engines.catalogue import BASES, Catalogue, Lack, MissingNumbers, laid
from engines.game import Game
from engines.ownfile import CatalogueFault, OwnFile, read_own

NAME = "numbers.toml"
SYSTEM = Path("/etc/thoth")
_MOST = 400_000
"""Bytes; a longer file is no file of numbers."""
_SHOWN = 10
"""Faults that are told when a game cannot start for them; --check names all."""


class NumbersError(Exception):
    """The numbers that were asked for cannot be used; the text says why and what to do."""


def places(beside: Path | None = None) -> tuple[Path, Path]:
    """Where the owner's own file may lie: beside the settings of the box, and in the user's own folder, which stands over it."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config")
    with contextlib.suppress(RuntimeError):  # a service may have no home at all
        home = home.expanduser()
    return (beside or SYSTEM) / NAME, home / "thoth" / NAME


def shown(path: Path) -> str:
    """A path as its owner would type it."""
    try:
        home = str(Path.home())
    except RuntimeError:
        return str(path)
    return f"~{str(path)[len(home) :]}" if str(path).startswith(f"{home}/") else str(path)


def load(path: Path) -> OwnFile:
    """The numbers of a file, with every fault. Raises OSError when it cannot be read at all."""
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    try:
        return read_own(data.decode("utf-8-sig").replace("\r\n", "\n"), path.name)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        fault = CatalogueFault(line, "this is not UTF-8 text", "save the file as UTF-8")
        return OwnFile(path.name, False, {}, (fault,), {})


def catalogue_for(game: str, numbers: Sequence[str] = (), beside: Path | None = None) -> Catalogue:
    """The numbers in force for a game: by what was asked for (``house``, ``shipped`` or files, which stand over either), or by the owner's
    own file when nothing was.

    Raises NumbersError for a file that is missing, has a fault or says nothing of this game.
    """
    unknown = [one for one in numbers if one not in BASES and not _there(Path(one))]
    if unknown:
        raise NumbersError(f"there are no numbers '{unknown[0]}': give a file, or house, or shipped")
    given = [Path(one) for one in numbers if one not in BASES]
    files = [sound(path) for path in given or (own(beside) if not numbers else ())]
    for file in files if given else ():
        if not file.values.get(game):
            raise NumbersError(
                f"{file.name} has no numbers for {game}: its tables must begin with [{game}.; "
                f"make one with: thoth catalog {game} --template > {game}.toml"
            )
    return laid(game, files, BASES["house" if "house" in numbers else "shipped"](game))


def own(beside: Path | None = None) -> tuple[Path, ...]:
    """The owner's own files that there are."""
    return tuple(path for path in places(beside) if _there(path))


def _there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a home that a service may not look into holds no file of its own
        return False


def sound(path: Path) -> OwnFile:
    """The numbers of a file without a fault. Raises NumbersError that names its faults."""
    file = load(path)
    if file.faults:
        told = [f"{path}, {fault}" for fault in file.faults[:_SHOWN]]
        if len(file.faults) > _SHOWN:
            told.append(f"and {len(file.faults) - _SHOWN} more; see all with: thoth catalog --check {path}")
        raise NumbersError("\n".join(told))
    return file


def refusal(game: Game, error: MissingNumbers) -> str:
    """Why a game cannot start: each number with what to type from which component, and how to go on."""
    return "\n".join(
        (
            f"{game.name} cannot be played by these numbers:",
            *(f"  {told(lack)}" for lack in error.lacks),
            "Make a file to fill in and play by it:",
            f"  thoth catalog {game.id} --template > {game.id}.toml",
            f"  thoth play {game.id} --numbers {game.id}.toml",
            f"or try the game with invented numbers: thoth play {game.id} --numbers house",
        )
    )


def told(lack: Lack) -> str:
    """A lack in one line."""
    return f"{lack.text}: {lack.remedy}" if lack.remedy else lack.text
