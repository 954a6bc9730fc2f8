"""Turn events into sentences: related events share one, and time adverbials show that time passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from generation.story.types import DeedKind
from generation.writing.offline import forms
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference, Piece
from generation.writing.offline.composed_from import ComposedItem
from generation.writing.offline.event_points import TellableEvent
from generation.writing.offline.realising import TextPoint

_JOINED = 24
"""Most words of two predicates that share a sentence."""
_NEAR = 1_500
"""Characters of the book between two events that count as consecutive."""
_NESTED = frozenset(("that", "what", "whether", "who", "how", "why", "where", "which"))
"""After one of these words a coordinated predicate would seem to belong to its clause."""
_WHEN = (
    (0.2, ("Early in the book", "At the beginning")),
    (0.45, ("Before long", "After a while")),
    (0.7, ("Midway through the book", "Further on")),
    (0.92, ("Towards the end", "Late in the book")),
)
"""Phrases that can begin a sentence, up to each share of the book."""
_END = 0.92
"""Share of the book after which "In the end" is possible."""
_LATER = (", and later", ", and afterwards", ", and some time later")
_EVERY = 3
"""At most one of this many sentences begins with a time."""


@dataclass(slots=True)
class Episodes:
    """Makes the sentences of one text. Each joining word is used sparingly over all of it."""

    length: int
    """Length of the book in characters."""
    chapters: int
    about: str
    """Id of the character that the text is about."""
    ended: bool
    """Whether the book has been read to its end."""
    turn: int = 0
    """Where the rotation of the phrases begins."""
    _made: int = field(default=0, init=False)
    _leads: list[str] = field(default_factory=list, init=False)
    _joints: list[str] = field(default_factory=list, init=False)
    _set: bool = field(default=False, init=False)

    def sentences(self, told: Sequence[TellableEvent], *, timed: bool = True) -> list[list[TextPoint]]:
        """Return the sentences in the order given. Set `timed` if that is the story order."""
        found: list[list[TextPoint]] = []
        before: TellableEvent | None = None
        at = 0
        while at < len(told):
            here = told[at]
            then = told[at + 1] if at + 1 < len(told) else None
            last = at + 1 >= len(told)
            led = timed and here.speaker is None
            lead = self._lead(before, here, last=last, since=len(found)) if led else ""
            joined = self._joined(here, then, timed=not lead) if then is not None else None
            if joined is not None and lead:
                joined = with_lead(joined, lead)
            self._made += 1
            if joined is not None:
                found.append(joined)
                before, at = then, at + 2
            else:
                begun = _attribution(here) or ((lead,) if lead else self._setting(here))
                found.append([_point(here, lead=begun)])
                before, at = here, at + 1
        return found

    def _lead(self, before: TellableEvent | None, here: TellableEvent, *, last: bool, since: int) -> str:
        """Return a phrase of time where the story has moved on far."""
        share = here.clause.at / max(1, self.length)
        if here.clause.over or here.kind is DeedKind.MIND or before is None:
            return ""
        if last and self.ended and share > _END and since > 1 and "In the end" not in self._leads:
            self._leads.append("In the end")
            return "In the end"
        gap = here.clause.chapter - before.clause.chapter
        if gap * 6 < self.chapters or gap < 2 or len(self._leads) * _EVERY > self._made:
            return ""
        some = next((leads for upto, leads in _WHEN if share <= upto), ())
        fresh = [lead for lead in some if lead not in self._leads]
        if not fresh or any(lead in self._leads for lead in some):
            return ""
        self._leads.append(fresh[self.turn % len(fresh)])
        return self._leads[-1]

    def _setting(self, here: TellableEvent) -> tuple[Piece, ...]:
        """Return when or why it happens, but not in two sentences in a row."""
        self._set = bool(here.clause.setting) and not self._set
        return here.clause.setting if self._set else ()

    def _joined(self, one: TellableEvent, other: TellableEvent, *, timed: bool) -> list[TextPoint] | None:
        first, second = one.clause, other.clause
        if one.speaker or other.speaker:
            return None
        if first.length + second.length > _JOINED or _nested(first.predicate) or second.setting:
            return None
        gap = second.chapter - first.chapter
        near = gap == 0 or second.at - first.at < _NEAR
        if first.subject != second.subject or first.beside != second.beside:
            return self._who(one, other) if gap <= 1 else None
        if first.verb == second.verb or (first.passive and not second.passive):
            return None
        close = second.at - first.at < _NEAR and _acts(one) and _acts(other) and not first.beside
        if near and close and self._once("After"):
            return [_point(other, lead=("After", *_gerund(first.predicate)), cited=one)]
        if near or (set(first.others) & set(second.others) and gap * 6 < self.chapters):
            turned = second.negated != first.negated and set(first.others) & set(second.others)
            joint = "but" if turned else "and"
            return [_point(one), _point(other, joint=joint)]
        if timed and gap * 3 < self.chapters and not second.over and self._once("later"):
            return [_point(one), _point(other, joint=_LATER[self.turn % len(_LATER)])]
        return None

    def _who(self, one: TellableEvent, other: TellableEvent) -> list[TextPoint] | None:
        """Word "introduces Tom to Anna, who thanks her", where the person named last is the next subject."""
        first, second = one.clause, other.clause
        last = first.predicate[-1]
        met = (
            isinstance(last, PersonReference)
            and last.case is GrammaticalCase.OBJECT
            and last.character == second.subject
        )
        if (
            not met
            or second.subject == self.about
            or second.beside
            or second.negated
            or not self._once(", who")
        ):
            return None
        return [_point(one), _point(other, joint=", who")]

    def _once(self, joint: str) -> bool:
        """Whether this joint is not used in the text so far. It counts as used from now on."""
        if joint in self._joints:
            return False
        self._joints.append(joint)
        return True


def _attribution(told: TellableEvent) -> tuple[Piece, ...]:
    """Return the attribution of an event that only a character reports."""
    if told.speaker is None:
        return ()
    if told.speaker == told.clause.subject:
        return ("by", PersonReference(told.speaker, GrammaticalCase.POSSESSIVE), "own account")
    return ("according to", PersonReference(told.speaker, GrammaticalCase.OBJECT))


def _acts(told: TellableEvent) -> bool:
    """Whether the event is completed before the next one."""
    finite = next((p for p in told.clause.predicate if isinstance(p, FiniteVerb)), None)
    plain = finite is not None and finite.base != "" and not told.clause.negated
    return plain and told.kind is not DeedKind.MIND and told.clause.predicate[0] is finite


def _gerund(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(forms.gerund(p.base) if isinstance(p, FiniteVerb) else p for p in pieces)


def _nested(pieces: Sequence[Piece]) -> bool:
    return any(isinstance(p, str) and p in _NESTED for p in pieces)


def _point(
    told: TellableEvent,
    *,
    lead: tuple[Piece, ...] = (),
    joint: str = "and",
    cited: TellableEvent | None = None,
) -> TextPoint:
    clause = told.clause
    citations = (*(cited.cited if cited else ()), *told.cited)
    before = ComposedItem(cited.clause.predicate, None, cited.cited) if cited else None
    return TextPoint(clause.subject, clause.predicate, citations, clause.beside, lead, joint, before=before)


def with_lead(sentence: list[TextPoint], lead: str) -> list[TextPoint]:
    """Return the sentence with a phrase before it, unless it already begins with one."""
    return sentence if sentence[0].lead else [replace(sentence[0], lead=(lead,)), *sentence[1:]]
