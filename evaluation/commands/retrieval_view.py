"""The text output of `bookworm evaluate retrieval`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from evaluation.retrieval.types import CastSource, RetrievalFigures, RetrievalScores
from service.cli.figure_tables import figure_table, percent_of

_CASTS = {CastSource.OWN: "the resolver's cast", CastSource.GOLD: "the gold's cast"}
_NOTE = (
    "Recall: the returned share of the passages in which, by the gold, a character speaks or is mentioned in"
    " speech; “a character”: the mean over characters; “possible”: if nothing else were returned."
    " The gold marks quotes alone. So passages in which only the narration speaks of somebody count for"
    " nothing, and precision, of the returned passages that hold a quote, is too low: whom the narration"
    " beside it means is not known. In passages that are speech and nothing else it is exact."
)


def summary(pooled: RetrievalScores) -> Iterator[Table]:
    """Yield tables by category and cast, with a line per retriever."""
    for category, cast in dict.fromkeys((case.category, case.cast) for case in pooled.cases):
        cases = {c: f for c, f in pooled.cases.items() if (c.category, c.cast) == (category, cast)}
        table = figure_table(
            f"{category.capitalize()} characters, {_CASTS[cast]}",
            "At most",
            "Recall",
            "a character",
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
    """Yield the recall of the major characters' passages, with a column per retriever."""
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
    return Text(f"{pooled.passages:,} passages; characters that the resolver has: {met}.\n{_NOTE}")


def _row(found: RetrievalFigures) -> Iterator[str]:
    shares = (found.recall, found.recall_by_character, found.possible, found.speaking, found.mentioned)
    yield from map(percent_of, (*shares, found.precision, found.precision_in_speech))
    yield f"{found.returned.value:.1f}"
