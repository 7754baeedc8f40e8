"""``python -m tests.rendered.learn``: learn vision/network/detail.onnx, which says of each cell of a piece whether it shows something else.

Faces are those of the training (`vision.network.training.faces`), photographed by the suite's camera: no face of the suite is learned. Each
piece is aligned as reading does it and compared with its face (true), and with the face after a small change (a sign exchanged, turned, taken
away, written; a plain part of another tone), whose cells are known. About 10 minutes on one core; what was drawn is kept in build/train.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.rendered import deck as decks
from tests.rendered.drawing import Picture
from tests.rendered.family import Change, Family, seeded
from tests.rendered.run import ROOT
from tests.rendered.sets import scene
from vision.network.detail import FINE_COLUMNS, FINE_HEIGHT, FINE_ROWS, FINE_WIDTH, fitted, left
from vision.network.model import HOME, Array
from vision.network.training.faces import changed, designed, drawn
from vision.network.training.inks import ink, pick
from vision.network.training.layouts import Design
from vision.network.training.pairs import cell_differences
from vision.network.training.shapes import SHAPES, symbol
from vision.photo import Photo
from vision.reading.align import align
from vision.reading.tones import parts

SEED = 5
EDITIONS, SCENES = 22, 2
CHANGES_A_PIECE = 3
FACES = 9
JITTER = 0.008
"""Deviation of the corners before alignment, shares of the diagonal."""
LEAST_VISIBLE = 0.95
TELLING = 1.2
"""Cells of difference from which a changed face is another."""
FRAME = (FINE_WIDTH, FINE_HEIGHT)
STEPS, BATCH, RATE = 900, 24, 4e-3
KINDS = ("other", "erased", "turned", "symbol", "text", "tone")
KIND_CHANCES = (0.32, 0.1, 0.13, 0.13, 0.17, 0.15)


class Made(Family):
    """A family of the training's faces as a family of the suite, for this room only."""

    name = "made"
    size = (60.0, 90.0)

    def style(self, rng: Generator) -> None:
        """Fixed by the first face."""

    def specs(self, count: int) -> list[Design]:
        rng = seeded(self.name, self.edition)
        out = [designed(rng)]
        while len(out) < count:
            out.append(
                changed(out[int(rng.integers(len(out)))], rng)[0] if rng.random() < 0.6 else designed(rng)
            )
        return out

    @property
    def changes(self) -> Mapping[str, Change]:
        return {}

    def draw(self, spec: Design) -> Picture:
        return np.asarray(cv2.resize(drawn(spec), self.canvas, interpolation=cv2.INTER_CUBIC), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """An aligned piece and its face, (240, 160, 3), with the other faces of its photo."""

    crop: Picture
    face: Picture
    others: tuple[Picture, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """``measured`` (n, 33, 30, 20); ``differs`` (n, 30, 20) hundredths; ``same`` (n,) 1 or 0."""

    measured: NDArray[np.float16]
    differs: NDArray[np.uint8]
    same: NDArray[np.uint8]


def pairs(rng: Generator) -> Iterator[Pair]:
    """Pieces of photos of every hardship, aligned as reading aligns them."""
    decks.FAMILIES["made"] = Made
    decks.FACES["made"] = FACES
    for edition in range(EDITIONS):
        for number in range(SCENES):
            made = scene("hard" if (edition + number) % 3 else "twins", 7000 + number, "made", edition)
            bank = made.deck.bank()
            photo = Photo(made.photo)
            known = [piece for piece in made.pieces if piece.identity and piece.visible > LEAST_VISIBLE]
            if not known:
                continue
            rows = [bank.names.index(piece.identity or "") for piece in known]
            views = np.array([int(np.flatnonzero(bank.views.rows == row)[0]) for row in rows])
            quads = np.stack(
                [
                    piece.quad + rng.normal(0, JITTER * np.linalg.norm(piece.quad[0] - piece.quad[2]), (4, 2))
                    for piece in known
                ]
            ).astype(np.float32)
            quads = align(photo, quads, bank.gauge.pictures[views])
            faces = [bank.close(row).picture for row in range(len(bank.names))]
            for row, crop in zip(rows, photo.crops(list(quads), *FRAME), strict=True):
                yield Pair(crop, faces[row], tuple(face for at, face in enumerate(faces) if at != row))


def altered_face(rng: Generator, pair: Pair) -> Picture | None:
    """The face with one small thing changed; None when chance finds no place for it."""
    face, kind = pair.face, str(rng.choice(KINDS, p=KIND_CHANCES))
    if kind == "tone":
        return _toned(rng, face)
    grey = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.float32)
    for _ in range(12):
        width, height = (int(np.exp(rng.uniform(np.log(9), np.log(36)))) for _ in range(2))
        x, y = int(rng.integers(8, FINE_WIDTH - width - 8)), int(rng.integers(8, FINE_HEIGHT - height - 8))
        box = slice(y, y + height), slice(x, x + width)
        around = np.concatenate(
            [
                face[y - 2, box[1]],
                face[y + height + 1, box[1]],
                face[box[0], x - 2],
                face[box[0], x + width + 1],
            ]
        )
        out = face.copy()
        if kind in ("symbol", "text"):
            tone = ink(rng) if rng.random() < 0.5 else _any_colour(rng, face)
            if np.abs(np.array(tone) - np.median(around, 0)).max() < 50:
                continue
            middle, half = (x + width / 2, y + height / 2), max(4.0, min(width, height) / 2)
            if kind == "symbol":
                symbol(out, pick(rng, SHAPES), "solid", tone, middle, (half, half))
            else:
                _write(out, str(rng.integers(100)), middle, half, tone, int(rng.integers(5)))
            return out
        if grey[box].std() < 10:
            continue
        if kind == "other":
            new = pair.others[int(rng.integers(len(pair.others)))][box] if pair.others else face[box]
            seam = np.abs(new[[0, -1]].astype(int) - face[[y, y + height - 1], box[1]]).mean()
            if seam > 14 and rng.random() < 0.8:
                continue
        elif around.std(0).max() > 16:
            continue
        elif kind == "erased":
            new = np.broadcast_to(np.median(around, 0), face[box].shape).astype(np.uint8)
        else:
            ways = (face[box][::-1], face[box][:, ::-1], face[box][::-1, ::-1])
            new = ways[int(rng.integers(3))]
        if np.abs(new.astype(int) - face[box]).max(2).mean() < 6:
            continue
        out[box] = new
        return out
    return None


def _any_colour(rng: Generator, face: Picture) -> tuple[int, int, int]:
    blue, green, red = (int(c) for c in face[int(rng.integers(FINE_HEIGHT)), int(rng.integers(FINE_WIDTH))])
    return blue, green, red


def _write(
    picture: Picture,
    text: str,
    middle: tuple[float, float],
    half: float,
    tone: tuple[int, int, int],
    font: int,
) -> None:
    """Drawn large and made smaller: small letters of OpenCV are ragged."""
    (wide, high), _ = cv2.getTextSize(text, font, 2.0, 4)
    plate = np.zeros((high + 24, wide + 24), np.uint8)
    cv2.putText(plate, text, (12, high + 12), font, 2.0, 255, 4, cv2.LINE_AA)
    scale = 2 * half / max(plate.shape)
    small = cv2.resize(plate, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, side = (max(0, round(at - size / 2)) for at, size in zip(middle[::-1], small.shape, strict=True))
    part = picture[top : top + small.shape[0], side : side + small.shape[1]]
    share = small[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - share) + np.array(tone, np.float32) * share).astype(np.uint8)


def _toned(rng: Generator, face: Picture) -> Picture | None:
    numbered = parts(face)
    if numbered.max() < 2:
        return None
    whole = np.asarray(numbered == rng.integers(1, numbered.max() + 1), np.uint8)
    count, labels = cv2.connectedComponents(cv2.dilate(whole, np.ones((5, 5), np.uint8)))
    chosen = labels > 0 if rng.random() < 0.5 else labels == 1 + int(rng.integers(count - 1))
    if chosen.mean() > 0.5:
        return None
    soft = cv2.GaussianBlur(chosen.astype(np.float32), (0, 0), 0.7)[..., None] * np.float32(
        rng.uniform(0.1, 0.22)
    )
    return np.asarray(
        np.clip(face * (1 - soft) + (255 if rng.random() < 0.5 else 0) * soft, 0, 255), np.uint8
    )


def retaken(rng: Generator, picture: Picture, strength: float) -> Picture:
    """As another camera would have it: sharpened or soft, other colours, contrast and tone curve, haze, grain, JPEG, a little askew."""
    x: Any = picture.astype(np.float32)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.9, 2.2))
        x = x + np.float32(rng.uniform(0.2, 1.1) * strength) * (x - soft)
    if rng.random() < 0.25:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.5, 1.4))
    if rng.random() < 0.7:
        mix = np.eye(3) + rng.normal(0, 0.05 * strength, (3, 3))
        x = cv2.transform(x, mix / mix.sum(1, keepdims=True))
    if rng.random() < 0.6:
        grey = x.mean(2, keepdims=True)
        x = grey + (x - grey) * np.float32(np.exp(rng.normal(0, 0.18 * strength)))
    if rng.random() < 0.7:
        x = 255 * (np.clip(x, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.16 * strength)))
    if rng.random() < 0.3:
        share = np.clip(x, 0, 255) / 255
        x = x + 255 * rng.uniform(-0.5, 0.8) * strength * share * (1 - share) * (share - 0.5)
    if rng.random() < 0.2:
        x = x * 0.88 + rng.uniform(0, 28)
    if rng.random() < 0.4:
        grain = cv2.GaussianBlur(
            rng.standard_normal(x.shape).astype(np.float32), (0, 0), rng.uniform(0.5, 1.6)
        )
        x = x + grain / grain.std() * rng.uniform(0.5, 4)
    out = np.asarray(np.clip(x, 0, 255), np.uint8)
    if rng.random() < 0.4:
        packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 92))])[1]
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if rng.random() < 0.5:
        right = np.array([[0, 0], [FRAME[0], 0], FRAME, [0, FRAME[1]]], np.float32)
        warp = cv2.getPerspectiveTransform(right, (right + rng.normal(0, 1.1, (4, 2))).astype(np.float32))
        out = np.asarray(cv2.warpPerspective(out, warp, FRAME, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return out


def _logs(face: Picture) -> Array:
    """(120, 80, 3) at about the sharpness of photos."""
    small = cv2.resize(face, (FINE_WIDTH // 2, FINE_HEIGHT // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.log(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.9) + 24), np.float32)


def lessons(rng: Generator) -> Lessons:
    """What is measured of true pieces and of pieces against changed faces."""
    measured, differs, same = [], [], []

    def learned(crop: Picture, face: Picture, cells: Array) -> None:
        crop = retaken(rng, crop, 1.0) if rng.random() < 0.5 else crop
        face = retaken(rng, face, 0.6) if rng.random() < 0.4 else face
        measured.append(left(crop, fitted(crop, face)).astype(np.float16))
        differs.append(np.minimum(cells * 100, 255).astype(np.uint8))
        same.append(not cells.any())

    nothing = np.zeros((FINE_ROWS, FINE_COLUMNS), np.float32)
    for pair in pairs(rng):
        learned(pair.crop, pair.face, nothing)
        for _ in range(CHANGES_A_PIECE):
            face = altered_face(rng, pair)
            if face is None:
                continue
            cells = cell_differences(_logs(pair.face), _logs(face), (FINE_COLUMNS, FINE_ROWS))
            if cells.sum() > TELLING:
                learned(pair.crop, face, cells)
    return Lessons(np.stack(measured), np.stack(differs), np.array(same, np.uint8))


def learn(held: Lessons, steps: int, out: Path) -> float:
    """Writes detail.onnx into a folder; the last losses' mean."""
    import torch
    from torch.nn import functional

    from vision.network.training.layers import Detail, export_detail

    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    some = held.measured[rng.permutation(len(held.same))[:3000]].astype(np.float32)
    network = Detail()
    network.scale(some.mean((0, 2, 3)), some.std((0, 2, 3)) + 1e-3)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(1 - 1 / 80), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=3e-3)
    kinds = [np.flatnonzero(held.same == kind) for kind in (1, 0)]
    inner = torch.zeros(FINE_ROWS, FINE_COLUMNS)
    inner[1:-1, 1:-1] = 1
    losses: list[float] = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = (
                RATE * min(1.0, step / 60 + 0.05) * (0.504 + 0.5 * float(np.cos(np.pi * step / steps)))
            )
        at = np.concatenate([rng.choice(kind, BATCH) for kind in kinds])
        planes = torch.from_numpy(held.measured[at].astype(np.float32))
        cells = torch.from_numpy(held.differs[at].astype(np.float32))
        mirrored = [axis for axis in (1, 2) if rng.random() < 0.5]
        planes, cells = planes.flip([axis + 1 for axis in mirrored]), cells.flip(mirrored)
        odd = network(planes)[:, 0]
        other = (cells > 50).float()
        known = ((cells > 50) | (cells < 8)).float() * inner
        by_cell = functional.binary_cross_entropy_with_logits(odd, other, reduction="none")
        by_pair = functional.binary_cross_entropy_with_logits(
            network.score(odd, inner), torch.from_numpy(held.same[at].astype(np.float32))
        )
        loss = by_pair + 3 * (by_cell * known * (1 + 2 * other)).sum() / (known.sum() + 1)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 3.0)
        optimiser.step()
        average.update_parameters(network)
        losses.append(float(loss.item()))
        if step % 200 == 199:
            print(f"{step + 1} of {steps}: {np.mean(losses[-200:]):.3f}", flush=True)
    export_detail(average.module, out)
    return float(np.mean(losses[-100:]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Learn the network that sees what differs.")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--weights", type=Path, default=HOME, help="folder for the weights that reading uses")
    parser.add_argument(
        "--home", type=Path, default=ROOT / "build" / "train", help="what was drawn is kept here"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kept, began = args.home / f"detail-{SEED}.npz", time.monotonic()
    if not kept.exists():
        args.home.mkdir(parents=True, exist_ok=True)
        made = lessons(np.random.default_rng(SEED))
        np.savez(kept, measured=made.measured, differs=made.differs, same=made.same)
    stored: Any = np.load(kept)
    held = Lessons(stored["measured"], stored["differs"], stored["same"])
    print(
        f"{len(held.same)} pairs, {held.same.mean():.2f} of them true; {time.monotonic() - began:.0f} s",
        flush=True,
    )
    print(f"loss {learn(held, args.steps, args.weights):.3f}; {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
