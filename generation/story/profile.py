"""The card of a character: who they are in one line, and the book's own sentences that say most of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from coref.types import Character
from generation.phrases import in_marks
from generation.story.cast import CastIndex, cast_of
from generation.story.company import CompanyCounts
from generation.story.indexed_book import reading_of
from generation.story.introductions import OWN_SHOWN, SHOWN
from generation.story.quotation import Quotation
from generation.story.quotations import quotations
from generation.story.selection import best, good, repeats, spread
from generation.story.statements import certain_ties, other_name
from generation.story.types import Change, Profile, Tie, WhoLine
from generation.types import AnswerLanguage, Context
from retrieval.types import Category, TellingSentence

CERTAIN, LIKELY = 0.88, 0.75
"""Certainty from which a quotation about the character is shown, and one that says who they are."""
_FEW = 3
"""Number of quotations below which the book says little of a character."""
_OWN = 2
"""Number of quotations that they say themselves; twice as many where the book says little else."""
_TIES = 4
_THIRDS = 3
_NATURE = (Category.PERSONALITY, Category.MENTAL_STATE)
_NEAREST = 2
"""Number of relations in the line that says who somebody is."""


def make_profile(context: Context, character: Character, sentences: Iterable[TellingSentence]) -> Profile:
    """Return the card of a character from the sentences about them. Everything is cut at the gate already."""
    sentences = tuple(sentences)
    cast = cast_of(context.book, context.annotations)
    certain = about(quotations(sentences, cast), character)
    said = [q for q in certain if good(q)]
    ties = certain_ties(cast, character.id)
    who = who_of(context, character, sentences)
    counts = CompanyCounts(reading_of(cast))
    fresh = [q for q in said if q.citation not in who.places]
    own, rest = [q for q in fresh if q.own], [q for q in fresh if not q.own]
    others = [q for q in certain if not q.own]
    others = [q for q in others if q.citation not in who.places] or (others if ties else [])
    few = _telling(rest, Category.ROLE) if rest else others
    role = _taken(rest, best(few, Category.ROLE, 1))
    looks = _taken(rest, best(_telling(rest, Category.OTHER), Category.OTHER, 2))
    nature = _taken(rest, best(_telling(rest, *_NATURE), Category.PERSONALITY, 2))
    opinions_of = _taken(rest, opinions(rest, 2))
    turning_points = _taken(rest, spread(_telling(rest, Category.EVENT), Category.EVENT, 5))
    return Profile(
        character=character.id,
        who=who.text,
        who_places=who.places,
        ties=ties[:_TIES],
        role=role,
        looks=looks,
        nature=nature,
        said_by_others=opinions_of,
        turning_points=turning_points,
        change=change(_telling(rest, *_NATURE)),
        own_words=in_order(best(own, Category.PERSONALITY, _OWN if len(rest) >= _FEW else 2 * _OWN)),
        little=len(said) < _FEW,
        presence=counts.presence(character.id),
        company=counts.company(character.id),
        speech=counts.speech(character.id),
        narrates=character.id == context.annotations.narrator,
        doubtful=cast.doubtful.get(character.id),
    )


def _telling(said: Iterable[Quotation], *categories: Category) -> list[Quotation]:
    """Return the quotations that tell something of these categories more than anything else."""
    return [q for q in said if q.category in categories]


def _taken(rest: list[Quotation], chosen: Iterable[Quotation]) -> tuple[Quotation, ...]:
    """Return the chosen quotations in story order, and take what they say from the rest."""
    chosen = in_order(chosen)
    rest[:] = [q for q in rest if not any(repeats(q, other) for other in chosen)]
    return chosen


def who_of(context: Context, character: Character, sentences: Iterable[TellingSentence]) -> WhoLine:
    """Return who somebody is: their nearest relations or, with `sentences`, a quotation."""
    cast = cast_of(context.book, context.annotations)
    narrates = character.id == context.annotations.narrator
    nearest = certain_ties(cast, character.id)[:_NEAREST]
    if nearest:
        line = " and ".join(_relations(nearest, cast))
        told = f"{line[0].upper()}{line[1:]}{', and the narrator' if narrates else ''}"
        told += "" if told.endswith(".") else "."  # as after `Mr. Dane Jr.`
        return WhoLine(told, tuple(place for tie in nearest for place in tie.places[:1]))
    few = (sentence for sentence in sentences if sentence.introducing)  # no other one says who somebody is
    role = introduction(quotations(few, cast), character)
    if role is not None:
        return WhoLine(in_marks(role.text, AnswerLanguage.of(context.book)), (role.citation,))
    return WhoLine("The narrator." if narrates else "", ())


def about(said: Iterable[Quotation], character: Character) -> list[Quotation]:
    """Return the quotations that are certain to be about the character, or said by them."""
    return [q for q in said if q.character == character.id and q.certainty >= CERTAIN]


def _relations(ties: Sequence[Tie], cast: CastIndex) -> Iterator[str]:
    """Yield relations as phrases, one for several of a kind: `eldest sister of Jane and Mary`."""
    for predicate, alike in groupby(ties, key=lambda tie: tie.predicate):
        yield f"{predicate} of {' and '.join(other_name(tie, cast) for tie in alike)}"


def introduction(said: Iterable[Quotation], character: Character) -> Quotation | None:
    """Return the quotation that is likeliest to say who the character is, if one is likely enough.

    It may be less certain than others to be about them: that is one of the signs by which it is chosen, and
    without it a page says little. What they say themselves must be certain: the line does not say who speaks.
    """
    mine = [q for q in said if q.character == character.id]
    likely = [q for q in mine if _introduces(q)]
    return max(likely, key=lambda q: (q.says_who, -q.citation.span.start), default=None)


def _introduces(quotation: Quotation) -> bool:
    if quotation.own:
        return quotation.says_who >= OWN_SHOWN and quotation.certainty >= CERTAIN
    return quotation.says_who >= SHOWN and quotation.certainty >= LIKELY


def opinions(said: Iterable[Quotation], most: int) -> tuple[Quotation, ...]:
    """Return what others say of the character, by known speakers."""
    return in_order(best([q for q in said if q.heard], Category.PERSONALITY, most))


def change(said: Sequence[Quotation]) -> Change | None:
    """Return what the book says of a character's nature in the first and in the last third of their chapters.

    These are the chapters with a quotation about them. A part of the book without the character takes nothing
    away from the card.
    """
    chapters = sorted({q.citation.chapter for q in said})
    if len(chapters) < _THIRDS:
        return None
    size = len(chapters) // _THIRDS
    early, late = _most_of_nature(said, chapters[:size]), _most_of_nature(said, chapters[-size:])
    return Change(early, late)


def _most_of_nature(said: Iterable[Quotation], chapters: Sequence[int]) -> Quotation:
    return best([q for q in said if q.citation.chapter in chapters], Category.PERSONALITY, 1)[0]


def in_order(said: Iterable[Quotation]) -> tuple[Quotation, ...]:
    return tuple(sorted(said, key=lambda q: q.citation.span))
