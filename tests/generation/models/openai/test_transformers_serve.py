"""A real server, `transformers serve`, and a model that has learnt references in the project's training."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from generation.errors import GeneratorUnavailable, WritingCancelled
from generation.models.openai.model import OpenAIModel
from generation.models.types import CompletionRequest, Finish, OpenAISetup
from generation.training.course import train
from generation.types import AnswerLimits, Prompt
from generation.writing.answer_parsing import unmarked
from generation.writing.message_rendering import MessageSheet
from generation.writing.templating import Templates
from generation.writing.writer import PortraitWriter
from tests.failing import fails
from tests.generation.models import tiny
from tests.generation.models.openai.conftest import Ear
from tests.generation.novel import passages
from tests.generation.training import school
from tests.generation.training.conftest import Heard as Progress
from tests.generation.training.school import REFERENCES
from tests.generation.writing.told import Heard, Told, prompt
from tests.processes import ending

START_SECONDS = 90

pytestmark = pytest.mark.soak


@dataclass(frozen=True)
class Served:
    url: str
    folder: str
    templates: Templates

    def model(self, **setup: str | None) -> OpenAIModel:
        given = OpenAISetup(url=self.url, model=self.folder, timeout=60.0)
        return OpenAIModel(replace(given, **setup))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def served(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    room = tmp_path_factory.mktemp("serve")
    (room / "home" / "hub").mkdir(parents=True)  # `/v1/models` fails without it
    course = school.course(tiny_llama, room / "adapter", school.lessons(tiny_llama, room), school.by_heart())
    adapter = train(course, told=Progress()).folder
    folder = str(tiny.merge(tiny_llama, adapter, room / "merged"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (room / "log").open("wb") as log:
        process = subprocess.Popen(
            [_command(), "serve", folder, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
            env={**os.environ, "HF_HOME": str(room / "home"), "HF_HUB_OFFLINE": "1"},
            stdout=log,
            stderr=log,
        )
    with ending(process):
        _await(process, f"http://127.0.0.1:{port}/health", room / "log")
        yield Served(f"http://127.0.0.1:{port}/v1", folder, school.short_templates(room / "templates"))


def _command() -> str:
    beside = Path(sys.executable).with_name("transformers")
    return str(beside) if beside.exists() else shutil.which("transformers") or "transformers"


def _await(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(url, timeout=2).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    pytest.fail(f"it does not serve: {log.read_text('utf-8', 'replace')[-2000:]}")


def question(told: Told, who: str) -> Prompt:
    return replace(prompt(told, who), passages=tuple(passages(told[0])[:1]))


def ask(served: Served, told: Told, who: str, *, max_tokens: int = 80) -> CompletionRequest:
    """Ask as the writer does, and as the model was taught."""
    sheet = MessageSheet(question(told, who), served.templates)
    messages = sheet.messages(sheet.passages([1]), sheet.task(90))
    return CompletionRequest(messages, max_tokens=max_tokens, temperature=0.01, seed=1)


def test_it_answers_what_the_adapter_learnt(served: Served, harbour: Told) -> None:
    got = served.model().complete([ask(served, harbour, who) for who in REFERENCES])
    assert [unmarked(g.text) for g in got] == list(REFERENCES.values())
    assert {g.finish for g in got} == {Finish.STOP}
    assert all(g.usage.prompt_tokens > 50 and g.usage.completion_tokens > 10 for g in got)
    assert [g.usage.calls for g in got] == [1, 1, 1]


@pytest.mark.parametrize("who", REFERENCES)
def test_the_writer_streams_what_the_adapter_learnt(served: Served, harbour: Told, who: str) -> None:
    heard, writer = Heard(), PortraitWriter(served.model(), templates=served.templates)
    limits = AnswerLimits(words=90, temperature=0.01)
    draft = writer.generate(question(harbour, who), limits, audience=heard)
    assert draft.text == unmarked(heard.text) == REFERENCES[who]
    assert len(heard.pieces) > 5
    assert not heard.voided
    assert draft.usage.completion_tokens > 10


def test_it_is_cut_off_where_we_say(served: Served, harbour: Told) -> None:
    for listener in (None, Ear()):
        (got,) = served.model().complete([ask(served, harbour, "bess", max_tokens=4)], listener=listener)
        assert got.finish is Finish.LENGTH
        assert got.usage.completion_tokens == 4
        assert 0 < len(got.text) < len(REFERENCES["bess"])


def test_it_serves_others_after_somebody_left(served: Served, harbour: Told) -> None:
    endless = replace(ask(served, harbour, "tom", max_tokens=600), temperature=100.0)
    with pytest.raises(WritingCancelled):
        served.model().complete([endless], listener=Ear(until=2))
    (answer,) = served.model().complete([ask(served, harbour, "tom")])
    assert unmarked(answer.text) == REFERENCES["tom"]


def test_another_model_is_not_to_be_had(served: Served, harbour: Told) -> None:
    with fails(GeneratorUnavailable, match="pinned"):
        served.model(model="gpt-4").complete([ask(served, harbour, "bess")])


def test_it_tells_no_length_and_its_model_if_it_lists_it(served: Served) -> None:
    listed = [model["id"] for model in httpx.get(f"{served.url}/models").json()["data"]]
    if listed:  # since transformers 5.24
        assert listed == [served.folder]
        assert served.model(model=None).name == served.model().name
    else:
        with fails(GeneratorUnavailable, match="no model"):
            _ = served.model(model=None).name
    assert served.model().context == 8192
