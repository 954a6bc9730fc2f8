"""A book that is found unsound is read anew by itself: once, as little as need be, and never served wrong."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from db.errors import BookGone
from retrieval import index
from retrieval.embedders.hashing import HashingEmbedder
from service.access import LOCAL_LIBRARY
from service.app import create_app
from service.library import Library
from service.settings import Settings
from tests.http.story import story

QUESTION = {"q": "letter hand morning", "retriever": "hybrid", "k": 3}
READS_TEXT = "text.txt structure.json manifest.json annotations.safetensors"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("mending")
    return Settings(data_dir=folder, embedder="hashing", resolver="rules", log_level="error")


@pytest.fixture(scope="module")
def working(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def book(working: TestClient) -> dict[str, Any]:
    taken = working.post("/v1/books", files={"file": story()}, params={"wait": 60})
    assert taken.status_code == 201, taken.text
    made: dict[str, Any] = taken.json()["book"]
    return made


def folder_of(settings: Settings, client: TestClient, book: dict[str, Any]) -> Path:
    version = client.get(f"/v1/books/{book['id']}").json()["version"]
    return settings.data_dir / "books" / book["id"] / version


def forget(client: TestClient, book: dict[str, Any]) -> None:
    """As if the service had been started anew."""
    client.app.state.services.shelf.drop(book["id"])  # type: ignore[attr-defined]


def ask(client: TestClient, book: dict[str, Any]) -> list[Any]:
    found = client.get(f"/v1/books/{book['id']}/passages", params=QUESTION)
    people = client.get(f"/v1/books/{book['id']}/characters")
    assert (found.status_code, people.status_code) == (200, 200), found.text + people.text
    return [found.json(), people.json(), client.get(f"/v1/books/{book['id']}/text").text]


def ended(client: TestClient, job_id: str) -> dict[str, Any]:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        job: dict[str, Any] = client.get(f"/v1/jobs/{job_id}").json()
        if job["state"] in ("succeeded", "failed", "cancelled"):
            return job
        time.sleep(0.1)
    raise AssertionError(f"{job_id} did not end")


def jobs(client: TestClient) -> list[str]:
    return [job["id"] for job in client.get("/v1/jobs", params={"limit": 200}).json()["items"]]


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x11
    path.write_bytes(data)


HARMS: tuple[Callable[[Path], None], ...] = (Path.unlink, cut_short, flip)


@pytest.mark.timeout(1800)  # a job for each file, on a machine that may be very busy
def test_whatever_is_harmed_is_told_and_mended(
    settings: Settings, working: TestClient, book: dict[str, Any]
) -> None:
    before = ask(working, book)
    files = sorted(p for p in folder_of(settings, working, book).rglob("*") if p.is_file())
    names = [p.relative_to(folder_of(settings, working, book)).as_posix() for p in files]
    assert {name.split("/")[0] for name in names} >= {*READS_TEXT.split(), "index"}
    for turn, name in enumerate(names):
        forget(working, book)
        HARMS[turn % len(HARMS)](folder_of(settings, working, book) / name)
        answer = working.get(f"/v1/books/{book['id']}/passages", params=QUESTION)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (503, "index_stale"), (name, answer.text)
        assert "reprocessed" in problem["remedy"]
        assert int(answer.headers["retry-after"]) >= 1
        job = ended(working, problem["job"])
        assert job["state"] == "succeeded", (name, job)
        if name.startswith("index/"):
            assert set(job["timings"]) == {"index", "publish"}, "the text and who is who were sound"
        assert ask(working, book) == before, name


def test_a_book_that_is_deleted_under_an_answer_is_gone(working: TestClient) -> None:
    taken = working.post("/v1/books", files={"file": story() * 2}, params={"wait": 60}).json()["book"]
    services = working.app.state.services  # type: ignore[attr-defined]
    view = Library(services, LOCAL_LIBRARY).view(taken["id"])
    who = view.annotations.characters[0].id
    assert working.delete(f"/v1/books/{taken['id']}").status_code == 204
    with pytest.raises(BookGone):
        view.telling(who)


def test_a_version_that_is_gone_is_made_again(
    settings: Settings, working: TestClient, book: dict[str, Any]
) -> None:
    before = ask(working, book)
    shutil.rmtree(folder_of(settings, working, book))
    forget(working, book)
    problem = working.get(f"/v1/books/{book['id']}/characters").json()
    assert ended(working, problem["job"])["state"] == "succeeded"
    assert ask(working, book) == before


def test_an_index_of_another_version_is_made_again(
    working: TestClient, book: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To this process, the index is of an older Bookworm; the job's, which is not changed, makes its own."""
    before = ask(working, book)
    with monkeypatch.context() as newer:
        newer.setitem(index.VERSIONS, "passages", 99)
        forget(working, book)
        problem = working.get(f"/v1/books/{book['id']}/passages", params=QUESTION).json()
        assert problem["code"] == "index_stale"
        assert ended(working, problem["job"])["state"] == "succeeded"
    assert ask(working, book) == before


