"""The library in a real browser: several files at once, broken connections, search, and taking books away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from books.errors import UnsupportedLanguage
from evaluation import novella
from tests.dashboard.conftest import WAIT_MS
from tests.dashboard.wire import Wire, wired
from tests.http.conftest import WAIT, upload
from tests.http.story import STORY, story

TITLE = "The Lamp at Harrow Quay"
WORK = "Identifying people"
GERMAN = "Der Mann ging in den Wald und sah den Hund, der sehr alt und müde war. " * 20
LONG = 40
"""Copies of the story in a book that takes some seconds to read."""


def long_story(name: str) -> bytes:
    parts = (STORY.replace("CHAPTER I", f"CHAPTER {name.upper()} {at}.") for at in range(LONG))
    return "\n\n".join(parts).encode()


def at_home(page: Page) -> None:
    page.goto("/")
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")


def read_the_first_of_other_chapters(page: Page, client: httpx.Client, book: str) -> None:
    """The place of a reader who read two chapters, which somebody merged into the first one since."""
    end = client.get(f"/books/{book}/chapters").json()["chapters"][0]["end"]
    page.evaluate("([key, place]) => localStorage.setItem(key, place)", [f"bookworm.gate.{book}", f"2@{end}"])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "lamp.txt").write_bytes(story(31))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    (tmp_path / "quay.txt").write_bytes(story(32))
    (tmp_path / "nothing.txt").write_bytes(b"")
    return tmp_path


@pytest.mark.soak
def test_one_bad_file_does_not_stop_the_others(page: Page, files: Path) -> None:
    at_home(page)
    lamps = page.locator(".card h2 a", has_text=TITLE)
    before = lamps.count()
    page.set_input_files(
        "#files", [files / name for name in ("lamp.txt", "nothing.txt", "picture.png", "quay.txt")]
    )
    expect(lamps).to_have_count(before + 2)
    read = page.locator(".card").first.locator("details")
    expect(read).not_to_have_attribute("open", "")
    read.locator("summary").click()
    expect(read.locator("p").first).to_contain_text("Read as text in English (utf-8)")
    assert next(filter(None, read.inner_text().splitlines()[1:])).startswith("Read as")
    refused = page.locator(".queue .trouble")
    expect(refused).to_have_count(2)
    expect(refused.nth(0)).to_contain_text("nothing.txt: The file is empty. Choose another file")
    expect(refused.nth(1)).to_contain_text("picture.png: This is a picture")
    expect(refused.get_by_role("button", name="Try again")).to_have_count(0)
    refused.nth(0).get_by_role("button", name="Dismiss: nothing.txt").click()
    expect(refused).to_have_count(1)
    page.set_input_files("#files", files / "lamp.txt")
    expect(page.get_by_role("status").filter(has_text="is already in your library")).to_be_visible()
    expect(lamps).to_have_count(before + 2)


def test_what_is_dropped_anywhere_on_the_page_is_taken_in(page: Page) -> None:
    at_home(page)
    given = page.evaluate_handle(
        """text => {
          const given = new DataTransfer();
          given.items.add(new File([text], "dropped.txt"));
          return given;
        }""",
        story(33).decode(),
    )
    page.dispatch_event("h1", "dragover", {"dataTransfer": given})
    expect(page.locator(".drop")).to_have_class("drop writes over")
    page.dispatch_event("h1", "drop", {"dataTransfer": given})
    expect(page.locator(".drop")).to_have_class("drop writes")
    expect(page.locator(".card").first).to_contain_text(TITLE)


@pytest.fixture
def wire(base: str) -> Iterator[Wire]:
    with wired(base) as wire:
        yield wire


@pytest.fixture
def far_page(browser: Browser, wire: Wire) -> Iterator[Page]:
    """Looks at the service over the wire, and hears in the console of each connection that breaks."""
    page = browser.new_page(base_url=wire.base)
    page.set_default_timeout(WAIT_MS)
    yield page
    page.close()


COLLECT = """async (book) => {
  const { events } = await import("/static/sse.js");
  const seen = [];
  for await (const event of events(`/books/${book}/events`, { resume: true })) seen.push(event);
  return seen;
}"""


@pytest.mark.soak
def test_a_stream_that_breaks_again_and_again_tells_everything_once(
    far_page: Page, wire: Wire, client: httpx.Client
) -> None:
    book = upload(client, story(34))["id"]
    told = client.get(f"/books/{book}/events").text
    expected = [int(line[4:]) for line in told.splitlines() if line.startswith("id: ")]
    wire.most_of_a_stream = 1500  # which ends in the middle of an event
    far_page.goto("/")
    seen = far_page.evaluate(COLLECT, book)
    assert [int(event["id"]) for event in seen] == expected
    assert seen[-1]["event"] == "job.succeeded"
    assert all(event["data"]["id"] == int(event["id"]) for event in seen)
    assert wire.cuts >= 2


def test_nothing_is_held_open_while_nobody_looks(page: Page, client: httpx.Client) -> None:
    book = upload(client, story(34))["id"]
    at_home(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/events") else None)
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true })")
    page.evaluate("window.away = true")
    page.evaluate(f"book => {{ window.told = ({COLLECT})(book); }}", book)
    page.wait_for_timeout(300)
    assert asked == []
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("async () => (await window.told).at(-1).event") == "job.succeeded"
    assert len(asked) == 1


@pytest.mark.soak
def test_progress_goes_on_to_the_end_when_the_connection_was_away(
    far_page: Page, wire: Wire, client: httpx.Client, tmp_path: Path
) -> None:
    novel = tmp_path / "long.txt"
    novel.write_bytes(long_story("away"))
    at_home(far_page)
    far_page.set_input_files("#files", novel)
    card = far_page.locator(".card").first
    expect(card.locator(".state")).to_contain_text(WORK)
    wire.cut()
    far_page.wait_for_timeout(1000)
    expect(card.get_by_role("progressbar")).to_be_visible()
    wire.mend()
    expect(card.get_by_role("link", name=TITLE)).to_be_visible(timeout=WAIT * 1000)
    expect(card.locator(".state")).to_be_empty()
    client.delete(f"/books/{card.get_attribute('id')}")


def test_reading_is_stopped_and_taken_up_again(page: Page, client: httpx.Client, tmp_path: Path) -> None:
    novels = [tmp_path / "first.txt", tmp_path / "second.txt"]
    for novel in novels:
        novel.write_bytes(long_story(novel.stem))
    at_home(page)
    page.set_input_files("#files", novels)
    second = page.locator(".card", has_text="second.txt")
    expect(second).to_contain_text("Queued")
    second.get_by_role("button", name="Cancel").click()
    expect(second).to_contain_text("Processing was cancelled.")
    page.reload()
    expect(second).to_contain_text("Processing was cancelled.")
    second.get_by_role("button", name="Try again").click()
    expect(second.get_by_role("progressbar")).to_be_visible()
    for book in page.locator(".card:has(progress)").evaluate_all("cards => cards.map(card => card.id)"):
        client.delete(f"/books/{book}")


def test_a_book_that_failed_says_why_and_is_read_all_the_same(
    page: Page, client: httpx.Client, tmp_path: Path
) -> None:
    novel = tmp_path / "deutsch.txt"
    novel.write_text(GERMAN, "utf-8")
    at_home(page)
    page.set_input_files("#files", novel)
    card = page.locator(".card", has_text="deutsch.txt")
    expect(card.locator(".trouble")).to_contain_text("The book is in German, which is not supported.")
    supported = f"{UnsupportedLanguage.remedy.partition(';')[0]}. Processed as English"
    expect(card.locator(".trouble")).to_contain_text(supported)
    expect(card.get_by_role("button", name="Try again")).to_have_count(0)
    expect(card.locator(".trouble")).not_to_contain_text("upload the file again")
    page.reload()  # the page no longer has the file
    expect(card.locator(".trouble")).to_contain_text("upload the file again here")
    expect(card.get_by_role("button", name="Process anyway")).to_have_count(0)
    page.set_input_files("#files", novel)
    expect(card.get_by_role("button", name="Process anyway")).to_be_visible()
    book = card.get_attribute("id")
    page.get_by_role("searchbox").fill("lamp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="could not be searched; deutsch.txt:")).to_be_visible()
    card.get_by_role("button", name="Process anyway").click()
    read = page.locator(f"#{book}")
    expect(read.get_by_role("link")).to_be_visible()
    expect(read.locator("details[open]")).to_contain_text("German")
    client.delete(f"/books/{book}")


def test_of_many_books_that_failed_the_newest_job_says_why(page: Page, client: httpx.Client) -> None:
    books = [{**upload(client), "id": f"bk_{n}", "title": f"Book {n}", "state": "failed"} for n in range(4)]
    job = {"state": "failed", "error": "The model broke down.", "error_code": "x", "retryable": True}
    jobs = [{**job, "id": book["id"], "book": book["id"]} for book in books]
    jobs.insert(0, {**jobs[0], "id": "again", "state": "cancelled", "error": None})  # newest first

    def listed(route: Route) -> None:
        state = re.search("state=([a-z]+)", route.request.url)
        route.fulfill(json={"items": [job for job in jobs if not state or job["state"] == state[1]]})

    page.route("**/v1/books?limit=*", lambda route: route.fulfill(json={"items": books, "next": None}))
    page.route("**/v1/jobs?*", listed)
    at_home(page)
    card = page.locator("#bk_0")
    expect(card).to_contain_text("Processing was cancelled.")
    expect(page.locator("#bk_1")).to_contain_text("The model broke down.")
    with page.expect_request("**/v1/jobs/again/retry"):
        card.get_by_role("button", name="Try again").click()
    expect(card.locator(".trouble")).to_be_visible()  # there is no such job


def test_a_book_that_processing_again_would_change_leads_to_that(page: Page, client: httpx.Client) -> None:
    book = {**upload(client), "outdated": True}
    page.route("**/v1/books?limit=*", lambda route: route.fulfill(json={"items": [book], "next": None}))
    at_home(page)
    page.locator(f"#{book['id']}").get_by_role("link", name=f"Process “{TITLE}” again").click()
    expect(page.get_by_role("heading", name="After an upgrade")).to_be_focused()
    expect(page.get_by_role("button", name="Process again")).to_be_in_viewport()


def test_deleting_asks_first_and_the_keyboard_finds_its_way(page: Page, client: httpx.Client) -> None:
    book = upload(client, story(35))
    at_home(page)
    card = page.locator(f"#{book['id']}")
    expect(card).to_contain_text(book["filename"])
    button = card.get_by_role("button", name="Delete")
    button.focus()
    page.keyboard.press("Enter")
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text(f"Delete “{TITLE}”?It was uploaded as {book['filename']}.")
    expect(asked).to_contain_text("readers must say again how far they have read")
    expect(asked.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    asked.get_by_role("button", name="Delete").click()
    expect(page.locator(f"#{book['id']}")).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="was deleted")).to_be_visible()
    assert page.evaluate("document.activeElement.matches('.card, h1')")
    assert client.get(f"/books/{book['id']}").status_code == 404


def test_a_search_without_a_network_says_so_once(page: Page, client: httpx.Client) -> None:
    upload(client)
    at_home(page)
    page.route("**/v1/search?*", lambda route: route.abort())
    page.route("**/v1/characters?*", lambda route: route.abort())
    page.get_by_role("searchbox").fill("beacon")
    page.keyboard.press("Enter")
    expect(page.locator(".results .trouble")).to_contain_text("not responding")
    page.wait_for_load_state("networkidle")


def test_search_leads_to_books_people_and_passages_as_far_as_one_has_read(
    page: Page, client: httpx.Client
) -> None:
    # Whom no other book of the shelf knows. To the double of an embedder “fellow” means the same.
    book = upload(client, story().replace(b"Roe", b"Quillfeather") + b"\n\nFellow!\n")
    at_home(page)
    page.get_by_role("searchbox").fill("quillfeather")
    page.keyboard.press("Enter")
    results = page.locator(".results")
    person = results.locator(f"a[href^='/library/{book['id']}/people/']")
    expect(person).to_have_text("Captain Quillfeather")
    expect(results.locator("mark", has_text="Quillfeather").first).to_be_visible()
    passage = results.locator(f"a[href^='/library/{book['id']}/read']").first
    expect(passage).to_contain_text("chapter 2")
    near = results.locator("h2", has_text="Near in meaning").locator("+ ol > li")
    expect(near).to_have_text([re.compile("Fellow!")])
    read_the_first_of_other_chapters(page, client, book["id"])
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("quillfeather")
    expect(page.get_by_role("status").filter(has_text="chapters you have not read")).to_be_visible()
    expect(person).to_have_count(0)
    assert "chapter 2" not in " ".join(results.locator(f"a[href*='{book['id']}']").all_inner_texts())
    page.get_by_role("searchbox").fill("harrow quay")
    page.keyboard.press("Enter")
    results.get_by_role("link", name=TITLE, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)


def test_an_empty_shelf_offers_the_novella(page: Page, client: httpx.Client) -> None:
    page.route("**/v1/books?limit=*", lambda route: route.fulfill(json={"items": [], "next": None}))
    at_home(page)
    expect(page.get_by_role("searchbox")).to_be_hidden()
    with page.expect_response(lambda answer: answer.request.method == "POST") as sent:
        page.get_by_role("button", name="Start with the sample novella").click()
    book = sent.value.json()["book"]
    expect(page.locator(f"#{book['id']}")).to_be_visible()
    expect(page.locator("#empty")).to_have_count(0)
    expect(page.get_by_role("searchbox")).to_be_visible()
    assert book["size"] == len(novella.path().read_bytes())
    client.delete(f"/books/{book['id']}")


@pytest.mark.soak
def test_a_long_shelf_comes_a_page_at_a_time(page: Page, client: httpx.Client) -> None:
    book = upload(client)
    asked: list[str] = []

    def shelf(route: Route) -> None:
        asked.append(route.request.url)
        start = 40 if "cursor=more" in route.request.url else 0
        items: list[dict[str, Any]] = [
            {**book, "id": f"bk_{n}", "title": f"Book {n}"} for n in range(start, start + 40)
        ]
        route.fulfill(
            body=json.dumps({"items": items, "next": None if start else "more"}),
            content_type="application/json",
        )

    page.route("**/v1/books?limit=*", shelf)
    page.on("request", lambda request: asked.append(request.url) if "/v1/books/" in request.url else None)
    at_home(page)
    expect(page.locator(".card")).to_have_count(40)
    page.get_by_role("button", name="Show more books").click()
    expect(page.locator(".card")).to_have_count(80)
    expect(page.locator("#bk_40")).to_be_focused()
    expect(page.get_by_role("button", name="Show more books")).to_have_count(0)
    assert len(asked) == 2


GUESSES = """async (guesses) => {
  const { Estimate } = await import("/static/lib-estimate.js");
  let now = 0;
  const estimate = new Estimate(() => now);
  return guesses.map(([at, seconds]) => {
    now = at;
    if (seconds !== null) estimate.hear(seconds);
    return estimate.words();
  });
}"""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("guesses", "said"),
    [
        (
            [(0, 40), (1, None), (12, None)],
            ["about 40 seconds left", "about 40 seconds left", "about 30 seconds left"],
        ),
        ([(0, 30), (1, 36), (2, 20), (3, 34)], ["about 30 seconds left"] * 4),
        ([(0, 3), (100, None)], ["a few seconds left"] * 2),
        ([(0, 3), (3, 12), (4, 25)], ["a few seconds left"] * 3),
        ([(0, 20), (1, 300)], ["about 20 seconds left", "about 2 minutes left"]),
        ([(0, 65), (1, 600)], ["about a minute left", "about 4 minutes left"]),
    ],
)
def test_time_left_counts_down_and_does_not_jump(
    page: Page, guesses: list[tuple[int, int | None]], said: list[str]
) -> None:
    at_home(page)
    assert page.evaluate(GUESSES, guesses) == said
