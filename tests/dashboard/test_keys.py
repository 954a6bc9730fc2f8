"""Where the service wants a key, the pages ask for one, use it, and forget it when told to."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from books.errors import UnsupportedLanguage
from db.database import Database
from db.types import Scope
from service import access
from service.services import Services
from tests.dashboard.conftest import forget
from tests.http.conftest import WAIT, upload
from tests.http.serve import serving


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """The address of a service that has keys, and three of them: the last may only read."""
    folder = tmp_path_factory.mktemp("guarded")
    database = Database(f"sqlite:///{folder / 'bookworm.sqlite3'}")
    database.migrate()
    services = cast(Services, SimpleNamespace(database=database))
    named = {"Ann": Scope.WRITE, "Ben": Scope.WRITE, "Cam": Scope.READ}
    made = (access.create_key(services, name=n, library="mine", scopes=[s]) for n, s in named.items())
    keys = [key for _, key in made]
    database.dispose()
    settings = {"data_dir": str(folder), "embedder": "hashing", "resolver": "rules"}
    with serving(settings, log=folder / "service.log") as base:
        yield base, keys


@pytest.fixture(scope="module")
def book(guarded: tuple[str, list[str]]) -> str:
    """The id of a book in the library of the keys."""
    base, (key, *_) = guarded
    signed = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=f"{base}/v1", headers=signed, timeout=WAIT + 30) as client:
        return str(upload(client)["id"])


@pytest.fixture
def page(page: Page, guarded: tuple[str, list[str]]) -> Iterator[Page]:
    """Forgets the key, too."""
    yield page
    forget(page, guarded[0])


def signed_in(page: Page, base: str, key: str) -> None:
    forget(page, base)
    page.evaluate("key => localStorage.setItem('bookworm.key', key)", key)


def test_a_key_is_asked_for_kept_and_forgotten(page: Page, guarded: tuple[str, list[str]]) -> None:
    base, (key, *_) = guarded
    page.goto(base)
    expect(page.locator(".trouble")).to_contain_text("Enter the API key")
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


def test_readers_who_share_a_browser_keep_their_own_place(
    page: Page, guarded: tuple[str, list[str]], book: str
) -> None:
    base, (ann, ben, _) = guarded

    page.goto(f"{base}/library/{book}")

    def opened_by(key: str) -> Page:
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        return page

    for key, place, value in ((ann, "Chapter 1", "1"), (ben, "I have read it all", "")):
        opened_by(key).get_by_label("Your place in the book").select_option(place)
        page.get_by_role("button", name="Open the book").click()
        expect(page.locator("#gate")).to_have_value(value)
        page.get_by_role("button", name="Sign out").click()
    expect(opened_by(ann).locator("#gate")).to_have_value("1")
    page.get_by_role("button", name="Sign out").click()
    expect(opened_by(ben).locator("#gate")).to_have_value("")
    assert ann not in page.evaluate("Object.keys(localStorage).join()")


def test_a_book_is_not_shown_to_a_reader_who_has_not_said_their_place(
    page: Page, guarded: tuple[str, list[str]], book: str
) -> None:
    base, (key, *_) = guarded
    home = f"{base}/library/{book}"
    signed_in(page, base, key)
    page.goto(f"{base}/?q=Margaret")
    expect(page.get_by_text("No results in the chapters you have read")).to_be_visible()
    page.wait_for_load_state("networkidle")
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.removeprefix(f"{base}/v1")))
    pages = ("", "/people/Margaret%20Vane", "/read#at=1-5", "/story", "/quiz?chapter=1", "/together")
    for path in (*pages, "/corrections", "/ask?q=Margaret", "/search?q=Margaret", "?upto=99"):
        page.goto(f"{home}{path}")
        expect(page.get_by_role("heading", name="How far have you read?")).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert "Margaret" not in str(page.locator("body").text_content()), path
        assert "The Letter" not in str(page.locator("body").text_content()), "the title of a chapter"
    needed = {"/scopes", f"/books/{book}", f"/books/{book}/chapters"}
    assert {url for url in asked if not url.startswith(base)} == needed
    page.goto(f"{home}/read?upto=99")
    expect(page.get_by_text("This book has no such chapter.")).to_be_visible()
    page.get_by_label("Your place in the book").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#gate option:checked")).to_have_text("Nothing yet")
    page.get_by_role("button", name="Read on: chapter 1").press("Enter")
    expect(page.locator("article.page")).to_contain_text("Margaret")
    expect(page.locator("#gate")).to_have_value("1")
    signed_in(page, base, key)
    page.goto(f"{home}?upto=2")
    expect(page.locator("#gate")).to_have_value("2")
    expect(page.locator(".said")).to_have_count(0)


def test_a_key_that_may_only_read_is_offered_nothing_that_it_may_not(
    page: Page, guarded: tuple[str, list[str]], book: str
) -> None:
    """As where a book failed: only who may write is told to upload it again."""
    base, (ann, _, cam) = guarded
    failed = {
        "id": "job_1",
        "book": book,
        "state": "failed",
        "error": "The book is in German.",
        "error_code": UnsupportedLanguage.code,
        "remedy": "Two are supported; to read it anyway, pass `force`.",
        "retryable": False,
    }

    def failing(route: Route) -> None:
        answer = route.fetch()
        items = [{**each, "state": "failed"} for each in answer.json()["items"]]
        route.fulfill(response=answer, json={**answer.json(), "items": items})

    page.route("**/v1/books?*", failing)
    page.route("**/v1/jobs?*", lambda route: route.fulfill(json={"items": [failed], "next": None}))
    home = f"{base}/library/{book}"
    offered = {
        f"{home}?upto=end": ("Corrections",),
        f"{home}/read": ("Correct",),
        f"{home}/corrections": ("Change log",),
        base: ("Choose files …", "Delete …"),
    }
    for key, may in ((cam, False), (ann, True)):
        signed_in(page, base, key)
        for path, words in offered.items():
            page.goto(path)
            expect(page.get_by_text("Your API key may only read.").first).to_be_visible(visible=not may)
            expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
            for word in words:
                expect(page.get_by_text(word, exact=True).first).to_be_visible(visible=may)
        expect(page.locator(".card .trouble")).to_contain_text("Two are supported. Processed as English")
        expect(page.get_by_text("upload the file again here")).to_be_visible(visible=may)


def test_a_pupil_is_told_what_to_do_and_not_what_a_program_would(
    page: Page, guarded: tuple[str, list[str]]
) -> None:
    problem = {"code": "rate_limited", "detail": "This key is limited.", "remedy": "Wait for `Retry-After`."}
    page.route("**/v1/**", lambda route: route.fulfill(status=429, json=problem))
    page.goto(guarded[0])
    expect(page.locator(".trouble").first).to_have_text("This key is limited.Wait a minute, then try again.")
