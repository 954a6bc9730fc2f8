"""Select the events of a character that are told: what they do and what is done to them, in story order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice, pairwise

from coref.types import Tense
from generation.lexicon import rows, table, words
from generation.story.cast import CastIndex
from generation.story.types import Deed, DeedKind, Dossier
from generation.types import Citation
from generation.writing.offline.attitude_points import turning_points
from generation.writing.offline.clause_parts import Clause, FiniteVerb, GrammaticalCase, PersonReference
from generation.writing.offline.clause_retelling import Clauses
from generation.writing.offline.realising import TextPoint
from generation.writing.offline.themes import themes_of
from generation.writing.offline.told_by_others import Spoken
from retrieval.types import Passage

_TRIED = 400
"""Most events, highest weight first, for which clauses are made."""
_THEME = 0.2
"""Worth of a word for each standard error by which it is more frequent around somebody than elsewhere."""
_UNSURE, _DOUBTED = 0.25, 0.5
"""Uncertainty of who is meant from which an event is not quite certain, and from which it is too
uncertain.
"""
_OPAQUE, _DOUBT, _DENIED = 0.8, 2.0, 0.6
"""Costs of a thing that only the page explains, of uncertainty of who is meant, and of a denial."""
_HEARSAY, _HEARSAYS = 0.3, 1.5
"""Cost if only a character reports it, and cost for each more of these."""
_RANKED, _MOST_RANKED = 0.25, 6.0
"""Factor of the dossier's weight of an event, and the most weight that counts."""
_FLOOR, _HEARD, _SAID = 1.0, 3.5, 2.0
"""Least worth of an event, and least worth and weight of one that only a character reports."""
_TURNING, _DECIDES = 6, 8.0
"""Most turning points of one person, and their worth."""
_KNOWN = 5
"""How many of the closest companions count as known."""
_MOURNED = 2
"""Chapters in which the dead may still be mentioned."""
_MORE = 4
"""Words of a predicate that says more than to whom something is done."""
_AGAIN, _SLACK = 3.0, 2.0
"""Cost of repeating a verb, and how far below the least worth all costs together may bring an event."""
_STEM = 4
"""Letters by which two forms of a verb are recognised as one: refuse, refused by."""
_BARE, _SHORT, _GRAVE = 1.0, 2, 3.0
"""Cost of a predicate with no more words than this, which only says to whom it is done, and the weight from
which it is not charged.
"""
_LONG = 14
"""Words from which a predicate is too long."""
_PEOPLE = frozenset(table("kin")) | words("people")
_HOLLOW = words("hollow_nouns") | words("gestures")


@dataclass(frozen=True, slots=True)
class TellableEvent:
    kind: DeedKind
    clause: Clause
    worth: float
    cited: tuple[Citation, ...]
    sure: bool = False
    """Whether the book as a whole supports it, and not one sentence."""
    speaker: str | None = None
    """Who reports it, if the narration does not."""

    @property
    def others(self) -> tuple[str, ...]:
        return self.clause.others


