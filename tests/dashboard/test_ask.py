"""Questions in a real browser: from any page of a book, one after the other, and whom a name means."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect


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
    question.fill("And where was she?")
    question.press("Enter")
    expect(page.locator(".asked > section")).to_have_count(2)
    expect(page.locator(".asked h2").first).to_have_text("And where was she?")
    expect(page.locator(".asked > section").first.locator(".answer p").first).to_be_visible()


def test_the_page_of_a_book_has_the_field_too(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}")
    page.get_by_label("Ask or search the book").fill("Who is Agnes?")
    page.get_by_label("Ask or search the book").press("Enter")
    expect(page.get_by_role("heading", name="Who is Agnes?")).to_be_visible()
