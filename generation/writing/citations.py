"""Attach evidence to each sentence: the model's citations that hold, or a surer one that a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generation.checking.evidence import PASSAGES
from generation.types import Citation, Claim, Context, Draft, Prompt, Sentence
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.passage_relevance import Relevance, RelevanceReader
from retrieval.protocols import Retriever
from retrieval.types import Passage, Query

MOST = 4
"""Maximum number of citations of a sentence."""


def attach(
    said: Sequence[WrittenSentence],
    prompt: Prompt,
    *,
    about: tuple[str, ...] = (),
    reader: RelevanceReader | None = None,
) -> tuple[Sentence, ...]:
    """Return sentences with their valid citations. Where none is sure, the prompt's passages are searched.

    `about` has the ids of the people in a section of a joint answer. If it is empty, the text is about all
    people of the prompt.
    """
    reader = reader or RelevanceReader(prompt.context)
    asked = about or tuple(c.id for c in prompt.context.people)
    claims = [reader.claim(one.text, asked) for one in said]
    shown = [[prompt.passages[n - 1] for n in one.numbers if 0 < n <= len(prompt.passages)] for one in said]
    kept = [[b for b in found if b.cited] for found in _read(claims, shown, reader)]
    unsure = [() if any(b.found for b in one) else prompt.passages for one in kept]
    found = _searched(claims, unsure, reader)
    return tuple(
        Sentence(
            one.text, near or _best(cited), one.heading, about, offered=_offered(there, () if near else cited)
        )
        for one, there, cited, near in zip(said, shown, kept, found, strict=True)
    )


def _offered(shown: Sequence[Passage], kept: Sequence[Relevance]) -> tuple[Citation, ...]:
    """Return the passages that a sentence cites and that are not kept."""
    rest = (p for p in shown if not any(p.span.covers(b.citation.span) for b in kept))
    return tuple(Citation(p.span, p.chapter) for p in rest)[:MOST]


def cite(draft: Draft, context: Context, retriever: Retriever) -> Draft:
    """Return the draft with evidence from the book for its uncited sentences.

    Text past the gate is never evidence. A sentence without evidence remains unsupported.
    """
    reader = RelevanceReader(context)
    end = len(context.book.text) if context.upto is None else min(context.upto, len(context.book.text))
    everybody = tuple(c.id for c in context.people)

    def near(sentence: Sentence) -> Sequence[Passage]:
        if sentence.citations or sentence.remark:
            return ()
        query = Query(text=sentence.text, k=PASSAGES, upto=context.upto)
        return [p for p in retriever.search(query) if p.span.end <= end]

    claims = [reader.claim(s.text, s.characters or everybody) for s in draft.sentences]
    found = _searched(claims, [near(s) for s in draft.sentences], reader)
    cited = (replace(s, citations=s.citations or f) for s, f in zip(draft.sentences, found, strict=True))
    return replace(draft, sentences=tuple(cited))


def _searched(
    claims: Sequence[Claim], passages: Sequence[Sequence[Passage]], reader: RelevanceReader
) -> list[tuple[Citation, ...]]:
    """Return the best of the passages for each claim, if it is relevant enough."""
    near = [reader.likeliest(claim, there) for claim, there in zip(claims, passages, strict=True)]
    read = _read(claims, near, reader)
    return [_best(sorted((b for b in found if b.found), key=lambda b: -b.support)[:1]) for found in read]


def _read(
    claims: Sequence[Claim], passages: Sequence[Sequence[Passage]], reader: RelevanceReader
) -> list[list[Relevance]]:
    """Read each claim with its passages."""
    pairs = [(claim, p) for claim, there in zip(claims, passages, strict=True) for p in there]
    read = iter(reader.read(pairs) if pairs else ())
    return [[next(read) for _ in there] for there in passages]


def _best(read: Iterable[Relevance]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(b.citation for b in read))[:MOST]
