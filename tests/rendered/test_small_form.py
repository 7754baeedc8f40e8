"""The small form of the rendered suite, read by the real reader, against the figures that were committed: a loss is seen at once."""

from __future__ import annotations

import cv2

from tests.rendered.report import report
from tests.rendered.run import Line, committed, kept, read_all
from tests.rendered.score import Share, figures
from tests.rendered.sets import SETS, small_form

SLACK = 2
"""Pieces of a set that another release of OpenCV, another machine may lose."""


def part(rows: list[Line], figure: str) -> int:
    value = figures(rows)[figure]
    assert isinstance(value, Share)
    return value.part


def losses(now: list[Line], then: list[Line]) -> list[str]:
    """In words, what was better before: right pieces of a set beyond the slack, any more labels that are wrong or on what is not enrolled."""
    said = []
    for name in SETS:
        new, old = ([line for line in rows if line["set"] == name] for rows in (now, then))
        if sorted(line["name"] for line in new) != sorted(line["name"] for line in old):
            said.append(f"{name}: other scenes than committed: python -m tests.rendered --small --accept")
            continue
        if part(new, "asked right") < part(old, "asked right") - SLACK:
            said.append(f"{name}: {part(new, 'asked right')} pieces right, {part(old, 'asked right')} were")
        for figure in (
            "labels wrong",
            "strangers accepted",
            "twins accepted",
            "backs accepted",
            "labels on nothing",
        ):
            if part(new, figure) > part(old, figure):
                said.append(f"{name}: {figure} {part(new, figure)}, it was {part(old, figure)}")
    return said


def test_nothing_is_lost() -> None:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        now = list(read_all(small_form(), "test", 1))
    finally:
        cv2.setNumThreads(threads)
    said = losses(now, kept(committed()))
    assert not said, "\n".join(said) + "\n" + report(now)


def test_a_loss_would_be_seen() -> None:
    then = kept(committed())
    assert then and not losses(then, then)
    worse = [
        {**line, "pieces": line["pieces"].replace("/right/", "/missed/"), "labels": "a>b@0.90; c>d@0.90"}
        for line in then
    ]
    said = losses(worse, then)
    assert any("pieces right" in each for each in said) and any("labels wrong" in each for each in said)
