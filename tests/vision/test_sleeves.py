"""Cards in sleeves: a clear margin around the face, and a little shine on it."""

from __future__ import annotations

import numpy as np
import pytest

from engines.table import Table
from tests.vision import scenes
from tests.vision.scenes import SCALE, TANIS, Lying, Scene
from vision.eyes import Eyes


@pytest.mark.parametrize("margin", [1.0, 2.0])
def test_a_card_in_a_sleeve_is_the_same_card(margin: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """P05: ``margin`` mm of sleeve on each side; the whole is milky by a tenth."""
    zone = TANIS.zone("cards-1")
    kind = TANIS.kind("card")
    names = ["blue-explorer", "blue-excavator", "blue-expert"]
    edge = round(margin * SCALE)
    for name in names:
        face = scenes.faces()[name].astype(np.float32)
        sleeved = np.pad(face, ((edge, edge), (edge, edge), (0, 0)), constant_values=205.0)
        monkeypatch.setitem(
            scenes.faces(), f"sleeved {name}", (0.9 * sleeved + 22).clip(0, 255).astype(np.uint8)
        )
    across = zone.width >= zone.height
    room = kind.width + 2 * margin + 6 if across else kind.height + 2 * margin + 6
    lying = [
        Lying(
            f"sleeved {name}",
            zone.x + (12 + kind.width / 2 + room * at if across else zone.width / 2),
            zone.y + (zone.height / 2 if across else 12 + kind.height / 2 + room * at),
            4.0 * at - 3,
            0.5,
        )
        for at, name in enumerate(names)
    ]
    look = Eyes(TANIS, scenes.gallery()).read(Scene(lying=lying).picture(), Table())
    assert look.table is not None
    assert sorted(str(piece.identity) for piece in look.table.within("cards-1")) == sorted(names)
