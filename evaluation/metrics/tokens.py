"""The words that texts are compared by: lower case, no marks; Chinese as jieba's dictionary parts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.writing.overlaps import tokens as plain_tokens

_HAN = re.compile("[\u3007\u3400-\u9fff\U00020000-\U0003ffff]+")

Text = str | Sequence[str]
"""As it was written, or parted into words already."""


def is_chinese(text: str) -> bool:
    """Whether any of it is: what has no spaces must be parted."""
    return _HAN.search(text) is not None


def words_of(text: Text) -> Sequence[str]:
    if not isinstance(text, str):
        return text
    return list(_parted(text)) if is_chinese(text) else plain_tokens(text)


def _parted(text: str) -> Iterator[str]:
    """Imported late: English never needs it, and a dictionary comes with it."""
    from coref.chinese.lexicon import simplify
    from coref.chinese.segment import cut

    done = 0
    for match in _HAN.finditer(text):
        yield from plain_tokens(text[done : match.start()])
        yield from cut(simplify(match[0]))
        done = match.end()
    yield from plain_tokens(text[done:])
