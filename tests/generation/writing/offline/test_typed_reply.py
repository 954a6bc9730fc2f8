"""Answers to typed questions offline: relations, first scenes, what somebody says, counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generation.types import AnswerLanguage, AnswerLimits, Draft, Task
from generation.writing.offline import reply
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.offline.typed_reply import certain, scenes_asked_for
from generation.writing.prompts import make_prompt
from retrieval.asking.kinds import QuestionKind
from tests.generation.story.telling import tell
from tests.generation.writing.offline.test_reply import NOT_SAID, place
from tests.generation.writing.told import Told, prompt


def made(
    told: Told, *who: str, question: str = "Asked?", language: AnswerLanguage = AnswerLanguage.ENGLISH
) -> Draft:
    context = prompt(told, *who).context
    asked = make_prompt(context, task=Task.QUESTION, question=question, language=language)
    return OfflineGenerator().draft(asked, AnswerLimits())


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> list[QuestionKind]:
    """What every question is; to be filled."""
    found: list[QuestionKind] = []
    monkeypatch.setattr(reply, "kind_of", lambda _: found[0])
    return found


@pytest.fixture(scope="module")
def sisters() -> Told:
    said = (
        "[Ann Hale|ann] is the eldest sister of [Bess Hale|bess]. "
        "[Ann|ann] quarrelled with [her|ann] sister [Bess Hale|bess]. "
    )
    return tell(f"# One\n\n{3 * said}", ann="Ann Hale/she", bess="Bess Hale/she")


def test_a_relation_is_told_from_the_side_of_the_first(sisters: Told, kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.RELATION)
    first, scene = made(sisters, "ann", "bess").sentences
    assert first.text == "Ann Hale is Bess Hale’s eldest sister."
    assert made(sisters, "bess", "ann").sentences[0].text == "Bess Hale is Ann Hale’s sister."
    assert len(first.citations) == 3
    assert scene.heading == "First mentioned together"
    assert scene.text.startswith("Chapter 1: “Ann Hale is")
    (chinese, _) = made(sisters, "ann", "bess", language=AnswerLanguage.CHINESE).sentences
    assert chinese.text == "Bess Hale是Ann Hale的姐妹。", "there is no word for an eldest sister"


@pytest.mark.parametrize("is_what", [QuestionKind.WHO, QuestionKind.RELATION])
def test_who_somebodys_sister_is(sisters: Told, kind: list[QuestionKind], is_what: QuestionKind) -> None:
    kind.append(is_what)
    (told, *_) = made(sisters, "bess", question="Who is Bess's sister?").sentences
    assert told.text == "Ann Hale is Bess Hale’s eldest sister."
    assert len(told.citations) == 3
    assert made(sisters, "bess", "ann", question="Who is her sister?").sentences[0] == told
    assert made(sisters, "bess", question="Who is Bess's brother?").sentences[0].text == NOT_SAID
    assert made(sisters, "bess", question="Who is Bess's aunt?").sentences[0].text == NOT_SAID


def test_when_two_are_together_for_the_first_time(harbour: Told, kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.WHEN)
    (scene,) = made(harbour, "tom", "lydia").sentences
    assert scene.heading == "First mentioned together"
    assert scene.text == "Chapter 2: “Tom married Lydia Sand in the spring.”"
    (unsaid,) = made(harbour, "lydia").sentences
    assert unsaid.text == NOT_SAID


def test_two_who_were_mentioned_together_meet_when_they_speak(kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.WHEN)
    before = "{bess>cid:“[Ann Hale|ann] and [Tom Reed|tom] were seen,”} said [Bess|bess].\n\n"
    at_last = "# Two\n\n{tom>ann:“So it is you, [Miss Hale|ann],”} said [Tom|tom].\n\n"
    told = tell(
        f"# One\n\n{before}{at_last}", ann="Ann Hale/she", bess="Bess/she", cid="Cid/he", tom="Tom Reed/he"
    )
    (scene,) = made(told, "ann", "tom").sentences
    assert scene.heading == "First speak to each other"
    assert scene.text.startswith("Chapter 2: “‘So it is you, Miss Hale,’")


def test_a_date_is_the_chapter_and_how_far_into_the_book_it_is(
    harbour: Told, kind: list[QuestionKind]
) -> None:
    kind.append(QuestionKind.WHEN)
    context = replace(prompt(harbour, "tom").context, people=())
    places = [place(harbour, 0.9, married=0.8)]
    asked = make_prompt(context, task=Task.QUESTION, question="When?", places=places)
    (told,) = OfflineGenerator().draft(asked, AnswerLimits()).sentences
    assert told.text == "In chapter 2, about 61% into the book: “Tom married Lydia Sand in the spring.”"
    gated = replace(asked, context=replace(context, upto=len(harbour[0].text) - 1))
    (told,) = OfflineGenerator().draft(gated, AnswerLimits()).sentences
    assert told.text == "Chapter 2: “Tom married Lydia Sand in the spring.”"


def test_what_one_says_of_another(harbour: Told, kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.QUOTE)
    (unsaid,) = made(harbour, "tom", "crane").sentences
    assert unsaid.text == NOT_SAID
    spoken = "{ann>tom:“[Bess Hale|bess] is never late,”} said [Ann Hale|ann].\n\n"
    told = tell(f"# One\n\n{4 * spoken}", ann="Ann Hale/she", bess="Bess Hale/she", tom="Tom Reed/he")
    first, *others = made(told, "ann", "bess").sentences
    assert first.heading == "Ann Hale says of Bess Hale"
    assert "Bess Hale is never late" in first.text
    assert len(others) == 2
    to_her = "{ann>bess:“I wonder, [Bess Hale|bess],”} said [Ann Hale|ann].\n\n"
    told = tell(f"# One\n\n{4 * to_her}", ann="Ann Hale/she", bess="Bess Hale/she")
    assert made(told, "ann", "bess").sentences[0].text == NOT_SAID, "it is said to her face"
    assert made(told, "bess", "ann").sentences[0].text == NOT_SAID


def test_how_often_somebody_is_mentioned(harbour: Told, kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.COUNT)
    often = "How often are they mentioned?"
    (one,) = made(harbour, "lydia", question=often).sentences
    assert one.text == "Paragraphs that mention Lydia Sand: 1 (chapters: 2)."
    (both,) = made(
        harbour, "bess", "crane", question="How many times do Bess and Captain Crane meet?"
    ).sentences
    assert both.text == ("Paragraphs that mention Bess Farrow and Captain Crane together: 3 (chapters: 1–3).")
    assert [c.chapter for c in both.citations] == [0, 1, 2]
    (chinese,) = made(harbour, "lydia", question=often, language=AnswerLanguage.CHINESE).sentences
    assert chinese.text == "提到Lydia Sand的段落：1个（第2章）。"
    assert made(harbour, "lydia", question="How old is Lydia?").sentences[0].text == NOT_SAID


def test_a_count_stands_before_the_place(harbour: Told, kind: list[QuestionKind]) -> None:
    kind.append(QuestionKind.COUNT)
    context = prompt(harbour, "lydia").context
    places = [place(harbour, 0.9, married=0.8)]
    asked = make_prompt(context, task=Task.QUESTION, question="How often is Lydia named?", places=places)
    texts = [s.text for s in OfflineGenerator().draft(asked, AnswerLimits(words=60)).sentences]
    assert texts[0].startswith("Paragraphs that mention Lydia Sand")
    assert "Tom married Lydia Sand" in texts[1]


@pytest.mark.parametrize("kind", [None, QuestionKind.WHY, QuestionKind.WHO])
def test_other_questions_get_the_place_alone(harbour: Told, kind: QuestionKind | None) -> None:
    asked = prompt(harbour, "bess", "crane", task=Task.QUESTION)
    assert certain(asked, kind) == scenes_asked_for(asked, kind) == []


def test_three_people_are_too_many(harbour: Told) -> None:
    asked = prompt(harbour, "bess", "crane", "tom", task=Task.QUESTION)
    for kind in QuestionKind:
        assert certain(asked, kind) == scenes_asked_for(asked, kind) == []
