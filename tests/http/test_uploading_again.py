"""How a book is to be read: said with an upload, kept, mended by another upload of the same bytes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from books.errors import EncodingUnknown, UnsupportedFormat, UnsupportedLanguage
from tests.http.conftest import WAIT
from tests.http.story import story

FRENCH = (
    "Chapitre premier\n\n"
    + "Il était une fois, dans une petite maison au bord de la mer, une vieille femme qui ne parlait à "
    "personne. Elle avait perdu son mari dans la tempête, et depuis ce jour elle attendait. « Tu ne "
    "viendras donc pas avec nous ? » lui demanda sa sœur, qui était montée la voir.\n\n" * 8
).encode()
CHINESE = "第一章 海边\n\n" + "她在海边走了很久，没有人知道她在想什么。“你去哪里？”他问。\n\n" * 30


def send(client: httpx.Client, data: bytes, **said: Any) -> httpx.Response:
    files = {"file": ("book.txt", data)}
    return client.post("/books", files=files, data=said, params={"wait": WAIT})


def test_a_language_that_is_not_understood_is_told_and_can_be_forced(client: httpx.Client) -> None:
    refused = send(client, FRENCH)
    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (422, "unsupported_language")
    assert "French" in problem["detail"]
    assert problem["remedy"] == UnsupportedLanguage.remedy
    job = client.get("/jobs").json()["items"][0]
    assert (job["state"], job["error_code"], job["remedy"]) == ("failed", problem["code"], problem["remedy"])
    assert (job["error"], job["id"]) == (problem["detail"], problem["job"])

    forced = send(client, FRENCH, force="true")
    assert forced.status_code == 200, forced.text
    book = forced.json()["book"]
    assert (book["state"], book["language"], book["options"]["force"]) == ("ready", "fr", True)
    assert any("French" in warning for warning in book["report"]["warnings"])


def test_a_failed_book_says_why_wherever_it_is_asked_for(client: httpx.Client) -> None:
    send(client, FRENCH)
    book = client.get("/books").json()["items"][0]
    assert book["state"] == "failed"
    for path in ("/characters", "/chapters", "/text"):
        answer = client.get(f"/books/{book['id']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "book_failed")
        assert "French" in answer.json()["detail"]
        assert answer.json()["remedy"] == UnsupportedLanguage.remedy
        assert client.get(f"/jobs/{answer.json()['job']}").json()["book"] == book["id"]
    asked = client.post("/questions", json={"question": "Who?", "books": [book["id"]]})
    (skipped,) = asked.json()["skipped"]
    assert (skipped["code"], skipped["job"]) == ("book_failed", None), "there is no job to wait for"


def test_a_wrong_encoding_is_mended_by_uploading_again(client: httpx.Client) -> None:
    data = CHINESE.encode("gb18030")
    wrong = send(client, data, encoding="utf-16-le", force="true", title="海")
    right = send(client, data, encoding="GB18030")
    assert right.status_code == 200, (wrong.text, right.text)
    book = right.json()["book"]
    assert (book["report"]["encoding"], book["report"]["encoding_by"]) == ("gb18030", "given")
    assert book["options"] == {"title": "海", "author": None, "encoding": "gb18030", "force": True}
    assert client.get(f"/books/{book['id']}/text").text == CHINESE
    again = send(client, data, encoding="auto")
    assert again.json()["book"]["options"]["encoding"] is None
    assert again.json()["book"]["report"]["encoding_by"] != "given"


def test_the_same_said_again_does_nothing(client: httpx.Client) -> None:
    first = send(client, story(), encoding="utf-8")
    assert first.status_code == 201, first.text
    for said in ({"encoding": "UTF8"}, {}, {"encoding": "", "title": ""}, {"force": "false"}):
        again = send(client, story(), **said)
        assert (again.status_code, again.json()["job"]) == (200, None)
    assert len(client.get("/jobs").json()["items"]) == 1


def test_another_title_is_another_reading(client: httpx.Client) -> None:
    found = send(client, story()).json()["book"]
    given = send(client, story(), title="My Own").json()["book"]
    assert given["title"] == given["report"]["title"] == "My Own"
    assert given["version"] != found["version"]


@pytest.mark.parametrize("name", ["utf-9", "base64", "  ", "../../etc/passwd"])
def test_an_encoding_that_nobody_knows_is_refused(client: httpx.Client, name: str) -> None:
    answer = send(client, story(), encoding=name)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "encoding_unknown"), problem
    assert problem["remedy"] == EncodingUnknown.remedy
    assert client.get("/books").json()["items"] == []


def test_what_is_not_read_is_refused_at_once_with_what_to_do(client: httpx.Client) -> None:
    answer = send(client, b"%PDF-1.7\n" + b"x" * 2000)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_format")
    assert answer.json()["remedy"] == UnsupportedFormat.remedy
    assert client.get("/jobs").json()["items"] == []


def test_an_upload_is_one_book_and_known_options(client: httpx.Client) -> None:
    two = client.post("/books", files=[("file", ("a.txt", story())), ("file", ("b.txt", story() * 2))])
    misspelt = send(client, story(), titel="The Lamp")
    for answer, where in ((two, "body.file"), (misspelt, "body.titel")):
        assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")
        assert [part["where"] for part in answer.json()["errors"]] == [where]
    assert misspelt.json()["remedy"] == "Known are: file, title, author, encoding, force."
    assert client.get("/books").json()["items"] == []


def test_force_is_yes_or_no(client: httpx.Client) -> None:
    answer = send(client, story(), force="perhaps")
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.force")


def test_the_report_says_what_was_understood(client: httpx.Client) -> None:
    report = send(client, story()).json()["book"]["report"]
    assert (report["format"], report["encoding"], report["encoding_by"]) == ("text", "utf-8", "valid")
    assert (report["language"], report["chapters"], report["chapters_by"]) == ("en", 2, "headings")
    assert report["title"].casefold() == "the lamp at harrow quay"
    assert report["words"] > 200
    assert report["play"] is False
    assert {"part", "reason", "places", "share"} == set(report["cut"][0])
