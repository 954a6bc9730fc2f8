"""Questions that readers may ask about the novels of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from pydantic import TypeAdapter

from evaluation.corpus.loading import about


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    question: str
    kind: str
    """Who, what, when, where, why, how, quote, relation or yes-no."""
    answer: str
    chapter: int
    """The chapter of the first quotation, counted from 1."""
    quotes: tuple[str, ...]
    """Places that bear out the answer, word for word, white space aside."""
    answerable_from: int
    """The first chapter after which an attentive reader can answer."""


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A sensible question that the novel never answers."""

    question: str
    why: str


@dataclass(frozen=True, slots=True)
class NovelQuestions:
    novel: str
    questions: tuple[CorpusQuestion, ...] = ()
    unanswerable: tuple[UnansweredQuestion, ...] = ()


_QUESTIONS: TypeAdapter[NovelQuestions] = TypeAdapter(NovelQuestions)
_WITHOUT_ANSWERS: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])


def questions(novel: str) -> NovelQuestions:
    """Return the questions about a novel. There may be none."""
    return about(novel, "questions", _QUESTIONS) or NovelQuestions(novel)


def count_questions() -> tuple[str, ...]:
    """Return questions that ask how often or how many, about many novels, without answers."""
    return _without_answers("count_questions.json")


def story_questions() -> tuple[str, ...]:
    """Return questions that ask what happens, without the words for where: “in chapter 5”."""
    return _without_answers("story_questions.json")


def _without_answers(name: str) -> tuple[str, ...]:
    file = files("evaluation.corpus").joinpath(name)
    return _WITHOUT_ANSWERS.validate_json(file.read_text("utf-8"))
