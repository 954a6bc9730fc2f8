"""Who is meant by names, and by "I", in places of novels of the corpus: what readers said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from pydantic import TypeAdapter

from books.types import Span

GROUP = "group"
"""Who is meant by `the Hales`. None means no person of the story."""


@dataclass(frozen=True, slots=True)
class CastPlace:
    """A place where somebody is named, or says "I"."""

    before: str
    """What stands before the words. With it and what stands after them, the novel has them only once."""
    words: str
    after: str
    who: str | None
    """The person's key, `group`, or None for no person of the story."""

    @property
    def quote(self) -> str:
        return f"{self.before}{self.words}{self.after}"

    def find(self, text: str) -> Span | None:
        """Return the span of the words. Any white space matches any other."""
        parts = (r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in self._parts())
        found = re.search("({})({})({})".format(*parts), text)
        return None if found is None else Span(*found.span(2))

    def _parts(self) -> tuple[str, str, str]:
        return self.before, self.words, self.after


@dataclass(frozen=True, slots=True)
class NovelCast:
    novel: str
    people: Mapping[str, str]
    """The name of each person by their key."""
    places: tuple[CastPlace, ...]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The people whom the novel calls by each name: none if it is no person's. Empty if no reader said."""


_CAST: TypeAdapter[NovelCast] = TypeAdapter(NovelCast)


def casts() -> Iterator[NovelCast]:
    """Yield the casts in the order of their file names."""
    folder = files("evaluation.corpus").joinpath("casts")
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".json"):
            yield _CAST.validate_json(file.read_text("utf-8"))
