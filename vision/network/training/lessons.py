"""The lessons: the pair networks learn near-twins on aligned crops; trunk and head learn to search on crops as outlines give them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.network.model import COLUMNS, ROWS, Array, Crops, mean_normalised, pair_planes
from vision.network.training.crops import ALIGNED, COVERED, PROPOSED, Care
from vision.network.training.figures import Labels, even_odds, figures
from vision.network.training.layers import Head, Pair, Trunk, calibrated, export_pair, export_search
from vision.network.training.pairs import STRANGE, TAKEN, TWINS, Packet
from vision.network.training.store import Batch, Store
from vision.network.training.weights import accustom, take_up


class Lesson(Protocol):
    """What the loop of training needs: crops taken with ``care``, ``module`` to train, a step's loss, and figures.

    ``take_up`` begins with the weights in a folder, and packets to find out what their normalisations meet. ``measure`` judges a copy of the module on packets never trained on: the quality that decides whether weights are written, figures for the
    log. ``export`` writes the copy for reading.
    """

    care: Care
    module: nn.Module

    def take_up(self, home: Path, test: Sequence[Packet]) -> None: ...

    def loss(self, store: Store) -> Tensor: ...

    def measure(self, module: nn.Module, test: Sequence[Packet]) -> tuple[float, dict[str, float]]: ...

    def export(self, module: nn.Module, test: Sequence[Packet], home: Path) -> None: ...


class PairLesson:
    """The same or not, for pairs drawn by how hard they were; and by cell, what is seen and what differs."""

    care = ALIGNED
    file = "pair.onnx"
    batch = 64

    def __init__(self) -> None:
        self.module = Pair().to(memory_format=torch.channels_last)

    def take_up(self, home: Path, test: Sequence[Packet]) -> None:
        take_up(self.module, home / self.file)
        accustom(self.module, lambda: _judged(self.module, test))

    def loss(self, store: Store) -> Tensor:
        batch = store.batch(self.batch)
        score, cells = _compare(self.module, batch.crops, batch.faces)
        same = torch.from_numpy(batch.same)
        by_pair = functional.binary_cross_entropy_with_logits(score, same, reduction="none")
        store.judged(batch, by_pair.detach().numpy())
        return by_pair.mean() + _cell_loss(cells, batch)

    def measure(self, module: nn.Module, test: Sequence[Packet]) -> tuple[float, dict[str, float]]:
        values = figures(*_judged(module, test), test)
        return values["auc"], values

    def export(self, module: nn.Module, test: Sequence[Packet], home: Path) -> None:
        """With scores made log odds on the test packets."""
        plain = copy.deepcopy(module)
        export_pair(calibrated(plain, *even_odds(*_judged(module, test))), home / self.file)


class CoveredLesson(PairLesson):
    """The same on more pieces on which something lies, most of them painted over where they are hidden."""

    care = COVERED
    file = "covered.onnx"


def _compare(module: nn.Module, crops: Crops, faces: Crops) -> tuple[Tensor, Tensor]:
    """Scores (n,) and cells (n, 2, 15, 10); in bfloat16, which halves the time where the processor knows it."""
    planes = torch.from_numpy(pair_planes(crops, faces)).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        score, cells = module(planes)
    return score.float().flatten(), cells.float()


def _cell_loss(cells: Tensor, batch: Batch) -> Tensor:
    """Seen is learned from true pairs, differs where the cell is seen and clearly the one or the other."""
    same = torch.from_numpy(batch.same)[:, None, None]
    seen = torch.from_numpy(batch.seen.astype(np.float32) / 255)
    by_seen = functional.binary_cross_entropy_with_logits(cells[:, 0], seen, reduction="none") * same
    differs = batch.differs
    known = torch.from_numpy(((differs > 50) | (differs < 8)) & (differs < 255) & (batch.seen > 204)).float()
    other = torch.from_numpy((differs > 50).astype(np.float32))
    by_cell = functional.binary_cross_entropy_with_logits(cells[:, 1], other, reduction="none") * known
    return by_seen.sum() / (same.sum() * ROWS * COLUMNS + 1) + by_cell.sum() / (known.sum() + 1)


def _judged(module: nn.Module, test: Sequence[Packet]) -> tuple[Array, Labels]:
    """Scores and labels (packets, crops, faces) of all pairs of the packets."""
    module.eval()
    scores = np.zeros((len(test), TAKEN + STRANGE, TWINS), np.float32)
    with torch.no_grad():
        for number, packet in enumerate(test):
            crops = np.repeat(packet.crops, TWINS, 0)
            faces = np.tile(packet.faces, (TAKEN + STRANGE, 1, 1, 1))
            scores[number] = _compare(module, crops, faces)[0].numpy().reshape(scores.shape[1:])
    return scores, np.stack([packet.label for packet in test])


class Search(nn.Module):
    """Trunk, head, and how sharp similarities are."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk, self.head = Trunk(), Head()
        self.sharpness = nn.Parameter(torch.tensor(12.0))

    def similar(self, crops: Crops, faces: Crops) -> tuple[Tensor, Tensor, Tensor]:
        """Maps of crops and faces, similarities (crops, faces)."""
        both = torch.from_numpy(mean_normalised(np.concatenate([crops, faces])))
        with torch.autocast("cpu", torch.bfloat16):
            maps, kept, weight = self.trunk(both.contiguous(memory_format=torch.channels_last))
        n = len(crops)
        unit = functional.normalize(kept.float(), dim=1)
        share = torch.sigmoid(weight.float()[:n])
        share = share / (share.sum((2, 3), keepdim=True) + 1e-3)
        return maps[:n], maps[n:], (unit[:n] * share).flatten(1) @ unit[n:].flatten(1).T


