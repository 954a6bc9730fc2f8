"""The report on summaries: every system and every measure in one table, beside the published figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from evaluation.booksum.published import TABLE_2
from evaluation.booksum.types import SummaryLevel
from evaluation.booookscore.published import published
from evaluation.metrics.statistics import interval
from evaluation.summaries.measuring import ChapterScore
from evaluation.summaries.recaps import RecapScore

CHAPTER_COLUMNS: Final = {
    "main": "Main event",
    "also": "Other events",
    "words_of_event": "Words of it",
    "main_judged": "Judged main",
    "good_judged": "Judged good",
    "words": "Words",
}
RECAP_COLUMNS: Final = {
    "words_told": "Words of the recap",
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "bertscore": "BERTScore",
    "questions": "Questions",
    "booookscore": "BooookScore",
    "coverage": "Coverage",
    "density": "Density",
    "compression": "Compression",
    "novel_trigrams": "New 3-grams",
    "repeated_trigrams": "Repeated 3-grams",
    "words": "Words",
    "tokens": "Tokens",
    "seconds": "Seconds",
}
_NUMBERS: Final = {
    "words": ",.0f",
    "tokens": ",.0f",
    "seconds": ".1f",
    "density": ".2f",
    "compression": ".1f",
}
"""How figures that are no shares are written."""
NOTE: Final = (
    "Shares in percent, with 95% intervals over novels. Main event: the sentence that the corpus quotes for "
    "it is chosen; words of it: its words, as the corpus tells it, that occur. Judged: of the chosen "
    "sentences that readers judged, those that are clear and tell a main event, or any. Recaps: share of the "
    "words of the corpus' recap that occur, F1 of ROUGE and BERTScore beside it; questions: F1 of names that "
    "sentences of the text leave out, answered from the recap. BooookScore: sentences that do not confuse "
    "the judge. Coverage, density, compression and 3-grams are beside the text that had been read."
)
_PUBLISHED: Final = (
    "Other books, other references and longer summaries: they show the order of magnitude, not who is "
    "better. BooookScore's lengths are in tokens."
)
Chapters = Mapping[str, Sequence[ChapterScore]]
Recaps = Mapping[str, Sequence[RecapScore]]


def figure(scores: Sequence[ChapterScore | RecapScore], column: str) -> str:
    measured = interval([_value(each, column) for each in scores], books=[each.novel for each in scores])
    if measured is None:
        return "–"
    if column in _NUMBERS:
        return f"{measured.mean:{_NUMBERS[column]}}"
    return measured.percents()


def _value(score: ChapterScore | RecapScore, column: str) -> float | None:
    if isinstance(score, RecapScore):
        return score.figures.get(column)
    value: float | None = getattr(score, column)
    return value


def write_report(folder: Path, chapters: Chapters, recaps: Recaps, *, document: object) -> Path:
    """Write the report, the same figures as JSON, and every recap; return where the report is."""
    for system, scores in recaps.items():
        here = folder / re.sub(r"\W+", "-", system)
        here.mkdir(parents=True, exist_ok=True)
        for each in scores:
            told = here / f"{each.novel}-{each.upto}.txt"
            told.write_text(each.text if each.why is None else f"[{each.why}]", "utf-8")
    report = folder / "report.md"
    (folder / "report.json").write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8")
    report.write_text("\n".join(_lines(chapters, recaps)) + "\n", "utf-8")
    return report


def _lines(chapters: Chapters, recaps: Recaps) -> Iterator[str]:
    yield "# Summaries, measured"
    for title, found, columns in (
        ("Recaps", recaps, RECAP_COLUMNS),
        ("Chapters", chapters, CHAPTER_COLUMNS),
    ):
        rows = [
            [name, *(figure(scores, column) for column in columns)]
            for name, scores in found.items()
            if scores
        ]
        yield from _table(title, ["System", *columns.values()], rows)
    yield NOTE
    missing = [
        f"- {name}, {each.novel} to chapter {each.upto}: {each.why}"
        for name, scores in recaps.items()
        for each in scores
        if each.why is not None
    ]
    if missing:
        yield from ("", "## What is not in it", "", *missing)
    yield from _table(
        "Published: BooookScore, Table 2",
        ["System", "Read", "Tokens at once", "BooookScore", "Length", "New 3-grams", "Repeated 3-grams"],
        [
            [p.model, p.way, f"{p.chunk:,}", *map(_plain, (p.score, p.tokens, p.novel, p.repeated))]
            for p in published().values()
        ],
    )
    yield from _table(
        "Published: BookSum, Table 2, whole books",
        ["System", "ROUGE-1", "ROUGE-2", "ROUGE-L"],
        [
            [system, *map(_plain, rouge)]
            for (level, system), rouge in TABLE_2.items()
            if level is SummaryLevel.BOOK
        ],
    )
    yield _PUBLISHED


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"## {title}", "")
        yield f"| {' | '.join(head)} |"
        yield f"|{' --- |' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in rows)
        yield ""


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
