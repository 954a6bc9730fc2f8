"""The values of a book that compute something."""

from __future__ import annotations

import hashlib

import pytest

from books.types import text_sha256


@pytest.mark.parametrize("text", ["", "lamp", "“é漢😀" * 70_001])
def test_the_hash_of_a_text_is_that_of_the_whole_as_utf_8(text: str) -> None:
    assert text_sha256(text) == hashlib.sha256(text.encode()).hexdigest()
