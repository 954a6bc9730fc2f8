"""The offline generator: certain statements, and then the book's own sentences in story order."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from books.types import Span, count_words
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.story.quotation import UNKNOWN, Quotation
from generation.story.types import Tie
from generation.types import PORTRAITS, AnswerLanguage, AnswerLimits, Citation, Draft, Sentence, Task, Usage
from generation.writing.offline.analysis import analysis
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.offline.description import description
from generation.writing.offline.sentences import lead, opening
from generation.writing.offline.subject import TextSubject
from retrieval.types import AnsweringPlace, Category, Passage, ScoredSpan
from tests.generation.indexed import IndexedStory
from tests.generation.story.telling import tell
from tests.generation.story.test_quotations import letters
from tests.generation.story.test_statements import PEOPLE, SISTERS

QUOTED = re.compile(r"“([^”]*)”")
COUNTS = re.compile(
    r"\b(?:mention(?:s|ed)?|times|per cent|quotes?|paragraphs?|most often|all \w+ chapters)\b|%"
)


def own_words(sentence: Sentence) -> str:
    """What the writer says, and not the book."""
    return QUOTED.sub("", sentence.text)


def parts(draft: Draft) -> list[list[Sentence]]:
    """The sentences under each heading."""
    found: list[list[Sentence]] = []
    for sentence in draft.sentences:
        if sentence.heading or not found:
            found.append([])
        found[-1].append(sentence)
    return found


@pytest.mark.parametrize("task", PORTRAITS)
def test_it_quotes_the_book_in_story_order(novella_story: IndexedStory, task: Task) -> None:
    people = [c.id for c in novella_story.annotations.characters[:2]]
    draft = novella_story.draft(task, *people[: 2 if task is Task.JOINT else 1], words=200)
    quoted = 0
    for sentences in parts(draft):
        places = [fact.citations[0].span for s in sentences for fact in s.stated if fact.quoted]
        told = places if task is Task.ANALYSIS else places[1:]
        assert told == sorted(told), "who somebody is may come first"
        for sentence in sentences:
            for fact in (fact for fact in sentence.stated if fact.quoted):
                quoted += 1
                (said,) = QUOTED.findall(sentence.text)
                assert fact.span is not None
                assert fact.span.of(sentence.text) == f"“{said}”"
                assert letters(fact.text) == letters(said)
                assert letters(said) == letters(novella_story.book.slice(fact.citations[0].span))
                assert sentence.citations == fact.citations
    assert quoted >= 2


@pytest.mark.parametrize("task", list(Task))
def test_there_are_no_counts(novella_story: IndexedStory, task: Task) -> None:
    people = [c.id for c in novella_story.annotations.characters[:2]]
    for who in ([people[0]], [people[1]]) if task is not Task.JOINT else (people,):
        for sentence in novella_story.draft(task, *who, words=300).sentences:
            assert not COUNTS.search(own_words(sentence)), sentence.text


@pytest.mark.parametrize("words", [40, 90, 200])
def test_the_length_is_kept(novella_story: IndexedStory, words: int) -> None:
    for character in novella_story.annotations.characters[:5]:
        for task in (Task.DESCRIPTION, Task.ANALYSIS):
            draft = novella_story.draft(task, character.id, words=words)
            assert sum(len(s.text.split()) for s in draft.sentences) <= 1.25 * words
    assert draft.usage == Usage(seconds=draft.usage.seconds)  # of a language model, which it is not


def test_a_place_is_told_once() -> None:
    said = SimpleNamespace(whole=True, chapters=20, name="Ann", says=lambda key, **_: key)
    subject = cast("TextSubject", said)
    told = [quotation(chapter=4), quotation(chapter=4, tagged=True), quotation(chapter=4)]
    ends = [quotation(chapter=18), quotation(chapter=19), quotation(chapter=19)]
    shown = [quotation(chapter=1), *told, *ends]
    leads = [lead(subject, q, shown[:n]) for n, q in enumerate(shown)]
    assert leads == ["in chapter", "in chapter", None, None, "end", "in chapter", None]
    assert lead(subject, quotation(chapter=1), (), presents=True) == "told of"


def test_whoever_is_spoken_of_first_is_named() -> None:
    named = SimpleNamespace(her="her", name="Ann", says=lambda key, name: f"{key} {name}")
    subject, said = cast("TextSubject", named), replace(quotation(chapter=1), speaker=UNKNOWN)
    assert lead(subject, said, ()) == "somebody says of Ann"
    assert lead(subject, said, [said]) == "somebody says of her"
    named = SimpleNamespace(she="she", name="the captain", says=lambda key, name: f"{name} {key}")
    subject, said = cast("TextSubject", named), replace(said, speaker=said.character)
    assert lead(subject, said, ()) == "The captain says"


@pytest.mark.parametrize(
    ("predicates", "narrates", "language", "text"),
    [
        ("sister", False, "en", "Ann Hale is Bess Hale’s sister."),
        ("sister wife", True, "en", "Ann Hale is Bess Hale’s sister, Tom Reed’s wife and the narrator."),
        (
            "friend sister friend",
            False,
            "en",
            "Ann Hale is Bess Hale’s and Mrs. Hale’s friend and Tom Reed’s sister.",
        ),
        ("friend friend friend", False, "en", "Ann Hale is Bess Hale’s, Tom Reed’s and Mrs. Hale’s friend."),
        ("friend friend", True, "zh", "Ann Hale是Bess Hale、Tom Reed的朋友，也是叙述者。"),
        ("", True, "en", "Ann Hale is the narrator."),
    ],
)
def test_relations_of_a_kind_are_told_together(
    predicates: str, narrates: bool, language: str, text: str
) -> None:
    book, annotations = tell(f"# One\n\n{SISTERS}[Tom Reed|tom] saw [Mrs. Hale|ruth].", **PEOPLE)
    context = make_context(book, annotations=annotations, people=["ann"])
    known = cast_of(book, annotations)
    subject = TextSubject.of(context, context.people[0], (), known, AnswerLanguage(language))
    others = ("bess", "tom", "ruth")
    ties = [Tie("ann", term, other) for term, other in zip(predicates.split(), others, strict=False)]
    sentence = opening(replace(subject, ties=tuple(ties), narrates=narrates), 3)
    assert sentence is not None
    assert sentence.text == text
    assert sentence.remark is not bool(ties), "only a relation is a fact to be checked"
    assert {fact.people[1].character for fact in sentence.stated} == {tie.other for tie in ties}
    for fact in sentence.stated:
        assert fact.people[1].span.of(fact.text) in fact.span.of(sentence.text)
    for fact, following in pairwise(sentence.stated):
        assert fact.span.end <= following.span.start


def test_the_narrator_without_a_name_is_not_said_to_be_the_narrator() -> None:
    book, annotations = tell(f"# One\n\n{SISTERS}", **PEOPLE)
    context = make_context(book, annotations=annotations, people=["ann"])
    person = replace(context.people[0], name="the narrator")
    subject = TextSubject.of(context, person, (), cast_of(book, annotations), AnswerLanguage.ENGLISH)
    assert opening(replace(subject, ties=(), narrates=True), 3) is None
    sister = Tie("ann", "sister", "bess")
    told = opening(replace(subject, ties=(sister,), narrates=True), 3)
    assert told is not None
    assert told.text == "The narrator is Bess Hale’s sister."


def quotation(*, chapter: int, tagged: bool = False) -> Quotation:
    span = Span(10_000 * chapter, 10_000 * chapter + 5)
    speaker = "tom" if tagged else None
    place = Citation(span, chapter)
    return Quotation("Words.", place, "ann", Category.EVENT, speaker, tagged, 1.0, 1.0, 1.0, {})


def test_no_sentence_is_quoted_twice(novella_story: IndexedStory) -> None:
    person = novella_story.annotations.characters[0].id
    draft = novella_story.draft(Task.ANALYSIS, person, words=600)
    places = [fact.citations[0].span for s in draft.sentences for fact in s.stated if fact.quoted]
    assert len(places) == len(set(places))
    headings = [s.heading for s in draft.sentences if s.heading]
    assert headings[0] == "Part in the story"
    assert len(headings) == len(set(headings)) >= 2


def test_the_opening_says_what_is_certain(tmp_path: Path) -> None:
    story = IndexedStory.make(*tell(f"# One\n\n{SISTERS}", **PEOPLE), tmp_path)
    first = story.draft(Task.DESCRIPTION, "ann").sentences[0]
    assert re.fullmatch(r"Ann Hale is Bess Hale’s (?:\w+ )?sister\.", first.text)
    (fact,) = first.stated
    assert not fact.quoted
    assert [named.span.of(fact.text) for named in fact.people] == ["Ann Hale", "Bess Hale"]
    assert first.citations


def test_a_quotation_has_a_short_introduction_if_any(novella_story: IndexedStory) -> None:
    person = novella_story.annotations.characters[0]
    said = [s for s in novella_story.draft(Task.DESCRIPTION, person.id).sentences if "“" in s.text]
    for sentence in said:
        assert re.fullmatch(r"(?:[A-Z][^“”]{2,60}: )?“[^“”]+”", sentence.text), sentence.text


def test_whoever_is_mentioned_once(harbour_story: IndexedStory) -> None:
    early = harbour_story.upto(1)
    for task in (Task.DESCRIPTION, Task.ANALYSIS):
        told = " ".join(s.text for s in early.draft(task, "tom").sentences)
        assert "Tom Farrow stayed at home" in told
    description = early.draft(Task.DESCRIPTION, "tom").sentences
    assert description[0].text == "Tom Farrow is Bess Farrow’s brother."


def test_whoever_nothing_is_known_of(tmp_path: Path) -> None:
    book = tell("# One\n\n[Ann Hale|ann] saw [Tom Reed|tom].", ann="Ann Hale/she", tom="Tom Reed/he")
    description = IndexedStory.make(*book, tmp_path).draft(Task.DESCRIPTION, "tom").sentences
    assert description[0].text == "Little can be said of Tom Reed with certainty."
    assert (description[0].citations, description[0].stated) == ((), ())


@pytest.mark.parametrize(("told", "own"), [(0, 3), (2, 3), (3, 0)])
def test_what_they_say_themselves_describes_whoever_the_book_tells_little_of(
    harbour_story: IndexedStory, told: int, own: int
) -> None:
    """Three quotations are of the book's, and three of theirs."""
    context = harbour_story.context("nuttall")
    places = [Citation(paragraph.span, 0) for paragraph in context.book.paragraphs]
    even = dict.fromkeys(Category, 0.0)
    alike = replace(quotation(chapter=0), character="nuttall", worth=0.8, by_category=even)
    the_books = [replace(alike, text=word, citation=places[n]) for n, word in enumerate(("ab", "cd", "ef"))]
    theirs = [
        replace(alike, text=word, citation=places[n], speaker="nuttall")
        for n, word in enumerate(("gh", "ij", "kl"), 3)
    ]
    known = cast_of(context.book, context.annotations)
    nuttall = replace(TextSubject.of(context, context.people[0], (), known), ties=(), who=None)
    subject = replace(nuttall, said=(*the_books[:told], *theirs))
    shown = description(subject, 100)
    assert sum(" says: " in s.text for s in shown) == own
    assert len(shown) == told + own
    assert sum(" says: " in s.text for s in analysis(subject, 600)) == 3, "there is room"


