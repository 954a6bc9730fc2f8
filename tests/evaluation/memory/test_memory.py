"""Tests of memory: what is asked, who takes them, and the figures, on the novella and made-up results."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from books.types import Book
from coref.types import Annotations
from evaluation.corpus.types import ChapterEvent, CorpusNovel
from evaluation.memory.contexts import Retrieved, Sought, Summarised, nothing, request, whole
from evaluation.memory.curve_picture import picture
from evaluation.memory.guessing import guess
from evaluation.memory.measuring import (
    NOTHING,
    UNUSABLE,
    TakenQuestion,
    accuracy,
    chance,
    curve,
    positions,
    taken,
    wrong,
)
from evaluation.memory.memory_sets import MemoryQuestion, ToldNovel, questions, told, written
from evaluation.memory.reconstruction import ALL, ANSWERED, Corrector, scores, tasks
from evaluation.memory.takers import ModelTaker, NearestTaker, WordsTaker
from evaluation.metrics.options import Options
from evaluation.metrics.qa import QuestionAnswering
from generation.models.scripted_model import ScriptedModel
from generation.quiz.types import QuizLevel, WhyWrong
from retrieval.events.sentences import event_sentences
from retrieval.index import BookIndex
from retrieval.registry import make_embedder
from tests.novella import OpenedNovella

Opened = tuple[Book, Annotations, BookIndex, ToldNovel]
EMBEDDER = make_embedder("hashing")


@pytest.fixture(scope="module")
def opened(low_water: OpenedNovella) -> Opened:
    """The novella, with the first main event of each chapter in its own words."""
    book, annotations, index = low_water
    events = [e for e in event_sentences(index, annotations) if e.rank < 3]
    chapters = tuple(
        ChapterEvent(e.chapter + 1, " ".join(book.slice(e.span).split()), book.slice(e.span)) for e in events
    )
    novel = CorpusNovel("novella", "Low Water", "Nobody", "dev", (), chapters)
    return book, annotations, index, told(novel, book, annotations)


@pytest.fixture(scope="module")
def asked(opened: Opened) -> list[MemoryQuestion]:
    book, annotations, _, novel = opened
    renamed = replace(novel, novel="other", happenings=novel.happenings[::2])
    return list(questions(novel, book, annotations, [novel, renamed], each=3))


def test_the_corpus_events_are_placed(opened: Opened) -> None:
    book, _, _, novel = opened
    assert novel.happenings
    for happening in novel.happenings:
        assert " ".join(book.slice(happening.place).split()) == happening.text
        assert happening.scene.span.overlaps(happening.place)


def test_each_chapter_is_asked_about_and_nothing_leaks(opened: Opened, asked: list[MemoryQuestion]) -> None:
    assert len({question.asked.at for question in asked}) >= len(opened[0].chapters) - 1
    for question in asked:
        places = {h.text: h.place for h in opened[3].happenings}
        for choice in question.asked.choices:
            if choice.why is None:
                assert places[choice.text].end <= question.asked.at
            if choice.why is WhyWrong.LATER:
                assert places[choice.text].start >= question.asked.at


def test_a_set_is_the_same_each_time(opened: Opened, asked: list[MemoryQuestion]) -> None:
    book, annotations, _, novel = opened
    renamed = replace(novel, novel="other", happenings=novel.happenings[::2])
    again = questions(novel, book, annotations, [novel, renamed], each=3)
    assert [question.asked for question in again] == [question.asked for question in asked]


def test_likeness_knows_a_sentence_word_for_word(opened: Opened, asked: list[MemoryQuestion]) -> None:
    choices = NearestTaker(EMBEDDER).take(asked, opened[2])
    results = [taken(question, choice) for question, choice in zip(asked, choices, strict=True)]
    known = [each for each in results if each.load is not None]
    right = accuracy(known)
    assert right is not None
    assert right.mean > 3 * chance(known)


def test_words_that_are_shown_are_known(opened: Opened, asked: list[MemoryQuestion]) -> None:
    known = [question for question in asked if question.asked.happening is not None]
    shown = WordsTaker(whole, "whole").take(known, opened[2])
    right = [question.asked.answer == choice for question, choice in zip(known, shown, strict=True)]
    assert sum(right) > 0.6 * len(right)
    blind = WordsTaker(nothing, "none").take(known, opened[2])
    assert blind == [len(question.asked.choices) for question in known]


@pytest.mark.parametrize(
    ("said", "choice"), [("3", 2), ("The answer is 1.", 0), ("6", 5), ("99 or 2", 1), ("none", None)]
)
def test_a_model_answers_with_a_number(
    opened: Opened, asked: list[MemoryQuestion], said: str, choice: int | None
) -> None:
    question = next(q for q in asked if len(q.asked.choices) == 5)
    assert ModelTaker(ScriptedModel([said]), nothing, "model").take([question], opened[2]) == [choice]


def test_what_a_model_is_shown(opened: Opened, asked: list[MemoryQuestion]) -> None:
    book, _, index, novel = opened
    question = next(q for q in asked if q.asked.happening is not None and q.asked.at < len(book.text) // 2)
    happening = question.asked.happening
    assert happening is not None
    sought = Sought("novella", (happening.text,), question.asked.at)
    (found,) = Retrieved(EMBEDDER, 1)(sought, index)
    assert found in book.text[: question.asked.at]
    assert happening.text.split()[0] in found
    assert len(Retrieved(EMBEDDER, 4)(replace(sought, texts=("a", happening.text)), index)) == 4
    assert nothing(sought, index) == ()
    assert Summarised([novel])(sought, index) == [
        h.text for h in novel.happenings if h.place.end <= question.asked.at
    ]
    read_so_far = whole(sought, index)
    assert read_so_far[-1] in book.text[: question.asked.at]


def test_the_end_of_what_is_shown_stays_where_there_is_little_room() -> None:
    model = ScriptedModel(context=400)
    paragraphs = [f"Paragraph {n} " + "word " * 30 for n in range(40)]
    (_, user) = request(model, "What?", paragraphs, answer=20).messages
    assert "Paragraph 39 " in user.content
    assert "Paragraph 0 " not in user.content
    assert model.count_prompt(request(model, "What?", paragraphs, answer=20).messages) <= 400 - 20


def result(**changes: object) -> TakenQuestion:
    right = TakenQuestion("a", choices=5, answer=1, taken=1, load=100, why=None, by_names=False)
    return replace(right, **changes)  # type: ignore[arg-type]


def test_the_figures() -> None:
    results = [
        result(),
        result(novel="b", load=3_000, taken=2, why="later"),
        result(novel="b", load=90_000, taken=None, why=UNUSABLE),
        result(novel="b", load=None, answer=5, taken=5),
    ]
    right = accuracy(results)
    assert right is not None
    assert right.mean == 0.5
    assert chance(results) == pytest.approx(1 / 6)
    assert [(p.low, p.high, p.accuracy.mean, p.accuracy.count) for p in curve(results, fewest=1)] == [
        (0, 2_000, 1.0, 1),
        (2_000, 5_000, 0.0, 1),
        (40_000, None, 0.0, 1),
    ]
    assert curve(results) == [], "too few questions"
    assert wrong(results) == {"later": 1, UNUSABLE: 1}
    assert positions(results) == {1: 3, 5: 1}
    drawn = ElementTree.fromstring(
        picture({"a & b": curve(results, fewest=1), "c": curve(results[:1], fewest=1)}, 1 / 6)
    )
    circles = [e for e in drawn.iter() if e.tag.endswith("circle")]
    assert len(circles) == 4
    assert float(circles[0].attrib["cy"]) < float(circles[1].attrib["cy"])


def test_why_a_choice_is_wrong(asked: list[MemoryQuestion]) -> None:
    question = next(q for q in asked if q.asked.happening is not None)
    asked_of = question.asked
    assert taken(question, asked_of.answer).why is None
    assert taken(question, len(asked_of.choices)).why == NOTHING
    for n, choice in enumerate(asked_of.choices):
        if n != asked_of.answer:
            assert taken(question, n).why == choice.why


def test_choices_that_can_be_told_apart_without_the_book(asked: list[MemoryQuestion]) -> None:
    def marked(question: MemoryQuestion, novel: str) -> MemoryQuestion:
        choices = tuple(
            replace(c, text="A storm came up." if c.why is None else f"Nobody {n} did it.")
            for n, c in enumerate(question.asked.choices)
        )
        return replace(question, novel=novel, asked=replace(question.asked, choices=choices))

    assert guess(asked, EMBEDDER) is None, "one novel teaches nothing of itself"
    told_apart = guess([marked(q, f"novel {n % 2}") for n, q in enumerate(asked)], EMBEDDER)
    assert told_apart is not None
    assert told_apart.accuracy == 1.0
    assert told_apart.chance == pytest.approx(0.2, abs=0.05)
    assert set(told_apart.by_kind) >= {"later", "people"}
    assert set(told_apart.by_kind.values()) == {1.0}


def test_scenes_told_by_a_model(opened: Opened) -> None:
    book, annotations, _, novel = opened
    corpus = CorpusNovel("novella", "Low Water", "Nobody", "dev", ())
    true = [f"Bess signs paper {n} for Mr. Nuttall." for n in range(12)]
    false = [f"Bess burns paper {n} of Mr. Nuttall." for n in range(12)]
    negated = [*(f"Bess does not sign paper {n} for Mr. Nuttall." for n in range(11)), true[11]]
    model = ScriptedModel([*true, *false, *negated])
    made = written(corpus, book, annotations, model, most=12)
    assert [h.text for h in made.happenings] == true
    assert [h.place for h in made.happenings] == sorted(h.scene.span for h in made.happenings)
    assert len(made.false) == 23, "one of them says the same as the true one"
    asked = [q.asked for q in questions(made, book, annotations, [novel], each=4)]
    kinds = {choice.why for question in asked for choice in question.choices}
    assert {WhyWrong.EVENTS, WhyWrong.NEGATED, WhyWrong.LATER} <= kinds
    places = {f.text: f.of.place for f in made.false if f.of is not None}
    for question in asked:
        target = question.happening
        for choice in question.choices:
            if choice.why in (WhyWrong.EVENTS, WhyWrong.NEGATED):
                assert places[choice.text].end <= question.at
                assert target is None or places[choice.text] != target.place


def test_corrected_summaries_are_asked_questions(opened: Opened) -> None:
    book, annotations, _, novel = opened
    given = tasks(novel, book, annotations)[:1]
    who, where = {"question": "Who?", "answer": "Bess"}, {"question": "Where?", "answer": "Bank"}

    def said(*answers: str) -> str:
        return json.dumps({"answers": [{"question": n, "answer": a} for n, a in enumerate(answers, 1)]})

    model = ScriptedModel(
        [json.dumps({"questions": [who, where]}), said("Bess", "Bank"), said("Tom", "the Bank")]
    )
    asking = QuestionAnswering(Options(model=model))
    found = scores(["Tom was at the Bank."], given, asking)
    assert found[ALL][ANSWERED] == found["scene"][ANSWERED] == 0.5
    assert ANSWERED not in scores(["Tom was at the Bank."], given)[ALL]


def test_summaries_are_given_to_be_corrected(opened: Opened) -> None:
    book, annotations, index, novel = opened
    given = tasks(novel, book, annotations)
    assert {task.level for task in given} == set(QuizLevel)
    model = ScriptedModel([task.right for task in given])
    assert Corrector(model, nothing, "model").correct("novella", given, index) == [t.right for t in given]
    ((first, *_),) = model.asked
    assert given[0].given in first.messages[-1].content
