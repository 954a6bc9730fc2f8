"""Errors of the commands that measure novels of the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from books.errors import BookwormError


class NovelsLeftOut(BookwormError):
    """What is asked for leaves out all the novels."""

    code = "novels_left_out"
    remedy = "Give --only another part of a name, or leave it out."

    @classmethod
    def by_name(cls) -> Self:
        return cls("None of the novels chosen by --only is used here.")

    @classmethod
    def without_text(cls, folder: Path) -> Self:
        remedy = "Give the folder with the texts that the corpus was made from."
        return cls(f"{folder} has the text of none of the novels that are used here.", remedy=remedy)

    @classmethod
    def unresolved(cls) -> Self:
        return cls("None of the novels is resolved yet.", remedy="Leave out --only-resolved.")
