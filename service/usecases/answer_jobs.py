"""Answers that are written in the background, as jobs: for those that take a language model long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter

from db.repositories import EventRepository, JobRepository
from db.types import JobRecord
from generation.protocols import Audience
from generation.types import Task
from service.library import Library
from service.observability import context
from service.services import Services
from service.usecases import answers
from service.usecases.answer_request import Wanted

_WANTED: Final = TypeAdapter(Wanted)
SINCE: Final = "since"
"""When a job was first ordered that is tried again."""


def order_answer(library: Library, *, book_id: str, task: Task, wanted: Wanted, path: str) -> JobRecord:
    """Queue the writing of an answer, and return its job; the unfinished one, if there is one.

    `path` is where to ask for the answer. Raises what asking for it would.
    """
    view = library.view(book_id, wanted.upto)
    answers.ask(library.services, view, task=task, names=(), wanted=wanted)
    options = _WANTED.dump_python(wanted, mode="json", exclude_defaults=True)
    return order_again(library, book_id, {"task": task, "wanted": options, "path": path})


def order_again(library: Library, book_id: str, request: dict[str, Any]) -> JobRecord:
    with library.services.database.session() as session:
        job, new = JobRepository(session).create_answer(book_id, library=library.name, request=request)
        if new:
            EventRepository(session).append(book_id, job_id=job.id, kind=job.kind.event("queued"), data={})
    if new:
        library.services.jobs.enqueue(job)
    context.note(book=book_id, job=job.id)
    return job


@dataclass(frozen=True, slots=True)
class AnswerWriting:
    """Writes what a job asks for. The answer is stored where every answer is."""

    services: Services

    def __call__(self, job: JobRecord, audience: Audience) -> None:
        assert job.request is not None
        wanted: Wanted = _WANTED.validate_python(job.request["wanted"])
        view = Library(self.services, job.library).view(job.book_id, wanted.upto)
        asked = answers.ask(self.services, view, task=Task(job.request["task"]), names=(), wanted=wanted)
        since = datetime.fromisoformat(job.request[SINCE]) if SINCE in job.request else job.created
        asked = replace(asked, since=since, began=job.created, job_id=job.id)
        answers.answer(self.services, asked, audience=audience, instead=False)
