"""For everybody: axe finds nothing grave, on a desk and on a phone; and a keyboard is enough."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.dashboard.test_journey import opened

PAGES = ("", "/people/Margaret%20Vane", "/read", "/together", "/corrections")
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


def test_the_keyboard_is_enough(page: Page, book: dict[str, Any]) -> None:
    opened(page, f"/library/{book['id']}")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.get_by_role("rowheader").get_by_role("link", name="Margaret Vane").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Margaret Vane")
    page.locator("a.cite").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article.page mark").first).to_be_in_viewport()


def test_the_theme_stays_chosen(page: Page) -> None:
    opened(page, "/")
    page.get_by_role("button", name="System theme").click()
    page.get_by_role("button", name="Light theme").click()
    expect(page.get_by_role("button", name="Dark theme")).to_be_visible()
    opened(page, "/operations")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
