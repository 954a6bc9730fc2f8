"""Books other than plain text, over HTTP: read, and every place says where in the file it stands."""

from __future__ import annotations

import gzip
from typing import Any

import httpx
import pytest

from service.wire.reports import ReportOut
from tests.books.formats.making import Toc, epub, page, zipped
from tests.http.conftest import WAIT
from tests.http.story import STORY

FIRST, SECOND = (
    STORY.split("CHAPTER II. The Letter")[0].split("CHAPTER I. The Lamp")[1],
    STORY.split("Letter\n")[1],
)


def paragraphs(text: str) -> str:
    return "".join(f"<p>{' '.join(part.split())}</p>" for part in text.split("\n\n") if part.strip())


EPUB = epub(
    {
        "one.xhtml": page(f"<h1>CHAPTER I. The Lamp</h1>{paragraphs(FIRST)}"),
        "two.xhtml": page(f"<h1>CHAPTER II. The Letter</h1>{paragraphs(SECOND)}"),
    },
    nav=[Toc("CHAPTER I. The Lamp", "one.xhtml"), Toc("CHAPTER II. The Letter", "two.xhtml")],
)


def send(client: httpx.Client, data: bytes, name: str) -> dict[str, Any]:
    answer = client.post("/books", files={"file": (name, data)}, params={"wait": WAIT})
    assert answer.status_code == 201, answer.text
    book: dict[str, Any] = answer.json()["book"]
    return book


def test_an_epub_says_where_everything_stands(client: httpx.Client) -> None:
    book = send(client, EPUB, "book.txt")
    assert (book["title"], book["author"]) == ("The Quay", "Ann Hand")
    assert (book["report"]["format"], book["report"]["chapters_by"]) == ("epub", "contents")
    at = f"/books/{book['id']}"
    chapters = client.get(f"{at}/chapters").json()["chapters"]
    assert [c["title"] for c in chapters] == ["CHAPTER I. The Lamp", "CHAPTER II. The Letter"]
    assert ["one.xhtml" in chapters[0]["locator"], "two.xhtml" in chapters[1]["locator"]] == [True, True]
    passages = client.get(f"{at}/characters/Agnes/passages").json()["items"]
    assert passages
    for passage in passages:
        assert ("one.xhtml", "two.xhtml")[passage["chapter"] - 1] in passage["locator"]
    described = client.get(f"{at}/characters/Agnes/description").json()
    cited = [c for sentence in described["sentences"] for c in sentence["citations"]]
    assert cited
    assert all(".xhtml" in citation["locator"] for citation in cited)


@pytest.mark.parametrize(
    ("data", "name", "format_"),
    [
        (page(f"<h1>CHAPTER I</h1>{paragraphs(FIRST)}").encode(), "a", "html"),
        (f"# CHAPTER I\n\n{FIRST}\n\n# CHAPTER II\n\n{SECOND}".encode(), "a", "markdown"),
        (gzip.compress(EPUB, mtime=0), "book.epub.gz", "epub"),
    ],
)
def test_every_format_is_told_by_its_content(
    client: httpx.Client, data: bytes, name: str, format_: str
) -> None:
    assert send(client, data, name)["report"]["format"] == format_


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (EPUB[: len(EPUB) // 2], 422, "file_damaged"),
        (zipped({"inner.zip": zipped({"a.txt": "x"})}), 422, "file_hostile"),
        (zipped({"xl/workbook.xml": "x"}), 415, "unsupported_format"),
        (
            zipped({"mimetype": "application/epub+zip", "META-INF/encryption.xml": "<x/>"}),
            422,
            "file_damaged",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_its_own_word(
    client: httpx.Client, data: bytes, status: int, code: str
) -> None:
    answer = client.post("/books", files={"file": ("b.epub", data)}, params={"wait": WAIT})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["remedy"]


def test_reports_of_older_books_are_still_told() -> None:
    old = {"format": "text", "encoding": "utf-8", "language": "en", "chapters_by": "headings", "warnings": []}
    told = ReportOut.of(old)
    assert (told.format, told.encoding_by, told.chapters, told.play, told.cut) == (
        "text",
        None,
        None,
        False,
        [],
    )


def test_what_may_be_uploaded_is_told(client: httpx.Client) -> None:
    told = client.get("/formats").json()
    assert {"Plain text", "Word"} < {one["name"] for one in told["items"]}
    assert told["most_bytes"] == 200_000
    too_large = client.post("/books", files={"file": b"x" * (told["most_bytes"] + 1)})
    assert too_large.status_code == 413
