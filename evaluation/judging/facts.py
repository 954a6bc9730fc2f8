"""The facts of `facts.csv`, or of another table of its form, and the books that they are about."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from evaluation.judging.types import AnswerSentence, Falsehood, JudgingHalf, KnownFact
from evaluation.reading.gold import bare_name, table_rows
from generation.types import Category

_COLUMNS = ("book", "half", "character", "fact", "category", "truth", "kind", "words")
_NUMBER = re.compile(r"^\d+_")
_QUOTES = re.compile(r"[“”\"_]")
_SPACE = re.compile(r"\s+")


def known_facts(path: Path | None = None) -> list[KnownFact]:
    """Return the project's own facts unless a path is given.

    Raises ValueError for a table of another form.
    """
    source = path or files("evaluation.judging").joinpath("facts.csv")
    rows = table_rows(source.read_text(encoding="utf-8-sig"), _COLUMNS)
    return [_known(row, number) for number, row in enumerate(rows, start=1)]


def _known(row: Mapping[str, str | None], number: int) -> KnownFact:
    try:
        true = {"true": True, "false": False}[row["truth"] or ""]
        kind = row["kind"] or ""
        if true == bool(kind):
            raise ValueError("a false fact has a kind, and a true one has none")
        return KnownFact(
            book=row["book"] or "",
            half=JudgingHalf(row["half"] or ""),
            character=row["character"] or "",
            fact=row["fact"] or "",
            category=Category(row["category"] or ""),
            falsehood=Falsehood(kind) if kind else None,
            words=row["words"] or "",
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"row {number}: {error!r}") from error


def answer_sentences() -> list[AnswerSentence]:
    """Return the sentences of `sentences.csv`."""
    source = files("evaluation.judging").joinpath("sentences.csv").read_text(encoding="utf-8")
    return [
        AnswerSentence(row["character"], row["truth"] == "true", row["sentence"], row["words"])
        for row in csv.DictReader(source.splitlines())
    ]


def file_of(book: str, paths: Sequence[Path]) -> Path | None:
    """Find a novel by name: `emma` is `158_emma.txt.gz`, and no other book with an Emma in its title."""
    named = {path: _NUMBER.sub("", bare_name(path.name)) for path in sorted(paths)}
    exact = (path for path, name in named.items() if name == book)
    return next(exact, next((path for path, name in named.items() if name.startswith(f"{book}_")), None))


def missing(facts: Sequence[KnownFact], book: str, text: str) -> Iterator[KnownFact]:
    """Yield facts whose words are not in the book: its edition differs, or they were never checked."""
    plain = _plain(text)
    yield from (fact for fact in facts if fact.book == book and _plain(fact.words) not in plain)


def _plain(text: str) -> str:
    dashes = text.replace("’", "'").replace("‘", "'").replace("—", "-").replace("--", "-")
    return _SPACE.sub(" ", _QUOTES.sub("", dashes)).casefold().strip(" .")
