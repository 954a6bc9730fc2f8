"""Readable output of `bookworm evaluate retrieval`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from evaluation.retrieval.types import CastSource, RetrievalFigures, RetrievalScores
from service.cli.figure_tables import figure_table, percent_of

_CASTS = {CastSource.OWN: "cast of the resolver", CastSource.GOLD: "gold cast"}
_NOTE = (
    "Recall: the share of the passages in which, according to the gold data, a character speaks or is"
    " mentioned in speech. “Per character”: the mean over characters. “Possible”: the maximum at this limit."
    " The gold data covers only quotes. Passages that mention a character only in the narration are therefore"
    " not counted, and precision, over returned passages with a quote, is too low, because the characters in"
    " their narration are unknown. In passages that consist only of speech it is exact."
)


def summary(pooled: RetrievalScores) -> Iterator[Table]:
    """Tables by category and cast, with a row for each retriever."""
    for category, cast in dict.fromkeys((case.category, case.cast) for case in pooled.cases):
        cases = {c: f for c, f in pooled.cases.items() if (c.category, c.cast) == (category, cast)}
        table = figure_table(
            f"{category.capitalize()} characters, {_CASTS[cast]}",
            "Limit",
            "Recall",
            "per character",
            "possible",
            "speaking",
            "mentioned",
            "Precision",
            "in speech",
            "Passages",
        )
        for case, found in cases.items():
            table.add_row(case.retriever, "–" if case.k is None else str(case.k), *_row(found))
        yield table


def by_novel(results: Sequence[RetrievalScores]) -> Iterator[Table]:
    """Recall of passages about major characters, with a column for each retriever."""
    cases = [case for case in results[0].cases if case.category == "major"]
    for cast, k in dict.fromkeys((case.cast, case.k) for case in cases):
        columns = [case for case in cases if (case.cast, case.k) == (cast, k)]
        limit = "" if k is None else f" at {k}"
        table = figure_table(f"Recall{limit}, {_CASTS[cast]}", *(case.retriever for case in columns))
        for result in results:
            table.add_row(result.name, *(percent_of(result.cases[case].recall) for case in columns))
        yield table


def note(pooled: RetrievalScores) -> Text:
    met = ", ".join(f"{pooled.found[c]} of {count} {c}" for c, count in pooled.characters.items())
    return Text(f"{pooled.passages:,} passages; characters found by the resolver: {met}.\n{_NOTE}")


def _row(found: RetrievalFigures) -> Iterator[str]:
    shares = (found.recall, found.recall_by_character, found.possible, found.speaking, found.mentioned)
    yield from map(percent_of, (*shares, found.precision, found.precision_in_speech))
    yield f"{found.returned.value:.1f}"
