"""Citations on the first chapter of the novella as `native` reads it, which takes seconds: a quick guard."""

from __future__ import annotations

import pytest

from books.reading import read
from coref.lookup import find
from coref.registry import make_resolver
from evaluation import novella
from evaluation.judging.facts import answer_sentences
from evaluation.judging.types import AnswerSentence
from generation.contexts import make_context
from generation.types import Sentence, Task
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.citations import attach
from generation.writing.prompts import make_prompt
from retrieval.passages import split

Cited = list[tuple[AnswerSentence, Sentence]]


@pytest.fixture(scope="module")
def cited() -> Cited:
    """The hand-written sentences with words of the chapter, each citing the passage that has them."""
    whole = read(novella.text().encode(), name="novella.txt")
    book = read(whole.slice(whole.chapters[0].span).encode(), name="chapter.txt")
    annotations = make_resolver("native").annotate(book)
    told = {n: " ".join(passage.text.split()) for n, passage in enumerate(split(book), 1)}
    made: Cited = []
    for said in answer_sentences():
        homes = [n for n, text in told.items() if said.words in text][:1]
        if homes:
            person = find(annotations, said.character)
            context = make_context(book, annotations=annotations, people=[person])
            prompt = make_prompt(context, task=Task.DESCRIPTION, passages=split(book))
            made += [(said, *attach([WrittenSentence(said.text, tuple(homes))], prompt))]
    return made


def test_false_sentences_keep_no_citation(cited: Cited) -> None:
    false = [sentence for said, sentence in cited if not said.true]
    assert len(false) == 3
    assert not any(sentence.citations for sentence in false)


def test_most_true_sentences_keep_theirs(cited: Cited) -> None:
    true = [sentence for said, sentence in cited if said.true]
    assert len(true) == 4
    assert sum(bool(sentence.citations) for sentence in true) >= 3
