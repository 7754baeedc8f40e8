"""``thoth enrol GAME``: the faces of one's own set, shown to the camera; also on a simulated table, from which it learns to be tried."""

from __future__ import annotations

import json
import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines import games, table_games
from engines.table import Face, Kind, Layout
from firmware import service
from firmware import settings as own_settings
from firmware.box import parts
from firmware.box.light import CALIBRATION, Light
from firmware.box.logtail import to_stderr
from firmware.box.pace import REAL, SIMULATED, Pace
from firmware.box.stop import Stop
from firmware.commands import tomltext
from firmware.enrolling.album import Album, Keeper
from firmware.enrolling.base import Enrolling
from firmware.enrolling.eyes import EnrollingEyes
from firmware.enrolling.faces import name_of
from firmware.enrolling.machine import begin, failsafe, screen, step
from firmware.events import Effect
from firmware.notices import plain
from firmware.settings import Settings, load
from firmware.shell import Shell
from hardware.buttons.press import Buttons
from hardware.camera.frame import Camera
from hardware.clock import Clock, SimulatedClock, SystemClock
from hardware.display.screen import Display
from vision.gallery import BACK

if TYPE_CHECKING:
    from hardware.simulated.enroller import Enroller

log = logging.getLogger("thoth")

THICKNESS = 0.4
"""mm of a card."""
MAT = (594.0, 420.0)
"""mm of Thoth's mats: whatever game is printed on one, its markers tell where things lie and how large they are."""


class EnrolError(Exception):
    """The call cannot be carried out; the text says why and what to do."""


@dataclass(frozen=True)
class Wish:
    """What shall be shown, and where to. ``out``: the gallery's folder, None: in the settings' gallery, else in the state folder."""

    game: str
    face: str | None = None
    out: Path | None = None
    config: Path | None = None
    state_dir: Path | None = None
    use: bool = False
    verbose: bool = False


def layout_of(game: str) -> Layout:
    """The faces of a game, its backs first, with their sizes, and the size of the mat that may lie there. Raises EnrolError."""
    from hardware.print.faces import faces

    known = games()
    if game not in known:
        raise EnrolError(f"there is no game {game}; there are: {', '.join(known)}")
    pieces = faces(game)
    table = table_games().get(game)
    if table is not None:
        layout = table.reading.layout(table.players[0], table.defaults)
        width, height, kinds, listed = layout.width, layout.height, list(layout.kinds), list(layout.faces)
    else:
        (width, height), kinds, listed = MAT, [], []
        for piece in pieces.values():
            if piece.identity.startswith(BACK):
                continue
            size = piece.drawing.width, piece.drawing.height
            kind = next((one for one in kinds if (one.width, one.height) == size), None)
            if kind is None:
                # Pieces of one name may come in two sizes.
                again = sum(one.name.partition("-")[0] == piece.kind for one in kinds)
                kind = Kind(f"{piece.kind}-{again + 1}" if again else piece.kind, *size, THICKNESS)
                kinds.append(kind)
            listed.append(Face(piece.identity, kind.name, (piece.identity,), max(1, piece.copies)))
    taken = {face.identity for face in listed}
    backs = []
    for piece in pieces.values():
        size = piece.drawing.width, piece.drawing.height
        # A back is as large as the pieces whose back it is.
        kind = next((one for one in kinds if (one.width, one.height) == size), None)
        if kind is not None and piece.identity.startswith(BACK) and piece.identity not in taken:
            backs.append(Face(piece.identity, kind.name, (piece.identity,)))
    listed.sort(key=lambda face: not face.identity.startswith(BACK))
    return Layout(game, width, height, tuple(kinds), (), (*backs, *listed))


def folder_of(wish: Wish, settings: Settings) -> Path:
    """Where the gallery of a game is: where the service looks for it, if the settings name one."""
    if wish.out is not None:
        return wish.out
    chosen = settings.text("gallery")
    root = Path(chosen).expanduser() if chosen else (wish.state_dir or settings.state_dir) / "gallery"
    return root / wish.game


def _only(wish: Wish, layout: Layout) -> tuple[str, ...]:
    if wish.face is None:
        return ()
    names = [face.identity for face in layout.faces]
    found = [name for name in names if wish.face.lower() in (name, name_of(name).lower())]
    if not found:
        import difflib

        near = difflib.get_close_matches(wish.face, names, 3) or names[:3]
        raise EnrolError(f"{wish.game} has no face {wish.face}; there are: {', '.join(near)} ...")
    return tuple(found)


