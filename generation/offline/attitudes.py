"""How somebody stands to the others, and what comes about between them, as points that can be said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generation.dossier.attitudes import COLD, WARM
from generation.dossier.types import Attitude, Bearing, Dossier
from generation.offline.facts import IS
from generation.offline.forms import present
from generation.offline.pieces import Case, Finite, Piece, Ref
from generation.offline.realising import Point
from generation.types import Citation

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
    Bearing.PROPOSAL: "proposed to by",
    Bearing.REFUSAL: "refused by",
    Bearing.KILLING: "killed by",
    Bearing.SAVING: "saved by",
    Bearing.BETRAYAL: "betrayed by",
    Bearing.FORGIVENESS: "forgiven by",
}
_CITED = 2


def attitudes(dossier: Dossier, *, most: int, about: str | None = None) -> list[Point]:
    """What they feel for others, surest first, then what others feel for them; with `about` of those two."""
    felt = [a for a in dossier.attitudes if not a.bearing.happens]
    if about is not None:
        felt = [a for a in felt if about in (a.holder, a.other)]
    felt.sort(key=lambda a: a.holder != dossier.character)
    turns = {(a.holder, a.other): turn for a in felt if (turn := turned(felt, a)) is not None}
    points, told = [], set()
    for a in felt:
        pair = (a.holder, a.other)
        turn = turns.get(pair)
        if turn is not None and a in turn:
            if pair not in told:
                told.add(pair)
                points.append(_turning(*turn))
        else:
            points.append(Point(a.holder, tuple(_said(a)), _cited(a)))
    return points[:most]


def turned(felt: Sequence[Attitude], a: Attitude) -> tuple[Attitude, Attitude] | None:
    """What is felt at first and what comes of it, where cold turns to warm or warm to cold."""
    same = [b for b in felt if (b.holder, b.other) == (a.holder, a.other)]
    warm = next((b for b in same if b.bearing in WARM), None)
    cold = next((b for b in same if b.bearing in COLD), None)
    if warm is None or cold is None:
        return None
    first, last = sorted((warm, cold), key=lambda b: b.chapter)
    parted = first.chapter < last.chapter and last.late and not first.late
    return (first, last) if parted else None


def turning_points(dossier: Dossier, *, most: int) -> list[Point]:
    """What comes about between them and others, the surest, in story order."""
    found = [a for a in dossier.attitudes if a.bearing.happens][:most]
    found.sort(key=lambda a: (a.citations[0].span.start, a.bearing))
    return [_happening(a, dossier.character) for a in found]


def _happening(a: Attitude, me: str) -> Point:
    if a.holder == me or a.bearing not in _UNDERGONE:
        return Point(a.holder, tuple(_said(a)), _cited(a))
    return Point(me, (IS, _UNDERGONE[a.bearing], Ref(a.holder, Case.OBJECT)), _cited(a))


def _turning(first: Attitude, last: Attitude) -> Point:
    """ "dislikes him at first, but comes to love him"."""
    finite, *rest = _said(first)
    pieces = (finite, *rest, "at first , but", Finite("comes", "come", "come"), "to", *_plain(last))
    return Point(first.holder, pieces, tuple(sorted({*_cited(first), *_cited(last)}, key=lambda c: c.span)))


def _said(a: Attitude) -> Iterator[Piece]:
    """What others only say of it is told so."""
    plain = list(_plain(a))
    if a.speaker not in (None, a.holder):
        yield from (IS, "said to", *plain)
        return
    verb, *rest = plain
    assert isinstance(verb, str)
    yield present(verb)
    yield from rest


def _plain(a: Attitude) -> Iterator[Piece]:
    """With the plain form of its verb first."""
    other = Ref(a.other, Case.OBJECT)
    if a.bearing in _VERBS:
        yield from (_VERBS[a.bearing], other)
    elif a.bearing in _STATES:
        yield from ("be", _STATES[a.bearing], other)
    else:
        verb, link = _PHRASES[a.bearing]
        yield from (verb, link, other)


def _cited(a: Attitude) -> tuple[Citation, ...]:
    return a.citations[:_CITED]
