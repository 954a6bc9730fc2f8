"""What a model thinks is told from its answer, in any marks, whole or in pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.models.thinking import ThinkingSplitter, only_closes, spoken, thinks

ANSWER = "Bess is a pilot [1]. She is “never late” [2, 3]."
THOUGHTS = [
    f"<think>Who is Bess? [I see] 3 < 4</think>{ANSWER}",
    f"<THINKING>\nHm.\n</thinking>{ANSWER}",
    f"The template opened it, so only the end is here.</think>{ANSWER}",
    f"[THINK]Hm.[/THINK]{ANSWER}",
    f"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
    f"<|start|>assistant<|channel|>commentary to=none<|message|>Hm.<|end|>"
    f"<|start|>assistant<|channel|>final <|message|>{ANSWER}<|end|>",
    f"<think>One.</think><think>Two.</think>{ANSWER}",
]


@pytest.mark.parametrize("text", THOUGHTS)
def test_the_answer_is_what_follows(text: str) -> None:
    assert spoken(text) == ANSWER
    assert thinks(text)


def test_an_answer_without_thinking_is_whole() -> None:
    assert spoken(ANSWER) == ANSWER
    assert not thinks(ANSWER)
    assert spoken("1 < 2 and [ch") == "1 < 2 and [ch"


def test_thinking_that_does_not_end_is_no_answer() -> None:
    assert spoken("<think>Bess is") == ""
    assert spoken("<|channel|>analysis<|message|>Bess is") == ""


@pytest.mark.parametrize("text", [*THOUGHTS, ANSWER])
@given(cuts=st.lists(st.integers(0, 140), max_size=12))
def test_in_pieces_it_is_the_same(text: str, cuts: list[int]) -> None:
    splitter, heard = ThinkingSplitter(), ""
    ends = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    for start, end in pairwise(ends):
        piece = splitter.hear(text[start:end])
        heard = piece.text if piece.void else heard + piece.text
    last = splitter.hear("", last=True)
    assert (last.text if last.void else heard + last.text) == spoken(text)


def test_it_is_known_while_it_lasts() -> None:
    splitter = ThinkingSplitter()
    told = [splitter.hear(piece) for piece in ("<thi", "nk>Hm", ".</think>", "Bess")]
    assert [piece.thinking for piece in told] == [False, True, False, False]
    assert [piece.text for piece in told] == ["", "", "", "Bess"]


def test_what_was_shown_before_a_lone_end_is_void() -> None:
    splitter = ThinkingSplitter()
    assert splitter.hear("First, who is she?").text == "First, who is she?"
    piece = splitter.hear("</think>Bess")
    assert (piece.text, piece.void) == ("Bess", True)


@pytest.mark.parametrize("text", [*THOUGHTS, ANSWER, "<think>Bess is"])
def test_only_a_lone_end_shows_that_the_template_began_it(text: str) -> None:
    assert only_closes(text) == text.startswith("The template")
