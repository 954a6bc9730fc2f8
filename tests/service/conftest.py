"""A library of one book in which Miss Lane of the first chapter is Mrs. Ward of the third."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coref.decisions.types import Decision, DecisionKind
from generation.types import Task
from service.access import LOCAL_LIBRARY
from service.assembly import assembled
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import answers, books, characters, decisions
from service.usecases.answer_request import Wanted
from service.usecases.reading_orders import Given

HOME = LOCAL_LIBRARY
STORY = """CHAPTER I

Miss Anna Lane came to the mill in the rain. Miss Lane was a careful woman, and she was a stranger there.

“You are wet,” said Mr. Ford. Mr. Ford was the miller. He had not expected Miss Lane until noon.

CHAPTER II

Miss Lane kept the books. Mr. Ford read them twice, and he found no fault in them. Anna smiled at Mr. Ford.

CHAPTER III

Mrs. Ward opened the door. “I was Anna Lane once,” said Mrs. Ward. Mr. Ford looked at Mrs. Ward,
and he laughed.

Mrs. Ward laughed too. She had never liked the name of Lane, and she liked the name of Ward very well.
"""


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, str]:
    """The book is ingested by a process that does jobs; the tests run in one that does none."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("use_cases"), embedder="hashing", resolver="rules")
    with assembled(settings, jobs_here=True) as services:
        taken = books.upload(Library(services, HOME), data=STORY.encode(), given=Given(title="The Mill"))
        assert taken.job is not None
        ended = services.jobs.wait(taken.job.id, timeout=120)
        assert ended.state == "succeeded", ended.error
        names = {c.character.name: c.character.id for c in cast_of(services, taken.book.id)}
        lane = next(key for name, key in names.items() if "Lane" in name)
        ward = next(key for name, key in names.items() if "Ward" in name)
        if lane != ward:
            decisions.decide(
                Library(services, HOME),
                book_id=taken.book.id,
                wanted=Decision(0, DecisionKind.MERGE, character=lane, other=ward),
            )
    return settings, taken.book.id


def cast_of(services: Services, book_id: str, upto: str | None = None) -> tuple[characters.Presence, ...]:
    return characters.cast(Library(services, HOME).view(book_id, upto))


def describe(
    services: Services, book_id: str, *names: str, task: Task = Task.DESCRIPTION, **wanted: object
) -> answers.Answer:
    """What is answered about Mr. Ford, or about `names`."""
    how = Wanted(**wanted)  # type: ignore[arg-type]
    view = Library(services, HOME).view(book_id, how.upto)
    asked = answers.ask(services, view, task=task, names=names or ["Mr. Ford"], wanted=how)
    return answers.answer(services, asked)


@pytest.fixture(scope="module")
def services(read_once: tuple[Settings, str]) -> Iterator[Services]:
    with assembled(read_once[0], jobs_here=False) as services:
        yield services


@pytest.fixture
def book_id(read_once: tuple[Settings, str]) -> str:
    return read_once[1]
