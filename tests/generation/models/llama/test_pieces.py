"""Only whole characters, and nothing lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generation.models.llama.chat import encode_plain
from generation.models.llama.token_text import TokenText


@given(text=st.text(alphabet="ab é—“王𝔅😀\n", max_size=40))
def test_they_add_up_to_the_text(tokenizer: Any, text: str) -> None:
    pieces = TokenText(tokenizer)
    told = [pieces.push(token) for token in encode_plain(tokenizer, text)] + [pieces.rest()]
    assert "".join(told) == text == pieces.text
    assert not any("\ufffd" in piece for piece in told)


@given(ids=st.lists(st.integers(0, 639), max_size=60))
def test_any_tokens_give_what_decoding_them_gives(tokenizer: Any, ids: list[int]) -> None:
    pieces = TokenText(tokenizer)
    told = [pieces.push(token) for token in ids] + [pieces.rest()]
    assert "".join(told) == tokenizer.decode(ids, skip_special_tokens=True) == pieces.text


def test_an_incomplete_character_is_held_back_until_the_end(tokenizer: Any) -> None:
    pieces = TokenText(tokenizer)
    first, *_ = encode_plain(tokenizer, "王")
    assert pieces.push(first) == ""
    assert pieces.rest() == "\ufffd"
