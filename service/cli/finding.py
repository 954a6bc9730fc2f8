"""Search in one book on the command line: each place in a line or two, with the words marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading

if TYPE_CHECKING:
    from service.wire.finding import BookSearchOut, FindOut, WordCountOut

_AROUND: Final = 100
"""Characters that are shown before and after the first word that is marked."""


def find_in(
    context: typer.Context, book: str, query: str, upto: str | None, most: int, *, as_json: bool
) -> None:
    from retrieval.types import Order
    from service.usecases.finding import search_in
    from service.wire.finding import BookSearchOut

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        searched = search_in(library.services, view, query, order=Order.SCORE, limit=min(most, 100), offset=0)
        found = BookSearchOut.of(searched, following=None)
    if as_json:
        output.write_json(found)
    else:
        _show(found)


def _show(found: BookSearchOut) -> None:
    if found.total:
        counts = (f"ch. {n}: {count}" for n, count in enumerate(found.by_chapter, 1) if count)
        output.out.print(Text(f"{found.total} in all. {', '.join(counts)}", style="bold"), end="\n\n")
    else:
        output.out.print(Text("Nothing has all of these words.", style="bold"))
        for word in found.words:
            output.out.print(Text(f"  {_alone(word)}"))
    for find in found.items:
        _print(find)
    if found.near:
        output.out.print(Text("Near in meaning:", style="bold"))
    for find in found.near:
        _print(find)


def _alone(word: WordCountOut) -> str:
    similar = f" Similar: {', '.join(word.similar)}." if word.similar else ""
    return f"{word.word}: {word.passages}.{similar}"


def _print(find: FindOut) -> None:
    text, start = find.text, find.span.start
    first = find.marks[0].start - start if find.marks else 0
    low, high = max(0, first - _AROUND), first + 2 * _AROUND
    shown = Text(f"ch. {find.chapter}  ", style="dim")
    shown.append("… " if low else "", style="")
    at = low
    for mark in find.marks:
        if mark.end - start <= high:
            shown.append(_line(text[at : mark.start - start]), style="")
            shown.append(_line(text[mark.start - start : mark.end - start]), style="bold")
            at = mark.end - start
    shown.append(_line(text[at:high]), style="")
    shown.append(" …" if high < len(text) else "", style="")
    output.out.print(shown, end="\n\n")


def _line(text: str) -> str:
    return text.replace("\n", " ")