@pytest.mark.parametrize("narrates", [False, True])
def test_the_line_that_says_who_they_are_is_quoted_first(
    harbour_story: IndexedStory, *, narrates: bool
) -> None:
    context = harbour_story.context("nuttall")
    places = [Citation(paragraph.span, 0) for paragraph in context.book.paragraphs]
    even = dict.fromkeys(Category, 0.0)
    alike = replace(quotation(chapter=0), character="nuttall", worth=0.8, by_category=even)
    told = tuple(replace(alike, text=word, citation=places[n]) for n, word in enumerate(("ab", "cd", "ef")))
    who = replace(alike, text="gh", citation=places[3], worth=0.1)
    known = cast_of(context.book, context.annotations)
    nuttall = TextSubject.of(context, context.people[0], (), known)
    subject = replace(nuttall, ties=(), said=told, who=who, narrates=narrates)
    shown = description(subject, 100)
    assert len(shown) == len(told) + 1 + narrates
    assert QUOTED.findall(shown[int(narrates)].text) == ["gh"]
    analysed = analysis(subject, 100)
    assert QUOTED.findall(analysed[int(narrates)].text) == ["gh"]
    assert ("The book says of" in analysed[int(narrates)].text) is not narrates
    assert [QUOTED.findall(s.text) for s in analysed].count(["gh"]) == 1


