"""Uploading, listing, reading and deleting, over real HTTP on both databases."""

from __future__ import annotations

import gzip
import hashlib
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from db.repositories import BookRepository
from db.types import ReadingOptions
from tests.http.conftest import WAIT, Live, Shelf, upload
from tests.http.story import STORY, TITLE, story


def send(client: httpx.Client, data: bytes, name: str = "story.txt", **parameters: object) -> httpx.Response:
    return client.post("/books", files={"file": (name, data)}, params=parameters)  # type: ignore[arg-type]


def test_a_new_book_is_taken_in_and_read_by_a_job(client: httpx.Client) -> None:
    answer = send(client, story())
    assert answer.status_code == 202
    body = answer.json()
    assert body["created"] is True
    assert answer.headers["location"] == f"/v1/jobs/{body['job']['id']}"
    assert body["book"]["sha256"] == hashlib.sha256(story()).hexdigest()
    done = send(client, story(), wait=WAIT).json()
    assert done["created"] is False
    assert done["book"]["id"] == body["book"]["id"]
    job = client.get(f"/jobs/{body['job']['id']}").json()
    assert (job["state"], job["progress"], job["book"]) == ("succeeded", 1.0, body["book"]["id"])
    assert set(job["timings"]) >= {"read", "resolve", "index"}


def test_waiting_gives_the_book_when_it_is_ready(client: httpx.Client) -> None:
    answer = send(client, story(), wait=WAIT)
    assert answer.status_code == 201, answer.text
    book = answer.json()["book"]
    assert answer.headers["location"] == f"/v1/books/{book['id']}"
    assert (book["state"], book["language"]) == ("ready", "en")
    assert book["words"] > 200
    assert client.get(f"/books/{book['id']}").json() == book


def test_the_same_bytes_are_the_same_book(client: httpx.Client, live: Live) -> None:
    book = upload(client)
    again = send(client, story(), name="another-name.txt", wait=WAIT)
    assert (again.status_code, again.json()["book"]["id"]) == (200, book["id"])
    with live.client(live.key()) as stranger:
        assert upload(stranger)["id"] != book["id"]


def test_a_book_is_processed_again(client: httpx.Client) -> None:
    book = upload(client)
    ordered = client.post(f"/books/{book['id']}/reprocess")
    assert (ordered.status_code, ordered.headers["location"]) == (202, f"/v1/jobs/{ordered.json()['id']}")
    assert client.get(f"/books/{book['id']}/characters").status_code == 200, "it is read meanwhile"
    send(client, story(), wait=WAIT)
    job = client.get(f"/jobs/{ordered.json()['id']}").json()
    assert (job["state"], job["book"]) == ("succeeded", book["id"])
    assert client.get(f"/books/{book['id']}").json()["version"] == book["version"]
    unknown = client.post("/books/bk_0000000000000000/reprocess")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "book_unknown")


def test_a_book_that_processing_again_would_change_is_told(client: httpx.Client, live: Live) -> None:
    book = upload(client)
    assert book["outdated"] is False
    with live.database.session() as session:
        BookRepository(session).instruct(book["id"], ReadingOptions(title="Another"))
    assert client.get(f"/books/{book['id']}").json()["outdated"] is True
    assert [each["outdated"] for each in client.get("/books").json()["items"]] == [True]


def test_uploading_while_the_first_upload_is_read_gives_the_same_job(client: httpx.Client) -> None:
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: send(client, story(), wait=WAIT), range(6)))
    assert {a.status_code for a in answers} <= {200, 201}
    assert len({a.json()["book"]["id"] for a in answers}) == 1
    assert sum(a.json()["created"] for a in answers) == 1
    assert len(client.get("/jobs").json()["items"]) == 1


def test_a_given_title_is_a_line_that_can_be_read(client: httpx.Client) -> None:
    fields = {"title": "My \x1b[31mTitle\x07", "author": "  "}
    answer = client.post("/books", files={"file": ("x.txt", story(4))}, data=fields, params={"wait": 60})
    assert answer.json()["book"]["title"] == "My [31mTitle"
    assert answer.json()["book"]["options"] == {**answer.json()["book"]["options"], "author": None}


