"""The operations page lists the language models, tries one, and chooses which one writes, if it may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.dashboard.test_access import grave
from tests.dashboard.test_journey import opened
from tests.generation.models.openai.fake import Fake, says, serve, status
from tests.http.serve import serving

MODELS = {"data": [{"id": "folder/small.gguf"}, {"id": "big"}]}


@pytest.fixture(scope="module")
def server() -> Iterator[Fake]:
    with serve() as fake:
        fake.reply(status(200, MODELS), path="/v1/models")
        fake.reply(status(200, {"default_generation_settings": {"n_ctx": 4096}}), path="/props")
        yield fake


def with_longer_context(route: Route) -> None:
    """Offer one for each model, as for those of Ollama, whose port may be in use here."""
    answer = route.fetch()
    found = answer.json()
    for each in found["items"]:
        each["longer_context"] = 16384
    route.fulfill(response=answer, json=found)


@pytest.fixture(scope="module")
def served(server: Fake, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("language_model")
    settings = {
        "data_dir": str(folder),
        "embedder": "hashing",
        "generator": "auto",
        "openai_url": server.url,
        "openai_model": "big",
    }
    with serving(settings, log=folder / "service.log") as base:
        yield base


def test_nothing_is_offered_that_a_setting_forbids(page: Page, served: str) -> None:
    def fixed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "fixed": True})

    page.route("**/v1/operations/models", fixed)
    opened(page, f"{served}/operations")
    part = page.locator('section:has(h2:text-is("Language model"))')
    expect(part).to_contain_text("It is set with BOOKWORM_GENERATOR. To choose one here, remove this")
    expect(part.get_by_role("button", name="Test configured:big")).to_be_visible()
    expect(part.get_by_role("button", name="Use")).to_have_count(0)
    assert grave(page) == []


def test_a_model_is_tried_and_chosen(page: Page, server: Fake, served: str) -> None:
    page.route("**/v1/operations/models", with_longer_context)
    opened(page, f"{served}/operations")
    part = page.locator('section:has(h2:text-is("Language model"))')
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
