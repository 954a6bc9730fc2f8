"""The story of a book in a real browser: a recap, what happens by chapter, nothing still to come."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect


def test_the_story_is_told_as_far_as_one_has_read(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}")
    page.get_by_role("link", name="Story").click()
    expect(page.get_by_role("heading", name="Chapter by chapter")).to_be_visible()
    chapters = page.locator(".timeline > li")
    expect(chapters).to_have_count(2)
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".answer h3").first).to_have_text("So far")
    expect(page.locator(".answer a.cite").first).to_be_visible()
    expect(page.locator(".facts")).to_have_count(0)
    chapters.nth(1).get_by_role("button", name="Summary").click()
    expect(chapters.nth(1).locator(".answer p").first).to_be_visible()
    page.get_by_label("I have read up to").select_option("1")
    expect(chapters).to_have_count(1)
    page.get_by_role("button", name="Tell").press("Enter")
    expect(page.locator(".answer h3").first).to_have_text("Where you stopped: chapter 1")


def test_a_place_of_the_story_is_opened_in_the_book(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/story")
    page.locator(".timeline h3 a").first.click()
    expect(page.locator("mark").first).to_be_visible()
