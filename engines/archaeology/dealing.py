"""The hidden world of Archaeology: which treasure lies where, and who knows what.

Only for the demo, bots and tests. ``deal(seed, players, first, options, style, catalogue)`` shuffles, deals and shows the set-up;
``ArchaeologyDeal.pick`` says what its player would do, ``play`` makes it happen and shows what the table would show.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator

from engines.archaeology import mischief, rules, zones
from engines.archaeology.counts import numbered, refilled
from engines.archaeology.laying import Laid, piles
from engines.archaeology.moves import (
    Bust,
    Cards,
    Chamber,
    Dig,
    Draw,
    Drawn,
    End,
    Explore,
    Lose,
    Market,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.notation import title
from engines.archaeology.numbers import MAP
from engines.archaeology.players import View, keep, pick, wrong
from engines.archaeology.state import ArchaeologyState, ordered
from engines.archaeology.zones import DISCARD, RUINS, SANDSTORM, THIEF
from engines.catalogue import Catalogue
from engines.dealing import Deed, Intent, Placed, Style
from engines.game import IllegalMove, Move, Options, Refusal, Reveal, Score
from engines.rulebook import rulebook
from engines.words import listed

NOT_HELD: dict[type[Move], tuple[str, str]] = {
    Lose: ("W7", "held"),
    Trade: ("C3", "held"),
    Sell: ("L1", "held"),
    Explore: ("E1", "held"),
}
"""What is said to whoever shows cards that are not in the hand: the rule, and words for one who knows the hand."""


class ArchaeologyDeal:
    """A game of Archaeology in play, seen by someone who knows everything."""

    def __init__(self, state: ArchaeologyState, rng: random.Random, style: Style = "sensible") -> None:
        """Shuffles and deals for a state before its set-up is shown (S1-S6, A2)."""
        numbers = state.numbers
        self.state = state
        """What the table has shown so far to someone who misses nothing."""
        self.style: Style = style
        self._rng = rng
        deck = [face for face in numbers.faces if face != MAP for _ in range(numbers.copies[face])]
        rng.shuffle(deck)

        def taken(number: int) -> list[str]:
            cards = deck[len(deck) - number :]
            del deck[len(deck) - number :]
            return cards

        self.hands = [taken(numbers.hand) for _ in range(state.players)]
        """By seat, the treasures nobody else sees."""
        self._market = taken(numbers.market)
        chambers = [taken(size) for size in numbers.chambers[state.monument]]
        ruins = state.monument == RUINS
        self._laid = chambers if ruins else []
        """What is laid face up into the chambers of the Buried Ruins in the set-up."""
        self.chambers = [[] for _ in chambers] if ruins else chambers
        """By number from 1: what lies face down in the monument's chambers."""
        self.pile = taken(numbers.pile) if ruins else []
        """The face-down pile beside the Buried Ruins."""
        self.dig = [
            *deck,
            *[MAP] * numbers.copies[MAP],
            *[THIEF] * numbers.thieves,
            *[SANDSTORM] * numbers.sandstorms,
        ]
        """The dig site; its last card is the top one."""
        rng.shuffle(self.dig)
        self._card = ""
        self._drawn: list[str] = []
        self._views = [View() for _ in range(state.players)]
        market, laid = tuple(self._market), [tuple(cards) for cards in self._laid]
        self._opening = self._show()
        self._table = Laid(state, market, laid)
        self._settle_piles()
        self._setup = self._table.setup(numbers)
        self._waiting: list[str] = []
        """Cards of a monument that were drawn and lie on the table yet to be laid face up."""
        self._shown_off = False
        """Whether the cards of the Sphinx lie face up and have yet to be taken away."""
        self._last: Move | None = None
        self._tried = -1
        self._made = 0

    @property
    def to_move(self) -> int:
        return rules.to_move(self.state)

    @property
    def over(self) -> bool:
        return rules.outcome(self.state) is not None

    def opening(self) -> tuple[Reveal, ...]:
        """The marketplace, and what lies face up in the Buried Ruins."""
        return self._opening

    def setup(self) -> tuple[Placed, ...]:
        """Marketplace, tents, the monument's chambers and the dig site; every other card waits unseen."""
        return self._setup

    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        """The next intent of who has to act: to put away what lies about, else a move; once per move, with probability ``mistakes``, one
        that breaks a rule. Raises ValueError when the game is over."""
        seat = self.to_move
        litter = tuple(self._tidying(rng))
        if litter:
            return Intent(seat, ((litter, ()),))
        fresh, self._tried = self._tried != self._made, self._made
        if fresh and rng.random() < mistakes:
            hands = [tuple(sorted(hand)) for hand in self.hands]
            # Two trades, the first of them not confirmed, are one to the eye: what a wrong second one is, the table cannot show.
            makers = [
                maker
                for maker in mischief.MISTAKES
                if maker is not mischief.pays_too_little or not isinstance(self._last, Trade)
            ]
            made = [maker(self.state, hands, self._table.zones, rng) for maker in makers]
            chances = [intent for intent in made if intent is not None]
            if chances:
                return rng.choice(chances)
        move = self.pick(rng)
        while isinstance(move, Peek):
            self.play(move)  # nobody needs to be told of it
            move = self.pick(rng)
        room = tuple(self._making_room(move))
        if room:
            return Intent(move.player, ((room, ()),))
        deeds = tuple(self._deeds(move, rng))
        return Intent(
            move.player, ((deeds, (move,)),), tell=self._told(move), waits=isinstance(move, Explore | Steal)
        )

    def _making_room(self, move: Move) -> list[Deed]:
        """What has to be put away before the cards of a move have room."""
        match move:
            case Sell(treasures=treasures):
                return self._table.pile_up(move.player, len(treasures))
            case Explore(chamber=chamber):
                maps = self.state.numbers.maps[self.state.monument]
                return self._table.put_discards_away(maps[max(chamber, 1) - 1])
            case Dig() if self.dig[-1] in (THIEF, SANDSTORM):
                return self._table.put_discards_away(1)
        return []

    def _told(self, move: Move) -> bool | None:
        """Whether a move has to be told (True), will be shown by what follows (False), or is seen (None)."""
        match move:
            case Dig():
                return False
            case Draw():
                return False
            case End():
                return True
            case Tent(used=used):
                return not used and self.state.held(move.player) < 2
        return None

    def _deeds(self, move: Move, rng: random.Random) -> Iterator[Deed]:
        """What hands do for a move."""
        table, state = self._table, self.state
        match move:
            case Dig():
                card = self.dig[-1]
                if card in (THIEF, SANDSTORM):
                    yield from table.lay(DISCARD, (card,))
                if card == SANDSTORM:
                    pile = self.pile[::-1]
                    for chamber, face in zip(refilled(state), pile, strict=False):
                        yield from table.lay(zones.chamber(chamber), (face,))
            case Tent(used=True):
                yield from table.take(zones.tent(move.player), (zones.TENT,))
            case Lose():
                yield from table.to_market(move.treasures)
            case Trade():
                deeds = [table.to_market(move.give), table.from_market(move.take)]
                if not set(move.give) & set(move.take):
                    rng.shuffle(deeds)
                yield from (deed for one in deeds for deed in one)
            case Sell():
                yield from table.sell(move.player, move.treasures)
            case Stop() | Bust():
                yield from table.sweep(zones.FOUND)
            case Explore():
                maps = state.numbers.maps[state.monument][max(move.chamber, 1) - 1]
                yield from table.lay(DISCARD, (MAP,) * maps)
                if state.monument == RUINS:
                    yield from table.take(zones.chamber(move.chamber), state.chambers[move.chamber - 1])
                elif state.monument not in zones.FACE_UP:
                    left = len(self.chambers[move.chamber - 1])
                    if state.monument != "tomb" or left <= state.numbers.keep:
                        yield from table.backs([(zones.chamber(move.chamber), False)])

    def _tidying(self, rng: random.Random) -> Iterator[Deed]:
        """What people do before they go on: cards drawn from a monument, piles that ran out, old sets and discards."""
        if self._waiting:
            yield from self._table.lay(zones.FOUND, self._waiting)
            self._waiting.clear()
            return
        if self._shown_off:
            self._shown_off = False
            yield from self._table.sweep(zones.FOUND)
        yield from self._settle_piles()
        # Nobody tidies while a Thief or a Sandstorm is still to be dealt with.
        if self.state.stage in ("dig", "act") and rng.random() < 0.3:
            yield from self._table.put_discards_away()
            yield from self._table.pile_older(self.to_move)

    def _settle_piles(self) -> list[Deed]:
        wanted = piles(self.state, len(self.dig), len(self.pile), [len(cards) for cards in self.chambers])
        return list(self._table.backs(wanted))

    def hand(self, player: int) -> str:
        """What only this player knows: ``2 coin, map``, and what lies in the chambers that were looked into."""
        view = self._views[player]
        seen = [
            f"chamber {number}: {listed(ordered(inside))}"
            for number in numbered(self.state)
            if not self.state.chambers and (inside := view.inside(self.state, number)) is not None
        ]
        return "; ".join((listed(ordered(self.hands[player])), *seen))

    def score(self) -> Score:
        return rules.score(self.state)

    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on."""
        outcome = rules.outcome(self.state)
        return outcome.winners if outcome else ()

    def refusal(self, move: Move) -> Refusal | None:
        """As the rules' refusal, but by the truth: nobody gives, loses or sells what is not in the hand, and the numbers in force
        are those on the cards."""
        found = wrong(self.state, move)
        if found is not None:
            return rulebook("archaeology").refuse(*found)
        needed = self._needed(move)
        missing = Counter(needed) - Counter(self.hands[move.player])
        if not missing:
            return None
        words = {"treasure": title(next(iter(missing))), "count": str(len(needed))}
        return rulebook("archaeology").refuse(*NOT_HELD[type(move)], words)

    def _needed(self, move: Move) -> tuple[str, ...]:
        """The cards of the own hand that a move shows."""
        match move:
            case Lose(treasures=treasures) | Sell(treasures=treasures) | Trade(give=treasures):
                return treasures
            case Explore(chamber=chamber):
                return (MAP,) * self.state.numbers.maps[self.state.monument][max(chamber, 1) - 1]
        return ()

    def pick(self, rng: random.Random) -> Move:
        """A truly legal move that the player to move would make, chosen by what that player may know. Raises ValueError when the
        game is over."""
        if self.over:
            raise ValueError("the game is over: nobody has anything to do")
        player = self.to_move
        view = self._views[player]
        view.left = len(self.dig)
        return pick(self.state, tuple(self.hands[player]), view, rng, self.style)

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Makes the move happen; gives what the table shows next, in order. Raises IllegalMove; then nothing has happened."""
        refused = self.refusal(move)
        if refused is not None:
            raise IllegalMove(refused)
        before = self.state
        self.state = rules.apply(before, move)
        self._happen(before, move)
        self._views[move.player].note(move, before)
        self._made += 1
        self._last = move
        facts = self._show()
        cards = [face for fact in facts if isinstance(fact, Cards) for face in fact.treasures]
        self._waiting += cards
        self._shown_off = self._shown_off or (bool(cards) and self.state.monument == "sphinx")
        return facts

    def _happen(self, before: ArchaeologyState, move: Move) -> None:
        """What the move does to the cards nobody else sees."""
        hand = self.hands[move.player]
        for face in self._needed(move):
            hand.remove(face)
        match move:
            case Dig():
                self._card = self.dig.pop()
                if self._card not in (THIEF, SANDSTORM):
                    hand.append(self._card)
            case Steal(victim=victim):
                victims = self.hands[victim]
                if victims:
                    hand.append(victims.pop(self._rng.randrange(len(victims))))
            case Trade(take=take):
                hand.extend(take)
            case Explore(chamber=chamber):
                self._explore(before, move.player, chamber)
            case Stop():
                hand.extend(self._drawn)
                self._drawn = []
            case Bust():
                self.chambers[0] += self._drawn
                self._drawn = []
            case Peek(chamber=chamber):
                self._views[move.player].seen[chamber] = tuple(self.chambers[chamber - 1])
            case End():
                self._views[move.player].rest()

    def _explore(self, before: ArchaeologyState, player: int, chamber: int) -> None:
        hand = self.hands[player]
        match before.monument:
            case "mine" | "sphinx":
                self._rng.shuffle(self.chambers[0])
            case "buried-ruins":
                hand.extend(before.chambers[chamber - 1])
            case "tomb":
                inside = self.chambers[chamber - 1]
                view = self._views[player]
                for face in keep(before, tuple(hand), tuple(inside), view, self._rng, self.style):
                    hand.append(inside.pop(inside.index(face)))
                view.seen[chamber] = tuple(inside)
            case _:
                hand.extend(self.chambers[chamber - 1])
                self.chambers[chamber - 1] = []

    # What the table shows

    def _show(self) -> tuple[Reveal, ...]:
        """Shows what is awaited until nothing is."""
        facts: list[Reveal] = []
        while awaited := rules.awaited(self.state):
            fact = self._fact(awaited)
            self.state = rules.apply(self.state, fact)
            facts.append(fact)
        return tuple(facts)

    def _fact(self, awaited: tuple[Reveal, ...]) -> Reveal:
        """The true one of the facts that are awaited."""
        match awaited[0]:
            case Drawn():
                return Drawn("thief") if self._card == THIEF else self._storm_or_treasure()
            case Market():
                return Market(ordered(self._market))
            case Chamber(chamber=chamber):
                laid = self._laid[chamber - 1]
                return Chamber(chamber, laid.pop() if laid else self.pile.pop())
            case Cards() if self.state.monument == "mine":
                face = self.chambers[0].pop()
                self._drawn.append(face)
                return Cards((face,))
            case Cards():
                return self._found()
        raise TypeError(f"{awaited[0]!r} is nothing that a deal can show")

    def _storm_or_treasure(self) -> Drawn:
        return Drawn("sandstorm" if self._card == SANDSTORM else "treasure")

    def _found(self) -> Cards:
        """Five cards of the Sphinx; those that were named go to the explorer's hand, the others back."""
        number = min(self.state.numbers.draws, len(self.chambers[0]))
        shown, rest = self.chambers[0][:number], self.chambers[0][number:]
        named = self.state.named
        self.hands[self.state.turn].extend(face for face in shown if face in named)
        self.chambers[0] = rest + [face for face in shown if face not in named]
        return Cards(ordered(shown))

    def everything(self) -> Counter[str]:
        """All treasures that lie hidden: hands, chambers, pile, dig site and what the Mine's explorer drew."""
        places: list[Iterable[str]] = [*self.hands, *self.chambers, self.pile, self.dig]
        return Counter(face for place in places for face in place if face not in (THIEF, SANDSTORM))


def deal(
    seed: int,
    players: int,
    first: int,
    options: Options,
    style: Style = "sensible",
    catalogue: Catalogue | None = None,
) -> ArchaeologyDeal:
    """A world from a seed: the same seed, settings and numbers give the same cards. Raises ValueError for settings the game does
    not have, ``engines.catalogue.MissingNumbers`` when it cannot be played by these numbers."""
    state = rules.start(players, first, options, catalogue)
    return ArchaeologyDeal(state, random.Random(f"archaeology {seed}"), style)
