"""One case of what may be hidden: stocks of cards, slots of a kind by place, known faces by place, and what happens to them.

The words are those of ``engines.hidden``. Every function is exact: it keeps all worlds that can be, and no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

Faces = tuple[str, ...]
Slots = tuple[tuple[int, int], ...]
"""The slots of one place: (kind as a set of bits, one for each stock; how many), sorted, each kind once."""
Case = tuple[tuple[Faces | None, ...], tuple[Slots, ...], tuple[Faces, ...]]
"""Stocks; slots by place; known faces by place. Faces are sorted."""
Plan = tuple[dict[int, int], tuple[tuple[int, ...], ...], tuple[int, ...]]
"""How a case becomes simpler: the new kind for each kind, the old stocks that make each new stock, and the (new) kinds of
one stock that lies in no other slots."""

# Small change


def _set(items: tuple[Faces, ...], at: int, item: Faces) -> tuple[Faces, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _more(slots: tuple[Slots, ...], at: int, kind: int, number: int) -> tuple[Slots, ...]:
    """The slots with ``number`` more (or fewer) of a kind in a place."""
    mine = slots[at]
    if len(mine) == 1 and mine[0][0] == kind:
        n = mine[0][1] + number
        return (*slots[:at], ((kind, n),) if n else (), *slots[at + 1 :])
    counts = dict(mine)
    counts[kind] = counts.get(kind, 0) + number
    if not counts[kind]:
        del counts[kind]
    return (*slots[:at], tuple(sorted(counts.items())), *slots[at + 1 :])


def _less(faces: Faces, face: str) -> Faces:
    at = faces.index(face)
    return faces[:at] + faces[at + 1 :]


def bits(kind: int) -> Iterator[int]:
    """The stocks of a kind."""
    while kind:
        low = kind & -kind
        yield low.bit_length() - 1
        kind ^= low


def _totals(slots: tuple[Slots, ...]) -> dict[int, int]:
    """How many slots of each kind there are, all places together."""
    totals: dict[int, int] = {}
    for mine in slots:
        for kind, n in mine:
            totals[kind] = totals.get(kind, 0) + n
    return totals


def grown(case: Case) -> Case:
    stocks, slots, known = case
    return stocks, (*slots, ()), (*known, ())


def given(case: Case, at: int, faces: Faces) -> Case:
    """The case after these faces went into a place for all to see."""
    stocks, slots, known = case
    return stocks, slots, _set(known, at, tuple(sorted(known[at] + faces)))


# Simpler cases


def tidy(case: Case, totals: dict[int, int] | None = None) -> Case | None:
    """The same worlds with the narrowest kinds and the fewest stocks; None when no world is left. ``totals`` are the case's."""
    stocks, slots, known = case
    sizes = tuple([-1 if stock is None else len(stock) for stock in stocks])
    plan = _plan(tuple(sorted((totals or _totals(slots)).items())), sizes)
    if plan is None:
        return None
    kinds, groups, alone = plan
    if kinds:
        pools: list[Faces | None] = []
        for group in groups:
            faces: Faces = ()
            for old in group:
                faces += stocks[old] or ()
            pools.append(None if stocks[group[0]] is None else tuple(sorted(faces)))
        narrowed = []
        for mine in slots:
            counts: dict[int, int] = {}
            for kind, n in mine:
                counts[kinds[kind]] = counts.get(kinds[kind], 0) + n
            narrowed.append(tuple(sorted(counts.items())))
        case = tuple(pools), tuple(narrowed), known
    for kind in alone:
        sure = _settled(case, kind)
        if sure is not None:
            return tidy(sure)  # Once more without the stock: it has become known.
    return case


def _settled(case: Case, kind: int) -> Case | None:
    """The same worlds without the stock that alone fills slots of this kind: its cards are known where it lies in one place
    alone, or is all of one face. None where it is not."""
    stocks, slots, known = case
    number = kind.bit_length() - 1
    pool = stocks[number]
    if not pool:
        return None
    if pool[0] != pool[-1] and sum(1 for mine in slots for other, _ in mine if other == kind) > 1:
        return None
    for place, mine in enumerate(slots):
        for other, n in mine:
            if other == kind:
                known = _set(known, place, tuple(sorted(known[place] + pool[:n])))
                pool = pool[n:]
                slots = _more(slots, place, kind, -n)
    return (*stocks[:number], (), *stocks[number + 1 :]), slots, known


