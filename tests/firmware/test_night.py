"""Whole nights on perfect tables: what is seen is proposed, what is confirmed is written, nothing else."""

from __future__ import annotations

import random

import pytest

from engines.game import Move
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
    assert one.match.score() == one.world.score()


@pytest.mark.parametrize("seed", range(12))
def test_a_night_with_mistakes_and_forgotten_confirmations(seed: int) -> None:
    """Every act that a look can refute is named by its rule, what is put right goes away, and the score is the true one."""
    one = started(seed)
    rng = random.Random(seed)
    waiting: list[Move] = []
    named = 0
    while not one.world.over:
        intent = one.world.choose(rng, mistakes=0.3)
        ((acts, moves),) = intent.stages
        if intent.mistake is not None:
            # Players who are about to break a rule have confirmed what was before.
            while waiting:
                assert one.screen.name == "proposal"
                one.confirm()
                waiting.pop(0)
            done = one.match
            one.hands(*acts)
            if intent.refutable:
                # What was legal of it is proposed or stands before the refusal; the refusal is on the display.
                assert one.screen.name == "illegal", (intent, one.screen)
                assert one.night.finding.refusal is not None
                assert one.night.finding.refusal.rule == intent.mistake
                named += 1
            one.hands(*intent.undo)
            assert one.match.moves == done.moves
            for link in one.night.chain:
                # Moves before the illegal one are legal and stand.
                one.world.play(link.move)
                waiting.append(link.move)
            continue
        for act in acts:
            one.truth.act(act)
        for move in moves:
            one.world.play(move)
            waiting.append(move)
        one.look()
        assert one.screen.name == "proposal", (one.screen, waiting)
        assert [link.move for link in one.night.chain] == waiting[:4]
        if len(waiting) < 4 and rng.random() < 0.3:
            continue
        while waiting:
            assert one.screen.name == "proposal"
            assert one.night.chain[0].move == waiting.pop(0)
            one.confirm()
    while one.screen.name == "proposal":
        one.confirm()
    assert one.screen.name == "end"
    assert one.match.score() == one.world.score()
    assert named or seed
