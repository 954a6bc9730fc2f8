"""The words by which texts are compared: lower case, no punctuation; Chinese as jieba splits it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.writing.overlaps import tokens as plain_tokens
from retrieval.tokenizer import has_han

_HAN = re.compile("[\u3007\u3400-\u9fff\U00020000-\U0003ffff]+")

Text = str | Sequence[str]
"""A text as written, or already split into words."""


def words_of(text: Text) -> Sequence[str]:
    if not isinstance(text, str):
        return text
    return list(_parted(text)) if has_han(text) else plain_tokens(text)


def _parted(text: str) -> Iterator[str]:
    """Yield Chinese words; imported late, because English never needs it and it loads a dictionary."""
    from coref.chinese.lexicon import simplify
    from coref.chinese.segment import cut

    done = 0
    for match in _HAN.finditer(text):
        yield from plain_tokens(text[done : match.start()])
        yield from cut(simplify(match[0]))
        done = match.end()
    yield from plain_tokens(text[done:])
