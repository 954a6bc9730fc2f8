"""A summary that a job writes: what it has cost before it broke off counts, and nothing is paid twice."""

from __future__ import annotations

from typing import Any

import pytest

from db.repositories import JobRepository
from generation.errors import BudgetExceeded, WritingCancelled
from generation.types import Strategy, Task, Usage
from service.library import Library
from service.services import Services
from service.usecases import answers
from service.usecases.answer_jobs import AnswerWriting
from service.usecases.answer_request import OpenRequest, Wanted
from tests.service.conftest import HOME
from tests.service.test_strategies import Ear

MOST = 100_000


class Leaving(Ear):
    """An audience that goes after so many texts."""

    def __init__(self, texts: int) -> None:
        super().__init__()
        self.texts = texts

    def advance(self, done: int, parts: int) -> None:
        self.left = done >= self.texts


def wanted(seed: int, tokens: int = MOST) -> dict[str, Any]:
    return {
        "generator": "scripted-model",
        "strategy": Strategy.HIERARCHICAL,
        "words": 30,
        "chunk": 60,
        "seed": seed,
        "tokens": tokens,
    }


def order(services: Services, book_id: str, options: dict[str, Any]) -> str:
    request = {"task": "summary", "wanted": options, "path": "/v1/somewhere"}
    with services.database.session() as session:
        job, _ = JobRepository(session).create_answer(book_id, library=HOME, request=request)
        assert JobRepository(session).start(job.id, worker="here")
    return job.id


def run(services: Services, job_id: str, audience: Ear) -> None:
    with services.database.session(read_only=True) as session:
        job = JobRepository(session).get(job_id)
    assert job is not None
    AnswerWriting(services)(job, audience)


def tokens(services: Services, job_id: str) -> int:
    with services.database.session(read_only=True) as session:
        job = JobRepository(session).get(job_id)
    assert job is not None
    return job.tokens


def asked(services: Services, book_id: str, options: dict[str, Any]) -> OpenRequest:
    view = Library(services, HOME).view(book_id, None)
    return answers.ask(services, view, task=Task.SUMMARY, names=(), wanted=Wanted(**options))


def test_what_was_spent_before_it_broke_off_counts(services: Services, book_id: str) -> None:
    plain = order(services, book_id, wanted(seed=1))
    run(services, plain, Ear())
    whole = answers.answer(services, asked(services, book_id, wanted(seed=1))).portrait
    assert whole.usage.calls > 3
    assert (whole.kept, tokens(services, plain)) == (Usage(), whole.usage.tokens)

    job = order(services, book_id, wanted(seed=2))
    for texts in (1, 2):
        with pytest.raises(WritingCancelled):
            run(services, job, Leaving(texts))
    before = tokens(services, job)
    assert 0 < before < whole.usage.tokens
    options = wanted(seed=2)
    plan = answers.estimate(services, asked(services, book_id, options)).plan
    assert (plan.kept.calls, plan.kept.tokens) == (2, before)
    run(services, job, Ear())
    last = answers.answer(services, asked(services, book_id, options)).portrait
    assert (last.usage.calls, last.kept.calls) == (whole.usage.calls - 2, 2)
    assert last.kept.tokens == before
    assert tokens(services, job) == before + last.usage.tokens


def test_a_budget_is_that_of_the_whole_job(services: Services, book_id: str) -> None:
    budget = answers.estimate(services, asked(services, book_id, wanted(seed=4))).plan.tokens
    scarce = wanted(seed=4, tokens=budget)
    job = order(services, book_id, scarce)
    with pytest.raises(WritingCancelled):
        run(services, job, Leaving(2))
    with services.database.session() as session:  # as if a check had broken off
        JobRepository(session).spend(job, budget - tokens(services, job) - 10)
    with pytest.raises(BudgetExceeded, match="10 are left"):
        run(services, job, Ear())
    assert tokens(services, job) == budget - 10
    assert answers.answer(services, asked(services, book_id, scarce)).portrait.kept.calls == 2
