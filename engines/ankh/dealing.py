"""The hidden world of Ankh: the shuffled deck and the hands. For the demo, bots and tests only."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engines.ankh import mischief, rules
from engines.ankh.cards import is_papyrus, title, wishes
from engines.ankh.moves import FirstPapyrus, Play, Sacrifice, Shuffled
from engines.ankh.players import pick
from engines.ankh.state import AnkhState
from engines.ankh.zones import BACK, DISCARD, PAPYRI, PILE, SACRIFICED, row
from engines.catalogue import Catalogue
from engines.dealing import Act, Deed, Intent, Placed, Style, Sweep
from engines.game import IllegalMove, Move, Options, Refusal, Reveal, Score
from engines.rulebook import rulebook
from engines.words import listed

PATIENCE = 600
"""After so many moves nobody wastes time any more: the game is brought to its end (a guard for players, not a rule)."""


class AnkhDeal:
    """A game of Ankh seen by someone who knows every card: what lies where, moved by hand and not by the rules' code."""

    def __init__(self, state: AnkhState, deck: list[str], rng: random.Random, style: Style) -> None:
        """``deck`` is the shuffled deck, its top last; it need not be what the state's numbers say."""
        self.style: Style = style
        self.hands: list[list[str]] = [[] for _ in state.hands]
        self.rows: list[list[str]] = [[] for _ in state.hands]
        self.pile = deck
        self.discard: list[str] = []
        self.unseen: list[str] = []
        """Discards that lie face down."""
        self._rng = rng
        self._moves = 0
        self._deck = tuple(deck)
        self._turn = -1
        self._litter: dict[str, str | None] = {}
        """Zones from which somebody has yet to put cards away, and where these go."""
        self._lower: list[str] = []
        """Papyri that lie below the one that counts, since the last shuffle."""
        self._backs = 1
        first = max(at for at, card in enumerate(deck) if is_papyrus(card))
        self.papyri = [deck.pop(first)]
        self._opening = (FirstPapyrus(self.papyri[0]),)
        self.state = rules.apply(state, self._opening[0])
        for seat in range(len(self.hands)):
            self._refill(seat)

    @property
    def to_move(self) -> int:
        return self.state.to_move

    @property
    def over(self) -> bool:
        return rules.outcome(self.state) is not None

    def opening(self) -> tuple[Reveal, ...]:
        """The papyrus in the middle."""
        return self._opening

    def setup(self) -> tuple[Placed, ...]:
        """The papyrus in the middle and the draw pile's back; every other card waits unseen."""
        (first,) = (fact.card for fact in self._opening)
        rest = list(self._deck)
        rest.remove(first)
        backs = (Placed(BACK, None) for _ in range(self.state.numbers.hand))
        return (Placed(first, PAPYRI), Placed(BACK, PILE), *(Placed(card, None) for card in rest), *backs)

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        """The next intent of the player to move: to put away what lies about, else a move; once per turn, with probability
        ``mistakes``, one that breaks a rule. Raises ValueError when the game is over."""
        litter = tuple(self._tidying())
        if litter:
            return Intent(self.to_move, ((litter, ()),))
        fresh, self._turn = self._turn != self._moves, self._moves
        if fresh and rng.random() < mistakes:
            made = [one.make(self.state, self.hands, rng) for one in mischief.MISTAKES]
            chances = [intent for intent in made if intent is not None]
            if chances:
                return rng.choice(chances)
        move = self.pick(rng)
        return Intent(move.player, ((self._acts(move), (move,)),))

    def _acts(self, move: Move) -> tuple[Deed, ...]:
        """What the hand does for a move. Cards laid face down are backs to everyone."""
        if isinstance(move, Play):
            return (mischief.put(move.player, move.card),)
        assert isinstance(move, Sacrifice)
        laid = (*move.cards, *(BACK,) * move.unseen)
        return tuple(Act(card, None, SACRIFICED) for card in laid)

    def _tidying(self) -> Iterator[Deed]:
        """What people put away before they go on: rows after a scoring, what was sacrificed, the discards that were shuffled."""
        for zone, target in self._litter.items():
            yield Sweep(zone, target)
        if DISCARD in self._litter and self._lower:
            yield Sweep(PAPYRI, None, tuple(self._lower))
            self._lower.clear()
        self._litter.clear()
        if bool(self._backs) != bool(self.pile):
            self._backs = 1 - self._backs
            yield Act(BACK, None, PILE) if self._backs else Act(BACK, PILE, None)

    def hand(self, player: int) -> str:
        """The player's cards in words."""
        return listed(sorted(self.hands[player]))

    def score(self) -> Score:
        return rules.score(self.state)

    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on."""
        outcome = rules.outcome(self.state)
        return outcome.winners if outcome else ()

    def refusal(self, move: Move) -> Refusal | None:
        """Why the move is illegal by the truth: nobody plays what is not in the hand."""
        found = rules.refusal(self.state, move)
        if found or not isinstance(move, Play | Sacrifice):
            return found
        cards = (move.card,) if isinstance(move, Play) else move.cards
        short = Counter(cards) - Counter(self.hands[move.player])
        return rulebook("ankh").refuse("G2", "held", {"card": title(next(iter(short)))}) if short else None

    def pick(self, rng: random.Random) -> Move:
        """A truly legal move of the player to move. Raises ValueError when the game is over."""
        if self.over:
            raise ValueError("the game is over: nobody has anything to do")
        cards = tuple(self.hands[self.to_move])
        if self._moves >= PATIENCE:
            return _hurried(self.state, cards, rng)
        return pick(self.state, cards, rng, self.style)

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Lets the move happen; shows when the discards were shuffled early. Raises IllegalMove; then nothing has happened."""
        refusal = self.refusal(move)
        if refusal:
            raise IllegalMove(refusal)
        self.state = rules.apply(self.state, move)
        self._moves += 1
        hand = self.hands[move.player]
        if isinstance(move, Play):
            hand.remove(move.card)
            if is_papyrus(move.card):
                self._lower.append(self.papyri[-1])
            (self.papyri if is_papyrus(move.card) else self.rows[move.player]).append(move.card)
            if max(map(len, self.rows)) >= wishes(self.papyri[-1])[1]:
                self._clear()
        elif isinstance(move, Sacrifice):
            self._sacrifice(hand, move)
        if self.over:
            return ()
        self._refill(move.player)
        for step in range(1, len(self.hands)):
            seat = (move.player + step) % len(self.hands)
            if self.hands[seat]:
                break
            self._refill(seat)  # Who has no card when the turn comes draws first (H1).
        return self._shown()

    def _clear(self) -> None:
        self._litter |= {row(seat): DISCARD for seat, cards in enumerate(self.rows) if cards}
        for cards in self.rows:
            self.discard += cards
            cards.clear()
        self.discard += self.papyri[:-1]
        del self.papyri[:-1]

    def _sacrifice(self, hand: list[str], move: Sacrifice) -> None:
        for card in move.cards:
            hand.remove(card)
        self.discard += move.cards
        self._litter[SACRIFICED] = DISCARD
        self._rng.shuffle(hand)
        for _ in range(move.unseen):
            self.unseen.append(hand.pop())

    def _refill(self, seat: int) -> None:
        hand = self.hands[seat]
        while len(hand) < self.state.numbers.hand and (self.pile or self._shuffle()):
            hand.append(self.pile.pop())

    def _shuffle(self) -> bool:
        """Makes a new pile; False when there is nothing to make it of."""
        # Whatever lies about goes into the new pile too.
        self._litter = dict.fromkeys((*self._litter, DISCARD))
        self.pile += [*self.discard, *self.unseen, *self.papyri[:-1]]
        del self.discard[:], self.unseen[:], self.papyri[:-1]
        self._rng.shuffle(self.pile)
        return bool(self.pile)

    def _shown(self) -> tuple[Reveal, ...]:
        """At times the discards are shuffled as soon as the last card was drawn (K26)."""
        if self.pile or self.over or self._rng.random() < 0.5 or not self._shuffle():
            return ()
        self.state = rules.apply(self.state, Shuffled())
        return (Shuffled(),)


def _hurried(state: AnkhState, cards: tuple[str, ...], rng: random.Random) -> Move:
    """The longest row grows until it scores: mummies first, then the papyrus with the lowest number."""
    mummies = [card for card in cards if not is_papyrus(card)]
    if mummies:
        return Play(state.to_move, rng.choice(mummies))
    return Play(state.to_move, min(cards, key=lambda card: (wishes(card)[1], card)))


def deal(
    seed: int,
    players: int,
    first: int,
    options: Options,
    style: Style = "sensible",
    catalogue: Catalogue | None = None,
) -> AnkhDeal:
    """A world from a seed: the same seed gives the same deck. Raises ValueError and MissingNumbers as ``rules.start`` does."""
    state = rules.start(players, first, options, catalogue)
    rng = random.Random(f"ankh {seed}")
    deck = list(Counter(state.numbers.counts).elements())
    rng.shuffle(deck)
    return AnkhDeal(state, deck, rng, style)
