"""A short story, and the command line run in this process with a library of its own."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from generation.models.openai import local_servers
from service.cli.app import run
from service.encoder_bits import EXACT, BitsRule
from service.jobs.process import Processes
from tests.generation.models.openai.fake import Fake, serve, status
from tests.generation.models.openai.test_local_servers import MODELS, port_of

STORY = """THE LAMP AT HARBOUR POINT

by Nobody

Chapter 1. The Lamp

Margaret Lowe kept the lamp at Harbour Point. She was a patient woman, and she was the daughter of a pilot.

“You will want oil before winter,” said Captain Briggs. He was the master of the supply boat.

“I always want oil,” said Margaret. She liked the Captain, though she did not say so.

Mr. Peter Lowe, her brother, sat by the stove. He was a clerk in the town and he hated the sea.

Chapter 2. The Storm

The storm came on a Tuesday. Margaret climbed the stairs and lit the lamp herself. She was afraid.

“Peter!” cried Margaret. “Bring the rope!”

Mr. Lowe brought the rope. He was pale, but he was brave that night.

Captain Briggs saw the lamp and turned his boat. He was saved, and he knew who had saved him.

Chapter 3. The Letter

In the spring Captain Briggs wrote a letter. “Dear Miss Lowe,” it began. Margaret read it twice.

Margaret Lowe married Captain Briggs in June. She was happy. Peter gave her away, and he laughed.
"""


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Bookworm = Callable[..., Ran]


class _Kept(Processes):
    def kill(self) -> None:
        """Only those whose stage runs on: the command line ended before it."""
        with self._lock:
            busy = [*self._busy]
        for process in busy:
            process.kill()


@pytest.fixture(scope="module", autouse=True)
def kept_processes() -> Iterator[None]:
    """Stage processes wait for the next command line, as those of a service do for its next job."""
    kept: dict[tuple[str, ...], Processes] = {}

    def processes(*, bits: BitsRule, **wanted: Any) -> Processes:
        anywhere = replace(bits, file=EXACT.file)  # it is in the data folder, and no test measures
        made = _Kept(bits=anywhere, **wanted)
        return kept.setdefault(made._command, made)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.jobs.engine.Processes", processes)
        yield
    for each in kept.values():
        Processes.kill(each)


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("story") / "lamp.txt"
    path.write_text(STORY, "utf-8")
    return path


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory, story: Path) -> Path:
    """A data folder with the story in it."""
    return shelved(story, tmp_path_factory.mktemp("shelf"), resolver="rules")


def shelved(story: Path, folder: Path, *, resolver: str) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOKWORM_EMBEDDER", "hashing")
        patch.setenv("BOOKWORM_RESOLVER", resolver)
        assert run(["--data-dir", str(folder), "ingest", str(story), "--json"]) == 0
    return folder


@pytest.fixture
def own(shelf: Path, tmp_path: Path) -> Path:
    """A copy of the shelf, to be harmed or changed."""
    folder = tmp_path / "own"
    shutil.copytree(shelf, folder, ignore=shutil.ignore_patterns("workers"))
    return folder


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Fake]:
    """A server that looks like Ollama, and a working folder for the settings, where nothing is chosen."""
    monkeypatch.setenv("BOOKWORM_GENERATOR", "auto")
    with serve() as fake:
        fake.reply(status(200, MODELS), path="/v1/models")
        ports = {port_of(fake): "ollama"}
        for function in (local_servers.find_models, local_servers.first_model):
            monkeypatch.setattr(function, "__defaults__", (ports,))
        monkeypatch.chdir(tmp_path)
        yield fake


@pytest.fixture(autouse=True)
def own_logs() -> Iterator[None]:
    """Each command sets up logging for its process, which here is everybody's."""
    root = logging.getLogger()
    handlers, level, configuration = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configuration)


@pytest.fixture
def bookworm(shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bookworm:
    """Runs one command line over the shelf, with the small engines: `tests/docs` has the real ones."""
    monkeypatch.setenv("BOOKWORM_EMBEDDER", "hashing")
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")

    def call(*arguments: str, data_dir: Path = shelf) -> Ran:
        capsys.readouterr()
        status = run(["--data-dir", str(data_dir), *arguments])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return call


@pytest.fixture
def book(bookworm: Bookworm) -> str:
    """The id of the story on the shelf."""
    (only,) = bookworm("books", "--json").json["items"]
    return str(only["id"])
