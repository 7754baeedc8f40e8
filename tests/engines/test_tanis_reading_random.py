"""Reading whatever a reader may claim."""

from __future__ import annotations

import random
from textwrap import wrap

from engines.table import Piece, Table
from engines.tanis import reading, rules
from engines.tanis.dealing import deal
from engines.tanis.moves import Take


def test_random_tables_never_raise() -> None:
    """Whatever a reader claims (P21), the answer is an answer."""
    rng = random.Random(5)
    world = deal(3, 2, 0, {})
    for _ in range(4):
        world.play(next(move for move in rules.legal_moves(world.state) if isinstance(move, Take)))
    layout = reading.layout(2, {})
    names = [face.identity for face in layout.faces]
    for _ in range(300):
        pieces = []
        for _ in range(rng.randrange(30)):
            zone = rng.choice(layout.zones)
            cells = tuple(
                (rng.randrange(-1, 5), rng.randrange(-1, 6)) for _ in range(rng.choice((0, 1, 2, 2)))
            )
            pieces.append(
                Piece(
                    tuple(sorted(rng.sample(names, rng.choice((0, 1, 1, 1, 3))))),
                    rng.choice(("tile", "card")),
                    zone.name,
                    zone.x,
                    zone.y,
                    level=rng.randrange(6),
                    cells=cells,
                    seen=(rng.random() < 0.7, rng.random() < 0.7),
                    confidence=rng.random(),
                )
            )
        table = Table(
            tuple(pieces), tuple(rng.sample([zone.name for zone in layout.zones], rng.choice((0, 0, 1))))
        )
        for explanation in reading.explain(world.state, table):
            state = world.state
            for step in explanation.steps[: len(explanation.steps) - (explanation.refusal is not None)]:
                state = rules.apply(state, step)
        state = world.state
        for fact in reading.reveals(state, table):
            state = rules.apply(state, fact)
        for difference in reading.differences(world.state, table):
            assert len(wrap(difference.text, 21)) <= 2 and len(wrap(difference.remedy, 21)) <= 2, difference
