"""A table of Papyrus as things that lie and stand somewhere; it knows no rules. For the tests of the reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engines.dealing import Act, Deed, Sweep
from engines.game import Explanation
from engines.papyrus import reading, rules
from engines.papyrus.hands import setup
from engines.papyrus.state import PapyrusState
from engines.table import Piece, Table

Thing = tuple[str, str]
"""An identity, and the square it stands on."""


@dataclass
class Things:
    """What lies where; ``do`` is a hand, ``seen`` a perfect reader."""

    kinds: dict[str, str]
    zones: dict[str, list[Thing]] = field(default_factory=dict)

    @classmethod
    def of(cls, state: PapyrusState) -> Things:
        """The table when the game begins in this state."""
        options = dict(one.split("=", 1) for one in state.options)
        layout = reading.layout(len(state.seats), options, state.numbers.catalogue)
        kinds = {face.identity: face.kind for face in layout.faces}
        kinds |= {figure.identity: figure.kind for figure in layout.figures}
        things = cls(kinds)
        for piece in setup(state):
            if piece.zone is not None:
                things.zones.setdefault(piece.zone, []).append((piece.identity, piece.square))
        return things

    def do(self, deeds: Iterable[Deed]) -> None:
        for deed in deeds:
            if isinstance(deed, Sweep):
                self.zones.pop(deed.source, None)
            else:
                self._carry(deed)

    def _carry(self, act: Act) -> None:
        if act.source is not None:
            here = self.zones[act.source]
            square = act.square if act.target is None else ""
            here.remove(next(one for one in here if one[0] == act.piece and square in ("", one[1])))
        if act.target is not None:
            self.zones.setdefault(act.target, []).append((act.piece, act.square))

    def lay(self, zone: str, *identities: str, square: str = "") -> None:
        self.zones.setdefault(zone, []).extend((identity, square) for identity in identities)

    def stand(self, pawn: str, place: str) -> None:
        """The pawn stands there and nowhere else."""
        board = self.zones["board"]
        board[:] = [one for one in board if one[0] != pawn]
        board.append((pawn, place))

    def seen(self, *unread: str) -> Table:
        """Everything, but what lies in zones that are not read."""
        pieces = tuple(
            Piece(
                (identity,) if identity in self.kinds else (),
                self.kinds.get(identity, "letter"),
                zone,
                float(at),
                0.0,
                square=square,
            )
            for zone, there in self.zones.items()
            if zone not in unread
            for at, (identity, square) in enumerate(there)
        )
        return Table(pieces, unread)


def learn(state: PapyrusState, table: Table) -> PapyrusState:
    """The state with all that the table shows besides."""
    for fact in reading.reveals(state, table):
        state = rules.apply(state, fact)
    return state


def laid(state: PapyrusState, *cards: str) -> Things:
    """The table of a state in which nothing lies about, with these cards played."""
    things = Things.of(state)
    for letter in state.row:
        things.lay("open", letter)
    for seat, mine in enumerate(state.seats):
        if not state.alone:
            things.stand(f"pawn-{('red', 'blue', 'yellow', 'green', 'black')[seat]}", mine.place)
        things.lay(f"scroll-{seat + 1}", *("scarab",) * mine.scarabs)
        for god in mine.won:
            colour = ("red", "blue", "yellow")[seat]
            things.lay("board", f"pyramid-{colour}", square=state.numbers.gods[god].pyramid)
    things.lay("played", *cards)
    return things


def first(state: PapyrusState, things: Things) -> Explanation:
    return reading.explain(state, things.seen())[0]
