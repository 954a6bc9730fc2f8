"""Several people together, in a real browser: whom, what is written of them, and what they share."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

SISTERS = ("Margaret Vane", "Agnes Vane")


def choose(page: Page, book: dict[str, Any], *names: str) -> None:
    """Nobody but these, by the keyboard alone."""
    page.goto(f"/library/{book['id']}/together")
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
    picks = page.locator(".picks")
    for chosen in picks.locator("input:checked").evaluate_all("boxes => boxes.map((box) => box.value)"):
        picks.locator(f"input[value='{chosen}']").focus()
        page.keyboard.press("Space")
    for name in names:
        picks.get_by_role("checkbox", name=name).focus()
        page.keyboard.press("Space")
        expect(picks.get_by_role("checkbox", name=name)).to_be_focused()


def test_what_two_sisters_share_rests_on_passages(page: Page, book: dict[str, Any]) -> None:
    choose(page, book, *SISTERS)
    shared = page.locator(".shared")
    expect(shared.get_by_role("heading", name="What the book says")).to_be_visible()
    said = shared.locator("li", has=page.locator("q")).first
    cite = str(said.locator("a.cite").get_attribute("title"))
    assert re.sub(r"\W", "", said.locator("q").inner_text()) == re.sub(r"\W", "", cite)
    expect(shared).to_contain_text("Both appear in 2 chapters, first in chapter 1.")
    meet = shared.locator("li", has_text="paragraphs together")
    expect(meet).to_contain_text("exchange")
    meet.locator("summary").click()
    passage = meet.locator(".passages a").first
    expect(passage).to_be_visible()
    page.reload()
    expect(shared.get_by_role("heading", name="What the book says")).to_be_visible()
    expect(page.locator(".picks input:checked")).to_have_count(2)
    page.get_by_role("button", name="Describe").click()
    expect(page.locator(".answer h3").first).to_be_visible()
    assert set(page.locator(".answer h3").all_inner_texts()) >= set(SISTERS)


@pytest.mark.soak
def test_those_who_share_nothing_are_told_so_in_one_sentence(page: Page, book: dict[str, Any]) -> None:
    choose(page, book, "Dr. Pell", "Captain Roe")
    shared = page.locator(".shared")
    expect(shared.get_by_role("paragraph")).to_have_text(
        "They never appear in the same paragraph, and no relationship between them was found."
    )
    choose(page, book, "Dr. Pell")
    expect(page.locator("main")).to_contain_text("Choose two or more people to compare them.")
    choose(page, book)
    page.get_by_role("button", name="Describe").click()
    expect(page.locator(".warning")).to_have_text("Choose at least one person.")


@pytest.mark.soak
def test_behind_the_gate_nothing_is_shared_that_comes_later(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/together")
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
    with page.expect_event("load"):  # a new address for its choices is no new page
        page.locator("#gate").select_option("1")
    choose(page, book, *SISTERS)
    shared = page.locator(".shared")
    expect(shared).to_contain_text("Both appear in 1 chapter, first in chapter 1.")
    shared.locator("summary").first.click()
    expect(shared.locator(".passages a").first).to_be_visible()
    assert set(shared.locator(".passages a, a.cite").all_inner_texts()) == {"ch. 1"}
    assert "Roe" not in page.locator("main").inner_text()
