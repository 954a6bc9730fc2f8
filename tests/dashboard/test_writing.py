"""What the pages say while a language model writes, and what its answer cost."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.dashboard.test_journey import opened

AT = "/characters/Margaret%20Vane/description"


def sent(page: Page, *told: tuple[str, Any]) -> None:
    """The service sends these events for a description."""
    body = "".join(f"event: {kind}\ndata: {json.dumps(data)}\n\n" for kind, data in told)
    page.unroute("**/description?*")
    page.route("**/description?*", lambda route: route.fulfill(body=body, content_type="text/event-stream"))


def test_thinking_is_said_until_there_is_text(page: Page, book: dict[str, Any]) -> None:
    home, output = f"/library/{book['id']}/people/Margaret%20Vane", page.locator(".output")
    sent(page, ("thinking", {}))
    opened(page, home)
    expect(output).to_have_text("The model is thinking …")
    sent(page, ("thinking", {}), ("text", {"text": "Margaret Vane"}), ("thinking", {}))
    opened(page, home)
    expect(output.locator(".draft")).to_have_text("Margaret Vane")
    aloud = [("text", {"text": "Who is she?"}), ("again", {"reason": "It thought aloud."})]
    sent(page, *aloud, ("text", {"text": "She lit the lamp."}))
    opened(page, home)
    expect(output.locator(".draft")).to_have_text("She lit the lamp.")


def test_the_cost_of_an_answer_and_who_wrote_it(
    page: Page, client: httpx.Client, book: dict[str, Any]
) -> None:
    answer = client.get(f"/books/{book['id']}{AT}").json()
    answer["usage"] = {"prompt_tokens": 1200, "completion_tokens": 90, "calls": 3, "seconds": 2.504}
    answer["kept"] = {"prompt_tokens": 500, "completion_tokens": 70, "calls": 2, "seconds": 0.0}
    answer["provenance"]["generator"] = "openai/1:small.gguf"
    answer["provenance"]["judge"] = "llm/3+openai/1:small.gguf+judging/1/0f"
    answer["notes"] = ["Asked again with another seed."]
    sent(page, ("answer", answer))
    opened(page, f"/library/{book['id']}/people/Margaret%20Vane")
    cost = page.locator(".output > p.soft.small")
    expect(cost).to_have_text(
        "Written by small.gguf, checked by small.gguf, in 2.50 s, 3 calls, 1200 + 90 tokens."
        " Kept from before: 2 calls, 500 + 70 tokens. Asked again with another seed."
    )
    answer["usage"] = {**answer["usage"], "calls": 0}
    answer["kept"] = {**answer["kept"], "calls": 0}
    answer["rejected"] = {"generator": answer["provenance"]["generator"], "reason": "it is empty"}
    sent(page, ("answer", {**answer, "notes": []}))
    opened(page, f"/library/{book['id']}/people/Margaret%20Vane")
    expect(cost).to_have_text("Written by small.gguf, checked by small.gguf, in 2.50 s.")
    expect(page.locator(".output .warning")).to_have_text(
        "small.gguf gave no usable answer (it is empty). This is the offline answer."
    )


def test_an_answer_is_copied_without_a_clipboard_and_saved_with_its_book(
    page: Page, book: dict[str, Any]
) -> None:
    opened(page, f"/library/{book['id']}/people/Margaret%20Vane")
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy", exact=True).click()
    shown = page.get_by_label("The text to copy")
    expect(shown).to_be_focused()
    expect(shown).to_have_value(re.compile("Margaret"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download Markdown").click()
    told = saved.value.path().read_text("utf-8")
    assert told.startswith(f"# Margaret Vane\n\n{book['title']}, {book['author']}, {book['filename']}\n")
    page.route(f"**/v1/books/{book['id']}", lambda route: route.abort())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download Markdown").click()
    assert saved.value.path().read_text("utf-8") == told, "it is saved without a service, too"
