"""Plan a text: what is said about somebody, in which order, under which headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from generation.story import counts
from generation.story.cast import CastIndex
from generation.story.types import BookThird, DeedKind, Dossier
from generation.types import Citation
from generation.writing.offline import dossier_points
from generation.writing.offline.attitude_points import attitudes
from generation.writing.offline.attribute_sentences import portrait
from generation.writing.offline.clause_parts import GrammaticalCase, PersonReference, Piece
from generation.writing.offline.event_points import EventSelection, TellableEvent
from generation.writing.offline.event_sentences import Episodes, with_lead
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import TextPoint
from generation.writing.offline.weaving import apposed, woven

Sentences = list[list[TextPoint]]
"""Each inner list has the points that share a sentence."""
_SHORTEST = 5
"""Fewest words of an event."""
_FEW = 0.4
"""Share of the requested words below which an answer ends with counts."""
_LEAST = (3.2, 2.5, 1.0)
"""Least worth of an event in a description, and lower limits if there are too few."""
_ENOUGH = 0.5
"""Share of the room for events that those above the limit must fill."""
_OUTER = (DeedKind.DEED, DeedKind.SPEECH, DeedKind.UNDERGONE)


@dataclass(frozen=True, slots=True)
class PlannedSection:
    heading: str | None
    sentences: Sentences


@dataclass(frozen=True, slots=True)
class TextSubject:
    """All that is known about the character of the text."""

    dossier: Dossier
    deeds: EventSelection
    naming: NameChoice
    cast: CastIndex
    whole: bool
    """Whether the book has been read to its end."""
    seed: int

    @property
    def id(self) -> str:
        return self.dossier.character

    @property
    def tallied(self) -> counts.Counts:
        return counts.Counts(self.cast, self.id)

    def episodes(self) -> Episodes:
        text, chapters = len(self.cast.book.text), len(self.cast.book.chapters)
        return Episodes(text, chapters, self.id, self.whole, turn=self.seed + len(self.id))


def description(subject: TextSubject, words: int) -> list[PlannedSection]:
    """Plan who they are, what they are like, their attitudes, what they do, and how it ends."""
    dossier = subject.dossier
    opening = _opening(subject, identity=3, likeness=3, felt=3)
    late = dossier_points.renamed(dossier)
    left = words - _cost([*(p for s in opening for p in s), *late])
    told = _deeds(subject, left)
    known = any(p.subject == subject.id for points in opening[:1] for p in points)
    placed = [] if known or not told else _placed(subject)
    sentences = [*placed, *opening, *subject.episodes().sentences(told), *_singly(late)]
    if words - left + _length(told) < _FEW * words:
        counted = [*dossier_points.speech(dossier), *dossier_points.company(dossier, subject.tallied)]
        sentences += _singly(counted[:1] if placed else counted)
    return [PlannedSection(None, sentences or _singly([_least(subject)]))]


def entry(subject: TextSubject, words: int) -> list[PlannedSection]:
    """Plan one entry of several: who they are and the events with the highest weights."""
    dossier = subject.dossier
    opening = _opening(subject, identity=2, likeness=1, felt=1)
    left = words - _cost([p for s in opening for p in s])
    told = _deeds(subject, left)
    sentences = [*opening, *subject.episodes().sentences(told)]
    if len(sentences) < 2:
        sentences += _singly(dossier_points.company(dossier, subject.tallied))
    return [PlannedSection(subject.naming.name(subject.id), sentences or _singly([_least(subject)]))]


def _opening(subject: TextSubject, *, identity: int, likeness: int, felt: int) -> Sentences:
    dossier = subject.dossier
    name = subject.naming.name(subject.id)
    who, like = dossier_points.identity(dossier, most=identity, name=name), _likeness(subject, most=likeness)
    both = apposed(who[0], like[0]) if who and like else None
    return [
        *(_singly([both]) if both else _singly(who)),
        *woven(like[1:] if both else like),
        *_singly(dossier_points.opinions(dossier, most=1)),
        *woven(attitudes(dossier, most=felt)),
    ]


def _placed(subject: TextSubject) -> Sentences:
    """Return how much of the book somebody appears in, for a text that has no other beginning."""
    standing = dossier_points.standing(subject.dossier, chapters=len(subject.cast.book.chapters))
    return [standing] if len(standing) > 1 else []


def _likeness(subject: TextSubject, *, most: int) -> list[TextPoint]:
    """Return the descriptive phrases of the book, then the qualities that it mentions without describing
    them.
    """
    painted = portrait(subject.dossier, most=most)
    told = " ".join(p for point in painted for p in point.predicate if isinstance(p, str))
    return [*painted, *dossier_points.nature(subject.dossier, most=most - len(painted), besides=told)]


def _deeds(subject: TextSubject, room: int) -> list[TellableEvent]:
    """Return as many important events as fit. If there are few, add smaller and less certain ones."""
    told: list[TellableEvent] = []
    for sure, least in product((True, False), _LEAST):
        if _length(told) < _ENOUGH * room:
            told = _fitting(subject, room, least=least, sure=sure)
    return told


def _fitting(subject: TextSubject, room: int, *, least: float, sure: bool) -> list[TellableEvent]:
    told = subject.deeds.best(1, least=least, sure=sure)
    for most in range(2, max(2, room // _SHORTEST) + 1):
        more = subject.deeds.best(most, least=least, sure=sure)
        if len(more) < most or _length(more) > room:
            break
        told = more
    return told


def _least(subject: TextSubject) -> TextPoint:
    return dossier_points.entrance(subject.dossier)


def analysis(subject: TextSubject, words: int) -> list[PlannedSection]:
    """Plan a section for each subject that the book says something about."""
    dossier, deeds, episodes = subject.dossier, subject.deeds, subject.episodes()
    who = subject.naming.pronoun(subject.id, GrammaticalCase.SUBJECT) or subject.naming.short(subject.id)
    are, s, es = ("are", "", "") if subject.naming.many(subject.id) else ("is", "s", "es")
    standing = dossier_points.standing(dossier, chapters=len(subject.cast.book.chapters))
    likes = [*woven(_likeness(subject, most=8)), *_singly(dossier_points.opinions(dossier, most=3))]
    relations = _relations(subject, most=max(2, words // 120))
    tied = [t for each in relations for t in each.told]
    many = max(3, words // 45)
    outer = [deeds.best(many // 3, kinds=_OUTER, within=part, beside=tied) for part in _thirds(subject)]
    done = [t for some in outer for t in some]
    inner = deeds.best(max(2, many // 3), kinds=(DeedKind.MIND,), beside=(*tied, *done))
    sections = [
        PlannedSection(
            f"Who {who} {are} and where {who} stand{s}",
            [
                *_singly(dossier_points.identity(dossier, most=4, name=subject.naming.name(subject.id))),
                *([standing] if standing else []),
                *_singly(dossier_points.speech(dossier)),
            ],
        ),
        PlannedSection(f"What {who} {are} like", likes),
        PlannedSection(f"What {who} do{es} through the book", _through(episodes, outer)),
        PlannedSection(f"What {who} think{s} and feel{s}", episodes.sentences(inner)),
        *_between(subject, relations, episodes),
        PlannedSection("From the beginning to the end", _course(subject)),
    ]
    return [s for s in sections if s.sentences]


@dataclass(frozen=True, slots=True)
class _RelationPoints:
    other: str
    felt: Sentences
    told: list[TellableEvent]


def _relations(subject: TextSubject, *, most: int) -> list[_RelationPoints]:
    """Return the closest companions with the attitudes and the events between the two."""
    found: list[_RelationPoints] = []
    beside: list[TellableEvent] = []
    for each in subject.dossier.company:
        felt = woven(attitudes(subject.dossier, most=3, about=each.other))
        told = subject.deeds.best(4, about=each.other, beside=beside)
        if felt or told:
            found.append(_RelationPoints(each.other, felt, told))
            beside += told
    return found[:most]


def _between(
    subject: TextSubject, relations: Sequence[_RelationPoints], episodes: Episodes
) -> list[PlannedSection]:
    """Return a section for everybody with more than one sentence. The others share the last."""
    name = subject.naming.short
    sections: list[PlannedSection] = []
    rest: Sentences = []
    for each in relations:
        sentences = [*each.felt, *episodes.sentences(each.told, timed=False)]
        if len(sentences) > 1:
            sections.append(PlannedSection(f"{name(subject.id)} and {name(each.other)}", sentences))
        else:
            rest += sentences
    others = f"{name(subject.id)} and {'the others' if not sections else 'others'}"
    return [*sections, PlannedSection(others, rest)]


def _through(episodes: Episodes, thirds: Sequence[Sequence[TellableEvent]]) -> Sentences:
    found: Sentences = []
    for at, some in enumerate(thirds):
        sentences = episodes.sentences(some, timed=False)
        if at and sentences:
            sentences[0] = with_lead(sentences[0], ("In the middle of the book", "Towards the end")[at - 1])
        found += sentences
    return found


def _thirds(subject: TextSubject) -> list[range]:
    count = len(subject.cast.book.chapters)
    bounds = [round(count * k / 3) for k in range(4)]
    return [range(a, b) for a, b in pairwise(bounds)]


def _course(subject: TextSubject) -> Sentences:
    """Return how the last third of the book differs from the first."""
    points = dossier_points.renamed(subject.dossier)
    change = subject.dossier.change
    if change is None:
        return _singly(points)
    tallied = subject.tallied
    for name, part in (("first", change.early), ("last", change.late)):
        if found := _seen_with(subject, tallied, name, part):
            points.append(found)
    return _singly(points)


def _seen_with(subject: TextSubject, tallied: counts.Counts, name: str, part: BookThird) -> TextPoint | None:
    ranked = tallied.companions_in(name)[:2]
    if not ranked or not part.chapters:
        return None
    people: list[Piece] = [PersonReference(ranked[0][0], GrammaticalCase.OBJECT)]
    for other, _ in ranked[1:]:
        people += ["and", PersonReference(other, GrammaticalCase.OBJECT)]
    at = tallied.shared_in(name, ranked[0][0])[0]
    paragraph = subject.cast.book.paragraphs[at]
    cited = (Citation(paragraph.span, paragraph.chapter),)
    return TextPoint(
        subject.id,
        (dossier_points.IS, "most often seen with", *people, f"in the {name} third of the book"),
        cited,
    )


def _singly(points: Sequence[TextPoint]) -> Sentences:
    return [[p] for p in points]


def _cost(points: Sequence[TextPoint]) -> int:
    return sum(p.words + 2 for p in points)


def _length(told: Sequence[TellableEvent]) -> int:
    return sum(t.clause.length + 2 for t in told)
