"""Fewer cases for what may be hidden: worlds are added so that one case holds them all, none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engines.cases import Case, Faces, bits, tidy

BLANK = ""
"""The face of a card that is not there: somebody counted more cards in a place than could be accounted for."""


def apart(pools: Iterable[Faces]) -> tuple[frozenset[str], ...]:
    """Classes of faces: two that were ever in one stock are in one class."""
    classes: list[frozenset[str]] = []
    for pool in pools:
        joined = frozenset(pool)
        for other in [other for other in classes if other & joined]:
            joined |= other
            classes.remove(other)
        classes.append(joined)
    return tuple(classes)


def widened(cases: Iterable[Case], classes: tuple[frozenset[str], ...]) -> Case:
    """One case with all the worlds of these, and more.

    Faces known in all of them stay known. All other cards of a class of faces (maps, say) become one stock; as many
    slots as have cards of one class in every case keep to that class, all others may have any.
    """
    all_cases = list(cases)
    places = range(len(all_cases[0][1]))
    unknown = _unknown(all_cases)
    if unknown or len(classes) < 2:
        classes = ()
    known = [_common([Counter(case[2][at]) for case in all_cases]) for at in places]
    pool = _common([_cards(case) for case in all_cases])
    for faces in known:
        pool -= faces
    numbers = {face: number for number, faces in enumerate(classes) for face in faces}
    rest = len(classes)
    pools: list[Faces | None] = [
        tuple(sorted(face for face in pool.elements() if numbers.get(face, rest) == number))
        for number in range(rest + 1)
    ]
    if unknown:
        pools.append(None)
    every = (1 << len(pools)) - 1
    of = [[_class(pool, numbers, rest) for pool in case[0]] for case in all_cases] if classes else []
    slots = []
    for at in places:
        least: Counter[int] | None = None
        for case, kinds in zip(all_cases, of, strict=False):
            mine = _classed(case, at, kinds, numbers, rest, known[at])
            least = mine if least is None else least & mine
        counts = Counter({1 << number: n for number, n in (least or Counter()).items()})
        _, first_slots, first_known = all_cases[0]
        size = len(first_known[at]) + sum(n for _, n in first_slots[at])
        left = size - known[at].total() - counts.total()
        counts[every] += left
        slots.append(tuple(sorted((kind, n) for kind, n in counts.items() if n)))
    kept = tuple(tuple(sorted(faces.elements())) for faces in known)
    whole = tidy((tuple(pools), tuple(slots), kept))
    assert whole is not None, "widening loses no world"
    return whole


def _unknown(cases: list[Case]) -> bool:
    """Whether some cards have no known face, or not the same one in every case."""
    if any(stock is None for stocks, _, _ in cases for stock in stocks):
        return True
    return any(_cards(case) != _cards(cases[0]) for case in cases[1:])


def _common(counters: list[Counter[str]]) -> Counter[str]:
    found = counters[0]
    for other in counters[1:]:
        found = found & other
    return found


def _cards(case: Case) -> Counter[str]:
    """All cards of a case of which the face is known."""
    stocks, _, known = case
    cards: Counter[str] = Counter()
    for pool in (*(stock for stock in stocks if stock), *known):
        cards.update(pool)
    return cards


def _class(pool: Faces | None, numbers: Mapping[str, int], rest: int) -> int:
    """The class of which all cards of a stock are, or -1."""
    found = {numbers.get(face, rest) for face in set(pool or ())}
    return found.pop() if len(found) == 1 else -1


def _classed(
    case: Case, at: int, classes: list[int], numbers: Mapping[str, int], rest: int, known: Counter[str]
) -> Counter[int]:
    """By class, how many cards of the place are surely of that class, besides those that stay known. ``classes`` are those of the
    stocks."""
    _, slots, faces = case
    counts: Counter[int] = Counter()
    for face in (Counter(faces[at]) - known).elements():
        counts[numbers.get(face, rest)] += 1
    for kind, n in slots[at]:
        of = {classes[stock] for stock in bits(kind)}
        if len(of) == 1 and -1 not in of:
            counts[of.pop()] += n
    return counts


def resized(cases: Iterable[Case], at: int, elsewhere: int, n: int, uncounted: bool = False) -> Case:
    """One case in which any card may lie anywhere and the place has ``n`` cards.

    Too many cards for the stock: the surplus slots may be filled with blanks; when nobody knows which cards the game has
    (``uncounted``, or a stock says so), with any faces. Too few: the others lie elsewhere.
    """
    all_cases = list(cases)
    _, slots, known = all_cases[0]
    sizes = [len(faces) + sum(m for _, m in mine) for faces, mine in zip(known, slots, strict=True)]
    unknown = uncounted or _unknown(all_cases)
    cards = _common([_cards(case) for case in all_cases])
    more = n - sizes[at]
    sizes[at] = n
    if more > 0:
        found = min(more, sizes[elsewhere])
        sizes[elsewhere] -= found
        cards[BLANK] += 0 if unknown else more - found
    else:
        taken = min(-more, cards[BLANK])
        cards[BLANK] -= taken
        sizes[elsewhere] += -more - taken
    pools: tuple[Faces | None, ...] = (tuple(sorted(cards.elements())), *((None,) if unknown else ()))
    every = (1 << len(pools)) - 1
    case = tidy((pools, tuple(((every, size),) if size else () for size in sizes), ((),) * len(sizes)))
    assert case is not None, "as many slots as cards"
    return case
