"""Word the attitudes of a character and the events between two people as text points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generation.story.attitudes.attitudes import COLD, WARM
from generation.story.types import Attitude, Bearing, Dossier
from generation.types import Citation
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference, Piece
from generation.writing.offline.dossier_points import IS
from generation.writing.offline.forms import present
from generation.writing.offline.realising import TextPoint

_VERBS = {
    Bearing.LOVE: "love",
    Bearing.ADMIRATION: "admire",
    Bearing.TRUST: "trust",
    Bearing.PITY: "pity",
    Bearing.FEAR: "fear",
    Bearing.DISLIKE: "dislike",
    Bearing.HATRED: "hate",
    Bearing.CONTEMPT: "despise",
    Bearing.REFUSAL: "refuse",
    Bearing.MARRIAGE: "marry",
    Bearing.KILLING: "kill",
    Bearing.SAVING: "save",
    Bearing.BETRAYAL: "betray",
    Bearing.FORGIVENESS: "forgive",
}
_STATES = {
    Bearing.FONDNESS: "fond of",
    Bearing.DEVOTION: "devoted to",
    Bearing.GRATITUDE: "grateful to",
    Bearing.JEALOUSY: "jealous of",
}
_PHRASES = {
    Bearing.PROPOSAL: ("propose", "to"),
    Bearing.ENGAGEMENT: ("become", "engaged to"),
    Bearing.ELOPEMENT: ("elope", "with"),
}
_UNDERGONE = {
    Bearing.PROPOSAL: ("receive", "a proposal from"),
    Bearing.REFUSAL: ("be", "refused by"),
    Bearing.KILLING: ("be", "killed by"),
    Bearing.SAVING: ("be", "saved by"),
    Bearing.BETRAYAL: ("be", "betrayed by"),
    Bearing.FORGIVENESS: ("be", "forgiven by"),
}
_WEDS = (Bearing.ENGAGEMENT, Bearing.MARRIAGE)
_CITED = 2


def attitudes(dossier: Dossier, *, most: int, about: str | None = None) -> list[TextPoint]:
    """Return their attitudes, most certain first, then those of others; with `about`, only those between the
    two.
    """
    every = [a for a in dossier.attitudes if about is None or about in (a.holder, a.other)]
    felt = sorted((a for a in every if not a.bearing.happens), key=lambda a: a.holder != dossier.character)
    points: list[TextPoint] = []
    told: set[tuple[str, str]] = set()
    for a in felt:
        opposite = _opposite(felt, a)
        if opposite is None:
            points.append(_at_first(a) if _outlived(a, every) else _point(a))
        elif (a.holder, a.other) not in told:
            told.add((a.holder, a.other))
            first, last = sorted((a, opposite), key=_when)
            points.append(_turning(first, last) if _before(first, last) else _point(a))
    return points[:most]


def _opposite(felt: Sequence[Attitude], a: Attitude) -> Attitude | None:
    """Return the cold attitude that contradicts a warm one, or the reverse. If both are at one time only the
    more certain is told.
    """
    ladder = COLD if a.bearing in WARM else WARM if a.bearing in COLD else ()
    same = (b for b in felt if (b.holder, b.other) == (a.holder, a.other))
    return next((b for b in same if b.bearing in ladder), None)


def _outlived(a: Attitude, every: Sequence[Attitude]) -> bool:
    """Whether somebody who is cold to another marries them in the end."""
    return a.bearing in COLD and any(
        b.bearing in _WEDS and {b.holder, b.other} == {a.holder, a.other} and _before(a, b) for b in every
    )


def _before(one: Attitude, other: Attitude) -> bool:
    return one.chapter < other.chapter and _when(one) < _when(other)


def _when(a: Attitude) -> int:
    """Return the chapter of the middle one of its citations."""
    return a.chapter if a.bearing.happens else a.citations[len(a.citations) // 2].chapter


def turning_points(dossier: Dossier, *, most: int) -> list[TextPoint]:
    """Return the most certain events between them and others, in story order."""
    found = [a for a in dossier.attitudes if a.bearing.happens][:most]
    found.sort(key=lambda a: (a.citations[0].span.start, a.bearing))
    return [_happening(a, dossier.character) for a in found]


def _happening(a: Attitude, me: str) -> TextPoint:
    if a.holder == me or a.bearing not in _UNDERGONE:
        return _point(a)
    verb, *rest = _UNDERGONE[a.bearing]
    return TextPoint(me, (present(verb), *rest, PersonReference(a.holder, GrammaticalCase.OBJECT)), _cited(a))


def _point(a: Attitude) -> TextPoint:
    return TextPoint(a.holder, tuple(_wording(a)), _cited(a))


def _at_first(a: Attitude) -> TextPoint:
    return TextPoint(a.holder, (*_wording(a), "at first"), _cited(a))


def _turning(first: Attitude, last: Attitude) -> TextPoint:
    """Word a change: "dislikes him at first, but comes to love him"."""
    finite, *rest = _wording(first)
    pieces = (finite, *rest, "at first , but", FiniteVerb("comes", "come", "come"), "to", *_plain(last))
    return TextPoint(
        first.holder, pieces, tuple(sorted({*_cited(first), *_cited(last)}, key=lambda c: c.span))
    )


def _wording(a: Attitude) -> Iterator[Piece]:
    """Word an attitude. If only others state it, it is "said to be". An event may also be stated by whoever
    it is done to.
    """
    plain = list(_plain(a))
    knows = (None, a.holder, a.other) if a.bearing.happens else (None, a.holder)
    if a.speaker not in knows:
        yield from (IS, "said to", *plain)
        return
    verb, *rest = plain
    assert isinstance(verb, str)
    yield present(verb)
    yield from rest


def _plain(a: Attitude) -> Iterator[Piece]:
    """Yield the words with the base form of the verb first."""
    other = PersonReference(a.other, GrammaticalCase.OBJECT)
    if a.bearing in _VERBS:
        yield from (_VERBS[a.bearing], other)
    elif a.bearing in _STATES:
        yield from ("be", _STATES[a.bearing], other)
    else:
        verb, link = _PHRASES[a.bearing]
        yield from (verb, link, other)


def _cited(a: Attitude) -> tuple[Citation, ...]:
    return a.citations[:_CITED]
