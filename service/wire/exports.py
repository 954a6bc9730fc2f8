"""The names of the files of an export."""

from __future__ import annotations

from service.shelf import View


def base_name(view: View) -> str:
    """Return what the names begin with: the book, and the place up to which it was asked for, if one was."""
    book = view.record.id
    if view.upto is None:
        return book
    if not view.book.paragraphs:
        return f"{book}.upto-0"
    last = view.book.paragraphs[-1]
    return f"{book}.upto-p{last.index}" if view.midway else f"{book}.upto-{last.chapter + 1}"
