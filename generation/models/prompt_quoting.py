"""Quote a book's text inside a prompt: on one line, and unable to end its quotation or to imitate the
template.

Chat templates and our own delimiters are made of brackets: `<|eot_id|>`, `<start_of_turn>`, `</s>`, `[INST]`,
and `<book>` or `[7]` here. A zero-width space after every opening bracket breaks all of them, including
future ones, and a reader sees the same text. `restored` removes it from what a model repeats.
"""

from __future__ import annotations

import re

from retrieval import sentences

_BREAK = "\u200b"
_OPENING = re.compile(r"[<\[＜［【〈]|\|(?=[>＞])")
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u2060\ufeff\U000e0000-\U000e007f]")
"""Control characters, and characters that are invisible except to a tokenizer. No reader misses them."""
_LONGEST_NAME = 120


def quoted(text: str) -> str:
    return _OPENING.sub(lambda m: m.group() + _BREAK, _UNSEEN.sub("", sentences.flat(text)))


def quoted_name(name: str) -> str:
    """Quote a name or a title. It is shortened, since it stands outside the delimiters."""
    flat = sentences.flat(name)
    return quoted(flat if len(flat) <= _LONGEST_NAME else f"{flat[:_LONGEST_NAME]}…")


def restored(text: str) -> str:
    return text.replace(_BREAK, "")
