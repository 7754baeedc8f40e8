"""The referee of Ankh against every hidden world of small decks."""

from __future__ import annotations

import pytest

from engines.ankh import effects, knowledge, rules
from tests.oracles.ankh import begin, pairs
from tests.rules import rule

PAIRS = 6000


def differences(n: int, seed: int = 0) -> list[str]:
    """The pairs in which the referee and the judge differ."""
    return [
        f"{record} | {step}: {'refused' if refused else 'accepted'}"
        for record, step, refused, possible in pairs(seed, n)
        if refused == possible
    ]


@rule("G2", "K8", "K17", "K18", "K26", "H1", game="ankh")
def test_a_move_is_refused_if_and_only_if_no_hidden_world_allows_it() -> None:
    assert differences(PAIRS) == []


def test_the_decks_are_small_and_both_answers_are_tried() -> None:
    found = list(pairs(0, 2000))
    assert 400 < sum(possible for *_, possible in found) < 1600
    assert all(sum(begin(seed).box.copies.values()) <= 13 for seed in range(50))
    assert any("shuffled" in step for _, step, _, _ in found)
    assert any("unseen" in step for _, step, _, _ in found)


def test_the_oracle_finds_a_referee_who_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules.knowledge, "possible", lambda *_: True)
    assert len(differences(400)) > 20


def test_the_oracle_finds_a_referee_who_mixes_the_piles(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the hands were shuffled into the new pile as well: nothing false is refused, but too much accepted."""

    def careless(
        numbers: knowledge.Numbers, known: knowledge.Knowledge, name: str, cards: tuple[str, ...], unseen: int
    ) -> knowledge.Knowledge:
        after = knowledge_shuffled(numbers, known, name, cards, unseen)
        size = after[0].size(knowledge.hand(0))
        return tuple(
            hidden.resize(knowledge.hand(0), size + 1).resize(knowledge.hand(0), size) for hidden in after
        )

    knowledge_shuffled = knowledge.shuffled
    monkeypatch.setattr(effects.knowledge, "shuffled", careless)
    assert differences(3000)
