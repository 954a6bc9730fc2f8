"""Chinese chapters in parts of which each place where a person is meant and each speaker is marked by hand.

`[lin 林秋月]` is a mention of the person `lin`, and `{lin>zhou “……”}` a speech of hers to `zhou`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from books.types import Span

_MARK: Final = re.compile(r"\{(?P<speaker>\w+|\?)>(?P<to>\w+|\?) |(?P<said>\})|\[(?P<who>\w+) |(?P<named>\])")
UNKNOWN: Final = "?"
UNMARKED: Final = "~"
"""Opens a paragraph that is not marked. It is read too, and nothing in it counts."""
FOLDER: Final = Path(__file__).parents[1] / "corpus" / "chinese"
SECOND: Final = FOLDER / "second"
"""The marks of second annotators, who did not see the first."""
TEST: Final = frozenset(("sanguo21", "sanguo38", "sanguo75", "honglou03", "guxiang"))
"""The passages on which nothing is tuned."""


@dataclass(frozen=True, slots=True)
class ChapterPerson:
    name: str
    aliases: tuple[str, ...] = ()
    gender: str | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class GoldChapter:
    name: str
    text: str
    mentions: Mapping[Span, str]
    quotes: Mapping[Span, tuple[str, str]]
    cast: Mapping[str, ChapterPerson]
    marked: tuple[Span, ...]
    """The paragraphs that are marked."""

    def has(self, span: Span) -> bool:
        return any(paragraph.covers(span) for paragraph in self.marked)

    @property
    def split(self) -> str:
        return "test" if self.name in TEST else "dev"


def read_marked(
    marked: str,
) -> tuple[str, dict[Span, str], dict[Span, tuple[str, str]]]:
    """Return the text without its marks, its mentions, and its speeches with speaker and addressee."""
    text, at = "", 0
    open_names: list[tuple[str, int]] = []
    saying = ("", "", 0)
    mentions: dict[Span, str] = {}
    quotes: dict[Span, tuple[str, str]] = {}
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        at = mark.end()
        if mark["speaker"]:
            saying = (mark["speaker"], mark["to"], len(text))
        elif mark["said"]:
            quotes[Span(saying[2], len(text))] = saying[:2]
        elif mark["who"]:
            open_names.append((mark["who"], len(text)))
        else:
            who, start = open_names.pop()
            mentions[Span(start, len(text))] = who
    return text + marked[at:], mentions, quotes


def chapters(folder: Path = FOLDER) -> Iterator[GoldChapter]:
    """Yield the chapters of a folder, each a marked text beside its cast."""
    for path in sorted(folder.glob("*.txt")):
        rows = [row for row in path.read_text("utf-8").split("\n") if row.strip()]
        text, mentions, quotes = read_marked("\n\n".join(row.removeprefix(UNMARKED) for row in rows))
        told = json.loads(path.with_suffix(".cast.json").read_text("utf-8"))
        cast = {
            person: ChapterPerson(
                each["name"], tuple(each.get("aliases", ())), each.get("gender"), bool(each.get("main"))
            )
            for person, each in told.items()
        }
        yield GoldChapter(path.stem, text, mentions, quotes, cast, tuple(_marked(text, rows)))


def _marked(text: str, rows: Sequence[str]) -> Iterator[Span]:
    start = 0
    for row, paragraph in zip(rows, text.split("\n\n"), strict=True):
        if not row.startswith(UNMARKED):
            yield Span(start, start + len(paragraph))
        start += len(paragraph) + len("\n\n")
