"""The measure of a real model's honesty, on answers by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import STORY
from tests.generation.models.openai.honest import foreign, honest

TRUE = ("Margaret Lowe kept the lamp at Harbour Point.", "She married the Captain in June.")
FOREIGN = (
    "Margaret Lowe kept the lamp for Inspector Grimble.",  # nobody of that name
    "She married the Captain in Lisbon.",
    "Margaret Lowe was born in 1872.",
    "Margaret teaches chemistry.",  # nothing of the book but her name
)


def answer(text: str, *, cited: bool = False, supported: bool = False, **changes: Any) -> dict[str, Any]:
    made = {"generator": "openai/1:smol", "extractor": "openai/1:smol+facts/1", "judge": "offline/9"}
    return {
        "rejected": None,
        "provenance": made | changes,
        "characters": [{"name": "Margaret Lowe"}],
        "sentences": [{"text": text, "citations": [{}] if cited else []}],
        "facts": [{"text": text, "label": "supported" if supported else "unsupported"}],
    }


@pytest.mark.parametrize("text", TRUE)
def test_what_the_book_has_may_be_believed(text: str) -> None:
    assert not foreign(text, STORY, people="Margaret Lowe")
    assert honest(answer(text, cited=True, supported=True), STORY)


@pytest.mark.parametrize("text", FOREIGN)
def test_what_is_nowhere_in_the_book_may_be_neither_cited_nor_supported(text: str) -> None:
    assert honest(answer(text), STORY)
    assert not honest(answer(text, cited=True), STORY)
    assert not honest(answer(text, supported=True), STORY)


@pytest.mark.parametrize("change", [{"extractor": "offline/5"}, {"judge": "llm/2+openai/1:smol"}])
def test_other_engines_than_it_should_be_are_an_error(change: dict[str, str]) -> None:
    with pytest.raises(AssertionError):
        honest(answer(TRUE[0], **change), STORY)


def test_the_answer_in_place_of_a_rejected_one_is_the_offline_one() -> None:
    rejected = answer(TRUE[0]) | {"rejected": {"reason": "it repeats itself"}}
    assert not honest(rejected, STORY)
    offline = {"generator": "offline/15", "extractor": "offline/5", "judge": "offline/9"}
    assert honest(rejected | {"provenance": offline}, STORY)
