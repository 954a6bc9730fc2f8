"""A typed client is made from the OpenAPI document as it is now, and does the main job."""

from __future__ import annotations

import importlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from service.app import create_app
from service.settings import Settings
from tests.http.serve import serving
from tests.http.story import STORY, story

NAME = "bookworm_generated_client"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(create_app(Settings(log_level="error")).openapi()))
    (folder / "config.yaml").write_text("post_hooks: []\n")
    command = [
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        "--meta",
        "none",
        "--fail-on-warning",
    ]
    command += ["--path", "openapi.json", "--config", "config.yaml", "--output-path", NAME]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module(NAME)
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def client(package: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    data_dir = tmp_path_factory.mktemp("service")
    with serving({"data_dir": str(data_dir), "embedder": "hashing"}, log=data_dir / "log") as base:
        yield package.Client(base_url=base, raise_on_unexpected_status=True, timeout=90)


def call(operation: str, **arguments: Any) -> Any:
    return importlib.import_module(f"{NAME}.api.{operation}").sync_detailed(**arguments)


@pytest.mark.soak
def test_upload_wait_describe(client: Any) -> None:
    models = importlib.import_module(f"{NAME}.models")
    types = importlib.import_module(f"{NAME}.types")
    file = types.File(payload=io.BytesIO(story()), file_name="story.txt", mime_type="text/plain")
    taken = call("books.upload_book", client=client, body=models.BodyUploadBook(file=file)).parsed
    assert isinstance(taken, models.UploadOut)
    again = call(
        "books.upload_book",
        client=client,
        body=models.BodyUploadBook(file=types.File(payload=io.BytesIO(story()), file_name="story.txt")),
        wait=60.0,
    )
    assert again.parsed.book.state == models.BookState.READY
    job = call("jobs.get_job", client=client, job_id=taken.job.id).parsed
    assert job.state == models.JobState.SUCCEEDED
    portrait = call(
        "portraits.describe_character", client=client, book_id=taken.book.id, key="Margaret"
    ).parsed
    assert isinstance(portrait, models.PortraitOut)
    assert portrait.task == models.Task.DESCRIPTION
    for sentence in portrait.sentences:
        for citation in sentence.citations:
            assert STORY[citation.span.start : citation.span.end] == citation.quote
    assert call("books.get_text", client=client, book_id=taken.book.id).content.decode() == STORY


@pytest.mark.soak
def test_errors_are_typed_too(client: Any) -> None:
    models = importlib.import_module(f"{NAME}.models")
    problem = call("books.get_book", client=client, book_id="none").parsed
    assert isinstance(problem, models.Problem)
    assert (problem.code, problem.status) == ("book_unknown", 404)


def test_the_generator_knows_every_operation(package: ModuleType) -> None:
    folder = Path(str(package.__file__)).parent / "api"
    made = {p.stem for p in folder.glob("*/*.py")} - {"__init__"}
    document = create_app(Settings(log_level="error")).openapi()
    assert made == {o["operationId"] for item in document["paths"].values() for o in item.values()}