def test_however_many_ask_one_job_is_started(
    settings: Settings, working: TestClient, book: dict[str, Any]
) -> None:
    before, known = ask(working, book), set(jobs(working))
    forget(working, book)
    flip(folder_of(settings, working, book) / "index" / "dense.faiss")
    with ThreadPoolExecutor(16) as pool:
        path = f"/v1/books/{book['id']}/passages"
        answers = list(pool.map(lambda _: working.get(path, params=QUESTION), range(48)))
    told = {answer.json()["job"] for answer in answers if answer.status_code == 503}
    assert len(told) == 1
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert ended(working, told.pop())["state"] == "succeeded"
    assert len(set(jobs(working)) - known) == 1
    assert ask(working, book) == before


def test_a_search_of_the_library_leaves_it_out_and_has_it_mended(
    settings: Settings, working: TestClient, book: dict[str, Any]
) -> None:
    other = working.post("/v1/books", files={"file": story(1)}, params={"wait": 60}).json()["book"]
    before = working.get("/v1/search", params=QUESTION).json()
    assert (before["books"], before["skipped"]) == (2, [])
    forget(working, book)
    cut_short(folder_of(settings, working, book) / "index" / "passages.npy")
    told = working.get("/v1/search", params=QUESTION).json()
    assert told["books"] == 1
    assert {hit["book"]["id"] for hit in told["items"]} == {other["id"]}
    (skipped,) = told["skipped"]
    assert (skipped["book"]["id"], skipped["code"]) == (book["id"], "index_stale")
    assert ended(working, skipped["job"])["state"] == "succeeded"
    assert working.get("/v1/search", params=QUESTION).json() == before
    working.delete(f"/v1/books/{other['id']}")


def test_what_cannot_be_mended_is_not_tried_again_and_again(
    settings: Settings, working: TestClient, book: dict[str, Any]
) -> None:
    before = ask(working, book)
    forget(working, book)
    flip(folder_of(settings, working, book) / "text.txt")
    source = settings.data_dir / "books" / book["id"] / "source"
    source.unlink()
    path = f"/v1/books/{book['id']}/characters"
    first = working.get(path).json()
    assert ended(working, first["job"])["state"] == "failed"
    known = jobs(working)
    again = working.get(path)
    assert (again.status_code, again.json()["code"]) == (503, "index_stale")
    assert again.json()["job"] == first["job"]
    assert "failed" in again.json()["detail"]
    assert again.json()["remedy"] == "Upload the book again."
    assert jobs(working) == known
    working.post("/v1/books", files={"file": story()}, params={"wait": 60})
    assert ask(working, book) == before


class Other(HashingEmbedder):
    @property
    def name(self) -> str:
        return "other/1"


def test_workers_with_another_embedder_are_not_sent_round_in_circles(
    working: TestClient, book: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/v1/books/{book['id']}/passages"
    engines = working.app.state.services.engines  # type: ignore[attr-defined]
    assert engines.embedder.name != Other().name
    monkeypatch.setitem(engines._made, ("embedder", "hashing"), Other())
    forget(working, book)
    assert working.get(path, params={**QUESTION, "retriever": "bm25"}).status_code == 200
    first = working.get(path, params={**QUESTION, "retriever": "dense"}).json()
    assert first["code"] == "index_stale"
    assert ended(working, first["job"])["state"] == "succeeded"
    known = jobs(working)
    again = working.get(path, params={**QUESTION, "retriever": "dense"}).json()
    assert "BOOKWORM_EMBEDDER" in again["remedy"]
    skipped = working.get("/v1/search", params=QUESTION).json()["skipped"]
    assert "BOOKWORM_EMBEDDER" in skipped[0]["remedy"]
    assert jobs(working) == known
