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
    subject: str | None = None
    """Who does it, where that is somebody else."""


def cite(lines: Sequence[Line], *, most: int = 3) -> tuple[Citation, ...]:
    return tuple(Citation(line.span, line.chapter) for line in lines[:most])


def identity(dossier: Dossier, *, most: int = 1) -> Iterator[Point]:
    """Role and ties in one sentence; then the book's own portrait, age and origin."""
    roles = [f"is {'called ' if role.called else ''}{role.phrase}" for role in dossier.roles[:most]]
    cited = [c for role in dossier.roles[:most] for c in role.citations[:2]]
    ties = [*_ties(dossier)]
    if ties and roles:
        joint = " and is " if dossier.roles[0].called else " and "
        whole = f"{roles[0]}{joint}{ties[0].predicate.removeprefix('is ')}"
        yield Point(Topic.WHO, whole, (*cited, *ties[0].citations), ties[0].people)
    elif ties or roles:
        yield from ties or [Point(Topic.WHO, roles[0], tuple(cited))]
    yield from (Point(Topic.WHO, said, tuple(cited)) for said in roles[1:])
    for portrayal in dossier.portrayals[:most]:
        yield Point(Topic.WHO, f"is described as {portrayal.phrase}", cite([portrayal.line]))
    for clause in dossier.origins[:most]:
        said = f"is {clause.rest[4:]}" if clause.kind is Kind.BEING else clause.rest
        yield Point(Topic.WHO, said, cite([clause.line]))


def nature(dossier: Dossier, wording: Wording, *, most: int) -> Iterator[Point]:
    """What the person is like, in the book's own phrases first; then adjectives and qualities."""
    for trait in dossier.announced[:1]:
        yield Point(Topic.LIKE, f"is {trait.word}", cite(trait.lines))
    told = {p.line.span for p in dossier.portrayals}
    likenesses = [c for c in dossier.likenesses if c.line.span not in told]
    for clause in likenesses[:most]:
        said = wording.say(clause.rest, clause.line)
        said = _joined(said)
        said = f"is {said[4:]}" if said.startswith("was ") else f"has {said[4:]}"
        yield Point(Topic.LIKE, said, cite([clause.line]))
    used = {word for c in likenesses[:most] for word in c.rest.replace(",", "").split()}
    picked = [t for t in (*dossier.nature, *dossier.looks) if t.word not in used][:most]
    if len(picked) > 1 or any(t in dossier.nature for t in picked):
        lines = [line for trait in picked for line in trait.lines[:1]]
        adjectives = listed([trait.word for trait in picked])
        yield Point(Topic.LIKE, f"is said to be {adjectives}", cite(lines, most=most))
    if len(dossier.possessed) > 1:
        held = dossier.possessed[:3]
        lines = [line for trait in held for line in trait.lines[:1]]
        told_of = f"tells of {wording.possessor} {listed([t.word for t in held])}"
        yield Point(Topic.LIKE, told_of, cite(lines), subject="the book")


def _joined(said: str) -> str:
    """ "young, poor, ambitious" lacks its "and"."""
    words_of = said.split()
    bare = " and " not in said and " but " not in said and "," in said
    if bare and words_of[-2].endswith(",") and len(words_of) <= 6:
        return f"{' '.join(words_of[:-1]).rstrip(',')} and {words_of[-1]}"
    return said


def opinions(dossier: Dossier, *, most: int) -> Iterator[Point]:
    """What others say of the person: theirs, not the book's."""
    for opinion in dossier.opinions[:most]:
        by = f"is called {opinion.phrase} by {dossier.cast.by_id[opinion.speaker].name}"
        yield Point(Topic.LIKE, by, cite([opinion.line]), (opinion.speaker,))


