"""`bookworm profile`: the card of a character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, MarkdownFlag, Name, Upto, check_form

if TYPE_CHECKING:
    from generation.types import AnswerLanguage
    from service.wire.profiles import ProfileOut, QuotationOut, TieOut


def profile(
    context: typer.Context,
    book: Book,
    name: Name,
    upto: Upto = None,
    markdown: MarkdownFlag = False,
    json: JsonFlag = False,
) -> None:
    """Show who the character NAME of a BOOK is: relationships, looks, nature, turning points, own words."""
    from generation.types import AnswerLanguage
    from service.usecases import profiles
    from service.wire.profile_markdown import profile_markdown
    from service.wire.profiles import ProfileOut

    check_form(markdown=markdown, json=json)

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        character, found = profiles.profile(view, name)
        told = ProfileOut.of(found, character=character, name_of=view.annotations.character, book=view.book)
    if json:
        output.write_json(told)
        return
    if markdown:
        output.write_text(profile_markdown(told, view=view))
        return
    for line in page(told, AnswerLanguage.of(view.book)):
        output.out.print(line)


def page(told: ProfileOut, language: AnswerLanguage) -> Iterator[Text]:
    from service.wire.profiles import sections, warnings

    yield Text(told.character.name, style="bold")
    if told.who:
        yield Text(told.who)
    yield from (Text(line, style="yellow") for line in warnings(told))
    names = told.names
    yield from _part("Relationships", (_tie(tie, names) for tie in told.ties))
    for head, quotations in sections(told):
        yield from _part(head, (_quotation(q, names, language) for q in quotations))


def _part(head: str, lines: Iterable[str]) -> Iterator[Text]:
    shown = list(lines)
    if shown:
        yield Text(f"\n{head}", style="bold")
        yield from (Text(f"  {line}") for line in shown)


def _tie(tie: TieOut, names: Mapping[str, str]) -> str:
    chapters = sorted({citation.chapter for citation in tie.citations})
    return f"{tie.predicate} of {names.get(tie.other, tie.other)} [ch. {', '.join(map(str, chapters))}]"


def _quotation(quotation: QuotationOut, names: Mapping[str, str], language: AnswerLanguage) -> str:
    from generation.phrases import in_marks
    from service.wire.profiles import speaker_of

    said = f"{speaker_of(quotation, names)}{in_marks(quotation.text, language)}"
    return f"[ch. {quotation.citation.chapter}] {said}"
