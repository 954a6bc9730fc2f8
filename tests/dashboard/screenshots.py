"""Pictures of every page, light and dark, of the bundled novella: `python -m tests.dashboard.screenshots`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
from playwright.sync_api import Page, ViewportSize, sync_playwright

from evaluation import novella
from tests.dashboard.conftest import CHROMIUM, WAIT_MS
from tests.http.conftest import upload
from tests.http.serve import serving

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
DESK: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
QUALITY = 70


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    path: str
    until: Callable[[Page], object] = lambda page: None
    """What is done on the page before the picture is taken."""
    size: ViewportSize | None = None


def main() -> None:
    if CHROMIUM is None:
        sys.exit("There is no Chromium here.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        settings = {"data_dir": folder, "resolver": "native"}
        with serving(settings, log=Path(folder) / "service.log") as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for pictures in ([Picture("empty", "/")], _pictures(base)):
                for picture in pictures:
                    for scheme in SCHEMES:
                        page = browser.new_page(
                            base_url=base, color_scheme=scheme, viewport=picture.size or DESK
                        )
                        _take(page, picture, FOLDER / f"{picture.name}-{scheme}.jpeg")
            browser.close()


def _pictures(base: str) -> Iterator[Picture]:
    with httpx.Client(base_url=f"{base}/v1", timeout=120) as client:
        book = upload(client, novella.path().read_bytes())["id"]
        cast = client.get(f"/books/{book}/characters").json()["items"]
    home, someone = f"/library/{book}", cast[0]
    person = f"{home}/people/{someone['id']}"
    place = f"{home}/read#at={someone['first']}-{someone['first'] + 1}&who={someone['id']}"
    yield Picture("library", "/")
    yield Picture("book", home)
    yield Picture("network", home, _look_at_a_line)
    yield Picture("person", person, _written)
    yield Picture("phone", person, _written, size=PHONE)
    yield Picture("reader", place, lambda page: page.locator("#everyone").check())
    yield Picture("story", f"{home}/story", _told)
    yield Picture("ask", f"{home}/ask?q=What+was+in+the+tin+box%3F", _answered)
    yield Picture("search", f"{home}/search?q=tide+table", _found)
    yield Picture("quiz", f"{home}/quiz", _taken)
    yield Picture("together", f"{home}/together", _described)
    yield Picture("corrections", f"{home}/corrections", _previewed)
    yield Picture("operations", "/operations")


def _written(page: Page) -> None:
    page.wait_for_selector(".verdicts")
    page.wait_for_selector(".profile")


def _told(page: Page) -> None:
    page.get_by_role("button", name="Tell").click()
    page.wait_for_selector(".answer")


def _answered(page: Page) -> None:
    page.wait_for_selector(".answer")


def _found(page: Page) -> None:
    page.wait_for_selector(".found li")


def _taken(page: Page) -> None:
    page.locator("fieldset.quiz button").first.click()


def _described(page: Page) -> None:
    page.get_by_role("button", name="Describe").click()
    page.wait_for_selector(".verdicts")
    page.evaluate("scrollTo(0, document.querySelector('.answer').offsetTop - 200)")


def _look_at_a_line(page: Page) -> None:
    page.locator(".pairs button").first.click()
    page.wait_for_selector(".detail .passages li")
    page.evaluate("scrollTo(0, document.querySelector('#network').offsetTop - 20)")


def _previewed(page: Page) -> None:
    page.locator("#merge-into").select_option(index=1)
    page.locator("#merge-other").select_option(index=2)
    page.wait_for_selector(".preview .changes")
    page.evaluate("scrollTo(0, document.querySelector('#correct').offsetTop - 380)")


def _take(page: Page, picture: Picture, file: Path) -> None:
    page.set_default_timeout(WAIT_MS)
    page.goto(picture.path)
    page.wait_for_selector("main:not([aria-busy])")
    page.wait_for_load_state("networkidle")
    picture.until(page)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=file, type="jpeg", quality=QUALITY)
    page.close()


if __name__ == "__main__":
    main()
