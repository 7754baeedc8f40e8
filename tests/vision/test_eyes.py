"""The eyes on the simulated table: read right or say so, never guess, never raise."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from engines.table import Table
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.reading import expected
from hardware.clock import SimulatedClock
from hardware.print.faces import draw_back
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions, Glare
from hardware.simulated.hands import Hand
from hardware.simulated.table import SimulatedTable
from tests.vision.measure import CONDITIONS, TANIS, evening, gallery, judge
from tests.vision.scenes import Lying, Scene
from vision import stack
from vision.eyes import Eyes
from vision.gallery import Gallery

SIZE = (1536, 864)


@lru_cache(maxsize=1)
def faces() -> Gallery:
    return gallery()


def laid_out(
    seed: int, conditions: Conditions | None = None
) -> tuple[TanisWorld, SimulatedTable, SimulatedCamera]:
    world = deal(seed, 2, 0, {})
    table = SimulatedTable(TANIS, world.setup(), seed)
    table.lay_out()
    return world, table, SimulatedCamera(table, SimulatedClock(), SIZE, seed, conditions)


def play(world: TanisWorld, table: SimulatedTable, rng: random.Random) -> None:
    for acts, moves in world.choose(rng).stages:
        for act in acts:
            table.do(act)
        for move in moves:
            world.play(move)


def test_an_evening_is_followed_without_a_wrong_identity() -> None:
    total = None
    for _, _, tally in evening(11, SIZE, "usual", 26, faces()):
        if total is None:
            total = tally
        else:
            total.add(tally)
    assert total is not None
    assert total.wrong == 0, total.confused
    assert total.phantom == 0 and total.faults == 0
    assert total.right >= 0.995 * (total.right + total.doubt), total.doubtful


@pytest.mark.parametrize(
    "condition", ["dim", "warm", "cold", "gradient", "shadows", "noisy", "black table", "white table"]
)
def test_light_and_table_do_not_change_the_reading(condition: str) -> None:
    """P01, P03, P06, P08: dim, warm and cold light, slanting light, hard shadows, noise, dark and bright tables."""
    rng = random.Random(condition)
    world, table, camera = laid_out(len(condition))
    camera.conditions = CONDITIONS[condition](camera.conditions, rng)
    eyes = Eyes(TANIS, faces())
    awaited = Table()
    for _ in range(2):
        look = eyes.read(camera.capture(0.0).picture, awaited)
        assert look.fault is None and look.table is not None
        tally = judge(look.table, world, table)
        assert tally.wrong == 0, tally.confused
        assert tally.phantom == 0
        assert tally.right >= 0.97 * (tally.right + tally.doubt), tally.doubtful
        awaited = expected(world.state)
        for _ in range(10):
            play(world, table, rng)


def test_similar_faces_are_not_confused_at_any_turn() -> None:
    """P18, P19: 6 and 9, 3 and 8, 1 and 10, each sign, upright, upside down and askew."""
    rng = random.Random(5)
    names = [face.identity for face in TANIS.faces if face.kind == "tile"]
    rng.shuffle(names)
    zone = TANIS.zone("tiles-1")
    for start in (0, 16):
        lying = [
            Lying(name, zone.x + 28 + 52 * (i % 4), zone.y + 28 + 54 * (i // 4), rng.uniform(0, 360))
            for i, name in enumerate(names[start : start + 16])
        ]
        look = Eyes(TANIS, faces()).read(
            Scene(lying=lying, noise=3.0, blur=0.6, seed=start).picture(), Table()
        )
        assert look.table is not None
        seen = look.table.within("tiles-1")
        assert len(seen) == 16
        for piece in seen:
            true = min(lying, key=lambda body: abs(body.x - piece.x) + abs(body.y - piece.y))
            assert piece.identity == true.identity
            assert abs(piece.x - true.x) + abs(piece.y - true.y) < 1.0
            assert abs((piece.turn - true.turn + 180) % 360 - 180) < 2.0


def test_only_what_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world, table, camera = laid_out(3)
    eyes = Eyes(TANIS, faces())
    first = eyes.read(camera.capture(0.0).picture, Table())
    looked: list[int] = []
    whole = stack.look

    def counted(*arguments: object, **options: object) -> object:
        cells = arguments[6] if len(arguments) > 6 else options.get("cells")
        looked.append(20 if cells is None else len(cells))  # type: ignore[arg-type]
        return whole(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(stack, "look", counted)
    again = eyes.read(camera.capture(0.0).picture, expected(world.state))
    assert again.table is not None and first.table is not None
    assert sum(looked) == 0
    named = [(p.identity, p.zone) for p in first.table.pieces]
    assert named == [(p.identity, p.zone) for p in again.table.pieces]
    looked.clear()
    awaited = expected(world.state)
    play(world, table, random.Random(1))
    look = eyes.read(camera.capture(0.0).picture, awaited)
    assert look.table is not None
    assert 0 < sum(looked) < 20
    assert judge(look.table, world, table).wrong == 0


def test_an_empty_table_holds_nothing() -> None:
    """P22: no phantoms in empty zones, with an empty box or with none."""
    for box in ((297.0, 182.0, 0.5), None):
        for seed in range(2):
            look = Eyes(TANIS, faces()).read(Scene(box=box, noise=4.0, seed=seed).picture(), Table())
            assert look.table is not None
            assert [piece for piece in look.table.pieces if piece.zone != "dig" or box is not None] == []
            assert not any(piece.identities for piece in look.table.pieces)


def test_no_picture_makes_the_eyes_raise() -> None:
    """P21: empty, black, white, noise, wrong sizes and shapes."""
    rng = np.random.default_rng(0)
    eyes = Eyes(TANIS, faces())
    pictures = [
        np.zeros((864, 1536, 3), np.uint8),
        np.full((864, 1536, 3), 255, np.uint8),
        rng.integers(0, 255, (864, 1536, 3)).astype(np.uint8),
        rng.integers(0, 255, (70, 2000, 3)).astype(np.uint8),
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((864, 1536), np.uint8),
        np.zeros((864, 1536, 3), np.float32),
        np.zeros((1, 1, 3), np.uint8),
    ]
    for known in (False, True):
        for picture in pictures:
            look = eyes.read(picture, Table())
            assert look.table is None and look.fault
            sight = eyes.watch(picture, 1.0)
            assert not sight.settled or sight.fault is None
        if not known:
            assert eyes.read(Scene().picture(), Table()).fault is None
    assert eyes.read(Scene().picture(), Table()).fault is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"light": 0.1}, "dark"),
        ({"light": 1.8}, "bright"),
        ({"blur": 2.6}, "blurred"),
        ({"light": 0.85, "gradient": (0.0, 0.0), "glare": Glare(110, 170, 40, 0.7)}, "glare left"),
        ({"light": 0.85, "gradient": (0.0, 0.0), "glare": Glare(480, 170, 40, 0.7)}, "glare right"),
    ],
)
def test_the_fault_of_a_picture_is_named(change: dict[str, object], fault: str) -> None:
    _, _, camera = laid_out(2, Conditions())
    eyes = Eyes(TANIS, faces())
    assert eyes.read(camera.capture(0.0).picture, Table()).fault is None
    camera.conditions = replace(camera.conditions, **change)  # type: ignore[arg-type]
    look = eyes.read(camera.capture(0.0).picture, Table())
    assert (look.table, look.fault) == (None, fault)
    camera.conditions = Conditions()
    assert eyes.read(camera.capture(0.0).picture, Table()).fault is None


def test_a_hand_in_view_is_noticed_whatever_its_sleeve_and_no_piece_is_a_hand() -> None:
    rng = random.Random(2)
    for seed in (1, 4):
        world, table, camera = laid_out(seed)
        eyes = Eyes(TANIS, faces())
        for step in range(4):
            sight = eyes.watch(camera.preview().picture, step * 0.2)
        assert sight.settled and sight.changed and sight.fault is None
        eyes.read(camera.capture(0.0).picture, Table())
        for _ in range(6):
            x, y = rng.uniform(60, 530), rng.uniform(70, 340)
            elbow = rng.choice([(-150.0, y + 50), (750.0, y - 50), (x + 60, 560.0)])
            skin = rng.choice([(150, 180, 224), (46, 62, 98), (98, 128, 178)])
            sleeve = rng.choice([(92, 62, 40), (200, 200, 196), (60, 60, 60)])
            table.hands = (Hand(x, y, 20.0, *elbow, skin, sleeve),)
            sight = eyes.watch(camera.preview().picture, 1.0)
            assert sight.fault == "hand" and not sight.settled
        table.hands = ()
        play(world, table, rng)
        for step in range(4):
            sight = eyes.watch(camera.preview().picture, 2.0 + step * 0.2)
        assert sight.fault is None and sight.settled and sight.changed


def test_a_knocked_camera_and_a_bumped_box_are_put_right_at_once() -> None:
    """P07, P09, P14."""
    world, table, camera = laid_out(6)
    eyes = Eyes(TANIS, faces())
    eyes.read(camera.capture(0.0).picture, Table())
    camera.conditions = replace(camera.conditions, shift=(5.0, -4.0), turn=0.8, sag=0.5)
    look = eyes.read(camera.capture(0.0).picture, expected(world.state))
    assert look.table is not None and "find" in look.ms
    assert judge(look.table, world, table).doubt == 0
    table.bump_box(3.0, -4.0, 1.5)
    look = eyes.read(camera.capture(0.0).picture, expected(world.state))
    assert look.table is not None
    tally = judge(look.table, world, table)
    assert (tally.wrong, tally.doubt) == (0, 0), (tally.confused, tally.doubtful)
    assert eyes.calibration is not None and table.box is not None
    box = eyes.calibration.boxes["dig"]
    assert (
        abs(box.x - table.box.x) < 1 and abs(box.y - table.box.y) < 1 and abs(box.turn - table.box.turn) < 0.7
    )


def test_a_face_that_nobody_showed_is_no_known_piece() -> None:
    """P02: a tile that lies on its face, and a foreign thing of its size, are there and not known."""
    scene = Scene(noise=3.0)
    picture = scene.picture()
    back = draw_back(TANIS.kind("tile"), 4.0)
    rng = np.random.default_rng(3)
    foreign = cv2.GaussianBlur(rng.integers(0, 255, back.shape).astype(np.uint8), (0, 0), 4)
    for face, x in ((back, 80.0), (cv2.normalize(foreign, None, 0, 255, cv2.NORM_MINMAX), 160.0)):
        corners = np.array([[x - 11, 128, 4], [x + 11, 128, 4], [x + 11, 172, 4], [x - 11, 172, 4]])
        at = scene_points(scene, corners)
        size = np.array([[0, 0], [88, 0], [88, 176], [0, 176]], np.float32)
        way = cv2.getPerspectiveTransform(size, at)
        drawn = cv2.warpPerspective(face, way, SIZE)
        mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), way, SIZE)
        picture[mask > 128] = drawn[mask > 128]
    look = Eyes(TANIS, faces()).read(picture, Table())
    assert look.table is not None
    assert not any(piece.identities for piece in look.table.within("tiles-1"))
    assert any(abs(piece.x - 80) + abs(piece.y - 150) < 4 for piece in look.table.within("tiles-1"))


def scene_points(scene: Scene, corners: np.ndarray) -> np.ndarray:
    from vision.calibration import project

    return project(corners, scene.lens, scene.pose, SIZE).astype(np.float32)


def test_what_stands_in_a_zone_makes_it_unread_and_nothing_else() -> None:
    """A cup on the tiles or on the dig: that zone says nothing, the others are read."""
    world, table, camera = laid_out(9)
    rng = random.Random(9)
    for _ in range(6):
        play(world, table, rng)
    eyes = Eyes(TANIS, faces())
    assert eyes.read(camera.capture(0.0).picture, expected(world.state)).fault is None
    assert eyes.calibration is not None
    for spot, zone in (((120.0, 230.0), "tiles-1"), ((297.0, 182.0), "dig")):
        picture = camera.capture(0.0).picture.copy()
        at = eyes.calibration.project(np.array([[*spot, 4.0], [spot[0] + 36, spot[1], 4.0]]), SIZE)
        cv2.circle(picture, np.round(at[0]).astype(int).tolist(), int(at[1, 0] - at[0, 0]), (60, 40, 40), -1)
        look = eyes.read(picture, expected(world.state))
        assert look.table is not None
        assert look.table.unread == (zone,)
        assert not look.table.within(zone)
        assert len(look.table.within("cards-2")) == len(table.within("cards-2"))
        look = eyes.read(camera.capture(0.0).picture, expected(world.state))
        assert look.table is not None and look.table.unread == ()
        tally = judge(look.table, world, table)
        assert (tally.wrong, tally.doubt, tally.phantom) == (0, 0, 0), tally.doubtful
