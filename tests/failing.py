"""Expects errors that say more to those who run the service than to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from books.errors import BookwormError


@contextmanager
def fails(
    kind: type[BookwormError], *, match: str = "", hidden: str = "127.0.0.1"
) -> Iterator[pytest.ExceptionInfo[BookwormError]]:
    """Expect an error with these words in full, and without what is `hidden` for everybody."""
    with pytest.raises(kind) as caught:
        yield caught
    assert re.search(match, in_full(caught.value))
    assert hidden not in str(caught.value)


def in_full(error: BookwormError) -> str:
    told = error.wording(candid=True)
    return f"{told.detail} {told.remedy}"
