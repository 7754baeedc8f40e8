"""What everyone at an Ankh table can see, and what follows from it: frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass

from engines.ankh.numbers import Numbers
from engines.hidden import Hidden


@dataclass(frozen=True, slots=True)
class AnkhState:
    """Rows, papyri and discards face up; hands and draw pile by their number of cards. Seats count from 0."""

    numbers: Numbers
    hands: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    """The mummies before each player, in the order they were laid."""
    papyri: tuple[str, ...]
    """Those played since the last scoring or shuffle, the one that counts last; empty before the set-up is seen."""
    discard: tuple[str, ...]
    """Face-up discards, sorted."""
    unseen: int
    """Discards that lie face down (option sacrifices=hidden)."""
    pile: int
    """Cards in the draw pile."""
    hidden: tuple[Hidden, ...]
    """What the hands, the pile and the face-down discards may hold, in one or two ways of telling (``knowledge.py``)."""
    written: tuple[tuple[str, tuple[int, ...]], ...]
    """Each scoring so far: the papyrus that counted, and the points of each seat."""
    totals: tuple[int, ...]
    """What each seat has written down in all; it may be below zero."""
    first: int
    to_move: int
    options: tuple[tuple[str, str], ...] = ()
    shuffles: int = 0
    forced: bool = False
    """Whether the last act made the discards the new pile, because a card was needed."""
    lying: tuple[tuple[str, ...], ...] = ()
    """Discards that nobody was seen to put on the pile yet: in each row what a scoring cleared, then what was sacrificed
    (``unseen`` for a card that lies face down)."""
