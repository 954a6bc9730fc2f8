"""`make bench-pages`: how soon the dashboard's pages show something, and their content, for a long novel.

    python -m benchmarks.pages [NOVEL|FOLDER ...] [--words 200000] [--runs 7] [--resolver native]

Novels are text files, gzipped or not, or folders of them; without any, the project's own novella. They are
read as one text, which is cut or repeated to the requested length. The service runs as in production
(`bookworm serve`, SQLite, one process, loopback), and headless Chromium opens its pages: cold, with an empty
cache, and warm, with the cache of the visit before. Times count from the navigation: first paint, first
contentful paint, and content, which is when the page's own script has filled its main part. Each page's
requests to the API are reported too: as the page waited for them, and as they take alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from rich.console import Console
from rich.table import Table

from benchmarks import texts, timing
from benchmarks.coref import source_of
from benchmarks.load import serving
from benchmarks.tables import Goal, reached, table, under

WORDS: Final = 200_000
SOON: Final = 300.0
"""Goal, in milliseconds."""
UPLOAD_SECONDS: Final = 1800
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
_WATCH: Final = """
addEventListener('DOMContentLoaded', () => {
  const main = document.querySelector('main');
  const told = () => { if (!main.hasAttribute('aria-busy')) window.contentAt ??= performance.now(); };
  new MutationObserver(told).observe(main, { attributes: true });
  told();
});
"""
_READ: Final = """() => ({
  paints: Object.fromEntries(performance.getEntriesByType('paint').map((p) => [p.name, p.startTime])),
  content: window.contentAt,
  asked: performance.getEntriesByType('resource').filter((r) => r.name.includes('/v1/'))
    .map((r) => [r.name, r.responseEnd - r.startTime]),
  transferred: performance.getEntriesByType('resource').reduce((sum, r) => sum + r.transferSize, 0),
})"""


@dataclass(frozen=True, slots=True)
class Visit:
    """Milliseconds since the navigation; medians over the runs."""

    paint: float
    contentful: float
    content: float
    bytes: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a page to the API, in milliseconds."""

    in_page: float
    """In parallel with the page's other requests, in a warm browser."""
    alone: float
    bytes: int
    """Uncompressed."""


@dataclass(frozen=True, slots=True)
class PageTimes:
    cold: Visit
    warm: Visit
    asked: dict[str, Asked]


@dataclass(frozen=True, slots=True)
class Measured:
    source: str
    words: int
    people: int
    chapters: int
    runs: int
    pages: dict[str, PageTimes]


def goals(measured: Measured) -> list[Goal]:
    found = []
    for name, page in measured.pages.items():
        for state, visit in (("cold", page.cold), ("warm", page.warm)):
            found.append(under(f"{name}, {state}: first paint, median ms", visit.paint, SOON))
            found.append(under(f"{name}, {state}: content, median ms", visit.content, SOON))
    return found


def tables(measured: Measured) -> list[Table]:
    visits = table("Page", "Paint ms", "Contentful ms", "Content ms", "KiB")
    asked = table("Asked by the page", "In page ms", "Alone ms", "KiB")
    for name, page in measured.pages.items():
        for state, visit in (("cold", page.cold), ("warm", page.warm)):
            row = (visit.paint, visit.contentful, visit.content, visit.bytes / 1024)
            visits.add_row(f"{name}, {state}", *(f"{value:.0f}" for value in row))
        for path, took in page.asked.items():
            asked.add_row(
                f"{name}: {path}", f"{took.in_page:.0f}", f"{took.alone:.0f}", f"{took.bytes / 1024:.0f}"
            )
    return [visits, asked, reached(goals(measured))]


@dataclass(frozen=True, slots=True)
class Look:
    """The measurements of one visit."""

    paint: float
    contentful: float
    content: float
    bytes: int
    asked: Mapping[str, float]


def _look(context: BrowserContext, path: str) -> Look:
    page = context.new_page()
    page.add_init_script(_WATCH)
    page.goto(path)
    page.wait_for_selector("main:not([aria-busy])")
    page.wait_for_load_state("networkidle")
    page.wait_for_function("performance.getEntriesByType('paint').length > 1")
    found: dict[str, Any] = page.evaluate(_READ)
    page.close()
    paints = found["paints"]
    return Look(
        paints["first-paint"],
        paints["first-contentful-paint"],
        found["content"],
        found["transferred"],
        {_path_of(address): ms for address, ms in found["asked"]},
    )


