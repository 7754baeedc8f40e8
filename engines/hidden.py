"""What the table allows about cards nobody can see: which faces may lie in which hand, pile or chamber.

A ``Hidden`` stands for a set of worlds; a world says for every place which faces lie there. It is kept as a few *cases*, and
the worlds are those of all cases together. A case has

- *stocks*: multisets of faces of which it is known that they lie hidden somewhere (None: nobody knows the composition, any
  face may come from it);
- *slots*: per place, how many unseen cards of which *kind* lie there; a kind is the set of stocks such a card may be from;
- *known* faces: per place, those that surely lie there besides the slots.

A world of a case fills every slot from a stock of its kind so that every stock of known composition is used up exactly. All
operations are exact: the worlds afterwards are those that some history of cards leads to, no more, no fewer. Where the table
does not say which card was meant a case becomes several; ``shown`` and ``moved`` say why few are enough. Beyond LIMIT
cases the whole is widened soundly: worlds are added, none is lost (``widened``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engines.cases import Case, Faces, can, emptied, given, grown, moved, shown, sure, tidy
from engines.widening import BLANK, apart, resized, widened

LIMIT = 120_000
"""Cases kept apart, times the square of the hidden cards, before they are widened to one: what a case costs grows with its cards,
and so does the number of turns in which it must be paid. With 12 cards 833 cases, more than such a game needs; with 100 cards 12."""
FEW = 8
"""So many cases are always kept apart."""
STOCKS = 7
"""Stocks kept apart in one case; where more are needed the whole is widened as well."""

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
        case = tidy((pools, slots, ((),) * len(slots)))
        if case is None:
            raise ValueError(f"these cards do not fill these places: {dict(stocks)}, {dict(places)}")
        return cls(tuple(places), frozenset((case,)), apart(pool for pool in pools if pool))

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
            answer = any(can(case, at, wanted) for case in self._cases)
            self._asked[key] = answer
        return answer

    def show(self, place: str, faces: Iterable[str]) -> Hidden:
        """These faces lie face up now and have left the place. Raises Impossible."""
        wanted = tuple(sorted(faces))
        if not wanted:
            return self
        cases = self._cases
        at = self._places.index(place) if place in self._places else -1
        if at < 0 or self._asked.get((place, wanted)) is False:
            cases = frozenset()
        for face in wanted:
            cases = self._few(frozenset(after for case in cases for after in shown(case, at, face)))
        if not cases:
            raise Impossible(f"{place or 'elsewhere'} cannot hold {', '.join(wanted)}")
        return Hidden(self._places, cases, self._classes)

    def move(self, source: str, target: str, n: int = 1) -> Hidden:
        """So many unseen cards change place: a draw, a deal, a theft. Raises Impossible when fewer lie there."""
        if n > self.size(source) or n < 0:
            raise Impossible(f"{source or 'elsewhere'} has {self.size(source)} cards, not {n}")
        if source == target or not n:
            return self
        places, cases = self._with(target)
        here, there = places.index(source), places.index(target)
        if n == self.size(source):
            cases = frozenset(emptied(case, here, there) for case in cases)
            return Hidden(places, cases, self._classes)
        for _ in range(n):
            cases = self._few(frozenset(after for case in cases for after in moved(case, here, there)))
        return Hidden(places, cases, self._classes)

    def put(self, place: str, faces: Iterable[str]) -> Hidden:
        """Cards that lay face up go into the place: everybody knows that they are there."""
        added = tuple(faces)
        if not added:
            return self
        places, cases = self._with(place)
        at = places.index(place)
        return Hidden(places, frozenset(given(case, at, added) for case in cases), self._classes)

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
            there = sure(case, at)
            found = there if found is None else found & there
            if not found:
                break
        return {face: n for face, n in sorted((found or Counter()).items()) if face != BLANK}

    def resize(self, place: str, n: int, uncounted: bool = False) -> Hidden:
        """Somebody counted: there are ``n`` cards. Cards went unnoticed, so from now on any may be anywhere; how many lie in
        every other place stays as it was. ``uncounted``: nobody knows which cards the game has, so those that turn up may be
        any. Raises Impossible for a number below 0."""
        if n < 0:
            raise Impossible(f"{place} cannot have {n} cards")
        places, cases = self._with(place)
        if n == self.size(place):
            return self
        if ELSEWHERE not in places:
            places, cases = (*places, ELSEWHERE), frozenset(grown(case) for case in cases)
        return Hidden(
            places,
            frozenset((resized(cases, places.index(place), places.index(ELSEWHERE), n, uncounted),)),
            self._classes,
        )

    def _with(self, place: str) -> tuple[tuple[str, ...], frozenset[Case]]:
        """Places and cases with room for one more place, if it is new."""
        if place in self._places:
            return self._places, self._cases
        return (*self._places, place), frozenset(grown(case) for case in self._cases)

    def _few(self, cases: frozenset[Case]) -> frozenset[Case]:
        """The cases, widened to one when there are more than LIMIT allows, or too many stocks in one."""
        if len(cases) <= FEW and all(len(stocks) <= STOCKS for stocks, _, _ in cases):
            return cases
        _, slots, known = next(iter(cases))
        cards = sum(map(len, known)) + sum(n for mine in slots for _, n in mine)
        if len(cases) * cards * cards > LIMIT or any(len(stocks) > STOCKS for stocks, _, _ in cases):
            return frozenset((widened(cases, self._classes),))
        return cases
