"""Jobs that failed or were cancelled are tried again, over HTTP."""

from __future__ import annotations

import time
from typing import Any

import httpx

from db.types import Scope
from tests.http.conftest import WAIT, Live, upload
from tests.http.story import story

FRENCH = ("Il était une fois une jeune fille qui vivait dans une petite maison avec sa mère. " * 60).encode()


def send(client: httpx.Client, data: bytes) -> dict[str, Any]:
    answer = client.post("/books", files={"file": ("story.txt", data)})
    assert answer.status_code == 202, answer.text
    job: dict[str, Any] = answer.json()["job"]
    return job


def ended(client: httpx.Client, job_id: str) -> dict[str, Any]:
    until = time.monotonic() + WAIT
    while True:
        job: dict[str, Any] = client.get(f"/jobs/{job_id}").json()
        if job["state"] not in ("queued", "running"):
            return job
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_cancelled_job_is_tried_again(client: httpx.Client) -> None:
    job = send(client, story() * 10)
    client.post(f"/jobs/{job['id']}/cancel")
    cancelled = ended(client, job["id"])
    assert (cancelled["state"], cancelled["retryable"]) == ("cancelled", True)
    again = client.post(f"/jobs/{job['id']}/retry")
    assert again.status_code == 202, again.text
    new = again.json()
    assert (new["book"], new["id"] != job["id"]) == (job["book"], True)
    assert again.headers["location"] == f"/v1/jobs/{new['id']}"
    twice = client.post(f"/jobs/{job['id']}/retry")
    assert twice.status_code == 409 or twice.json()["id"] == new["id"]
    assert ended(client, new["id"])["state"] == "succeeded"
    assert client.get(f"/books/{job['book']}").json()["state"] == "ready"
    assert len(client.get("/jobs", params={"book": job["book"]}).json()["items"]) == 2


def test_a_failed_job_is_tried_again_and_may_fail_again(client: httpx.Client) -> None:
    job = ended(client, send(client, FRENCH)["id"])
    assert (job["state"], job["error_code"]) == ("failed", "unsupported_language")
    assert not job["retryable"]
    new = client.post(f"/jobs/{job['id']}/retry").json()
    assert new["id"] != job["id"]
    assert ended(client, new["id"])["error_code"] == "unsupported_language"


def test_a_book_that_was_read_is_left_alone(client: httpx.Client) -> None:
    upload(client)
    (job,) = client.get("/jobs").json()["items"]
    answer = client.post(f"/jobs/{job['id']}/retry")
    assert (answer.status_code, answer.json()["code"]) == (409, "job_not_failed")
    assert "Reprocess it" in answer.json()["remedy"]
    assert len(client.get("/jobs").json()["items"]) == 1


def test_who_may_not(live: Live, client: httpx.Client) -> None:
    job = ended(client, send(client, FRENCH)["id"])
    at = f"/jobs/{job['id']}/retry"
    with live.client(live.key()) as stranger, live.client(live.key(scope=Scope.READ)) as reader:
        assert (stranger.post(at).status_code, stranger.post("/jobs/none/retry").status_code) == (404, 404)
        assert reader.post(at).status_code == 403
    assert client.post(f"/jobs/{'x' * 101}/retry").status_code == 422
    assert client.delete(f"/books/{job['book']}").status_code == 204
    assert client.post(at).status_code == 404