def test_title_and_author_may_be_given(client: httpx.Client) -> None:
    fields = {"title": "My Own Title", "author": "A. N. Other"}
    answer = client.post("/books", files={"file": story()}, data=fields, params={"wait": WAIT})
    assert (answer.json()["book"]["title"], answer.json()["book"]["author"]) == (
        "My Own Title",
        "A. N. Other",
    )


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "empty_book"),
        (b" \n\n ", 422, "empty_book"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, 415, "unsupported_format"),
        (b"a" * 200_001, 413, "book_too_large"),
        (b"a" * 400_000, 413, "body_too_large"),
    ],
)
def test_what_is_no_book_is_refused_and_leaves_nothing(
    client: httpx.Client, data: bytes, status: int, code: str
) -> None:
    answer = send(client, data)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert client.get("/books").json()["items"] == []


def test_what_turns_out_to_be_no_text_is_told_and_kept_as_failed(client: httpx.Client) -> None:
    answer = send(client, bytes(range(1, 256)) * 40, wait=WAIT)
    assert (answer.status_code, answer.json()["code"]) == (415, "not_text"), answer.text
    assert [b["state"] for b in client.get("/books").json()["items"]] == ["failed"]
    assert client.get("/jobs").json()["items"][0]["error_code"] == "not_text"


def test_a_body_that_grows_past_the_limit_is_refused_while_it_is_read(live: Live) -> None:
    """65 MiB in pieces, with no length told beforehand: refused long before the end."""
    sent = 0

    def pieces() -> object:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.txt"\r\n\r\n'
        for _ in range(65):
            sent += 1
            yield b"It was a dark and stormy night. " * 32768

    with live.client(live.key()) as client:
        answer = client.post(
            "/books",
            content=pieces(),  # type: ignore[arg-type]
            headers={"Content-Type": "multipart/form-data; boundary=x"},
        )
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert sent < 65


def test_a_form_without_a_file_says_what_is_missing(client: httpx.Client) -> None:
    answer = client.post("/books", data={"title": "x"})
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.file")
    words = client.post("/books", files={"file": (None, b"words")})
    assert words.json()["errors"] == [
        {"where": "body.file", "problem": "Input should be a file, with a file name"}
    ]
    bare = client.post("/books", content=story(), headers={"Content-Type": "text/plain"})
    assert (bare.status_code, bare.json()["code"]) == (415, "media_type_unsupported")
    assert bare.json()["detail"] == "This operation takes multipart/form-data, and the body is text/plain."


def test_pages_of_books_newest_first(client: httpx.Client) -> None:
    ids = [send(client, story(n)).json()["book"]["id"] for n in range(5)]
    seen, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = client.get("/books", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        seen += [b["id"] for b in page["items"]]
        cursor, pages = page["next"], pages + 1
    assert (seen, pages) == (ids[::-1], 3)
    following = client.get("/books", params={"limit": 2}).json()["next"]
    for path, filters in (("/jobs", {}), ("/books", {"q": "lamp"})):
        refused = client.get(path, params={"cursor": following, **filters})
        assert (refused.status_code, refused.json()["code"]) == (422, "cursor_invalid")


def test_books_are_found_by_title_author_and_file_name(client: httpx.Client) -> None:
    client.post("/books", files={"file": ("quay.txt", story(1))}, data={"title": "One", "author": "Ann"})
    client.post("/books", files={"file": ("lamp.txt", story(2))}, data={"title": "Two", "author": "Bob"})

    def titles(q: str) -> set[str]:
        return {b["title"] for b in client.get("/books", params={"q": q}).json()["items"]}

    assert titles("ann") == {"One"}
    assert titles("TWO") == {"Two"}
    assert titles("lamp.t") == {"Two"}
    assert titles("%") == set()


def test_deleting_a_book_forgets_it(client: httpx.Client, live: Live) -> None:
    book = upload(client)
    assert (live.data_dir / "books" / book["id"]).exists()
    assert client.delete(f"/books/{book['id']}").status_code == 204
    for path in ("", "/text", "/characters", "/events", "/decisions", "/descriptions"):
        answer = client.get(f"/books/{book['id']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "book_unknown")
    assert client.delete(f"/books/{book['id']}").status_code == 404
    assert not (live.data_dir / "books" / book["id"]).exists()
    assert upload(client)["id"] != book["id"]


def test_deleting_a_book_while_it_is_read(client: httpx.Client) -> None:
    taken = send(client, story() * 40).json()
    assert client.delete(f"/books/{taken['book']['id']}").status_code == 204
    assert client.get(f"/jobs/{taken['job']['id']}").status_code == 404
    assert upload(client)["state"] == "ready"


def test_the_text_is_what_was_uploaded(shelf: Shelf) -> None:
    answer = shelf.get("/text")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == STORY


def test_the_text_of_one_chapter_and_up_to_one(shelf: Shelf) -> None:
    second = shelf.get("/text", chapter=2).text
    assert "Captain Roe" in second
    assert "lit the lamp" not in second
    first = shelf.get("/text", upto="ch:1").text
    assert "lit the lamp" in first
    assert "Captain Roe" not in first
    assert shelf.get("/text", upto="1", chapter=2).status_code in (404, 422)
    assert shelf.get("/text", chapter=99).status_code in (404, 422)


def test_long_answers_are_zipped_for_those_who_ask(shelf: Shelf) -> None:
    path = f"{shelf.at}/descriptions"
    plain = shelf.client.get(path, headers={"Accept-Encoding": "identity"})
    with shelf.client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as zipped:
        raw = b"".join(zipped.iter_raw())
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/decisions",
        "/text",
        "/characters",
        "/characters/Agnes",
        "/characters/Agnes/mentions",
        "/characters/Agnes/description",
    ],
)
def test_an_answer_that_did_not_change_is_not_sent_again(shelf: Shelf, path: str) -> None:
    first = shelf.get(path)
    etag = first.headers["etag"]
    assert first.headers["cache-control"].startswith("private")
    same = shelf.client.get(f"{shelf.at}{path}", headers={"If-None-Match": f'"other", {etag}'})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    assert shelf.client.get(f"{shelf.at}{path}", headers={"If-None-Match": "*"}).status_code == 304
    if path not in ("", "/decisions"):
        gated = shelf.client.get(f"{shelf.at}{path}", params={"upto": "1"}, headers={"If-None-Match": etag})
        assert gated.status_code == 200


