"""`bookworm correct`: previews a correction of the characters of a book, and makes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from coref.decisions.types import Decision, DecisionKind
from service.cli import output
from service.cli.library import reading
from service.cli.options import Book, JsonFlag, Upto

if TYPE_CHECKING:
    from books.types import Span
    from coref.decisions.changes import CharacterChange
    from coref.types import Character
    from service.shelf import View
    from service.usecases.decisions import Preview

_OPTIONS: Final[Mapping[str, str]] = {
    "character": "NAME",
    "other": "--other",
    "name": "--name",
    "aliases": "--alias",
    "spans": "--in",
    "undoes": "--undoes",
    "pronouns": "--pronouns",
}
_NEEDS: Final[Mapping[DecisionKind, Sequence[Sequence[str]]]] = {
    DecisionKind.MERGE: (["character"], ["other"]),
    DecisionKind.SPLIT: (["character"], ["name"], ["aliases", "spans"]),
    DecisionKind.RENAME: (["character"], ["name"]),
    DecisionKind.HIDE: (["character"],),
    DecisionKind.SPEAKER: (["spans"],),
    DecisionKind.MENTION: (["aliases", "spans"],),
    DecisionKind.DISMISS: (["character"],),
    DecisionKind.UNDO: (["undoes"],),
}
"""Of each of these fields one is needed."""
_OFFSETS: Final = re.compile(r"(\d+):(\d+)")


Kind = Annotated[DecisionKind, typer.Argument(metavar="KIND", help="What to correct.")]
Whom = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Name, alias or id of the character; of a narrator, speaker or mention, who it is: "
        "without it nobody.",
    ),
]
Other = Annotated[
    str | None,
    typer.Option(
        "--other", metavar="NAME", help="Who is merged into NAME, or to whom a mention refers so far."
    ),
]
New = Annotated[
    str | None, typer.Option("--name", metavar="NEW", help="The new name, or the name of somebody new.")
]
Aliases = Annotated[
    list[str] | None,
    typer.Option("--alias", metavar="WORDS", help="What the moved mentions say. Can be repeated."),
]
Places = Annotated[
    list[str] | None,
    typer.Option(
        "--in",
        metavar="PLACE",
        help="Where: a chapter (`5`), a paragraph (`p:120`) or offsets (`1200:1207`). Can be repeated.",
    ),
]
Pronouns = Annotated[bool, typer.Option("--pronouns", help="Move pronouns and quotes with the mentions.")]
Undoes = Annotated[
    int | None, typer.Option("--undoes", min=1, metavar="NUMBER", help="The correction to undo.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change, up to --upto.")]


def correct(
    context: typer.Context,
    book: Book,
    kind: Kind,
    character: Whom = None,
    other: Other = None,
    name: New = None,
    aliases: Aliases = None,
    places: Places = None,
    pronouns: Pronouns = False,
    undoes: Undoes = None,
    dry_run: DryRun = False,
    upto: Upto = None,
    json: JsonFlag = False,
) -> None:
    """Correct who is who in a BOOK: rename, split, merge or hide characters, say who speaks or is meant."""
    from service.usecases import decisions
    from service.usecases.characters import met

    given = {
        "character": character,
        "other": other,
        "name": name,
        "aliases": aliases,
        "spans": places,
        "undoes": undoes,
        "pronouns": pronouns,
    }
    _check(kind, {field for field, value in given.items() if value})
    if kind is DecisionKind.MENTION and not (other or aliases or all(map(_OFFSETS.fullmatch, places or ()))):
        # Whatever refers to nobody in a chapter or a paragraph is mostly places and things.
        raise typer.BadParameter("mention needs --other or --alias, unless --in has offsets.")
    with reading(context, book) as (library, book_id):
        view, whole = library.view(book_id, upto), library.view(book_id)
        who, whom = (key and met(view, key).id for key in (character, other))
        spans = tuple(dict.fromkeys(span for place in places or () for span in _spans(whole, kind, place)))
        wanted = Decision(0, kind, who, whom, name, tuple(aliases or ()), spans, undoes, pronouns)
        found = decisions.preview(library, book_id=book_id, wanted=wanted, upto=upto)
        made = None if dry_run else decisions.decide(library, book_id=book_id, wanted=wanted)
    if json:
        from service.wire.decisions import DecisionOut
        from service.wire.previews import PreviewOut

        output.write_json(DecisionOut.of(made) if made else PreviewOut.of(found))
    else:
        show(found)
    for warning in _warnings(found):
        output.warn(warning)
    output.tell(f"This is correction {made.number}." if made else "Nothing was saved.")


def _check(kind: DecisionKind, given: set[str]) -> None:
    """Refuses what lacks something, or would be ignored."""
    from service.wire.decisions import USED

    if any(given.isdisjoint(fields) for fields in _NEEDS.get(kind, ())):
        needed = (" or ".join(_OPTIONS[field] for field in fields) for fields in _NEEDS[kind])
        raise typer.BadParameter(f"{kind} needs {', '.join(needed)}.")
    if idle := [_OPTIONS[field] for field in _OPTIONS if field in given - USED[kind]]:
        raise typer.BadParameter(f"{kind} does not take {', '.join(idle)}.")
    if kind in (DecisionKind.NARRATOR, DecisionKind.MENTION) and {"character", "name"} <= given:
        raise typer.BadParameter(f"{kind} takes NAME, or --name for somebody new, but not both.")


def _spans(whole: View, kind: DecisionKind, place: str) -> list[Span]:
    """The span of a place; for a speaker, the quotes that begin in it."""
    from books.types import Span
    from coref.decisions.following import within
    from service import spoiler_gate

    start, end = map(int, offsets.groups()) if (offsets := _OFFSETS.fullmatch(place)) else (0, 0)
    span = Span(start, end) if start < end else spoiler_gate.part(whole.book, place)
    if kind is not DecisionKind.SPEAKER:
        return [span]
    quotes = whole.annotations.quotes
    if found := [quotes[at].span for at in within(quotes, [span])]:
        return found
    raise typer.BadParameter(f"no quote begins in {place}.")


def show(found: Preview) -> None:
    """Show who changes, and some of the mentions and quotes that move."""
    seen = found.changes
    table = output.table("Character", "Mentions", "Quotes")
    for person in seen.people:
        table.add_row(*map(Text, _cells(person)))
    if seen.people:
        output.out.print(table)
    if seen.narrator_before != seen.narrator_after:
        output.out.print(Text(f"Narrator: {_turn(_name(seen.narrator_before), _name(seen.narrator_after))}"))
    for label, pairs in (("Settled", seen.doubts_gone), ("In doubt again", seen.doubts_back)):
        for one, another in pairs:
            output.out.print(Text(f"{label}: whether {one.name} and {another.name} are one"))
    for moved, at in found.examples:
        who = _turn(_name(moved.was), _name(moved.becomes))
        chapter = f"ch. {at.chapter}  " if at.chapter else ""
        shown = Text(chapter, style="dim") + Text(at.before, style="") + Text(at.words, style="bold")
        output.out.print(shown + Text(f"{at.after}  ({who})", style=""))


def _cells(person: CharacterChange) -> tuple[str, str, str]:
    from coref.decisions.changes import CharacterCount

    was = person.before or CharacterCount("new", 0, 0)
    now = person.after or CharacterCount("removed", 0, 0)
    counts = ((was.mentions, now.mentions), (was.quotes, now.quotes))
    mentions, quotes = (_turn(f"{before:,}", f"{after:,}") for before, after in counts)
    return _turn(was.name, now.name), mentions, quotes


def _name(character: Character | None) -> str:
    return character.name if character else "nobody"


def _turn(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _warnings(found: Preview) -> Iterator[str]:
    for other in found.namesakes:
        count = f"{other.mention_count:,} mentions"
        yield f"This name already means {other.name} ({count}). Merge them if they are one person."
    if found.without_effect:
        yield f"Corrections without an effect from now on: {', '.join(map(str, found.without_effect))}."
