"""What is possible about hidden cards, against a list of all worlds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement

import pytest

from engines import hidden
from engines.hidden import Hidden, Impossible

Faces = tuple[str, ...]
World = tuple[Faces, ...]
"""By place, the faces that lie there."""

FACES = "abcd"
PLACES = ("pile", "ana", "ben", "cleo")


def parts(faces: Faces, n: int) -> set[Faces]:
    """Every choice of n of these cards."""
    return set(combinations(sorted(faces), n))


def minus(faces: Faces, taken: Faces) -> Faces:
    return tuple(sorted((Counter(faces) - Counter(taken)).elements()))


def plus(faces: Faces, more: Faces) -> Faces:
    return tuple(sorted(faces + more))


class Worlds:
    """The same questions, answered by keeping every world: slow, plain, and sharing nothing with engines.hidden."""

    def __init__(self, worlds: set[World]) -> None:
        self.worlds = worlds

    @classmethod
    def of(
        cls,
        stocks: Mapping[str, Mapping[str, int] | None],
        places: Mapping[str, Mapping[tuple[str, ...], int]],
    ) -> Worlds:
        slots = [
            (at, kind)
            for at, kinds in enumerate(places.values())
            for kind, n in kinds.items()
            for _ in range(n)
        ]

        def fill(left: list[tuple[int, tuple[str, ...]]], cards: dict[str, Faces | None]) -> Iterator[World]:
            if not left:
                if not any(cards.values()):
                    yield ((),) * len(places)
                return
            (at, kind), *others = left
            for stock in kind:
                pool = cards[stock]
                for face in sorted(set(pool if pool is not None else FACES)):
                    rest = {**cards, stock: None if pool is None else minus(pool, (face,))}
                    for world in set(fill(others, rest)):
                        yield (*world[:at], plus(world[at], (face,)), *world[at + 1 :])

        pools = {
            name: None if counts is None else tuple(sorted(Counter(dict(counts)).elements()))
            for name, counts in stocks.items()
        }
        return cls(set(fill(slots, pools)))

    def move(self, source: int, target: int, n: int) -> Worlds:
        found = set()
        for world in self.worlds:
            for taken in parts(world[source], n):
                now = list(world)
                now[source] = minus(now[source], taken)
                now[target] = plus(now[target], taken)
                found.add(tuple(now))
        return Worlds(found)

    def show(self, place: int, faces: Faces) -> Worlds:
        return Worlds(
            {
                (*world[:place], minus(world[place], faces), *world[place + 1 :])
                for world in self.worlds
                if not Counter(faces) - Counter(world[place])
            }
        )

    def put(self, place: int, faces: Faces) -> Worlds:
        return Worlds(
            {(*world[:place], plus(world[place], faces), *world[place + 1 :]) for world in self.worlds}
        )


def questions(rng: random.Random, size: int) -> Iterator[Faces]:
    yield from combinations_with_replacement(FACES, 1)
    yield from combinations_with_replacement(FACES, 2)
    yield from combinations_with_replacement(FACES, 3)
    for _ in range(4):
        yield tuple(sorted(rng.choices(FACES, k=rng.randint(1, max(size, 1)))))


def agree(known: Hidden, worlds: Worlds, rng: random.Random, story: list[str], exact: bool = True) -> None:
    """What some world allows is possible; and where it is exact nothing else is."""
    for at, place in enumerate(PLACES):
        hands = {world[at] for world in worlds.worlds}
        assert {len(hand) for hand in hands} == {known.size(place)}, story
        allowed = {part for hand in hands for n in range(1, len(hand) + 1) for part in parts(hand, n)}
        for faces in questions(rng, known.size(place)):
            possible = known.possible(place, faces)
            assert possible == (faces in allowed) or (possible and not exact), (place, faces, story, known)
        least = Counter(next(iter(hands)))
        for hand in hands:
            least &= Counter(hand)
        assert not Counter(known.known(place)) - least, (place, story)


def beginning(
    rng: random.Random,
) -> tuple[dict[str, dict[str, int] | None], dict[str, dict[tuple[str, ...], int]]]:
    """A small box of cards and how it was dealt: like any of the games."""
    style = rng.randrange(4)
    if style == 0:  # one deck
        cards = rng.randint(3, 8)
        stocks: dict[str, dict[str, int] | None] = {"deck": dict(Counter(rng.choices(FACES, k=cards)))}
        kind: tuple[str, ...] = ("deck",)
        first: tuple[str, ...] = kind
    elif style == 1:  # the hands are dealt before the maps are shuffled in
        cards = rng.randint(3, 7)
        stocks = {
            "treasure": dict(Counter(rng.choices("abc", k=cards - rng.randint(1, 2)))),
            "map": {"d": 1},
        }
        stocks["map"] = {"d": cards - sum((stocks["treasure"] or {}).values())}
        kind, first = ("treasure", "map"), ("treasure",)
    elif style == 2:  # nobody knows what is in the deck
        cards = rng.randint(2, 4)
        stocks, kind, first = {"deck": None}, ("deck",), ("deck",)
    else:  # some of it is known
        cards = rng.randint(3, 5)
        stocks = {"some": dict(Counter(rng.choices(FACES, k=rng.randint(1, cards - 1)))), "rest": None}
        kind, first = ("some", "rest"), ("rest",)
    places: dict[str, dict[tuple[str, ...], int]] = {place: {} for place in PLACES}
    most = 1 if style else cards
    for place in PLACES[1:]:
        n = min(rng.randint(0, most), cards)
        places[place] = {first: n} if n else {}
        cards -= n
    places["pile"] = {kind: cards} if cards else {}
    return stocks, places


def history(seed: int, steps: int, exact: bool = True) -> int:
    """A small random history, followed by both; gives how many questions were compared at its end."""
    rng = random.Random(seed)
    stocks, places = beginning(rng)
    worlds = Worlds.of(stocks, places)
    try:
        known = Hidden.of(stocks, places)
    except ValueError:
        assert not worlds.worlds
        return 0
    story = [f"{stocks} {places}"]
    agree(known, worlds, rng, story, exact)
    shown: list[str] = []
    for _ in range(steps):
        filled = [at for at, place in enumerate(PLACES) if known.size(place)]
        source = rng.choice(filled or [0])
        place = PLACES[source]
        size = known.size(place)
        act = rng.choice(("move", "move", "show", "show", "put", "stock"))
        if act == "move":
            target = rng.randrange(len(PLACES))
            n = min(rng.choice((1, 1, 1, 2, size)), size)
            story.append(f"move {place} {PLACES[target]} {n}")
            known = known.move(place, PLACES[target], n)
            if source != target:
                worlds = worlds.move(source, target, n)
        elif act == "show" and size:
            faces = tuple(rng.choices(FACES, k=1 if rng.random() < 0.7 else 2))
            story.append(f"show {place} {faces}")
            after = worlds.show(source, faces)
            if not after.worlds:
                if exact:
                    with pytest.raises(Impossible):
                        known.show(place, faces)
                continue
            known, worlds = known.show(place, faces), after
            shown += faces
        elif act == "put" and shown:
            source = rng.randrange(len(PLACES))
            place = PLACES[source]
            back = tuple(
                shown.pop(rng.randrange(len(shown))) for _ in range(rng.randint(1, min(2, len(shown))))
            )
            story.append(f"put {place} {back}")
            known, worlds = known.put(place, back), worlds.put(source, back)
        elif act == "stock" and len(shown) > 1:
            story.append(f"stock pile {shown}")
            known, worlds = known.stock("pile", "again", shown), worlds.put(0, tuple(shown))
            shown = []
        else:
            continue
        agree(known, worlds, rng, story, exact)
    return len(story)


def never(*_: object) -> None:
    raise AssertionError("a game as small as this was widened")


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_after_any_history_exactly_what_some_world_allows_is_possible(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "widened", never)
    for seed in range(start, start + 250):
        history(seed, 10)


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_a_widened_knowledge_never_forbids_what_some_world_allows(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "LIMIT", limit)
    monkeypatch.setattr(hidden, "STOCKS", 2)
    widened = []
    real = hidden.widened
    monkeypatch.setattr(hidden, "widened", lambda *given: widened.append(1) or real(*given))
    for seed in range(1000 * limit, 1000 * limit + 100):
        history(seed, 12, exact=False)
    assert len(widened) > 20
