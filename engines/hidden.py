"""What the table allows about cards nobody can see: which faces may lie in which hand, pile or chamber.

A ``Hidden`` stands for a set of worlds; a world says for every place which faces lie there. It is kept as a few *cases*, and
the worlds are those of all cases together. A case has

- *stocks*: multisets of faces of which it is known that they lie hidden somewhere (None: nobody knows the composition, any
  face may come from it);
- *slots*: per place, how many unseen cards of which *kind* lie there; a kind is the set of stocks such a card may be from;
- *known* faces: per place, those that surely lie there besides the slots.

A world of a case fills every slot from a stock of its kind so that every stock of known composition is used up exactly. All
operations are exact: the worlds afterwards are those that some history of cards leads to, no more, no fewer. Where the table
does not say which card was meant a case becomes several; ``_shown`` and ``_moved`` say why few are enough. Beyond LIMIT
cases the whole is widened soundly: worlds are added, none is lost (``_widened``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

LIMIT = 64
"""Cases kept apart before they are widened to one."""
STOCKS = 7
"""Stocks kept apart in one case; where more are needed the whole is widened as well."""

Faces = tuple[str, ...]
Slots = tuple[tuple[int, int], ...]
"""The slots of one place: (kind as a set of bits, one for each stock; how many), sorted, each kind once."""
Case = tuple[tuple[Faces | None, ...], tuple[Slots, ...], tuple[Faces, ...]]
"""Stocks; slots by place; known faces by place. Faces are sorted."""
Plan = tuple[dict[int, int], tuple[tuple[int, ...], ...]]
"""How a case becomes simpler: the new kind for each kind, the old stocks that make each new stock."""

BLANK = ""
"""The face of a card that is not there: somebody counted more cards in a place than could be accounted for."""
ELSEWHERE = ""
"""The place of cards that are out of sight because somebody counted fewer."""


class Impossible(Exception):  # noqa: N818 - what it is
    """No world allows what is said to have happened. The text is a sentence."""


class Hidden:
    """What is possible about hidden cards. Immutable and hashable; equal when the cases are."""

    __slots__ = ("_asked", "_cases", "_classes", "_hash", "_places")

    def __init__(
        self, places: tuple[str, ...], cases: frozenset[Case], classes: tuple[frozenset[str], ...]
    ) -> None:
        """For this module; games begin with ``Hidden.of``."""
        self._places = places
        self._cases = cases
        self._classes = classes
        self._hash = hash((places, cases))
        self._asked: dict[tuple[str, Faces], bool] = {}

    @classmethod
    def of(
        cls,
        stocks: Mapping[str, Mapping[str, int] | None],
        places: Mapping[str, Mapping[tuple[str, ...], int]],
    ) -> Hidden:
        """Stocks by name with how often each face is in them (None: not known), and for every place how many unseen cards
        of which kind (the names of the stocks they may be from) lie there.

        Raises ValueError when the cards and the places cannot be matched.
        """
        bit = {name: 1 << at for at, name in enumerate(stocks)}
        pools = tuple(
            None if counts is None else tuple(sorted(Counter(dict(counts)).elements()))
            for counts in stocks.values()
        )
        slots = tuple(
            tuple(sorted((sum(bit[stock] for stock in set(kind)), n) for kind, n in kinds.items() if n))
            for kinds in places.values()
        )
        case = _tidy((pools, slots, ((),) * len(slots)))
        if case is None:
            raise ValueError(f"these cards do not fill these places: {dict(stocks)}, {dict(places)}")
        return cls(tuple(places), frozenset((case,)), _apart(pool for pool in pools if pool))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and (self._places, self._cases) == (other._places, other._cases)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        sizes = ", ".join(f"{place or 'elsewhere'} {self.size(place)}" for place in self._places)
        return f"<Hidden {sizes}; {len(self)} cases>"

    def __len__(self) -> int:
        """How many cases are kept apart: a measure of what a question costs, nothing else."""
        return len(self._cases)

    def __reduce__(self) -> tuple[object, ...]:
        return Hidden, (self._places, self._cases, self._classes)

    def size(self, place: str) -> int:
        """How many cards lie in the place; 0 for a place nobody has spoken of."""
        if place not in self._places:
            return 0
        at = self._places.index(place)
        _, slots, known = next(iter(self._cases))
        return len(known[at]) + sum(n for _, n in slots[at])

    def possible(self, place: str, faces: Iterable[str]) -> bool:
        """Whether some one world lets the place show all these faces now."""
        wanted = tuple(sorted(faces))
        if not wanted:
            return True
        if place not in self._places:
            return False
        key = place, wanted
        answer = self._asked.get(key)
        if answer is None:
            at = self._places.index(place)
            answer = any(_can(case, at, wanted) for case in self._cases)
            self._asked[key] = answer
        return answer

    def show(self, place: str, faces: Iterable[str]) -> Hidden:
        """These faces lie face up now and have left the place. Raises Impossible."""
        wanted = tuple(sorted(faces))
        if not wanted:
            return self
        if not self.possible(place, wanted):
            raise Impossible(f"{place or 'elsewhere'} cannot hold {', '.join(wanted)}")
        at = self._places.index(place)
        cases = self._cases
        for face in wanted:
            cases = frozenset(after for case in cases for after in _shown(case, at, face))
        return self._now(self._places, cases)

    def move(self, source: str, target: str, n: int = 1) -> Hidden:
        """So many unseen cards change place: a draw, a deal, a theft. Raises Impossible when fewer lie there."""
        if n > self.size(source) or n < 0:
            raise Impossible(f"{source or 'elsewhere'} has {self.size(source)} cards, not {n}")
        if source == target or not n:
            return self
        places, cases = self._with(target)
        here, there = places.index(source), places.index(target)
        if n == self.size(source):
            cases = frozenset(_emptied(case, here, there) for case in cases)
            return self._now(places, cases)
        for _ in range(n):
            cases = frozenset(after for case in cases for after in _moved(case, here, there))
            if len(cases) > 4 * LIMIT:
                cases = frozenset((_widened(cases, self._classes),))
        return self._now(places, cases)

    def put(self, place: str, faces: Iterable[str]) -> Hidden:
        """Cards that lay face up go into the place: everybody knows that they are there."""
        added = tuple(faces)
        if not added:
            return self
        places, cases = self._with(place)
        at = places.index(place)
        return Hidden(
            places,
            frozenset(
                (stocks, slots, _set(known, at, tuple(sorted(known[at] + added))))
                for stocks, slots, known in cases
            ),
            self._classes,
        )

    def stock(self, place: str, name: str, faces: Iterable[str]) -> Hidden:
        """Cards that lay face up are shuffled into the place. ``name`` is for the reader: what lies there becomes a stock of
        its own as soon as a card of it leaves unseen."""
        return self.put(place, faces)

    def known(self, place: str) -> Mapping[str, int]:
        """Faces that lie in the place in every world, and at least how often: what was seen to go there, and what
        counting says cannot all be elsewhere."""
        if place not in self._places:
            return {}
        at = self._places.index(place)
        found: Counter[str] | None = None
        for case in self._cases:
            sure = _sure(case, at)
            found = sure if found is None else found & sure
            if not found:
                break
        return dict(sorted((found or Counter()).items()))

    def resize(self, place: str, n: int) -> Hidden:
        """Somebody counted: there are ``n`` cards. Cards went unnoticed, so from now on any may be anywhere; how many lie in
        every other place stays as it was. Raises Impossible for a number below 0."""
        if n < 0:
            raise Impossible(f"{place} cannot have {n} cards")
        places, cases = self._with(place)
        if n == self.size(place):
            return self
        if ELSEWHERE not in places:
            places, cases = (*places, ELSEWHERE), frozenset(_grown(case) for case in cases)
        return Hidden(
            places,
            frozenset((_resized(cases, places.index(place), places.index(ELSEWHERE), n),)),
            self._classes,
        )

    def _with(self, place: str) -> tuple[tuple[str, ...], frozenset[Case]]:
        """Places and cases with room for one more place, if it is new."""
        if place in self._places:
            return self._places, self._cases
        return (*self._places, place), frozenset(_grown(case) for case in self._cases)

    def _now(self, places: tuple[str, ...], cases: frozenset[Case]) -> Hidden:
        if len(cases) > LIMIT or any(len(stocks) > STOCKS for stocks, _, _ in cases):
            cases = frozenset((_widened(cases, self._classes),))
        return Hidden(places, cases, self._classes)


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


def _bits(kind: int) -> Iterator[int]:
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


def _grown(case: Case) -> Case:
    stocks, slots, known = case
    return stocks, (*slots, ()), (*known, ())


# Simpler cases


def _tidy(case: Case) -> Case | None:
    """The same worlds with the narrowest kinds and the fewest stocks; None when no world is left."""
    stocks, slots, known = case
    sizes = tuple(-1 if stock is None else len(stock) for stock in stocks)
    plan = _plan(tuple(sorted(_totals(slots).items())), sizes)
    if plan is None:
        return None
    kinds, groups = plan
    if not kinds:
        return case
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
    return tuple(pools), tuple(narrowed), known


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
        for stock in _bits(group):
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
        return {}, groups
    renumbered = {
        kind: sum(1 << new for new, group in enumerate(groups) if narrow >> group[0] & 1)
        for kind, narrow in kinds.items()
    }
    return renumbered, groups


# What happens to a case


def _shown(case: Case, at: int, face: str) -> list[Case]:
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
        for stock in _bits(kind):
            pool = stocks[stock]
            if pool is None or face in pool:
                options.append((stock, kind))
    if len(options) > 1:
        options = _needed(options, stocks, list(_totals(slots)))
    found = []
    for stock, kind in options:
        pool = stocks[stock]
        left = stocks if pool is None else (*stocks[:stock], _less(pool, face), *stocks[stock + 1 :])
        after = _tidy((left, _more(slots, at, kind, -1), known))
        if after is not None:
            found.append(after)
    return found


def _needed(
    options: list[tuple[int, int]], stocks: tuple[Faces | None, ...], kinds: list[int]
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


def _moved(case: Case, here: int, there: int) -> list[Case]:
    """The cases after one unseen card has changed place.

    It may be a slot of any kind, or a known card: one case for each. But the cards of a *closed* kind (all slots that its
    stocks may fill are of this kind and lie here; a known card is such a stock) need none of their own: taken together with
    a kind L, the slots may be filled from both, and since all those cards must go somewhere, exactly as many slots as before
    are left for L. So the kinds become one, wherever the moved card is from.
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
    totals = _totals(slots)
    closed, free = 0, []
    for kind, n in mine:
        if (
            n == totals[kind]
            and all(other == kind or not other & kind for other in totals)
            and not any(stocks[stock] is None for stock in _bits(kind))
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
        after = _tidy((stocks, slots, known))
        assert after is not None, "moving a card cannot leave no world"
        found.append(after)
    return found


def _emptied(case: Case, here: int, there: int) -> Case:
    """The case after all cards of a place went to another: nothing is unclear about that."""
    stocks, slots, known = case
    for kind, n in slots[here]:
        slots = _more(slots, there, kind, n)
    slots = (*slots[:here], (), *slots[here + 1 :])
    known = _set(known, there, tuple(sorted(known[there] + known[here])))
    return stocks, slots, _set(known, here, ())


# Questions to a case


def _can(case: Case, at: int, faces: Faces) -> bool:
    """Whether the place can show all these faces, in some world of the case."""
    stocks, slots, known = case
    mine, here = slots[at], known[at]
    if len(faces) > len(here) + sum(n for _, n in mine):
        return False
    reach = 0
    for kind, _ in mine:
        reach |= kind
    pools = [stocks[stock] for stock in _bits(reach)]
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
    return _follow(case, at, faces)


def _follow(case: Case, at: int, faces: Faces) -> bool:
    return not faces or any(_follow(after, at, faces[1:]) for after in _shown(case, at, faces[0]))


def _sure(case: Case, at: int) -> Counter[str]:
    """Faces that surely lie in the place: the known ones, and copies in a stock that outnumber its slots elsewhere."""
    stocks, slots, known = case
    sure = Counter(known[at])
    reach = 0
    for kind, _ in slots[at]:
        reach |= kind
    for stock in _bits(reach):
        pool = stocks[stock]
        if pool:
            outside = sum(
                n for place, mine in enumerate(slots) if place != at for kind, n in mine if kind >> stock & 1
            )
            if outside < len(pool):
                sure.update({face: n - outside for face, n in Counter(pool).items() if n > outside})
    return sure


# Widening


def _apart(pools: Iterable[Faces]) -> tuple[frozenset[str], ...]:
    """Classes of faces: two that were ever in one stock are in one class."""
    classes: list[frozenset[str]] = []
    for pool in pools:
        joined = frozenset(pool)
        for other in [other for other in classes if other & joined]:
            joined |= other
            classes.remove(other)
        classes.append(joined)
    return tuple(classes)


def _widened(cases: Iterable[Case], classes: tuple[frozenset[str], ...]) -> Case:
    """One case with all the worlds of these, and more.

    Faces known in all of them stay known. All other cards of a class of faces (maps, say) become one stock; as many
    slots as have cards of one class in every case keep to that class, all others may have any.
    """
    all_cases = list(cases)
    places = range(len(all_cases[0][1]))
    if any(stock is None for stocks, _, _ in all_cases for stock in stocks):
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
    if any(stock is None for stocks, _, _ in all_cases for stock in stocks):
        pools.append(None)
    every = (1 << len(pools)) - 1
    slots = []
    for at in places:
        least: Counter[int] | None = None
        for case in all_cases:
            mine = _classed(case, at, numbers, rest, known[at]) if classes else Counter()
            least = mine if least is None else least & mine
        counts = Counter({1 << number: n for number, n in (least or Counter()).items()})
        _, first_slots, first_known = all_cases[0]
        size = len(first_known[at]) + sum(n for _, n in first_slots[at])
        left = size - len(known[at]) - counts.total()
        counts[every] += left
        slots.append(tuple(sorted((kind, n) for kind, n in counts.items() if n)))
    kept = tuple(tuple(sorted(faces.elements())) for faces in known)
    widened = _tidy((tuple(pools), tuple(slots), kept))
    assert widened is not None, "widening loses no world"
    return widened


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


def _classed(case: Case, at: int, numbers: Mapping[str, int], rest: int, known: Counter[str]) -> Counter[int]:
    """By class, how many cards of the place are surely of that class, besides those that stay known."""
    stocks, slots, faces = case
    counts: Counter[int] = Counter()
    for face in (Counter(faces[at]) - known).elements():
        counts[numbers.get(face, rest)] += 1
    for kind, n in slots[at]:
        of = {numbers.get(face, rest) for stock in _bits(kind) for face in stocks[stock] or ()}
        if len(of) == 1:
            counts[of.pop()] += n
    return counts


def _resized(cases: Iterable[Case], at: int, elsewhere: int, n: int) -> Case:
    """One case in which any card may lie anywhere and the place has ``n`` cards.

    Too many cards for the stock: the surplus slots may be filled with blanks. Too few: the others lie elsewhere.
    """
    all_cases = list(cases)
    _, slots, known = all_cases[0]
    sizes = [len(faces) + sum(m for _, m in mine) for faces, mine in zip(known, slots, strict=True)]
    unknown = any(stock is None for case in all_cases for stock in case[0])
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
    case = _tidy((pools, tuple(((every, size),) if size else () for size in sizes), ((),) * len(sizes)))
    assert case is not None, "as many slots as cards"
    return case