def make_shell(
    clock: Clock,
    camera: parts.Keeper[Camera] | Camera,
    display: parts.Keeper[Display] | Display,
    buttons: parts.Keeper[Buttons] | Buttons,
    album: Album,
    only: tuple[str, ...],
    size: tuple[int, int],
    *,
    title: str,
    pace: Pace = REAL,
    light: Light | None = None,
    safe: bool = True,
    observe: Callable[..., None] | None = None,
) -> Shell[Enrolling]:
    """An enrolment on these parts, as a night is on them; it has not begun."""
    eyes = EnrollingEyes(album.layout, album.pictures, light.calibration if light is not None else None)
    one, effects = begin(title, album.layout, album.pictures, only, picture=size)

    def again() -> tuple[Enrolling, tuple[Effect, ...]]:
        return failsafe(shell.night, album.pictures)

    shell: Shell[Enrolling] = Shell(
        clock,
        camera,
        display,
        buttons,
        lambda _: eyes,
        Keeper(album, eyes),
        one,
        step=step,
        effects=effects,
        pace=pace,
        light=light,
        failsafe=again if safe else None,
        compare=album.pairs,
        observe=observe,
    )
    return shell


# -- at a real table -------------------------------------------------------------------------------------


def run(wish: Wish) -> int:
    """Show the faces to the camera. Returns 0 when all are in the gallery, 1 when some are missing still.

    Raises EnrolError, GalleryError, ServiceError or SettingsError for what stands in the way.
    """
    stop = Stop()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    settings, faults = load(wish.config)
    service.log_to_stderr(wish.verbose, settings)
    for fault in faults:
        log.error("settings, %s", fault)
    layout = layout_of(wish.game)
    only = _only(wish, layout)
    album = Album.open(folder_of(wish, settings), layout)
    for damage in album.damage:
        log.error("%s", damage)
    if settings.kind("camera.kind") == "none":
        raise EnrolError(
            "there is no camera to show faces to; set camera.kind in the settings, or make the gallery from pictures: "
            f"thoth enrol {folder_of(wish, settings)} --from DIR"
        )
    clock = SystemClock()
    state = wish.state_dir or settings.state_dir
    with service.alone(state):
        light = Light(state / CALIBRATION)
        camera = parts.camera(settings, clock, lambda: light.exposure)
        size = settings.number("camera.width"), settings.number("camera.height")
        shell = make_shell(
            clock,
            camera,
            parts.display(settings),
            parts.buttons(settings),
            album,
            only,
            size,
            title=games()[wish.game].name,
            light=light,
        )
        try:
            shell.run_until(lambda: stop.asked)
        finally:
            shell.close()
    return _farewell(wish, album, settings)


def _farewell(wish: Wish, album: Album, settings: Settings) -> int:
    """Say what is in the gallery, and how the service comes to use it."""
    missing = [face.identity for face in album.layout.faces if face.identity not in album.pictures]
    total = len(album.layout.faces)
    print(f"{album.folder}: {total - len(missing)} of {total} faces, {album.written} shown now")
    if missing:
        names = ", ".join(missing[:4]) + (" ..." if len(missing) > 4 else "")
        print(f"still to be shown: {names}; go on with: thoth enrol {wish.game}")
        return 1
    line = setting_line(album.folder)
    if line is None:
        print("read photos by it:")
        print(f"  thoth read PHOTO --gallery {album.folder}")
        print(f"to play by it, its folder must be called {wish.game}; make such a one beside it:")
        print(f"  thoth enrol {album.folder}-play/{wish.game} --from {album.folder}")
        return 0
    if settings.text("gallery") and Path(settings.text("gallery")).expanduser() == album.folder.parent:
        print("the settings name it already")
    elif wish.use:
        path = use(wish.config, line)
        print(f"{path}: {line}")
    else:
        print("to play with it, write into the settings (or call again with --use):")
        print(f"  {line}")
        if wish.game in table_games():
            print("to watch a night by it first:")
            print(f"  thoth demo --gallery {album.folder.parent}")
    return 0


def setting_line(folder: Path) -> str | None:
    """The line for the settings; None when the folder is not called as the service will look for it."""
    folder = folder.absolute()
    if folder.name not in games():
        return None
    return f"gallery = {tomltext.written(str(folder.parent))}"


def use(config: Path | None, line: str) -> Path:
    """Write the line into the settings file, in the place of an older one; every other line stays as it is. Raises EnrolError."""
    path = config or next((place for place in own_settings.PLACES if place.exists()), own_settings.PLACES[0])
    try:
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        head = next((i for i, one in enumerate(lines) if one.lstrip().startswith("[")), len(lines))
        old = [i for i, one in enumerate(lines[:head]) if one.partition("=")[0].strip() == "gallery"]
        if old:
            lines[old[0]] = line
        else:
            lines.insert(0, line)
        text = "\n".join(lines) + "\n"
        changed, faults = own_settings.check(text)
        if f"gallery = {tomltext.written(changed.text('gallery'))}" != line:
            raise EnrolError(
                f"{path}, {faults[0] if faults else 'gallery'}: put that right, then write: {line}"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f"{path.name}.new")
        aside.write_text(text, "utf-8")
        aside.replace(path)
    except OSError as error:
        raise EnrolError(
            f"{path} cannot be written ({error.strerror}); write this line into your settings yourself: {line}"
        ) from error
    return path


