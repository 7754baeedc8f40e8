"""Whole nights on perfect tables: what is seen is proposed, what is confirmed is written, nothing else."""

from __future__ import annotations

import random

import pytest

from tests.firmware.evenings import evening, legal, started


def test_a_few_presses_lead_to_the_set_up() -> None:
    one = evening()
    seen = [one.screen.name]
    while one.screen.name != "setup":
        one.confirm()
        seen.append(one.screen.name)
    assert seen == ["game", "names", "names", "first", "option", "setup"]
    assert not one.written


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_night_every_first_proposal_is_right(seed: int) -> None:
    one = started(seed)
    rng = random.Random(seed)
    while one.screen.name != "end":
        move = legal(one.match, rng)
        one.do(move)
        assert one.screen.name == "proposal", (one.screen, move)
        assert one.night.chain[0].move == move
        before = len(one.match.moves)
        one.confirm()
        assert one.match.moves[before:] == (move,)
    outcome = one.match.outcome()
    assert outcome is not None
    assert one.match.names[outcome.winners[0]] in one.screen.title
    assert one.written[-1][0] == "end"
    assert sum(len(pile) for pile in one.match.state.collected) + len(one.match.state.removed) == 40
