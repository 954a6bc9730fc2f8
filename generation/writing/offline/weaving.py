"""Combine short points about one person into sentences: "is tall and has blue eyes"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generation.writing.offline.clause_parts import FiniteVerb, PersonReference, Piece
from generation.writing.offline.composed_from import ComposedItem
from generation.writing.offline.dossier_points import IS
from generation.writing.offline.realising import TextPoint

_APPOSED = 9
"""Most words of an apposition to a name."""
_BRIEF = 12
"""Most words of two predicates with different subjects."""
_MOST, _WORDS = 3, 24
"""Most points of one sentence, and most words of their predicates."""


def woven(points: Sequence[TextPoint]) -> list[list[TextPoint]]:
    """Return the points in the order given, grouped into sentences."""
    found: list[list[TextPoint]] = []
    for point in _merged(points):
        last = found[-1] if found else []
        if last and _fits(last, point):
            last.append(point)
        else:
            found.append([point])
    return [_joined(some) for some in found]


def apposed(one: TextPoint, other: TextPoint) -> TextPoint | None:
    """Put the identity in apposition to the name: "Anna, Tom’s sister, is a tall woman"."""
    fits = one.words <= _APPOSED and one.predicate[0] is IS and other.predicate[0] is IS
    if not fits or one.subject != other.subject or one.beside or other.beside or other.lead:
        return None
    pieces = (",", *one.predicate[1:], ",", *other.predicate)
    moved = len(one.predicate) + 1
    behind = tuple(replace(i, first=i.first + moved, end=i.end + moved) for i in _items(other))
    cited = (*one.citations, *other.citations)
    return replace(one, predicate=pieces, citations=cited, items=(*_items(one), *behind))


def _merged(points: Sequence[TextPoint]) -> list[TextPoint]:
    """Merge "loves Tom" and "loves Jane" into "loves Tom and Jane", and two verbs into "admires and loves
    Tom".
    """
    found: list[TextPoint] = []
    for point in points:
        last = found[-1] if found else None
        made = (_of_both(last, point) or _both_of(last, point)) if last is not None else None
        if made is None:
            found.append(point)
        else:
            found[-1] = made
    return found


def _of_both(one: TextPoint, other: TextPoint) -> TextPoint | None:
    """Merge the same statement about another person, or two adjectives of one person: "proud and clever"."""
    alike = one.subject == other.subject and one.beside == other.beside and not other.lead
    if alike and _plain(one) and _plain(other):
        pieces = (*one.predicate, "and", *other.predicate[1:])
        items = (*_items(one), *(replace(i, first=3, end=4) for i in _items(other)))
        return replace(one, predicate=pieces, citations=(*one.citations, *other.citations), items=items)
    who = other.predicate[-1]
    first = len(other.predicate) - 1
    if not alike or not isinstance(who, PersonReference) or one.predicate[:first] != other.predicate[:-1]:
        return None
    if not isinstance(one.predicate[-1], PersonReference):
        return None
    rest = one.predicate[first:]
    before: list[Piece] = [p if p != "and" else "," for p in rest]
    pieces = (*other.predicate[:-1], *before, "and", who)
    items = (*_items(one), ComposedItem(other.predicate, None, other.citations, len(pieces) - 1, len(pieces)))
    return replace(one, predicate=pieces, citations=(*one.citations, *other.citations), items=items)


def _plain(point: TextPoint) -> bool:
    """Whether the point is like "is proud"."""
    is_so = len(point.predicate) == 2 and point.predicate[0] is IS and isinstance(point.predicate[1], str)
    return is_so and not _is_a(point) and " and " not in str(point.predicate[1])


def _both_of(one: TextPoint, other: TextPoint) -> TextPoint | None:
    """Merge two verbs that have the same person as object."""
    alike = one.subject == other.subject and one.beside == other.beside and not other.lead
    plain = all(len(p.predicate) == 2 and isinstance(p.predicate[0], FiniteVerb) for p in (one, other))
    if not alike or not plain or one.predicate[1:] != other.predicate[1:]:
        return None
    pieces = (one.predicate[0], "and", *other.predicate)
    items = (
        ComposedItem(one.predicate, None, one.citations, 0, 1),
        ComposedItem(other.predicate, None, other.citations, 2, 4),
    )
    return replace(one, predicate=pieces, citations=(*one.citations, *other.citations), items=items)


def _items(point: TextPoint) -> tuple[ComposedItem, ...]:
    return point.items or (ComposedItem(point.predicate, None, point.citations, 0, len(point.predicate)),)


def _fits(some: Sequence[TextPoint], point: TextPoint) -> bool:
    first = some[0]
    if len(some) == 1 and (_turned(first, point) or _also(first, point)):
        return True
    alike = first.subject == point.subject and first.beside == point.beside and not point.lead
    return alike and len(some) < _MOST and sum(p.words for p in some) + point.words <= _WORDS


def _is_a(point: TextPoint) -> bool:
    said = point.predicate[1] if len(point.predicate) > 1 else ""
    return isinstance(said, str) and said.split(" ")[0] in ("a", "an", "the", "no", "not")


def _also(one: TextPoint, other: TextPoint) -> bool:
    """Whether two people have attitudes towards the same third person."""
    met = [[p.character for p in point.predicate if isinstance(p, PersonReference)] for point in (one, other)]
    short = one.words + other.words <= _BRIEF and not (one.beside or other.beside or other.lead)
    return one.subject != other.subject and met[0] == met[1] and len(met[0]) == 1 and short


def _turned(one: TextPoint, other: TextPoint) -> bool:
    """Whether the points are the attitudes of two people towards each other."""
    refs = [p.character for p in one.predicate if isinstance(p, PersonReference)]
    return refs == [other.subject] and [
        p.character for p in other.predicate if isinstance(p, PersonReference)
    ] == [one.subject]


def _joined(points: Sequence[TextPoint]) -> list[TextPoint]:
    """Join the points with commas and with `and` before the last. A second "is" is left out."""
    if len(points) == 2 and points[0].subject != points[1].subject:
        turned = _turned(*points) and points[0].predicate[0] != points[1].predicate[0]
        return [points[0], replace(points[1], joint=", while" if turned else ", and")]
    made = [points[0]]
    for at, point in enumerate(points[1:], 1):
        last = at + 1 == len(points)
        listed = any(isinstance(p, str) and " and " in f" {p} " for made_ in made for p in made_.predicate)
        joint = "," if not last else ", and" if len(points) > 2 or listed else "and"
        both = made[-1].predicate[0] is point.predicate[0] is IS and _is_a(made[-1]) == _is_a(point)
        made.append(replace(_without_is(point) if both and not listed else point, joint=joint))
    return made


def _without_is(point: TextPoint) -> TextPoint:
    moved = tuple(replace(i, first=max(0, i.first - 1), end=i.end - 1) for i in _items(point))
    return replace(point, predicate=point.predicate[1:], items=moved)
