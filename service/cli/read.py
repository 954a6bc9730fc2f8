"""`bookworm read`: shows how a file is parsed. It needs neither a database nor a data folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from service.cli import files, output
from service.cli.options import Author, Encoding, Force, JsonFlag, Title
from service.cli.session import Session
from service.formats import FORMATS, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from books.types import Book

CHAPTERS_BY = {
    "contents": "from the table of contents",
    "headings": "from headings",
    "acts": "from acts and scenes",
    "reader": "as corrected by a reader",
    "none": "no headings were found",
}


def read(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help=f"A book as {listed()}, optionally gzipped."
        ),
    ],
    title: Title = None,
    author: Author = None,
    encoding: Encoding = None,
    force: Force = False,
    text: Annotated[bool, typer.Option("--text", help="Write the text to which all offsets refer.")] = False,
    json: JsonFlag = False,
) -> None:
    """Show how a FILE is parsed: encoding, language, chapters and excluded parts."""
    from books.report import structure, tell

    settings = Session.of(context).settings
    book = files.read_book(
        file, settings=settings, title=title, author=author, encoding=encoding, force=force
    )
    if json:
        output.write_json({"report": tell(book), **structure(book), **({"text": book.text} if text else {})})
    elif text:
        output.write_text(book.text)
    else:
        show(book)


def show(book: Book) -> None:
    from books.report import tell, words_by_chapter

    report = tell(book)
    output.out.print(_facts(report))
    chapters = zip(book.chapters, words_by_chapter(book), strict=True)
    rows = ((c.number, words, c.span.start, c.title) for c, words in chapters)
    output.out.print(chapter_table(rows, language=book.language))
    for cut in report["cut"]:
        place = "place" if cut["places"] == 1 else "places"
        told = f"Excluded: {cut['reason']} ({cut['part']}), {cut['places']} {place}, {cut['share']:.1%}"
        output.out.print(Text(told, style="dim"))
    for warning in report["warnings"]:
        output.warn(warning)


def chapter_table(chapters: Iterable[tuple[int, int, int, str]], *, language: str) -> Table:
    """A table with number, length, start and title of each chapter."""
    from books.languages import unit_of

    figures = ("Chapter", unit_of(language).capitalize(), "Start")
    table = output.table(*figures, "Title", figures=figures)
    for number, words, start, title in chapters:
        table.add_row(str(number), f"{words:,}", str(start), Text(title))
    return table


def _facts(report: dict[str, Any]) -> Table:
    from books.languages import name_of, unit_of

    found = CHAPTERS_BY.get(report["chapters_by"], report["chapters_by"])
    known = FORMATS.get(report["format"])
    counted = unit_of(report["language"])
    facts = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for name, value in (
        ("Title", report["title"]),
        ("Author", report["author"] or "unknown"),
        ("Format", known.name if known else report["format"]),
        ("Encoding", f"{report['encoding']} ({report['encoding_by']})"),
        ("Language", name_of(report["language"])),
        (counted.capitalize(), f"{report['words']:,} in {report['paragraphs']:,} paragraphs"),
        ("Chapters", f"{report['chapters']:,}, {found}"),
        ("Play", "yes" if report["play"] else "no"),
    ):
        facts.add_row(Text(name, style="bold"), Text(value))
    return facts
