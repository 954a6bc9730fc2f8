"""A real server: `transformers serve` with a model that has learnt two answers by heart."""

from __future__ import annotations

import os
import shutil
import signal
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
from generation.models.types import Finish, Message, OpenAISetup, Request, Role
from tests.generation.models import tiny
from tests.generation.models.openai.conftest import Ear

KNOWN = {"Who is Bess?": "Bess is the senior clerk.", "Who is Tom?": "Tom is her brother."}
START_SECONDS = 90

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Served:
    url: str
    folder: str

    def model(self, **setup: str | None) -> OpenAIModel:
        given = OpenAISetup(url=self.url, model=self.folder, timeout=60.0)
        return OpenAIModel(replace(given, **setup))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def served(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    room = tmp_path_factory.mktemp("serve")
    (room / "home" / "hub").mkdir(parents=True)  # `/v1/models` fails without it
    adapter = tiny.teach(tiny_llama, room / "adapter", KNOWN)
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
    try:
        _await(process, f"http://127.0.0.1:{port}/health", room / "log")
        yield Served(f"http://127.0.0.1:{port}/v1", folder)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


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


def ask(said: str, *, max_tokens: int = 40) -> Request:
    return Request((Message(Role.USER, said),), max_tokens=max_tokens, temperature=0.01, seed=1)


def test_it_answers_what_the_adapter_learnt(served: Served) -> None:
    got = served.model().complete([ask(question) for question in KNOWN])
    assert [g.text for g in got] == list(KNOWN.values())
    assert {g.finish for g in got} == {Finish.STOP}
    assert all(g.usage.prompt_tokens > 10 and g.usage.completion_tokens > 3 for g in got)
    assert [g.usage.calls for g in got] == [1, 1]


def test_it_streams(served: Served) -> None:
    ear = Ear()
    (got,) = served.model().complete([ask("Who is Tom?")], listener=ear)
    assert got.text == ear.text() == KNOWN["Who is Tom?"]
    assert len(ear.pieces) > 3
    assert (got.finish, got.usage.calls) == (Finish.STOP, 1)
    assert got.usage.completion_tokens > 3


def test_it_is_cut_off_where_we_say(served: Served) -> None:
    for listener in (None, Ear()):
        (got,) = served.model().complete([ask("Who is Bess?", max_tokens=4)], listener=listener)
        assert got.finish is Finish.LENGTH
        assert got.usage.completion_tokens == 4
        assert 0 < len(got.text) < len(KNOWN["Who is Bess?"])


def test_it_serves_others_after_somebody_left(served: Served) -> None:
    endless = replace(ask("Tell me all.", max_tokens=900), temperature=100.0)
    with pytest.raises(WritingCancelled):
        served.model().complete([endless], listener=Ear(until=2))
    assert served.model().complete([ask("Who is Bess?")])[0].text == KNOWN["Who is Bess?"]


def test_another_model_is_not_to_be_had(served: Served) -> None:
    with pytest.raises(GeneratorUnavailable, match="pinned"):
        served.model(model="gpt-4").complete([ask("Who is Bess?")])


def test_it_lists_no_model_and_tells_no_length(served: Served) -> None:
    with pytest.raises(GeneratorUnavailable, match="no model"):
        _ = served.model(model=None).name
    assert served.model().context == 8192