def test_a_decision_makes_another_etag(client: httpx.Client) -> None:
    at = f"/books/{upload(client)['id']}"
    etag = client.get(f"{at}/characters").headers["etag"]
    cast = client.get(f"{at}/characters").json()["items"]
    decision = {"kind": "rename", "character": cast[0]["id"], "name": "Somebody Else"}
    assert client.post(f"{at}/decisions", json=decision).status_code == 201
    again = client.get(f"{at}/characters", headers={"If-None-Match": etag})
    assert again.status_code == 200
    assert again.json()["items"][0]["name"] == "Somebody Else"


def test_a_job_that_was_cancelled_twice(client: httpx.Client) -> None:
    job = send(client, story() * 10).json()["job"]
    first = client.post(f"/jobs/{job['id']}/cancel")
    second = client.post(f"/jobs/{job['id']}/cancel")
    assert (first.status_code, second.status_code) == (200, 200)
    waited = send(client, story() * 10, wait=WAIT)  # the same book again: it is taken up again
    assert waited.status_code in (200, 409)
    assert client.get(f"/jobs/{job['id']}").json()["state"] in ("cancelled", "succeeded")


def test_who_waits_for_a_book_is_told_that_it_was_deleted(client: httpx.Client) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(send, client, story() * 60, wait=WAIT)
        while not (items := client.get("/books").json()["items"]):
            assert not waiting.done()
        assert client.delete(f"/books/{items[0]['id']}").status_code == 204
        answer = waiting.result()
    assert (answer.status_code, answer.json()["code"]) == (404, "book_gone")


def test_jobs_are_listed_by_book(live: Live) -> None:
    with live.client(live.key()) as client, live.client(live.key()) as stranger:
        first, second = upload(client), upload(client, b"A shorter story. Ann met Bob.")
        listed = client.get("/jobs", params={"book": first["id"]}).json()
        assert {job["book"] for job in listed["items"]} == {first["id"]}
        assert client.get("/jobs").json()["items"][0]["book"] == second["id"]
        both = {"book": first["id"], "state": "succeeded", "limit": 1}
        assert client.get("/jobs", params=both).json() == listed
        assert client.get("/jobs", params=both | {"state": "failed"}).json()["items"] == []
        assert stranger.get("/jobs", params={"book": first["id"]}).json() == {"items": [], "next": None}
        assert client.get("/jobs", params={"book": "none"}).json() == {"items": [], "next": None}
        assert client.get("/jobs", params={"book": "x" * 101}).status_code == 422


def test_jobs_are_listed_by_state(client: httpx.Client) -> None:
    upload(client)
    assert [j["state"] for j in client.get("/jobs", params={"state": "succeeded"}).json()["items"]] == [
        "succeeded"
    ]
    assert client.get("/jobs", params={"state": "failed"}).json() == {"items": [], "next": None}
    assert client.get("/jobs", params={"state": "sleeping"}).status_code == 422


def test_the_title_is_found(shelf: Shelf) -> None:
    assert TITLE.casefold() in (shelf.book["title"] or "").casefold()
