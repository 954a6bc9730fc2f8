"""`bookworm dossier`: the weighted evidence about a character from which descriptions are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Name, Upto

if TYPE_CHECKING:
    from service.wire.answers import CitationOut
    from service.wire.attributes import StrokeOut
    from service.wire.dossiers import AttitudeOut, ChangeOut, DeedOut, DossierOut, QualityOut, TieOut

PLACES = 5
QUOTE = 100
"""Maximum characters of a quoted sentence."""
NameOf = Callable[[str], str]


def dossier(
    context: typer.Context,
    book: Book,
    name: Name,
    k: Annotated[
        int, typer.Option("-k", min=1, max=1000, help="Maximum number of entries of each kind.")
    ] = 12,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Show what a BOOK says about a character NAME, ordered by weight, with the passages."""
    from service.usecases import dossiers
    from service.wire.dossiers import DossierOut, Extent

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        character, found = dossiers.dossier(view, name)
    said = view.annotations
    extent = Extent(view.book, k, PLACES)
    told = DossierOut.of(found, character=character, name_of=said.character, extent=extent)
    if json:
        output.write_json(told.model_dump(mode="json"))
        return
    for line in page(told):
        output.out.print(line)


def page(told: DossierOut) -> Iterator[Text]:
    names = {person.id: person.name for person in (*told.people, told.character)}

    def called(key: str) -> str:
        return names.get(key, key)

    presence, speech = told.presence, told.speech
    yield Text(told.character.name, style="bold")
    narrates = ", narrator" if told.narrates else ""
    yield Text(
        f"no. {presence.rank} in the cast, in {presence.share:.0%} of the chapters, "
        f"{speech.quotes:,} quotes ({speech.share:.0%} of the direct speech){narrates}"
    )
    yield from _part("Relationships", (_tie(tie, called) for tie in told.ties))
    yield from _part("Roles", (_cited(role.phrase, role.citations) for role in told.roles))
    yield from _part("Traits", (_quality(quality, called) for quality in told.qualities))
    yield from _part("Appearance and character", (_stroke(stroke, called) for stroke in told.portrait))
    yield from _part("Feelings", (_attitude(attitude, called) for attitude in told.attitudes))
    yield from _part("Events", (_deed(deed, called) for deed in told.deeds))
    company = (
        f"{called(c.other)}: {c.together} paragraphs, {c.deeds} events, {c.spoken} quotes"
        for c in told.company
    )
    yield from _part("Often mentioned with", company)
    if told.change is not None:
        yield from _part("From the first third of the book to the last", _change(told.change, called))


def _part(head: str, lines: Iterable[str]) -> Iterator[Text]:
    shown = list(lines)
    if shown:
        yield Text(f"\n{head}", style="bold")
        yield from (Text(f"  {line}") for line in shown)


def _tie(tie: TieOut, called: NameOf) -> str:
    other = called(tie.other) if tie.other else tie.other_name
    inferred = ", inferred" if tie.inferred else ""
    term = " ".join(filter(None, (tie.qualifier, tie.term)))
    return _cited(f"{term} of {other} ({tie.confidence:.0%} sure{inferred})", tie.citations)


def _quality(quality: QualityOut, called: NameOf) -> str:
    return _cited(f"{quality.text} ({quality.aspect.value}{_says(quality, called)})", quality.citations)


def _stroke(stroke: StrokeOut, called: NameOf) -> str:
    lacks = "not " if stroke.denied and not stroke.text.startswith("no ") else ""
    said = f"{lacks}{stroke.text} ({stroke.aspect.value}{_says(stroke, called)})"
    return _cited(said, stroke.citations)


def _says(told: QualityOut | StrokeOut, called: NameOf) -> str:
    who = called(told.speaker) if told.speaker else "somebody"
    return f", says {who}" if told.quoted else ""


def _attitude(attitude: AttitudeOut, called: NameOf) -> str:
    who = called(attitude.speaker) if attitude.speaker else "somebody"
    says = f", says {who}" if attitude.quoted else ""
    whom = f"{called(attitude.holder)} → {called(attitude.other)}"
    sure = f"{attitude.confidence:.0%} sure, from ch. {attitude.chapter} on{says}"
    return _cited(f"{attitude.bearing.value}: {whom} ({sure})", attitude.citations)


def _deed(deed: DeedOut, called: NameOf) -> str:
    others = f" ({', '.join(map(called, deed.others))})" if deed.others else ""
    done = " ".join(filter(None, ("not" if deed.negated else None, deed.modal, deed.lemma)))
    quote = " ".join(deed.citation.quote.split())
    shown = quote if len(quote) <= QUOTE else quote[: QUOTE - 1] + "…"
    return f"[ch. {deed.citation.chapter}] {deed.kind.value}: {done}{others}: {shown}"


def _change(change: ChangeOut, called: NameOf) -> Iterator[str]:
    for name in change.new_names:
        yield f"is called {name.text} from ch. {name.citation.chapter} on"
    for when, part in (("early", change.early), ("late", change.late)):
        with_whom = ", ".join(called(c.other) for c in part.company[:PLACES]) or "nobody"
        like = ", ".join(q.text for q in part.qualities[:PLACES])
        yield f"{when}: {part.mentions} mentions, with {with_whom}{'; ' + like if like else ''}"


def _cited(words: str, citations: Sequence[CitationOut]) -> str:
    chapters = sorted({citation.chapter for citation in citations})
    return f"{words} [ch. {', '.join(map(str, chapters))}]" if chapters else words
