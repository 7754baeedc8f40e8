"""The networks as PyTorch modules, for training and export only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.network.detail import MEASURES
from vision.network.model import COLUMNS, HEIGHT, PLANES, ROWS, WIDTH, Array

LARGE = 64
"""Numbers in a tensor from which it is worth keeping them in 16 bits."""


def convolution(inputs: int, outputs: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Squeeze(nn.Module):
    """Channels weighed by what the whole picture shows (Hu et al., CVPR 2018)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2d(channels, 16, 1), nn.Conv2d(16, channels, 1)

    def forward(self, maps: Tensor) -> Tensor:
        mean = functional.adaptive_avg_pool2d(maps, 1)
        return maps * torch.sigmoid(self.up(functional.relu(self.down(mean)))) * 2


class Trunk(nn.Module):
    """Mean-normalised crops (n, 3, 120, 80) -> maps (n, 64, 15, 10), what is kept of each cell (n, 24, 15, 10), its weight (n, 1, 15, 10)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = convolution(3, 20, 5, 2)
        self.second = nn.Sequential(convolution(20, 32, stride=2), Squeeze(32))
        self.third = convolution(32, 48)
        self.fourth = nn.Sequential(convolution(48, 64, stride=2), Squeeze(64))
        self.fifth = convolution(64, 64)
        self.sixth = nn.Conv2d(64, 64, 3, 1, 1)
        self.kept, self.weight = nn.Conv2d(64, 24, 1), nn.Conv2d(64, 1, 1)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        maps = self.fourth(self.third(self.second(self.first(crops))))
        maps = functional.relu(self.sixth(self.fifth(maps)) + maps)
        return maps, self.kept(maps), self.weight(maps)


class Head(nn.Module):
    """Maps of a crop and of a face -> log odds "the same" and eight corner corrections (n, 9), two maps (n, 2, 15, 10), the first: seen."""

    def __init__(self) -> None:
        super().__init__()
        self.mixed = convolution(256, 64, 1)
        self.first, self.second = convolution(64, 48), convolution(48, 48)
        self.cells = nn.Conv2d(48, 2, 1)
        self.third, self.fourth = convolution(48, 48, stride=2), convolution(48, 32, stride=2)
        self.joined, self.answers = nn.Linear(32 * 12 + 96, 64), nn.Linear(64, 9)

    def forward(self, crop: Tensor, face: Tensor) -> tuple[Tensor, Tensor]:
        maps = self.first(self.mixed(torch.cat([crop, face, crop * face, torch.abs(crop - face)], 1)))
        maps = maps + self.second(maps)
        cells = self.cells(maps)
        seen = torch.sigmoid(cells[:, 0:1])
        mean = (maps * seen).mean((2, 3)) / (seen.mean((2, 3)) + 0.02)
        layout = self.fourth(self.third(maps)).flatten(1)
        joined = functional.relu(self.joined(torch.cat([layout, mean, maps.amax((2, 3))], 1)))
        return self.answers(joined), cells


class Pair(nn.Module):
    """Planes of `pair_planes` -> log odds "the same" (n, 1), and two log odds per cell (n, 2, 15, 10): seen, differs.

    The score sees the whole map and, by themselves, the cells that are said to be seen and to differ: one of those is enough.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = convolution(PLANES, 32, stride=2)
        self.second = nn.Sequential(convolution(32, 32, stride=2), Squeeze(32))
        self.third = convolution(32, 32)
        self.fourth = nn.Sequential(convolution(32, 64, stride=2), Squeeze(64))
        self.fifth = convolution(64, 64)
        self.sixth = convolution(64, 64)
        self.cells = nn.Conv2d(64, 2, 1)
        self.seventh = convolution(64, 48, stride=2)
        self.eighth = convolution(48, 32, stride=2)
        self.mixed = nn.Linear(32 * 12 + 64 * 3 + 3, 48)
        self.score = nn.Linear(48 + 3, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        maps = self.second(self.first(planes))
        maps = self.fourth(maps + self.third(maps))
        maps = maps + self.fifth(maps)
        maps = maps + self.sixth(maps)
        cells = self.cells(maps)
        chance = torch.sigmoid(cells)
        seen = chance[:, 0:1]
        wrong = seen * chance[:, 1:2]
        over_seen = (maps * seen).mean((2, 3)) / (seen.mean((2, 3)) + 0.02)
        over_wrong = (maps * wrong).mean((2, 3)) / (wrong.mean((2, 3)) + 0.02)
        highest = functional.max_pool2d(maps, (ROWS, COLUMNS)).flatten(1)
        evidence = torch.cat(
            [wrong.mean((2, 3)), functional.max_pool2d(wrong, (ROWS, COLUMNS)).flatten(1), seen.mean((2, 3))],
            1,
        )
        layout = self.eighth(self.seventh(maps)).flatten(1)
        mixed = functional.relu(self.mixed(torch.cat([layout, over_seen, over_wrong, highest, evidence], 1)))
        return self.score(torch.cat([mixed, evidence], 1)), cells


class Detail(nn.Module):
    """Planes of `pair_planes` at twice their size (n, 12, 240, 160) and what was measured of the cells (n, 33, 30, 20) -> log odds
    (n, 1, 30, 20) that a cell shows something else."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("middle", torch.zeros(MEASURES, 1, 1))
        self.register_buffer("spread", torch.ones(MEASURES, 1, 1))
        self.first = convolution(PLANES, 24, 5, 2)
        self.second = convolution(24, 32, stride=2)
        self.third = convolution(32, 32)
        self.fourth = convolution(32, 48, stride=2)
        self.joined = nn.Sequential(convolution(48 + MEASURES, 48, 1), Squeeze(48))
        self.fifth, self.sixth = convolution(48, 48), convolution(48, 48)
        self.cells = nn.Conv2d(48, 1, 1)
        self.slope, self.even = nn.Parameter(torch.tensor(1.0)), nn.Parameter(torch.tensor(0.0))

    def scale(self, middle: Array, spread: Array) -> None:
        """By what each measurement is made comparable, (33,) each."""
        self.middle[:] = torch.from_numpy(middle)[:, None, None]
        self.spread[:] = torch.from_numpy(spread)[:, None, None]

    def forward(self, planes: Tensor, measured: Tensor) -> Tensor:
        maps = self.second(self.first(planes))
        maps = self.fourth(maps + self.third(maps))
        known = torch.clamp((measured - self.middle) / self.spread, -4, 6)
        maps = self.joined(torch.cat([maps, known], 1))
        maps = maps + self.fifth(maps)
        maps = maps + self.sixth(maps)
        return self.cells(maps)

    def score(self, odd: Tensor, counts: Tensor) -> Tensor:
        """Log odds (n,) that no cell (n, 30, 20) that counts (30, 20) differs, for training; reading joins the cells itself."""
        left = torch.where(counts > 0.5, odd, odd.new_full((), -9.0))
        return self.even - self.slope * torch.logsumexp(2 * left.flatten(1), 1) / 2


def calibrated(network: Pair, factor: float, shift: float) -> Pair:
    """The network with its score times factor plus shift."""
    with torch.no_grad():
        network.score.weight *= factor
        network.score.bias *= factor
        network.score.bias += shift
    return network


def export(network: nn.Module, inputs: Mapping[str, Tensor], outputs: Sequence[str], path: Path) -> None:
    """Write a network for cv2.dnn (ONNX, opset 13, any number of rows)."""
    network.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network, tuple(inputs.values()), str(path), input_names=list(inputs), output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in (*inputs, *outputs)}, opset_version=13, dynamo=False,
    )  # fmt: skip


def halved(path: Path) -> None:
    """Keep a written network's weights in 16 bits: half the room; cv2.dnn reckons in 32 all the same."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > LARGE:
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), tensor.name))
    onnx.save(model, str(path))


def export_pair(network: Pair, path: Path) -> None:
    export(network, {"planes": torch.randn(2, PLANES, HEIGHT, WIDTH)}, ("score", "cells"), path)
    halved(path)


def export_detail(network: nn.Module, home: Path) -> None:
    planes, measured = (
        torch.randn(2, PLANES, 2 * HEIGHT, 2 * WIDTH),
        torch.randn(2, MEASURES, 2 * ROWS, 2 * COLUMNS),
    )
    export(network, {"planes": planes, "measured": measured}, ("odd",), home / "detail.onnx")
    halved(home / "detail.onnx")


def export_search(trunk: Trunk, head: Head, home: Path) -> None:
    maps = torch.randn(2, 64, ROWS, COLUMNS)
    export(trunk, {"x": torch.randn(2, 3, HEIGHT, WIDTH)}, ("f", "d", "w"), home / "trunk.onnx")
    export(head, {"a": maps, "b": maps}, ("o", "c"), home / "head.onnx")
