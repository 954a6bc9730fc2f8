"""Attach evidence to each sentence: the model's citation if it is relevant, else what a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generation.checking.evidence import PASSAGES
from generation.types import Citation, Context, Draft, Prompt, Sentence
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
    """Return sentences with their valid citations. If one has none, the prompt's passages are searched.

    `about` has the ids of the people in a section of a joint answer. If it is empty, the text is about all
    people of the prompt.
    """
    reader = reader or RelevanceReader(prompt.context)
    asked = about or tuple(c.id for c in prompt.context.people)
    made = []
    for one in said:
        cited = _verified(one, prompt, reader, asked) or _searched(one.text, prompt.passages, reader, asked)
        made.append(Sentence(one.text, cited, one.heading, about))
    return tuple(made)


def cite(draft: Draft, context: Context, retriever: Retriever) -> Draft:
    """Return the draft with evidence from the book for its uncited sentences.

    Text past the gate is never evidence. A sentence without evidence remains unsupported.
    """
    reader = RelevanceReader(context)
    end = len(context.book.text) if context.upto is None else min(context.upto, len(context.book.text))
    everybody = tuple(c.id for c in context.people)

    def found(sentence: Sentence) -> Sentence:
        if sentence.citations:
            return sentence
        query = Query(text=sentence.text, k=PASSAGES, upto=context.upto)
        near = [p for p in retriever.search(query) if p.span.end <= end]
        return replace(
            sentence, citations=_searched(sentence.text, near, reader, sentence.characters or everybody)
        )

    return replace(draft, sentences=tuple(found(s) for s in draft.sentences))


def _verified(
    said: WrittenSentence, prompt: Prompt, reader: RelevanceReader, about: tuple[str, ...]
) -> tuple[Citation, ...]:
    passages = [prompt.passages[n - 1] for n in said.numbers if 0 < n <= len(prompt.passages)]
    return _best(b for b in _measured(said.text, passages, reader, about) if b.cited)


def _searched(
    text: str, passages: Sequence[Passage], reader: RelevanceReader, about: tuple[str, ...]
) -> tuple[Citation, ...]:
    near = reader.likeliest(text, passages)
    found = [b for b in _measured(text, near, reader, about) if b.found]
    return _best(sorted(found, key=lambda b: -b.close)[:1])


def _measured(
    text: str, passages: Iterable[Passage], reader: RelevanceReader, about: tuple[str, ...]
) -> Iterable[Relevance]:
    return (reader.measure(text, passage, about=about) for passage in passages)


def _best(bearings: Iterable[Relevance]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(b.citation for b in bearings))[:MOST]
