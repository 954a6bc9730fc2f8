"""The sentences of an offline text: an opening from certain statements, and introduced quotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from books.types import Span
from generation.phrases import in_marks, space, spelt, tie_word
from generation.story.named_people import possessive
from generation.story.quotation import UNKNOWN, Quotation
from generation.story.statements import other_name
from generation.story.types import Tie
from generation.types import Category, NamedSpan, Sentence, StatedFact
from generation.writing.offline.subject import TextSubject
from retrieval.sentences import flat

_END = 0.9
"""Share of the chapters after which something happens in the end."""


def opening(subject: TextSubject, most: int) -> Sentence | None:
    """Return a sentence with the nearest relations, those of a kind together, or None if none is certain."""
    ties = [tie for tie in subject.ties if _sayable(tie, subject)][:most]
    kinds = dict.fromkeys(tie.predicate for tie in ties)
    groups = [[tie for tie in ties if tie.predicate == kind] for kind in kinds]
    narrates = subject.narrates and subject.name != subject.says("narrator")
    parts = len(groups) + narrates
    if not parts:
        return None
    text, stated = subject.says("is", name=subject.name), []
    for n, group in enumerate(groups):
        text += _before(n, parts, subject)
        for m, tie in enumerate(group):
            text += _before(m, len(group), subject, owners=True)
            start, last = len(text), m == len(group) - 1
            text += _tie(tie, subject) if last else _owner(tie, subject)
            stated.append(_tie_fact(tie, Span(start, len(text)), subject))
    if narrates:
        text += _before(parts - 1, parts, subject) + subject.says("narrator")
    citations = tuple(dict.fromkeys(fact for each in stated for fact in each.citations))
    return Sentence(
        capitalised(text + subject.says("stop")),
        citations,
        characters=(subject.id,),
        stated=tuple(stated),
        remark=not stated,  # who narrates is found with the people, and no passage says it
    )


def quoted(subject: TextSubject, quotation: Quotation, lead: str | None) -> Sentence:
    """Return a quotation behind the words that introduce it."""
    before = f"{lead}{space(subject.language)}" if lead else ""
    text = before + in_marks(quotation.text, subject.language)
    fact = StatedFact(
        text=flat(subject.cast.book.told(quotation.citation.span)),
        category=quotation.category,
        span=Span(len(before), len(text)),
        subject=subject.id,
        citations=(quotation.citation,),
        quoted=True,
    )
    return Sentence(text, (quotation.citation,), characters=(subject.id,), stated=(fact,))


def headed(sentences: Sequence[Sentence], title: str) -> list[Sentence]:
    """Return the sentences with a heading before the first."""
    return [replace(sentences[0], heading=title), *sentences[1:]] if sentences else []


def lead(
    subject: TextSubject,
    quotation: Quotation,
    before: Sequence[Quotation],
    *,
    presents: bool = False,
) -> str | None:
    """Return the words that introduce a quotation, or None if it goes on from the one before.

    One that `presents` somebody is the first that is said of them.
    """
    if quotation.own and not quotation.tagged:
        return subject.says("says", name=capitalised(subject.she if before else subject.name))
    if quotation.speaker == UNKNOWN and not quotation.tagged:
        return subject.says("somebody says of", name=subject.her if before else subject.name)
    if quotation.speaker is not None and not quotation.tagged:
        speaker = capitalised(subject.name_of(quotation.speaker))
        return subject.says("says of", speaker=speaker, name=subject.her if before else subject.name)
    if presents:
        return subject.says("told of", name=subject.name)
    told = before and (before[-1].speaker is None or before[-1].tagged)
    if told and _chapter(before[-1]) == _chapter(quotation):
        return None
    late = _late(quotation, subject) and not any(_late(q, subject) for q in before)
    if subject.whole and subject.chapters > 2 and late:
        return subject.says("end")
    return subject.says("in chapter", chapter=_chapter(quotation) + 1)


def _late(quotation: Quotation, subject: TextSubject) -> bool:
    return _chapter(quotation) >= _END * subject.chapters


def _chapter(quotation: Quotation) -> int:
    return quotation.citation.chapter


def _sayable(tie: Tie, subject: TextSubject) -> bool:
    """Whether there is a word for a relation in the language of the text."""
    return tie_word(tie.predicate, subject.language) is not None


def _before(n: int, count: int, subject: TextSubject, *, owners: bool = False) -> str:
    """Return what stands before one of several parts, or of several people whose relation somebody is."""
    if n == 0:
        return ""
    if owners and subject.language.is_chinese:
        return subject.says("between names")
    return subject.says("and" if n == count - 1 else "comma")


def _owner(tie: Tie, subject: TextSubject) -> str:
    owner = spelt(other_name(tie, subject.cast), subject.language)
    return owner if subject.language.is_chinese else possessive(owner)


def _tie(tie: Tie, subject: TextSubject) -> str:
    return subject.says("tie", owner=_owner(tie, subject), tie=tie_word(tie.predicate, subject.language))


def _tie_fact(tie: Tie, span: Span, subject: TextSubject) -> StatedFact:
    text = subject.says("is", name=subject.name) + _tie(tie, subject) + subject.says("stop")
    start = len(subject.says("is", name=subject.name))
    other = NamedSpan(Span(start, start + len(subject.name_of(tie.other))), tie.other)
    people = (NamedSpan(Span(0, len(subject.name)), subject.id), other)
    return StatedFact(text, Category.RELATIONSHIP, span, subject.id, people, tie.places)


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
