"""The page for people of `bookworm evaluate coref`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from evaluation.coref.engines import NOT_OFFERED
from evaluation.coref.grammar import Grammar
from evaluation.coref.litbank import Scope, Scored
from evaluation.coref.novels import ALL, Measured
from evaluation.coref.scores import Coreference
from evaluation.coref.speed import Timed
from evaluation.coref.tallies import Score, Share

_GRAMMAR = {
    "Parts of speech (UPOS)": "tags",
    "Lemmas": "lemmas",
    "Heads (UAS)": "unlabelled",
    "Heads and relations (LAS)": "labelled",
    "… with subtypes": "labelled_with_subtypes",
    "UAS without punctuation": "unlabelled_without_punctuation",
    "LAS without punctuation": "labelled_without_punctuation",
}


def litbank(documents: Sequence[Scored], pooled: Scored) -> Iterator[Table | Text]:
    yield _documents(documents)
    for name, scope in (("all entities", pooled.all), ("persons", pooled.persons)):
        yield _mentions(name, scope)
        yield _coreference(name, scope)
    yield _events(pooled)
    yield Text(
        f"{len(documents)} documents, {pooled.tokens:,} tokens;"
        f" {pooled.off_tokens} found mentions begin or end inside a token."
    )


def grammar(result: Grammar | None) -> Iterator[Table | Text]:
    if result is None:
        yield Text(f"Grammar: {NOT_OFFERED}")
        return
    table = _table("Grammar", "Words", "Right")
    for name, share in _GRAMMAR.items():
        counted: Share = getattr(result, share)
        table.add_row(name, f"{counted.all:,.0f}", _of(counted))
    yield table


def novels(results: Sequence[Measured]) -> Iterator[Table | Text]:
    table = _table(
        "Novel",
        "Half",
        "Quotes",
        "Right",
        "Speakers",
        "Explicit",
        "Anaphoric",
        "Implicit",
        "Addressees",
        "Mentions",
    )
    for result in results:
        kinds = [_of(share) for share in result.speakers.values()]
        found = (_of(result.quotes_found), _of(result.quotes_right))
        table.add_row(result.name, result.half, *found, *kinds, _of(result.addressees), _of(result.mentions))
    yield table
    yield _cast(results)
    yield _given(results)
    everybody = next(result for result in results if result.name == ALL)
    yield Text("Major and intermediate characters not found: " + ("; ".join(everybody.missing) or "none"))


def speed(times: Sequence[Timed]) -> Iterator[Table]:
    table = _table("Book", "Words", "Seconds", "Words a second", "Memory")
    for time in times:
        rate = f"{time.words_per_second:,.0f}"
        table.add_row(time.name, f"{time.words:,}", f"{time.seconds:.2f}", rate, f"{time.peak / 1e6:.0f} MB")
    yield table


def _events(pooled: Scored) -> Text:
    if pooled.events is None:
        return Text(f"Events: {NOT_OFFERED}, or not marked")
    precision, recall, f1 = _prf(pooled.events)
    return Text(f"Events: precision {precision}, recall {recall}, F1 {f1}.")


def _documents(documents: Sequence[Scored]) -> Table:
    table = _table("Document", "Mentions F1", "CoNLL", "Persons' mentions F1", "Persons' CoNLL")
    for document in documents:
        figures = [
            figure
            for scope in (document.all, document.persons)
            for figure in (scope.mentions.f1, scope.with_singletons.conll)
        ]
        table.add_row(document.name, *map(_percent, figures))
    return table


def _mentions(name: str, scope: Scope) -> Table:
    table = _table(f"Mentions, {name}", "Precision", "Recall", "F1")
    for kind, score in {"all kinds": scope.mentions, **scope.kinds}.items():
        table.add_row(kind, *_prf(score))
    for category, score in scope.categories.items():
        if score.recall.all:
            table.add_row(category, *_prf(score))
    return table


def _coreference(name: str, scope: Scope) -> Table:
    table = _table(f"Coreference, {name}", "MUC", "B³", "CEAFe", "CoNLL")
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
            table.add_row(row, *map(_percent, parts))
    return table


def _cast(results: Sequence[Measured]) -> Table:
    table = _table(
        "Cast", "Major", "Intermediate", "Minor", "Clusters a major", "Merged", "Strangers", "Unknown names"
    )
    for result in results:
        recall = [_of(share) for share in result.cast.values()]
        rest = [_of(share) for share in (result.merges, result.strangers, result.strange_names)]
        table.add_row(result.name, *recall, f"{result.splits.value:.2f}", *rest)
    return table


def _given(results: Sequence[Measured]) -> Table | Text:
    if all(result.given_speakers is None for result in results):
        return Text(f"Speakers with the gold's cast: {NOT_OFFERED}")
    table = _table("Speakers with the gold's cast", "All", "Explicit", "Anaphoric", "Implicit", "Addressees")
    for result in results:
        kinds = [_of(share) for share in (result.given_speakers or {}).values()]
        table.add_row(result.name, *kinds, _of(result.given_addressees or Share()))
    return table


def _table(first: str, *headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _of(share: Share) -> str:
    return _percent(share.value) if share.all else "–"


def _prf(score: Score) -> tuple[str, str, str]:
    return _percent(score.precision.value), _percent(score.recall.value), _percent(score.f1)