class SearchLesson:
    """Crops of twelve families against all their faces: rank by similarity, then judge the face itself and its nearest rivals."""

    care = PROPOSED
    families = 12

    def __init__(self) -> None:
        self.module = Search().to(memory_format=torch.channels_last)

    def take_up(self, home: Path, test: Sequence[Packet]) -> None:
        take_up(self.module.trunk, home / "trunk.onnx")
        take_up(self.module.head, home / "head.onnx")
        accustom(self.module, lambda: self.measure(self.module, test))

    def loss(self, store: Store) -> Tensor:
        some = store.families(self.families)
        n = self.families * TWINS
        crops, faces = (
            some.crops.reshape(n, *some.crops.shape[2:]),
            some.faces.reshape(n, *some.faces.shape[2:]),
        )
        crop_maps, face_maps, similarity = self.module.similar(crops, faces)
        own = torch.arange(n)
        unclear = torch.zeros(n, n, dtype=torch.bool)
        for k, label in enumerate(some.label):
            block = slice(k * TWINS, (k + 1) * TWINS)
            unclear[block, block] = torch.from_numpy(label < 0)
        unclear[own, own] = False
        seen = torch.from_numpy(some.seen.reshape(n, ROWS, COLUMNS).astype(np.float32) / 255)
        weight = (seen.mean((1, 2)) > 0.1).float()
        ranked = functional.cross_entropy(
            (similarity * self.module.sharpness).masked_fill(unclear, -1e4), own, reduction="none"
        )
        with torch.no_grad():
            rivals = similarity.masked_fill(unclear | torch.eye(n, dtype=torch.bool), -9).topk(4, 1)[1]
        near = torch.where(torch.rand(n) < 0.5, rivals[:, 1], rivals[:, 3])
        picked = torch.stack([own, rivals[:, 0], near, torch.randint(n, (n,))], 1)
        score, corners, cells = self._judge(crop_maps.repeat_interleave(4, 0), face_maps[picked.flatten()])
        score = score.view(n, 4)
        out = unclear.gather(1, picked) | ((picked == own[:, None]) & (torch.arange(4) > 0))
        same = torch.zeros(n, 4)
        same[:, 0] = 1
        by_pair = functional.binary_cross_entropy_with_logits(score, same, reduction="none")
        counted = weight[:, None] * (~out).float()
        best = functional.cross_entropy(
            score.masked_fill(out, -1e4), torch.zeros(n, dtype=torch.long), reduction="none"
        )
        true = torch.from_numpy(some.corners.reshape(n, 4, 2))
        by_corner = functional.smooth_l1_loss(corners[::4] * 20, true * 20, reduction="none").mean((1, 2))
        by_cell = functional.binary_cross_entropy_with_logits(cells[::4, 0], seen)
        of_crops = ((ranked + 0.5 * best + by_corner) * weight).sum() / (weight.sum() + 1e-6)
        return of_crops + (by_pair * counted).sum() / (counted.sum() + 1e-6) + 0.7 * by_cell

    def _judge(self, crop_maps: Tensor, face_maps: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        with torch.autocast("cpu", torch.bfloat16):
            answers, cells = self.module.head(crop_maps, face_maps)
        return answers[:, 0].float(), answers[:, 1:].float().view(-1, 4, 2), cells.float()

    def measure(self, module: nn.Module, test: Sequence[Packet]) -> tuple[float, dict[str, float]]:
        """Crops whose own face comes first among all faces of all packets, near-twins that cannot be told left out; corner errors."""
        assert isinstance(module, Search)
        module.eval()
        first: list[bool] = []
        before, after = [], []
        faces = np.concatenate([packet.faces for packet in test])
        with torch.no_grad():
            for number, packet in enumerate(test):
                crop_maps, face_maps, similarity = module.similar(packet.crops[:TAKEN], faces)
                rows = number * TWINS + packet.owners[:TAKEN].astype(np.int64)
                scores = similarity.numpy()
                block = scores[:, number * TWINS : (number + 1) * TWINS]
                block[packet.label[:TAKEN] < 0] = -9
                clear = packet.seen[:TAKEN].mean((1, 2)) > 51
                first += (scores.argmax(1) == rows)[clear].tolist()
                with torch.autocast("cpu", torch.bfloat16):
                    answers, _ = module.head(crop_maps, face_maps[torch.from_numpy(rows)])
                error = answers[:, 1:].float().view(-1, 4, 2).numpy() - packet.corners[:TAKEN]
                after += np.abs(error).mean((1, 2))[clear].tolist()
                before += np.abs(packet.corners[:TAKEN]).mean((1, 2))[clear].tolist()
        values: Mapping[str, float] = {
            "first": float(np.mean(first)),
            "corner error before": float(np.mean(before)),
            "corner error after": float(np.mean(after)),
        }
        return values["first"], dict(values)

    def export(self, module: nn.Module, test: Sequence[Packet], home: Path) -> None:
        assert isinstance(module, Search)
        plain = copy.deepcopy(module)
        export_search(plain.trunk, plain.head, home)


LESSONS: Mapping[str, type[PairLesson] | type[SearchLesson]] = {
    "pair": PairLesson,
    "covered": CoveredLesson,
    "search": SearchLesson,
}
