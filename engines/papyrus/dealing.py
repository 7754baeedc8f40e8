"""The hidden world of Papyrus: the shuffled decks, the bag, the hands and holders. For the demo, bots and tests only.

What lies where is moved by hand here and not by the rules' code, so that one can be held against the other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from engines.catalogue import Catalogue
from engines.dealing import Deed, Intent, Placed, Style
from engines.game import IllegalMove, Move, Options, Refusal, Reveal, Score
from engines.hidden import Hidden
from engines.papyrus import hands, mischief, rules
from engines.papyrus.acts import whom
from engines.papyrus.moves import (
    FACES,
    Buy,
    EventShown,
    Form,
    Gain,
    Lose,
    Pass,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.notation import title
from engines.papyrus.players import View, pick
from engines.papyrus.state import BOX, HANDS, PILE, PapyrusState
from engines.papyrus.zones import NAME, PLAYED, SHOWN, WON
from engines.rulebook import rulebook
from engines.words import listed

PATIENCE = 250
"""After so many moves nobody plays at random any more, so that every game ends (Y40): a guard for players, not a rule."""

Store = dict[str, list[str]]
"""What lies where, by the places of ``Hidden``; the top of a pile is its last."""


class PapyrusDeal:
    """A game of Papyrus seen by someone who knows every card."""

    def __init__(self, state: PapyrusState, rng: random.Random, style: Style) -> None:
        numbers = state.numbers
        self.style: Style = style
        self.state = state
        self.cards = _dealt(state.cards, Counter(numbers.cards).elements(), rng)
        self.tiles = _dealt(state.hieroglyphs, Counter(numbers.letters).elements(), rng)
        self.gods = _dealt(state.gods, numbers.gods, rng)
        self.discards: list[str] = []
        self.heap: list[str] = []
        self.events: list[str] = []
        self.moves = 0
        self._rng = rng
        self._begun = state
        self._turn = -1
        self._at_table = False
        self._last = -1
        self._todo: list[Deed] = []
        """What hands have yet to do on the table: turn up an event, follow it."""
        self._litter: list[str] = []
        """Zones that wait to be cleared."""

    @property
    def to_move(self) -> int:
        return self.state.to_move

    @property
    def over(self) -> bool:
        """Whether the game has ended; at a table hands may still have to turn up what the last move brought."""
        return rules.outcome(self.state) is not None and not (self._at_table and self._todo)

    @property
    def asked(self) -> bool:
        """Whether the player to move has to say something that no table shows: whom a card is taken from."""
        return bool(whom(self.state))

    def opening(self) -> tuple[Reveal, ...]:
        """Nothing: all that is dealt is dealt face down."""
        return ()

    def setup(self) -> tuple[Placed, ...]:
        """The pawns on their start, the backs of the decks; everything else waits unseen."""
        self._at_table = True
        return hands.setup(self._begun)

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        """The next intent of the player to move: an event card to be turned up, or what lies about to be put away, else a move; once per
        turn, with probability ``mistakes``, one that breaks a rule. Raises ValueError when the game is over."""
        if self._todo:
            made = mischief.goes_on(self, self._last, rng) if self._slips(rng, mistakes) else None
            if made is not None:
                return made
            deeds, self._todo = tuple(self._todo), []
            return Intent(self.to_move, ((deeds, ()),))
        if self._litter and self.state.stage in ("turn", "over"):
            zones, self._litter = self._litter, []
            return Intent(self.to_move, ((tuple(hands.tidied(zones)), ()),))
        if self._slips(rng, mistakes):
            chances = [intent for one in mischief.MISTAKES if (intent := one.make(self, rng)) is not None]
            if chances:
                return rng.choice(chances)
        move = self._plain(rng)
        return Intent(move.player, ((hands.acts(self.state, move), (move,)),))

    def _slips(self, rng: random.Random, mistakes: float) -> bool:
        """Whether somebody breaks a rule now; after each move once at most."""
        fresh, self._turn = self._turn != self.moves, self.moves
        return fresh and rng.random() < mistakes

    def _plain(self, rng: random.Random) -> Move:
        """A move that a table can show, or a button says: nobody passes who need not, or takes less than is due, or swaps for the same."""
        for _ in range(20):
            move = self.pick(rng)
            if isinstance(move, Win):
                move = Win(move.player, move.god)
            if isinstance(move, Swap) and move.pay == move.take:
                continue
            if not isinstance(move, Pass):
                break
        return move

    def view(self, player: int) -> View:
        """What the player may know: the table, and the own hand and holder."""
        hand = HANDS[player]
        return View(
            self.state, player, *(tuple(sorted(store[hand])) for store in (self.cards, self.tiles, self.gods))
        )

    def hand(self, player: int) -> str:
        """The player's movement cards, hieroglyphs and gods in words; a god with its value and the pyramid where it is won."""
        seen = self.view(player)
        gods = ", ".join(map(self._god, seen.gods)) or "nothing"
        return f"cards: {listed(seen.cards)}; hieroglyphs: {listed(seen.tiles)}; gods: {gods}"

    def _god(self, god: str) -> str:
        card = self.state.numbers.gods[god]
        where = "" if self.state.alone or card.pyramid == god else f" at {card.pyramid}"
        return f"{god} ({card.value}{where})"

    def score(self) -> Score:
        return rules.score(self.state)

    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on, and when nobody won."""
        outcome = rules.outcome(self.state)
        return outcome.winners if outcome else ()

    def refusal(self, move: Move) -> Refusal | None:
        """Why the move is illegal by the truth: nobody pays, lays down or wins with what is not in the own hand."""
        found = rules.refusal(self.state, move)
        if found:
            return found
        cards, tiles, gods = (
            Counter(store[HANDS[move.player]]) for store in (self.cards, self.tiles, self.gods)
        )
        match move:
            case Travel(cards=paid) if Counter(paid) - cards:
                return rulebook("papyrus").refuse("P3", "held", {})
            case Lose(pieces=pieces) if self.state.pending[0].what == "card":
                return rulebook("papyrus").refuse("P3", "held", {}) if Counter(pieces) - cards else None
            case Lose(pieces=pieces) if short := Counter(pieces) - tiles:
                return rulebook("papyrus").refuse("P6", "held", {"letter": next(iter(short))})
            case Swap(pay=pay) if not tiles[pay]:
                return rulebook("papyrus").refuse("P6", "held", {"letter": pay})
            case Win(god=god) | Form(god=god):
                if not gods[god]:
                    return rulebook("papyrus").refuse("Y9", "elsewhere", {"god": title(god)})
                if Counter(self.state.numbers.gods[god].letters) - tiles:
                    wording = "letters" if self.state.stage == "arrived" else "yet"
                    return rulebook("papyrus").refuse("Y26", wording, {"god": title(god)})
        return None

    def pick(self, rng: random.Random) -> Move:
        """A truly legal move of the player to move. Raises ValueError when the game is over."""
        if self.over:
            raise ValueError("the game is over: nobody has anything to do")
        style = self.style if self.moves < PATIENCE else "sensible"
        return pick(self.view(self.to_move), rng, style, self.moves)

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Lets the move happen; turns up the event card that it brings. Raises IllegalMove; then nothing has happened."""
        refusal = self.refusal(move)
        if refusal:
            raise IllegalMove(refusal)
        before = self.state
        self.state = rules.apply(before, move)
        self.moves += 1
        self._last = move.player
        self._lies(move)
        self._happen(before, move)
        self._draw(move.player)
        shown = []
        while self.state.stage == "event":
            player = self.to_move
            shown.append(EventShown(self._event()))
            was = self.state
            self.state = rules.apply(was, shown[-1])
            self._todo += hands.shown(was, self.state, shown[-1].event)
            self._litter.append(SHOWN)
            self._draw(player)
        return tuple(shown)

    def _lies(self, move: Move) -> None:
        """Where something lies now that will be put away."""
        match move:
            case Travel():
                self._litter.append(PLAYED)
            case Lose(pieces=pieces) if pieces and pieces[0] in FACES:
                self._litter.append(PLAYED)
            case Win() | Form():
                self._litter += (WON, NAME)
        self._litter = list(dict.fromkeys(self._litter))

    def _event(self) -> str:
        """The next event card; the deck is shuffled when it has run out."""
        if not self.events:
            events = self.state.numbers.events.values()
            self.events = [event.id for event in events for _ in range(event.copies)]
            self._rng.shuffle(self.events)
        return self.events.pop()

    def _happen(self, before: PapyrusState, move: Move) -> None:
        """What the hand of the player does with cards that everybody sees, or that leave another hand."""
        hand = HANDS[move.player]
        match move:
            case Travel(cards=paid):
                self.discards += _taken(self.cards[hand], paid)
            case Lose(pieces=pieces) if before.pending[0].what == "card":
                self.discards += _taken(self.cards[hand], pieces)
            case Lose(pieces=pieces):
                _taken(self.tiles[hand], pieces)
            case Gain(pieces=tiles):
                self.tiles[hand] += tiles
            case Swap(pay=pay, take=take):
                _taken(self.tiles[hand], (pay,))
                self.tiles[hand] += () if take is None else (take,)
            case Win(god=god) | Form(god=god):
                _taken(self.gods[hand], (god,))
                used = _taken(self.tiles[hand], before.numbers.gods[god].letters)
                if "used_hieroglyphs=bag" in before.options:
                    self.tiles[PILE] += used
                    self._rng.shuffle(self.tiles[PILE])
                else:
                    self.heap += used
            case TakeFrom(other=other) | SwapWith(other=other):
                effect = before.pending[0]
                store = self.cards if effect.what == "card" else self.tiles
                theirs, mine = store[HANDS[other]], store[hand]
                got = self._some(theirs, effect.n)
                if isinstance(move, SwapWith):
                    theirs += self._some(mine, effect.n)
                mine += got
            case Buy():
                if not self.cards[PILE]:
                    self.cards[PILE], self.cards[BOX] = self.cards[BOX], []
                    self._rng.shuffle(self.cards[PILE])
                self.cards[BOX].append(self.cards[PILE].pop())

    def _some(self, hand: list[str], n: int) -> list[str]:
        """So many unseen cards, or as many as there are, leave a hand."""
        some = self._rng.sample(hand, min(n, len(hand)))
        return _taken(hand, some)

    def _draw(self, player: int) -> None:
        """The player draws what the state says was drawn; a pile that has run out is made anew of what lies open."""
        hand = HANDS[player]
        for hidden, store, used in (
            (self.state.cards, self.cards, self.discards),
            (self.state.hieroglyphs, self.tiles, self.heap),
            (self.state.gods, self.gods, []),
        ):
            while len(store[hand]) < hidden.size(hand):
                if not store[PILE]:
                    store[PILE] += used
                    used.clear()
                    self._rng.shuffle(store[PILE])
                store[hand].append(store[PILE].pop())


def _dealt(hidden: Hidden, faces: Iterable[str], rng: random.Random) -> Store:
    """The faces shuffled into the places, as many as the state says lie in each."""
    pile = list(faces)
    rng.shuffle(pile)
    store: Store = {}
    for place in (*HANDS, BOX):
        store[place] = [pile.pop() for _ in range(hidden.size(place))]
    store[PILE] = pile
    return store


def _taken(hand: list[str], pieces: Iterable[str]) -> list[str]:
    """The pieces, which have left the hand. Raises ValueError for one that is not in it."""
    found = list(pieces)
    for piece in found:
        hand.remove(piece)
    return found


def deal(
    seed: int,
    players: int,
    first: int,
    options: Options,
    style: Style = "sensible",
    catalogue: Catalogue | None = None,
) -> PapyrusDeal:
    """A world from a seed: the same seed gives the same decks. Raises ValueError and MissingNumbers as ``rules.start`` does."""
    return PapyrusDeal(
        rules.start(players, first, options, catalogue), random.Random(f"papyrus {seed}"), style
    )
