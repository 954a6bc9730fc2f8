"""Without keys: open on loopback, to loopback names, and to no other web site's pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx import Response

from db.database import Database
from evaluation import novella
from service import access, pages
from service.app import ROUTERS, create_app
from service.services import Services
from service.settings import Settings
from tests.http.conftest import FOREIGN
from tests.http.story import story


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str) -> Settings:
    return Settings(
        data_dir=tmp_path / "data",
        database_url=sqlite_url,
        embedder="hashing",
        jobs_in_process=False,
        log_level="error",
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service that is only asked, so that one does for many tests."""
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("asked"),
        embedder="hashing",
        jobs_in_process=False,
        log_level="error",
    )
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def get(asked: TestClient) -> Callable[[str], Response]:
    """Each address once, however many pages name it."""
    return cache(asked.get)


def test_no_key_is_needed(client: TestClient) -> None:
    assert client.get("/v1/books").status_code == 200
    assert client.post("/books", files={"file": story()}).status_code == 202
    assert client.get("/metrics").status_code == 200


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
def test_loopback_names_are_answered(asked: TestClient, host: str) -> None:
    assert asked.get("/v1/books", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "", "a:b:c", "[::1", "@"],
)
def test_other_names_are_not(asked: TestClient, host: str) -> None:
    for path in ("/v1/books", "/", "/docs", "/nothing"):
        answer = asked.get(path, headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (403, "host_refused")
    assert asked.get("/livez", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("prefix", ["/v1", ""])
def test_no_route_takes_a_parameter_that_it_does_not_declare(asked: TestClient, prefix: str) -> None:
    """A misspelt `upto` would show the whole book."""
    for route in (route for router in ROUTERS for route in router.routes):
        assert isinstance(route, APIRoute)
        for method in route.methods:
            answer = asked.request(method, prefix + route.path, params={"up_to": "1"})
            assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid"), route.path
            assert "“up_to”" in answer.json()["detail"], route.path
    answer = asked.get(f"{prefix}/books/x/characters?Upto=1")
    assert answer.json()["remedy"] == "Known are: upto."


def test_of_two_values_none_is_dropped(asked: TestClient) -> None:
    """Of `upto=1&upto=9` only the last would count, and show what comes after chapter 1."""
    answer = asked.get("/v1/books/x/characters?upto=1&upto=9")
    assert (answer.status_code, answer.json()["code"]) == (422, "request_invalid")
    assert answer.json()["errors"] == [{"where": "query.upto", "problem": "given more than once"}]
    assert asked.get("/v1/books/x/descriptions?name=Ann&name=Tom").json()["code"] == "book_unknown"


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_foreign_page_changes_nothing(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/v1/books", files={"file": story()}, headers={"Host": "127.0.0.1:8000", **headers})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin_refused")
    assert client.get("/v1/books").json()["items"] == []


def test_a_foreign_page_may_link_but_not_embed(client: TestClient) -> None:
    foreign = {"Host": "127.0.0.1:8000", "Sec-Fetch-Site": "cross-site"}
    assert client.get("/docs", headers={**foreign, "Sec-Fetch-Mode": "navigate"}).status_code == 200
    for mode in ("no-cors", "cors"):
        answer = client.get("/v1/books", headers={**foreign, "Sec-Fetch-Mode": mode})
        assert (answer.status_code, answer.json()["code"]) == (403, "origin_refused")


def test_our_own_page_may(client: TestClient) -> None:
    headers = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/v1/books", files={"file": story()}, headers=headers).status_code == 202


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"])
def test_nobody_is_answered_through_a_proxy(asked: TestClient, header: str) -> None:
    headers = {"Host": "127.0.0.1:8000", header: "127.0.0.1"}
    for path in ("/v1/books", "/"):
        answer = asked.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "exposure_refused")
    assert asked.get("/livez", headers=headers).status_code == 200


@pytest.mark.parametrize("client", [("127.0.0.1", 5), ("::1", 5), None])
def test_this_machine_is_answered(asked: TestClient, client: tuple[str, int]) -> None:
    assert TestClient(asked.app, client=client).get("/v1/books").status_code == 200


@pytest.mark.parametrize("client", [("192.0.2.7", 5), ("2001:db8::7", 5)])
def test_other_machines_are_not(asked: TestClient, client: tuple[str, int]) -> None:
    answer = TestClient(asked.app, client=client).get("/v1/books")
    assert (answer.status_code, answer.json()["code"]) == (403, "exposure_refused")


def test_listening_elsewhere_without_a_key_answers_nobody(settings: Settings) -> None:
    with TestClient(create_app(settings), base_url="http://192.168.1.7") as client:
        answer = client.get("/v1/books", headers={"Host": "localhost"})
        assert (answer.status_code, answer.json()["code"]) == (403, "exposure_refused")


def test_the_first_key_ends_it(settings: Settings) -> None:
    app = create_app(settings)
    with TestClient(app) as client:
        assert client.get("/v1/books").status_code == 200
        database: Database = app.state.services.database
        services = cast(Services, SimpleNamespace(database=database))
        _, secret = access.create_key(services, name="first", library="local")
        app.state.gate = access.Gate(database)  # instead of waiting a second
        assert client.get("/v1/books").status_code == 401
        for host in ("localhost", "books.example"):
            headers = {"Host": host, "Authorization": f"Bearer {secret}", "X-Forwarded-For": "192.0.2.7"}
            assert client.get("/v1/books", headers=headers).status_code == 200


def test_every_answer_has_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/docs", "/v1/books", "/nothing", "/v1/books/none", "/livez", "/static/style.css"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-request-id"]


