"""For everybody: axe finds nothing grave, on a desk and on a phone; and a keyboard is enough."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.dashboard.test_journey import opened
from tests.http.story import STORY

PERSON = "/people/Margaret%20Vane"
PAGES = ("", PERSON, "/read", "/together", "/corrections", "/search?q=lamp")
LARGE = ("", PERSON, "/together", "/corrections", "/ask?q=Who+is+Margaret%3F")
GRAVE = ("serious", "critical")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}


def grave(page: Page) -> list[str]:
    """What axe finds: its rule and where. The driver runs its script, past the policy for content."""
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {n['target']}" for v in found if v["impact"] in GRAVE for n in v["nodes"]]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("scheme", "size"),
    [pytest.param("light", DESK, id="desk"), pytest.param("dark", PHONE, id="phone")],
)
def test_pages_fit_their_window_and_axe_finds_nothing_grave(
    browser: Browser,
    base: str,
    book: dict[str, Any],
    scheme: Literal["light", "dark"],
    size: ViewportSize,
) -> None:
    context = browser.new_context(base_url=base, color_scheme=scheme, viewport=size)
    page = context.new_page()
    for path in ("/", "/operations", "/docs", *(f"/library/{book['id']}{part}" for part in PAGES)):
        opened(page, path)
        page.wait_for_load_state("networkidle")
        assert grave(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path
    context.close()


def test_large_letters_fit_a_phone(page: Page, book: dict[str, Any]) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", *(f"/library/{book['id']}{part}" for part in LARGE)):
        opened(page, path)
        page.wait_for_load_state("networkidle")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_signs_of_a_paragraph_can_be_seen_and_tapped_but_are_not_printed(
    browser: Browser, base: str, book: dict[str, Any]
) -> None:
    context = browser.new_context(base_url=base, viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    opened(page, f"/library/{book['id']}/read")
    signs = page.locator("article.page .anchor")
    expect(signs.first).to_have_css("opacity", "1")
    boxes = [sign.bounding_box() for sign in signs.all()]
    assert min(min(box["width"], box["height"]) for box in boxes if box) >= 24
    page.emulate_media(media="print")
    expect(signs.first).to_be_hidden()
    context.close()


def test_the_keyboard_is_enough(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.get_by_role("rowheader").get_by_role("link", name="Margaret Vane").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Margaret Vane")
    page.get_by_role("link", name="CHAPTER I. The Lamp").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="CHAPTER II. The Letter")).to_be_focused()
    page.locator("a.cite").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article.page mark").first).to_be_in_viewport()


def test_verse_keeps_its_lines(page: Page, book: dict[str, Any]) -> None:
    def in_verse(route: Route) -> None:
        found = route.fetch().json()
        texts = [paragraph for paragraph in found["paragraphs"] if paragraph["kind"] == "prose"][:2]
        for paragraph, kind in zip(texts, ("verse", "prose"), strict=True):
            paragraph |= {"kind": kind, "text": paragraph["text"].replace(" ", "\n", 1)}
        route.fulfill(json=found)

    page.route("**/chapters/1*", in_verse)
    opened(page, f"/library/{book['id']}/read")
    verse, prose = (page.locator("article.page p").nth(n).inner_text() for n in (0, 1))
    assert "\n" in verse.strip()
    assert "\n" not in prose.strip()


def test_what_a_field_is_for_can_be_read_in_the_dark(page: Page, book: dict[str, Any]) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page, f"/library/{book['id']}/ask")
    hint = "(field) => getComputedStyle(field, '::placeholder').color"
    ink = page.locator(".soft").first.evaluate("(text) => getComputedStyle(text).color")
    assert page.get_by_label("Your question").evaluate(hint) == ink


def test_skipping_to_the_content_stays_in_the_chapter(page: Page, book: dict[str, Any]) -> None:
    at = STORY.index("CHAPTER II")
    opened(page, f"/library/{book['id']}/read#at={at}-{at + 10}")
    expect(page.locator("article.page mark")).to_be_visible()
    page.get_by_role("link", name="Skip to content").press("Enter")
    expect(page.locator("main")).to_be_focused()
    assert page.url.endswith(f"#at={at}-{at + 10}")
    expect(page.locator("article.page h2")).to_contain_text("The Letter")


def test_the_theme_stays_chosen(page: Page) -> None:
    opened(page, "/")
    page.get_by_role("button", name="System theme").click()
    page.get_by_role("button", name="Light theme").click()
    expect(page.get_by_role("button", name="Dark theme")).to_be_visible()
    opened(page, "/operations")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
