"""Learning from pictures while another process draws them.

The checkpoint is written every two minutes and taken up again by the next call; the weights for reading are
written whenever the figures on families never trained on get better.
"""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.network.model import HOME
from vision.network.training.crops import Care
from vision.network.training.lessons import LESSONS, Lesson
from vision.network.training.pairs import Packet, packets
from vision.network.training.store import Store

SEED = 20
HELD_OUT_SEED, HELD_OUT_PACKETS = 977, 60
RATE, RATE_ONWARDS = 2.5e-3, 8e-4
"""Of learning at its quickest, from nothing and from weights that read already."""
WARM_STEPS = 200
AVERAGE_OVER = 400
"""Steps over which the weights are averaged for reading (Polyak & Juditsky 1992)."""
CHECKPOINT_SECONDS, MEASURE_SECONDS = 120, 300
LEAST = 40
"""Packets to begin with."""


@dataclass(slots=True)
class Training:
    """A lesson and what a checkpoint holds of it."""

    lesson: Lesson
    average: AveragedModel
    optimiser: torch.optim.Optimizer
    seconds: float = 0.0
    steps: int = 0
    best: float = 0.0
    calls: int = 0
    rate: float = RATE

    @classmethod
    def begun(cls, lesson: Lesson, rate: float = RATE) -> Training:
        keep = get_ema_multi_avg_fn(1 - 1 / AVERAGE_OVER)
        average = AveragedModel(lesson.module, multi_avg_fn=keep, use_buffers=True)
        optimiser = torch.optim.AdamW(lesson.module.parameters(), lr=rate, weight_decay=1e-3)
        return cls(lesson, average, optimiser, rate=rate)

    def _parts(self) -> Mapping[str, Any]:
        return {"network": self.lesson.module, "average": self.average, "optimiser": self.optimiser}

    def load(self, path: Path) -> None:
        """Go on from a checkpoint, if there is one."""
        if not path.exists():
            return
        saved = torch.load(path, weights_only=True)
        for name, part in self._parts().items():
            part.load_state_dict(saved[name])
        self.seconds, self.steps, self.best = saved["seconds"], saved["steps"], saved["best"]
        self.rate = saved["rate"]
        self.calls = saved["calls"] + 1

    def save(self, path: Path) -> None:
        """Written beside the old one first: a power cut leaves one of them whole."""
        state = {name: part.state_dict() for name, part in self._parts().items()}
        state |= {"seconds": self.seconds, "steps": self.steps, "best": self.best, "calls": self.calls}
        state["rate"] = self.rate
        new = path.with_suffix(".new")
        torch.save(state, new)
        new.replace(path)

    def step(self, store: Store, share: float) -> float:
        """One batch; ``share`` of the time that has passed sets the rate. Its loss."""
        warm = min(1.0, self.steps / WARM_STEPS + 0.05)
        for group in self.optimiser.param_groups:
            group["lr"] = float(self.rate * warm * (0.5 + 0.5 * np.cos(np.pi * min(1.0, share)) + 0.005))
        loss = self.lesson.loss(store)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.lesson.module.parameters(), 3.0)
        self.optimiser.step()
        self.average.update_parameters(self.lesson.module)
        self.steps += 1
        return float(loss.item())

    def measure(self, test: list[Packet], weights: Path) -> dict[str, float]:
        """Figures of the averaged weights, which are written for reading when they are the best so far."""
        plain = copy.deepcopy(self.average.module)
        quality, values = self.lesson.measure(plain, test)
        if quality > self.best:
            self.best = quality
            self.lesson.export(plain, test, weights)
        return {"seconds": self.seconds, **values}


def learn(name: str, minutes: float, home: Path, weights: Path, onwards: bool = False) -> None:
    """Train until ``minutes`` are over, earlier calls included. ``onwards``: without a checkpoint begin with the weights that read now."""
    home.mkdir(parents=True, exist_ok=True)
    checkpoint, log = home / f"{name}.pt", home / f"{name}.txt"
    torch.manual_seed(SEED)
    lesson: Lesson = LESSONS[name]()
    test = _held_out(home / f"{name}-held-out.pt", lesson.care)
    if onwards and not checkpoint.exists():
        lesson.take_up(HOME, test)
    training = Training.begun(lesson, RATE_ONWARDS if onwards else RATE)
    training.load(checkpoint)
    total = minutes * 60
    if onwards and not training.steps:
        # Only what is better than the weights it began with is written.
        _say(log, training.measure(test, weights))
    if training.seconds < total:
        _go_on(training, total, test, checkpoint, log, weights)
    _say(log, training.measure(test, weights))
    training.save(checkpoint)


def _go_on(
    training: Training, total: float, test: list[Packet], checkpoint: Path, log: Path, weights: Path
) -> None:
    queue, drawer = _drawing(SEED + 1000 * (training.calls + 1), training.lesson.care)
    store = Store(np.random.default_rng(SEED + training.calls))
    while store.received < LEAST:
        store.put(queue.get())
    began = time.monotonic() - training.seconds
    saved_at = measured_at = training.seconds
    recent: list[float] = []
    while training.seconds < total:
        while not queue.empty():
            store.put(queue.get())
        recent.append(training.step(store, training.seconds / total))
        training.seconds = time.monotonic() - began
        if training.steps % 100 == 0:
            _say(log, {"seconds": training.seconds, "steps": training.steps, "loss": float(np.mean(recent))})
            recent.clear()
        if training.seconds - saved_at > CHECKPOINT_SECONDS:
            saved_at = training.seconds
            training.save(checkpoint)
        if training.seconds - measured_at > MEASURE_SECONDS:
            measured_at = training.seconds
            _say(log, training.measure(test, weights))
    drawer.terminate()


def _drawing(seed: int, care: Care) -> tuple[Any, Any]:
    """The queue of packets and the process that fills it."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(24)
    drawer = context.Process(target=_draw, args=(queue, seed, care), daemon=True)
    drawer.start()
    return queue, drawer


def _draw(queue: Any, seed: int, care: Care) -> None:
    os.setsid()  # Linux shares the processor among sessions first: drawing and learning need one each
    parent = os.getppid()
    cv2.setNumThreads(1)
    for packet in packets(seed, care):
        queue.put(packet)
        if os.getppid() != parent:
            return


def _held_out(path: Path, care: Care) -> list[Packet]:
    """Families never trained on, drawn once."""
    if not path.exists():
        source = packets(HELD_OUT_SEED, care)
        torch.save([next(source) for _ in range(HELD_OUT_PACKETS)], path)
    drawn: list[Packet] = torch.load(path, weights_only=False)
    return drawn


def _say(log: Path, values: Mapping[str, float]) -> None:
    text = json.dumps({name: round(float(value), 4) for name, value in values.items()})
    print(text, flush=True)
    with log.open("a") as file:
        file.write(text + "\n")
