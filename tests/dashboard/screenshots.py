"""Pictures of every page, light and dark, of the bundled novella: `python -m tests.dashboard.screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Literal

import httpx
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.dashboard.conftest import CHROMIUM
from tests.http.conftest import upload
from tests.http.serve import serving

ROOT = Path(__file__).parents[2]
NOVELLA = ROOT / "evaluation" / "novella" / "novella.txt"
FOLDER = ROOT / "docs" / "screenshots"
SIZE: ViewportSize = {"width": 1200, "height": 850}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
QUALITY = 70


def main() -> None:
    if CHROMIUM is None:
        sys.exit("There is no Chromium here.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        settings = {"data_dir": folder, "resolver": "native"}
        with serving(settings, log=Path(folder) / "service.log") as base, sync_playwright() as playwright:
            pages = _pages(base)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for scheme in SCHEMES:
                context = browser.new_context(base_url=base, color_scheme=scheme, viewport=SIZE)
                for name, path in pages.items():
                    _take(context.new_page(), path, FOLDER / f"{name}-{scheme}.jpeg")
            browser.close()


def _pages(base: str) -> dict[str, str]:
    with httpx.Client(base_url=f"{base}/v1", timeout=120) as client:
        book = upload(client, NOVELLA.read_bytes())["id"]
        person = client.get(f"/books/{book}/characters").json()["items"][0]["id"]
    parts = {
        "book": "",
        "person": f"/people/{person}",
        "reader": "/read",
        "together": "/together",
        "corrections": "/corrections",
    }
    return {
        "library": "/",
        **{name: f"/library/{book}{part}" for name, part in parts.items()},
        "operations": "/operations",
    }


def _take(page: Page, path: str, picture: Path) -> None:
    page.goto(path)
    page.wait_for_selector("main:not([aria-busy])")
    if path.endswith("/together"):
        page.get_by_role("button", name="Describe them").click()
        page.wait_for_selector(".answer")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=picture, type="jpeg", quality=QUALITY)
    page.close()


if __name__ == "__main__":
    main()
