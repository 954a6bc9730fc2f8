"""`bookworm profile`: the card of a character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Name, Upto

if TYPE_CHECKING:
    from generation.types import AnswerLanguage
    from service.wire.profiles import ProfileOut, QuotationOut, TieOut

NameOf = Callable[[str], str]


def profile(
    context: typer.Context, book: Book, name: Name, upto: Upto = None, json: JsonFlag = False
) -> None:
    """Show who the character NAME of a BOOK is: relationships, looks, nature, turning points, own words."""
    from generation.types import AnswerLanguage
    from service.usecases import profiles
    from service.wire.profiles import ProfileOut

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        character, found = profiles.profile(view, name)
        told = ProfileOut.of(found, character=character, name_of=view.annotations.character, book=view.book)
    if json:
        output.write_json(told.model_dump(mode="json"))
        return
    for line in page(told, AnswerLanguage.of(view.book)):
        output.out.print(line)


def page(told: ProfileOut, language: AnswerLanguage) -> Iterator[Text]:
    names = {person.id: person.name for person in (*told.people, told.character)}

    def called(key: str) -> str:
        return names.get(key, key)

    yield Text(told.character.name, style="bold")
    if told.who:
        yield Text(told.who)
    if told.doubtful:
        yield Text(f"This may not be one person. {told.doubtful}", style="yellow")
    if told.little:
        yield Text(f"Little can be said of {told.character.name} with certainty.")
    yield from _part("Relationships", (_tie(tie, called) for tie in told.ties))
    sections = (
        ("Role", told.role),
        ("Looks and circumstances", told.looks),
        ("Nature", told.nature),
        ("What others say", told.said_by_others),
        ("Turning points", told.turning_points),
        ("In their own words", told.own_words),
    )
    for head, quotations in sections:
        yield from _part(head, (_quotation(q, called, language) for q in quotations))
    if told.change is not None:
        yield from _part(
            "Early and late", (_quotation(q, called, language) for q in (told.change.early, told.change.late))
        )


def _part(head: str, lines: Iterable[str]) -> Iterator[Text]:
    shown = list(lines)
    if shown:
        yield Text(f"\n{head}", style="bold")
        yield from (Text(f"  {line}") for line in shown)


def _tie(tie: TieOut, called: NameOf) -> str:
    chapters = sorted({citation.chapter for citation in tie.citations})
    return f"{tie.predicate} of {called(tie.other)} [ch. {', '.join(map(str, chapters))}]"


def _quotation(quotation: QuotationOut, called: NameOf, language: AnswerLanguage) -> str:
    from generation.phrases import in_marks

    who = f"{called(quotation.speaker) if quotation.speaker else 'somebody'}: " if quotation.quoted else ""
    return f"[ch. {quotation.citation.chapter}] {who}{in_marks(quotation.text, language)}"
