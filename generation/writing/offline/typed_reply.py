"""What an offline answer says besides the likeliest place: ties, scenes, what somebody says, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from coref.types import Character
from generation.phrases import phrase, spelt, tie_word
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import asks_how_often, possessive
from generation.story.quotations import SURE
from generation.story.statements import certain_ties, relatives
from generation.story.ties.relation_words import asked_for
from generation.story.types import Tie
from generation.types import AnswerLanguage, Prompt, Sentence
from generation.writing.offline.sentences import capitalised, headed
from generation.writing.offline.story import placed
from retrieval import sentences
from retrieval.asking.kinds import QuestionKind

_MOST_SAID: Final = 3
_PAIR: Final = 2
_WORD: Final = re.compile(r"[\w-]+")
_SHOWN: Final = 3
"""Places that are cited for a count."""


def certain(prompt: Prompt, kind: QuestionKind | None) -> list[Sentence]:
    """Return how two people are related, or how often people are mentioned, if that is asked for."""
    people = prompt.context.people
    if kind in (QuestionKind.WHO, QuestionKind.RELATION) and (told := _relatives(prompt, people)):
        return told
    if kind is QuestionKind.RELATION and len(people) == _PAIR:
        return _ties(prompt, people)
    if (
        kind is QuestionKind.COUNT
        and 0 < len(people) <= _PAIR
        and asks_how_often(prompt.question or "", people)
    ):
        return _counted(people, _cast(prompt), prompt.language)
    return []


def scenes_asked_for(prompt: Prompt, kind: QuestionKind | None) -> list[Sentence]:
    """Return where two people speak to each other first, or what the first says of the second."""
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
    for one, other in (people, people[::-1]):
        stated = certain_ties(_cast(prompt), one.id)
        if found := _stated(prompt, [tie for tie in stated if tie.other == other.id], other):
            return found[:1]
    return []


def _relatives(prompt: Prompt, people: Sequence[Character]) -> list[Sentence]:
    """Return who somebody's uncle, wife or friend is, if the question has such a word and it is certain.

    If the question is about others, too, it is one of them.
    """
    asked = [called for word in _WORD.findall(prompt.question or "") if (called := asked_for(word))]
    for owner in people:
        found = [tie for called in asked for tie in relatives(_cast(prompt), owner.id, called)]
        told = [tie for tie in found if len(people) == 1 or any(p.id == tie.subject for p in people)]
        if told:
            return _stated(prompt, told, owner)
    return []


def _stated(prompt: Prompt, ties: Iterable[Tie], other: Character) -> list[Sentence]:
    """Return what some certainly are to another, as far as there are words for it in the language."""
    language, by_id = prompt.language, _cast(prompt).by_id
    found: list[Sentence] = []
    for tie in ties:
        called = tie_word(tie.predicate, language)
        if called is None:
            continue
        owner = other.name if language.is_chinese else possessive(spelt(other.name, language))
        said = phrase(language, "is", name=capitalised(spelt(by_id[tie.subject].name, language)))
        said += phrase(language, "tie", owner=owner, tie=called) + phrase(language, "stop")
        found.append(Sentence(said, tie.places, characters=(tie.subject, other.id), remark=True, line=True))
    return found


def _meeting(people: Sequence[Character], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    """Return the first thing that one of them says to the other, or else where both are first mentioned.

    A name is often mentioned long before its bearer comes.
    """
    pair = {person.id for person in people}
    for quote in cast.annotations.quotes:
        if quote.confidence >= SURE and {quote.speaker, quote.addressee} == pair:
            said = cast.sentence_at(quote.span.start)
            return headed([placed(said.span, said.chapter, cast, language)], phrase(language, "first words"))
    both = _together(people, cast)
    if not both:
        return []
    paragraph = cast.book.paragraphs[both[0]]
    missing = set(pair)
    for span in sentences.split(cast.book.text, paragraph.span):
        missing -= {standing.character for standing in cast.standing_in(span)}
        if not missing:
            return headed([placed(span, paragraph.chapter, cast, language)], phrase(language, "together"))
    return []


def _said(people: Sequence[Character], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    """Return what the first of two people says of the second, but not to their face, if anything."""
    speaker, other = people
    found: list[Sentence] = []
    for quote in cast.annotations.quotes:
        if quote.speaker != speaker.id or quote.addressee == other.id:
            continue
        named = (s.span for s in cast.standing_in(quote.span) if s.character == other.id and not s.pronoun)
        for said in dict.fromkeys(cast.sentence_at(span.start) for span in named):
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
    texts: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        first, *more = (number for _, number in run)
        texts.append(f"{first}–{more[-1]}" if more else str(first))
    return ", ".join(texts)