BOOK = "/library/bk_1"
OF_A_BOOK = (BOOK, *(f"{BOOK}/{page}" for page in ("people/ann", "read", "together", "corrections")))
PAGES = ("/", "/library", "/operations", "/docs", *OF_A_BOOK)


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere_and_run_only_files_of_ours(
    get: Callable[[str], Response], path: str
) -> None:
    page = get(path)
    assert page.headers["content-type"].startswith("text/html")
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "<script>" not in page.text
    assert "style=" not in page.text
    links = re.findall(r'(?:href|src)="([^"]*)"', page.text)
    assert len(links) > 3
    assert all(link.startswith(("/", "#")) for link in links)
    assert all(get(link).status_code == 200 for link in links if link.startswith("/"))


def test_scripts_import_only_one_another_and_write_no_markup(get: Callable[[str], Response]) -> None:
    folder = Path(pages.__file__).parent / "static"
    for path in folder.glob("*.js"):
        script = path.read_text()
        for name in re.findall(r'from "\./([a-z-]+\.js)"', script):
            assert get(f"/static/{name}").status_code == 200
        assert len(re.findall(r"\bimport\b", script)) == len(re.findall(r'from "\./[a-z-]+\.js";', script))
        for refused in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "://"):
            assert refused not in script.replace("http://www.w3.org/2000/svg", ""), (path.name, refused)


@pytest.mark.parametrize("path", PAGES)
def test_pages_name_all_their_modules_at_once_and_for_good(get: Callable[[str], Response], path: str) -> None:
    page = get(path)
    assert page.headers["cache-control"] == "no-cache"
    named = re.findall(r'(?:href|src)="(/static/[^"]*\.js)"', page.text)
    assert len(named) == len(set(named)) > 2
    for address in named:
        answer = get(address)
        assert "immutable" in answer.headers["cache-control"]
        beside = address.rpartition("/")[0]
        assert {f"{beside}/{name}" for name in re.findall(r'from "\./([a-z-]+\.js)"', answer.text)} <= set(
            named
        )
    assert get(named[0].replace("/static/", "/static/0")).status_code == 404
    plain = f"/static/{named[0].rpartition('/')[2]}"
    assert get(plain).headers["cache-control"] == "no-cache"


def test_the_novella_to_begin_with_is_the_one_of_the_demo(client: TestClient) -> None:
    answer = client.get("/static/novella.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.content == novella.path().read_bytes()


def test_only_the_files_of_the_pages_are_there(client: TestClient) -> None:
    for name in ("nothing.js", "__init__.py", "..%2f__init__.py", "%2e%2e/layout.html", "layout.html"):
        assert client.get(f"/static/{name}").status_code == 404


def test_only_a_browser_is_shown_a_page_at_an_unknown_address(client: TestClient) -> None:
    page = client.get("/nope", headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    for path, accept in (("/nope", "*/*"), ("/v1/nope", "text/html,*/*")):
        answer = client.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.json()["code"]) == (404, "route_unknown")


def test_the_page_of_the_api_lists_every_operation_and_error(client: TestClient) -> None:
    page = client.get("/docs").text
    document = client.get("/openapi.json").json()
    for path, item in document["paths"].items():
        for operation in item.values():
            assert f'id="{operation["operationId"]}"' in page
        assert path in page
    assert 'id="character_ambiguous"' in page


def test_the_page_of_the_api_says_what_is_sent_and_answered(client: TestClient) -> None:
    page = client.get("/docs").text
    document = client.get("/openapi.json").json()
    assert all(f'<article id="{name}">' in page for name in document["components"]["schemas"])
    assert set(re.findall(r'href="#(\w+)"', page)) <= set(re.findall(r'id="(\w+)"', page))
    (checking,) = re.findall(r'<article id="check_text">.*?</article>', page, re.S)
    for told in (
        "query, string</span>",
        "application/json",
        "#CheckIn",
        "#CheckOut",
        "Tom Larkin has polished",
    ):
        assert told in checking
    (uploading,) = re.findall(r'<article id="upload_book">.*?</article>', page, re.S)
    assert "multipart/form-data" in uploading
    assert "query, number, default 0.0" in uploading
