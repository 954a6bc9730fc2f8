"""Read and verify what was written by hand beside the marked chapters.

The cast, the facts and the reference descriptions make claims about the text; here each claim that can be
checked against the text is checked, so that a mistake in the gold stops the build.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

KINDS = frozenset({"person", "group", "animal"})
CATEGORIES = frozenset({"role", "relationship", "personality", "event", "mental_state", "other"})
_FACT_FIELDS = 6

Chapters = Sequence[tuple[int, str]]
"""Each chapter's start in the whole text, and its text."""


class HandmadeError(ValueError):
    """Something written by hand does not agree with the text, or with the rest of the gold."""


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise HandmadeError(complaint)


def _chapter(chapters: Chapters, number: int, what: str) -> tuple[int, str]:
    _require(1 <= number <= len(chapters), f"{what}: there is no chapter {number}")
    return chapters[number - 1]


def _check_character(entry: dict[str, Any], known: set[str], chapters: Chapters) -> None:
    name = f"character {entry['id']}"
    _require(entry["kind"] in KINDS, f"{name}: kind {entry['kind']!r}")
    _require(bool(entry["role"]) and bool(entry["pronouns"]), f"{name}: role or pronouns missing")
    _require(bool(entry["name"]) and bool(entry["aliases"]), f"{name}: no name or no alias")
    for alias in entry["aliases"]:
        text = _chapter(chapters, alias["first_chapter"], name)[1]
        _require(alias["text"].lower() in text.lower(), f"{name}: {alias} is not in that chapter")
    for relation in entry["relations"]:
        _chapter(chapters, relation["chapter"], name)
        _require(relation["to"] in known, f"{name}: relation to unknown {relation['to']!r}")
    if (revealed := entry["revealed_as"]) is not None:
        _chapter(chapters, revealed["chapter"], name)
        _require(revealed["character"] in known, f"{name}: revealed as unknown {revealed['character']!r}")


def _alias(line: dict[str, Any]) -> dict[str, Any]:
    return {"text": line["text"], "first_chapter": line["first"], "spoiler": line.get("spoiler", False)}


def characters(path: Path, chapters: Chapters) -> list[dict[str, Any]]:
    """Return the cast, after checking that every alias occurs in the chapter it is said to appear in."""
    source = tomllib.loads(path.read_text(encoding="utf-8"))["character"]
    known = {entry["id"] for entry in source}
    _require(len(known) == len(source), "two characters share an id")
    cast = []
    for entry in source:
        made = {
            **{key: entry[key] for key in ("id", "name", "kind", "pronouns", "role")},
            "aliases": [_alias(line) for line in entry["aliases"]],
            "relations": entry.get("relations", []),
            "revealed_as": entry.get("revealed_as"),
        }
        _check_character(made, known, chapters)
        cast.append(made)
    return cast


def _fact(line: str, chapters: Chapters, known: set[str]) -> dict[str, Any]:
    fields = [field.strip() for field in line.split("|")]
    _require(len(fields) == _FACT_FIELDS, f"not six fields: {line[:60]!r}")
    identifier, number, character, category, text, quote = fields
    _require(character in known, f"fact {identifier}: unknown character {character!r}")
    _require(category in CATEGORIES, f"fact {identifier}: unknown category {category!r}")
    start, chapter = _chapter(chapters, int(number), f"fact {identifier}")
    found = chapter.count(quote)
    _require(found == 1, f"fact {identifier}: evidence found {found} times in chapter {number}: {quote!r}")
    at = start + chapter.index(quote)
    return {
        "id": identifier,
        "character": character,
        "text": text,
        "category": category,
        "chapter": int(number),
        "evidence": {"quote": quote, "start": at, "end": at + len(quote)},
    }


def _lines(text: str) -> Iterable[str]:
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))


def facts(path: Path, chapters: Chapters, known: set[str]) -> list[dict[str, Any]]:
    """Return the facts with offsets; the evidence of each must occur exactly once in its chapter."""
    made = [_fact(line, chapters, known) for line in _lines(path.read_text(encoding="utf-8"))]
    _require(len({fact["id"] for fact in made}) == len(made), "two facts share an id")
    return made


def references(path: Path, known: set[str]) -> list[dict[str, Any]]:
    """Return the reference descriptions and analyses, their line breaks folded into spaces."""
    made = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["reference"]:
        _require(entry["character"] in known, f"reference for unknown {entry['character']!r}")
        _require(len(entry["descriptions"]) == 2, f"{entry['character']}: two descriptions are wanted")
        paragraphs = [" ".join(part.split()) for part in entry["analysis"].strip().split("\n\n")]
        made.append(
            {
                "character": entry["character"],
                "descriptions": [" ".join(description.split()) for description in entry["descriptions"]],
                "analysis": "\n\n".join(paragraphs),
            }
        )
    return made
