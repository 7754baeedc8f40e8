"""What is possible about hidden cards, against a list of all worlds."""

from __future__ import annotations

import pickle
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


Stocks = dict[str, dict[str, int] | None]
Dealt = dict[str, dict[tuple[str, ...], int]]


def beginning(rng: random.Random) -> tuple[Stocks, Dealt]:
    """A small box of cards and how it was dealt."""
    style = rng.randrange(4)
    if style == 0:  # One deck.
        cards = rng.randint(4, 7)
        stocks: Stocks = {"deck": dict(Counter(rng.choices(FACES, k=cards)))}
        kinds: list[tuple[str, ...]] = [("deck",)]
    elif style == 1:  # Maps are shuffled in after the hands were dealt, and later something else again.
        cards = rng.randint(4, 7)
        maps = rng.randint(1, 2)
        others = rng.randint(0, 1)
        stocks = {
            "treasure": dict(Counter(rng.choices("abc", k=cards - maps - others))),
            "map": {"d": maps},
            "other": dict(Counter(rng.choices(FACES, k=others))),
        }
        kinds = [("treasure",), ("treasure", "map"), ("treasure", "map", "other")]
        if rng.random() < 0.5:
            kinds = [("treasure",), ("map", "other"), ("map",)]
    elif style == 2:  # Nobody knows what is in the deck.
        cards = rng.randint(2, 4)
        stocks, kinds = {"deck": None}, [("deck",)]
    else:  # Some of it is known.
        cards = rng.randint(3, 5)
        stocks = {"some": dict(Counter(rng.choices(FACES, k=rng.randint(1, cards - 1)))), "rest": None}
        kinds = [("rest",), ("some", "rest")]
    places: Dealt = {place: {} for place in PLACES}
    for stock, counts in stocks.items():
        known = sum(sum(pool.values()) for pool in stocks.values() if pool)
        for _ in range(cards - known if counts is None else sum(counts.values())):
            place = rng.choice(PLACES)
            kind = rng.choice([kind for kind in kinds if stock in kind])
            places[place][kind] = places[place].get(kind, 0) + 1
    return stocks, places


def history(seed: int, steps: int, exact: bool = True) -> int:
    """A small random history, followed by both; gives how many cases were kept apart at most."""
    rng = random.Random(seed)
    stocks, places = beginning(rng)
    worlds, known = Worlds.of(stocks, places), Hidden.of(stocks, places)
    story = [f"{stocks} {places}"]
    most = 1
    agree(known, worlds, rng, story, exact)
    shown: list[str] = []
    for _ in range(steps):
        filled = [at for at, place in enumerate(PLACES) if known.size(place)]
        source = rng.choice(filled or [0])
        place = PLACES[source]
        size = known.size(place)
        act = rng.choice(("move", "move", "move", "show", "put", "put", "stock"))
        if act == "move":
            target = rng.randrange(len(PLACES))
            n = min(rng.choice((1, 1, 1, 2, size)), size)
            story.append(f"move {place} {PLACES[target]} {n}")
            known = known.move(place, PLACES[target], n)
            if source != target:
                worlds = worlds.move(source, target, n)
        elif act == "show" and size:
            faces = (rng.choice(FACES),)
            if rng.random() < 0.3:
                faces += (rng.choice(FACES),)
            elif rng.random() < 0.8:  # Mostly what may be there.
                faces = next(
                    (face for face in rng.sample([(f,) for f in FACES], 4) if known.possible(place, face)),
                    faces,
                )
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
        most = max(most, len(known))
    return most


def never(*_: object) -> None:
    raise AssertionError("a game as small as this was widened")


@pytest.mark.parametrize("start", range(0, 600, 300))
def test_after_any_history_exactly_what_some_world_allows_is_possible(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "widened", never)
    for seed in range(start, start + 300):
        history(seed, 10)


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_a_widened_knowledge_never_forbids_what_some_world_allows(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "LIMIT", 0)
    monkeypatch.setattr(hidden, "FEW", limit)
    monkeypatch.setattr(hidden, "STOCKS", 2)
    widened = []
    real = hidden.widened
    monkeypatch.setattr(hidden, "widened", lambda *given: widened.append(1) or real(*given))
    for seed in range(1000 * limit, 1000 * limit + 100):
        history(seed, 12, exact=False)
    assert len(widened) > 10


def theft() -> Hidden:
    """Ana is known to hold a coin beside two unseen cards; Ben has stolen one of the three."""
    dealt = Hidden.of(
        {"deck": {"coin": 2, "mask": 1, "shard": 3}},
        {"ana": {("deck",): 2}, "ben": {("deck",): 1}, "pile": {("deck",): 3}},
    )
    return dealt.show("pile", ["coin"]).put("ana", ["coin"]).move("ana", "ben")


def test_a_theft_blurs_both_hands() -> None:
    stolen = theft()
    assert stolen.size("ana") == 2 and stolen.size("ben") == 2
    assert stolen.known("ana") == {} == stolen.known("ben")
    assert stolen.possible("ben", ["coin", "coin"]) and stolen.possible("ana", ["coin", "mask"])
    assert not stolen.possible("ana", ["mask", "mask"]) and not stolen.possible("ben", ["shard"] * 3)
    assert len(stolen) == 1, "one case says it: a coin and any two, of which one changed hands"
    later = stolen.show("ana", ["mask", "shard"])
    assert later.known("ben") == {"coin": 1}, "the coin must be the one that was stolen"
    with pytest.raises(Impossible, match="ben cannot hold mask"):
        later.show("ben", ["mask"])