class EventSelection:
    """Selects the events of one character."""

    def __init__(
        self, dossier: Dossier, cast: CastIndex, clauses: Clauses | None, *, passages: Sequence[Passage] = ()
    ) -> None:
        self._dossier = dossier
        self._cast = cast
        self._clauses = clauses
        self._passages = passages
        parse = cast.annotations.parse
        self._spoken = Spoken(cast, parse) if parse is not None else None

    @cached_property
    def _themes(self) -> dict[str, float]:
        themes = themes_of(self._cast)
        return themes.of(self._dossier.character) if themes else {}

    @cached_property
    def _known(self) -> set[str]:
        return {c.other for c in self._dossier.company[:_KNOWN]}

    @cached_property
    def told(self) -> tuple[TellableEvent, ...]:
        """All events that can be told, best first, at most one for each sentence."""
        turning = list(self._turning)
        found: dict[int, TellableEvent] = {}
        for deed, clause in self._clauses_of_deeds():
            same = next((at for at, told in enumerate(turning) if _same(clause, told.clause)), None)
            if same is not None:
                turning[same] = turning[same] if deed.quoted else _fuller(turning[same], clause)
            elif _weight(clause):
                cited = (Citation(clause.span, clause.chapter),)
                speaker = self._spoken.speaker(deed) if self._spoken and deed.quoted else None
                told = TellableEvent(deed.kind, clause, self._worth(deed, clause), cited, speaker=speaker)
                held = found.get(clause.span.start, told)
                grave = speaker is None or (_weight(clause) >= _SAID and told.worth >= _HEARD)
                if grave and told.worth >= max(_FLOOR, held.worth):
                    found[clause.span.start] = told
        return (*turning, *sorted(found.values(), key=lambda t: (-t.worth, t.clause.at)))

    @cached_property
    def _turning(self) -> tuple[TellableEvent, ...]:
        """Events between them and others that the book as a whole supports."""
        points = turning_points(self._dossier, most=_TURNING)
        return tuple(
            TellableEvent(DeedKind.DEED, _clause_of(p), _DECIDES, p.citations, sure=True) for p in points
        )

    def _clauses_of_deeds(self) -> Iterator[tuple[Deed, Clause]]:
        """Yield asserted events, narrated or reported by a character, where it is certain who is meant."""
        turning = {word for t in self._turning for word in _verb_of(t.clause).split()}
        ranked = sorted(self._dossier.deeds, key=lambda d: -d.weight)
        past = (d for d in ranked if not d.quoted or d.tense is Tense.PAST)
        asserted = (d for d in past if d.modal is None)
        worth = (d for d in asserted if d.lemma.replace(" ", "-") in _weighty() or d.lemma in turning)
        for deed in islice(worth, _TRIED):
            clause = self._clause(deed)
            if clause is not None and clause.doubt < _DOUBTED and not self._outlived(clause):
                yield deed, clause

    @cached_property
    def _shown(self) -> tuple[TellableEvent, ...]:
        """Events in the passages that the retriever chose, or all without passages or if these have none."""
        spans = [p.span for p in self._passages]
        shown = [t for t in self.told if any(span.covers(t.clause.span) for span in spans)]
        return tuple(t for t in self.told if t.sure or t in shown) if shown else self.told

    def best(
        self,
        most: int,
        *,
        kinds: Collection[DeedKind] = tuple(DeedKind),
        within: Collection[int] | None = None,
        about: str | None = None,
        beside: Sequence[TellableEvent] = (),
        least: float = 0.0,
        sure: bool = False,
    ) -> list[TellableEvent]:
        """Return the best events in story order, spread over the book, without those in `beside`.

        With `sure`, only where it is quite certain who is meant.
        """
        gone = {t.clause.span.start for t in beside}
        left = [
            t
            for t in self._shown
            if t.kind in kinds
            and t.clause.span.start not in gone
            and (within is None or t.clause.chapter in within)
            and (about is None or about in (*t.others, t.clause.subject))
            and t.worth >= least
            and not (sure and t.clause.doubt >= _UNSURE)
        ][: 12 * most + 12]
        chosen: list[TellableEvent] = []
        while left and len(chosen) < most:
            net = {id(t): t.worth - self._sameness(t, (*chosen, *beside)) for t in left}
            best = max(left, key=lambda t: (net[id(t)], -t.clause.at))
            if net[id(best)] < least - _SLACK:
                break
            chosen.append(best)
            left.remove(best)
        return sorted(chosen, key=lambda t: t.clause.at)

    def _clause(self, deed: Deed) -> Clause | None:
        """Return the clause of an event. If somebody else does it, the clause is theirs and must contain the
        character.
        """
        me = self._dossier.character
        doer = deed.subject or me
        if self._clauses is None or self._spoken is None or doer not in self._cast.by_id:
            return None
        if deed.quoted and self._spoken.speaker(deed) is None:
            return None
        clauses = Clauses(self._spoken) if deed.quoted else self._clauses
        clause = clauses.clause(deed.word, doer)
        if clause is None or (doer != me and me not in clause.others):
            return None
        return clause

    def _outlived(self, clause: Clause) -> bool:
        """Whether a death is contradicted because the character appears in later chapters, so that somebody
        else is meant.
        """
        mine = clause.subject == self._dossier.character
        undergone = clause.passive or not mine
        fatal = clause.verb in words("killing_verbs" if undergone else "dying_verbs")
        after = sum(chapter > clause.chapter for chapter in self._dossier.presence.chapters)
        return fatal and after > _MOURNED and not clause.negated

    def _worth(self, deed: Deed, clause: Clause) -> float:
        """Return how relevant the event is to a reader in these words."""
        said, others = set(clause.nouns), {*clause.others, clause.subject} - {self._dossier.character}
        worth = _weight(clause) + _RANKED * min(deed.weight, _MOST_RANKED)
        worth += 0.6 * bool(others) + 0.6 * bool(self._known & others)
        worth += 0.5 * bool(said & words("matters")) + 0.3 * bool(clause.setting)
        worth -= _OPAQUE * clause.opaque + 0.1 * max(0, clause.dropped - 1) + _DOUBT * clause.doubt
        worth -= 0.1 * max(0, clause.length - _LONG) + _BARE * (
            clause.length <= _SHORT and _weight(clause) < _GRAVE
        )
        worth += _THEME * sum(sorted((self._themes.get(k, 0.0) for k in clause.keys), reverse=True)[:2])
        worth -= _DENIED * clause.negated + 0.3 * clause.over
        worth -= 0.3 * (clause.subject != self._dossier.character)
        return worth - 0.5 * (deed.tense is Tense.PRESENT) - _HEARSAY * deed.quoted

    def _sameness(self, told: TellableEvent, chosen: Sequence[TellableEvent]) -> float:
        near = max(1, len(self._cast.book.chapters) // 8)
        same = sum(t.clause.chapter == told.clause.chapter for t in chosen)
        close = sum(abs(t.clause.chapter - told.clause.chapter) <= near for t in chosen)
        verb = any(t.clause.verb == told.clause.verb for t in chosen)
        people = sum(bool(set(t.others) & set(told.others)) for t in chosen)
        heard = sum(t.speaker is not None for t in chosen) if told.speaker else 0
        return 0.5 * same + 0.4 * close + _AGAIN * verb + 0.2 * people + _HEARSAYS * heard


def _verb_of(clause: Clause) -> str:
    """Return all words of the predicate but people: what is undergone is worded with a participle."""
    said = (
        p.base or p.singular if isinstance(p, FiniteVerb) else p
        for p in clause.predicate
        if not isinstance(p, PersonReference)
    )
    return " ".join(said)


def _same(clause: Clause, turning: Clause) -> bool:
    """Whether a clause has the same two people and the same verb as a turning point, so that one is
    enough.
    """
    both = {clause.subject, *clause.others} >= {turning.subject, *turning.others}
    return both and clause.verb[:_STEM] in _verb_of(turning)


def _fuller(turning: TellableEvent, clause: Clause) -> TellableEvent:
    """Return the turning point with the clause if that says more, as in "saves him from the water"."""
    cited = clause.span.start in {c.span.start for c in turning.cited}
    better = cited and not clause.negated and clause.length > turning.clause.length
    return replace(turning, clause=clause) if better else turning


def _clause_of(point: TextPoint) -> Clause:
    """Return the clause of a point. A wedding is placed at its last citation, as it is hoped for and feared
    before.
    """
    verb = next((p.base for p in point.predicate if isinstance(p, FiniteVerb)), "")
    at = point.citations[-1 if verb in ("marry", "wed") else 0]
    return Clause(point.subject, point.predicate, verb, at.span, at.span.start, at.chapter)


def _weight(clause: Clause) -> float:
    """Return the weight of the verb with the arguments that it needs, or 0 for what changes nothing for
    anybody.
    """
    verb = clause.verb.replace(" ", "-")
    vague = any(isinstance(p, str) and p in words("whole_pronouns") for p in clause.predicate)
    if vague or not _HOLLOW.isdisjoint(clause.nouns):
        return 0.0
    return max((weight for weight, need in _weighty().get(verb, ()) if _NEEDS[need](clause)), default=0.0)


@cache
def _weighty() -> dict[str, list[tuple[float, str]]]:
    found: dict[str, list[tuple[float, str]]] = {}
    for weight, need, *verbs in rows("weighty"):
        for verb in verbs:
            found.setdefault(verb, []).append((float(weight), need))
    return found


def _with_person(clause: Clause) -> bool:
    """Whether the person concerned directly follows the verb, or is a relative."""
    for before, piece in pairwise(clause.predicate):
        met = isinstance(piece, PersonReference) and piece.case is GrammaticalCase.OBJECT
        if met and before not in words("beside_prepositions"):
            return True
    itself = _reflexive(clause) and clause.verb in words("reflexive_verbs") and not clause.negated
    undergone = clause.passive and (bool(clause.others) or "by" in clause.predicate)
    return itself or undergone or not _PEOPLE.isdisjoint(clause.nouns)


def _says_what(clause: Clause) -> bool:
    """Whether a thing or a person is in what is promised or asked. "Tells him to wait" says too little."""
    behind = clause.predicate[2:]
    return bool(clause.nouns) or any(
        isinstance(p, PersonReference) and p.case is not GrammaticalCase.REFLEXIVE for p in behind
    )


def _reflexive(clause: Clause) -> bool:
    return any(
        isinstance(p, PersonReference) and p.case is GrammaticalCase.REFLEXIVE for p in clause.predicate
    )


def _with_place(clause: Clause) -> bool:
    named = any(isinstance(p, str) and p[:1].isupper() for p in clause.predicate)
    return named or not words("places").isdisjoint(clause.nouns)


_NEEDS: dict[str, Callable[[Clause], bool]] = {
    "nothing": lambda _: True,
    "person": _with_person,
    "more": lambda clause: clause.length >= _MORE and _with_person(clause) and not _reflexive(clause),
    "content": lambda clause: clause.content and _says_what(clause),
    "object": lambda clause: bool(set(clause.nouns) - _PEOPLE),
    "place": _with_place,
}
