"""A real model on a real llama.cpp server, through the whole service: its falsehoods are not believed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from generation.checking.judges.llm_judge import LlmJudge
from generation.checking.judges.proven_judge import PASSED, exam
from generation.models.openai.model import OpenAIModel
from generation.models.types import CompletionRequest, Message, MessageRole, OpenAISetup
from generation.types import Task
from tests.cli.conftest import STORY
from tests.generation.models.openai.honest import honest
from tests.generation.models.openai.llama_cpp import CONTEXT, serving_smollm, weights
from tests.http.conftest import upload
from tests.http.serve import serving
from tests.http.test_streams import stream

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(weights() is None, reason="SmolLM2 and llama.cpp come with `make soak-short`"),
]
HOTTER = {"repeat_penalty": 1.25}
"""Without it so small a model only repeats itself, and its texts are rejected for that."""
SEEDS = 3


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving_smollm(tmp_path_factory.mktemp("llama.cpp") / "log") as address:
        yield address


@pytest.fixture(scope="module")
def client(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("library")
    settings = {
        "data_dir": str(folder),
        "generator": "auto",
        "judge": "auto",
        "extractor": "auto",
        "openai_url": url,
        "openai_extra": json.dumps(HOTTER),
        "temperature": "0.8",
    }
    with serving(settings, log=folder / "log") as base, httpx.Client(base_url=f"{base}/v1") as client:
        client.timeout = httpx.Timeout(600)
        yield client


@pytest.fixture(scope="module")
def book(client: httpx.Client) -> str:
    found: str = upload(client, STORY.encode())["id"]
    return found


def model(url: str) -> OpenAIModel:
    return OpenAIModel(OpenAISetup(url=url, extra=HOTTER))


def test_the_server_tells_its_context_and_counts_exactly(url: str) -> None:
    smol = model(url)
    assert smol.context == CONTEXT
    assert smol.count_tokens("The lamp at Harbour Point.") in range(5, 10)
    request = CompletionRequest((Message(MessageRole.USER, "Say hello."),), 20, Task.DESCRIPTION)
    (answer,) = smol.complete([request])
    assert answer.text
    assert answer.usage.completion_tokens <= 20


def test_it_fails_the_exam_of_judges(url: str) -> None:
    """Statements about a story: it calls right and wrong ones alike."""
    judged = LlmJudge(model(url)).judge(exam().cases)
    assert judged.usage.calls >= 2
    assert exam().mark(judged.verdicts) < PASSED


@pytest.mark.timeout(1800)
def test_what_it_invents_of_somebody_is_not_shown_as_true(client: httpx.Client, book: str) -> None:
    """Most of its drafts are rejected, and then the offline answer is shown. Those judged by hand are in
    `evaluation/judging/small_answers.csv`.
    """
    for seed in range(SEEDS):
        assert honest(asked(client, book, "characters/Margaret/description", seed), STORY)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", ["characters/Margaret/analysis", "descriptions"])
def test_what_it_invents_is_not_shown_as_true(client: httpx.Client, book: str, path: str) -> None:
    assert honest(asked(client, book, path, 0), STORY)


def asked(client: httpx.Client, book: str, path: str, seed: int) -> dict[str, Any]:
    answer = client.get(f"/books/{book}/{path}", params={"seed": seed, "words": 45})
    assert answer.status_code == 200, answer.text
    portrait: dict[str, Any] = answer.json()
    assert portrait["usage"]["calls"] >= 1
    return portrait


def test_it_is_heard_while_it_writes(client: httpx.Client, book: str) -> None:
    path = f"/books/{book}/characters/Peter/description"
    heard = stream(client, path, words="45", seed="11")
    kinds = [event.kind for event in heard]
    assert kinds.count("text") > 3
    assert kinds[-1] == "answer"
    assert honest(heard[-1].data, STORY)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("strategy", ["hierarchical", "incremental"])
def test_it_tells_the_story_in_parts(client: httpx.Client, book: str, strategy: str) -> None:
    """Its summary may be rejected, and then the offline one stands in. Nothing false is shown as true."""
    params = {"strategy": strategy, "words": 40, "chunk": 200}
    answer = client.get(f"/books/{book}/summary", params=params)
    assert answer.status_code == 200, answer.text
    assert answer.json()["usage"]["calls"] >= 2
    assert honest(answer.json(), STORY)
