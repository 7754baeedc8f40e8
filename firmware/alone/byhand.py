"""A game by hand in a terminal: choose from numbered lists, or type a line as the record writes it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engines import record
from engines.dealing import Deal
from engines.game import Item, Move, Reveal, Step
from engines.referee import Match
from engines.rulebook import rulebook
from engines.words import counted, words
from firmware.alone.heading import Heading
from firmware.alone.sitting import Sitting, Unreadable, harmless
from firmware.alone.typed import gist, rewritten
from firmware.menu import Words, below
from firmware.written import records

SHORT = 12
"""A list of no more lines is shown as it is; a longer one is grouped by its words."""
PAGE = 20
"""Lines of a list that are shown at once."""

_HELP = """\
Type the number of a line, or a move as the record writes it ({example}), or one of these:
  Enter        the list again; its next page; out of a group
  table        what lies open
  hints        what is worth looking at for whoever is to move
  score        what each player has, item by item
  undo         take the last line back
  rule T9      what this rule says; with a word instead of a number, every rule that has it
  quit         end here; the record so far is kept
What the table shows {reveals}."""


class Table:
    """One game in a terminal, until it is quit or the input ends."""

    def __init__(
        self,
        heading: Heading,
        dealer: Callable[[Match], Deal] | None = None,
        out: Path | None = None,
        seed: int | None = None,
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = print,
    ) -> None:
        """Raises what ``Heading.begin`` raises. ``ask`` gives what is typed, ``say`` shows a text."""
        self._sitting = Sitting(heading, dealer)
        self._dealt = dealer is not None
        if seed is not None:
            self._sitting.comments.append((0, f"dealt from seed {seed}"))
        match = self._sitting.match
        self._out = out or Path(records.file_name(match, datetime.now(UTC).isoformat()))
        self._new = out is None
        """Whether the record still needs a file that is nobody else's."""
        self._ask, self._say = ask, say
        self._path: Words = ()
        """The group of moves that is open."""
        self._page = 0
        self._written = self._resumed = self._behind = False
        self._laid: object = None
        """The state of the table that was shown last."""

    def go_on(self, steps: Sequence[Step], comments: Sequence[tuple[int, str]]) -> None:
        """Begin where a record ends. Raises PlayError when its cards cannot be dealt again."""
        self._sitting.take_in(steps, comments)
        self._resumed = True

    def run(self) -> int:
        """Play. Returns 0; 130 when it was ended by Ctrl-C, 2 when the record could not be written at last."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - input() then knows arrow keys and what was typed before

        match = self._sitting.match
        self._say(
            f"{match.game.name}: {', '.join(match.names)}; {match.names[match.first]} begins. "
            f"? shows what can be typed{record.HOUSE if match.house else ''}."
        )
        doubtful = len(match.catalogue.unverified)
        if doubtful:
            self._say(
                f"{doubtful} numbers are not verified for your edition: thoth catalog {match.game.id} shows which."
            )
        if self._resumed:
            self._say(f"{counted(len(match.moves), 'move')} so far; undo takes them back.")
        code = 0
        try:
            self._facts()
            while self._turn():
                pass
        except EOFError:
            self._say("")
        except KeyboardInterrupt:
            self._say("")
            code = 130
        self._end()
        return 2 if self._behind else code

    # One line after the other

    def _turn(self) -> bool:
        """Show what can be done and do what is typed; False when that is to end."""
        options = self._options()
        line = harmless(self._ask("> ").strip())
        match line.lower():
            case "":
                self._leaf(len(options))
            case "quit" | "q" | "exit":
                return False
            case "?" | "help" | "h":
                self._help()
            case "table":
                self._show_table()
            case "hints":
                self._hints()
            case "score":
                self._score()
            case "undo":
                self._undo()
            case asked if asked.split()[0] in ("rule", "rules"):
                self._rules(asked.split()[1:])
            case number if number.isascii() and number.isdigit():
                at = int(number[:9]) - 1
                if 0 <= at < len(options):
                    self._choose(options[at][1])
                else:
                    self._say(f"There is no line {number[:9]} in the list.")
            case _:
                self._typed(line)
        return True

    def _told(self) -> list[tuple[Words, Step]]:
        """Everything that can be done, word by word."""
        sitting = self._sitting
        to_move = sitting.rules.to_move(sitting.state)
        told = []
        for step in sitting.choices():
            line = sitting.rules.format(step, sitting.names)
            if isinstance(step, Move) and step.player != to_move:
                line = f"{record.quoted(sitting.names[step.player])}: {line}"
            told.append((tuple(words(line)), step))
        return told

    def _options(self) -> list[tuple[str, Words | Step]]:
        """The list on display, after it was shown: what each line says, and the step or the group of steps it stands for."""
        sitting = self._sitting
        told = self._told()
        inside = [one for one in told if one[0][: len(self._path)] == self._path]
        if not inside:
            self._path, self._page, inside = (), 0, told
        options: list[tuple[str, Words | Step]]
        if len(inside) <= SHORT:
            options = [(" ".join(said), step) for said, step in inside]
        else:
            labels, values = below(told, self._path)
            head = " ".join(self._path)
            lines = {step: " ".join(said) for said, step in inside}
            options = [
                (f"{head} {label}".strip() if isinstance(value, tuple) else lines[value], value)
                for label, value in zip(labels, values, strict=True)
            ]
        self._say("")
        if self._dealt and self._laid is not sitting.state:
            self._show_table()  # there is no other table to look at
            self._laid = sitting.state
        self._say(self._status())
        first = self._page * PAGE
        for number, (label, value) in enumerate(options[first : first + PAGE], first + 1):
            more = ""
            if isinstance(value, tuple):
                count = sum(said[: len(value)] == value for said, _ in told)
                more = f" ... ({count} ways)"
            self._say(f"{number:4d}  {label}{more}")
        if first + PAGE < len(options):
            self._say(f"      ... {len(options) - first - PAGE} more: press Enter")
        elif self._path:
            self._say("      Enter: back")
        if told and not sitting.complete and not self._path:
            self._say("      ... and others like these: type them")
        return options

    def _show_table(self) -> None:
        for line in self._sitting.table():
            self._say(f"  | {line}")

    def _status(self) -> str:
        """The line above a list: the score, who is to move, what is due, and the hand where it was dealt."""
        sitting = self._sitting
        totals = ", ".join(f"{name} {total}" for name, total in sitting.score.items())
        if sitting.outcome is not None:
            return f"{totals}. The game is over: {self._result()}\nundo takes the last line back, quit ends."
        if sitting.rules.awaited(sitting.state):
            return f"{totals}. What does the table show?"
        due = f"{sitting.to_move}: {sitting.rules.due(sitting.state)}"
        hand = sitting.hand()
        return f"{totals}. {due}" + (f"\n{sitting.to_move}'s hand: {hand}" if hand else "")

    def _leaf(self, length: int) -> None:
        """The next page; after the last, out of the group."""
        self._page += 1
        if self._page * PAGE >= length:
            self._page = 0
            self._path = ()

    def _choose(self, chosen: Words | Step) -> None:
        if isinstance(chosen, tuple):
            self._path, self._page = chosen, 0
        elif isinstance(chosen, Reveal) and "," in self._sitting.words(chosen):
            # Of facts with too many forms to list one stands for all: nobody means just this one.
            self._say(f"That is an example: type what your table shows, like {self._sitting.words(chosen)}")
        else:
            self._make(chosen)

    def _typed(self, line: str) -> None:
        told = self._told()
        said = tuple(line.split())
        group = tuple(word.lower() for word in said)
        for path in dict.fromkeys(one[: len(said)] for one, _ in told if len(one) > len(said)):
            if tuple(word.lower() for word in path) == group:
                self._path, self._page = path, 0
                return
        try:
            step = self._meant(line, told)
        except Unreadable as error:
            self._say(f"{harmless(str(error))} {harmless(error.remedy)}")
        else:
            self._make(step)

    def _meant(self, line: str, told: list[tuple[Words, Step]]) -> Step:
        """The step a line says; else the one choice it can only mean, or the line as a record would write it. Raises Unreadable."""
        read = self._sitting.read
        try:
            return read(line, bare=True)[0]
        except Unreadable as error:
            common = _common([words for words, _ in told])
            stems = ("", *(" ".join(common[:count]) + " " for count in range(len(common), 0, -1)))
            for stem in stems:  # what all choices begin with need not be typed
                meant = [step for words, step in told if gist(" ".join(words)) == gist(stem + line)]
                if len(meant) == 1:
                    return meant[0]
                for other in rewritten(stem + line, self._sitting.names):
                    with contextlib.suppress(Unreadable):
                        return read(other, bare=True)[0]
            raise error

    def _make(self, step: Step) -> None:
        """Do a step, after asking where it should be asked about."""
        sitting = self._sitting
        if isinstance(step, Move):
            doubt = sitting.doubt(step)
            if doubt is not None:
                self._say(f"{doubt.text} {doubt.remedy}")
                if not self._ask("Is it so? (y/n) ").strip().lower().startswith("y"):
                    self._say("Then it is not written.")
                    return
        before = self._items()
        answer = sitting.make(step)
        if answer.verdict != "accepted":
            rule = f" ({answer.rule})" if answer.rule else ""
            self._say(f"Not allowed{rule}: {answer.text}\n{answer.remedy}")
            return
        self._path, self._page = (), 0
        if isinstance(step, Move):
            verb, what = sitting.rules.phrase(step, sitting.names)
            phrase = f"{sitting.names[step.player]}: {verb} {what}".rstrip()
            cut = "." in what  # to what the display holds
            self._say(f"{sitting.words(step) if cut else phrase}.")
            self._gained(before)
            self._facts()
        else:
            self._say(f"Noted: {sitting.words(step)}.")
            self._explain(step)
        self._write()

    def _items(self) -> tuple[tuple[Item, ...], ...]:
        items: tuple[tuple[Item, ...], ...] = self._sitting.rules.score(self._sitting.state).items
        return items

    def _gained(self, before: tuple[tuple[Item, ...], ...]) -> None:
        """Whose points changed by the last move, and what for."""
        for name, old, now in zip(self._sitting.names, before, self._items(), strict=True):
            change = sum(item.points for item in now) - sum(item.points for item in old)
            new = [item for item in now if item not in old] or list(now[len(old) :])
            if change:
                what = ", ".join(item.text for item in new)
                self._say(f"{name} {change:+d}{': ' + what if what else ''}.")

    # What can be asked for

    def _facts(self) -> None:
        """What the hidden world has just shown."""
        shown = self._sitting.shown if self._dealt else ()
        if shown:
            self._say("The table shows: " + "; ".join(map(self._sitting.words, shown)))
            for fact in shown:
                self._explain(fact)

    def _explain(self, fact: Reveal) -> None:
        """What stands on a card that was shown."""
        if says := self._sitting.says(fact):
            self._say(f"  {says}.")

    def _help(self) -> None:
        sitting = self._sitting
        moves = [step for step in sitting.choices() if isinstance(step, Move)]
        example = sitting.rules.format(moves[0], sitting.names) if moves else "as docs/record.md lists them"
        reveals = (
            "comes by itself"
            if self._dealt
            else "is typed too, in a line that begins with reveal, or with correct when an earlier one was wrong"
        )
        self._say(_HELP.format(example=example, reveals=reveals))
        match = sitting.match
        if match.game.options:
            self._say("Options of this game (start with --option name=value):")
        for option in match.game.options:
            others = ", ".join(value for value in option.values if value != match.options[option.name])
            self._say(f"  {option.name}={match.options[option.name]} (or {others}): {option.text}")

    def _hints(self) -> None:
        hints = self._sitting.rules.hints(self._sitting.state)
        for hint in hints:
            self._say(f"  {hint.text}")
        if not hints:
            self._say("There is nothing to point at.")

    def _rules(self, asked: list[str]) -> None:
        """The rules whose number or words were typed."""
        match = self._sitting.match
        rules = rulebook(match.game.id).rules
        wanted = " ".join(asked)
        found = [rule for rule in rules.values() if rule.id.lower() == wanted] or [
            rule for rule in rules.values() if wanted and wanted in f"{rule.section} {rule.text}".lower()
        ]
        for rule in found:
            kind = {"book": f"the rulebook, {rule.section}", "ruling": "a ruling", "house": "a house rule"}
            switch = f"; the option {rule.option} switches it" if rule.option else ""
            self._say(f"{rule.id} ({kind[rule.kind]}{switch}): {rule.text}")
        if not found:
            example = next(iter(rules))
            self._say(f"Write the number of a rule, like rule {example}, or a word of it, like rule score.")

    def _score(self) -> None:
        match = self._sitting.match
        for name, items in zip(match.names, match.score().items, strict=True):
            self._say(f"{name}: {sum(item.points for item in items)}")
            for item in items:
                self._say(f"    {item.text}: {item.points}")
        if match.house:
            self._say("House numbers are in force.")

    def _undo(self) -> None:
        step = self._sitting.undo()
        self._path, self._page = (), 0
        if step is None:
            self._say("There is nothing to take back.")
            return
        self._say(f"Taken back: {self._sitting.words(step)}")
        self._write()

    # The end

    def _result(self) -> str:
        outcome = self._sitting.outcome
        assert outcome is not None
        winners = " and ".join(self._sitting.names[seat] for seat in outcome.winners) or "nobody"
        return f"{winners} {'wins' if len(outcome.winners) < 2 else 'win'}, {outcome.decided_by}."

    def _write(self) -> None:
        """The record so far is on the disk after every line, so that nothing that happens to the terminal loses it.

        A full disk ends no game: it is said, and tried again after the next line.
        """
        try:
            if self._new:
                self._out, self._new = _free(self._out), False
            records.put(self._out, record.write(self._sitting.match, tuple(self._sitting.comments)))
        except OSError as error:
            self._behind = True
            self._say(
                f"The record cannot be written ({error.filename or self._out}: {error.strerror or error}). "
                "Free some space or mend its folder: it is tried again after the next line."
            )
        else:
            self._written, self._behind = True, False

    def _end(self) -> None:
        if self._behind:
            self._write()
        if self._sitting.played:
            self._score()
            if self._sitting.outcome is not None:
                self._say(self._result())
        if self._written:
            self._say(f"The record is in {self._out}; check it with: thoth replay {self._out}")
            if self._sitting.outcome is None:
                self._say(f"Go on another day with: thoth play {self._out}")
        sys.stdout.flush()


def _common(told: Sequence[Words]) -> Words:
    """The one or two words with which all lines begin, each of which goes on after them."""
    first = told[0] if told else ()
    count = min((2, *(len(words) - 1 for words in told))) if told else 0
    while count and any(words[:count] != first[:count] for words in told):
        count -= 1
    return first[:count]


def _free(path: Path) -> Path:
    """The path, or one like it that no file had yet; now an empty one does, so that two games that begin at the same time share
    none. Raises OSError."""
    number = 2
    free = path
    while True:
        try:
            free.open("x").close()
        except FileExistsError:
            free = path.with_stem(f"{path.stem}-{number}")
            number += 1
        else:
            return free
