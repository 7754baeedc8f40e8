"""A game's rules as data: every statement numbered, in our own words, with the texts of the refusals that cite it.

``engines/<game>/rules.toml`` holds tables ``[[rule]]`` with ``id``, ``section``, ``kind`` (book, ruling or house) and ``text``;
a rule that an option switches names it as ``option`` ("floor_supports=yes"). Its refusals stand beside it:
``[rule.refusals.NAME]`` with ``text`` and ``remedy`` (each at most two lines of 21 characters once the words are filled in) and ``long``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from engines.game import Refusal

KINDS = ("book", "ruling", "house")
PLAIN, PLAIN_REMEDY = "Against the rules", "See the rule"
"""How a rule is cited that has no words of its own for a refusal; its text says the rest."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A refusal's texts with {words} to be filled in."""

    text: str
    long: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered statement."""

    id: str
    section: str
    kind: str
    text: str
    option: str = ""
    """How to switch it, as name=value; empty when it cannot be."""
    refusals: Mapping[str, Wording] = field(default_factory=dict, hash=False)


class Rulebook:
    """The rules of one game, by their number."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = {rule.id: rule for rule in rules}
        if len(self.rules) != len(rules):
            seen = [rule.id for rule in rules]
            raise ValueError(f"rule {next(id for id in seen if seen.count(id) > 1)} stands twice")

    def refuse(self, rule: str, wording: str, words: Mapping[str, str]) -> Refusal:
        """The refusal with its words filled in. A ruling or house rule says so, and how to switch it.

        An empty ``wording`` cites a rule that has no words of its own for a refusal.
        """
        cited = self.rules[rule]
        texts = cited.refusals[wording] if wording else Wording(PLAIN, _plain(cited.text), PLAIN_REMEDY)
        long = texts.long.format_map(words)
        if cited.kind != "book":
            rests = "a ruling where the rulebook is silent" if cited.kind == "ruling" else "a house rule"
            switch = f"; the option {cited.option} switches it" if cited.option else ""
            long = f"{long} This rests on {rests}{switch}."
        return Refusal(rule, texts.text.format_map(words), long, texts.remedy.format_map(words), cited.kind)


def _plain(text: str) -> str:
    """The text as it stands, whatever brackets are in it."""
    return text.replace("{", "{{").replace("}", "}}")


@cache
def rulebook(game: str) -> Rulebook:
    """The rulebook of ``engines/<game>/rules.toml``. Raises ValueError when a rule is told twice or is no known kind."""
    import tomllib  # slow to import, and only needed when a rule is cited
    from importlib.resources import files

    with (files("engines") / game / "rules.toml").open("rb") as file:
        data = tomllib.load(file)
    rules = tuple(
        Rule(
            id=entry["id"],
            section=entry["section"],
            kind=entry["kind"],
            text=entry["text"],
            option=entry.get("option", ""),
            refusals={name: Wording(**texts) for name, texts in entry.get("refusals", {}).items()},
        )
        for entry in data["rule"]
    )
    for rule in rules:
        if rule.kind not in KINDS:
            raise ValueError(f"rule {rule.id}: kind is '{rule.kind}', write one of {', '.join(KINDS)}")
    return Rulebook(rules)
