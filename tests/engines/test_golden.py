"""One whole game of each kind, readable, that must always come out the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import games, record
from engines.game import Move

GOLDEN = Path(__file__).parent.parent / "golden"

SCORES = {
    "tanis": (
        "Snake 1 0, Snake 4-7 7, Snake 9-10 2, Ankh 2 0, Ankh 5 0, Ankh 8-10 4, Falcon 4 0, Falcon 6-7 2, "
        "Scarab 1 0, Scarab 3 0, Scarab 5-6 2",
        "Snake 3 0, Snake 8 0, Ankh 1 0, Ankh 3-4 2, Ankh 6 0, Falcon 1-3 4, Falcon 5 0, Falcon 8-10 4, "
        "Scarab 4 0, Scarab 7-10 7",
    ),
    "archaeology": (
        "5 Shards 15, 2 Cups 15, 4 Scraps 10, 5 Shards 15, 2 Cups 15, 2 Cups 15, Coin 2, Scrap 1",
        "4 Scraps 10, 5 Talismans 40, 5 Shards 15, 2 Coins 5, Scrap 1",
        "4 Scraps 10, 5 Coins 30, 3 Coins 10, Talisman 3",
    ),
    "ankh": (
        "Scoring 1 BYRG 4 -9, Scoring 2 BYRG 4 15, Scoring 3 BGYR 4 2, Scoring 4 GBYR 3 4, Scoring 5 RYGB 3 12",
        "Scoring 1 BYRG 4 4, Scoring 2 BYRG 4 13, Scoring 3 BGYR 4 8, Scoring 4 GBYR 3 10, Scoring 5 RYGB 3 15",
        "Scoring 1 BYRG 4 2, Scoring 2 BYRG 4 17, Scoring 3 BGYR 4 -3, Scoring 4 GBYR 3 3, Scoring 5 RYGB 3 6",
    ),
    "papyrus": (
        "Apis 6, Nephthys 10, Shu 4, 3 scarabs 15",
        "Imsety 8, 1 scarab 5",
        "Tefnut 8, Sekhmet 9, Wadjet 9, 3 scarabs 15",
    ),
}
"""Item by item, and what each gives."""


@pytest.mark.parametrize("id", list(games()))
def test_every_game_has_a_golden_game_that_comes_out_the_same(id: str) -> None:
    text = (GOLDEN / f"{id}.txt").read_text(encoding="utf-8")
    found = record.read_annotated(text)
    assert found.match.game.id == id
    assert found.match.outcome() is not None
    assert record.write(found.match, found.comments) == text
    # Every move of it was legal where it stands, and offered where all can be.
    match = found.match
    for step, state in zip(match.steps, match.states, strict=False):
        if isinstance(step, Move):
            assert match.game.rules.refusal(state, step) is None
            assert step in match.game.rules.legal_moves(state) or not match.game.rules.complete(state)
    items = tuple(", ".join(f"{item.text} {item.points}" for item in items) for items in match.score().items)
    assert items == SCORES[id]
