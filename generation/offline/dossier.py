"""All that the book says of one person, sorted: who, what like, deeds, thoughts, ties, numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from coref.types import Character, MentionKind
from generation.cast import Cast
from generation.counts import Counts
from generation.lexicon import words
from generation.offline import roles, slots, ties, traits
from generation.offline.clauses import Clause, Kind, clauses, is_other
from generation.offline.roles import Role
from generation.offline.ties import Tie
from generation.offline.traits import Opinion, Portrayal, Trait
from generation.offline.view import view_of
from generation.types import Citation
from retrieval.types import Passage

ACTS = (Kind.DEED, Kind.SPEECH, Kind.MIND)
BAR, LEAST, WORST = 2.0, 1.3, -0.8
"""Worth from which a thing is told, and from which it is told when there is little better, or nothing."""


_BARE = re.compile(r"(?:[a-z]+ ){1,3}(?:the|a|an|all the) [a-z]+")
"""An object that only its own page explains: "opposed the scheme"."""


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
        return roles.roles(self.view)

    @cached_property
    def portrayals(self) -> list[Portrayal]:
        return traits.portrayals(self.view, self.clauses)

    @cached_property
    def opinions(self) -> list[Opinion]:
        return traits.opinions(self.view)

    @cached_property
    def nature(self) -> list[Trait]:
        return traits.traits(self.clauses, ("traits",))

    @cached_property
    def looks(self) -> list[Trait]:
        return traits.traits(self.clauses, ("looks",))

    @cached_property
    def first_named(self) -> Citation:
        """The sentence that first has the person by name: evidence of what is counted."""
        named = (m for m in self.cast.mentions if m.character == self.character.id)
        first = next((m for m in named if m.kind is MentionKind.PROPER), None)
        return self.cast.sentence_at(first.span.start if first else self.character.first)

    @cached_property
    def likenesses(self) -> list[Clause]:
        return traits.likenesses(self.clauses)

    @cached_property
    def announced(self) -> list[Trait]:
        return traits.announced(self.view)

    @cached_property
    def possessed(self) -> list[Trait]:
        return traits.possessed(self.view)

    @cached_property
    def origins(self) -> list[Clause]:
        return roles.origins(self.clauses)

    @cached_property
    def happenings(self) -> tuple[Clause, ...]:
        """What the person does, and what others do to them, where it is worth telling."""
        done = clauses(self.view.lines, done_to=True)
        every = (*self.clauses, *(c for c in done if self._hits(c)))
        return tuple(c for c in every if c.kind is not Kind.BEING and not self._clumsy(c))

    def events(
        self, *, most: int, kinds: Sequence[Kind] = ACTS, beside: Sequence[Clause] = ()
    ) -> list[Clause]:
        """The weightiest clauses in story order, spread over the story; none that is told already."""
        told = {c.line.span for c in beside}
        found = [c for c in self.happenings if c.kind in kinds and c.line.span not in told]
        found = [c for c in found if self._told(c)] or found
        ranked = sorted(found, key=lambda c: (-self.worth(c), c.line.span))
        kept = [c for c in ranked if self.worth(c) >= BAR]
        if len(kept) < most:
            kept = [c for c in ranked[:most] if self.worth(c) >= LEAST]
            kept = kept or [c for c in ranked[:1] if self.worth(c) > WORST]
        return self._spread(kept, most)

    def meetings(self, other: str, *, beside: Sequence[Clause] = ()) -> list[Clause]:
        """What passes between the person and another, weightiest first."""
        told = {c.line.span for c in beside}
        found = [c for c in self.happenings if other in self.met(c) and c.line.span not in told]
        return sorted(found, key=lambda c: (-self.worth(c), c.line.span))

    def met(self, clause: Clause) -> set[str]:
        """The other people of a clause, its subject included."""
        return {clause.subject.character, *clause.others} - {self.character.id}

    def _hits(self, clause: Clause) -> bool:
        """Whether it is done to the person by somebody named, and weighs."""
        mine = any(
            clause.line.slot(c).target and c not in slots.POSSESSORS for c in clause.rest if slots.is_slot(c)
        )
        return mine and clause.weight > 1 and not clause.subject.pronoun and bool(len(clause.subject.span))

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
        if not clause.subject.target and clause.subject.character in {s.character for s in met}:
            return True
        return len(alike) > len({s.character for s in alike})

    def worth(self, clause: Clause) -> float:
        """How much a reader would want to be told of it."""
        said = set(clause.rest.replace(",", " ").split())
        worth = clause.weight + 1.0 * bool(clause.others) + 0.3 * clause.whole
        worth += 0.8 * bool(said & words("matters")) + 0.4 * (clause.kind is Kind.MIND)
        worth -= 1.2 * bool(said & words("gestures")) + 0.5 * (clause.length < 3)
        worth -= 1.6 * (_BARE.fullmatch(clause.rest) is not None)
        return worth - 0.08 * max(0, clause.length - 12) - 0.3 * (not clause.subject.target)

    def _spread(self, ranked: Sequence[Clause], most: int) -> list[Clause]:
        """The best ones, where a second of the same chapter or with the same verb counts for less."""
        chosen: list[Clause] = []
        left = list(ranked)
        while left and len(chosen) < most:
            best = max(left, key=lambda c: (self.worth(c) - self._sameness(c, chosen), -c.line.span.start))
            chosen.append(best)
            left = [c for c in left if c.line.span != best.line.span]
        return sorted(chosen, key=lambda c: c.line.span)

    def _sameness(self, clause: Clause, chosen: Sequence[Clause]) -> float:
        chapters = max(1, len(self.cast.book.chapters) // 6)
        near = sum(abs(c.line.chapter - clause.line.chapter) < chapters for c in chosen)
        same = sum(c.line.chapter == clause.line.chapter for c in chosen)
        return 0.5 * near + 0.8 * same + 1.0 * any(c.verb == clause.verb for c in chosen)
