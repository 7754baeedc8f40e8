"""What a line typed by hand was meant to say."""

from __future__ import annotations

import contextlib

import pytest

from engines import games
from engines.catalogue import house
from firmware.alone.heading import NAMES, Heading, usual
from firmware.alone.sitting import Sitting, Unreadable
from firmware.alone.typed import rewritten


@pytest.mark.parametrize(
    ("game", "typed", "step"),
    [
        ("tanis", "take Falcon 3", "take falcon-3"),
        ("tanis", "Take the falcon-3", "take falcon-3"),
        ("tanis", "EXCAVATOR snake 10", "excavator snake-10"),
        ("tanis", "explorer the Falcon 9 left 1", "explorer falcon-9 left 1"),
        ("tanis", "explorer Scarab 1 down one", "explorer scarab-1 down 1"),
        ("archaeology", "reveal Treasure", "reveal treasure"),
        ("archaeology", "sell 2 cups", "sell 2 cup"),
        ("archaeology", "sell one pot shard", "sell shard"),
        ("archaeology", "steal from ben", "steal from Ben"),
        ("archaeology", "end turn", "end"),
        ("archaeology", "explore chamber 2", "explore 2"),
        ("archaeology", "Trade coin, Coin and 1 scrap for Pharaoh's Mask", "trade 2 coin, scrap for mask"),
        ("archaeology", "correct hand BEN 5", "correct hand Ben 5"),
        ("ankh", "play Green 4", "play green-4"),
        ("papyrus", "Draw", "draw"),
        ("papyrus", "move to Isis paying 2 Light and 1 nature", "move to isis paying 2 light, nature"),
        ("papyrus", "swap e for a", "swap E for A"),
        ("papyrus", "win Nephthys", "win nephthys"),
    ],
)
def test_what_people_type_is_read_as_it_was_meant(game: str, typed: str, step: str) -> None:
    sitting = Sitting(Heading(games()[game], NAMES[: usual(games()[game])], catalogue=house(game)))
    read = [step]
    for one in (typed, *rewritten(typed, sitting.names)):
        with contextlib.suppress(Unreadable):
            read = [sitting.words(sitting.read(one, bare=True)[0]).removeprefix("Ana: ")]
            break
    assert read == [step]
    assert step in rewritten(typed, sitting.names)
