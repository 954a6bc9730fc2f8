"""The page of whoever runs the service: jobs tried again, precision told, models and keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from db.database import Database
from db.repositories import BookRepository, CountRepository, JobRepository
from db.store import ArtefactStore
from generation.types import Label
from tests.dashboard.conftest import forget
from tests.dashboard.test_access import PHONE, grave
from tests.dashboard.test_journey import opened
from tests.generation.models.openai.fake import Fake, says, serve, status
from tests.http.serve import serving
from tests.http.story import story

HOSTILE = "<img src=x onerror=alert(1)>.txt"
WRITERS = ("offline/4", "llama/tuned")


MODELS = {"data": [{"id": "folder/small.gguf"}, {"id": "big"}]}


@pytest.fixture(scope="module")
def server() -> Iterator[Fake]:
    """Of language models."""
    with serve() as fake:
        fake.reply(status(200, MODELS), path="/v1/models")
        fake.reply(status(200, {"default_generation_settings": {"n_ctx": 4096}}), path="/props")
        yield fake


@pytest.fixture(scope="module")
def lone(server: Fake, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service without a key, in which a book failed and two writers have been at work for some days."""
    folder = tmp_path_factory.mktemp("operations")
    database = Database(f"sqlite:///{folder / 'bookworm.sqlite3'}")
    database.migrate()
    with database.session() as session:
        data = story() * 20
        book, _ = BookRepository(session).ensure(
            library="local", content_sha256="x", filename=HOSTILE, size=len(data)
        )
        job = JobRepository(session).create(book.id, library="local")
        JobRepository(session).fail(
            job.id, code="storage_full", error="The disk was full.", remedy="Make room."
        )
        BookRepository(session).fail(book.id)
        for back, generator in ((back, generator) for back in range(5) for generator in WRITERS):
            verdicts = [Label.SUPPORTED] * (4 + back) + [Label.UNSUPPORTED, Label.CONTRADICTED]
            day = datetime.now(UTC).date() - timedelta(back)
            CountRepository(session).add(
                day=day, library="local", generator=generator, judge="offline/3", verdicts=verdicts
            )
    ArtefactStore(str(folder / "books"), workspace=folder / "workspace").put_source(book.id, data)
    database.dispose()
    settings = {
        "data_dir": str(folder),
        "embedder": "hashing",
        "generator": "auto",
        "openai_url": server.url,
        "openai_model": "big",
    }
    with serving(settings, log=folder / "service.log") as base:
        yield base


@dataclass(frozen=True)
class Desk:
    base: str
    page: Page

    def open(self) -> None:
        opened(self.page, f"{self.base}/operations")

    def section(self, name: str) -> str:
        """A selector: a section by its heading."""
        return f'section:has(h2:text-is("{name}"))'

    def status(self, secret: str | None, path: str = "/books") -> int:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return httpx.get(f"{self.base}/v1{path}", headers=headers).status_code


@pytest.fixture
def desk(page: Page, lone: str) -> Iterator[Desk]:
    opened: list[str] = []

    def heard(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", heard)
    yield Desk(lone, page)
    page.remove_listener("dialog", heard)
    forget(page, lone)
    assert opened == []


def test_every_section_fills_itself(desk: Desk) -> None:
    desk.open()
    page = desk.page
    for name in (
        "Health",
        "Jobs",
        "Language model",
        "Engines",
        "Self-check",
        "Slowest requests",
        "Storage",
        "API keys",
    ):
        part = page.locator(desk.section(name))
        expect(part.locator("[aria-busy]")).to_have_count(0)
        expect(part.locator(".trouble")).to_have_count(0)
    expect(page.locator(desk.section("Health"))).to_contain_text("The service is healthy.")
    expect(page.locator(desk.section("Storage"))).to_contain_text("1 book uses")
    expect(page.get_by_role("region", name="List of engines").get_by_role("row")).to_have_count(7)
    assert grave(page) == []
    precision_is_drawn_and_told(desk)


def precision_is_drawn_and_told(desk: Desk) -> None:
    part = desk.page.locator(desk.section("Self-check"))
    charts = part.get_by_role("img")
    expect(charts).to_have_count(len(WRITERS))
    for writer in WRITERS:
        chart = part.get_by_role(
            "img", name=f"{writer}, checked by offline/3. 75 % of 40 facts in 5 answers were supported"
        )
        expect(chart.locator("rect.supported")).to_have_count(5)
        expect(chart).to_be_visible()
    part.get_by_text("Show as a table").first.click()
    rows = part.get_by_role("region", name="By day").first.get_by_role("row")
    expect(rows).to_have_count(6)
    expect(rows.nth(1)).to_contain_text("67 %")
    part.get_by_label("Over the last").select_option("365")
    expect(charts).to_have_count(len(WRITERS))


@pytest.mark.soak
def test_a_failed_job_is_tried_again_and_cancelled(desk: Desk) -> None:
    desk.open()
    part = desk.page.locator(desk.section("Jobs"))
    expect(part).to_contain_text("The disk was full.")
    expect(part).to_contain_text("Make room.")
    expect(part.get_by_role("link", name=HOSTILE)).to_be_visible()
    desk.page.get_by_role("button", name="Try again").click()
    rows = part.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first.get_by_role("progressbar")).to_be_visible()
    expect(part.get_by_role("button", name="Try again")).to_have_count(0)
    rows.first.get_by_role("button", name="Cancel").click()
    expect(rows.first).to_contain_text("Cancelled")
    expect(rows.first.get_by_role("button", name="Try again")).to_be_focused()
    part.get_by_label("Status").select_option("failed")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Failed")


