"""How a person reads the display: does it say what I did, where in the list is my move, what does it want tidied?"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engines.game import Move
from hardware.display.screen import Screen
from hardware.simulated.diary import Made
from hardware.simulated.places import Body

Phrase = Callable[[Move], tuple[str, str]]


def words(one: Made) -> str:
    """The move as a list shows it: "takes Falcon 7"."""
    return f"{one.verb} {one.object}".strip()


def says(screen: Screen, one: Made) -> bool:
    """Whether a proposal names this move of this person. A long name may have lost its end."""
    if screen.name != "proposal" or screen.main != (one.object or one.verb):
        return False
    name, verb, _ = screen.title.rpartition(one.verb)
    name = name.strip().rstrip(".")
    return bool(verb and name) and one.name.startswith(name)


SHORTER = {"excavates": "removes"}
"""What a display says in few letters, and people understand."""


FOLLOWS = ("DOWN: what follows", "Confirm first, please")
"""Lines that say nothing of the move that is proposed."""


def told(screen: Screen) -> tuple[object, ...]:
    """All that a proposal says of its move: another one may have the same big letters."""
    return screen.name, screen.title, screen.main, tuple(line for line in screen.lines if line not in FOLLOWS)


def idles(screen: Screen) -> bool:
    """Whether the display says what CONFIRM means while nothing has changed."""
    return screen.name == "turn" and screen.footer.startswith("CONFIRM: ")


def looking(screen: Screen) -> bool:
    """Whether the device asks to wait while it looks once more."""
    return screen.name == "turn" and screen.footer == "One moment"


def answer(screen: Screen, one: Made) -> str | None:
    """The line of a question that says what this person did, or None: "takes Falcon 7", "Ben takes Falcon 7", "B Falcon 7".

    A line that leaves the verb out counts when no other line has it.
    """
    seat = one.move.player
    mine = {one.name, one.name[:1], str(seat + 1)}
    verbs = (one.verb, SHORTER.get(one.verb, one.verb))
    without: str | None = None
    for line in screen.choices:
        if not one.object:
            head, verb = line.removesuffix(one.verb), one.verb if line.endswith(one.verb) else ""
        elif line.endswith(one.object):
            head, verb = line.removesuffix(one.object).strip(), ""
            for word in verbs:
                if head == word or head.endswith(f" {word}"):
                    head, verb = head.removesuffix(word), word
        else:
            continue
        if head.strip() not in {"", *mine} or (not verb and not one.object):
            continue
        if verb:
            return line
        without = without or line
    return without


def step_in_list(screen: Screen, wanted: str) -> str | None:
    """UP or DOWN towards the line ``wanted``, "" when it is chosen, None when it is not in the list."""
    if wanted not in screen.choices:
        return None
    count = len(screen.choices)
    ahead = (screen.choices.index(wanted) - screen.chosen) % count
    if ahead == 0:
        return ""
    return "down" if ahead <= count / 2 else "up"


def asked_line(screen: Screen, one: Made) -> str | None:
    """The line of "what happened?" that means this move; names and verbs may be shortened where room is short."""
    verbs = (one.verb, SHORTER.get(one.verb, one.verb), "")
    names = ("", one.name, one.name[:1], str(one.move.player + 1))
    who, _, what = screen.title.partition(" ")
    # A line without a name is about whom the title names ("Ben did what?").
    able = names if what != "did what?" or one.name.startswith(who.rstrip(".")) else names[1:]
    told = [" ".join(f"{name} {verb} {one.object}".split()) for verb in verbs for name in able]
    return next((line for line in told if line in screen.choices), None)


def menu_line(screen: Screen, rest: str) -> str | None:
    """The line of a menu that leads to the move whose words from here on are ``rest``; the longest one that fits."""
    fitting = [line for line in screen.choices if rest == line or rest.startswith(f"{line} ")]
    return max(fitting, key=len, default=None)


def rule_named(screen: Screen) -> str | None:
    """The number of the rule on a refusal: the last word of its title."""
    if screen.name != "illegal" or not screen.title.split():
        return None
    return screen.title.split()[-1]


def meant(screen: Screen, bodies: Iterable[Body]) -> Body | None:
    """The piece that a text on the display names ("Falcon 7", "red: 2 Expert"), if it lies on the table."""
    text = " ".join((screen.title, screen.main, *screen.lines)).lower()
    told = text.split()
    for body in bodies:
        parts = body.identity.split("-")
        if " ".join(parts) in text:
            return body
        if body.kind.parts == ("face",) and all(
            any(word.strip(":") == part for word in told) for part in parts
        ):
            return body
    return None


def seen(screen: Screen | None) -> str:
    """The screen in a line, for the diary."""
    if screen is None:
        return "nothing"
    text = " / ".join(part for part in (screen.title, screen.main, *screen.lines) if part)
    return f"{screen.name}: {text}" + (f" [{', '.join(screen.choices)}]" if screen.choices else "")