def test_of_whom_only_that_is_to_be_quoted_little_can_be_said(harbour_story: IndexedStory) -> None:
    context = harbour_story.context("nuttall")
    known = cast_of(context.book, context.annotations)
    who = replace(quotation(chapter=0), character="nuttall", worth=0.8)
    subject = replace(TextSubject.of(context, context.people[0], (), known), ties=(), who=who)
    little, quoted = analysis(subject, 100)
    assert little.text == "Little can be said of Mr. Nuttall with certainty."
    assert quoted.citations == (who.citation,)


def test_who_they_are_counts_among_the_words_of_an_analysis(harbour_story: IndexedStory) -> None:
    context = harbour_story.context("nuttall")
    places = [Citation(paragraph.span, 0) for paragraph in context.book.paragraphs]
    every = dict.fromkeys(Category, 0.0)
    alike = replace(quotation(chapter=0), character="nuttall", worth=0.8, by_category=every)
    texts = [" ".join(f"{letter}{n}" for n in range(4 if letter in "abcd" else 20)) for letter in "abcde"]
    *said, who = (replace(alike, text=text, citation=places[n]) for n, text in enumerate(texts))
    known = cast_of(context.book, context.annotations)
    nuttall = TextSubject.of(context, context.people[0], (), known)
    made = analysis(replace(nuttall, ties=(), said=tuple(said), who=who), 30)
    assert QUOTED.findall(made[0].text) == [who.text]
    assert sum(count_words(sentence.text) for sentence in made) <= 30


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS])
def test_whoever_has_no_sentence_is_quoted_where_they_are_first_named(
    harbour_story: IndexedStory, task: Task
) -> None:
    prompt = harbour_story.prompt(task, "nuttall")
    nobody = type(prompt)(task=task, context=prompt.context)
    little, named = OfflineGenerator().draft(nobody, AnswerLimits()).sentences
    assert little.text == "Little can be said of Mr. Nuttall with certainty."
    assert "Nuttall" in QUOTED.findall(named.text)[0]
    first = min(m.span for m in harbour_story.annotations.mentions if m.character == "nuttall")
    assert named.citations[0].span.covers(first)
    elsewhere = Passage(0, Span(0, first.start), 0, "")
    (only,) = OfflineGenerator().draft(replace(nobody, passages=(elsewhere,)), AnswerLimits()).sentences
    assert only == little