def test_counting_says_what_must_lie_in_a_place() -> None:
    dealt = Hidden.of({"deck": {"coin": 3, "mask": 1}}, {"ana": {("deck",): 3}, "ben": {("deck",): 1}})
    assert dealt.known("ana") == {"coin": 2} and dealt.known("ben") == {}
    assert dealt.show("ben", ["mask"]).known("ana") == {"coin": 3}
    assert dealt.possible("nobody", []) and not dealt.possible("nobody", ["coin"])
    assert dealt.size("nobody") == 0 and dealt.known("nobody") == {}


def test_nobody_knows_what_is_in_an_unprinted_deck_but_everybody_how_many() -> None:
    dealt = Hidden.of({"deck": None}, {"ana": {("deck",): 2}, "pile": {("deck",): 5}})
    assert dealt.possible("ana", ["scarab-9", "scarab-9"]) and not dealt.possible("ana", ["mask"] * 3)
    later = (
        dealt.show("ana", ["mask", "coin"]).stock("pile", "again", ["mask", "coin"]).move("pile", "ana", 7)
    )
    assert later.known("ana") == {"coin": 1, "mask": 1} and later.size("pile") == 0
    with pytest.raises(Impossible, match="pile has 0 cards, not 1"):
        later.move("pile", "ana")
    with pytest.raises(ValueError, match="do not fill"):
        Hidden.of({"deck": {"coin": 2}}, {"ana": {("deck",): 1}})


@pytest.mark.parametrize("n", [0, 1, 3, 5, 9])
def test_a_count_that_is_corrected_makes_everything_possible_again_that_the_cards_allow(n: int) -> None:
    counted = theft().resize("ana", n)
    assert (counted.size("ana"), counted.size("ben"), counted.size("pile")) == (n, 2, 2)
    assert counted.known("ana") == {}
    hand = ("coin", "coin", "mask", "shard", "shard", "shard")[: min(n, 6)]
    assert counted.possible("ana", hand)
    assert not counted.possible("ana", ["mask", "mask"]) and not counted.possible("ana", ["shard"] * 4)
    assert counted.show("ana", hand).move("ben", "ana", 2).size("ana") == n - len(hand) + 2
    back = counted.resize("ana", 2)
    assert back.size("ana") == 2 and len(back) == 1
    assert back.possible("ben", ["mask", "shard"]) and back.possible("pile", ["coin", "coin"])
    assert not back.possible("ana", [""]), "a card that is not there is never shown"


def test_a_count_below_nothing_is_impossible() -> None:
    with pytest.raises(Impossible):
        theft().resize("ana", -1)
    assert theft().resize("ana", 2) == theft()
    assert theft().resize("new", 1).possible("new", ["mask"])


def test_the_same_history_gives_the_same_knowledge_in_any_process() -> None:
    one, other = theft(), theft()
    assert one == other and hash(one) == hash(other) and one != theft().move("pile", "ben")
    again = pickle.loads(pickle.dumps(one))
    assert again == one and hash(again) == hash(one) and again.possible("ben", ["coin", "coin"])
    cases = list(one.move("pile", "ana")._cases)
    assert Hidden(one._places, frozenset(reversed(cases)), one._classes) == one.move("pile", "ana")
    assert one.put("ana", []) is one and one.show("ana", []) is one and one.move("ana", "ana") is one


def test_what_is_known_in_every_case_survives_widening(monkeypatch: pytest.MonkeyPatch) -> None:
    """No map was dealt to the hands: even widened, nobody holds one of whom all cards are from then."""
    monkeypatch.setattr(hidden, "LIMIT", 0)
    monkeypatch.setattr(hidden, "FEW", 1)
    dealt = Hidden.of(
        {"treasure": {"coin": 4, "mask": 4}, "map": {"map": 2}},
        {
            "ana": {("treasure",): 2},
            "ben": {("treasure",): 2},
            "cleo": {("treasure",): 1},
            "pile": {("treasure", "map"): 5},
        },
    )
    known = dealt.move("pile", "ana").show("pile", ["coin"]).put("cleo", ["coin"]).move("ana", "ben")
    assert len(known) == 1 and known.known("cleo") == {"coin": 1}
    assert known.possible("ben", ["map", "coin"]) and known.possible("ana", ["map", "mask"])
    assert not known.possible("cleo", ["map"]) and not known.possible("ben", ["map", "map"])


def test_where_nobody_knows_which_cards_the_game_has_one_that_turns_up_may_be_any() -> None:
    plain = Hidden.of({"all": {"coin": 1}}, {"hand": {("all",): 1}, "dig": {}})
    assert not plain.resize("dig", 1).possible("dig", ("mask",))
    assert plain.resize("dig", 1, uncounted=True).possible("dig", ("mask",))
    assert plain.resize("dig", 1, uncounted=True).possible("hand", ("mask",))
    # All that was not known of lies open by now: that the composition is not known is still so.
    seen = Hidden.of({"any": None}, {"hand": {("any",): 1}, "dig": {}}).show("hand", ("coin",))
    assert seen.resize("dig", 1, uncounted=True).possible("dig", ("coin",))


def test_a_great_hand_of_two_piles_is_answered_at_once() -> None:
    """Letters nobody counted, and a heap that was shuffled back: which of both each is from may be chosen in endless ways."""
    heap = [letter for letter in "ABCDEFGHIJKLMNOP" for _ in range(4)]
    hidden = Hidden.of({"bag": None}, {"pile": {("bag",): 40}, "hand": {("bag",): 20}})
    hidden = hidden.move("pile", "hand", 2).stock("pile", "heap", heap).move("pile", "hand", 20)
    asked = [letter for letter in "ABCDEFGHIJ" for _ in range(4)]
    assert hidden.possible("hand", asked)
    assert not hidden.possible("hand", ["Z"] * 42 + ["A"])
