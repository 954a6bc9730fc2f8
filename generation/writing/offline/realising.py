"""Turn text points into sentences: choose names or pronouns, and how sentences begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generation.types import Citation, Sentence, StatedFact
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference, Piece
from generation.writing.offline.composed_from import ComposedItem, stated, tidy
from generation.writing.offline.name_choice import NameChoice, possessive

_PARTICLES = frozenset(("up", "out", "off", "down", "away", "back"))
_OBJECTS = frozenset(("him", "her", "them", "it"))
"""Pronouns that stand between a verb and its particle: calls him out."""
_WHO = ", who"
"""Joins a point about the person named last."""
_CROWD = 3
"""People in the previous sentence from which a pronoun is too vague."""
_IN_A_ROW = 2
"""Sentences in a row that may begin with a pronoun before the name is used again."""


@dataclass(frozen=True, slots=True)
class TextPoint:
    """One statement about somebody."""

    subject: str
    predicate: tuple[Piece, ...]
    citations: tuple[Citation, ...]
    beside: tuple[str, ...] = ()
    lead: tuple[Piece, ...] = ()
    """Beginning of the sentence: `Later`, `After refusing` somebody."""
    joint: str = "and"
    """What joins it to the previous point of its sentence."""
    items: tuple[ComposedItem, ...] = ()
    """The facts that the predicate lists, or none if it is one fact."""
    before: ComposedItem | None = None
    """The fact in the lead: `After refusing` somebody."""

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody except the subject, in order."""
        found = (*self.beside, *(p.character for p in self.predicate if isinstance(p, PersonReference)))
        return tuple(dict.fromkeys(w for w in found if w != self.subject))

    @property
    def words(self) -> int:
        return sum(len(p.split()) if isinstance(p, str) else 1 for p in self.predicate)


def _couple(words: list[str]) -> list[str]:
    """Return "Mr. and Mrs. Hay" for "Mrs. Hay and Mr. Hay"."""
    if len(words) < 3 or words[1] != "and":
        return words
    (one, _, name), (other, _, same) = words[0].partition(" "), words[2].partition(" ")
    return ["Mr.", "and", f"Mrs. {name}"] if name == same and {one, other} == {"Mr.", "Mrs."} else words


class UnclearReference(Exception):
    """Raised if nobody could tell who is meant."""


