"""The story of a book in a real browser: a recap, what happens by chapter, nothing still to come."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Page, Route, expect

from tests.dashboard.test_access import grave


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
    page.route("**/summary?*", lambda route: route.abort())
    summary = chapters.nth(1).get_by_role("button", name="Summary")
    summary.press("Enter")
    expect(chapters.nth(1).locator(".trouble")).to_contain_text("not responding")
    page.unroute("**/summary?*")
    expect(summary).to_be_focused()
    summary.press("Enter")
    expect(chapters.nth(1).locator(".answer p").first).to_be_visible()
    page.get_by_label("I have read up to").select_option("1")
    expect(chapters).to_have_count(1)
    page.get_by_role("button", name="Tell").press("Enter")
    expect(page.locator(".answer h3").first).to_have_text("Where you stopped: chapter 1")
    chapters.locator("h3 a").first.click()
    expect(page.locator("mark").first).to_be_visible()


def test_the_reader_is_told_the_story_before_a_chapter_and_reads_on(
    page: Page, book: dict[str, Any], client: httpx.Client
) -> None:
    page.goto(f"/library/{book['id']}/read")
    ends = page.get_by_role("navigation", name="Chapters")
    expect(ends.get_by_role("button", name="Summary of this chapter")).to_be_visible()
    expect(ends.get_by_role("button", name="Story so far")).to_have_count(0)
    ends.get_by_role("link", name="Next →").click()
    ends.get_by_role("button", name="Story so far").click()
    expect(page.locator(".answer h3").first).to_have_text("Where you stopped: chapter 1")
    assert grave(page) == []
    ends.get_by_role("button", name="Summary of this chapter").click()
    summary = client.get(f"/books/{book['id']}/chapters/2/summary").json()
    expect(page.locator(".answer")).to_contain_text(summary["sentences"][0]["text"])
    ends.get_by_role("link", name="← Previous").click()
    expect(page.locator(".answer")).to_have_count(0)
    far = page.get_by_label("I have read up to")
    far.select_option("1")
    expect(page.locator(".gate")).to_contain_text("Nothing after this chapter")
    page.get_by_role("button", name="Read on: chapter 2 →").press("Enter")
    expect(far).to_have_value("2")
    expect(page.get_by_label("Chapter", exact=True)).to_have_value("2")


def test_a_recap_is_written_in_the_background(page: Page, book: dict[str, Any]) -> None:
    at = f"/library/{book['id']}/story"
    page.goto(at)
    page.get_by_text("Options").click()
    page.get_by_role("button", name="Write it in the background").click()
    written = page.locator(".ordered .state")
    expect(written).to_contain_text("Recap: written.")
    page.goto(at)
    page.get_by_role("button", name="Show: Recap").click()
    expect(page.locator(".answer h3").first).to_have_text("So far")
    assert grave(page) == []
    page.get_by_label("I have read up to").select_option("1")
    expect(page.get_by_role("heading", name="Chapter by chapter")).to_be_visible()
    expect(written).to_have_count(0)


def test_what_fails_in_the_background_says_why_and_can_be_tried_again(
    page: Page, book: dict[str, Any]
) -> None:
    failed = {"state": "failed", "error": "The server is away.", "remedy": "Check `BOOKWORM_OPENAI_URL`."}

    def fail(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | failed)

    page.goto(f"/library/{book['id']}/story")
    page.get_by_label("Tell me").select_option("summary")
    page.get_by_text("Options").click()
    page.route("**/v1/jobs/*", fail)
    page.get_by_role("button", name="Write it in the background").click()
    row = page.locator(".ordered .state[data-answer$=summary]")
    expect(row).to_contain_text("The server is away.")
    expect(row.locator("code")).to_have_text("BOOKWORM_OPENAI_URL")
    assert grave(page) == []
    page.unroute("**/v1/jobs/*")
    page.route("**/v1/jobs/*/retry", lambda route: route.fulfill(status=202, json=queued(route)))
    row.get_by_role("button", name="Try again: Summary").click()
    expect(row).to_contain_text("Summary: written.")


def queued(route: Route) -> dict[str, Any]:
    """The job itself again, which has ended well: the service would not try it again."""
    job: dict[str, Any] = route.request.frame.page.request.get(
        route.request.url.removesuffix("/retry")
    ).json()
    return job