@pytest.mark.soak
def test_on_a_phone_in_the_dark(desk: Desk) -> None:
    page = desk.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    desk.open()
    expect(page.locator("main [aria-busy]")).to_have_count(0)
    assert grave(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def with_longer_context(route: Route) -> None:
    """Offer one for each model, as for those of Ollama, whose port may be in use here."""
    answer = route.fetch()
    found = answer.json()
    for each in found["items"]:
        each["longer_context"] = 16384
    route.fulfill(response=answer, json=found)


def test_nothing_is_offered_that_a_setting_forbids(desk: Desk) -> None:
    def fixed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "fixed": True})

    page = desk.page
    page.route("**/v1/operations/models", fixed)
    desk.open()
    part = page.locator(desk.section("Language model"))
    expect(part).to_contain_text("It is set with BOOKWORM_GENERATOR. To choose one here, remove this")
    expect(part.get_by_role("button", name="Test configured:big")).to_be_visible()
    expect(part.get_by_role("button", name="Use")).to_have_count(0)
    assert grave(page) == []


def test_a_model_is_tried_and_chosen(desk: Desk, server: Fake) -> None:
    page = desk.page
    page.route("**/v1/operations/models", with_longer_context)
    desk.open()
    part = page.locator(desk.section("Language model"))
    expect(part).to_contain_text("Answers are written by big. It is set in the settings of the service.")
    expect(part.locator("tbody")).to_contain_text("Its context of 4,096 tokens has room for few passages.")
    server.reply(says("A novel is a long story."))
    part.get_by_role("button", name="Test configured:folder/small.gguf").click()
    expect(part).to_contain_text("“A novel is a long story.”")
    part.get_by_role("button", name="Use configured:folder/small.gguf", exact=True).click()
    expect(part).to_contain_text("Answers are written by small.gguf. It was chosen here")
    assert grave(page) == []
    part.get_by_role("button", name="Use offline").click()
    expect(part).to_contain_text("Answers are written by offline. It was chosen here")
    part.get_by_role("button", name="Choose automatically").click()
    expect(part).to_contain_text("Answers are written by big.")
    part.get_by_role("button", name="Use configured:big with 16,384 tokens").click()
    expect(part.locator(".trouble")).to_contain_text(
        "Only Ollama can be asked for a context, and configured:big"
    )
    server.reply(*[status(500, {"error": "broken"})] * 4)
    part.get_by_role("button", name="Test configured:big").click()
    expect(part.locator("tbody .trouble")).to_be_visible()


def test_a_key_is_made_shown_once_used_and_revoked(desk: Desk) -> None:
    """Last of all: the first key shuts the service, and then its maker gives it up."""
    desk.open()
    page = desk.page
    part = page.locator(desk.section("API keys"))
    expect(part).to_contain_text("anyone on this machine")
    expect(part.get_by_label("Access").locator("option")).to_have_count(1)
    part.get_by_label("Name").fill("mine")
    part.get_by_role("button", name="Create the first key").click()
    first = part.get_by_role("textbox", name="The key mine").input_value()
    assert first.startswith("bw_")
    assert (desk.status(None), desk.status(first)) == (401, 200), "shut, and its maker is in"
    expect(part).not_to_contain_text("anyone on this machine")
    desk.open()
    expect(part.get_by_role("row", name="mine")).to_contain_text("this browser")
    assert first not in page.content(), "shown once"

    part.get_by_label("Name").fill("reader")
    part.get_by_label("Access").select_option("read")
    part.get_by_label("Requests per day").fill("77")
    part.get_by_role("button", name="Create a key").click()
    second = part.get_by_role("textbox", name="The key reader").input_value()
    assert (desk.status(second), desk.status(second, "/keys")) == (200, 403)
    expect(part.get_by_role("row", name="reader")).to_contain_text("77 per day")
    part.get_by_role("button", name="Done").click()
    assert second not in page.content()
    part.get_by_role("button", name="Revoke the key reader").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert desk.status(second) == 200
    part.get_by_role("button", name="Revoke the key reader").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(part.get_by_role("row", name="reader")).to_contain_text("Revoked")
    assert desk.status(second) == 401

    part.get_by_role("button", name="Revoke the key mine").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Revoke", exact=True).click()
    expect(dialog).to_contain_text("You are signed in with this key")
    dialog.get_by_role("button", name="Revoke anyway").click()
    expect(page.get_by_label("API key", exact=True)).to_be_visible()
    expect(page.locator("section")).to_have_count(0)
