"""The hidden world of Tanis: how the forty tiles lie, who plays what, and the rules people break.

Only for the demo, bots and tests; the night never sees it. ``deal(seed, players, first, options)`` makes a world;
``TanisWorld.choose`` says what its player is about to do, ``TanisWorld.play`` lets it happen.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engines.dealing import Act, Intent, Placed, Style
from engines.game import Move, Options, Refusal, Reveal, Score
from engines.tanis import mischief, rules
from engines.tanis.dig import INDEX, slid
from engines.tanis.knowledge import parts
from engines.tanis.moves import Excavator, Expert, Explorer, Take, Uncovered
from engines.tanis.packing import layers
from engines.tanis.players import pick
from engines.tanis.state import TILES, DigTile, TanisState
from engines.tanis.zones import CARD_ZONES, CARDS, COLOURS, DIG, REMOVED, TILE_ZONES

if TYPE_CHECKING:
    from engines.catalogue import Catalogue

LATER = 2
"""How many tickets "break a rule after playing a card" has in the draw beside the kinds that can happen at once."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A way to break a rule."""

    kind: str
    rule: str
    """The rule the referee names for the move that a perfect reader of the table reports."""
    make: mischief.Maker
    """What the player does, or None when the dig offers no such chance."""
    refutable: bool = True
    """False when no settled table shows it."""


MISTAKES = (
    Mistake("takes a tile that is half covered", "T9", mischief.take_covered),
    Mistake("takes two tiles without the Expert", "G2", mischief.take_two),
    Mistake("takes a second tile of the same sign with the Expert", "T27", mischief.take_same_sign),
    Mistake("slides a tile over a gap or off its level", "T17", mischief.slide_gap),
    Mistake("slides a tile onto others", "T19", mischief.slide_climb),
    Mistake("slides a tile off the straight line", "T15", mischief.slide_crooked),
    Mistake("slides a tile that is half covered", "T9", mischief.slide_covered),
    Mistake("slides a tile on the floor", "T18", mischief.slide_floor),
    Mistake("slides a tile with no Explorer left", "C1", mischief.slide_spent),
    Mistake("excavates with no Excavator left", "C1", mischief.excavate_spent),
    Mistake("excavates two tiles", "T8", mischief.excavate_two),
    Mistake("excavates the last tile", "T24", mischief.excavate_last),
    Mistake("declares the Expert for the last tile", "T28", mischief.expert_last),
    Mistake("plays an Explorer without a slide", "T14", mischief.explore_nothing),
    Mistake("plays an Excavator without removing a tile", "C9", mischief.excavate_nothing),
    Mistake("puts a card away out of turn", "G2", mischief.card_out_of_turn),
    Mistake("plays again right after the own turn", "G2", mischief.out_of_turn),
    Mistake("ends the turn after excavating", "C11", mischief.after_excavator),
    Mistake("ends the turn after exploring", "C8", mischief.after_explorer),
    Mistake("ends the turn before the Expert's takes", "T29", mischief.after_expert),
    Mistake("lifts a tile to look beneath and puts it back", "T8", mischief.peek, refutable=False),
)
"""Every kind of mistake the simulated people make."""


