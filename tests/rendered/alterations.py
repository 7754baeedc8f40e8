"""Small changes to a face whose place is known: a sign exchanged, turned, taken away, drawn, written, copied; a part of another tone, another
colour, hatched. And the same piece as another camera would have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from tests.rendered.drawing import Picture
from vision.network.detail import FINE_HEIGHT, FINE_WIDTH
from vision.network.training.inks import ink, pick
from vision.network.training.shapes import FILLS, SHAPES, symbol
from vision.reading.tones import parts

KINDS = {
    "rewritten": 0.25,
    "other": 0.12,
    "erased": 0.08,
    "turned": 0.1,
    "symbol": 0.08,
    "text": 0.1,
    "copied": 0.07,
    "tone": 0.1,
    "colour": 0.04,
    "hatched": 0.06,
}
_FRAME = (FINE_WIDTH, FINE_HEIGHT)
_TRIES = 12
_RIM = 8
_PLAIN = 16
"""Deviation of the levels beside a box that make its ground plain."""


def altered_face(rng: Generator, face: Picture, others: Sequence[Picture]) -> Picture | None:
    """A face (240, 160, 3) with one small thing changed; None when chance finds no place for it. ``others``: faces beside it, from which signs
    are taken."""
    kind = str(rng.choice(list(KINDS), p=np.array(list(KINDS.values())) / sum(KINDS.values())))
    if kind in ("tone", "colour", "hatched"):
        return _painted(rng, face, kind)
    if kind == "rewritten":
        return _rewritten(rng, face)
    for _ in range(_TRIES):
        width, height = (int(np.exp(rng.uniform(np.log(9), np.log(40)))) for _ in range(2))
        x = int(rng.integers(_RIM, FINE_WIDTH - width - _RIM))
        y = int(rng.integers(_RIM, FINE_HEIGHT - height - _RIM))
        box = slice(y, y + height), slice(x, x + width)
        made = (
            _drawn(rng, face, box, kind)
            if kind in ("symbol", "text")
            else _moved(rng, face, box, kind, others)
        )
        if made is not None:
            return made
    return None


def _around(face: Picture, box: tuple[slice, slice]) -> Picture:
    """The pixels just beside a box, (n, 3)."""
    rows, columns = box
    return np.concatenate(
        [
            face[rows.start - 2, columns],
            face[rows.stop + 1, columns],
            face[rows, columns.start - 2],
            face[rows, columns.stop + 1],
        ]
    )


def _drawn(rng: Generator, face: Picture, box: tuple[slice, slice], kind: str) -> Picture | None:
    tone = ink(rng) if rng.random() < 0.5 else _any_colour(rng, face)
    if np.abs(np.array(tone) - np.median(_around(face, box), 0)).max() < 50:
        return None
    out = face.copy()
    rows, columns = box
    middle = (columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2
    half = max(4.0, min(rows.stop - rows.start, columns.stop - columns.start) / 2)
    if kind == "symbol":
        symbol(
            out,
            pick(rng, SHAPES),
            pick(rng, FILLS) if rng.random() < 0.4 else "solid",
            tone,
            middle,
            (half, half),
        )
    else:
        _write(out, str(rng.integers(100)), middle, half, tone, int(rng.integers(5)))
    return out


def _moved(
    rng: Generator, face: Picture, box: tuple[slice, slice], kind: str, others: Sequence[Picture]
) -> Picture | None:
    """A box that holds something becomes another; what is copied lands on a plain place."""
    own = face[box]
    if cv2.cvtColor(np.ascontiguousarray(own), cv2.COLOR_BGR2GRAY).std() < 10:
        return None
    around = _around(face, box)
    plain = around.std(0).max() <= _PLAIN
    target = box
    if kind == "other":
        new = others[int(rng.integers(len(others)))][box] if others else own
        seam = max(
            np.abs(new[[0, -1]].astype(int) - own[[0, -1]]).mean(),
            np.abs(new[:, [0, -1]].astype(int) - own[:, [0, -1]]).mean(),
        )
        if seam > 14 and rng.random() < 0.9:
            return None
    elif not plain:
        return None
    elif kind == "erased":
        new = np.broadcast_to(np.median(around, 0), own.shape).astype(np.uint8)
    elif kind == "turned":
        ways = (own[::-1], own[:, ::-1], own[::-1, ::-1])
        new = ways[int(rng.integers(3))]
    else:
        new, height, width = own, *own.shape[:2]
        x = int(rng.integers(_RIM, FINE_WIDTH - width - _RIM))
        y = int(rng.integers(_RIM, FINE_HEIGHT - height - _RIM))
        target = slice(y, y + height), slice(x, x + width)
        there = _around(face, target)
        if there.std(0).max() > _PLAIN or np.abs(np.median(there, 0) - np.median(around, 0)).max() > 12:
            return None
    if np.abs(new.astype(int) - face[target]).max(2).mean() < 6:
        return None
    out = face.copy()
    out[target] = new
    return out


def _rewritten(rng: Generator, face: Picture) -> Picture | None:
    """A sign on plain ground taken away and another of its colour and size put there."""
    wide = cv2.medianBlur(face, 31)
    stands_out = np.asarray(cv2.absdiff(face, wide).max(2) > 35, np.uint8)
    joined = cv2.morphologyEx(stands_out, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    for label in rng.permutation(np.arange(1, count))[:_TRIES]:
        x, y, width, height = (int(value) for value in stats[label, :4])
        if not (5 <= width <= 60 and 5 <= height <= 70):
            continue
        box = slice(y - 3, y + height + 3), slice(x - 3, x + width + 3)
        if (
            box[0].start < 4
            or box[1].start < 4
            or box[0].stop > FINE_HEIGHT - 4
            or box[1].stop > FINE_WIDTH - 4
        ):
            continue
        around = _around(face, box)
        if around.std(0).max() > _PLAIN:
            continue
        mask = labels[box] == label
        tone = tuple(int(value) for value in np.median(face[box][mask], 0))
        out = face.copy()
        out[box] = np.median(around, 0).astype(np.uint8)
        middle, half = (x + width / 2, y + height / 2), max(width, height) / 2
        if rng.random() < 0.6:
            _write(
                out,
                str(rng.choice(list("0123456789ABEGHKMPRSTXZ"))),
                middle,
                half,
                tone,
                int(rng.integers(5)),
            )
        else:
            shape = pick(rng, SHAPES)
            fill = pick(rng, FILLS) if rng.random() < 0.3 else "solid"
            symbol(out, shape, fill, tone, middle, (max(3.0, width / 2), max(3.0, height / 2)))
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


def _painted(rng: Generator, face: Picture, kind: str) -> Picture | None:
    """A plain part, or one piece of it, of another tone or colour, or hatched with the colour of another part."""
    numbered = parts(face)
    if numbered.max() < 2:
        return None
    whole = np.asarray(numbered == rng.integers(1, numbered.max() + 1), np.uint8)
    count, labels = cv2.connectedComponents(cv2.dilate(whole, np.ones((5, 5), np.uint8)))
    chosen = labels > 0 if rng.random() < 0.5 else labels == 1 + int(rng.integers(count - 1))
    if chosen.mean() > 0.5:
        return None
    soft: Any = cv2.GaussianBlur(chosen.astype(np.float32), (0, 0), 0.7)[..., None]
    if kind == "tone":
        soft = soft * np.float32(rng.uniform(0.12, 0.3))
        new: Any = 255.0 if rng.random() < 0.5 else 0.0
    elif kind == "colour":
        new = face.astype(np.float32) + rng.normal(0, 40, 3).astype(np.float32)
        if np.ptp(new[0, 0] - face[0, 0]) < 50:
            return None
    else:
        apart = rng.uniform(3, 8)
        along = np.sin(rng.uniform(0, np.pi)), np.cos(rng.uniform(0, np.pi))
        down, across = np.mgrid[0:FINE_HEIGHT, 0:FINE_WIDTH]
        lines = np.clip(3 * np.cos(2 * np.pi * (down * along[0] + across * along[1]) / apart) + 0.5, 0, 1)
        new = np.array(_any_colour(rng, face), np.float32)
        if np.abs(new - face[chosen].mean(0)).max() < 60:
            return None
        soft = soft * lines[..., None].astype(np.float32)
    return np.asarray(np.clip(face * (1 - soft) + new * soft, 0, 255), np.uint8)


def darkened(rng: Generator, crop: Picture, face: Picture) -> tuple[Picture, Picture]:
    """The same piece and its face as a dark card: deep tones, and in the photo haze and grain on them."""
    deep, share = float(rng.uniform(1.0, 1.8)), float(rng.uniform(0.15, 0.6))
    dark: list[Any] = [255 * share * (picture.astype(np.float32) / 255) ** deep for picture in (crop, face)]
    haze = float(rng.uniform(0, 0.25)) if rng.random() < 0.7 else 0.0
    light = rng.uniform(90, 200, 3).astype(np.float32)
    grain = rng.standard_normal(crop.shape).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 1.1))
    seen = dark[0] * (1 - haze) + haze * light + grain / grain.std() * np.float32(rng.uniform(0.5, 5))
    return np.asarray(np.clip(seen, 0, 255), np.uint8), np.asarray(np.clip(dark[1], 0, 255), np.uint8)


def retaken(rng: Generator, picture: Picture, strength: float) -> Picture:
    """As another camera would have it: sharpened or soft, other colours, contrast and tone curve, haze, grain, JPEG, a little askew."""
    x: Any = picture.astype(np.float32)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.9, 2.2))
        x = x + np.float32(rng.uniform(0.2, 1.1) * strength) * (x - soft)
    if rng.random() < 0.25:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.5, 1.4))
    if rng.random() < 0.7:
        mix = np.eye(3) + rng.normal(0, 0.08 * strength, (3, 3))
        x = cv2.transform(x, mix / mix.sum(1, keepdims=True))
    if rng.random() < 0.6:
        grey = x.mean(2, keepdims=True)
        x = grey + (x - grey) * np.float32(np.exp(rng.normal(0, 0.3 * strength)))
    if rng.random() < 0.7:
        x = 255 * (np.clip(x, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.28 * strength)))
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
        right = np.array([[0, 0], [_FRAME[0], 0], _FRAME, [0, _FRAME[1]]], np.float32)
        warp = cv2.getPerspectiveTransform(right, (right + rng.normal(0, 1.1, (4, 2))).astype(np.float32))
        out = np.asarray(cv2.warpPerspective(out, warp, _FRAME, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return out
