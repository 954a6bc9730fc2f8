"""What somebody does and has done to them: which of it is told, in the story's order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from coref.types import Tense
from generation.cast import Cast
from generation.dossier.types import Deed, DeedKind, Dossier
from generation.lexicon import words
from generation.offline.clause import Clauses
from generation.offline.pieces import Clause, Finite, Piece
from generation.offline.themes import themes_of
from retrieval.types import Passage

_TRIED = 400
"""Deeds, the weightiest first, of which clauses are made."""
_THEME = 0.2
"""What a word is worth that the book says around somebody one standard error oftener than elsewhere."""
_DOUBTED = 0.5
"""From here on it is too unsure who is meant."""
_OPAQUE, _DOUBT = 1.2, 2.0
"""What it costs that only the page explains a thing, and that it is unsure who is meant."""
_GOES_ON, _DENIED = 1.5, 0.8
"""What it costs that it only goes on while something else happens, and that it does not happen."""
_KNOWN = 5
"""Of those whom they have to do with most, how many count as such."""
_MOURNED = 2
"""Chapters in which the dead may still be spoken of."""
_TERSE, _LONG = 4, 16
"""Words of a predicate that says enough, and of one that says too much."""


@dataclass(frozen=True, slots=True)
class Told:
    deed: Deed
    clause: Clause
    worth: float

    @property
    def others(self) -> tuple[str, ...]:
        return self.clause.others


class Deeds:
    """Of one character."""

    def __init__(
        self, dossier: Dossier, cast: Cast, clauses: Clauses | None, *, passages: Sequence[Passage] = ()
    ) -> None:
        self._dossier = dossier
        self._cast = cast
        self._clauses = clauses
        self._passages = passages

    @cached_property
    def _themes(self) -> dict[str, float]:
        themes = themes_of(self._cast)
        return themes.of(self._dossier.character) if themes else {}

    @cached_property
    def _known(self) -> set[str]:
        return {c.other for c in self._dossier.company[:_KNOWN]}

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """Everything that can be said, the best first; one of each sentence."""
        found: dict[int, Told] = {}
        ranked = sorted(self._dossier.deeds, key=lambda d: -d.weight)
        for deed in [d for d in ranked if not d.quoted and d.modal is None][:_TRIED]:
            clause = self._clause(deed)
            if clause is None or clause.doubt >= _DOUBTED or self._outlived(clause):
                continue
            told = Told(deed, clause, self._worth(deed, clause))
            held = found.get(clause.span.start)
            if held is None or held.worth < told.worth:
                found[clause.span.start] = told
        return tuple(sorted(found.values(), key=lambda t: (-t.worth, t.clause.at)))

    @cached_property
    def _shown(self) -> tuple[Told, ...]:
        """What the passages tell that the retriever chose; without passages, or if they tell nothing, all."""
        spans = [p.span for p in self._passages]
        shown = tuple(t for t in self.told if any(span.covers(t.clause.span) for span in spans))
        return shown or self.told

    def best(
        self,
        most: int,
        *,
        kinds: Collection[DeedKind] = tuple(DeedKind),
        within: Collection[int] | None = None,
        about: str | None = None,
        beside: Sequence[Told] = (),
        least: float = 0.0,
    ) -> list[Told]:
        """The weightiest in story order, spread over the book; none that is told already."""
        gone = {t.clause.span.start for t in beside}
        left = [
            t
            for t in self._shown
            if t.deed.kind in kinds
            and t.clause.span.start not in gone
            and (within is None or t.clause.chapter in within)
            and (about is None or about in (*t.others, t.clause.subject))
            and t.worth >= least
        ][: 12 * most + 12]
        chosen: list[Told] = []
        while left and len(chosen) < most:
            best = max(left, key=lambda t: (t.worth - self._sameness(t, (*chosen, *beside)), -t.clause.at))
            chosen.append(best)
            left.remove(best)
        return sorted(chosen, key=lambda t: t.clause.at)

    def _clause(self, deed: Deed) -> Clause | None:
        """Of what others do the clause is theirs, and has the character in it."""
        me = self._dossier.character
        doer = deed.subject or me
        if self._clauses is None or doer not in self._cast.by_id:
            return None
        clause = self._clauses.clause(deed.word, doer)
        if clause is None or (doer != me and me not in clause.others):
            return None
        return clause

    def _outlived(self, clause: Clause) -> bool:
        """Whoever is met in chapters to come did not die: somebody else is meant."""
        mine = clause.subject == self._dossier.character
        undergone = clause.passive or not mine
        fatal = clause.verb in words("killing_verbs" if undergone else "dying_verbs")
        after = sum(chapter > clause.chapter for chapter in self._dossier.presence.chapters)
        return fatal and after > _MOURNED and not clause.negated

    def _worth(self, deed: Deed, clause: Clause) -> float:
        """How much a reader would want to be told of it, said in these words."""
        said = _words(clause.predicate)
        worth = deed.weight - _OPAQUE * clause.opaque - 0.06 * max(0, clause.dropped - 1)
        worth -= _DOUBT * clause.doubt - 0.3 * bool(clause.setting)
        worth += 0.5 * bool(said & words("matters")) - 0.8 * bool(said & words("gestures"))
        worth += 0.3 * min(2, len(clause.others)) + 0.4 * bool(self._known & {*clause.others, clause.subject})
        worth -= 0.5 * (clause.length < _TERSE and not clause.others)
        bare = clause.length <= 2 and not clause.passive
        worth -= 1.2 * (bare and clause.verb not in words("telling_verbs"))
        worth -= 0.1 * max(0, clause.length - _LONG)
        worth += _THEME * sum(sorted((self._themes.get(k, 0.0) for k in clause.keys), reverse=True)[:2])
        worth -= _DENIED * clause.negated
        worth -= _GOES_ON * _going_on(clause.predicate)
        worth -= 0.4 * (clause.subject != self._dossier.character)
        return worth - 0.3 * (deed.tense is Tense.PRESENT)

    def _sameness(self, told: Told, chosen: Sequence[Told]) -> float:
        near = max(1, len(self._cast.book.chapters) // 8)
        same = sum(t.clause.chapter == told.clause.chapter for t in chosen)
        close = sum(abs(t.clause.chapter - told.clause.chapter) <= near for t in chosen)
        verb = any(t.clause.verb == told.clause.verb for t in chosen)
        people = sum(bool(set(t.others) & set(told.others)) for t in chosen)
        return 0.5 * same + 0.4 * close + 2.0 * verb + 0.2 * people


def _going_on(pieces: Sequence[Piece]) -> bool:
    """ "is walking": what goes on while something else happens."""
    at = next((i for i, p in enumerate(pieces) if isinstance(p, Finite)), 0)
    after = pieces[at + 1] if at + 1 < len(pieces) else ""
    finite = pieces[at]
    if not isinstance(finite, Finite) or finite.singular not in ("is", "has"):
        return False
    return isinstance(after, str) and after.split()[-1].endswith("ing")


def _words(pieces: Sequence[Piece]) -> set[str]:
    found: set[str] = set()
    for piece in pieces:
        if isinstance(piece, str):
            found.update(piece.lower().split())
    return found
