"""Readable output of `bookworm evaluate booookscore`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from evaluation.booookscore.estimate import EstimatedSentence, EstimatedSummary
from evaluation.booookscore.judging import JudgedSummaries
from evaluation.booookscore.people import ConfirmedAnnotations
from evaluation.booookscore.published import GPT4_PRECISION, HUMAN_PRECISION
from evaluation.booookscore.release_report import ComparedScore, HumanScore, ReleaseReport
from evaluation.booookscore.scoring import SystemScore
from evaluation.booookscore.touched_sentences import SentenceAgreement
from evaluation.booookscore.types import ConfusionKind
from service.cli import output
from service.cli.figure_tables import figure_table, percent

_NONE = "–"
_NOTE = (
    "Scores are means over books, in percent; brackets contain 95 % intervals by resampling books. The"
    " published scores leave out the two books that were the examples in GPT-4's prompt, and so do these;"
    " words and trigrams are of all summaries. Novel trigrams need the books, which were not released, and"
    " the published lengths are in tokens of tiktoken, which is not part of Bookworm."
)
_ESTIMATE_NOTE = (
    "Probabilities in percent by a regression on GPT-4's annotations. It sees form more than sense: compare"
    " summaries of many books with it, and ask a language model about single sentences."
)
_LIKELIEST = 5
_BY_PEOPLE = "people, "


def show_release(report: ReleaseReport) -> None:
    _print(_scores(report.systems))
    _print(_kinds([c.measured for c in report.systems], [p.measured for p in report.people]))
    if report.people:
        _print(_people(report.people))
    if report.confirmed:
        _print(_confirmed(report.confirmed))
    if report.agreements:
        _print(_agreements(report.agreements))
    output.out.print(_NOTE, markup=False)


def show_judged(found: SystemScore, judged: JudgedSummaries, model: str) -> None:
    """Show each summary, all of them, and what the model cost."""
    table = figure_table(
        "Summary", "Score", "Sentences", "Confusing", "Words", "Repeated 3-grams", "Novel 3-grams"
    )
    for each in found.summaries:
        counts = (str(each.sentences), str(each.confusions), str(each.words))
        table.add_row(each.book, percent(each.score), *counts, percent(each.repeated), percent(each.novel))
    counts = (f"{found.sentences:,}", str(found.confusions), f"{found.words:.0f}")
    table.add_row("all", _score(found), *counts, percent(found.repeated), percent(found.novel))
    _print(table)
    _print(_kinds([found], []))
    usage = judged.usage
    output.out.print(
        f"{model}: {judged.asked:,} sentences asked about, {judged.kept:,} kept from earlier runs,"
        f" {judged.unread:,} without a usable answer, which do not count; {usage.calls:,} calls,"
        f" {usage.prompt_tokens:,} tokens read, {usage.completion_tokens:,} written, {usage.seconds:.0f} s.",
        markup=False,
    )


def show_estimate(found: Sequence[EstimatedSummary]) -> None:
    """Show the estimated scores, and the sentences that are likeliest to confuse."""
    table = figure_table("Summary", "Estimated score", "Sentences")
    for each in found:
        table.add_row(each.book, percent(each.score), str(len(each.sentences)))
    every = [sentence for each in found for sentence in each.sentences]
    table.add_row("all", percent(sum(each.score for each in found) / len(found)), str(len(every)))
    _print(table)
    output.out.print("Likeliest to confuse:")
    for sentence in sorted(every, key=lambda s: -s.confusing)[:_LIKELIEST]:
        output.out.print(
            f"{percent(sentence.confusing)}  {sentence.sentence} ({_likeliest(sentence)})", markup=False
        )
    output.out.print(f"\n{_ESTIMATE_NOTE}", markup=False)


def _likeliest(sentence: EstimatedSentence) -> str:
    return max(sentence.kinds, key=lambda kind: sentence.kinds[kind], default=_NONE)


def _print(table: Table) -> None:
    output.out.print(table)
    output.out.print()


def _scores(systems: Iterable[ComparedScore]) -> Table:
    table = figure_table(
        "System", "Books", "Sentences", "Score", "Published", "Difference",
        "Words", "Repeated 3-grams", "Published",
    )  # fmt: skip
    for each in systems:
        known = each.published
        table.add_row(
            each.measured.name,
            str(each.measured.score.count),
            f"{each.measured.sentences:,}",
            _score(each.measured),
            _NONE if known is None else f"{known.score:.1f}",
            _points(each.difference),
            f"{each.measured.words:.0f}",
            percent(each.measured.repeated),
            _NONE if known is None or known.repeated is None else f"{known.repeated:.1f}",
        )
    return table


def _kinds(systems: Iterable[SystemScore], people: Iterable[SystemScore]) -> Table:
    table = figure_table("Errors per 100 sentences", *(_short(kind) for kind in ConfusionKind))
    for each in systems:
        table.add_row(each.name, *_kinds_row(each))
    for each in people:
        table.add_row(_BY_PEOPLE + each.name, *_kinds_row(each))
    return table


def _people(people: Iterable[HumanScore]) -> Table:
    table = figure_table("Annotated by people", "Annotations", "Score", "Published", "Difference")
    for each in people:
        known = _NONE if each.published is None else f"{each.published:.1f}"
        measured = each.measured
        table.add_row(
            measured.name, f"{measured.confusions:,}", _score(measured), known, _points(each.difference)
        )
    return table


def _confirmed(sources: Sequence[ConfirmedAnnotations]) -> Table:
    table = figure_table("Annotations of", "Checked", "Agree", "Partly", "Disagree", "Precision", "Published")
    known = {"human": HUMAN_PRECISION, "model": GPT4_PRECISION}
    for each in sources:
        counts = (each.annotations, each.agreed, each.partly, each.disagreed)
        table.add_row(
            {"human": "people", "model": "GPT-4"}.get(each.source, each.source),
            *map(str, counts),
            percent(each.precision),
            f"{known[each.source]:.1f}" if each.source in known else _NONE,
        )
    return table


def _agreements(found: Iterable[SentenceAgreement]) -> Table:
    table = figure_table("Same sentences", "Sentences", "GPT-4", "People", "Both", "Cohen's kappa")
    for each in found:
        kappa = _NONE if each.kappa is None else f"{each.kappa:.2f}"
        counts = (each.sentences, each.gpt4, each.people, each.both)
        table.add_row(each.name, *(f"{count:,}" for count in counts), kappa)
    return table


def _score(measured: SystemScore) -> str:
    found = measured.score
    if found.low is None or found.high is None:
        return percent(found.mean)
    return f"{percent(found.mean)} [{percent(found.low)}–{percent(found.high)}]"


def _kinds_row(measured: SystemScore) -> list[str]:
    return [f"{100 * measured.kinds[kind]:.2f}" for kind in ConfusionKind]


def _points(difference: float | None) -> str:
    return _NONE if difference is None else f"{round(difference, 1) + 0.0:+.1f}"


def _short(kind: ConfusionKind) -> str:
    return kind.value.replace("omission", "om.").capitalize()
