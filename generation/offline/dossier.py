"""All that the book says of one person, sorted: who, what like, deeds, thoughts, ties, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from coref.types import Character
from generation.cast import Cast
from generation.counts import Counts
from generation.lexicon import words
from generation.offline import ties, traits
from generation.offline.clauses import Clause, Kind, clauses, is_other
from generation.offline.ties import Tie
from generation.offline.traits import Opinion, Portrayal, Role, Trait
from generation.offline.view import view_of
from retrieval.types import Passage


class Dossier:
    """Found on demand, in story order unless said otherwise."""

    def __init__(self, cast: Cast, character: Character, *, passages: Sequence[Passage] = ()) -> None:
        self.cast = cast
        self.character = character
        self.view = view_of(cast, character)
        self.counts = Counts(cast, character.id)
        self._passages = passages

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(clauses(self.view.lines))

    @cached_property
    def ties(self) -> list[Tie]:
        return ties.ties(self.view)

    @cached_property
    def roles(self) -> list[Role]:
        return traits.roles(self.view)

    @cached_property
    def portrayals(self) -> list[Portrayal]:
        return traits.portrayals(self.clauses)

    @cached_property
    def opinions(self) -> list[Opinion]:
        return traits.opinions(self.view)

    @cached_property
    def nature(self) -> list[Trait]:
        return traits.traits(self.clauses, ("traits",))

    @cached_property
    def looks(self) -> list[Trait]:
        return traits.traits(self.clauses, ("looks",))

    def events(self, kind: Kind, *, most: int) -> list[Clause]:
        """The `most` weightiest clauses of a kind, spread over the story: the best of each stretch of it."""
        every = [c for c in self.clauses if c.kind is kind and not self._clumsy(c)]
        found = [c for c in every if self._told(c)] or every
        ranked = sorted(found, key=lambda c: (-self._worth(c), c.line.span))
        bar = 2.0 if self.character.mention_count > 60 else 1.0
        kept = [c for c in ranked if self._worth(c) >= bar]
        kept = kept if len(kept) > 1 else [c for c in ranked[:2] if self._worth(c) >= 0.5] or ranked[:1]
        return self._spread(sorted(kept, key=lambda c: c.line.span), most)

    def _told(self, clause: Clause) -> bool:
        """Whether the passages the retriever chose tell it; without passages the whole book is told."""
        if not self._passages:
            return True
        return any(p.span.covers(clause.line.span) for p in self._passages)

    def _clumsy(self, clause: Clause) -> bool:
        """Whether somebody whose pronoun is the subject's own is meant twice: "asked Ann to write to Ann"."""
        people = self.cast.by_id
        met = [clause.line.slot(code) for code in clause.rest if is_other(code)]
        alike = [s for s in met if people[s.character].pronouns in (None, self.character.pronouns)]
        return len(alike) > len({s.character for s in alike})

    def _worth(self, clause: Clause) -> float:
        met = (1.5 if clause.weight or clause.kind is Kind.MIND else 0.5) * bool(clause.others)
        worth = clause.weight * 1.2 + met + 0.5 * (not clause.subject.pronoun)
        if clause.kind is Kind.MIND:
            worth += 1
        worth -= any(word in words("gestures") for word in clause.rest.split())
        return worth - 0.25 * (clause.length < 3) - 0.05 * max(0, clause.length - 10)

    def _spread(self, found: list[Clause], most: int) -> list[Clause]:
        if len(found) <= most:
            return found
        first, last = found[0].line.span.start, found[-1].line.span.start
        width = (last - first) / most + 1
        chosen: list[Clause] = []
        for at in range(most):
            low = first + at * width
            stretch = [c for c in found if low <= c.line.span.start < low + width]
            fresh = [c for c in stretch if c.verb not in {o.verb for o in chosen}]
            if fresh:
                chosen.append(max(fresh, key=lambda c: (self._worth(c), -c.line.span.start)))
        return chosen
