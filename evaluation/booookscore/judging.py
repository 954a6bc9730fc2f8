"""The metric with a language model as its judge: one sentence at a time, or several together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.booookscore.answer_reading import SentenceJudgement, read_many, read_one
from evaluation.booookscore.judging_prompts import once_more, request
from evaluation.booookscore.kept_judgements import JudgedSentence, KeptJudgements, key_of
from evaluation.booookscore.summary_sentences import sentences
from evaluation.booookscore.types import AnnotatedSummary, Confusion
from generation.models.protocols import LanguageModel
from generation.types import Usage

AT_ONCE = 16
"""Requests between two writings of the results."""


@dataclass(frozen=True, slots=True)
class JudgedSummaries:
    summaries: tuple[AnnotatedSummary, ...]
    asked: int
    """Sentences that the model was asked about now."""
    kept: int
    """Sentences whose judgement was known from an earlier run."""
    unread: int
    """Sentences without a usable answer. A later run asks again."""
    usage: Usage


@dataclass(frozen=True, slots=True)
class _Group:
    """The sentences of one request."""

    book: str
    summary: str
    sentences: tuple[str, ...]


def judge_summaries(
    model: LanguageModel,
    summaries: Mapping[str, str],
    kept: KeptJudgements,
    *,
    together: int = 1,
    tell: Callable[[float], None] | None = None,
) -> JudgedSummaries:
    """Judge every sentence, `together` in a request, that is not among the kept judgements."""
    parts = {book: sentences(text) for book, text in summaries.items()}
    groups = [
        _Group(book, summaries[book], tuple(missing[at : at + together]))
        for book, found in parts.items()
        if (missing := _missing(kept, model.name, together, summaries[book], found))
        for at in range(0, len(missing), together)
    ]
    asked = {(group.book, sentence) for group in groups for sentence in group.sentences}
    known = sum((book, each) not in asked for book, found in parts.items() for each in found)
    usage = Usage()
    for at in range(0, len(groups), AT_ONCE):
        usage += _ask(model, groups[at : at + AT_ONCE], kept, together)
        if tell is not None:
            tell(min(1.0, (at + AT_ONCE) / len(groups)))
    annotated = [
        _annotated(book, text, parts[book], kept, model.name, together) for book, text in summaries.items()
    ]
    return JudgedSummaries(tuple(annotated), len(asked), known, sum(a.unread for a in annotated), usage)


def _missing(
    kept: KeptJudgements, model: str, together: int, summary: str, found: Sequence[str]
) -> list[str]:
    """Return the sentences to ask about. One that is repeated word for word is asked about once."""
    return [each for each in dict.fromkeys(found) if kept.get(key_of(model, together, summary, each)) is None]


def _ask(model: LanguageModel, groups: Sequence[_Group], kept: KeptJudgements, together: int) -> Usage:
    """Ask, ask those again whose answer cannot be read, and keep what can be."""
    requests = [request(group.summary, group.sentences) for group in groups]
    completions = model.complete(requests)
    usage = sum((c.usage for c in completions), Usage())
    judged = [_read(group, c.text) for group, c in zip(groups, completions, strict=True)]
    again = [at for at, found in enumerate(judged) if None in found]
    if again:
        second = model.complete([once_more(requests[at], completions[at].text) for at in again])
        usage = sum((c.usage for c in second), usage)
        for at, completion in zip(again, second, strict=True):
            better = _read(groups[at], completion.text)
            judged[at] = [a if a is not None else b for a, b in zip(judged[at], better, strict=True)]
    for group, found in zip(groups, judged, strict=True):
        kept.add(
            JudgedSentence(key_of(model.name, together, group.summary, sentence), group.book, sentence, said)
            for sentence, said in zip(group.sentences, found, strict=True)
            if said is not None
        )
    return usage


def _read(group: _Group, text: str) -> list[SentenceJudgement | None]:
    count = len(group.sentences)
    return [read_one(text)] if count == 1 else read_many(text, count)


def _annotated(
    book: str, text: str, found: Sequence[str], kept: KeptJudgements, model: str, together: int
) -> AnnotatedSummary:
    judged = [(each, kept.get(key_of(model, together, text, each))) for each in found]
    confusions = tuple(
        Confusion((each,), said.questions, said.kinds)
        for each, said in judged
        if said is not None and said.confusing
    )
    unread = sum(said is None for _, said in judged)
    return AnnotatedSummary(book, text, confusions if unread < len(judged) else None, unread)
