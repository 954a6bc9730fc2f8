"""Readable output of `bookworm evaluate booksum --texts`: figures of the texts, and the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluation.booksum.bench import BERTSCORE, ROUGES
from evaluation.booksum.pair_statistics import FIGURES
from evaluation.booksum.published import TABLE_1, TABLE_2
from service.cli import output
from service.cli.figure_tables import figure_table

if TYPE_CHECKING:
    from rich.table import Table

    from evaluation.booksum.bench import ExtractiveScores
    from evaluation.booksum.pair_statistics import LevelFigures
    from evaluation.commands.booksum_report import BookSumTexts
    from evaluation.metrics.statistics import Interval

_PUBLISHED = {
    "coverage": "coverage",
    "density": "density",
    "compression": "compression",
    "source_words": "source_tokens",
    "summary_words": "summary_tokens",
}
"""Our figures, and the columns of the paper's Table 1."""
_NONE = "–"


def show(found: BookSumTexts) -> None:
    output.out.print(_figures(found.levels))
    for line in _lines(found):
        output.out.print(line, markup=False, soft_wrap=True)
    if found.systems:
        output.out.print()
        output.out.print(_systems(found.systems))


def _figures(levels: Sequence[LevelFigures]) -> Table:
    """Put a column for each level beside one for the paper's figure of it."""
    table = figure_table("Figure", *(name for each in levels for name in (each.level, "Paper")))
    table.add_row("pairs", *(f"{n:,}" for e in levels for n in (e.pairs, TABLE_1[e.level].documents)))
    for name in FIGURES:
        cells: list[str] = []
        for each in levels:
            published = getattr(TABLE_1[each.level], _PUBLISHED[name]) if name in _PUBLISHED else None
            cells += [_interval(each.figures[name]), _NONE if published is None else f"{published:,.2f}"]
        table.add_row(name.replace("_", " "), *cells)
    return table


def _lines(found: BookSumTexts) -> list[str]:
    lines = [
        f"Sentences and paragraphs compared by {found.embedder}.",
        f"Left out: {found.without_summary:,} rows without a summary, {found.without_text:,} without a text;"
        f" {found.dropped:,} lines of summaries (headings, analyses).",
    ]
    for each in found.levels:
        if each.tenths:
            shares = " ".join(f"{100 * count / sum(each.tenths):.0f}" for count in each.tenths)
            lines.append(f"Places of aligned sentences in the text ({each.level}), % by tenth: {shares}.")
            lines.append(
                f"Cosine of aligned sentences ({each.level}): {_interval(each.cosine)};"
                f" {each.unaligned:,} sentences without a paragraph."
            )
    return lines


def _systems(scores: Sequence[ExtractiveScores]) -> Table:
    with_bertscore = any(BERTSCORE in each.scores for each in scores)
    headings = ["System", "Pairs", "Sentences", *(f"ROUGE-{name[-1]}" for name in ROUGES), "Paper"]
    table = figure_table("Level", *headings, *(["BERTScore"] if with_bertscore else []))
    for each in scores:
        published = TABLE_2.get((each.level, each.system))
        table.add_row(
            each.level,
            each.system,
            f"{each.pairs:,}",
            f"{each.sentences:.1f}",
            *(_percent(each.scores[name]) for name in ROUGES),
            " / ".join(f"{value:.1f}" for value in published) if published else _NONE,
            *([_interval(each.scores[BERTSCORE])] if with_bertscore else []),
        )
    return table


def _interval(found: Interval | None) -> str:
    return _written(found, 1)


def _percent(found: Interval | None) -> str:
    return _written(found, 100)


def _written(found: Interval | None, times: int) -> str:
    if found is None:
        return _NONE
    digits = 1 if times == 100 else 2
    mean = f"{times * found.mean:,.{digits}f}"
    if found.low is None or found.high is None:
        return mean
    return f"{mean} ({times * found.low:,.{digits}f}–{times * found.high:,.{digits}f})"
