"""What could be said of a person: each point a predicate with its evidence, in the order of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from books.types import Span
from coref.types import Character
from generation.counts import ORDINALS, in_words
from generation.lexicon import table, words
from generation.offline.clauses import Clause, Kind
from generation.offline.dossier import Dossier
from generation.offline.slots import Line
from generation.offline.ties import Tie
from generation.offline.wording import Wording, article, listed
from generation.types import Citation

_UNIQUE = frozenset(table("kin")) - {"cousin", "twin", "child"}


class Topic(StrEnum):
    WHO = "who"
    LIKE = "like"
    DOES = "does"
    THINKS = "thinks"
    OTHERS = "others"
    COURSE = "course"


@dataclass(frozen=True, slots=True)
class Point:
    topic: Topic
    predicate: str
    """Follows the subject: "is the senior clerk"."""
    citations: tuple[Citation, ...]
    people: tuple[str, ...] = ()
    chapter: int | None = None
    """Counted from 0, for what happens in a chapter: the sentence says so."""


def cite(lines: Sequence[Line], *, most: int = 3) -> tuple[Citation, ...]:
    return tuple(Citation(line.span, line.chapter) for line in lines[:most])


def identity(dossier: Dossier) -> Iterator[Point]:
    """Role, ties, and where nothing is known, where the book first names the person."""
    role = next(iter(dossier.roles), None)
    if role is not None:
        yield Point(Topic.WHO, f"is {role.phrase}", cite(role.lines))
    portrayal = next(iter(dossier.portrayals), None)
    if portrayal is not None:
        yield Point(Topic.WHO, f"is described as {portrayal.phrase}", cite([portrayal.line]))
    yield from _ties([t for t in dossier.ties if t.kin][:3], dossier)
    yield from _ties([t for t in dossier.ties if not t.kin][:1], dossier)


def nature(dossier: Dossier, *, most: int) -> Iterator[Point]:
    """Adjectives of character, then of looks."""
    for found, phrase in ((dossier.nature, "is called"), (dossier.looks, "is said to be")):
        picked = found[:most]
        if len(picked) > (found is dossier.looks):
            lines = [line for trait in picked for line in trait.lines[:1]]
            adjectives = listed([trait.word for trait in picked])
            yield Point(Topic.LIKE, f"{phrase} {adjectives}", cite(lines, most=most))


def opinions(dossier: Dossier, *, most: int) -> Iterator[Point]:
    """What others say of the person: theirs, not the book's."""
    for opinion in dossier.opinions[:most]:
        by = f"is called {opinion.phrase} by {dossier.cast.by_id[opinion.speaker].name}"
        yield Point(Topic.LIKE, by, cite([opinion.line]), (opinion.speaker,))


def happenings(dossier: Dossier, wording: Wording, *, topic: Topic, kind: Kind, most: int) -> Iterator[Point]:
    for clause in dossier.events(kind, most=most):
        yield _happening(clause, wording, topic)


