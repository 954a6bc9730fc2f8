"""Readable output of `bookworm evaluate coref`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from evaluation.coref.engines import NOT_OFFERED
from evaluation.coref.litbank import DocumentScores, MentionScope
from evaluation.coref.novels import ALL, NovelScores
from evaluation.coref.scores import Coreference
from evaluation.coref.speed import Timed
from evaluation.coref.tallies import PrecisionRecall, Share
from evaluation.coref.treebank_scores import GrammarScores
from service.cli.figure_tables import figure_table, percent, percent_of

_GRAMMAR = {
    "Parts of speech (UPOS)": "tags",
    "Lemmas": "lemmas",
    "Heads (UAS)": "unlabelled",
    "Heads and relations (LAS)": "labelled",
    "… with subtypes": "labelled_with_subtypes",
    "UAS without punctuation": "unlabelled_without_punctuation",
    "LAS without punctuation": "labelled_without_punctuation",
}


def litbank(documents: Sequence[DocumentScores], pooled: DocumentScores) -> Iterator[Table | Text]:
    yield _documents(documents)
    for name, scope in (("all entities", pooled.all), ("persons", pooled.persons)):
        yield _mentions(name, scope)
        yield _coreference(name, scope)
    yield _events(pooled)
    yield Text(
        f"{len(documents)} documents, {pooled.tokens:,} tokens;"
        f" {pooled.off_tokens} predicted mentions begin or end inside a token."
    )


def grammar(result: GrammarScores | None) -> Iterator[Table | Text]:
    if result is None:
        yield Text(f"Grammar: {NOT_OFFERED}")
        return
    table = figure_table("Grammar", "Words", "Correct")
    for name, share in _GRAMMAR.items():
        counted: Share = getattr(result, share)
        table.add_row(name, f"{counted.all:,.0f}", percent_of(counted))
    yield table


def novels(results: Sequence[NovelScores]) -> Iterator[Table | Text]:
    table = figure_table(
        "Novel",
        "Half",
        "Quotes",
        "Correct",
        "Speakers",
        "Explicit",
        "Anaphoric",
        "Implicit",
        "Addressees",
        "Mentions",
    )
    for result in results:
        kinds = [percent_of(share) for share in result.speakers.values()]
        found = (percent_of(result.quotes_found), percent_of(result.quotes_right))
        table.add_row(
            result.name,
            result.half,
            *found,
            *kinds,
            percent_of(result.addressees),
            percent_of(result.mentions),
        )
    yield table
    yield _cast(results)
    yield _given(results)
    everybody = next(result for result in results if result.name == ALL)
    yield Text("Major and intermediate characters not found: " + ("; ".join(everybody.missing) or "none"))


def speed(times: Sequence[Timed]) -> Iterator[Table]:
    table = figure_table("Book", "Words", "Seconds", "Words per second", "Memory")
    for time in times:
        rate = f"{time.words_per_second:,.0f}"
        table.add_row(time.name, f"{time.words:,}", f"{time.seconds:.2f}", rate, f"{time.peak / 1e6:.0f} MB")
    yield table


def _events(pooled: DocumentScores) -> Text:
    if pooled.events is None:
        return Text(f"Events: {NOT_OFFERED}, or not marked")
    precision, recall, f1 = _prf(pooled.events)
    return Text(f"Events: precision {precision}, recall {recall}, F1 {f1}.")


def _documents(documents: Sequence[DocumentScores]) -> Table:
    table = figure_table("Document", "Mentions F1", "CoNLL", "Mentions of persons F1", "CoNLL of persons")
    for document in documents:
        figures = [
            figure
            for scope in (document.all, document.persons)
            for figure in (scope.mentions.f1, scope.with_singletons.conll)
        ]
        table.add_row(document.name, *map(percent, figures))
    return table


def _mentions(name: str, scope: MentionScope) -> Table:
    table = figure_table(f"Mentions, {name}", "Precision", "Recall", "F1")
    for kind, score in {"all kinds": scope.mentions, **scope.kinds}.items():
        table.add_row(kind, *_prf(score))
    for category, score in scope.categories.items():
        if score.recall.all:
            table.add_row(category, *_prf(score))
    return table


def _coreference(name: str, scope: MentionScope) -> Table:
    table = figure_table(f"Coreference, {name}", "MUC", "B³", "CEAFe", "CoNLL")
    rows: Mapping[str, Coreference | None] = {
        "with singletons": scope.with_singletons,
        "without singletons": scope.without_singletons,
        "gold mentions, with singletons": scope.gold_with_singletons,
        "gold mentions, without singletons": scope.gold_without_singletons,
    }
    for row, result in rows.items():
        if result is None:
            table.add_row(row, NOT_OFFERED)
        else:
            parts = (result.muc.f1, result.b_cubed.f1, result.ceaf_e.f1, result.conll)
            table.add_row(row, *map(percent, parts))
    return table


def _cast(results: Sequence[NovelScores]) -> Table:
    table = figure_table(
        "Cast", "Major", "Intermediate", "Minor", "Clusters per major", "Merged", "Strangers", "Unknown names"
    )
    for result in results:
        recall = [percent_of(share) for share in result.cast.values()]
        rest = [percent_of(share) for share in (result.merges, result.strangers, result.strange_names)]
        table.add_row(result.name, *recall, f"{result.splits.value:.2f}", *rest)
    return table


def _given(results: Sequence[NovelScores]) -> Table | Text:
    if all(result.given_speakers is None for result in results):
        return Text(f"Speakers with the gold cast: {NOT_OFFERED}")
    table = figure_table(
        "Speakers with the gold cast", "All", "Explicit", "Anaphoric", "Implicit", "Addressees"
    )
    for result in results:
        kinds = [percent_of(share) for share in (result.given_speakers or {}).values()]
        table.add_row(result.name, *kinds, percent_of(result.given_addressees or Share()))
    return table


def _prf(score: PrecisionRecall) -> tuple[str, str, str]:
    return percent(score.precision.value), percent(score.recall.value), percent(score.f1)
