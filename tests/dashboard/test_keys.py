"""Where the service wants a key, the pages ask for one, use it, and forget it when told to."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from playwright.sync_api import Browser, expect

from db.database import Database
from db.types import Scope
from service import access
from service.services import Services
from tests.http.serve import serving


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a service that has a key, and the key."""
    folder = tmp_path_factory.mktemp("guarded")
    database = Database(f"sqlite:///{folder / 'bookworm.sqlite3'}")
    database.migrate()
    services = cast(Services, SimpleNamespace(database=database))
    _, key = access.create_key(services, name="reader", library="mine", scopes=[Scope.WRITE])
    database.dispose()
    settings = {"data_dir": str(folder), "embedder": "hashing"}
    with serving(settings, log=folder / "service.log") as base:
        yield base, key


def test_a_key_is_asked_for_kept_and_forgotten(browser: Browser, guarded: tuple[str, str]) -> None:
    base, key = guarded
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("API key").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".trouble")).to_be_visible()
    page.get_by_label("API key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Library", exact=True)).to_be_visible()
    expect(page.locator("#empty")).to_be_visible()
    assert key not in page.url
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key")).to_be_visible()
    context.close()
