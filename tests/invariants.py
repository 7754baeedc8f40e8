"""What must hold in every state of every game, and one random game that checks all of it.

Nothing here knows a game: it needs engines/<game>/dealing.py for a hidden world and tests/spaces/<game>.py for moves that
nobody would list.
"""

from __future__ import annotations

import random
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import record
from engines.game import IllegalMove, Item, Move, Refusal, Reveal, WrongReveal
from engines.referee import Match
from tests.spaces import Setting, space

NAMES = ("Ana", "Ben", "Cleo da Vinci", 'Dora "Do"', "player-2")
"""Not all of them easy to write."""
LINES, WIDTH, DUE, WORDS = 2, 21, 14, 17
"""What fits the display; the longest object of a phrase is Falcon 10 right 1."""
MOST = 500
"""Where there are more legal moves not all need be listed."""
CORRECTED = 0.1
"""In so many states somebody counts otherwise; so many of the games with it are recorded."""
STEPS = {"sensible": 5_000, "random": 600}
"""Sensible players have ended every game by then; nobody waits longer for others."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What was checked."""

    games: int = 0
    finished: int = 0
    states: int = 0
    moves: int = 0
    tried: int = 0
    refused: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.finished + other.finished,
            self.states + other.states,
            self.moves + other.moves,
            self.tried + other.tried,
            self.refused + other.refused,
        )


class Broken(AssertionError):  # noqa: N818 - what the invariant is
    """An invariant does not hold: which game, and where."""


def fits(text: str, width: int = WIDTH, lines: int = LINES) -> bool:
    """Whether a text can be set in so many lines without breaking a word."""
    row, used = 0, 1
    for word in text.split():
        if len(word) > width:
            return False
        if row and row + 1 + len(word) > width:
            used, row = used + 1, len(word)
        else:
            row += len(word) + bool(row)
    return used <= lines


