from __future__ import annotations

import re

import pytest

from books.gate import cut
from books.types import Book
from coref.gate import gate
from coref.types import Annotations
from generation.offline.composer import OfflineGenerator
from generation.prompts import make_prompt
from generation.types import Draft, Limits, Task
from tests.generation.story import passages, story


def write(
    told: tuple[Book, Annotations], *who: str, task: Task = Task.DESCRIPTION, limits: Limits | None = None
) -> Draft:
    book, annotations = told
    prompt = make_prompt(book, task=task, annotations=annotations, characters=who, passages=passages(book))
    return OfflineGenerator().generate([prompt], limits or Limits())[0]


def test_a_description_says_who_what_like_and_what_happens(harbour: tuple[Book, Annotations]) -> None:
    text = write(harbour, "bess").text
    assert text.startswith("Bess Farrow is the sister of Tom Farrow.")
    assert "saved Captain Crane from the water" in text
    assert "became the senior clerk" in text


def test_roles_and_portrayals_come_from_apposition_and_copula(harbour: tuple[Book, Annotations]) -> None:
    text = write(harbour, "nuttall").text
    assert "Mr. Nuttall is the senior clerk." in text
    assert "He is described as a long, grey, exact old man." in text


@pytest.mark.parametrize("task", list(Task))
def test_every_sentence_is_whole_and_cites_the_book(harbour: tuple[Book, Annotations], task: Task) -> None:
    draft = write(harbour, "tom", task=task, limits=Limits(words=300))
    assert draft.sentences
    for sentence in draft.sentences:
        assert re.fullmatch(r"[A-Z][^.!?]*(?:Mr\. [^.!?]*)*\.", sentence.text), sentence.text
        assert sentence.citations
        assert sentence.characters == ("tom",)
        for citation in sentence.citations:
            assert harbour[0].chapter_at(citation.span.start).index == citation.chapter  # type: ignore[union-attr]


def test_the_deeds_of_others_are_not_told(harbour: tuple[Book, Annotations]) -> None:
    text = write(harbour, "tom", limits=Limits(words=300)).text
    assert "married Lydia Sand" in text
    assert "saved" not in text
    assert "resigned" not in text


def test_an_analysis_has_headed_sections_and_each_opens_with_the_name(
    harbour: tuple[Book, Annotations],
) -> None:
    draft = write(harbour, "bess", task=Task.ANALYSIS, limits=Limits(words=600))
    opening = [s for s in draft.sentences if s.heading]
    assert [s.heading for s in opening][:2] == ["Who she is", "What she is like"]
    assert len(opening) >= 4
    assert all("Bess" in s.text for s in opening)


def test_a_joint_description_has_an_entry_for_each(harbour: tuple[Book, Annotations]) -> None:
    draft = write(harbour, "bess", "nuttall", "tom", task=Task.JOINT, limits=Limits(words=45))
    headings = [s.heading for s in draft.sentences if s.heading]
    assert headings == ["Bess Farrow", "Mr. Nuttall", "Tom Farrow", "Together"]
    assert draft.sentences[0].characters == ("bess",)
    assert draft.text.endswith("Of these people, Bess Farrow and Mr. Nuttall are most often seen together.")


@pytest.mark.parametrize("words", [12, 30, 60, 120])
def test_the_limit_of_words_holds(harbour: tuple[Book, Annotations], words: int) -> None:
    draft = write(harbour, "bess", limits=Limits(words=words))
    assert len(draft.text.split()) <= words


def test_more_words_say_more(harbour: tuple[Book, Annotations]) -> None:
    assert len(write(harbour, "bess", limits=Limits(words=20)).text) < len(write(harbour, "bess").text)


def test_the_same_prompt_gives_the_same_draft(harbour: tuple[Book, Annotations]) -> None:
    once, again = (write(harbour, "bess", limits=Limits(seed=seed)) for seed in (1, 2))
    assert once.sentences == again.sentences


def test_what_lies_past_the_gate_is_not_told(harbour: tuple[Book, Annotations]) -> None:
    book, annotations = harbour
    upto = book.end_of_chapter(2)
    gated = cut(book, upto), gate(annotations, upto=upto)
    text = write(gated, "bess", limits=Limits(words=300)).text
    assert "saved" not in text
    assert "became" not in text
    assert "chapter 3" not in text
    assert "corrected the tide table" in text


def test_the_passages_decide_which_deeds_are_told(harbour: tuple[Book, Annotations]) -> None:
    book, annotations = harbour
    first = [p for p in passages(book) if p.chapter == 1]
    prompt = make_prompt(
        book, task=Task.DESCRIPTION, annotations=annotations, characters=["bess"], passages=first
    )
    text = OfflineGenerator().generate([prompt], Limits())[0].text
    assert "corrected the tide table" in text
    assert "saved" not in text


def test_someone_mentioned_once_gets_a_short_honest_answer() -> None:
    told = story("# One\n\nNobody knew [Old Ben|ben] at all.\n\n# Two\n\nThe end.\n", ben="Old Ben/he")
    assert write(told, "ben").text == "Old Ben first appears in chapter 1."


def test_a_narrator_is_told_of_in_the_third_person() -> None:
    told = story(
        "# One\n\n[I|me] followed [Holmes|holmes] and lost [my|me] way.\n\n"
        "# Two\n\n[Holmes|holmes] thanked [me|me].\n",
        me="John Watson/he",
        holmes="Holmes/he",
    )
    text = write(told, "me").text
    assert "followed Holmes and lost his way" in text
    assert " I " not in text
    assert "thanked John Watson" in write(told, "holmes").text


def test_what_others_say_of_somebody_is_theirs() -> None:
    told = story(
        "# One\n\n{ann>tom:“[Jane|jane] is a silly girl,”} said [Ann|ann].\n\n# Two\n\n[Jane|jane] slept.\n",
        jane="Jane Pratt/she",
        ann="Ann Lee/she",
        tom="Tom Lee/he",
    )
    assert "is called a silly girl by Ann Lee" in write(told, "jane").text
    assert "silly" not in write(told, "ann").text


def test_a_row_of_people_tells_nobodys_role() -> None:
    told = story(
        "# One\n\n[Tom|tom], the baker, [Ann|ann] and [I|me] came.\n\n[Ann|ann], the lawyer, slept.\n",
        tom="Tom/he",
        ann="Ann/she",
        me="Me/he",
    )
    assert "baker" not in write(told, "tom").text + write(told, "ann").text
    assert "Ann is the lawyer." in write(told, "ann").text


BROKEN = """# One

[Tom|tom] took it. [Tom|tom] saw that this was the end of those days. [Tom|tom] said
{tom>?:“Never!”} [Tom|tom] knew. If [Tom|tom] had killed [Jane|jane], [he|tom] would have hanged.
[Tom|tom] would have married [Jane|jane]. Did [Tom|tom] kill [Jane|jane]? [Tom|tom] was going to.

# Two

[Tom|tom] fed the horse.
"""


def test_questions_wishes_and_half_sentences_are_no_deeds() -> None:
    told = story(BROKEN, tom="Tom Pratt/he", jane="Jane Pratt/she")
    text = write(told, "tom", limits=Limits(words=300)).text
    assert "fed the horse" in text
    for broken in ("took it", "this was", "said", "knew", "kill", "married", "going to"):
        assert broken not in text
