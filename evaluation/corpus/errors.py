"""Errors of the commands that measure novels of the corpus."""

from __future__ import annotations

from typing import Self

from books.errors import BookwormError


class NovelsLeftOut(BookwormError):
    """An option leaves out all the novels."""

    code = "novels_left_out"
    remedy = "Give --only another part of a name, or leave it out."

    @classmethod
    def by_name(cls, among: str) -> Self:
        return cls(f"None of the novels chosen by --only is among {among}.")

    @classmethod
    def unresolved(cls) -> Self:
        return cls("None of the novels is resolved yet.", remedy="Leave out --only-resolved.")
