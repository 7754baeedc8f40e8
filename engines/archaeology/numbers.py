"""The catalogue's numbers as the rules need them, worked out once for each catalogue and number of players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engines.catalogue import Catalogue, Lack

FACES = ("shard", "scrap", "coin", "cup", "talisman", "map", "mask", "tablet", "pendant")
MAP = "map"
MONUMENTS = ("great-pyramid", "temple", "tomb", "mine", "sphinx", "buried-ruins")
SEATS = (2, 3, 4, 5)


def faces(players: int) -> tuple[str, ...]:
    """The treasures in play: Tablets and Pendants stay in the box with few players (S2)."""
    return FACES[: {2: 7, 3: 7, 4: 8}.get(players, 9)]


class Numbers:
    """What is printed, for one number of players. Two are equal when catalogue and number of players are."""

    __slots__ = (
        "chambers",
        "copies",
        "counted",
        "draws",
        "faces",
        "fingerprint",
        "hand",
        "keep",
        "largest",
        "limit",
        "maps",
        "market",
        "pile",
        "players",
        "prices",
        "sandstorms",
        "sandstorms_box",
        "sandstorms_sure",
        "thieves",
        "thieves_box",
        "thieves_sure",
        "trade",
        "trade_sure",
        "treasures",
    )

    def __init__(self, catalogue: Catalogue, players: int) -> None:
        self.fingerprint = catalogue.fingerprint
        self.players = players
        self.faces = faces(players)
        """The treasures in play, in the order of FACES."""
        self.copies: Mapping[str, int] = {face: catalogue[f"treasures.{face}.copies"] for face in self.faces}
        self.treasures = sum(self.copies.values())
        """All of them, maps included."""
        self.trade: Mapping[str, int] = {face: catalogue[f"treasures.{face}.trade"] for face in self.faces}
        self.trade_sure = frozenset(
            face for face in self.faces if catalogue.verified(f"treasures.{face}.trade")
        )
        self.prices: Mapping[str, tuple[int, ...]] = {
            face: tuple(catalogue[f"treasures.{face}.sell"]) for face in self.faces
        }
        self.largest = {face: _largest(catalogue, face) for face in self.faces}
        """By face: (cards in the largest set that can be sold, whether that is verified)."""
        self.thieves = int(catalogue[f"thieves.{players}"])
        self.thieves_sure = catalogue.verified(f"thieves.{players}")
        self.thieves_box = int(catalogue["box.thieves"])
        self.sandstorms = int(catalogue[f"sandstorms.{players}"])
        self.sandstorms_sure = catalogue.verified(f"sandstorms.{players}")
        self.sandstorms_box = int(catalogue["box.sandstorms"])
        self.hand = int(catalogue["setup.hand"])
        self.market = int(catalogue["setup.market"])
        self.chambers: Mapping[str, tuple[int, ...]] = {
            name: tuple(catalogue[f"monuments.{name}.chambers"]) for name in MONUMENTS
        }
        self.maps: Mapping[str, tuple[int, ...]] = {
            name: tuple(catalogue[f"monuments.{name}.maps"]) for name in MONUMENTS
        }
        self.keep = int(catalogue["monuments.tomb.keep"])
        self.limit = int(catalogue["monuments.mine.limit"])
        self.draws = int(catalogue["monuments.sphinx.draws"])
        self.pile = int(catalogue["monuments.buried-ruins.pile"])
        counts = [f"treasures.{face}.copies" for face in self.faces] + ["setup.hand", "setup.market"]
        counts += [path for path in catalogue.numbers if path.startswith("monuments.")]
        self.counted = all(map(catalogue.verified, counts))
        """Whether every number is verified that says which treasures lie where: only then cards can be counted."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and (self.fingerprint, self.players) == (
            other.fingerprint,
            other.players,
        )

    def __hash__(self) -> int:
        return hash((self.fingerprint, self.players))


def _largest(catalogue: Catalogue, face: str) -> tuple[int, bool]:
    """(The largest set, whether that is verified): by the prices, unless only the size is known for this edition."""
    path = f"treasures.{face}.largest"
    known = catalogue.numbers.get(path)
    if known is not None and known.value and not catalogue.verified(f"treasures.{face}.sell"):
        return int(known.value), known.verified
    return len(catalogue[f"treasures.{face}.sell"]), catalogue.verified(f"treasures.{face}.sell")


@cache
def compiled(catalogue: Catalogue, players: int) -> Numbers:
    """The numbers for so many players. Raises TypeError while some are missing (``lacks`` names them)."""
    return Numbers(catalogue, players)


def _missing(catalogue: Catalogue, path: str, face: str, what: str) -> Lack:
    number = catalogue.numbers[path]
    known = "are not known" if what.endswith("s") else "is not known"
    return Lack(path, f"the {what} of {face.capitalize()} {known}", f"write {path} ({number.ask})")


def lacks(players: int, monument: str, catalogue: Catalogue) -> tuple[Lack, ...]:
    """The numbers that are missing or do not fit for so many players; empty when the game can be played."""
    found: list[Lack] = []
    for face in faces(players):
        for name, what in (("trade", "trading value"), ("sell", "selling prices")):
            path = f"treasures.{face}.{name}"
            if not catalogue[path]:
                found.append(_missing(catalogue, path, face, what))
    for face in faces(players):
        path = f"treasures.{face}.sell"
        known = catalogue.numbers.get(f"treasures.{face}.largest")
        given = known is not None and known.origin != "shipped"
        if known is None or not catalogue[path] or (catalogue.verified(path) and not given):
            continue  # the prices on the owner's card say themselves how large a set is
        if len(catalogue[path]) != known.value:
            text = f"{face.capitalize()} has {len(catalogue[path])} selling prices and sets of up to {known.value}"
            found.append(Lack(known.path if given else path, text, f"write {known.value} prices in {path}"))
    treasures = sum(catalogue[f"treasures.{face}.copies"] for face in faces(players) if face != MAP)
    wanted = players * catalogue["setup.hand"] + catalogue["setup.market"]
    wanted += sum(catalogue[f"monuments.{monument}.chambers"])
    wanted += catalogue["monuments.buried-ruins.pile"] if monument == "buried-ruins" else 0
    if treasures < wanted:
        found.append(
            Lack(
                "treasures.shard.copies",
                f"there are {treasures} treasures, and the set-up takes {wanted}",
                "write how many of each there are (treasures.coin.copies ...)",
            )
        )
    return tuple(found)