class TanisWorld:
    """A game of Tanis in play, seen by someone who knows everything."""

    def __init__(self, state: TanisState, lying: dict[str, DigTile], style: Style = "sensible") -> None:
        self.lying = lying
        """Where each tile of the dig lies."""
        self.state = state
        """What the table has shown so far to someone who misses nothing."""
        self.style: Style = style
        self._moves = 0
        self._turn = -1
        self._slip: Literal["", "now", "later"] = ""
        self._opening = self._show()

    @property
    def to_move(self) -> int:
        return self.state.to_move

    @property
    def over(self) -> bool:
        return not self.lying

    def setup(self) -> tuple[Placed, ...]:
        """All pieces as they lie before the first move: the tiles from the floor up, then both players' cards."""
        tiles = sorted(self.lying.items(), key=lambda entry: (entry[1].level, INDEX[entry[1].number_cell]))
        return tuple(Placed(tile, DIG, place.cells, place.level) for tile, place in tiles) + tuple(
            Placed(f"{colour}-{card}", zone)
            for colour, zone in zip(COLOURS, CARD_ZONES, strict=True)
            for card, copies in CARDS.items()
            for _ in range(copies)
        )

    def score(self) -> Score:
        return rules.score(self.state)

    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on."""
        outcome = rules.outcome(self.state)
        return outcome.winners if outcome else ()

    def opening(self) -> tuple[Reveal, ...]:
        """The tiles on top of the full dig."""
        return self._opening

    def hand(self, player: int) -> str:
        """Nothing: all of Tanis lies open (T12)."""
        return ""

    def refusal(self, move: Move) -> Refusal | None:
        """As the rules': who has seen all that shows knows what can be taken."""
        return rules.refusal(self.state, move)

    def pick(self, rng: random.Random) -> Move:
        """A legal move of the player to move, in the world's style. Raises ValueError when the game is over."""
        return pick(self.state, rng, self.style)

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Lets a legal move happen; gives what it uncovers. Raises IllegalMove; then nothing has happened."""
        self.state = rules.apply(self.state, move)
        match move:
            case Take(tile=tile) | Excavator(tile=tile):
                del self.lying[tile]
            case Explorer(tile=tile, direction=direction, steps=steps):
                self.lying[tile] = slid(self.lying[tile], direction, steps)
        self._moves += 1
        return self._show()

    def _show(self) -> tuple[Reveal, ...]:
        facts = self.shown()
        for fact in facts:
            self.state = rules.apply(self.state, fact)
        return facts

    def shown(self, state: TanisState | None = None) -> tuple[Uncovered, ...]:
        """What a perfect eye sees in the dig that the state does not hold yet (by default the world's own)."""
        heights = self.state.heights
        known = {
            (place.number_cell, place.sign_cell, place.level): place for place in (state or self.state).dig
        }
        facts = []
        for place in self.lying.values():
            number_cell, sign_cell, level = place.number_cell, place.sign_cell, place.level
            number = place.number if heights[INDEX[number_cell]] == level else None
            sign = place.sign if heights[INDEX[sign_cell]] == level else None
            if number is None and sign is None:
                continue
            before = known.get((number_cell, sign_cell, level))
            if before is None or (number and before.number is None) or (sign and before.sign is None):
                facts.append(Uncovered(number_cell, sign_cell, number, sign))
        return tuple(sorted(facts, key=lambda fact: (INDEX[fact.number_cell], INDEX[fact.sign_cell])))

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        """The next intent of the player to move, for one stage of the turn.

        Once per turn, with probability ``mistakes``, a rule is broken at some point of it: any kind of MISTAKES that the
        dig offers a chance for. Raises ValueError when the game is over.
        """
        if self.over:
            raise ValueError("the game is over: nobody has anything to do")
        fresh = self.state.stage == "start" and self._turn != self._moves
        if fresh:
            self._turn = self._moves
            self._slip = "now" if rng.random() < mistakes else ""
        if self._slip:
            intent = self._err(rng)
            if intent is not None:
                return intent
        prefer_card = self._slip == "later" and self.state.stage == "start"
        return self.intent(pick(self.state, rng, self.style, prefer_card))

    def _err(self, rng: random.Random) -> Intent | None:
        """A mistake of the turn, or None when there is none to make, or not yet."""
        if self._slip == "later" and self.state.stage == "start":
            return None
        chances = self.chances(rng)
        later = self._slip == "now" and self.state.stage == "start" and self._may_play_card()
        tickets: list[Intent | None] = [*chances.values(), *([None] * LATER if later else [])]
        chosen = rng.choice(tickets) if tickets else None
        self._slip = "later" if chosen is None and later else ""
        return chosen

    def _may_play_card(self) -> bool:
        return any(not isinstance(move, Take) for move in rules.legal_moves(self.state))

    def chances(self, rng: random.Random) -> dict[str, Intent]:
        """For every kind of mistake that can be made now, one intent that makes it."""
        found = {}
        for mistake in MISTAKES:
            slip = mistake.make(self.state, self.lying, rng)
            if slip is not None:
                found[mistake.kind] = Intent(
                    slip.player,
                    ((slip.acts, slip.moves),),
                    mistake.rule,
                    mistake.refutable,
                    slip.undo,
                )
        return found

    def intent(self, move: Move) -> Intent:
        """The intent of a legal move."""
        return Intent(move.player, ((acts(move, self.lying), (move,)),))


def acts(move: Move, lying: dict[str, DigTile]) -> tuple[Act, ...]:
    """What the hand does for a move: a card is put away first, then the tile is moved."""
    player = move.player
    match move:
        case Take(tile=tile):
            return (Act(tile, DIG, TILE_ZONES[player]),)
        case Excavator(tile=tile):
            return mischief.card(player, "excavator"), Act(tile, DIG, REMOVED)
        case Explorer(tile=tile, direction=direction, steps=steps):
            end = slid(lying[tile], direction, steps)
            card = mischief.card(player, "explorer")
            return (card, Act(tile, DIG, DIG, end.cells, end.level)) if steps else (card,)
        case Expert():
            return (mischief.card(player, "expert"),)
    raise TypeError(f"{move!r} is no legal move of Tanis")


def buried(seed: int, packing: str) -> dict[str, DigTile]:
    """Forty shuffled tiles in four layers, each turned by chance (S3-S7, T3, T5)."""
    rng = random.Random(f"tanis {seed}")
    tiles = list(TILES)
    rng.shuffle(tiles)
    lying = {}
    for level, filling in enumerate(layers(rng, packing), start=1):
        for place in sorted(filling):
            tile = tiles.pop()
            sign, number = parts(tile)
            one, other = place if rng.random() < 0.5 else (place[1], place[0])
            lying[tile] = DigTile(one, other, level, number, sign)
    return lying


def deal(
    seed: int,
    players: int,
    first: int,
    options: Options,
    style: Style = "sensible",
    catalogue: Catalogue | None = None,
) -> TanisWorld:
    """A world from a seed: the same seed and options give the same dig. Raises ValueError for settings Tanis does not have."""
    state = rules.start(players, first, options, catalogue)
    return TanisWorld(state, buried(seed, dict(state.options)["packing"]), style)
