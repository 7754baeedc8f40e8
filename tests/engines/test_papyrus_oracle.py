"""The referee of Papyrus against every hidden world of cut decks."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.hidden import Hidden
from tests.oracles import papyrus


def test_a_move_is_refused_if_and_only_if_no_hidden_world_allows_it() -> None:
    asked = list(papyrus.pairs(0, 4000))
    different = [pair for pair in asked if pair[2] == pair[3]]
    assert not different, different[0]
    # Both answers, for every kind of move.
    answers = {(said.split()[1], refused) for _, said, refused, _ in asked}
    for verb in (
        "draw",
        "move",
        "win",
        "decline",
        "swap",
        "lose",
        "gain",
        "take",
        "exchange",
        "go",
        "buy",
        "form",
    ):
        assert {(verb, True), (verb, False)} <= answers, verb


@pytest.mark.parametrize("answer", [True, False])
def test_the_oracle_notices_a_referee_that_does_not_count(
    monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    honest = Hidden.possible

    def careless(self: Hidden, place: str, faces: object) -> bool:
        wanted = tuple(faces)  # type: ignore[call-overload]
        return answer if len(wanted) == 2 else honest(self, place, wanted)

    monkeypatch.setattr(Hidden, "possible", careless)
    try:
        found = [pair for pair in islice(papyrus.pairs(0, 2000), 2000) if pair[2] == pair[3]]
    except Exception as error:  # noqa: BLE001 - a world that cannot be is noticed as well
        found = [("", "", answer, answer)] if type(error).__name__ in ("Impossible", "AssertionError") else []
    assert found
