"""Other hidden worlds of whole games of Archaeology: whatever fits the record is held possible, at full size.

Each card of a deal is followed as a thing of its own. Cards that nobody has seen since the set-up may have any other face that
is as unseen, as long as Maps come from the dig site: so every such exchange is a world that fits the record as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from engines.archaeology import rules
from engines.archaeology.dealing import SANDSTORM, THIEF, ArchaeologyDeal, deal
from engines.archaeology.moves import Cards, Chamber
from engines.archaeology.numbers import MAP, MONUMENTS, SEATS
from engines.archaeology.state import CHAMBERS, HANDS, PILE
from engines.catalogue import house
from engines.dealing import Style
from engines.game import Move

HOUSE = house("archaeology")
STYLES: tuple[Style, ...] = ("sensible", "random")


class Card(str):
    """A treasure that is itself, whatever its face; equal to any of the same face."""

    dug: bool
    """Whether it lay in the dig site when the game began."""
    seen: bool

    def __new__(cls, face: str, dug: bool) -> Card:
        card = super().__new__(cls, face)
        card.dug = dug
        card.seen = False
        return card


class Followed:
    """A deal of which every card is followed."""

    def __init__(self, game: ArchaeologyDeal) -> None:
        self.game = game
        game.hands = [_cards(hand) for hand in game.hands]
        game.chambers = [_cards(chamber) for chamber in game.chambers]
        game.pile = _cards(game.pile)
        game.dig = [card if card in (THIEF, SANDSTORM) else Card(card, True) for card in game.dig]

    def play(self, move: Move) -> None:
        """Plays on, and marks what everybody saw: what is shown; what is named by a move is a card of the table from then on."""
        spoken = rules.parse(rules.format(move), move.player)
        assert isinstance(spoken, Move)
        for fact in self.game.play(spoken):
            if isinstance(fact, Cards):
                _mark(fact.treasures)
            elif isinstance(fact, Chamber):
                _mark((fact.treasure,))

    def places(self) -> dict[str, list[str]]:
        """What lies hidden, by place; the dig site and the cards in an explorer's hands left out."""
        game = self.game
        places = {HANDS[seat]: hand for seat, hand in enumerate(game.hands)}
        places |= {CHAMBERS[number]: cards for number, cards in enumerate(game.chambers, start=1)}
        return {**places, PILE: game.pile}

    def other(self, rng: random.Random) -> dict[str, list[str]]:
        """Another world that fits the record: the unseen cards have exchanged their faces."""
        places = self.places()
        unseen = [card for cards in (*places.values(), self.game.dig) for card in cards if _unseen(card)]
        maps = sum(card == MAP for card in unseen)
        chosen = {
            id(card) for card in rng.sample([card for card in unseen if getattr(card, "dug", False)], maps)
        }
        faces = [str(card) for card in unseen if card != MAP]
        rng.shuffle(faces)
        now = {id(card): MAP if id(card) in chosen else faces.pop() for card in unseen}
        return {place: [now.get(id(card), str(card)) for card in cards] for place, cards in places.items()}


def _cards(faces: Iterable[str]) -> list[str]:
    return [Card(face, False) for face in faces]


def _unseen(card: str) -> bool:
    return isinstance(card, Card) and not card.seen


def _mark(cards: Iterable[str]) -> None:
    for card in cards:
        if isinstance(card, Card):
            card.seen = True


@pytest.mark.parametrize("monument", MONUMENTS)
def test_every_world_that_fits_the_record_is_held_possible(monument: str) -> None:
    for seed, style in enumerate(STYLES):
        players = SEATS[(MONUMENTS.index(monument) + seed) % 4]
        game = Followed(deal(seed, players, 0, {"monument": monument}, style, HOUSE))
        rng = random.Random(seed)
        while not game.game.over:
            game.play(game.game.pick(rng))
            check(game, rng)


def check(followed: Followed, rng: random.Random) -> None:
    """What lies in all hands and chambers together, as it is and with faces exchanged. Raises Impossible."""
    for world in (followed.places(), followed.other(rng)):
        hidden = followed.game.state.hidden
        for place, cards in world.items():
            assert hidden.possible(place, map(str, cards)), (place, cards)
            hidden = hidden.show(place, map(str, cards))
