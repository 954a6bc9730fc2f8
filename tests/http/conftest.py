"""One real service for each database, in a process of its own; a test has a key and a library to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from db.database import Database
from db.types import Scope
from service import access
from service.services import Services
from tests.http.cited import assert_quoted
from tests.http.serve import serving
from tests.http.story import story
from tests.postgres import PostgresServer

WAIT = 150
FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:9999"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
"""Headers of requests that pages of other sites make."""
_numbers = count(1)


@dataclass(frozen=True)
class Live:
    """A running service, with a hand on its database."""

    base: str
    database: Database
    data_dir: Path
    log: Path

    def key(self, *, library: str | None = None, scope: Scope = Scope.WRITE, **limits: int) -> str:
        services = cast(Services, SimpleNamespace(database=self.database))
        limits = {"rate_per_minute": 1_000_000, "quota_per_day": 1_000_000, **limits}
        name = library or f"lib{next(_numbers)}"
        return access.create_key(services, name="test", library=name, scopes=[scope], **limits)[1]

    def client(self, key: str | None, *, root: bool = False) -> httpx.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(
            base_url=self.base if root else f"{self.base}/v1", headers=headers, timeout=WAIT + 30
        )


@pytest.fixture(scope="session")
def sqlite_live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    data_dir = tmp_path_factory.mktemp("live_sqlite")
    with _running(data_dir, f"sqlite:///{data_dir / 'bookworm.sqlite3'}") as live:
        yield live


@pytest.fixture(scope="session")
def postgres_live(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with postgres.database() as url, _running(tmp_path_factory.mktemp("live_postgres"), url) as live:
        yield live


ON_POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.soak])
"""All SQL is in `db/`, whose tests run on both databases, and `test_postgres` has a journey."""


@pytest.fixture(scope="session", params=["sqlite", ON_POSTGRES])
def live(request: pytest.FixtureRequest) -> Live:
    """Both stay: this fixture ends whenever the database changes, once or twice a file, and they do not."""
    found: Live = request.getfixturevalue(f"{request.param}_live")
    return found


@pytest.fixture(scope="session", params=["sqlite", ON_POSTGRES])
def native_live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """With the resolver `native`, for what rests on who is meant by a pronoun or a noun."""
    data_dir = tmp_path_factory.mktemp("live_native")
    with ExitStack() as stack:
        url = f"sqlite:///{data_dir / 'bookworm.sqlite3'}"
        if request.param == "postgres":
            server: PostgresServer = request.getfixturevalue("postgres")
            url = stack.enter_context(server.database())
        yield stack.enter_context(_running(data_dir, url, resolver="native"))


@contextmanager
def _running(data_dir: Path, url: str, *, resolver: str = "rules") -> Iterator[Live]:
    with ExitStack() as stack:
        database = Database(url)
        database.migrate()
        stack.callback(database.dispose)
        settings = {
            "data_dir": str(data_dir),
            "database_url": url,
            "embedder": "hashing",
            "resolver": resolver,
            "max_upload_bytes": "200000",
            "openai_url": "http://127.0.0.1:9/v1",  # where nobody listens
            "openai_model": "nobody",
            "openai_attempts": "1",
        }
        found = Live("", database, data_dir, data_dir / "service.log")
        found.key()  # the service never is open
        yield replace(found, base=stack.enter_context(serving(settings, log=found.log)))


@pytest.fixture
def client(live: Live) -> Iterator[httpx.Client]:
    """May read and write a library of its own, which is empty."""
    with live.client(live.key()) as client:
        yield client


@pytest.fixture
def native_client(native_live: Live) -> Iterator[httpx.Client]:
    with native_live.client(native_live.key()) as client:
        yield client


Upload = Callable[..., dict[str, Any]]


def upload(client: httpx.Client, data: bytes | None = None, **parameters: Any) -> dict[str, Any]:
    """Uploads a story and waits until it is ready; gives the book."""
    answer = client.post(
        "/books", files={"file": ("story.txt", data or story())}, data=parameters, params={"wait": WAIT}
    )
    assert answer.status_code in (200, 201), answer.text
    book: dict[str, Any] = answer.json()["book"]
    return book


@dataclass(frozen=True)
class Shelf:
    """A library with one book in it that is only read."""

    client: httpx.Client
    library: str
    book: dict[str, Any]

    @property
    def at(self) -> str:
        return f"/books/{self.book['id']}"

    def get(self, path: str, **parameters: Any) -> httpx.Response:
        return self.client.get(f"{self.at}{path}", params=parameters)

    def json(self, path: str, **parameters: Any) -> Any:
        answer = self.get(path, **parameters)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        if "sentences" in told and "provenance" in told:
            assert_quoted(self.client, told)
        return told

    def person(self, name: str) -> dict[str, Any]:
        return next(c for c in self.json("/characters")["items"] if c["name"] == name)


@pytest.fixture(scope="session")
def shelf(live: Live) -> Iterator[Shelf]:
    with _shelf(live) as shelf:
        yield shelf


@pytest.fixture(scope="session")
def sqlite_shelf(sqlite_live: Live) -> Iterator[Shelf]:
    """For what has nothing to do with the database."""
    with _shelf(sqlite_live) as shelf:
        yield shelf


@pytest.fixture(scope="session")
def native_shelf(native_live: Live) -> Iterator[Shelf]:
    with _shelf(native_live) as shelf:
        yield shelf


@contextmanager
def _shelf(live: Live) -> Iterator[Shelf]:
    with live.client(live.key(library="shelf")) as writer:
        book = upload(writer)
    with live.client(live.key(library="shelf", scope=Scope.READ)) as reader:
        yield Shelf(reader, "shelf", book)


@pytest.fixture
def admin(live: Live) -> Iterator[httpx.Client]:
    """Manages a library of its own, in which there is no other key."""
    with live.client(live.key(scope=Scope.ADMIN)) as client:
        yield client