def feelings(dossier: Dossier, wording: Wording, *, most: int) -> Iterator[Point]:
    """ "was ashamed of his anger", in the chapter where it stands."""
    found = [c for c in dossier.clauses if c.kind is Kind.BEING and _is_feeling(c)]
    step = max(1, len(found) // most) if most else 1
    for clause in found[::step][:most]:
        yield _happening(clause, wording, Topic.THINKS)


def company(dossier: Dossier) -> Iterator[Point]:
    """With whom, and to whom: counted."""
    people = dossier.cast.by_id
    together = [(who, n) for who, n in dossier.counts.companions[:2] if n > 1]
    if together:
        names = listed([people[who].name for who, _ in together])
        at = tuple(_together(dossier, who) for who, _ in together)
        yield Point(Topic.OTHERS, f"is most often seen with {names}", at, tuple(w for w, _ in together))
    if dossier.counts.speeches > 2 and dossier.counts.addressees:
        who = dossier.counts.addressees[0][0]
        times = f"speaks {in_words(dossier.counts.speeches)} times, most often to {people[who].name}"
        yield Point(Topic.OTHERS, times, (_spoken(dossier, who),), (who,))


def course(dossier: Dossier) -> Iterator[Point]:
    """Where in the book, and how much of it: counted."""
    chapters, every = dossier.counts.chapters, len(dossier.cast.book.chapters)
    lines = dossier.view.lines
    if not lines or not chapters or every < 2:
        return
    if len(chapters) == every:
        yield Point(Topic.COURSE, f"appears in all {in_words(every)} chapters", cite([lines[0], lines[-1]]))
    elif len(chapters) > 1:
        share = f"appears in {in_words(len(chapters), beside=every)} of the {in_words(every)} chapters"
        yield Point(Topic.COURSE, share, cite([lines[0], lines[-1]]))
    else:
        yield Point(Topic.COURSE, f"first appears in chapter {chapters[0]}", cite(lines[:1]))


def renamed(dossier: Dossier) -> Iterator[Point]:
    """A new title or surname that the book gives somebody on the way: a marriage, a promotion."""
    chapters = len(dossier.cast.book.chapters)
    for alias in dossier.character.aliases:
        at = dossier.cast.book.chapter_at(alias.first)
        late = at is not None and at.index > max(1, chapters // 4)
        if late and at and alias.count > 1 and _new_name(alias.text, dossier.character):
            predicate = f"is called {alias.text} from chapter {at.number} on"
            span = Span(alias.first, alias.first + len(alias.text))
            yield Point(Topic.COURSE, predicate, (Citation(span, at.index),))
            return


def standing(dossier: Dossier) -> Iterator[Point]:
    """Place among the cast, for the five mentioned most."""
    rank = dossier.counts.rank
    if rank <= len(ORDINALS) and len(dossier.cast.by_id) > len(ORDINALS):
        nth = ORDINALS[rank - 1]
        lines = dossier.view.lines
        yield Point(Topic.WHO, f"is the {nth}most often mentioned person in the book", cite(lines[:1]))


def _ties(found: Sequence[Tie], dossier: Dossier) -> Iterator[Point]:
    if found:
        grouped: dict[str, list[str]] = {}
        for tie in found:
            grouped.setdefault(_term(tie), []).append(dossier.cast.by_id[tie.other].name)
        phrases = [f"{term} of {listed(names)}" for term, names in grouped.items()]
        lines = [line for t in found for line in t.lines[:2]]
        yield Point(Topic.WHO, f"is {listed(phrases)}", cite(lines, most=6), tuple(t.other for t in found))


def _new_name(alias: str, character: Character) -> bool:
    """ "Mrs. Wickham" for Lydia: a marriage. Men keep their surnames: another surname is another man."""
    words_of = alias.split()
    return (
        len(words_of) > 1
        and words_of[0].rstrip(".").lower() in words("courtesies")
        and character.pronouns == "she/her"
        and not character.name.startswith(words_of[0])
        and words_of[-1] not in character.name.split()
    )


def _term(tie: Tie) -> str:
    if tie.term in _UNIQUE or tie.qualifier:
        return f"the {tie.qualifier} {tie.term}" if tie.qualifier else f"the {tie.term}"
    return article(tie.term)


def _happening(clause: Clause, wording: Wording, topic: Topic) -> Point:
    return Point(
        topic,
        wording.say(clause.rest, clause.line),
        cite([clause.line]),
        clause.others,
        clause.line.chapter,
    )


def _is_feeling(clause: Clause) -> bool:
    after = clause.rest.replace(",", "").split()[1:]
    first = next((w for w in after if not w.endswith("ly") and w not in ("so", "very", "most", "quite")), "")
    return first in words("feelings")


def _together(dossier: Dossier, other: str) -> Citation:
    """The first paragraph that has both."""
    theirs = set(dossier.cast.paragraphs_of(other))
    at = next(at for at in dossier.cast.paragraphs_of(dossier.character.id) if at in theirs)
    paragraph = dossier.cast.book.paragraphs[at]
    return Citation(paragraph.span, paragraph.chapter)


def _spoken(dossier: Dossier, other: str) -> Citation:
    quotes = dossier.cast.annotations.quotes
    span = next(q.span for q in quotes if q.speaker == dossier.character.id and q.addressee == other)
    return Citation(Span(span.start, span.end), _chapter(dossier, span))


def _chapter(dossier: Dossier, span: Span) -> int:
    chapter = dossier.cast.book.chapter_at(span.start)
    return chapter.index if chapter else 0
