"""A service that is open to its own machine, and a real browser that looks at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.http.conftest import WAIT, upload
from tests.http.serve import serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WAIT_MS = 60_000


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data_dir = tmp_path_factory.mktemp("dashboard")
    settings = {"data_dir": str(data_dir), "embedder": "hashing"}
    with serving(settings, log=data_dir / "service.log") as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for longer: while it is there its event loop runs in this thread, which others are refused in."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    expect.set_options(timeout=WAIT_MS)  # five seconds unless said, whichever page is looked at
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def tab(browser: Browser, base: str) -> Iterator[Page]:
    """One for all: a new one starts two processes."""
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    yield page
    context.close()


@pytest.fixture
def page(tab: Page, base: str) -> Iterator[Page]:
    """
    Remembers nothing, and has its size, media and routes back afterwards. Fails its test when a script breaks
    or the policy refused some content.
    """
    troubles: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # The browser itself reports answers such as 404, which the pages show in words.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            troubles.append(message.text)

    def broken(error: Error) -> None:
        troubles.append(str(error))

    desk = tab.viewport_size
    assert desk is not None
    tab.on("console", heard)
    tab.on("pageerror", broken)
    yield tab
    tab.remove_listener("console", heard)
    tab.remove_listener("pageerror", broken)
    tab.unroute_all()
    tab.set_viewport_size(desk)
    tab.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    forget(tab, base)
    assert troubles == []


def forget(page: Page, base: str) -> None:
    """Removes what the browser remembers of the pages of a service."""
    page.goto(f"{base}/livez")  # of the same site, and without a script
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.context.clear_cookies()


@pytest.fixture
def client(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{base}/v1", timeout=WAIT + 30) as client:
        yield client


@pytest.fixture
def book(client: httpx.Client) -> dict[str, Any]:
    """A story that is ready: one for all, as the same file is the same book."""
    return upload(client)
