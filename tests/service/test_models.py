"""Answers by the real writers through the whole service: a tiny Llama here, and a server beside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from db.columns import now
from db.repositories import JobRepository
from generation.errors import ModelServerFailed
from generation.models.llama import loaded_model
from generation.types import Portrait, Strategy, Task
from service.assembly import assembled
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import answers
from service.usecases.answer_jobs import SINCE, AnswerWriting
from service.usecases.answer_request import OpenRequest, Wanted
from tests.generation.cited import assert_cited
from tests.generation.models import tiny
from tests.generation.models.openai import fake
from tests.service.conftest import HOME

SAID = (
    "Mr. Ford was the miller and had not expected Miss Lane until noon [1]. "
    "At the mill he read her books twice and found no fault in them [3]. "
    "In the end he looked at Mrs. Ward and laughed [3]."
)
KEY = "sk-never-shown"


@contextmanager
def other(read_once: tuple[Settings, str], **settings: object) -> Iterator[Services]:
    """The same library with other settings."""
    again = Settings(data_dir=read_once[0].data_dir, embedder="hashing", **settings)  # type: ignore[arg-type]
    with assembled(again, jobs_here=False) as services:
        yield services


def ask(services: Services, book_id: str, **wanted: object) -> OpenRequest:
    view = Library(services, HOME).view(book_id)
    how = Wanted(**wanted)  # type: ignore[arg-type]
    return answers.ask(services, view, task=Task.DESCRIPTION, names=["Mr. Ford"], wanted=how)


class Ear:
    def __init__(self) -> None:
        self.heard = ""

    def hear(self, piece: str) -> None:
        self.heard += piece

    def advance(self, done: int, parts: int) -> None: ...

    def think(self) -> None: ...

    def again(self, reason: str) -> None:
        self.heard = ""

    def gone(self) -> bool:
        return False


def test_what_a_server_writes_is_cited_from_its_chapter_and_before_the_gate(
    read_once: tuple[Settings, str], book_id: str
) -> None:
    """Though it cites rightly, wrongly, what it was not shown, and what comes after the gate."""
    said = (
        "Mr. Ford was the miller and had not expected Miss Lane until noon [1]. He read her books twice "
        "[3, 1]. He looked at Mrs. Ward and laughed [3][99]. Mrs. Ward never liked the name of Lane [7†L1]."
    )
    with fake.serve() as server:
        server.reply(fake.says(said))
        settings = {"openai_url": f"{server.url}/v1", "openai_model": "m", "judge": "offline"}
        with other(read_once, **settings) as services:
            for upto in (None, "2", "p:2"):
                view = Library(services, HOME).view(book_id, upto)
                for task, names in ((Task.DESCRIPTION, ["Mr. Ford"]), (Task.SUMMARY, ())):
                    how = Wanted(generator="openai", upto=upto, refresh=True)
                    asked = answers.ask(services, view, task=task, names=names, wanted=how)
                    portrait = answers.answer(services, asked).portrait
                    assert portrait.rejected is None
                    assert portrait.sentences[0].citations
                    assert_cited(portrait, asked.context)


def test_a_server_writes(read_once: tuple[Settings, str], book_id: str) -> None:
    with fake.serve() as server:
        server.reply(fake.says(SAID))
        settings = {
            "generator": "openai",
            "openai_url": f"{server.url}/v1",
            "openai_key": KEY,
            "openai_model": "llama-3",
            "openai_context": 8192,
            "temperature": 0.7,
        }
        with other(read_once, **settings) as services:
            ear, asked = Ear(), ask(services, book_id, refresh=True)
            portrait = answers.answer(services, asked, audience=ear).portrait
            kept = answers.answer(services, ask(services, book_id))
    seen = server.asked()
    assert len(seen) == 1, "the second answer was kept"
    assert (kept.cached, kept.portrait) == (True, portrait)
    assert portrait.rejected is None
    assert portrait.provenance.generator.startswith("openai/1:llama-3@")
    assert [len(sentence.citations) > 0 for sentence in portrait.sentences] == [True] * 3
    assert_cited(portrait, asked.context)
    assert "".join(ear.heard.split()) == "".join(SAID.split())
    assert (seen[0].body["model"], seen[0].body["temperature"]) == ("llama-3", 0.7)
    assert seen[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(services.settings) + repr(services.settings.writers) + repr(portrait)


@pytest.mark.parametrize("model", ["llama-3", None])
def test_without_the_fallback_a_server_that_is_down_is_an_error(
    read_once: tuple[Settings, str], book_id: str, model: str | None
) -> None:
    down = {"generator": "openai", "openai_url": "http://127.0.0.1:9/v1", "openai_model": model}
    with other(read_once, **down, openai_attempts=1) as services:
        question = ask(services, book_id, refresh=True)
        with pytest.raises(ModelServerFailed):
            answers.answer(services, question, instead=False)
        if model is None:
            with pytest.raises(ModelServerFailed):
                answers.estimate(services, question)
    with (
        other(read_once, **down, openai_attempts=1, offline_fallback=False) as services,
        pytest.raises(ModelServerFailed),
    ):
        answers.answer(services, ask(services, book_id, refresh=True))


def test_what_was_made_up_is_not_kept_and_what_is_kept_is_written_again_on_request(
    read_once: tuple[Settings, str], book_id: str
) -> None:
    made_up = "Twenty whales danced in Lima while purple engines sang about algebra and marmalade. " * 2

    def tell(services: Services, **wanted: object) -> Portrait:
        view = Library(services, HOME).view(book_id)
        how = Wanted(generator="openai", **wanted)  # type: ignore[arg-type]
        asked = answers.ask(services, view, task=Task.SUMMARY, names=(), wanted=how)
        return answers.answer(services, asked).portrait

    with fake.serve() as server:
        server.reply(fake.says(made_up), fake.says(SAID))
        settings = {"openai_url": f"{server.url}/v1", "openai_model": "m", "judge": "offline"}
        with other(read_once, **settings) as services:
            first, second = tell(services), tell(services)
            asked = len(server.asked())
            tell(services, refresh=True)
            assert len(server.asked()) == asked + 1
    assert first.rejected is not None
    assert "found in the book" in first.rejected.reason
    assert (second.rejected, second.usage.calls) == (None, 1)


def test_a_job_that_writes_again_does_not_repeat_what_it_has_written(
    read_once: tuple[Settings, str], book_id: str
) -> None:
    request = {"task": "summary", "wanted": {"generator": "openai", "refresh": True}}
    with fake.serve() as server:
        server.reply(fake.says(SAID))
        settings = {"openai_url": f"{server.url}/v1", "openai_model": "m", "judge": "offline"}
        with other(read_once, **settings) as services:
            asked: list[int] = []
            with services.database.session() as session:
                job, _ = JobRepository(session).create_answer(book_id, library=HOME, request=request)
            retried = {**request, SINCE: job.created.isoformat()}
            for ordered in (request, request, retried, request):
                created = now() if len(asked) > 1 else job.created
                AnswerWriting(services)(replace(job, created=created, request=ordered), Ear())
                asked.append(len(server.asked()))
            with services.database.session() as session:
                JobRepository(session).cancel(job.id)
    assert asked == [1, 1, 1, 2]


@pytest.fixture
def unloaded() -> Iterator[None]:
    yield
    loaded_model.unload()


@pytest.mark.usefixtures("unloaded")
def test_a_llama_that_never_learnt_to_write_is_not_shown(
    read_once: tuple[Settings, str], book_id: str, tmp_path: Path
) -> None:
    base = tiny.build(tmp_path / "base", context=4096)
    adapter = tiny.adapt(base, tmp_path / "adapter")
    settings = {
        "generator": "llama",
        "llama_base": str(base),
        "llama_adapters": {"default": adapter},
        "llama_device": "cpu",
        "llama_batch": 2,
    }
    with other(read_once, **settings) as services:
        question = ask(services, book_id, strategy=Strategy.LEAD, words=20)
        planned = answers.estimate(services, question)
        assert planned.plan.calls == 1
        assert planned.plan.prompt_tokens + planned.plan.completion_tokens <= 4096
        portrait = answers.answer(services, question).portrait
    assert portrait.rejected is not None
    assert portrait.rejected.generator.startswith("llama/")
    assert portrait.provenance.generator.startswith("offline/")
    assert portrait.usage.calls == 2, "it was asked again"
    assert portrait.usage.completion_tokens > 0