class Course:
    """One random game, step by step."""

    def __init__(self, setting: Setting, sample: int) -> None:
        """``sample``: of the listed moves so many are made, and so many of the full space are tried, in every state."""
        self.setting = setting
        self.sample = sample
        self.rng = random.Random(f"course {setting.game.id} {setting.players} {setting.seed}")
        self.minds = self._minds()
        self.rules = setting.game.rules
        self.space = space(setting.game.id)
        self.names = NAMES[: setting.players]
        self.deal = setting.deal()
        self.states: list[Any] = [
            self.rules.start(setting.players, setting.first, self._options(), setting.catalogue)
        ]
        self.steps: list[Move | Reveal] = []
        self.tried = self.refused = self.moves = 0
        self.witness = None
        if hasattr(self.space, "witness"):
            self.witness = self.space.witness(self.deal, setting.first, setting.options)

    def _minds(self) -> random.Random:
        """What the players' choices hang on."""
        return random.Random(f"players {self.setting.seed}")

    def _options(self) -> dict[str, str]:
        game = self.setting.game
        defaults = {option.name: option.values[0] for option in game.options}
        return {**defaults, **game.defaults, **self.setting.options}

    @property
    def state(self) -> Any:
        return self.states[-1]

    def run(self) -> Tally:
        """Plays to the end, or until STEPS; raises Broken with the place."""
        try:
            self._play()
            finished = self.deal.over
            if finished:
                self._end()
            self._again()
            return Tally(1, int(finished), len(self.states), self.moves, self.tried, self.refused)
        except Exception as error:
            last = "; ".join(self.rules.format(step, self.names) for step in self.steps[-3:])
            at = traceback.extract_tb(error.__traceback__)[-1]
            raise Broken(
                f"{self.setting.game.id}, {self.setting.players} players, seed {self.setting.seed}, state "
                f"{len(self.states) - 1} ({self.setting}), after {last}: {type(error).__name__}: {str(error) or at.line} ({Path(at.filename).name}:{at.lineno})"
            ) from error

    def _play(self) -> None:
        for fact in self.deal.opening():
            self._take(fact)
        while True:
            assert self.state == self.deal.state and hash(self.state) == hash(self.deal.state)
            self.space.conserved(self.state, self.deal)
            listed = self._see(settled=True)
            if self.witness:
                self.witness.see(self.state, self.deal, listed)
            assert (self.rules.outcome(self.state) is not None) == self.deal.over
            if self.deal.over:
                return
            if len(self.steps) >= STEPS[self.setting.style]:
                assert self.setting.style == "random", "the game does not end"
                return
            self._move()

    def _move(self) -> None:
        assert self.deal.to_move == self.rules.to_move(self.state)
        move = self.deal.pick(self.minds)
        assert self.deal.refusal(move) is None, f"the players broke a rule: {move}"
        assert self.rules.refusal(self.state, move) is None, f"a true move was refused: {move}"
        facts = self.deal.play(move)
        if self.witness:
            self.witness.play(move)
        self.moves += 1
        self.steps.append(move)
        self.states.append(self.rules.apply(self.state, move))
        for fact in facts:
            self._take(fact)

    def _take(self, fact: Reveal) -> None:
        """A fact the table shows; before it is taken in the state that waits for it is looked at as well."""
        awaited = self.rules.awaited(self.state)
        assert not awaited or type(fact) in {type(one) for one in awaited}, f"{fact} is none of {awaited}"
        self._see(settled=False)
        words = self.rules.format(fact, self.names)
        assert self.rules.parse(words, 0, self.names) == fact, words
        self.steps.append(fact)
        self.states.append(self.rules.apply(self.state, fact))

    def _see(self, settled: bool) -> tuple[Move, ...]:
        """The state now, and now and then what it would be had somebody counted otherwise."""
        listed = self._look(self.state, settled)
        self._score()
        if settled and self.rng.random() < CORRECTED and hasattr(self.space, "corrections"):
            for fact in self.space.corrections(self.state, self.rng):
                self._corrected(fact)
        return listed

    def _look(self, state: Any, settled: bool, true: bool = True) -> tuple[Move, ...]:
        """All that holds in any state: what is listed is allowed, what is allowed is listed, what is refused changes nothing."""
        rules = self.rules
        before = hash(state)
        listed = rules.legal_moves(state)
        complete = rules.complete(state)
        assert len(set(listed)) == len(listed), "a move is listed twice"
        assert not complete or len(listed) <= MOST
        over = rules.outcome(state) is not None
        if rules.awaited(state) or over:
            assert not listed and complete, "moves are listed though nobody can move"
        elif settled:
            assert listed, "nobody can move, and nothing is awaited"
        assert len(rules.due(state)) <= DUE and (over or rules.due(state)), rules.due(state)
        for hint in rules.hints(state):
            assert fits(hint.text), hint.text
        for move in listed:
            assert rules.refusal(state, move) is None, f"{move} is listed and refused"
        for move in self.rng.sample(listed, min(len(listed), self.sample)):
            self._allowed(state, move)
        for move in self.space.near_misses(state, self.rng, self.sample):
            refusal = self._try(state, move, listed if complete else None)
            if true and settled and not over:
                truly = self.deal.refusal(move)
                assert truly is not None or refusal is None, f"{move} is true and refused: {refusal}"
        assert hash(state) == before, "a move that was only tried left a trace"
        return listed

    def _corrected(self, fact: Reveal) -> None:
        """A count that is corrected can be written and read, stands in the record, and leaves a state like any other."""
        words = self.rules.format(fact, self.names)
        assert self.rules.parse(words, 0, self.names) == fact, words
        try:
            state = self.rules.apply(self.state, fact)
        except WrongReveal as error:
            assert str(error)
            return
        self._look(state, settled=False, true=False)
        if self.rng.random() < CORRECTED:
            match = self._match([*self.states, state], [*self.steps, fact])
            assert record.read(record.write(match)) == match, "the record forgets a correction"

    def _allowed(self, state: Any, move: Move) -> None:
        """A legal move can be made, written, read and told; a doubt about it is a text."""
        self.rules.apply(state, move)
        words = self.rules.format(move, self.names)
        assert self.rules.parse(words, move.player, self.names) == move, words
        assert all(isinstance(word, str) for word in self.rules.phrase(move, self.names))
        verb, thing = self.rules.phrase(move)
        assert verb and len(thing) <= WORDS, (verb, thing)
        doubt = self.rules.doubt(state, move)
        if doubt is not None:
            self._text(doubt)

    def _try(self, state: Any, move: Move, listed: tuple[Move, ...] | None) -> Refusal | None:
        """A move of the full space: predicate, list and effect agree."""
        self.tried += 1
        refusal: Refusal | None = self.rules.refusal(state, move)
        if listed is not None:
            assert (refusal is None) == (move in listed), f"{move}: {refusal or 'allowed and not listed'}"
        if refusal is None:
            self._allowed(state, move)
            return None
        self.refused += 1
        self._text(refusal)
        try:
            self.rules.apply(state, move)
        except IllegalMove as error:
            assert error.refusal == refusal
        else:
            raise AssertionError(f"{move} is refused and applied")
        return refusal

    def _text(self, refusal: Refusal) -> None:
        assert refusal.rule and refusal.long and fits(refusal.text) and fits(refusal.remedy), refusal

    def _score(self) -> None:
        score = self.rules.score(self.state)
        assert len(score.items) == self.setting.players
        for items, total in zip(score.items, score.totals, strict=True):
            assert all(isinstance(item, Item) and item.text for item in items)
            assert sum(item.points for item in items) == total
        outcome = self.rules.outcome(self.state)
        if outcome is not None:
            assert outcome.decided_by
            assert all(0 <= seat < self.setting.players for seat in outcome.winners)

    def _end(self) -> None:
        """The dealer comes to the same end."""
        outcome = self.rules.outcome(self.state)
        assert outcome is not None and outcome.winners == self.deal.winners()
        assert self.deal.score() == self.rules.score(self.state)

    def _again(self) -> None:
        """Take-back restores, the record says it all, and the same seed gives the same game."""
        match = self._match(self.states, self.steps)
        text = record.write(match)
        again = record.read(text)
        assert again == match, "the record does not say what was played"
        assert [hash(state) for state in again.states] == [hash(state) for state in self.states]
        assert record.write(again) == text
        if self.setting.seed % 5 == 0:
            assert record.read(text, lambda _: self.setting.catalogue) == match
        for back in {1, self.moves, *(self.rng.randint(1, max(self.moves, 1)) for _ in range(4))}:
            if not 0 < back <= self.moves:
                continue
            shorter = match.take_back(back)
            place = len(shorter.steps)
            assert shorter.steps == match.steps[:place] and isinstance(match.steps[place], Move)
            assert sum(isinstance(step, Move) for step in match.steps[place:]) == back
            assert shorter.states == match.states[: place + 1], "take-back did not restore the state"
            assert shorter.accept(match.steps[place]).state == match.states[place + 1]
        part = match.take_back(self.rng.randint(1, self.moves)) if self.moves else match
        assert record.read(record.write(part)) == part
        assert self._replayed() == tuple(self.steps), "the same seed gave another game"

    def _match(self, states: list[Any], steps: list[Move | Reveal]) -> Match:
        setting = self.setting
        begun = Match.begin(
            setting.game, self.names, setting.first, setting.options, catalogue=setting.catalogue
        )
        return Match(
            setting.game,
            self.names,
            setting.first,
            begun.options,
            tuple(steps),
            (begun.state, *states[1:]),
            begun.catalogue,
        )

    def _replayed(self) -> tuple[Move | Reveal, ...]:
        """The steps of a second world from the same seed, with players of the same mind."""
        deal, minds = self.setting.deal(), self._minds()
        steps: list[Move | Reveal] = list(deal.opening())
        while not deal.over and len(steps) < len(self.steps):
            move = deal.pick(minds)
            steps += [move, *deal.play(move)]
        return tuple(steps)
