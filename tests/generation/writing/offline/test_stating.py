"""The facts that the offline sentences were composed from, each on its own."""

from __future__ import annotations

import pytest

from books.types import Book, Span
from coref.types import Annotations
from generation.contexts import make_context
from generation.story.cast import CastIndex
from generation.types import AnswerLimits, Category, Citation, Sentence, Task
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference
from generation.writing.offline.composed_from import ComposedItem
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import SentenceRealiser, TextPoint
from generation.writing.prompts import make_prompt
from tests.coref.conftest import make_book, person

HERE, THERE = Citation(Span(0, 3), 0), Citation(Span(4, 8), 0)
PEOPLE = (person("anna", "Anna", pronouns="she/her"), person("tom", "Tom", pronouns="he/him"))
IS = FiniteVerb("is", "are")


def told(*points: TextPoint) -> Sentence:
    teller = SentenceRealiser(
        NameChoice(CastIndex(make_book("Anna"), Annotations("hand/1", PEOPLE, (), ()))), "anna"
    )
    teller.sentence([TextPoint("anna", (IS, "here"), ())])
    sentence = teller.sentence(points)
    assert sentence is not None
    return sentence


def rows(sentence: Sentence) -> list[tuple[str, Category, str]]:
    return [(s.text, s.category, s.span.of(sentence.text)) for s in sentence.stated]


def test_pronouns_become_names_and_the_place_is_known() -> None:
    leaves = FiniteVerb("leaves", "leave", "leave")
    sentence = told(
        TextPoint(
            "anna",
            (
                leaves,
                PersonReference("tom", GrammaticalCase.OBJECT),
                "in",
                PersonReference("tom", GrammaticalCase.POSSESSIVE),
                "house",
            ),
            (HERE,),
        )
    )
    assert sentence.text == "She leaves Tom in his house."
    (fact,) = sentence.stated
    assert fact.text == "Anna leaves Tom in Tom’s house."
    assert fact.subject == "anna"
    assert fact.citations == (HERE,)
    assert [(n.character, n.span.of(fact.text)) for n in fact.people] == [
        ("anna", "Anna"),
        ("tom", "Tom"),
        ("tom", "Tom"),
    ]
    assert fact.span.of(sentence.text) == "She leaves Tom in his house"


def test_each_of_several_facts_has_its_own_place_and_citations() -> None:
    items = (
        ComposedItem((IS, "proud"), Category.PERSONALITY, (HERE,), 1, 2),
        ComposedItem((IS, "tall"), Category.OTHER, (THERE,), 1, 2),
    )
    sees = FiniteVerb("sees", "see", "see")
    sentence = told(
        TextPoint("anna", (IS, "proud and tall"), (HERE, THERE), items=items),
        TextPoint(
            "anna", (sees, PersonReference("tom", GrammaticalCase.OBJECT)), (THERE,), joint=", and later"
        ),
    )
    assert sentence.text == "She is proud and tall, and later sees Tom."
    assert rows(sentence) == [
        ("Anna is proud.", Category.PERSONALITY, "She is proud"),
        ("Anna is tall.", Category.OTHER, "tall"),
        ("Anna sees Tom.", Category.EVENT, "sees Tom"),
    ]
    assert [s.citations for s in sentence.stated] == [(HERE,), (THERE,), (THERE,)]


def test_what_a_sentence_begins_with_is_a_fact_where_it_tells_one() -> None:
    refuses = FiniteVerb("refuses", "refuse", "refuse")
    leaves = FiniteVerb("leaves", "leave", "leave")
    lead = ("After", "refusing", PersonReference("tom", GrammaticalCase.OBJECT))
    before = ComposedItem((refuses, PersonReference("tom", GrammaticalCase.OBJECT)), None, (HERE,))
    sentence = told(TextPoint("anna", (leaves,), (HERE, THERE), lead=lead, before=before))
    assert rows(sentence) == [
        ("Anna refuses Tom.", Category.EVENT, "After refusing Tom"),
        ("Anna leaves.", Category.EVENT, "she leaves"),
    ]
    assert [s.text for s in told(TextPoint("anna", (leaves,), (), lead=("Later",))).stated] == [
        "Anna leaves."
    ]


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS])
@pytest.mark.parametrize("who", ["bess", "tom", "crane", "nuttall", "lydia"])
def test_every_offline_sentence_says_what_it_was_composed_from(
    port: tuple[Book, Annotations], who: str, task: Task
) -> None:
    book, annotations = port
    prompt = make_prompt(make_context(book, annotations=annotations, people=[who]), task=task)
    (draft,) = OfflineGenerator().generate([prompt], AnswerLimits(words=90))
    assert draft.sentences
    for sentence in draft.sentences:
        assert sentence.stated
        for fact in sentence.stated:
            assert 0 <= fact.span.start < fact.span.end <= len(sentence.text)
            assert set(fact.citations) <= set(sentence.citations)
            assert all(n.character in {c.id for c in annotations.characters} for n in fact.people)
            assert not {"He", "She", "They"} & set(fact.text.split())