def _path_of(address: str) -> str:
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _visit(looks: Sequence[Look]) -> Visit:
    def middle(values: Iterator[float]) -> float:
        return round(median(values), 1)

    return Visit(
        middle(look.paint for look in looks),
        middle(look.contentful for look in looks),
        middle(look.content for look in looks),
        int(median(look.bytes for look in looks)),
    )


def _page(browser: Browser, client: httpx.Client, base: str, path: str, *, runs: int) -> PageTimes:
    """Alternate cold and warm visits, so that other work on the machine affects both."""
    cold, warm = [], []
    for _ in range(runs):
        with _context(browser, base) as context:
            cold.append(_look(context, path))
            warm.append(_look(context, path))
    waited: dict[str, list[float]] = defaultdict(list)
    for look in warm:
        for asked, ms in look.asked.items():
            waited[asked].append(ms)
    found = {asked: _asked(client, asked, took, runs=runs) for asked, took in waited.items()}
    return PageTimes(_visit(cold), _visit(warm), found)


def _asked(client: httpx.Client, path: str, waited: Sequence[float], *, runs: int) -> Asked:
    alone = timing.timed(lambda: client.get(path).raise_for_status(), runs=runs)
    size = len(client.get(path).content)
    return Asked(round(median(waited), 1), round(1000 * alone.median, 1), size)


@contextmanager
def _context(browser: Browser, base: str) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=base)
    try:
        yield context
    finally:
        context.close()


def _pages(book: str, person: str) -> dict[str, str]:
    home = f"/library/{book}"
    return {
        "library": "/",
        "book": home,
        "character": f"{home}/people/{person}",
        "reader": f"{home}/read",
        "together": f"{home}/together",
        "corrections": f"{home}/corrections",
        "operations": "/operations",
    }


def measure(text: str, source: str, options: argparse.Namespace) -> Measured:
    os.environ["BOOKWORM_RESOLVER"] = options.resolver
    with (
        tempfile.TemporaryDirectory(prefix="bookworm-pages-") as folder,
        serving(Path(folder)) as service,
        httpx.Client(base_url=service.base, timeout=UPLOAD_SECONDS) as client,
        sync_playwright() as playwright,
    ):
        upload = {"file": ("novel.txt", text.encode())}
        taken = client.post("/v1/books", files=upload, params={"wait": 600}).raise_for_status()
        book = taken.json()["book"]
        if book["state"] != "ready":
            raise RuntimeError(f"the book is still {book['state']}")
        cast = client.get(f"/v1/books/{book['id']}/characters").json()["items"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with _context(browser, service.base) as context:
            _look(context, "/")  # the browser's own first steps
        pages = {
            name: _page(browser, client, service.base, path, runs=options.runs)
            for name, path in _pages(book["id"], cast[0]["id"]).items()
            if not options.pages or name in options.pages
        }
        browser.close()
    chapters = book["report"]["chapters"]
    return Measured(source, book["words"], len(cast), chapters, options.runs, _unnamed(pages, book["id"]))


def _unnamed(pages: Mapping[str, PageTimes], book: str) -> dict[str, PageTimes]:
    return {
        name: PageTimes(
            page.cold, page.warm, {path.replace(book, "{book}"): took for path, took in page.asked.items()}
        )
        for name, page in pages.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("novels", nargs="*", type=Path)
    parser.add_argument("--words", type=int, default=WORDS, help="how long the novel is")
    parser.add_argument("--runs", type=int, default=7, help="how often each page is looked at")
    parser.add_argument("--resolver", default="native", help="who resolves the characters")
    parser.add_argument("--pages", nargs="*", default=(), help="only these pages; nothing is saved then")
    options = parser.parse_args(arguments)
    if CHROMIUM is None:
        sys.exit("There is no Chromium here.")
    source = source_of(options.novels)
    measured = measure(texts.repeated(source.text, options.words), source.told, options)
    result = asdict(measured) | {"goals": [asdict(goal) for goal in goals(measured)]}
    console = Console(highlight=False, width=140)
    for shown in tables(measured):
        console.print()
        console.print(shown)
    if not options.pages:
        print(json.dumps(result, indent=1))
        print(timing.save("pages", result), file=sys.stderr)
    return 0 if all(goal.met for goal in goals(measured)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
