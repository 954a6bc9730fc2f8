"""What an offline answer says besides the likeliest place: ties, scenes, what somebody says, counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from coref.types import Character
from generation import lexicon
from generation.phrases import phrase, spelt
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import possessive
from generation.story.statements import certain_ties
from generation.types import AnswerLanguage, Prompt, Sentence
from generation.writing.offline.sentences import capitalised, headed
from generation.writing.offline.story import placed
from retrieval import sentences
from retrieval.asking.kinds import QuestionKind

_MOST_SAID: Final = 3
_PAIR: Final = 2
_SHOWN: Final = 3
"""Places that are cited for a count."""


def certain(prompt: Prompt, kind: QuestionKind | None) -> list[Sentence]:
    """Return how two people are related, or how often people are mentioned, if that is asked for."""
    people = prompt.context.people
    if kind is QuestionKind.RELATION and len(people) == _PAIR:
        return _ties(prompt, people)
    if kind is QuestionKind.COUNT and 0 < len(people) <= _PAIR:
        return _counted(people, _cast(prompt), prompt.language)
    return []


def scenes_asked_for(prompt: Prompt, kind: QuestionKind | None) -> list[Sentence]:
    """Return where two people are together first, or what the first says of the second."""
    people = prompt.context.people
    if len(people) != _PAIR:
        return []
    if kind in (QuestionKind.RELATION, QuestionKind.WHEN):
        return _meeting(people, _cast(prompt), prompt.language)
    if kind is QuestionKind.QUOTE:
        return _said(people, _cast(prompt), prompt.language)
    return []


def _cast(prompt: Prompt) -> CastIndex:
    return cast_of(prompt.context.book, prompt.context.annotations)


def _ties(prompt: Prompt, people: Sequence[Character]) -> list[Sentence]:
    """Return the certain relation of two people, from the side of the one who was named first."""
    book, annotations, language = prompt.context.book, prompt.context.annotations, prompt.language
    for one, other in (people, people[::-1]):
        for tie in certain_ties(book, annotations, one.id):
            if tie.other != other.id:
                continue
            if language is AnswerLanguage.CHINESE:
                words = lexicon.table("ties_zh").get(tie.predicate)
                if not words:
                    continue
                owner, called = other.name, words[0]
            else:
                owner, called = possessive(spelt(other.name, language)), tie.predicate
            said = phrase(language, "is", name=capitalised(spelt(one.name, language)))
            said += phrase(language, "tie", owner=owner, tie=called) + phrase(language, "stop")
            return [Sentence(said, tie.places, characters=(one.id, other.id), remark=True, line=True)]
    return []


def _meeting(people: Sequence[Character], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    """Return the sentence with which both are mentioned, in the first paragraph that does."""
    both = _together(people, cast)
    if not both:
        return []
    paragraph = cast.book.paragraphs[both[0]]
    missing = {person.id for person in people}
    for span in sentences.split(cast.book.text, paragraph.span):
        missing -= {standing.character for standing in cast.standing_in(span)}
        if not missing:
            return headed([placed(span, paragraph.chapter, cast, language)], phrase(language, "together"))
    return []


def _said(people: Sequence[Character], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    """Return what the first of two people says that mentions the second, if anything."""
    speaker, other = people
    found: list[Sentence] = []
    for quote in cast.annotations.quotes:
        named = (s.character for s in cast.standing_in(quote.span) if not s.pronoun)
        if quote.speaker == speaker.id and other.id in named:
            said = cast.sentence_at(quote.span.start)
            found.append(placed(said.span, said.chapter, cast, language))
    name, about_whom = (capitalised(spelt(p.name, language)) for p in people)
    title = phrase(language, "says of", speaker=name, name=about_whom).rstrip(":：")
    return headed(_spread(found), title)


def _spread(found: Sequence[Sentence]) -> list[Sentence]:
    """Return a few of some sentences, from all parts of the book."""
    if len(found) <= _MOST_SAID:
        return list(found)
    step = (len(found) - 1) / (_MOST_SAID - 1)
    return [found[round(n * step)] for n in range(_MOST_SAID)]


def _counted(people: Sequence[Character], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    """Return in how many paragraphs, and in which chapters, the people are mentioned (together)."""
    found = _together(people, cast)
    if not found:
        return []
    chapters = sorted({cast.book.paragraphs[at].chapter + 1 for at in found})
    names = phrase(language, "and").join(capitalised(spelt(p.name, language)) for p in people)
    key = "counted together" if len(people) > 1 else "counted"
    text = phrase(language, key, names=names, count=len(found), chapters=_ranges(chapters))
    places = tuple(cast.sentence_at(cast.book.paragraphs[at].span.start) for at in found[:_SHOWN])
    return [Sentence(text, places, characters=tuple(p.id for p in people), remark=True, line=True)]


def _together(people: Sequence[Character], cast: CastIndex) -> list[int]:
    """Return the paragraphs that mention all of them."""
    return sorted(set.intersection(*(set(cast.paragraphs_of(person.id)) for person in people)))


def _ranges(numbers: Sequence[int]) -> str:
    """Write `1, 3–5` for 1, 3, 4, 5."""
    return ", ".join(_range(run) for run in _runs(numbers))


def _range(run: Sequence[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        yield [number for _, number in run]
