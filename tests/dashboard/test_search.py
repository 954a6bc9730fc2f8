"""Search in a book in a real browser: from any page, by chapter, a plain no, and with the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import httpx
from playwright.sync_api import Page, Route, expect

from tests.http.conftest import upload
from tests.http.story import story


def test_a_book_is_searched_from_any_page(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/story")
    page.get_by_label("Ask or search the book").fill("letter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Search")).to_be_focused()
    page.keyboard.press("Enter")
    finds = page.locator(".found > li")
    expect(finds).to_have_count(2)
    expect(finds.first.locator("mark").first).to_have_text("letter")
    page.get_by_role("link", name="CHAPTER II. The Letter: 1 place").press("Enter")
    expect(page.get_by_label("Words in the book")).to_have_value("letter chapter:2")
    expect(finds).to_have_count(1)
    finds.first.get_by_role("link").press("Enter")
    expect(page.locator("mark").first).to_be_visible()


def test_an_excerpt_ends_with_a_whole_word(page: Page, client: httpx.Client) -> None:
    long = upload(client, story() + b"\n\nThe beacon was seen" + b" everywhere" * 50 + b".\n")
    page.goto(f"/library/{long['id']}/search?q=beacon")
    expect(page.locator(".found blockquote")).to_have_text(re.compile(r" everywhere …$"))
    client.delete(f"/books/{long['id']}")


CHINESE = "第一回 賈雨村\n\n" + "雨村歡喜，自不必說。" * 20 + "黛玉笑道：「姐姐請坐。」" + "衆人說好。" * 60


def test_chinese_is_in_the_language_and_script_of_its_book(page: Page, client: httpx.Client) -> None:
    dream = upload(client, CHINESE.encode())
    page.goto(f"/library/{dream['id']}/search?q=黛玉")
    place = page.locator(".found blockquote")
    expect(place).to_have_text(re.compile("^… .{100,}黛玉.{200,280} …$"))  # without spaces it is cut anywhere
    expect(place.locator("mark")).to_have_attribute("lang", "zh-Hant")
    expect(place.locator(":not([lang='zh-Hant'])")).to_have_count(0)
    expect(page.locator("option", has_text="1. 第一回 賈雨村")).to_have_attribute("lang", "zh-Hant")
    expect(page.get_by_role("heading", name="Search the book")).not_to_have_attribute("lang", "zh-Hant")
    page.get_by_role("link", name="Chapter 1", exact=True).press("Enter")
    expect(page.locator("article p")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("article")).not_to_have_attribute("lang", "zh-Hant")
    client.delete(f"/books/{dream['id']}")


def test_a_question_with_the_mark_of_chinese_is_asked_of_all_books(page: Page, book: dict[str, Any]) -> None:
    page.goto("/?q=黛玉是誰？")
    expect(page.get_by_role("heading", name="Answers")).to_be_visible()


def test_more_places_are_asked_for_again_and_take_the_focus(page: Page, client: httpx.Client) -> None:
    many = upload(client, story() + b"\n\nThe beacon was seen." * 25 + b"\n")
    page.goto(f"/library/{many['id']}/search?q=beacon")
    finds = page.locator(".found > li")
    expect(finds).to_have_count(20)
    page.route("**/search?*cursor=*", lambda route: route.abort())
    more = page.get_by_role("button", name="Show more")
    more.press("Enter")
    expect(page.locator(".trouble")).to_contain_text("not responding")
    page.unroute_all()
    asked: list[str] = []

    def heard(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_()

    page.route("**/search?*cursor=*", heard)
    more.evaluate("(button) => { button.focus(); button.click(); button.click(); }")
    expect(finds.nth(20).get_by_role("link")).to_be_focused()
    expect(page.locator(".trouble")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    expect(finds).to_have_count(25)
    assert len(asked) == 1
    client.delete(f"/books/{many['id']}")


def test_what_is_not_there_is_said(page: Page, book: dict[str, Any]) -> None:
    page.goto(f"/library/{book['id']}/search")
    field = page.get_by_label("Words in the book")
    field.fill("leter")
    field.press("Enter")
    expect(page.get_by_text("No place in the book has all of this.")).to_be_visible()
    page.get_by_role("link", name="letter", exact=True).click()
    expect(page.locator(".found > li")).to_have_count(2)
    field.fill("by:Vane lamp")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("matches 2 characters")
    page.go_back()
    expect(page.locator(".found > li")).to_have_count(2)
    field.fill("by:Margret lamp")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Near names: Margaret")
    expect(page.get_by_role("alert")).to_contain_text("Use a full name after by: or with:.")


def test_a_search_that_finds_nothing_is_narrowed_to_who_speaks_and_who_is_there(
    page: Page, book: dict[str, Any]
) -> None:
    page.goto(f"/library/{book['id']}")
    page.get_by_label("Ask or search the book").focus()
    page.keyboard.type("chapter:1 qay")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No place in the book has all of this.")).to_be_visible()
    similar = page.get_by_role("link", name="quay", exact=True)
    similar.focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Words in the book")
    expect(field).to_have_value("chapter:1 quay")
    finds = page.locator(".found > li")
    expect(finds).to_have_count(1)
    for line, places, said in (
        ("said:catch", 2, "catch"),
        ("by:Margaret catch", 1, "catch"),
        ('with:"Captain Roe" quay', 2, "quay"),
    ):
        field.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        expect(finds).to_have_count(places)
        expect(finds.last.locator("mark").first).to_have_text(said)
    finds.first.get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_in_viewport()
