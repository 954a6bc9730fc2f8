"""The answer to a question offline: the sentences of the book that answer it, or that it does not say."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from books.types import Book, Span, count_words
from coref.types import LOCATIONS
from generation.phrases import phrase
from generation.story.cast import CastIndex, cast_of
from generation.types import AnswerLanguage, Prompt, Sentence
from generation.writing.offline.sentences import headed
from generation.writing.offline.story import placed, told
from generation.writing.offline.typed_reply import certain, scenes_asked_for
from retrieval.asking.kinds import QuestionKind, kind_of
from retrieval.asking.nearest_sentences import nearest_run
from retrieval.types import AnsweringPlace, ScoredSpan

SURE: Final = 0.086
"""The probability from which a place is taken to answer the question."""
_FIRST: Final = 4
"""Sentences of the likeliest place, as far as there are words."""
_OTHER: Final = 2
"""Sentences of each other one."""
_ELSEWHERE: Final = 3
"""Other places."""
_LOCATION: Final = 0.1
"""How much nearer to a question that asks where a sentence is with a location; fitted on train novels."""
_SHORTER: Final = 0.6
"""Their share of the words."""


def reply(prompt: Prompt, words: int) -> list[Sentence]:
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    language = prompt.language
    kind = kind_of(prompt.question or "")
    if kind is QuestionKind.WHERE:
        prompt = _locations_nearer(prompt)
    sure = [place for place in prompt.places if place.score >= SURE]
    known, scenes = certain(prompt, kind), scenes_asked_for(prompt, kind)
    if not sure:
        first, *nearest = does_not_say(prompt, words)
        return [*known, *scenes, *([] if known or scenes else [first]), *nearest]
    if known or (kind is QuestionKind.QUOTE and scenes):
        beside = headed(_elsewhere(sure, words, cast, language), phrase(language, "also"))
        return [*known, *scenes, *beside]
    best, *others = sure
    where = _when(best, prompt) if kind is QuestionKind.WHEN else None
    return [
        *_answer(best, words, cast, language, where=where),
        *scenes,
        *headed(_elsewhere(others, words, cast, language), phrase(language, "also")),
    ]


def does_not_say(prompt: Prompt, words: int) -> list[Sentence]:
    """Return that the book does not say, and the places that are nearest to the question."""
    cast, language = cast_of(prompt.context.book, prompt.context.annotations), prompt.language
    nearest = headed(_elsewhere(prompt.places, words, cast, language), phrase(language, "nearest"))
    return [Sentence(phrase(language, "unsaid"), (), remark=True), *nearest]


def who_they_are(prompt: Prompt, words: int, portrait: Sequence[Sentence]) -> list[Sentence]:
    """Return a portrait, and the place of the book that is likeliest to say who somebody is.

    If there is none, and the portrait says little, that the book does not say, and the nearest places.
    """
    sure = [place for place in prompt.places if place.score >= SURE]
    book, annotations = prompt.context.book, prompt.context.annotations
    little = all(s.remark and annotations.narrator not in s.characters for s in portrait)
    if prompt.places and not sure and little:
        return does_not_say(prompt, words)
    cast = cast_of(book, annotations)
    quoted = [fact.citations[0].span for s in portrait for fact in s.stated if fact.quoted]
    fresh = [p for p in sure if not _within(max(p.sentences, key=lambda s: s.score).span, quoted)]
    if len(quoted) == 1 and any(s.remark for s in portrait):
        fresh = sure  # the one sentence that names somebody is told with those around it
    said = [s for p in islice(fresh, 1) for s in _answer(p, words, cast, prompt.language, quoted=quoted)]
    return [*portrait, *headed(said, phrase(prompt.language, "in the book"))]


def _within(sentence: Span, quoted: Sequence[Span]) -> bool:
    return any(each.covers(sentence) for each in quoted)


def _answer(
    place: AnsweringPlace,
    words: int,
    cast: CastIndex,
    language: AnswerLanguage,
    *,
    most: int = _FIRST,
    where: str | None = None,
    quoted: Sequence[Span] = (),
) -> Iterator[Sentence]:
    """Yield the sentence that is nearest to the question, and those around it as far as there are words.

    What is `quoted` already is left out.
    """
    lengths = [count_words(sentence.span.of(cast.book.text)) for sentence in place.sentences]
    run = (place.sentences[n].span for n in nearest_run(place.sentences, lengths, words, most))
    for n, span in enumerate(_joined((s for s in run if not _within(s, quoted)), cast.book)):
        if n == 0:
            yield placed(span, place.chapter, cast, language, whole=True, where=where)
        else:
            yield told(span, place.chapter, cast, language, whole=True)


def _joined(sentences: Iterable[Span], book: Book) -> list[Span]:
    """Return sentences that follow each other in a paragraph as one span, which is quoted as a whole."""
    joined: list[Span] = []
    for span in sentences:
        last = joined[-1] if joined else None
        paragraph = book.paragraph_at(span.start)
        follows = last is not None and not book.text[last.end : span.start].strip()
        if last and follows and paragraph and paragraph.span.covers(last):
            joined[-1] = Span(last.start, span.end)
        else:
            joined.append(span)
    return joined


def _locations_nearer(prompt: Prompt) -> Prompt:
    """Return the prompt with the sentences that mention a location nearer to the question."""
    mentions = prompt.context.annotations.mentions
    starts = sorted(each.span.start for each in mentions if each.category in LOCATIONS)

    def nearer(sentence: ScoredSpan) -> ScoredSpan:
        there = bisect_left(starts, sentence.span.end) > bisect_left(starts, sentence.span.start)
        return replace(sentence, score=sentence.score + _LOCATION * there)

    places = (replace(place, sentences=tuple(map(nearer, place.sentences))) for place in prompt.places)
    return replace(prompt, places=tuple(places))


def _when(place: AnsweringPlace, prompt: Prompt) -> str | None:
    """Return the chapter of a place and how far into the book it is, if all of the book is read."""
    if prompt.context.upto is not None:
        return None
    percent = prompt.context.book.percent(place.span.start)
    return phrase(prompt.language, "when", chapter=place.chapter + 1, percent=percent)


def _elsewhere(
    places: Sequence[AnsweringPlace], words: int, cast: CastIndex, language: AnswerLanguage
) -> list[Sentence]:
    """Return a little less of each of the first places."""
    fewer = int(_SHORTER * words)
    return [
        sentence
        for place in places[:_ELSEWHERE]
        for sentence in _answer(place, fewer, cast, language, most=_OTHER)
    ]
