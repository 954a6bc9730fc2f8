"""The card of a character: who they are in one line, and the book's own sentences that say most of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from coref.types import Character
from generation.story.cast import CastIndex, cast_of
from generation.story.company import CompanyCounts
from generation.story.indexed_book import reading_of
from generation.story.quotation import UNKNOWN, Quotation
from generation.story.quotations import quotations
from generation.story.selection import WHO, best, distinct, worth
from generation.story.statements import certain_ties
from generation.story.types import Change, Profile, Statement
from generation.types import Citation, Context
from retrieval.types import Category, TellingSentence

CERTAIN = 0.7
"""Certainty from which a quotation is shown as one about the character."""
_FEW = 3
"""Number of quotations below which the book says little of a character."""
_TIES = 4
_NEAREST = 2
"""Number of relations in the line that says who somebody is."""


def make_profile(context: Context, character: Character, sentences: Iterable[TellingSentence]) -> Profile:
    """Return the card of a character from the sentences about them. Everything is cut at the gate already."""
    cast = cast_of(context.book, context.annotations)
    said = about(quotations(sentences, cast), character)
    ties = certain_ties(context.book, context.annotations, character.id)[:_TIES]
    narrates = character.id == context.annotations.narrator
    role = introduction(said)
    who, places = who_line(ties, role, cast, narrates=narrates)
    counts = CompanyCounts(reading_of(context.book, context.annotations))
    told = [q for q in said if not q.own]
    return Profile(
        character=character.id,
        who=who,
        who_places=places,
        ties=ties,
        role=tuple(best(told, Category.ROLE, 1)),
        looks=tuple(best(told, Category.OTHER, 2)),
        nature=tuple(best(told, Category.PERSONALITY, 2)),
        said_by_others=opinions(told, 2),
        turning_points=in_order(distinct(best(told, Category.EVENT, 12), 5)),
        change=change(told, len(context.book.chapters)),
        own_words=in_order(best([q for q in said if q.own], Category.PERSONALITY, 2)),
        little=len(told) < _FEW,
        presence=counts.presence(character.id),
        company=counts.company(character.id),
        speech=counts.speech(character.id),
        narrates=narrates,
    )


def about(said: Iterable[Quotation], character: Character) -> list[Quotation]:
    """Return the quotations that are certain to be about the character, or said by them."""
    return [q for q in said if q.certainty >= CERTAIN and q.character == character.id]


def who_line(
    ties: Sequence[Statement], role: Quotation | None, cast: CastIndex, *, narrates: bool
) -> tuple[str, tuple[Citation, ...]]:
    """Return one line that says who somebody is, and its places: the nearest relations, or a quotation."""
    if ties:
        nearest = ties[:_NEAREST]
        line = " and ".join(relation(tie, cast) for tie in nearest)
        told = f"{line[0].upper()}{line[1:]}{', and the narrator' if narrates else ''}."
        return told, tuple(place for tie in nearest for place in tie.places[:1])
    if role is not None:
        return f"“{role.text}”", (role.citation,)
    return ("The narrator." if narrates else ""), ()


def relation(tie: Statement, cast: CastIndex) -> str:
    """Return a relation as a phrase: `Jane’s eldest sister`."""
    other = cast.by_id[tie.other].name if tie.other in cast.by_id else tie.other_name
    return f"{tie.predicate} of {other}"


def introduction(said: Iterable[Quotation]) -> Quotation | None:
    """Return the quotation that says most of who the character is. They do not say it themselves."""
    told = [q for q in said if not q.own]
    return max(told, key=lambda q: (worth(q, WHO), -q.citation.span.start), default=None)


def opinions(said: Iterable[Quotation], most: int) -> tuple[Quotation, ...]:
    """Return what others say of the character, by known speakers."""
    heard = [q for q in said if q.speaker not in (None, UNKNOWN) and not q.own]
    return in_order(best(heard, Category.PERSONALITY, most))


def change(said: Sequence[Quotation], chapters: int) -> Change | None:
    """Return what the book says of the character's nature in its first and in its last third."""
    early = _within(said, lambda chapter: chapter < chapters / 3)
    late = _within(said, lambda chapter: chapter >= chapters - chapters / 3)
    return Change(early, late) if early and late and early != late and chapters > 2 else None


def _within(said: Iterable[Quotation], fits: Callable[[int], bool]) -> Quotation | None:
    return next(iter(best([q for q in said if fits(q.citation.chapter)], Category.PERSONALITY, 1)), None)


def in_order(said: Iterable[Quotation]) -> tuple[Quotation, ...]:
    return tuple(sorted(said, key=lambda q: q.citation.span))
