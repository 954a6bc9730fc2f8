"""Files of who is who for other programs."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from coref.export.formats import ExportFormat
from service import pages
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import STORY
from tests.service.knowing import shelve


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("exports")
    return folder, shelve(folder, STORY.encode(), library="local")


@pytest.fixture
def client(book: tuple[Path, str]) -> Iterator[TestClient]:
    settings = Settings(data_dir=book[0], embedder="hashing", jobs_in_process=False)
    with TestClient(create_app(settings)) as client:
        yield client


def test_each_format_is_a_file(client: TestClient, book: tuple[Path, str]) -> None:
    at = f"/v1/books/{book[1]}/annotations"
    document = client.get(at)
    assert document.headers["content-disposition"] == f'attachment; filename="{book[1]}.json"'
    people = {person["id"]: person["name"] for person in document.json()["characters"]}
    assert people["lane"] == "Miss Lane"
    lines = client.get(at, params={"format": "jsonl"}).text.splitlines()
    named = {line["id"] for line in map(json.loads, lines) if line["type"] == "character"}
    assert named == set(people)
    by_chapter, whole = (client.get(at, params={"format": form}) for form in ("conll", "conll-book"))
    assert by_chapter.text.count("#begin document") > whole.text.count("#begin document") == 1
    assert by_chapter.headers["content-type"].startswith("text/plain")
    packed = client.get(at, params={"format": "booknlp"})
    assert packed.headers["content-disposition"] == f'attachment; filename="{book[1]}.zip"'
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        names = [f"{book[1]}.{kind}" for kind in ("book", "entities", "quotes", "tokens")]
        assert sorted(archive.namelist()) == names
        assert b"Miss Lane" in archive.read(f"{book[1]}.entities")
    assert client.get(at, params={"format": "xml"}).status_code == 422


def test_it_has_the_corrections(client: TestClient, book: tuple[Path, str]) -> None:
    at = f"/v1/books/{book[1]}"
    before = client.get(f"{at}/annotations")
    renamed = client.post(
        f"{at}/decisions", json={"kind": "rename", "character": "lane", "name": "The stranger"}
    )
    assert renamed.status_code == 201, renamed.text
    after = client.get(f"{at}/annotations", headers={"If-None-Match": before.headers["etag"]})
    assert "The stranger" in {person["name"] for person in after.json()["characters"]}
    assert "| The stranger |" in client.get(f"{at}/annotations", params={"format": "markdown"}).text
    undo = {"kind": "undo", "undoes": renamed.json()["number"]}
    assert client.post(f"{at}/decisions", json=undo).status_code == 201
    assert client.get(f"{at}/annotations").content == before.content


def test_tables_say_who_people_are_and_where_that_is_said(client: TestClient, book: tuple[Path, str]) -> None:
    at = f"/v1/books/{book[1]}/annotations"
    table = client.get(at, params={"format": "markdown"})
    said = "“Mr. Ford was the miller.”"
    assert f"| Mr. Ford |  |  | 5 | 1 | 3 | {said} | chapter 1, p:2 |" in table.text.splitlines()
    assert table.headers["content-type"] == "text/markdown; charset=utf-8"
    assert table.headers["content-disposition"] == f'attachment; filename="{book[1]}.md"'
    with zipfile.ZipFile(io.BytesIO(client.get(at, params={"format": "csv"}).content)) as archive:
        names = [f"{book[1]}.{kind}.csv" for kind in ("characters", "mentions", "quotes")]
        assert archive.namelist() == names
        cast, mentions, _ = (archive.read(name).decode("utf-8-sig").splitlines() for name in names)
    assert f'Mr. Ford,,,5,1,3,{said},"chapter 1, p:2",ford,person,' in cast
    assert mentions[3] == "Mr. Ford,Mr. Ford,ford,PROP,PER,1.0,1,2,138,146"
    described = client.get("/openapi.json").json()["paths"]["/v1/books/{book_id}/annotations"]["get"]
    assert {"text/markdown; charset=utf-8", "application/zip"} <= set(
        described["responses"]["200"]["content"]
    )


@pytest.mark.parametrize("form", ["json", "jsonl", "conll", "csv", "markdown"])
def test_nothing_is_in_it_from_after_the_gate(client: TestClient, book: tuple[Path, str], form: str) -> None:
    def text(**upto: str) -> str:
        answer = client.get(f"/v1/books/{book[1]}/annotations", params={"format": form, **upto})
        if form != "csv":
            return answer.text
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return "".join(archive.read(name).decode() for name in archive.namelist())

    all_of_it, early = text(), text(upto="2")
    assert "Ward" in all_of_it
    assert "Ward" not in early
    assert "Lane" in early


def test_it_says_up_to_where_it_is(client: TestClient, book: tuple[Path, str]) -> None:
    def got(form: str, upto: str) -> httpx.Response:
        return client.get(f"/v1/books/{book[1]}/annotations", params={"format": form, "upto": upto})

    assert got("markdown", "2").text.startswith("From the book up to the end of chapter 2.\n\n| Name |")
    for upto, place in (("2", "2"), ("p:1", "p1")):
        name = f"{book[1]}.upto-{place}"
        assert got("json", upto).headers["content-disposition"] == f'attachment; filename="{name}.json"'
        with zipfile.ZipFile(io.BytesIO(got("csv", upto).content)) as archive:
            assert archive.namelist()[0] == f"{name}.characters.csv"


def test_the_page_offers_every_format() -> None:
    """Except CoNLL-2012 in one part, which only scorers need."""
    script = (Path(pages.__file__).parent / "static" / "export.js").read_text("utf-8")
    offered = re.findall(r'^  \["([a-z-]+)", "', script, re.MULTILINE)
    assert offered == [form for form in ExportFormat if form is not ExportFormat.CONLL_BOOK]
