"""What texts without a language model cite of the key facts, and their length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from evaluation.corpus.quotations import find
from evaluation.corpus.types import CorpusNovel, CorpusPerson
from evaluation.keyfacts.people import character_of
from evaluation.portraits.types import OpenedBook
from generation.answering import default_words
from generation.contexts import make_context
from generation.protocols import Generator
from generation.types import AnswerLimits, Draft, Task
from generation.writing.prompts import make_prompt


@dataclass(frozen=True, slots=True)
class DescribedPerson:
    """One description or analysis: which of the person's key facts it cites."""

    sentences: int
    words: int
    facts: int
    cited: int
    """Key facts with a quotation that the text cites a part of."""
    hits: int
    """Sentences that cite a part of a key fact's quotation."""


@dataclass(frozen=True, slots=True)
class WritingFigures:
    people: int
    facts_cited: float
    """Share of the key facts."""
    sentences_telling: float
    """Share of the sentences that cite a key fact's quotation. Others may be telling, too."""
    words: float
    """The median."""


def described(
    novel: CorpusNovel, opened: OpenedBook, generator: Generator, task: Task = Task.DESCRIPTION
) -> Iterator[DescribedPerson]:
    """Yield what is written of each person. There is nothing of who is no character of the annotations."""
    for person in novel.people:
        character = character_of(person, opened.annotations)
        if character is None:
            yield DescribedPerson(0, 0, len(person.true), 0, 0)
            continue
        context = make_context(opened.book, annotations=opened.annotations, people=[character])
        prompt = make_prompt(context, task=task, telling=opened.telling(character.id))
        draft = generator.generate(prompt, AnswerLimits(words=default_words(task)))
        yield _measured(person, draft, opened.book.text)


def _measured(person: CorpusPerson, draft: Draft, text: str) -> DescribedPerson:
    spans = [(n, span) for n, fact in enumerate(person.true) for q in fact.quotes if (span := find(q, text))]
    found = [
        {n for n, span in spans if any(c.span.overlaps(span) for c in sentence.citations)}
        for sentence in draft.sentences
    ]
    return DescribedPerson(
        sentences=len(draft.sentences),
        words=len(draft.text.split()),
        facts=len(person.true),
        cited=len(set().union(*found)),
        hits=sum(bool(each) for each in found),
    )


def figures(people: Iterable[DescribedPerson]) -> WritingFigures:
    every = list(people)
    facts, sentences = sum(p.facts for p in every), sum(p.sentences for p in every)
    return WritingFigures(
        people=len(every),
        facts_cited=sum(p.cited for p in every) / facts if facts else 0.0,
        sentences_telling=sum(p.hits for p in every) / sentences if sentences else 0.0,
        words=median(p.words for p in every) if every else 0.0,
    )
