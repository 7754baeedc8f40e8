"""Every text a player can read, one table per language (``en.toml`` beside this file)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files


class MissingTextError(KeyError):
    """A text that the language's table does not hold; names the key and the file to write it into."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language: ``texts("turn.full")``; values are put in by name."""

    language: str
    table: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text for ``key`` ("section.name"). Raises MissingTextError."""
        if key not in self.table:
            raise MissingTextError(f"{key} is not in firmware/texts/{self.language}.toml: add it there")
        return self.table[key].format(**values)

    def get(self, key: str, default: str) -> str:
        return self.table.get(key, default)


def load(language: str = "en") -> Texts:
    """The texts of a language. Raises FileNotFoundError when there is no table for it."""
    raw = tomllib.loads(files("firmware.texts").joinpath(f"{language}.toml").read_text("utf-8"))
    return Texts(
        language, {f"{section}.{name}": text for section, part in raw.items() for name, text in part.items()}
    )
