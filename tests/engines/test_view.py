"""What lies open is told in words for every game: all of it, line by line, in every state."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from engines import games
from engines.tanis import rules as tanis
from engines.tanis.knowledge import surely
from engines.tanis.moves import Take
from engines.tanis.view import lines
from engines.words import counted, listed
from tests.spaces import setting

NAMES = ("Ana", "Ben", "Cleo da Vinci", "Dora", "Emma")


@pytest.mark.parametrize("game", games())
def test_every_state_is_told(game: str) -> None:
    view = import_module(f"engines.{game}.view")
    for seed in range(8):
        players = games()[game].players[seed % len(games()[game].players)]
        deal = setting(games()[game], players, seed).deal()
        rng = random.Random(seed)
        states = {deal.state}
        while not deal.over and len(states) < 150:
            deal.play(deal.pick(rng))
            states.add(deal.state)
        start = games()[game].rules.start(
            players,
            0,
            setting(games()[game], players, seed).options,
            setting(games()[game], players, seed).catalogue,
        )
        for state in (start, *states):
            told = view.lines(state, NAMES[:players])
            assert told and all(line and line.isprintable() and len(line) < 2000 for line in told)
            for name in NAMES[:players]:
                assert any(name in line for line in told), name
            assert any("player-1" in line for line in view.lines(state))
        assert len({view.lines(state) for state in states}) > len(states) / 3, "it says too little"


def test_the_tiles_of_the_dig_are_told_as_they_show() -> None:
    deal = setting(games()["tanis"], 2, 4).deal()
    rng = random.Random(4)
    while not deal.over:
        told = [
            part for line in lines(deal.state) if line.startswith("layer") for part in line[9:].split(", ")
        ]
        whole = {part.split()[0] for part in told if "half covered" not in part}
        assert whole == {place.tile for place in surely(deal.state)}
        told = list(lines(deal.state))
        at = told.index("dig from above, each tile with its layer:")
        cells = [cell for row in told[at + 2 : at + 7] for cell in row[2:].split("  ") if cell.strip()]
        assert (
            tuple(int(cell.rsplit(" ", 1)[-1]) if cell.strip() != "-" else 0 for cell in cells)
            == deal.state.heights
        )
        for place in surely(deal.state):
            assert sum(cell.split()[0] == place.tile for cell in cells) == 2, "a whole tile lies on two cells"
        deal.play(deal.pick(rng))
    state = tanis.apply(tanis.start(2, 0, {}), Take(0, "falcon-1"))
    unseen = tanis.apply(state, Take(1, "falcon-2"))
    assert not any("above" in line for line in lines(unseen)), "nobody knows how high it is"


SAYS: dict[str, Callable[[Any], list[str]]] = {
    "archaeology": lambda state: [
        f"market: {listed(state.market)}",
        f"discarded: {counted(state.thieves, 'thief', 'thieves')}",
    ],
    "ankh": lambda state: [f"pile: {counted(state.pile, 'card')}", *map(listed, state.rows)],
    "papyrus": lambda state: [
        f"{name} on {seat.place}" for name, seat in zip(NAMES, state.seats, strict=False)
    ],
}


@pytest.mark.parametrize("game", SAYS)
def test_the_market_the_rows_and_the_pawns_are_told(game: str) -> None:
    view = import_module(f"engines.{game}.view")
    deal = setting(games()[game], 2, 0).deal()
    rng = random.Random(1)
    for _ in range(60):
        told = "\n".join(view.lines(deal.state, NAMES[:2]))
        for one in SAYS[game](deal.state):
            assert one in told, one
        if deal.over:
            break
        deal.play(deal.pick(rng))


def test_what_the_dig_site_still_holds_is_told_by_kind() -> None:
    rules, said = games()["archaeology"].rules, []
    for players in (2, 3):
        state = rules.start(players, 0, {})
        for line in ("reveal market 5 shard", "dig", "reveal thief", "steal from player-2", "end", "dig"):
            state = rules.apply(state, rules.parse(line, rules.to_move(state)))
        state = rules.apply(state, rules.parse("reveal treasure", 0))
        said.append(import_module("engines.archaeology.view").lines(state)[-1])
    assert said == [
        "dig site: 39 treasures, 3 thieves, 6 sandstorms; discarded: 1 thief, 0 sandstorms",
        "dig site: 35 treasures, 5 thieves, 5 sandstorms (not verified); discarded: 1 thief, 0 sandstorms",
    ]


def test_a_number_with_its_noun() -> None:
    assert [counted(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert counted(1, "thief", "thieves") == "1 thief" and counted(3, "thief", "thieves") == "3 thieves"