class SentenceRealiser:
    """Writes one text, sentence by sentence, and remembers who has been named."""

    def __init__(self, naming: NameChoice, about: str) -> None:
        self._naming = naming
        self._about = about
        self._met: set[str] = set()
        self._last: str | None = None
        """The subject of the previous sentence."""
        self._between: tuple[str, ...] = ()
        """The other people in it."""
        self._again = False
        """Whether its subject was the character of the text, by name. Then a pronoun is theirs, whoever else
        was in it.
        """
        self._by_name: set[str] = set()
        """People named in this sentence."""
        self._before: set[str] = set()
        """People named in the previous sentence."""
        self._leading = False
        """Whether the beginning of a sentence is being worded, where everybody has a name."""
        self._pronouns = 0
        """Sentences in a row that began with a pronoun."""

    def open(self) -> None:
        """Begin a new section, in which the name comes first."""
        self._last, self._between, self._pronouns, self._again = None, (), 0, False
        self._by_name = set()

    def sentence(
        self, points: Sequence[TextPoint], *, heading: str | None = None, room: int | None = None
    ) -> Sentence | None:
        """Return one sentence about one subject, or None if nobody could tell who is meant, or if there is no
        room.
        """
        pronouns = self._pronouns
        try:
            text, told = self._text(points)
        except UnclearReference:
            return None
        if room is not None and len(text.split()) > room:
            self._pronouns = pronouns
            return None
        first = points[0]
        cited = tuple(dict.fromkeys(c for p in points for c in p.citations))
        people = tuple(dict.fromkeys((first.subject, *(w for p in points for w in p.people))))
        self._met.update(people)
        self._again = self._pronouns == 0 and first.subject == self._about and not first.beside
        self._last, self._between = first.subject, people[1:]
        about = (self._about, *(w for w in people if w != self._about))
        return Sentence(text, tuple(sorted(cited, key=lambda c: c.span)), heading, about, told)

    def _text(self, points: Sequence[TextPoint]) -> tuple[str, tuple[StatedFact, ...]]:
        first = points[0]
        said = [first.subject]
        self._before, self._by_name = self._by_name, set()
        self._leading = True
        led = " ".join(self._pieces(first.lead, first.subject, said, many=False))
        self._leading = False
        lead = f"{led}, " if led else ""
        subject, pronoun = self._subject(first, said[1:])
        for at, other in enumerate(first.beside):
            mark = " and" if at + 1 == len(first.beside) else ","
            subject += f"{mark} {self._named(other)}"
            said.append(other)
        points, worded = self._worded(points, said)
        joined = (w if not at else (points[at].joint, *w) for at, w in enumerate(worded))
        text = tidy(f"{lead}{subject} {' '.join(word for words in joined for word in words)}.")
        self._pronouns = self._pronouns + 1 if pronoun else 0
        told = stated(text, points, worded, lead=lead, subject=subject, naming=self._naming)
        return text[0].upper() + text[1:], told

    def _worded(
        self, points: Sequence[TextPoint], said: list[str]
    ) -> tuple[list[TextPoint], list[list[str]]]:
        made: list[TextPoint] = []
        worded: list[list[str]] = []
        for point in points:
            if point.joint == _WHO and worded and worded[-1][-1] in _OBJECTS:
                worded[-1][-1] = self._naming.short(point.subject)
            made.append(self._with_subject(point, points[0].subject, said))
            many = bool(point.beside) or self._naming.many(point.subject)
            worded.append(self._pieces(point.predicate, point.subject, said, many=many))
        return made, worded

    def _with_subject(self, point: TextPoint, first: str, said: list[str]) -> TextPoint:
        """Give a point about somebody else its own subject: "while he loves her"."""
        who = point.subject
        if who == first or point.joint == _WHO:
            return point
        rivals = who not in said or any(self._naming.alike(who, other) for other in said if other != who)
        pronoun = None if rivals else self._naming.pronoun(who, GrammaticalCase.SUBJECT)
        if who not in said:
            said.append(who)
        return replace(point, joint=f"{point.joint} {pronoun or self._named(who)}")

    def _subject(self, point: TextPoint, led: Sequence[str]) -> tuple[str, bool]:
        """Return a pronoun if the previous sentence has the same subject and nobody else can be meant."""
        who = point.subject
        pronoun = self._naming.pronoun(who, GrammaticalCase.SUBJECT)
        met = led if self._again else (*self._between, *led)
        rivals = any(self._naming.alike(who, other) for other in met if other != who)
        if pronoun and self._last == who and not rivals and self._pronouns < _IN_A_ROW:
            return pronoun, True
        return self._named(who), False

    def _only(self, who: str) -> bool:
        """Whether a pronoun cannot refer to anybody else in the previous sentence."""
        before = {*self._between, *([self._last] if self._last else [])}
        alone = not any(self._naming.alike(who, other) for other in before - {who})
        return who in before & self._before and len(before) < _CROWD and alone

    def _named(self, who: str) -> str:
        self._by_name.add(who)
        return self._naming.short(who) if who in self._met else self._naming.name(who)

    def _pieces(self, pieces: Sequence[Piece], subject: str, said: list[str], *, many: bool) -> list[str]:
        out: list[str] = []
        for piece in pieces:
            if isinstance(piece, FiniteVerb):
                out.append(piece.plural if many else piece.singular)
            elif isinstance(piece, PersonReference):
                out.append(self._refer(piece, subject, said))
                out[-3:] = _couple(out[-3:])
            else:
                out.append(piece)
            if len(out) > 1 and out[-2] in _PARTICLES and out[-1] in _OBJECTS:
                out[-2:] = out[:-3:-1]
        return out

    def _refer(self, ref: PersonReference, subject: str, said: list[str]) -> str:
        """Use a pronoun for somebody already named in this sentence if nobody else can be meant."""
        who, again = ref.character, ref.character in said
        rivals = [w for w in said if w != who and self._naming.alike(w, who)]
        if not again:
            said.append(who)
        pronoun = self._naming.pronoun(who, ref.case)
        if who == subject and pronoun is None and ref.case is GrammaticalCase.POSSESSIVE:
            return "the"
        if ref.case is GrammaticalCase.REFLEXIVE:
            if pronoun is None:
                raise UnclearReference
            return pronoun
        if who == subject and rivals and ref.case is not GrammaticalCase.POSSESSIVE:
            raise UnclearReference
        known = not (rivals or self._leading) and (
            who == self._about == self._last or (len(said) < _CROWD and self._only(who))
        )
        if again and said[-1] == who and ref.case is GrammaticalCase.POSSESSIVE and pronoun:
            return pronoun
        if (again or known) and pronoun and (not rivals or who == subject):
            return pronoun
        name = self._named(who) if not again else self._naming.short(who)
        return possessive(name) if ref.case is GrammaticalCase.POSSESSIVE else name
