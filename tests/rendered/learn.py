"""``python -m tests.rendered.learn [--minutes 60]``: learn vision/network/detail.onnx, which says of each cell of a piece whether it shows
something else.

Pieces are those of `tests.rendered.lessons`, each compared with its face (the same), with that face after one small change whose cells are
known, and with the other faces of its deck that are nearly alike. One process draws pairs, this one learns; the checkpoint is written every
two minutes and taken up again by the next call.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.rendered.alterations import altered_face, darkened, retaken
from tests.rendered.drawing import Picture
from tests.rendered.lessons import Pieces, kept
from tests.rendered.run import ROOT
from vision.network.detail import FINE_COLUMNS, FINE_HEIGHT, FINE_ROWS, FINE_WIDTH, MEASURES, fitted, left
from vision.network.model import HOME, PLANES, Array, pair_planes
from vision.network.training.pairs import cell_differences

SEED = 5
DECKS = 1600
A_DECK, A_PIECE = 4, 3
"""Pieces of a deck that are taken at once; pairs made of one besides the true one."""
LIKE = 0.3
"""Share of false pairs that are with another face of the deck."""
DARK = 0.25
"""Share of pairs that are made dark cards, in haze and grain."""
TELLING, NEARLY = 1.2, 60.0
"""Cells of difference from which a face is another, and up to which it is nearly alike."""
STORE, LEAST = 4096, 512
"""Pairs that are held to learn from, and to begin with."""
BATCH, RATE, WARM_STEPS = 32, 2.5e-3, 150
AVERAGE_OVER = 400
CHECKPOINT_SECONDS, WRITE_SECONDS = 120, 600
_NOTHING = np.zeros((FINE_ROWS, FINE_COLUMNS), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One pair: ``planes`` (12, 240, 160), ``measured`` (33, 30, 20), ``differs`` (30, 20) hundredths."""

    planes: NDArray[np.float16]
    measured: NDArray[np.float16]
    differs: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """A batch as the network wants it, tensors: ``planes`` (n, 12, 240, 160), ``measured`` (n, 33, 30, 20), ``differs`` (n, 30, 20) hundredths,
    ``same`` (n,) 1 or 0."""

    planes: Any
    measured: Any
    differs: Any
    same: Any