# -- on a simulated table ----------------------------------------------------------------------------------


@dataclass
class Bench:
    """Everything that is there when faces are shown on a simulated table."""

    people: Enroller
    table: Any
    camera: Any
    chip: Any
    shell: Shell[Enrolling]
    album: Album


def prepare(
    game: str,
    folder: Path,
    clock: SimulatedClock,
    seed: int = 1,
    slips: float = 0.0,
    only: tuple[str, ...] = (),
    size: tuple[int, int] = (1536, 864),
    observe: Callable[..., None] | None = None,
) -> Bench:
    """A simulated table, camera, display and buttons, and somebody who shows the faces of a game. Raises EnrolError, GalleryError."""
    from firmware.demo import Seen
    from hardware.buttons.gpio import GpioButtons
    from hardware.display import DisplaySettings
    from hardware.display.oled import OledDisplay
    from hardware.simulated.bus import OledChip, SimulatedBus
    from hardware.simulated.camera import SimulatedCamera
    from hardware.simulated.enroller import Enroller
    from hardware.simulated.pins import SimulatedPins
    from hardware.simulated.table import SimulatedTable

    layout = layout_of(game)
    album = Album.open(folder, layout)
    table = SimulatedTable(_on_a_mat(layout), (), seed)
    camera = SimulatedCamera(table, clock, size, seed)
    pins = SimulatedPins(clock, seed=seed)
    chip = OledChip()

    def press(button: Any, long: bool) -> None:
        pins.press(button, long)

    called = {name_of(face.identity): face.identity for face in layout.faces}
    people = Enroller(table, called, press, clock, seed, slips)
    options = DisplaySettings(dim_after=0, sleep_after=0)
    bus = SimulatedBus({options.address: chip})
    shell = make_shell(
        clock,
        camera,
        Seen(OledDisplay(options, clock, bus.open), people.see),
        GpioButtons(factory=pins.factory, clock=clock),
        album,
        only,
        size,
        title=games()[game].name,
        pace=SIMULATED,
        safe=False,
        observe=observe,
    )
    return Bench(people, table, camera, chip, shell, album)


def _on_a_mat(layout: Layout) -> Layout:
    """The layout with what is printed on the mat that lies on the simulated table: its game's zones, or nothing."""
    table = table_games().get(layout.game)
    zones = table.reading.layout(table.players[0], table.defaults).zones if table is not None else ()
    return replace(layout, zones=zones)


def simulate(wish: Wish, seed: int, slips: float, as_json: bool) -> int:
    """``thoth enrol GAME --simulated``: the demo of an enrolment. Returns 0 when all faces are in the gallery."""
    from firmware.demo import can_draw
    from hardware.simulated.people import LostPatienceError

    for chatty in ("PIL", "luma"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    to_stderr(logging.DEBUG if wish.verbose else logging.WARNING)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    settings, _ = load(wish.config)
    folder = folder_of(wish, settings)
    watched = not as_json and can_draw(sys.stdout)
    clock: SimulatedClock
    if watched:
        from firmware.commands.watch import PacedClock, Watcher

        clock = PacedClock(6.0)
    else:
        clock = SimulatedClock()
    told = [""]

    def say(before: Enrolling, event: object, after: Enrolling, effects: tuple[Effect, ...]) -> None:
        del event, effects
        line = plain(screen(after))
        if not watched and not as_json and after.place != before.place and told[-1] != line:
            told[0] = line
            print(line, flush=True)

    bench = prepare(wish.game, folder, clock, seed, slips, _only(wish, layout_of(wish.game)), observe=say)
    if watched:
        clock.on_advance(Watcher(bench).draw)
    code = 0
    try:
        bench.shell.run_until(lambda: False)
    except LostPatienceError as lost:
        print(f"thoth enrol: {lost}", file=sys.stderr)
        code = 1
    finally:
        bench.shell.close()
    if as_json:
        print(json.dumps(figures(bench, seed)))
        return code
    return max(code, _farewell(wish, bench.album, settings))


def figures(bench: Bench, seed: int) -> dict[str, Any]:
    """The enrolment in numbers."""
    shown, album, shell = bench.people.shown, bench.album, bench.shell
    return {
        "game": album.layout.game,
        "seed": seed,
        "faces": len(album.layout.faces),
        "enrolled": len(album.pictures),
        "groups": len(shown.groups),
        "slips": len(shown.slips),
        "slips_caught": len(shown.caught),
        "refused": shown.refused,
        "overruled": shown.overruled,
        "alike": shown.alike,
        "seconds": round(shell.clock.monotonic() - 1000.0, 1),
        "frames": shell.frames,
        "read_ms": shell.timings.summary("read"),
        "gallery": str(album.folder),
    }
