"""The story offline: the book's own sentences in story order, with names where pronouns stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.types import Quote
from generation.types import AnswerLimits, Citation, Draft, Sentence, Task
from generation.writing.offline import story as offline_story
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.offline.story import who_is_who
from generation.writing.prompts import make_prompt
from retrieval.types import Category, EventSentence, TellingSentence
from tests.generation.novel import story
from tests.generation.writing.told import Told, prompt

FIRST = "Bess Farrow came by the morning train."
BROWN = "Bess was brown and obliging."
SAID = "“It is a clerk,” said"
NEVER = "Bess was never late."
MARRIED = "Tom married Lydia Sand in the spring."
SAVED = "Bess saved Captain Crane from the water."
ENDS = ((0, "sail"), (1, "sink"))
LOST = "Captain Crane lost the ship on the sand."


def events(told: Told, *texts: str) -> list[EventSentence]:
    """Return these sentences: the first of a chapter leads it, and the sooner the higher its score."""
    book, found = told[0], list[EventSentence]()
    for text in texts:
        start = book.text.index(text)
        chapter = book.chapter_at(start)
        assert chapter is not None
        rank = sum(e.chapter == chapter.index for e in found)
        span, score = Span(start, start + len(text)), -float(len(found))
        found.append(EventSentence(span, chapter.index, chapter.index, rank, score))
    return found


def draft(
    told: Told, *texts: str, task: Task = Task.SUMMARY, words: int = 100, chapter: int | None = None
) -> Draft:
    context = prompt(told, task=task).context
    made = make_prompt(context, task=task, events=events(told, *texts), chapter=chapter)
    return OfflineGenerator().draft(made, AnswerLimits(words=words))


def test_a_book_is_told_under_its_chapters_in_story_order(harbour: Told) -> None:
    sentences = draft(harbour, SAVED, LOST, MARRIED, FIRST).sentences
    assert [s.text for s in sentences] == [f"“{text}”" for text in (FIRST, MARRIED, LOST, SAVED)]
    assert [s.heading for s in sentences] == ["The Board", "The Tide", "The Wreck", None]
    assert all(s.remark and s.line and not s.stated for s in sentences)
    assert [s.citations[0].chapter for s in sentences] == [0, 1, 2, 2]
    assert all(s.citations[0].span.of(harbour[0].text) in s.text for s in sentences)
    assert sentences[1].characters == ("tom", "lydia")


def test_few_words_keep_what_tells_most(harbour: Told) -> None:
    texts = (SAVED, LOST, MARRIED, FIRST)
    assert [s.text for s in draft(harbour, *texts, words=8).sentences] == [f"“{SAVED}”"]
    short = draft(harbour, *texts, words=22).sentences
    assert [s.text for s in short] == [f"“{t}”" for t in (FIRST, MARRIED, SAVED)], (
        "each chapter before a second"
    )


def test_the_sentences_are_from_all_parts_of_the_story(harbour: Told) -> None:
    short = draft(harbour, SAVED, MARRIED, FIRST, words=18).sentences
    assert [s.text for s in short] == [f"“{text}”" for text in (FIRST, SAVED)]


def test_a_chapter_has_three_sentences_even_in_few_words(harbour: Told) -> None:
    sentences = draft(harbour, FIRST, BROWN, SAVED, SAID, chapter=0, words=10).sentences
    assert len(sentences) == 3
    assert {s.citations[0].chapter for s in sentences} == {0}
    assert not any(s.heading for s in sentences)


def in_stretches(task: Task, *, chapter: int | None = None) -> Draft:
    """Return what is told of a book of one chapter in twenty stretches, of which each has two events."""
    sentences = [(n, rank, f"Tom saw ship number {n} {ends}.") for n in range(20) for rank, ends in ENDS]
    text = "\n\n".join(f"[Tom|tom]{text[3:]}" for *_, text in sentences)
    book, people = story(f"# One\n\n{text}\n", tom="Tom/he")
    found = []
    for n, rank, said in sentences:
        start = book.text.index(said)
        found.append(EventSentence(Span(start, start + len(said)), 0, n, rank, float(n)))
    context = prompt((book, people), task=task).context
    made = make_prompt(context, task=task, events=found, chapter=chapter)
    return OfflineGenerator().draft(made, AnswerLimits(words=60))


def test_a_chapter_of_many_stretches_is_told_from_all_of_them() -> None:
    texts = [s.text for s in in_stretches(Task.SUMMARY, chapter=0).sentences]
    assert [text.split()[4] for text in texts] == ["2", "5", "9", "12", "15", "19"]


def test_a_recap_of_one_chapter_ends_with_its_last_stretch() -> None:
    sentences = in_stretches(Task.RECAP).sentences
    stopped = next(n for n, s in enumerate(sentences) if s.heading == "Where you stopped: chapter 1")
    far, near = sentences[:stopped], sentences[stopped:]
    assert len(far) > 2
    assert [s.text for s in near[:2]] == ["“Tom saw ship number 19 sail.”", "“Tom saw ship number 19 sink.”"]
    assert not any("Chapter" in s.text for s in sentences), "there is one only"


def test_who_speaks_is_said(harbour: Told) -> None:
    (said,) = draft(harbour, "“It is a clerk,”", chapter=0).sentences
    assert said.text == "Mr. Nuttall says: “It is a clerk,”"
    assert said.characters == ("nuttall",)


def test_names_follow_pronouns(harbour: Told) -> None:
    (said,) = draft(harbour, "He was a long, grey, exact\nold man.", chapter=0).sentences
    assert said.text == "“He [Mr. Nuttall] was a long, grey, exact old man.”"


def test_a_recap_says_what_was_where_one_stopped_and_who_is_there(harbour: Told) -> None:
    sentences = draft(harbour, FIRST, MARRIED, SAVED, LOST, task=Task.RECAP, words=200).sentences
    headings = [s.heading for s in sentences if s.heading]
    assert headings[:2] == ["So far", "Where you stopped: chapter 3"]
    assert [s.text for s in sentences][:4] == [
        f"Chapter 1: “{FIRST}”",
        f"Chapter 2: “{MARRIED}”",
        f"“{LOST}”",
        f"“{SAVED}”",
    ]


def test_a_recap_says_who_somebody_is_in_no_sentence_that_it_has_shown(
    harbour: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = harbour[0].text.index(SAVED)
    place = (Citation(Span(start, start + len(SAVED)), 2),)
    lines = [Sentence(f"Bess: “{SAVED}”", place), Sentence("Bess: Sister of Tom.", place)]
    monkeypatch.setattr(offline_story, "who_is_who", lambda *_: lines)
    *_, last, who = draft(harbour, FIRST, MARRIED, SAVED, LOST, task=Task.RECAP, words=200).sentences
    assert last.text == f"“{SAVED}”"
    assert (who.heading, who.text) == ("Who is who", "Bess: Sister of Tom.")


def test_a_recap_says_who_two_people_are_in_no_sentence_twice(
    harbour: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = harbour[0].text.index(MARRIED)
    place = (Citation(Span(start, start + len(MARRIED)), 1),)
    lines = [Sentence(f"{name}: “{MARRIED}”", place) for name in ("Tom", "Lydia")]
    monkeypatch.setattr(offline_story, "who_is_who", lambda *_: lines)
    *_, who = draft(harbour, FIRST, SAVED, LOST, task=Task.RECAP, words=200).sentences
    assert (who.heading, who.text) == ("Who is who", f"Tom: “{MARRIED}”")


def test_a_narrator_without_a_name_is_not_said_to_be_the_narrator() -> None:
    book, people = story("# One\n\n[I|me] walked to the mill. [I|me] was tired.\n", me="the narrator/they")
    told = (book, replace(people, narrator="me"))
    asked = make_prompt(prompt(told, "me", task=Task.RECAP).context, task=Task.RECAP)
    assert who_is_who(asked, asked.context.people) == []


def test_of_whom_the_book_does_not_say_who_they_are_it_is_told_what_says_most() -> None:
    own, told_of, doubtful = "[I|ann] am Ann Hale.", "[Ann|ann] sang all day.", "[Ann|ann] ate a pie."
    rain = 4 * "the rain fell on the roofs of the town, and "
    long = f"All day {rain}all was grey; but [Ann|ann] sang and sang."
    told = story(f"# One\n\n“{own}”\n\n{told_of}\n\n{doubtful}\n\n{long}\n", ann="Ann Hale/she")
    book, annotations = told
    home, *rest = (p.span for p in book.paragraphs if p.span.of(book.text)[0] in "“A")
    spoken = Quote(home, "ann", None, 1.0)
    context = prompt((book, replace(annotations, quotes=(spoken,))), "ann", task=Task.RECAP).context

    def line(*telling: tuple[Span, float]) -> list[str]:
        said = tuple(
            TellingSentence(span, 0, "ann", 1.0, dict.fromkeys(Category, 0.0), sure, 0.9, 0.95, False)
            for span, sure in telling
        )
        asked = replace(make_prompt(context, task=Task.RECAP), telling=said)
        return [sentence.text for sentence in who_is_who(asked, context.people)]

    assert line((home, 0.95), (rest[0], 0.9), (rest[1], 0.6)) == ["Ann Hale: “Ann sang all day.”"]
    assert line((home, 0.95)) == ["Ann Hale says: “I am Ann Hale.”"]
    assert line((rest[1], 0.6)) == []
    (cut,) = line((rest[2], 0.9))
    assert cut.startswith("Ann Hale: “… and the rain"), "what is left out before it is marked"


@pytest.mark.parametrize("task", [Task.SUMMARY, Task.RECAP])
def test_where_nothing_is_told_nothing_is_made_up(harbour: Told, task: Task) -> None:
    assert draft(harbour, task=task).sentences == ()