@lru_cache(maxsize=4096)
def _plan(totals: Slots, sizes: tuple[int, ...]) -> Plan | None:
    """How to simplify a case with so many slots of each kind and stocks of these sizes (-1: not known); None: it has no world.

    Slots and stocks match exactly if and only if for every set of stocks (a) not more slots need it than it has cards, and
    (b) not more cards must leave it than there are slots that take one (Hall, both sides; Mendelsohn and Dulmage). Where (a)
    or (b) holds with equality, a slot that could also be filled otherwise cannot (or must): its kind is narrowed. Stocks that
    no kind tells apart are one stock. Kinds are empty when nothing changes.
    """
    every = (1 << len(sizes)) - 1
    whole = sum(n for _, n in totals)
    shut: list[int] = []
    must: list[int] = []
    for group in range(1, every + 1):
        capacity: int | None = 0
        for stock in bits(group):
            capacity = None if sizes[stock] < 0 or capacity is None else capacity + sizes[stock]
        if capacity is None:
            continue
        inside = sum(n for kind, n in totals if not kind & ~group)
        touching = whole - sum(n for kind, n in totals if not kind & group)
        if inside > capacity or touching < capacity:
            return None
        if inside == capacity:
            shut.append(group)
        if touching == capacity:
            must.append(group)
    kinds = {}
    for kind, _ in totals:
        narrow = kind
        for group in shut:
            if kind & ~group:
                narrow &= ~group
        for group in must:
            if kind & group:
                narrow &= group
        kinds[kind] = narrow
    roles: dict[tuple[bool, Faces | tuple[bool, ...]], list[int]] = {}
    different = sorted(set(kinds.values()))
    for stock, size in enumerate(sizes):
        if size:
            role = size < 0, tuple(bool(kind >> stock & 1) for kind in different)
            if any(role[1]) or size > 0:
                roles.setdefault(role, []).append(stock)
    groups = tuple(tuple(group) for group in roles.values())
    if groups == tuple((stock,) for stock in range(len(sizes))) and all(a == b for a, b in kinds.items()):
        return {}, groups, _alone(kinds.values())
    renumbered = {
        kind: sum(1 << new for new, group in enumerate(groups) if narrow >> group[0] & 1)
        for kind, narrow in kinds.items()
    }
    return renumbered, groups, _alone(renumbered.values())


def _alone(kinds: Iterable[int]) -> tuple[int, ...]:
    different = set(kinds)
    return tuple(
        kind
        for kind in sorted(different)
        if not kind & (kind - 1) and not any(other & kind for other in different if other != kind)
    )


# What happens to a case


def shown(case: Case, at: int, face: str) -> list[Case]:
    """The cases after a place has shown a face; none when it cannot.

    The card may be one that was known to be there, or any slot of kind K filled from any stock s that has the face; yet

    - a known card is enough: where a slot showed the face and the known card stayed, exchanging the two gives the same world;
    - (s, K) makes (t, L) needless if K is within L and every kind with s has t: in a world after (t, L) the copy of the face
      that s still has lies in a slot that t may fill as well, so count it as t's; and the card of one K slot fits the L slot.
    """
    stocks, slots, known = case
    if face in known[at]:
        return [(stocks, slots, _set(known, at, _less(known[at], face)))]
    options = []
    for kind, _ in slots[at]:
        for stock in bits(kind):
            pool = stocks[stock]
            if pool is None or face in pool:
                options.append((stock, kind))
    if not options:
        return []
    totals = _totals(slots)
    if len(options) > 1:
        options = _needed(options, stocks, totals)
    found = []
    for stock, kind in options:
        pool = stocks[stock]
        left = stocks if pool is None else (*stocks[:stock], _less(pool, face), *stocks[stock + 1 :])
        rest = dict(totals)
        rest[kind] -= 1
        if not rest[kind]:
            del rest[kind]
        after = tidy((left, _more(slots, at, kind, -1), known), rest)
        if after is not None:
            found.append(after)
    return found


def _needed(
    options: list[tuple[int, int]], stocks: tuple[Faces | None, ...], kinds: Iterable[int]
) -> list[tuple[int, int]]:
    """The (stock, kind) that no other makes needless; of two that do so to each other the first."""

    def spares(one: tuple[int, int], other: tuple[int, int]) -> bool:
        (s, k), (t, m) = one, other
        if k & ~m:
            return False
        return s == t or (stocks[s] is not None and all(kind >> t & 1 for kind in kinds if kind >> s & 1))

    kept: list[tuple[int, int]] = []
    for option in options:
        if not any(spares(other, option) for other in kept):
            kept = [other for other in kept if not spares(option, other)] + [option]
    return kept