def feelings(dossier: Dossier, wording: Wording, *, most: int) -> Iterator[Point]:
    """ "was ashamed of his anger", in the chapter where it stands."""
    found = [c for c in dossier.clauses if c.kind is Kind.BEING and _is_feeling(c) and c.length > 3]
    step = max(1, len(found) // most) if most else 1
    for clause in found[::step][:most]:
        yield happening(clause, wording, Topic.THINKS)


def relations(dossier: Dossier, *, most: int) -> list[Clause]:
    """For each of those whom the person is seen with most, the weightiest thing between the two."""
    chosen: list[Clause] = []
    for who, shared in dossier.counts.companions[: 2 * most]:
        between = dossier.meetings(who, beside=chosen) if shared > 1 else []
        if between and dossier.worth(between[0]) > 1.5 and len(chosen) < most:
            chosen.append(between[0])
    return chosen


def change(dossier: Dossier) -> Iterator[Point]:
    """Whose company the person keeps in the first third of the book, and in the last."""
    early, late = (dossier.counts.companions_in(part) for part in ("first", "last"))
    if not early or not late or min(early[0][1], late[0][1]) < 3 or early[0][0] == late[0][0]:
        return
    people = dossier.cast.by_id
    for part, (who, _) in (("first", early[0]), ("last", late[0])):
        text = f"is most often seen with {people[who].name} in the {part} third of the book"
        at = dossier.counts.shared_in(part, who)[:1]
        paragraphs = [dossier.cast.book.paragraphs[n] for n in at]
        cited = tuple(Citation(p.span, p.chapter) for p in paragraphs)
        yield Point(Topic.COURSE, text, cited, (who,))


def company(dossier: Dossier) -> Iterator[Point]:
    """With whom: counted."""
    people = dossier.cast.by_id
    together = [(who, n) for who, n in dossier.counts.companions[:2] if n > 1]
    if together:
        names = listed([people[who].name for who, _ in together])
        at = tuple(_together(dossier, who) for who, _ in together)
        yield Point(Topic.OTHERS, f"is most often seen with {names}", at, tuple(w for w, _ in together))


def course(dossier: Dossier) -> Iterator[Point]:
    """Where in the book, and how much of it: counted."""
    chapters, every = dossier.counts.chapters, len(dossier.cast.book.chapters)
    if not chapters or every < 2:
        return
    cited = (dossier.first_named,)
    if len(chapters) == every:
        yield Point(Topic.COURSE, f"appears in all {in_words(every)} chapters", cited)
    elif len(chapters) > 1:
        share = f"appears in {in_words(len(chapters), beside=every)} of the {in_words(every)} chapters"
        yield Point(Topic.COURSE, share, cited)
    else:
        yield Point(Topic.COURSE, f"first appears in chapter {chapters[0]}", cited)


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
        text = f"is the {ORDINALS[rank - 1]}most often mentioned person in the book"
        yield Point(Topic.WHO, text, (dossier.first_named,))


def _ties(dossier: Dossier) -> Iterator[Point]:
    """ "is the daughter of A and B, the sister of C and a friend of D"."""
    kin = [t for t in dossier.ties if t.kin][:4]
    found = [*kin, *[t for t in dossier.ties if not t.kin][:1]]
    if not found:
        return
    grouped: dict[str, list[str]] = {}
    for tie in found:
        grouped.setdefault(_term(tie), []).append(dossier.cast.by_id[tie.other].name)
    phrases = [f"{term} of {listed(names)}" for term, names in grouped.items()]
    cited = tuple(c for t in found for c in t.citations[:2])
    yield Point(Topic.WHO, f"is {_series(phrases)}", cited, tuple(t.other for t in found))


def _series(phrases: Sequence[str]) -> str:
    """A comma before "and" where a phrase has an "and" of its own."""
    heavy = len(phrases) > 1 and any(" and " in p for p in phrases[:-1])
    return f"{', '.join(phrases[:-1])}, and {phrases[-1]}" if heavy else listed(phrases)


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


def happening(clause: Clause, wording: Wording, topic: Topic) -> Point:
    other = None if clause.subject.target else clause.subject.character
    return Point(
        topic,
        wording.say(clause.rest, clause.line),
        cite([clause.line]),
        (other, *clause.others) if other else clause.others,
        clause.line.chapter,
        wording.name_of(other) if other else None,
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
