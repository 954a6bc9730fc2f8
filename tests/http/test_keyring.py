"""Keys over HTTP: made, told once, listed without a secret, revoked; and nobody is locked out unawares."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi.testclient import TestClient

from db.types import Scope
from service import access
from service.app import create_app
from service.services import Services
from service.settings import Settings
from tests.http.conftest import FOREIGN, Live

OURS = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"}
ADMIN = {"name": "mine", "scopes": ["admin"]}


@pytest.fixture
def alone(tmp_path: Path, sqlite_url: str) -> Iterator[TestClient]:
    """A service without any key."""
    settings = Settings(
        data_dir=tmp_path / "data", database_url=sqlite_url, jobs_in_process=False, log_level="error"
    )
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service that never gets a key, so that one does for many tests."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("keys"), jobs_in_process=False, log_level="error")
    with TestClient(create_app(settings)) as client:
        yield client


def made(client: httpx.Client, **given: Any) -> dict[str, Any]:
    answer = client.post("/keys", json={"name": "reader", **given})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def listed(client: httpx.Client) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = client.get("/keys").json()["items"]
    return items


def refused(answer: Any) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["remedy"]
    return answer.status_code, answer.json()["code"]


def test_a_key_is_made_told_once_used_and_listed_without_its_secret(live: Live, admin: httpx.Client) -> None:
    answer = admin.post(
        "/keys", json={"name": "laptop", "scopes": ["write"], "rate_per_minute": 7, "quota_per_day": 9}
    )
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    secret, key = answer.json()["secret"], answer.json()["key"]
    assert (key["name"], key["scopes"], key["yours"]) == ("laptop", ["read", "write"], False)
    assert (key["rate_per_minute"], key["quota_per_day"], key["used_today"]) == (7, 9, 0)
    with live.client(secret) as client:
        assert client.get("/books").status_code == 200
        assert client.get("/scopes").json() == {"scopes": ["read", "write"]}
        assert refused(client.get("/keys")) == (403, "scope_missing")
    said = admin.get("/keys")
    assert secret not in said.text
    assert secret[3:] not in said.text
    mine, other = listed(admin)
    assert (mine["yours"], other["id"]) == (True, key["id"])
    assert (other["used_today"], other["revoked"]) == (1, None)
    assert other["last_used"] is not None
    assert said.json()["guarded"] is True
    assert secret not in live.log.read_text("utf-8")


def test_what_is_not_said_is_as_set_up(admin: httpx.Client) -> None:
    key = made(admin, name="  lamp ")["key"]
    assert (key["name"], key["scopes"]) == ("lamp", ["read"])
    assert (key["rate_per_minute"], key["quota_per_day"]) == (600, 50_000)


def test_keys_come_in_pages(admin: httpx.Client) -> None:
    ids = [made(admin, name=f"k{number}")["key"]["id"] for number in range(3)]
    first = admin.get("/keys", params={"limit": 2}).json()
    second = admin.get("/keys", params={"limit": 2, "cursor": first["next"]}).json()
    assert [key["id"] for key in first["items"] + second["items"]][1:] == ids
    assert second["next"] is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"name": ""},
        {"name": " \t "},
        {"name": "x" * 101},
        {"name": "two\nlines"},
        {"name": "nul\x00"},
        {"name": "\u202eesrever"},
        {"name": 5},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["root"]},
        {"name": "x", "scopes": ["admin"] * 4},
        {"name": "x", "scopes": "admin"},
        {"name": "x", "rate_per_minute": 0},
        {"name": "x", "rate_per_minute": True},
        {"name": "x", "rate_per_minute": 10**30},
        {"name": "x", "quota_per_day": -1},
        {"name": "x", "quota_per_day": "many"},
        {"name": "x", "library": "another"},
        {"name": "x", "secret": "bw_" + "x" * 43},
    ],
)
def test_nonsense_makes_no_key(admin: httpx.Client, body: Any) -> None:
    assert admin.post("/keys", json=body).status_code == 422
    assert len(listed(admin)) == 1


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE])
def test_only_admins_manage_keys(live: Live, scope: Scope) -> None:
    with live.client(live.key(scope=scope)) as client:
        for answer in (client.post("/keys", json=ADMIN), client.get("/keys"), client.delete("/keys/key_x")):
            assert refused(answer) == (403, "scope_missing")
    with live.client(None) as nobody:
        for answer in (nobody.post("/keys", json=ADMIN), nobody.get("/keys"), nobody.delete("/keys/key_x")):
            assert refused(answer) == (401, "key_missing")


def test_another_library_s_key_is_not_there(live: Live, admin: httpx.Client) -> None:
    key = made(admin)["key"]["id"]
    with live.client(live.key(scope=Scope.ADMIN)) as stranger:
        assert key not in {one["id"] for one in listed(stranger)}
        for anyway in ("false", "true"):
            answer = stranger.delete(f"/keys/{key}", params={"anyway": anyway})
            assert refused(answer) == (404, "key_unknown")
            # Word for word as for an id that nobody has.
            assert refused(stranger.delete("/keys/key_none", params={"anyway": anyway})) == (
                404,
                "key_unknown",
            )
    assert listed(admin)[1]["revoked"] is None
    assert admin.delete(f"/keys/{'x' * 101}").status_code == 422


def test_a_revoked_key_is_refused_within_a_second(live: Live, admin: httpx.Client) -> None:
    lost = made(admin, name="lost")
    key = lost["key"]
    with live.client(lost["secret"]) as client:
        assert client.get("/books").status_code == 200
        assert admin.delete(f"/keys/{key['id']}").status_code == 204
        until = time.monotonic() + 1
        asked = time.monotonic()
        while (answer := client.get("/books")).status_code == 200:
            assert asked < until
            asked = time.monotonic()
        assert refused(answer) == (401, "key_invalid")
    assert listed(admin)[1]["revoked"] is not None
    again = admin.delete(f"/keys/{key['id']}")
    assert refused(again) == (404, "key_unknown")
    assert again.json()["remedy"] == "List the keys to see their ids."


def test_the_key_in_use_is_revoked_only_when_that_is_meant(live: Live, admin: httpx.Client) -> None:
    (mine,) = listed(admin)
    made(admin, scopes=["admin"])
    assert refused(admin.delete(f"/keys/{mine['id']}")) == (409, "key_needed")
    assert admin.delete(f"/keys/{mine['id']}", params={"anyway": "true"}).status_code == 204
    assert refused(admin.get("/keys")) == (401, "key_invalid")


def test_the_last_admin_s_key_is_revoked_only_when_that_is_meant(live: Live) -> None:
    """A key of another library does not count; nor does one that was revoked."""
    first = live.key(library="lasting", scope=Scope.ADMIN)
    with live.client(first) as admin:
        second = made(admin, name="second", scopes=["admin"])
        made(admin, name="weak", scopes=["write"])
        with live.client(second["secret"]) as other:
            (own,) = [key for key in listed(admin) if key["yours"]]
            assert other.delete(f"/keys/{own['id']}").status_code == 204
            answer = other.delete(f"/keys/{second['key']['id']}")
            assert refused(answer) == (409, "key_needed")
            assert other.delete(f"/keys/{second['key']['id']}", params={"anyway": True}).status_code == 204


def test_the_first_key_must_be_an_admin_s_and_shuts_the_service(alone: TestClient) -> None:
    assert alone.get("/v1/keys").json() == {"items": [], "next": None, "guarded": False}
    for weak in ({"name": "x"}, {"name": "x", "scopes": ["write", "read"]}):
        assert refused(alone.post("/v1/keys", json=weak)) == (409, "first_key_refused")
    assert alone.get("/v1/keys").json()["guarded"] is False
    answer = alone.post("/v1/keys", json=ADMIN, headers=OURS)
    assert answer.status_code == 201, answer.text
    assert refused(alone.get("/v1/books")) == (401, "key_missing"), "at once, in this process"
    holder = {"Authorization": f"Bearer {answer.json()['secret']}"}
    found = alone.get("/v1/keys", headers=holder).json()
    assert (found["guarded"], [key["yours"] for key in found["items"]]) == (True, [True])
    assert alone.post("/v1/keys", json={"name": "weak"}, headers=holder).status_code == 201


def test_who_came_before_the_first_key_manages_none_after_it(alone: TestClient) -> None:
    """Another process has just made one: what this one believes is a moment old."""
    assert alone.get("/v1/books").status_code == 200
    database = alone.app.state.services.database  # type: ignore[attr-defined]
    services = cast(Services, SimpleNamespace(database=database))
    key, _ = access.create_key(services, name="first", library="local")
    alone.app.state.gate._keyed = (time.monotonic() + 60, False)  # type: ignore[attr-defined]
    assert alone.get("/v1/books").status_code == 200, "it still believes so"
    for answer in (
        alone.post("/v1/keys", json=ADMIN),
        alone.get("/v1/keys"),
        alone.delete(f"/v1/keys/{key.id}", params={"anyway": True}),
    ):
        assert refused(answer) == (401, "key_missing")
    assert [one.revoked for one in access.list_keys(services)] == [None]


@pytest.mark.parametrize("headers", [*FOREIGN, {"Host": "evil.example"}])
def test_a_foreign_page_makes_and_revokes_no_key(refusing: TestClient, headers: dict[str, str]) -> None:
    foreign = {"Host": "127.0.0.1:8000", **headers}
    for answer in (
        refusing.post("/v1/keys", json=ADMIN, headers=foreign),
        refusing.post("/keys", json=ADMIN, headers=foreign),
        refusing.delete("/v1/keys/key_x", params={"anyway": True}, headers=foreign),
    ):
        assert answer.status_code == 403
    assert refusing.get("/v1/keys").json()["guarded"] is False


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_what_a_form_can_send_makes_no_key(refusing: TestClient, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    body = b'{"name": "mine", "scopes": ["admin"]}'
    assert refusing.post("/v1/keys", content=body, headers=headers).status_code == 415
    assert refusing.get("/v1/keys").json()["guarded"] is False