def moved(case: Case, here: int, there: int) -> list[Case]:
    """The cases after one unseen card has changed place.

    It may be a slot of any kind, or a known card: one case for each. But the cards of a *closed* kind need none of their own.
    A kind is closed when every slot that its stocks may fill is of just this kind: then it is sure how many of their cards lie
    here (known cards are such a stock, all of it here). Taken together with a kind L, as many slots as before are left for L,
    because the same cards as before must go somewhere: so the two become one kind, wherever the moved card is from.
    """
    stocks, slots, known = case
    mine, faces = slots[here], known[here]
    if not mine and faces[0] == faces[-1]:
        return [
            (
                stocks,
                slots,
                _set(
                    _set(known, here, faces[1:]),
                    there,
                    tuple(sorted((*known[there], faces[0]))),
                ),
            )
        ]
    if len(mine) == 1 and not faces:
        kind = mine[0][0]
        return [(stocks, _more(_more(slots, here, kind, -1), there, kind, 1), known)]
    kinds = _totals(slots)
    closed, free = 0, []
    for kind, _ in mine:
        if all(other == kind or not other & kind for other in kinds) and not any(
            stocks[stock] is None for stock in bits(kind)
        ):
            closed |= kind
        else:
            free.append(kind)
    found = [
        (stocks, _more(_more(slots, here, kind, -1), there, kind, 1), known)
        for kind in (free[1:] if closed or faces else free)
    ]
    if closed or faces:
        if faces:
            closed |= 1 << len(stocks)
            stocks, known = (*stocks, faces), _set(known, here, ())
        merged = closed | (free[0] if free else 0)
        number = len(faces) + sum(n for kind, n in mine if not kind & ~merged and kind not in free[1:])
        rest = tuple((kind, n) for kind, n in mine if kind in free[1:])
        slots = (*slots[:here], rest, *slots[here + 1 :])
        slots = _more(_more(slots, here, merged, number - 1), there, merged, 1)
        after = tidy((stocks, slots, known))
        assert after is not None, "moving a card cannot leave no world"
        found.append(after)
    return found


def emptied(case: Case, here: int, there: int) -> Case:
    """The case after all cards of a place went to another: nothing is unclear about that."""
    stocks, slots, known = case
    for kind, n in slots[here]:
        slots = _more(slots, there, kind, n)
    slots = (*slots[:here], (), *slots[here + 1 :])
    known = _set(known, there, tuple(sorted(known[there] + known[here])))
    return stocks, slots, _set(known, here, ())


# Questions to a case


def can(case: Case, at: int, faces: Faces) -> bool:
    """Whether the place can show all these faces, in some world of the case."""
    stocks, slots, known = case
    mine, here = slots[at], known[at]
    if len(faces) > len(here) + sum(n for _, n in mine):
        return False
    reach = 0
    for kind, _ in mine:
        reach |= kind
    pools = [stocks[stock] for stock in bits(reach)]
    unknown = None in pools
    from_slots = 0
    for face, wanted in Counter(faces).items():
        wanted -= here.count(face)
        if wanted > 0:
            from_slots += wanted
            if not unknown and wanted > sum(pool.count(face) for pool in pools if pool):
                return False
    if len(mine) == 1 and len(pools) == 1:
        return from_slots <= mine[0][1]
    if not any(kind & reach and kind & (kind - 1) for kind in _totals(slots)):
        wanted_here = Counter(faces)
        wanted_here.subtract(here)
        return _fits(+wanted_here, [(stocks[kind.bit_length() - 1], n) for kind, n in mine])
    return _follow(case, at, faces, set())


def _fits(wanted: Mapping[str, int], pools: Sequence[tuple[Faces | None, int]]) -> bool:
    """Whether slots that are each filled from one pool, so many from each, can show these faces.

    Faces flow into pools (as many as a pool has of one) and pools into their slots; all of them pass if and only if no cut
    lets fewer through (Ford and Fulkerson). A cut closes some pools' slots and, for the other pools, what faces they take.
    """
    for closed in range(1 << len(pools)):
        through = sum(n for at, (_, n) in enumerate(pools) if closed >> at & 1)
        open_pools = [pool for at, (pool, _) in enumerate(pools) if not closed >> at & 1]
        if None in open_pools:
            continue  # it takes every face: nothing is held back here
        taken = sum(
            min(n, sum(pool.count(face) for pool in open_pools if pool)) for face, n in wanted.items()
        )
        if through + taken < sum(wanted.values()):
            return False
    return True


def _follow(case: Case, at: int, faces: Faces, dead: set[tuple[int, Case]]) -> bool:
    """Whether the place can show these faces one after the other; ``dead`` are the cases, and how many faces were left, that
    could not: many orders lead to the same."""
    if not faces:
        return True
    if (len(faces), case) in dead:
        return False
    if any(_follow(after, at, faces[1:], dead) for after in shown(case, at, faces[0])):
        return True
    dead.add((len(faces), case))
    return False


def sure(case: Case, at: int) -> Counter[str]:
    """Faces that surely lie in the place: the known ones, and copies in a stock that outnumber its slots elsewhere."""
    stocks, slots, known = case
    sure = Counter(known[at])
    reach = 0
    for kind, _ in slots[at]:
        reach |= kind
    for stock in bits(reach):
        pool = stocks[stock]
        if pool:
            outside = sum(
                n for place, mine in enumerate(slots) if place != at for kind, n in mine if kind >> stock & 1
            )
            if outside < len(pool):
                sure.update({face: n - outside for face, n in Counter(pool).items() if n > outside})
    return sure
