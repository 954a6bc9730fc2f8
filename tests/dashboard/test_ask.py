"""Questions in a real browser: from any page of a book, one after the other, and whom a name means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.test_library import read_the_first_of_other_chapters
from tests.http.conftest import upload
from tests.http.story import STORY


def test_a_question_is_asked_from_any_page_and_answered(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/story")
    field = page.get_by_label("Ask or search the book")
    row, crumbs = page.locator(".ask-book").bounding_box(), page.locator(".crumbs").bounding_box()
    assert row is not None
    assert crumbs is not None
    assert row["height"] < 50, "it stands on one line"
    assert row["x"] + row["width"] == pytest.approx(crumbs["x"] + crumbs["width"], abs=1)
    field.fill("Who is Margaret?")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Who is Margaret?")).to_be_visible()
    expect(page.locator(".answer p").first).to_be_visible()
    assert "ask?q=Who%20is%20Margaret" in page.url
    question = page.get_by_label("Your question")
    expect(question).to_have_value("Who is Margaret?")
    page.locator(".answer a.cite").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article.page mark").first).to_be_in_viewport()
    page.go_back()
    expect(page.locator(".answer p").first).to_be_visible()
    question.fill("And where was she?")
    question.press("Enter")
    expect(page.locator(".asked > section")).to_have_count(2)
    expect(page.locator(".asked h2").first).to_have_text("And where was she?")
    expect(page.locator(".asked > section").first.locator(".answer p").first).to_be_visible()


@pytest.fixture
def namesakes(client: httpx.Client) -> Iterator[dict[str, Any]]:
    """A story in which both sisters are called Isabel."""
    text = STORY.replace("Margaret", "Isabel").replace("Agnes Vane", "Agnes").replace("Agnes", "Isabel Dane")
    book = upload(client, text.encode())
    yield book
    client.delete(f"/books/{book['id']}")


def test_all_books_are_asked_and_whom_a_name_of_two_means_is_asked_back(
    page: Page, client: httpx.Client, book: dict[str, Any], namesakes: dict[str, Any]
) -> None:
    page.goto("/")
    read_the_first_of_other_chapters(page, client, book["id"])
    page.get_by_role("searchbox").fill("Who is Isabel?")
    with page.expect_request("**/v1/questions?*") as asked:
        page.keyboard.press("Enter")
    assert (asked.value.post_data_json or {})["upto"] == {book["id"]: "ch:1"}
    replies = page.locator(".results > [aria-live]")
    expect(replies.get_by_role("heading", name="Answers")).to_be_visible()
    expect(replies.locator(f"a[href^='/library/{book['id']}/ask?']")).to_be_attached()
    skipped = replies.locator("p", has_text="Not asked: ")
    expect(skipped).to_contain_text("matches 2 characters")
    skipped.get_by_role("link").press("Enter")
    expect(page).to_have_url(re.compile(f"/library/{namesakes['id']}/ask"))
    part = page.locator(".asked > section")
    expect(part.get_by_text("Whom do you mean?")).to_be_visible()
    buttons = part.get_by_role("button", name="Isabel")
    expect(buttons).to_have_text(["Isabel Dane", "Isabel Vane"])
    part.get_by_role("button", name="Isabel Vane").press("Enter")
    expect(part.locator(".answer p").first).to_be_visible()
    expect(part.get_by_text("Whom do you mean?")).to_have_count(0)

    people = client.get(f"/books/{namesakes['id']}/characters").json()["items"]
    first = {person["name"]: person["first_chapter"] for person in people}
    renamed = {"kind": "rename", "character": "Isabel Vane", "name": "Isabel Dane"}
    client.post(f"/books/{namesakes['id']}/decisions", json=renamed).raise_for_status()
    page.goto(f"/library/{namesakes['id']}/ask?q=Who%20is%20Isabel%20Dane?")
    told = [f"Isabel Dane, first in chapter {first[name]}" for name in ("Isabel Dane", "Isabel Vane")]
    expect(buttons).to_have_text(sorted(told))


def test_the_answers_of_some_books_stay_if_the_next_fails(
    page: Page, client: httpx.Client, book: dict[str, Any]
) -> None:
    told = client.post(f"/books/{book['id']}/questions", json={"question": "Who is Margaret?"}).text
    problem = '{"status": 502, "detail": "The model broke down.", "remedy": "Start `ollama` again."}'
    events = f"event: book\ndata: {told}\n\nevent: error\ndata: {problem}\n\n"
    page.route("**/v1/questions?*", lambda r: r.fulfill(body=events, content_type="text/event-stream"))
    page.goto("/")
    page.get_by_role("searchbox").fill("Who is Margaret?")
    page.keyboard.press("Enter")
    replies = page.locator(".results > [aria-live]")
    expect(replies.get_by_role("alert")).to_contain_text("The model broke down.")
    expect(replies.get_by_role("alert").locator("code")).to_have_text("ollama")
    expect(replies.locator(f"h3 a[href^='/library/{book['id']}/ask?']")).to_be_visible()
    expect(replies.get_by_text("Asking the other books")).to_have_count(0)


def test_a_question_has_words(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/ask")
    question = page.get_by_label("Your question")
    question.fill("?!")
    question.press("Enter")
    assert question.evaluate("field => field.validity.patternMismatch")
    expect(page.locator(".asked > section")).to_have_count(0)
    question.fill("第三章怎么了？")
    assert question.evaluate("field => field.validity.valid")