def test_who_is_only_named_is_quoted_there_when_it_is_asked_who_they_are(harbour_story: IndexedStory) -> None:
    prompt = harbour_story.prompt(Task.QUESTION, "nuttall")
    place = Span(0, 40)
    far = AnsweringPlace(place, 0, (0,), 0.01, (ScoredSpan(place, 0.01),))
    asked = replace(prompt, question="Who is Mr. Nuttall?", telling=(), places=(far,))
    said = OfflineGenerator().draft(asked, AnswerLimits()).sentences
    assert said[0].text.startswith("Little can be said")
    assert "Nuttall" in QUOTED.findall(said[1].text)[0]


def test_nothing_is_quoted_from_later(harbour_story: IndexedStory) -> None:
    early = harbour_story.upto(1)
    for task in (Task.DESCRIPTION, Task.ANALYSIS):
        draft = early.draft(task, "bess", words=400)
        cited = [c for s in draft.sentences for c in s.citations]
        assert cited
        assert all(c.span.end <= len(early.book.text) for c in cited)
        assert not any("In the end" in s.text for s in draft.sentences), "the reader has not reached it"


def test_what_is_between_people_comes_first(harbour_story: IndexedStory) -> None:
    draft = harbour_story.draft(Task.JOINT, "bess", "crane")
    first, *entries = parts(draft)
    assert first[0].heading == "Between them"
    assert all({"Bess", "Crane"} & set(re.findall(r"\w+", s.text)) for s in first)
    assert [sentences[0].heading for sentences in entries] == ["Bess Farrow", "Captain Crane"]


def test_what_is_said_between_them_is_not_said_again(tmp_path: Path) -> None:
    story = IndexedStory.make(*tell(f"# One\n\n{SISTERS}", **PEOPLE), tmp_path)
    first, *entries = parts(story.draft(Task.JOINT, "ann", "bess"))
    assert first[0].text == "Ann Hale is Bess Hale’s eldest sister."
    again = [fact.citations for entry in entries for s in entry for fact in s.stated]
    assert not {*again} & {fact.citations for s in first for fact in s.stated}


def test_a_sentence_that_first_names_two_people_is_quoted_once(tmp_path: Path) -> None:
    told = "In the room sat [Ann Hale|ann] and [Tom Reed|tom], who talked."
    story = IndexedStory.make(*tell(f"# One\n\n{told}", ann="Ann Hale/she", tom="Tom Reed/he"), tmp_path)
    prompt = replace(story.prompt(Task.JOINT, "ann", "tom"), telling=())
    said = OfflineGenerator().draft(prompt, AnswerLimits()).sentences
    assert sum("In the room sat" in sentence.text for sentence in said) == 1


def test_people_with_nothing_between_them(harbour_story: IndexedStory) -> None:
    draft = harbour_story.upto(1).draft(Task.JOINT, "tom", "nuttall")
    assert [sentences[0].heading for sentences in parts(draft)] == ["Tom Farrow", "Mr. Nuttall"]


def test_passages_that_were_asked_for_are_the_only_ones_quoted(harbour_story: IndexedStory) -> None:
    prompt = harbour_story.prompt(Task.DESCRIPTION, "bess")
    home = next(p for p in harbour_story.book.paragraphs if "tide table" in harbour_story.book.slice(p.span))
    shown = Passage(home.index, home.span, home.chapter, harbour_story.book.slice(home.span))
    narrow = type(prompt)(prompt.task, prompt.context, passages=(shown,), telling=prompt.telling)
    draft = OfflineGenerator().draft(narrow, AnswerLimits())
    quoted = [f for s in draft.sentences for f in s.stated if f.quoted]
    assert quoted
    assert all(home.span.covers(fact.citations[0].span) for fact in quoted)


def test_the_same_prompt_gives_the_same_draft(harbour_story: IndexedStory) -> None:
    one, other = (harbour_story.draft(Task.ANALYSIS, "bess") for _ in range(2))
    assert one.sentences == other.sentences
