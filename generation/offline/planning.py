"""What is said of somebody, in which order, under which headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generation import counts
from generation.cast import Cast
from generation.dossier.types import DeedKind, Dossier, Part
from generation.offline import facts
from generation.offline.deeds import Deeds, Told
from generation.offline.episodes import Episodes, with_lead
from generation.offline.naming import Naming
from generation.offline.pieces import Case, Piece, Ref
from generation.offline.realising import Point
from generation.types import Citation

Sentences = list[list[Point]]
"""Each holds the points that share a sentence."""
_PER_DEED = 12
"""Words that one deed takes, about."""
_FEW = 0.5
"""Share of the words wanted below which an answer ends with something counted."""
_OUTER = (DeedKind.DEED, DeedKind.SPEECH, DeedKind.UNDERGONE)


@dataclass(frozen=True, slots=True)
class Section:
    heading: str | None
    sentences: Sentences


@dataclass(frozen=True, slots=True)
class Subject:
    """All that is known of whom the text is about."""

    dossier: Dossier
    deeds: Deeds
    naming: Naming
    cast: Cast
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
        return Episodes(text, chapters, self.whole, turn=self.seed)


def description(subject: Subject, words: int) -> list[Section]:
    """Who they are, what they are like, what they do, and how it ends."""
    dossier = subject.dossier
    opening = [*facts.identity(dossier, most=3), *facts.nature(dossier, most=3)]
    opening += facts.opinions(dossier, most=1)
    late = facts.renamed(dossier)
    left = words - _cost([*opening, *late])
    told = subject.deeds.best(max(1, round(left / _PER_DEED)))
    while len(told) > 1 and _length(told) > left:
        told.remove(min(told, key=lambda t: t.worth))
    sentences = [*_singly(opening), *subject.episodes().sentences(told), *_singly(late)]
    if _cost([*opening, *late]) + _length(told) < _FEW * words:
        sentences += _singly(facts.company(dossier, subject.tallied))
    return [Section(None, sentences or _singly([_least(subject)]))]


def entry(subject: Subject, words: int) -> list[Section]:
    """One of several: who they are and the weightiest thing they do."""
    dossier = subject.dossier
    opening = [*facts.identity(dossier, most=2), *facts.nature(dossier, most=2)[:1]]
    left = words - _cost(opening)
    told = subject.deeds.best(max(1, left // _PER_DEED))
    while len(told) > 1 and _length(told) > left:
        told.remove(min(told, key=lambda t: t.worth))
    sentences = [*_singly(opening), *subject.episodes().sentences(told)]
    if len(sentences) < 2:
        sentences += _singly(facts.company(dossier, subject.tallied))
    return [Section(subject.naming.name(subject.id), sentences or _singly([_least(subject)]))]


def _least(subject: Subject) -> Point:
    return facts.entrance(subject.dossier)


def analysis(subject: Subject, words: int) -> list[Section]:
    """A section for each thing that the book has something to say on."""
    dossier, deeds, episodes = subject.dossier, subject.deeds, subject.episodes()
    who = subject.naming.pronoun(subject.id, Case.SUBJECT) or subject.naming.short(subject.id)
    are = "are" if subject.naming.many(subject.id) else "is"
    standing = facts.standing(dossier, chapters=len(subject.cast.book.chapters))
    likes = [*facts.nature(dossier, most=6), *facts.opinions(dossier, most=3)]
    many = max(3, words // 45)
    relations = _relations(subject, most=max(2, words // 150))
    tied = [t for _, some in relations for t in some]
    outer = [deeds.best(many // 3, kinds=_OUTER, within=part, beside=tied) for part in _thirds(subject)]
    done = [t for some in outer for t in some]
    inner = deeds.best(max(2, many // 3), kinds=(DeedKind.MIND,), beside=(*tied, *done))
    sections = [
        Section(
            f"Who {who} {are} and where {who} stand{'' if are == 'are' else 's'}",
            _singly(
                [
                    *facts.identity(dossier, most=4),
                    *standing,
                ]
            ),
        ),
        Section(f"What {who} {are} like", _singly(likes)),
        Section(f"What {who} do{'' if are == 'are' else 'es'} through the book", _through(episodes, outer)),
        Section(
            f"What {who} think{'' if are == 'are' else 's'} and feel{'' if are == 'are' else 's'}",
            episodes.sentences(inner),
        ),
        Section(
            f"{subject.naming.short(subject.id)} and the others",
            [s for _, some in relations for s in episodes.sentences(some, timed=False)],
        ),
        Section("From the beginning to the end", _course(subject)),
    ]
    return [s for s in sections if s.sentences]


def _through(episodes: Episodes, thirds: Sequence[Sequence[Told]]) -> Sentences:
    found: Sentences = []
    for at, some in enumerate(thirds):
        sentences = episodes.sentences(some)
        if at and sentences:
            sentences[0] = with_lead(sentences[0], ("In the middle of the book", "Towards the end")[at - 1])
        found += sentences
    return found


def _thirds(subject: Subject) -> list[range]:
    count = len(subject.cast.book.chapters)
    bounds = [round(count * k / 3) for k in range(4)]
    return [range(a, b) for a, b in pairwise(bounds)]


def _relations(subject: Subject, *, most: int) -> list[tuple[str, list[Told]]]:
    """With whom they have most to do, and what passes between them."""
    found: list[tuple[str, list[Told]]] = []
    beside: list[Told] = []
    for each in subject.dossier.company[: 2 * most]:
        some = subject.deeds.best(2, about=each.other, beside=beside)
        if some and len(found) < most:
            found.append((each.other, some))
            beside += some
    return found


def _course(subject: Subject) -> Sentences:
    """How the last third of the book differs from the first."""
    points = facts.renamed(subject.dossier)
    change = subject.dossier.change
    if change is None:
        return _singly(points)
    tallied = subject.tallied
    for name, part in (("first", change.early), ("last", change.late)):
        if found := _seen_with(subject, tallied, name, part):
            points.append(found)
    return _singly(points)


def _seen_with(subject: Subject, tallied: counts.Counts, name: str, part: Part) -> Point | None:
    ranked = tallied.companions_in(name)[:2]
    if not ranked or not part.chapters:
        return None
    people: list[Piece] = [Ref(ranked[0][0], Case.OBJECT)]
    for other, _ in ranked[1:]:
        people += ["and", Ref(other, Case.OBJECT)]
    at = tallied.shared_in(name, ranked[0][0])[0]
    paragraph = subject.cast.book.paragraphs[at]
    cited = (Citation(paragraph.span, paragraph.chapter),)
    return Point(
        subject.id, (facts.IS, "most often seen with", *people, f"in the {name} third of the book"), cited
    )


def _singly(points: Sequence[Point]) -> Sentences:
    return [[p] for p in points]


def _cost(points: Sequence[Point]) -> int:
    return sum(p.words + 2 for p in points)


def _length(told: Sequence[Told]) -> int:
    return sum(t.clause.length + 2 for t in told)
