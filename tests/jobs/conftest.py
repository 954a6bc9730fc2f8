"""Houses on either database: one for all tests of a module that only need a running one, or a fresh one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.house import House
from tests.postgres import TEMPLATE, PostgresServer

DATABASES = ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.soak])]


@pytest.fixture(scope="module", params=DATABASES)
def shared_house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("sqlite_template"), folder / "bookworm.db")
        with _open(folder, f"sqlite:///{folder}/bookworm.db") as house:
            yield house
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database(template=TEMPLATE) as url, _open(folder, url) as house:
        yield house


def _open(folder: Path, url: str) -> House:
    house = House(folder, url)
    house.start()
    return house


@pytest.fixture
def house(shared_house: House) -> Iterator[House]:
    yield shared_house
    shared_house.tidy()


@pytest.fixture
def idle_house(tmp_path: Path, database_url: str) -> Iterator[House]:
    """Fresh; its jobs are not running yet."""
    with House(tmp_path, database_url) as house:
        yield house


@pytest.fixture
def sqlite_house(tmp_path: Path, sqlite_url: str) -> Iterator[House]:
    """For what has nothing to do with the database."""
    with House(tmp_path, sqlite_url) as house:
        yield house
