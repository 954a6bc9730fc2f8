"""The answer to a question offline: sentences of the likeliest place, or that the book does not say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.types import EntityCategory, Mention, MentionKind
from generation.phrases import phrase
from generation.story.named_people import asks_who
from generation.types import (
    AnswerLanguage,
    AnswerLimits,
    Category,
    Citation,
    Draft,
    Sentence,
    StatedFact,
    Task,
)
from generation.writing.offline import reply
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.offline.reply import SURE, who_they_are
from generation.writing.prompts import make_prompt
from retrieval.asking.kinds import QuestionKind
from retrieval.types import AnsweringPlace, ScoredSpan
from tests.generation.novel import story
from tests.generation.writing.told import Told, prompt

NOT_SAID = phrase(AnswerLanguage.ENGLISH, "unsaid")

MARRIED = "Tom married Lydia Sand in the spring."
SAVED = "Bess saved Captain Crane from the water."
LOST = "Captain Crane lost the ship on the sand."


def place(told: Told, score: float, **sentences: float) -> AnsweringPlace:
    texts = {"married": MARRIED, "saved": SAVED, "lost": LOST}
    book = told[0]
    found = []
    for name, chance in sentences.items():
        start = book.text.index(texts[name])
        found.append(ScoredSpan(Span(start, start + len(texts[name])), chance))
    found.sort(key=lambda s: s.span)
    chapter = book.chapter_at(found[0].span.start)
    assert chapter is not None
    return AnsweringPlace(
        Span(found[0].span.start, found[-1].span.end), chapter.index, (), score, tuple(found)
    )


def draft(told: Told, *places: AnsweringPlace, words: int = 60) -> Draft:
    context = replace(prompt(told, task=Task.QUESTION).context, people=())
    made = make_prompt(context, task=Task.QUESTION, question="What happened?", places=places)
    return OfflineGenerator().draft(made, AnswerLimits(words=words))


def test_sentences_that_follow_each_other_in_a_paragraph_are_quoted_as_one(harbour: Told) -> None:
    (said,) = draft(harbour, place(harbour, 0.9, lost=0.75, saved=0.8)).sentences
    assert said.text == f"Chapter 3: “{LOST} {SAVED}”"
    assert said.citations[0].span.of(harbour[0].text) == f"{LOST} {SAVED}"
    assert said.remark


def test_those_around_the_nearest_as_far_as_there_are_words(harbour: Told) -> None:
    shown = place(harbour, 0.9, married=0.1, lost=0.3, saved=0.4)
    (few,) = draft(harbour, shown, words=18).sentences
    assert few.text == f"Chapter 2: “{LOST} {SAVED}”"
    married, rest = draft(harbour, shown).sentences
    assert (married.text, rest.text) == (f"Chapter 2: “{MARRIED}”", f"“{LOST} {SAVED}”")


def test_few_words_keep_one_sentence(harbour: Told) -> None:
    (only,) = draft(harbour, place(harbour, 0.9, lost=0.75, saved=0.8), words=10).sentences
    assert only.text.endswith(f"“{SAVED}”")


def test_a_sentence_with_a_location_is_nearer_to_where(
    harbour: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, known = harbour
    start = book.text.index(LOST) + LOST.index("the sand")
    sand = Mention(Span(start, start + 8), MentionKind.NOMINAL, None, category=EntityCategory.LOCATION)
    told = (book, replace(known, mentions=(*known.mentions, sand)))
    asked = place(harbour, 0.9, lost=0.75, saved=0.8)
    for kind, shown in ((QuestionKind.WHERE, LOST), (QuestionKind.WHY, SAVED)):
        monkeypatch.setattr(reply, "kind_of", lambda _, kind=kind: kind)
        (only,) = draft(told, asked, words=10).sentences
        assert only.text.endswith(f"“{shown}”")


def test_other_sure_places_are_pointed_to(harbour: Told) -> None:
    answer, also = draft(harbour, place(harbour, 0.9, saved=0.9), place(harbour, 0.7, married=0.2)).sentences
    assert answer.heading is None
    assert (also.heading, also.text) == ("See also", f"Chapter 2: “{MARRIED}”")


def test_it_says_when_no_place_is_likely(harbour: Told) -> None:
    (only,) = draft(harbour).sentences
    unsaid, near = draft(harbour, place(harbour, SURE - 0.01, saved=0.9)).sentences
    assert only.text == unsaid.text == NOT_SAID
    assert only.citations == unsaid.citations == ()
    assert (near.heading, near.text) == ("The nearest places", f"Chapter 3: “{SAVED}”")


def test_places_after_the_gate_are_not_used(harbour: Told) -> None:
    context = replace(prompt(harbour, task=Task.QUESTION).context, people=(), upto=10)
    made = make_prompt(context, task=Task.QUESTION, question="?", places=[place(harbour, 0.9, saved=0.9)])
    assert made.places == ()


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who is Bess?", True),
        ("who's Bess Farrow", True),
        ("Who is she?", True),
        ("Who is the narrator?", True),
        ("Who is Bess in chapter 3?", True),
        ("What does Bess do in chapter 3?", False),
        ("Bess", True),
        ("And Bess Farrow?", True),
        ("So who is Bess?", True),
        ("Where is Bess?", False),
        ("Has Bess been there before?", False),
        ("And why?", False),
        ("Whom did Bess save?", False),
    ],
)
def test_who_somebody_is_is_told_as_in_a_description(harbour: Told, question: str, who: bool) -> None:
    context = prompt(harbour, "bess").context
    assert asks_who(question, context.people) == who
    assert not asks_who(question, ())
    asked = make_prompt(context, task=Task.QUESTION, question=question)
    described = make_prompt(context, task=Task.DESCRIPTION)
    texts = [OfflineGenerator().draft(made, AnswerLimits(words=60)).text for made in (asked, described)]
    assert (texts[0] == texts[1]) == who
    if who:
        found = make_prompt(
            context, task=Task.QUESTION, question=question, places=[place(harbour, 0.9, saved=0.9)]
        )
        *_, said = OfflineGenerator().draft(found, AnswerLimits(words=60)).sentences
        assert (said.heading, said.text) == ("In the book", f"Chapter 3: “{SAVED}”")


@pytest.mark.parametrize("name", ["A. J. Raffles", "The Man in the Mask", "Will"])
def test_a_name_alone_asks_who_bears_it(name: str) -> None:
    _, annotations = story(f"# One\n\n[{name}|he] sang.\n", he=f"{name}/he")
    assert asks_who(name, annotations.characters)
    assert asks_who(f"{name}?", annotations.characters)
    assert not asks_who(f"Where is {name}?", annotations.characters)


def test_an_answer_quotes_nothing_that_the_portrait_quotes(harbour: Told) -> None:
    found, other = place(harbour, 0.9, saved=0.9, lost=0.8), place(harbour, 0.8, saved=0.8, lost=0.9)
    context = prompt(harbour, "bess").context
    asked = make_prompt(context, task=Task.QUESTION, question="Who is Bess?", places=[found, other])
    saved = next(s.span for s in found.sentences if s.score == 0.9)
    citation = Citation(saved, found.chapter)
    fact = StatedFact(SAVED, Category.EVENT, Span(0, 1), "bess", citations=(citation,), quoted=True)
    portrait = [Sentence(SAVED, (citation,), stated=(fact,))]
    _, said = who_they_are(asked, 60, portrait)
    assert (said.heading, said.text) == ("In the book", f"Chapter 3: “{LOST}”")
    little = Sentence("Little can be said.", (), remark=True)
    beside = who_they_are(replace(asked, places=(found,)), 60, [little, *portrait])[2:]
    assert beside[0].heading == "In the book"
    assert all(found.span.covers(s.citations[0].span) and SAVED not in s.text for s in beside)
    tie = replace(fact, quoted=False)
    _, both = who_they_are(asked, 60, [replace(portrait[0], stated=(tie,))])
    assert both.text == f"Chapter 3: “{LOST} {SAVED}”"


def test_a_portrait_that_says_little_gives_way_to_the_nearest_places(harbour: Told) -> None:
    near = place(harbour, SURE - 0.01, saved=0.9)
    context = prompt(harbour, "bess").context
    asked = make_prompt(context, task=Task.QUESTION, question="Who is Bess?", places=[near])
    little = Sentence("Little can be said.", (), remark=True)
    unsaid, said = who_they_are(asked, 60, [little])
    assert (unsaid.text, said.heading) == (NOT_SAID, "The nearest places")
    said_of_her = replace(little, remark=False)
    assert who_they_are(asked, 60, [said_of_her]) == [said_of_her]
    asked = replace(
        asked, context=replace(context, annotations=replace(context.annotations, narrator="bess"))
    )
    narrates = replace(little, characters=("bess",))
    assert who_they_are(asked, 60, [narrates]) == [narrates]
