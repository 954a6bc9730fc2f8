"""A novel in the form of PDNC, whose quotes and mentions are given by their words."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from books.types import Span
from coref.types import Alias, Character, CharacterKind
from evaluation.coref import pdnc

COLUMNS = (
    *("subQuotationList", "quoteByteSpans", "speaker", "addressees", "quoteType"),
    *("mentionSpansList", "mentionEntitiesList"),
)


class Said(NamedTuple):
    parts: tuple[str, ...]
    speaker: str
    mentions: Sequence[Sequence[tuple[str, str]]]
    """For each part the words that mean somebody, and whom."""
    kind: str = "Explicit"
    heard: Sequence[str] = ()


def at(text: str, words: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Span(start, start + len(words))


def person(name: str) -> Character:
    return Character(name, name, (Alias(name, 1, 0),), CharacterKind.PERSON, None, 1, 0)


def write_novel(
    folder: Path, text: str, cast: Iterable[tuple[str, set[str], str]], quotes: Iterable[Said]
) -> Path:
    """`cast` has the name, the aliases and the category of each character."""
    folder.mkdir(parents=True)
    (folder / pdnc.TEXT).write_text(text, "utf-8")
    with (folder / pdnc.CAST).open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["Main Name", "Aliases", "Category"])
        sheet.writerows([name, repr(aliases), kind] for name, aliases, kind in cast)
    with (folder / pdnc.QUOTES).open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for parts, speaker, mentions, kind, heard in quotes:
            spans = [at(text, part) for part in parts]
            places = [
                [[span.start + part.index(w), span.start + part.index(w) + len(w)] for w, _ in inside]
                for span, part, inside in zip(spans, parts, mentions, strict=True)
            ]
            meant = [[[who] for _, who in inside] for inside in mentions]
            pairs = [[span.start, span.end] for span in spans]
            sheet.writerow([list(parts), pairs, speaker, list(heard), kind, places, meant])
    return folder
