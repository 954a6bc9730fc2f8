"""Answers are kept under all that went into them, and the shelf keeps books open."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from books.errors import BookwormError
from coref.decisions.types import Decision, DecisionKind
from coref.errors import CharacterAmbiguous, CharacterUnknown, DecisionInvalid
from db.errors import DatabaseAway, StorageFull
from db.repositories import BookRepository, CharacterRepository, PortraitRepository
from db.types import ReadingOptions
from generation.types import Label, Task
from service.errors import BookNotReady, BookUnknown, TooManyCharacters
from service.library import Library
from service.services import Services
from service.usecases import answers, books, decisions, name_lookup
from service.usecases.answer_request import Wanted
from service.usecases.answers import JOINT_MOST
from tests.service.conftest import HOME, STORY, describe


def test_the_same_question_is_answered_from_what_is_kept(services: Services, book_id: str) -> None:
    first = describe(services, book_id, refresh=True)
    again = describe(services, book_id)
    assert (first.cached, again.cached) == (False, True)
    assert again.portrait == first.portrait


@pytest.mark.parametrize(("error", "seed"), [(StorageFull, 8), (DatabaseAway, 9)])
def test_a_full_disk_costs_nobody_an_answer_that_is_written(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch, error: type[BookwormError], seed: int
) -> None:
    def full(*_: object, **__: object) -> None:
        raise error("The database's disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(PortraitRepository, "put", full)
        unstored = describe(services, book_id, refresh=True, seed=seed)
        view = Library(services, HOME).view(book_id)
        asked = answers.ask(
            services, view, task=Task.DESCRIPTION, names=["Mr. Ford"], wanted=Wanted(seed=seed)
        )
        with pytest.raises(error):  # whoever ordered it comes for it later
            answers.answer(services, replace(asked, job_id="job_1"))
    assert unstored.portrait.text
    assert "could not be stored" in unstored.portrait.notes[-1]
    assert not unstored.lasting
    stored = describe(services, book_id, seed=seed)
    assert (stored.cached, stored.lasting) == (False, True)


@pytest.mark.parametrize(
    "other", [{"upto": "1"}, {"retriever": "bm25"}, {"generator": "scripted"}, {"words": 30}, {"seed": 7}]
)
def test_another_question_has_another_answer(
    services: Services, book_id: str, other: dict[str, object]
) -> None:
    describe(services, book_id)
    changed = describe(services, book_id, refresh=True, **other)
    assert not changed.cached
    assert describe(services, book_id, **other).portrait == changed.portrait


def test_every_sentence_is_cited_and_every_fact_judged(services: Services, book_id: str) -> None:
    portrait = describe(services, book_id).portrait
    assert portrait.sentences
    assert all(sentence.citations for sentence in portrait.sentences)
    assert portrait.prisma.facts == len(portrait.facts)
    text = Library(services, HOME).view(book_id).book.text
    assert all(c.span.of(text).strip() for f in portrait.facts for c in f.verdict.evidence)


def test_a_false_sentence_is_not_supported(services: Services, book_id: str) -> None:
    portrait = describe(services, book_id, generator="scripted").portrait
    labels = {fact.verdict.label for fact in portrait.facts}
    assert labels - {Label.SUPPORTED}
    assert portrait.prisma.precision is not None
    assert portrait.prisma.precision < 1


def test_a_decision_makes_older_answers_unused(services: Services, book_id: str) -> None:
    before = describe(services, book_id)
    key = before.portrait.characters[0].id
    made = decisions.decide(
        Library(services, HOME),
        book_id=book_id,
        wanted=Decision(0, DecisionKind.RENAME, character=key, name="The miller"),
    )
    after = describe(services, book_id)
    assert not after.cached
    assert after.portrait.characters[0].name == "The miller"
    decisions.decide(
        Library(services, HOME), book_id=book_id, wanted=Decision(0, DecisionKind.UNDO, undoes=made.number)
    )
    undone = describe(services, book_id)
    assert undone.portrait.characters[0].name == before.portrait.characters[0].name
    assert [d.kind for d in Library(services, HOME).open(book_id).log][-2:] == [
        "rename",
        "undo",
    ]


def test_a_corrected_name_is_a_line_that_can_be_read(services: Services, book_id: str) -> None:
    library, key = Library(services, HOME), describe(services, book_id).portrait.characters[0].id
    rename = Decision(0, DecisionKind.RENAME, character=key, name="The\x1b]0; \x9bmiller\x07\n")
    made = decisions.decide(library, book_id=book_id, wanted=rename)
    assert made.name == "The]0; miller"
    decisions.decide(library, book_id=book_id, wanted=Decision(0, DecisionKind.UNDO, undoes=made.number))
    for blank in (" \n", "\x1b\u202e"):
        for wanted in (replace(rename, name=blank), Decision(0, DecisionKind.NARRATOR, name=blank)):
            with pytest.raises(DecisionInvalid):
                decisions.decide(library, book_id=book_id, wanted=wanted)


def test_of_contradictory_decisions_made_at_once_one_counts(services: Services, book_id: str) -> None:
    key = describe(services, book_id).portrait.characters[0].id

    def hide(_: int) -> int | None:
        try:
            return decisions.decide(
                Library(services, HOME), book_id=book_id, wanted=Decision(0, DecisionKind.HIDE, character=key)
            ).number
        except DecisionInvalid:
            return None

    with ThreadPoolExecutor(6) as pool:
        made = [number for number in pool.map(hide, range(6)) if number]
    assert len(made) == 1
    with pytest.raises(CharacterUnknown):
        name_lookup.only_one(Library(services, HOME), name="Mr. Ford")
    decisions.decide(
        Library(services, HOME), book_id=book_id, wanted=Decision(0, DecisionKind.UNDO, undoes=made[0])
    )
    assert name_lookup.only_one(Library(services, HOME), name="Mr. Ford") == (book_id, key)


def test_joint_answers_are_about_each_and_bounded(services: Services, book_id: str) -> None:
    answer = describe(services, book_id, "Mr. Ford", "Miss Lane", task=Task.JOINT)
    assert answer.portrait.task is Task.JOINT
    about = {key for sentence in answer.portrait.sentences for key in sentence.characters}
    assert about >= {c.id for c in answer.portrait.characters}
    with pytest.raises(TooManyCharacters):
        describe(services, book_id, *["x"] * (JOINT_MOST + 1), task=Task.JOINT)


def test_a_note_says_who_was_merged_into_whom(services: Services, book_id: str) -> None:
    library, before = (
        Library(services, HOME),
        describe(services, book_id, "Mr. Ford", "Miss Lane", task=Task.JOINT),
    )
    one, other = before.portrait.characters
    merge = Decision(0, DecisionKind.MERGE, character=one.id, other=other.id)
    made = decisions.decide(library, book_id=book_id, wanted=merge)
    for _ in ("written", "stored"):
        after = describe(services, book_id, one.id, other.id, task=Task.JOINT).portrait
        assert (len(after.characters), after.notes[0]) == (1, f"{other.name} was merged into {one.name}.")
    assert not describe(services, book_id, one.id, task=Task.JOINT).portrait.notes
    undo = Decision(0, DecisionKind.UNDO, undoes=made.number)
    decisions.decide(library, book_id=book_id, wanted=undo)


def test_a_book_of_another_library_is_unknown(services: Services, book_id: str) -> None:
    with pytest.raises(BookUnknown):
        services.shelf.open(book_id, library="elsewhere")


def test_a_book_that_nobody_has_read_yet_says_which_job_to_watch(services: Services) -> None:
    taken = books.upload(Library(services, "queue"), data=STORY.encode() + b"More.")
    assert taken.job is not None
    with pytest.raises(BookNotReady) as caught:
        services.shelf.open(taken.book.id, library="queue")
    assert caught.value.job == taken.job.id
    again = books.upload(Library(services, "queue"), data=STORY.encode() + b"More.")
    assert (again.book.id, again.job and again.job.id, again.created) == (taken.book.id, taken.job.id, False)
    books.delete(Library(services, "queue"), book_id=taken.book.id)
    with services.database.session() as session:
        assert BookRepository(session).get(taken.book.id) is None


def test_a_name_in_two_books_is_ambiguous_over_the_library(services: Services, book_id: str) -> None:
    """The second book is only a row with a cast: that is all that the search looks at."""
    cast = services.shelf.open(book_id, library=HOME).annotations.characters
    with services.database.session() as session:
        twin, _ = BookRepository(session).ensure(
            library=HOME,
            content_sha256="0" * 64,
            filename=None,
            size=1,
            options=ReadingOptions(title="Twin"),
        )
        CharacterRepository(session).replace(twin.id, cast)
    try:
        with pytest.raises(CharacterAmbiguous) as caught:
            name_lookup.only_one(Library(services, HOME), name="Mr. Ford")
        assert {c.split("/")[0] for c in caught.value.candidates} == {book_id, twin.id}
    finally:
        books.delete(Library(services, HOME), book_id=twin.id)


def test_one_book_is_opened_once_however_many_ask(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = services.shelf._keep

    def slowly(*kept: Any) -> None:
        time.sleep(0.02)
        keep(*kept)

    monkeypatch.setattr(services.shelf, "_keep", slowly)
    services.shelf.drop(book_id)
    with ThreadPoolExecutor(16) as pool:
        opened = list(pool.map(lambda _: services.shelf.open(book_id, library=HOME), range(64)))
    assert len({id(book) for book in opened}) == 1
    assert len(services.shelf) == 1
