from __future__ import annotations

import pytest

from generation.models.answer_tidying import tidy

SENTENCE = "Bess Farrow is a clerk [1]."


@pytest.mark.parametrize(
    "text",
    [
        f"Here is the description: {SENTENCE}",
        f"Here's a description of Bess Farrow in about 90 words:\n\n{SENTENCE}",
        f"Sure! Here is the description you asked for:\n{SENTENCE}",
        f"Certainly, here’s the analysis:\n\n{SENTENCE}",
        f"Of course! {SENTENCE}",
        f"Based on the passages, here is a description of Bess Farrow:\n{SENTENCE}",
        f"Description of Bess Farrow: {SENTENCE}",
        f"**Answer:** {SENTENCE}",
        f"assistant\n\n{SENTENCE}",
        f"<think>She is a clerk. I must cite.</think>\n{SENTENCE}",
        f"```text\n{SENTENCE}\n```",
        f"<book>\n{SENTENCE}\n</book>",
        f"{SENTENCE}\n\nLet me know if you need more.",
        f"{SENTENCE}\n\nI hope this helps!\n\nWord count: 6",
        f"{SENTENCE}\n\n(6 words)",
        f"{SENTENCE}\n\nNote: this description rests on the passages alone.",
        f"{SENTENCE}\n\nSources: [1], [2]",
        f"  {SENTENCE}\u200b\n",
    ],
)
def test_what_stands_around_an_answer_is_taken_off(text: str) -> None:
    assert tidy(text) == SENTENCE


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        "Sure of herself, Bess corrects the table [3].",
        "Here is a clerk who is never late [4].",
        "Certainly Bess is exact [3]. She writes: “Come at once” [3].",
        "Bess is a clerk [1].\n\nNote that nobody likes her at first [2].",
        "Bess is a clerk [1].\n\nShe hopes this will do [2].",
        "## Bess Farrow\nA clerk [1].\n\n## Tom Farrow\nHer brother [1].",
    ],
)
def test_an_answer_is_left_alone(text: str) -> None:
    assert tidy(text) == text


def test_thinking_that_never_ends_is_no_answer() -> None:
    assert tidy("<think>She is a clerk, so I should") == ""
    assert tidy("Sure! Here is the description:") == ""