def _logs(face: Picture) -> Array:
    """(120, 80, 3) at about the sharpness of photos."""
    small = cv2.resize(face, (FINE_WIDTH // 2, FINE_HEIGHT // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.log(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.9) + 24), np.float32)


def _lesson(rng: Generator, crop: Picture, face: Picture, differs: NDArray[np.uint8]) -> Lesson:
    if rng.random() < DARK:
        crop, face = darkened(rng, crop, face)
    crop = retaken(rng, crop, 1.0) if rng.random() < 0.5 else crop
    face = retaken(rng, face, 0.6) if rng.random() < 0.4 else face
    laid = fitted(crop, face)
    planes = pair_planes(crop[None], laid[None])[0]
    return Lesson(planes.astype(np.float16), left(crop, laid, planes).astype(np.float16), differs)


def pairs_of(rng: Generator, deck: Pieces) -> Iterator[Lesson]:
    """Lessons of some pieces: true, with changed faces, with faces nearly alike."""
    logs = [_logs(face) for face in deck.faces]
    for number in rng.permutation(len(deck.rows))[:A_DECK]:
        row = int(deck.rows[number])
        crop, face = deck.crops[number], deck.faces[row]
        apart = {other: _apart(logs[row], logs[other]) for other in range(len(logs)) if other != row}
        near = [
            other for other, cells in apart.items() if TELLING * 100 < cells.sum(dtype=float) < NEARLY * 100
        ]
        others = [deck.faces[other] for other in apart]
        for _ in range(2):
            yield _lesson(rng, crop, face, _NOTHING)
        for _ in range(A_PIECE):
            if near and rng.random() < LIKE:
                other = near[int(rng.integers(len(near)))]
                yield _lesson(rng, crop, deck.faces[other], apart[other])
                continue
            changed = altered_face(rng, face, others)
            if changed is not None:
                cells = _apart(logs[row], _logs(changed))
                if cells.sum(dtype=float) > TELLING * 100:
                    yield _lesson(rng, crop, changed, cells)


def _apart(one: Array, other: Array) -> NDArray[np.uint8]:
    cells = cell_differences(one, other, (FINE_COLUMNS, FINE_ROWS))
    return np.asarray(np.minimum(cells * 100, 255), np.uint8)


def lessons(seed: int, editions: range, home: Path) -> Iterator[Lesson]:
    """Without end."""
    rng = np.random.default_rng(seed)
    while True:
        yield from pairs_of(rng, kept(int(rng.choice(editions)), home))


def _draw(queue: Any, seed: int, home: Path) -> None:
    os.setsid()  # Linux shares the processor among sessions first: drawing and learning need one each
    parent = os.getppid()
    cv2.setNumThreads(1)
    for lesson in lessons(seed, range(DECKS), home):
        queue.put(lesson)
        if os.getppid() != parent:
            return


class Store:
    """The last lessons that were drawn; true and false ones are taken alike often."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng
        self.received = 0
        self.planes = np.zeros((STORE, FINE_HEIGHT, FINE_WIDTH, PLANES), np.float16)
        self.measured = np.zeros((STORE, MEASURES, FINE_ROWS, FINE_COLUMNS), np.float16)
        self.differs = np.zeros((STORE, FINE_ROWS, FINE_COLUMNS), np.uint8)

    def put(self, lesson: Lesson) -> None:
        at = self.received % STORE
        self.planes[at] = lesson.planes.transpose(1, 2, 0)
        self.measured[at], self.differs[at] = lesson.measured, lesson.differs
        self.received += 1

    def batch(self) -> Lessons:
        """Half of them true; mirrored by chance."""
        import torch

        held = min(self.received, STORE)
        same = ~self.differs[:held].any((1, 2))
        at = np.concatenate(
            [self.rng.choice(np.flatnonzero(same == kind), BATCH // 2) for kind in (True, False)]
        )
        mirrored = [axis for axis in (1, 2) if self.rng.random() < 0.5]
        planes, measured, differs = (
            torch.from_numpy(part[at]) for part in (self.planes, self.measured, self.differs)
        )
        return Lessons(
            planes.flip(mirrored).to(torch.bfloat16).permute(0, 3, 1, 2),
            measured.flip([axis + 1 for axis in mirrored]).float(),
            differs.flip(mirrored).float(),
            torch.from_numpy(same[at].astype(np.float32)),
        )


class Learning:
    """The network, its average over the last steps (Polyak & Juditsky 1992), and what a checkpoint holds of them."""

    def __init__(self, checkpoint: Path) -> None:
        import torch

        from vision.network.training.layers import Detail

        torch.manual_seed(SEED)
        self.checkpoint = checkpoint
        self.network = Detail().to(memory_format=torch.channels_last)
        keep = torch.optim.swa_utils.get_ema_multi_avg_fn(1 - 1 / AVERAGE_OVER)
        self.average = torch.optim.swa_utils.AveragedModel(self.network, multi_avg_fn=keep, use_buffers=True)
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=RATE, weight_decay=1e-3)
        self.parts: dict[str, Any] = {
            "network": self.network,
            "average": self.average,
            "optimiser": self.optimiser,
        }
        self.inner = torch.zeros(FINE_ROWS, FINE_COLUMNS)
        self.inner[1:-1, 1:-1] = 1
        self.seconds, self.steps, self.calls = 0.0, 0, 0
        if checkpoint.exists():
            saved = torch.load(checkpoint, weights_only=True)
            for name, part in self.parts.items():
                part.load_state_dict(saved[name])
            self.seconds, self.steps, self.calls = saved["seconds"], saved["steps"], saved["calls"] + 1

    def save(self) -> None:
        """Written beside the old one first: a power cut leaves one of them whole."""
        import torch

        state = {name: part.state_dict() for name, part in self.parts.items()}
        state |= {"seconds": self.seconds, "steps": self.steps, "calls": self.calls}
        new = self.checkpoint.with_suffix(".new")
        torch.save(state, new)
        new.replace(self.checkpoint)

    def scale(self, store: Store) -> None:
        """Measurements made comparable, before the first step."""
        some = store.measured[:LEAST].astype(np.float32)
        self.network.scale(some.mean((0, 2, 3)), some.std((0, 2, 3)) + 1e-3)
        self.average.module.load_state_dict(self.network.state_dict())

    def step(self, batch: Lessons, share: float) -> float:
        """One batch; ``share`` of the time that has passed sets the rate. Its loss."""
        import torch
        from torch.nn import functional

        warm = min(1.0, self.steps / WARM_STEPS + 0.05)
        for group in self.optimiser.param_groups:
            group["lr"] = RATE * warm * (0.505 + 0.5 * float(np.cos(np.pi * min(1.0, share))))
        with torch.autocast("cpu", torch.bfloat16):
            odd = self.network(batch.planes, batch.measured)[:, 0]
        odd = odd.float()
        other = (batch.differs > 50).float()
        known = ((batch.differs > 50) | (batch.differs < 8)).float() * self.inner
        by_cell = functional.binary_cross_entropy_with_logits(odd, other, reduction="none")
        by_pair = functional.binary_cross_entropy_with_logits(self.network.score(odd, self.inner), batch.same)
        loss = by_pair + 3 * (by_cell * known * (1 + 2 * other)).sum() / (known.sum() + 1)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 3.0)
        self.optimiser.step()
        self.average.update_parameters(self.network)
        self.steps += 1
        return float(loss.item())


def _drawing(seed: int, pieces: Path) -> SimpleQueue[Lesson]:
    """What a process of its own draws. A pipe holds less than one lesson, so somebody stands at its end all the time."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(24)
    context.Process(target=_draw, args=(queue, seed, pieces), daemon=True).start()
    drawn: SimpleQueue[Lesson] = SimpleQueue()

    def fetch() -> None:
        while True:
            drawn.put(queue.get())

    threading.Thread(target=fetch, daemon=True).start()
    return drawn


def learn(minutes: float, home: Path, weights: Path) -> None:
    """Until so many minutes are over, earlier calls included; detail.onnx is written every few of them and at the end."""
    import torch

    from vision.network.training.layers import export_detail

    torch.set_num_threads(1)
    home.mkdir(parents=True, exist_ok=True)
    learning = Learning(home / "detail.pt")
    drawn = _drawing(SEED + 1000 * (learning.calls + 1), home / "pieces")
    store = Store(np.random.default_rng(SEED + learning.calls))
    while store.received < LEAST:
        store.put(drawn.get())
    if not learning.steps:
        learning.scale(store)
    began = time.monotonic() - learning.seconds
    saved_at = written_at = learning.seconds
    losses: list[float] = []
    while learning.seconds < 60 * minutes:
        while not drawn.empty():
            store.put(drawn.get())
        losses.append(learning.step(store.batch(), learning.seconds / (60 * minutes)))
        learning.seconds = time.monotonic() - began
        if learning.steps % 200 == 0:
            print(
                f"{learning.seconds:.0f} s, step {learning.steps}, {store.received} pairs: {np.mean(losses):.4f}",
                flush=True,
            )
            losses.clear()
        if learning.seconds - saved_at > CHECKPOINT_SECONDS:
            saved_at = learning.seconds
            learning.save()
        if learning.seconds - written_at > WRITE_SECONDS:
            written_at = learning.seconds
            export_detail(learning.average.module, weights)
    learning.save()
    export_detail(learning.average.module, weights)


def main() -> int:
    parser = argparse.ArgumentParser(description="Learn the network that sees what differs.")
    parser.add_argument(
        "--minutes", type=float, default=60, help="learning time in all, earlier calls included"
    )
    parser.add_argument("--weights", type=Path, default=HOME, help="folder for the weights that reading uses")
    parser.add_argument(
        "--home", type=Path, default=ROOT / "build" / "train", help="what was drawn is kept here"
    )
    options = parser.parse_args()
    cv2.setNumThreads(1)
    learn(options.minutes, options.home, options.weights)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
