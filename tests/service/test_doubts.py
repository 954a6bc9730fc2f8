"""Who may be one: asked once, what matters most first, never before the book has said so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coref.decisions.log import Replayed, standing
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.types import Doubt, TraitKind
from generation.errors import NotYetMet
from service.assembly import assembled
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.shelf import People
from service.usecases import books, characters, decisions, doubts, profiles
from service.usecases.reading_orders import Given
from service.usecases.traits import traits
from service.wire.decisions import DecisionIn
from service.wire.doubts import DoubtfulOut
from service.wire.shapes import Out
from tests.service.conftest import HOME, STORY
from tests.service.knowing import shelve

Decide = Callable[..., Decision]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("knowing")


@pytest.fixture(scope="module")
def book_id(folder: Path) -> str:
    return shelve(folder, STORY.encode(), library=HOME)


@pytest.fixture
def services(folder: Path) -> Iterator[Services]:
    with assembled(Settings(data_dir=folder, embedder="hashing"), jobs_here=False) as services:
        yield services


def pairs(services: Services, book_id: str, upto: str | None = None) -> list[tuple[str, str]]:
    found = doubts.questions(Library(services, HOME).view(book_id, upto))
    return [(q.one.id, q.other.id) for q in found]


@pytest.fixture
def decide(services: Services, book_id: str) -> Iterator[Decide]:
    """Decides, and undoes it all when the test has ended."""

    def call(kind: DecisionKind, **how: object) -> Decision:
        wanted = Decision(0, kind, **how)  # type: ignore[arg-type]
        return decisions.decide(Library(services, HOME), book_id=book_id, wanted=wanted)

    yield call
    for decision in standing(Library(services, HOME).open(book_id).log):
        call(DecisionKind.UNDO, undoes=decision.number)


def test_what_matters_most_first_and_whoever_is_mentioned_more_takes_in_the_other(
    services: Services, book_id: str
) -> None:
    assert pairs(services, book_id) == [("lane", "ward"), ("lane", "ford")]


def test_what_is_likely_to_move_more_mentions_comes_first(services: Services, book_id: str) -> None:
    opened = services.shelf.open(book_id, library=HOME)
    counts = {c.id: c.mention_count for c in opened.annotations.characters}
    assert 1.2 * counts["ward"] < counts["ford"] < counts["lane"]
    unlikely, likelier = Doubt("ford", "lane", 0.5, "so it seems"), Doubt("ward", "lane", 0.6, "so it seems")
    doubtful = replace(opened.annotations, doubts=(likelier, unlikely))
    opened._people = People(opened.resolved, Replayed(doubtful, ()))
    try:
        found = doubts.questions(Library(services, HOME).view(book_id))
        assert [(q.other.id, q.impact) for q in found] == [("ford", counts["ford"]), ("ward", counts["ward"])]
        assert [opened.book.slice(q.other_at.span) for q in found] == ["Mr. Ford", "Mrs. Ward"]
    finally:
        services.shelf.drop(book_id)


def test_a_doubt_waits_for_its_people_and_its_evidence(services: Services, book_id: str) -> None:
    assert pairs(services, book_id, "2") == [("lane", "ford")]
    assert pairs(services, book_id, "p:1") == []


def test_a_dismissal_settles_it(services: Services, book_id: str, decide: Decide) -> None:
    dismissed = decide(DecisionKind.DISMISS, character="lane", other="ward")
    assert pairs(services, book_id) == [("lane", "ford")]
    with pytest.raises(DecisionInvalid):
        decide(DecisionKind.DISMISS, character="ward", other="lane")
    decide(DecisionKind.UNDO, undoes=dismissed.number)
    assert pairs(services, book_id) == [("lane", "ward"), ("lane", "ford")]


def test_a_merge_settles_it_and_is_told_why(services: Services, book_id: str, decide: Decide) -> None:
    decide(DecisionKind.MERGE, character="lane", other="ward")
    assert pairs(services, book_id) == [("lane", "ford")]
    lane = characters.one(Library(services, HOME).view(book_id), "lane")
    assert [(m.name, m.other) for m in lane.merges] == [("Miss Lane", "Anna"), ("Miss Lane", "Mrs. Ward")]
    early = characters.one(Library(services, HOME).view(book_id, "2"), "lane")
    assert [m.other for m in early.merges] == ["Anna"]


def test_behind_the_gate_a_merged_id_is_found_once_its_name_was_read(
    services: Services, book_id: str, decide: Decide
) -> None:
    decide(DecisionKind.MERGE, character="lane", other="ward")
    assert characters.met(Library(services, HOME).view(book_id, "3"), "ward").id == "lane"
    with pytest.raises(NotYetMet):
        characters.met(Library(services, HOME).view(book_id, "2"), "ward")


def test_who_turn_out_to_be_one_are_two_until_the_book_has_said_so(
    services: Services, book_id: str, decide: Decide
) -> None:
    library = Library(services, HOME)
    asked = next(q for q in doubts.questions(library.view(book_id)) if q.other.id == "ward")
    assert asked.revealed is not None
    assert "I was Anna Lane" in library.view(book_id).book.slice(asked.revealed)
    secret = library.view(book_id).book.chapters[2].span
    decide(DecisionKind.MERGE, character="lane", other="ward", spans=(secret,))
    (told,) = [e for e in decisions.logged(library, book_id=book_id) if e.decision.spans and not e.undone]
    assert told.at is not None
    assert told.at.chapter == 3
    early, late = library.view(book_id, "p:7"), library.view(book_id, "3")
    assert [characters.met(early, key).id for key in ("ward", "Mrs. Ward", "lane")] == [
        "ward",
        "ward",
        "lane",
    ]
    assert characters.merged(early, "ward") is None
    assert [characters.met(late, key).id for key in ("ward", "Mrs. Ward", "lane")] == ["lane"] * 3
    assert [m.other for m in characters.one(late, "lane").merges] == ["Anna", "Mrs. Ward"]
    assert pairs(services, book_id, "p:7") == [("lane", "ford")], "it is no question any more"
    undo = Decision(0, DecisionKind.UNDO, undoes=told.decision.number)
    assert decisions.preview(library, book_id=book_id, wanted=undo, upto="p:7").changes.people == ()
    assert decisions.preview(library, book_id=book_id, wanted=undo).changes.people != ()


def test_a_dismissal_outlives_another_reading(
    services: Services, book_id: str, decide: Decide, folder: Path
) -> None:
    decide(DecisionKind.DISMISS, character="lane", other="ward")
    before = services.shelf.open(book_id, library=HOME)
    assert shelve(folder, STORY.encode(), library=HOME, given=Given(title="The Other Mill")) == book_id
    after = services.shelf.open(book_id, library=HOME)
    assert after.record.version != before.record.version
    assert len(after.resolved.doubts) == 2, "the resolver still doubts"
    assert pairs(services, book_id) == [("lane", "ford")]


def test_a_name_said_once_gives_its_pronouns_back(tmp_path: Path) -> None:
    said = "“That is not like you,” said the doctor. “You are a slave to Mrs. Grundy.”"
    text = f"CHAPTER I\n\n{said}\n\n" + "She looked at her hands. She sighed.\n\n" * 20
    with assembled(Settings(data_dir=tmp_path, embedder="hashing", resolver="rules"), jobs_here=True) as here:
        library = Library(here, HOME)
        taken = books.upload(library, data=text.encode(), given=Given(title="The Slave"))
        assert taken.job is not None
        here.jobs.wait(taken.job.id, timeout=120)
        view = library.view(taken.book.id)
        (asked,) = doubts.person_questions(view)
        assert (asked.character.name, asked.doubtful.pronouns) == ("Mrs. Grundy", 60)
        assert view.book.slice(asked.at.span) == "Mrs. Grundy"
        assert characters.one(view, "Mrs. Grundy").doubtful == asked.doubtful
        _, card = profiles.profile(view, "Mrs. Grundy")
        assert card.doubtful == asked.doubtful
        offered = DoubtfulOut.of(asked)

        def post(out: Out) -> Decision:
            posted = DecisionIn.model_validate(out.model_dump(mode="json")).wanted()
            return decisions.decide(library, book_id=taken.book.id, wanted=posted)

        settled = post(offered.dismiss)
        after = library.view(taken.book.id)
        assert doubts.person_questions(after) == ()
        assert characters.one(after, "Mrs. Grundy").character.mention_count == 61
        with pytest.raises(DecisionInvalid):
            post(offered.dismiss)
        undo = Decision(0, DecisionKind.UNDO, undoes=settled.number)
        decisions.decide(library, book_id=taken.book.id, wanted=undo)
        assert doubts.person_questions(library.view(taken.book.id)) == (asked,)
        post(offered.give_back)
        after = library.view(taken.book.id)
        assert doubts.person_questions(after) == ()
        assert characters.one(after, "Mrs. Grundy").character.mention_count == 1


def test_traits_of_as_much_as_was_read(services: Services, book_id: str) -> None:
    view = Library(services, HOME).view(book_id)
    ford = traits(view, "Mr. Ford")
    assert [t.lemma for t in ford.said[TraitKind.IS]] == ["miller"]
    assert [t.lemma for t in ford.denied[TraitKind.DOES]] == ["expect"]
    assert [t.lemma for t in ford.possible[TraitKind.IS]] == ["wet"]
    assert view.book.slice(ford.said[TraitKind.IS][0].spans[0]) == "miller"
    lane = traits(Library(services, HOME).view(book_id, "1"), "Anna")
    assert {t.lemma for things in lane.said.values() for t in things} == {"careful", "stranger"}
    with pytest.raises(NotYetMet):
        traits(Library(services, HOME).view(book_id, "2"), "Mrs. Ward")


def test_traits_follow_a_merge(services: Services, book_id: str, decide: Decide) -> None:
    decide(DecisionKind.MERGE, character="lane", other="ward")
    lane = traits(Library(services, HOME).view(book_id), "Mrs. Ward")
    assert {t.lemma for t in lane.said[TraitKind.DOES]} == {"smile", "open", "laugh"}
