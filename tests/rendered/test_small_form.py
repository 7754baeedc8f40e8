"""The small form of the rendered suite, read by the real reader, against the figures that were committed: a loss is seen at once."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.rendered.report import report
from tests.rendered.run import Line, kept, read_all
from tests.rendered.score import Share, figures
from tests.rendered.sets import SETS, small_form

RESULTS = Path(__file__).parent / "results" / "small.csv"
SLACK = 2
"""Pieces of a set that another version of OpenCV, another machine may lose."""


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return list(read_all(small_form(), "test", 1))
    finally:
        cv2.setNumThreads(threads)


def part(rows: list[Line], figure: str) -> int:
    value = figures(rows)[figure]
    assert isinstance(value, Share)
    return value.part


@pytest.mark.parametrize("name", list(SETS))
def test_nothing_is_lost(lines: list[Line], name: str) -> None:
    """Right pieces no fewer than committed, wrong labels no more, within the slack of one set."""
    now, then = ([line for line in rows if line["set"] == name] for rows in (lines, kept(RESULTS)))
    assert len(now) == len(then) > 0, "the small form has changed: python -m tests.rendered --small --accept"
    assert [line["pieces"].count("/") for line in now] == [line["pieces"].count("/") for line in then], (
        "other scenes than committed"
    )
    told = report(now)
    assert part(now, "asked right") >= part(then, "asked right") - SLACK, told
    assert part(now, "labels wrong") <= part(then, "labels wrong"), told


def test_no_more_strangers_are_let_in(lines: list[Line]) -> None:
    then = kept(RESULTS)
    for figure in ("strangers accepted", "twins accepted", "backs accepted", "labels on nothing"):
        assert part(lines, figure) <= part(then, figure), report(lines)
