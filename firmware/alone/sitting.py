"""A game played by lines, without a camera: each line is read, judged by the rules (or by a hidden world), and answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from engines import record
from engines.dealing import Deal
from engines.game import IllegalMove, Move, Outcome, Reveal, Score, Step, WrongReveal
from engines.referee import Match
from firmware.alone.heading import ACCEPTED, Answer, Heading, PlayError

MOVE = re.compile(r'(?:([1-9][0-9]{0,8})\. )?("(?:[^"\\]|\\.)*"|[^:"]+): (\S.*)')
"""A line of the record, whose number may be left out."""
ASK = "?"
"""The line that asks what can be done."""
LONGEST = 300
"""Letters of a line that are repeated in an answer."""


class Unreadable(ValueError):  # noqa: N818 - as in the answer
    """A line that says nothing; the text and the remedy are sentences."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(text)
        self.remedy = remedy


class Sitting:
    """One game, step by step. What was accepted can be taken back; what is refused changes nothing."""

    def __init__(self, heading: Heading, dealer: Callable[[Match], Deal] | None = None) -> None:
        """``dealer`` deals the hidden world for a match, the same one each time. Raises what ``Heading.begin`` raises."""
        self.heading = heading
        self._begun = heading.begin()
        self._dealer = dealer
        self.steps: list[Step] = []
        self.states: list[Any] = [self._begun.state]
        self.comments: list[tuple[int, str]] = []
        self._marks: list[int] = []
        """How many steps there were before each line that can be taken back."""
        self._moves = 0
        self.deal: Deal | None = None
        self.shown: tuple[Reveal, ...] = ()
        """What the hidden world showed since the last move."""
        self._told: list[Reveal] = []
        """Those of them that no line has repeated yet."""
        self._standing: tuple[Any, Score, Outcome | None] | None = None
        if dealer is not None:
            self.deal = dealer(self._begun)
            self._see(self.deal.opening())

    # What stands

    @property
    def match(self) -> Match:
        """The game so far."""
        return replace(self._begun, steps=tuple(self.steps), states=tuple(self.states))

    @property
    def names(self) -> tuple[str, ...]:
        return self._begun.names

    @property
    def rules(self) -> Any:
        return self._begun.game.rules

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def played(self) -> bool:
        """Whether anything stands that was said, and not brought by the set-up alone."""
        return bool(self._marks)

    def _now(self) -> tuple[Score, Outcome | None]:
        if self._standing is None or self._standing[0] is not self.state:
            self._standing = (self.state, self.rules.score(self.state), self.rules.outcome(self.state))
        return self._standing[1], self._standing[2]

    @property
    def score(self) -> dict[str, int]:
        """What each player has, by name."""
        return dict(zip(self.names, self._now()[0].totals, strict=True))

    @property
    def outcome(self) -> Outcome | None:
        return self._now()[1]

    @property
    def to_move(self) -> str | None:
        """Who moves; None once the game is over."""
        return None if self.outcome is not None else self.names[self.rules.to_move(self.state)]

    def words(self, step: Step) -> str:
        """The step as a line of the record, without a number."""
        told: str = self.rules.format(step, self.names)
        return f"{record.quoted(self.names[step.player])}: {told}" if isinstance(step, Move) else told

    # What is said

    def answer(self, line: str) -> Answer:
        """Judge one line and, when it is accepted, let it stand."""
        if line.startswith(";"):
            note = line[1:].strip()
            if note.isprintable():
                self.comments.append((len(self.steps), note))
            return ACCEPTED
        if line == ASK:
            return Answer("accepted", self.tell())
        if line.startswith("result: "):
            return self._result(line)
        header = self.heading.read(line)
        if header is not None:
            return header
        try:
            step, number = self.read(line)
        except Unreadable as error:
            return Answer("unreadable", str(error), error.remedy)
        if number not in (None, self._moves + 1) and self.judge(step) is None:
            return Answer(
                "refused",
                f"Move {number} stands where move {self._moves + 1} is due.",
                "Number it so, or leave the number out.",
            )
        return self.make(step)

    def _result(self, line: str) -> Answer:
        final = record.result(self.match)
        if final is None:
            return Answer("refused", "The game is not over yet.", "Go on with the moves.")
        if line != f"result: {final}":
            return Answer("refused", "The result is not what the moves say.", f"Write: result: {final}")
        return ACCEPTED

    def read(self, line: str, bare: bool = False) -> tuple[Step, int | None]:
        """The step a line says, and the number it gives a move. ``bare``: a move without a name is one of the player to move.

        Raises Unreadable.
        """
        found = MOVE.fullmatch(line)
        player = record.read_name(found[2]) if found else None
        if found and (found[1] or not line.startswith(("reveal ", "correct "))):
            if player not in self.names:
                raise Unreadable(
                    f"'{player or found[2]}' is none of the players.",
                    f"Write one of: {', '.join(map(record.quoted, self.names))}.",
                )
            step = self._parse(found[3], self.names.index(player))
            if not isinstance(step, Move):
                raise Unreadable(
                    "A reveal has no number and no player.", f"Write it alone on its line: {found[3]}"
                )
            return step, int(found[1]) if found[1] else None
        to_move = self.rules.to_move(self.state)
        step = self._parse(line, to_move)
        if isinstance(step, Move) and not bare:
            raise Unreadable(
                "A move begins with its player.", f"Write: {record.quoted(self.names[to_move])}: {line}"
            )
        return step, None

    def _parse(self, text: str, player: int) -> Step:
        try:
            step: Step = self.rules.parse(text, player, self.names)
        except ValueError as error:
            raise Unreadable(f"This line cannot be read: {error}.", "Correct the line.") from None
        return step

    # What is done

    def doubt(self, move: Move) -> Answer | None:
        """What should be asked before a legal move stands; None for nothing, and for a move that is refused."""
        if self.judge(move) is not None:
            return None
        doubt = self.rules.doubt(self.state, move)
        return None if doubt is None else Answer("accepted", doubt.long, doubt.remedy, doubt.rule)

    def judge(self, move: Step) -> Answer | None:
        """Why a move is refused now, by the truth where it is known; None when it is legal."""
        if not isinstance(move, Move):
            return None
        no = self.rules.refusal(self.state, move) if self.deal is None else self.deal.refusal(move)
        return None if no is None else Answer("refused", no.long, no.remedy, no.rule)

    def make(self, step: Step) -> Answer:
        """Judge a step and let it stand when it is accepted. The text of the answer then holds a doubt, and what was dealt."""
        if isinstance(step, Reveal):
            return self._reveal(step)
        answer = self.judge(step)
        if answer is not None:
            return answer
        doubt = self.rules.doubt(self.state, step)
        try:
            after = self.rules.apply(self.state, step)
            facts = () if self.deal is None else self.deal.play(step)
        except IllegalMove as error:
            no = error.refusal
            return Answer("refused", no.long, no.remedy, no.rule)
        self._stand(step, after)
        self._moves += 1
        self._see(facts)
        said = [doubt.long] if doubt is not None else []
        said += map(self.words, facts)
        if doubt is None:
            return Answer("accepted", "; ".join(said))
        return Answer("accepted", "; ".join(said), doubt.remedy, doubt.rule)

    def _reveal(self, reveal: Reveal) -> Answer:
        if self.deal is not None:
            if reveal in self._told:
                self._told.remove(reveal)
                return ACCEPTED
            return Answer("refused", "The cards are dealt: what they show comes by itself.", "Leave it out.")
        try:
            after = self.rules.apply(self.state, reveal)
        except WrongReveal as error:
            return Answer("refused", f"This cannot be: {error}", "Correct it, or take a move back.")
        self._stand(reveal, after)
        return ACCEPTED

    def take_in(self, steps: Sequence[Step], comments: Sequence[tuple[int, str]]) -> None:
        """Play the steps of a record again, from the beginning. Raises PlayError when the hidden world is not the one it was."""
        for step in steps:
            if self.deal is not None and isinstance(step, Reveal) and step in self._told:
                self._told.remove(step)
            elif (answer := self.make(step)).verdict != "accepted":
                raise PlayError(
                    f"the game cannot go on at '{self.words(step)}': {answer.text} If another Thoth dealt it, take the line "
                    "'; dealt from seed ...' out and go on without the hands."
                )
        self.comments += [(min(at, len(self.steps)), text) for at, text in comments]

    def _stand(self, step: Step, after: Any) -> None:
        if not self._marks:
            self.heading.settle(self._begun)
        self._marks.append(len(self.steps))
        self.steps.append(step)
        self.states.append(after)

    def _see(self, facts: tuple[Reveal, ...]) -> None:
        """Takes in what the hidden world shows."""
        for fact in facts:
            self.states.append(self.rules.apply(self.state, fact))
            self.steps.append(fact)
        self.shown = facts
        self._told = list(facts)

    def undo(self) -> Step | None:
        """Take the last step back that somebody said, with all that followed from it; None when there is none."""
        if not self._marks:
            return None
        mark = self._marks.pop()
        step = self.steps[mark]
        moves = [one for one in self.steps[:mark] if isinstance(one, Move)]
        del self.steps[mark:], self.states[mark + 1 :]
        self.comments = [(min(at, mark), text) for at, text in self.comments]
        self._moves = len(moves)
        if self._dealer is not None:
            # A hidden world only goes forward: the same one is dealt anew and played up to here.
            self.deal = self._dealer(self._begun)
            self.shown = self.deal.opening()
            for move in moves:
                self.shown = self.deal.play(move)
            self._told = list(self.shown)
        return step

    # What can be done

    def choices(self) -> tuple[Step, ...]:
        """What is awaited from the table; else the legal moves, those of the hidden truth where it is dealt."""
        awaited: tuple[Step, ...] = self.rules.awaited(self.state)
        if awaited or self.outcome is not None:
            return awaited
        moves: tuple[Move, ...] = self.rules.legal_moves(self.state)
        if self.deal is None:
            return moves
        return tuple(move for move in moves if self.judge(move) is None)

    @property
    def complete(self) -> bool:
        """Whether ``choices`` lists everything that can be done."""
        return not self.rules.awaited(self.state) and bool(self.rules.complete(self.state))

    def hand(self) -> str:
        """What the player to move has in the hand, where it was dealt and something is hidden."""
        if self.deal is None or self.outcome is not None:
            return ""
        return self.deal.hand(self.rules.to_move(self.state))

    def table(self) -> tuple[str, ...]:
        """What lies open, line by line (``engines/<game>/view.py``); nothing for a game that cannot tell."""
        view = self._view()
        told: tuple[str, ...] = () if view is None else view.lines(self.state, self.names)
        return told

    def says(self, fact: Reveal) -> str:
        """What stands on a card that was shown, where the game has such cards; else nothing."""
        said: str = view.says(self.state, fact) if hasattr(view := self._view(), "says") else ""
        return said

    def _view(self) -> Any:
        try:
            return import_module(f"engines.{self._begun.game.id}.view")
        except ModuleNotFoundError:
            return None

    def tell(self) -> str:
        """The answer to ``?``: what lies open, what is due, the hand, what was shown, and every line that can be written now."""
        lines = list(self.table())
        if self.to_move is not None:
            lines.append(f"{self.to_move}: {self.rules.due(self.state)}")
        if hand := self.hand():
            lines.append(f"hand: {hand}")
        lines += map(self.words, self.shown)
        choices = self.choices()
        lines += map(self.words, choices)
        if choices and not self.complete:
            lines.append("... and others like these")
        return "\n".join(lines)


def harmless(text: str) -> str:
    """What may go to a terminal: a line can hold anything, and much of it."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:LONGEST])
    return shown + ("..." if len(text) > LONGEST else "")
