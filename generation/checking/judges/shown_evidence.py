"""What a language model is shown of the evidence: the sentences around it, its chapter, and who is meant.

A sentence alone seldom says who "she" is. The resolver knows it, and who speaks, so the model is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from books.types import Span
from generation.checking.entailment.sentence_search import SentenceSearch, search_of
from generation.checking.types import Case, Evidence
from generation.models.prompt_quoting import quoted, quoted_name
from generation.story.cast import CastIndex, cast_of
from generation.story.heard_passages import pronoun_names, speakers_in

LONGEST: Final = 1_200
"""Maximum number of characters of a passage."""
_MARK: Final = "\ue000"
"""Stands for an added name until the text is quoted. No book has this character."""


@dataclass(frozen=True, slots=True)
class ShownPassage:
    span: Span
    chapter: int
    """Counted from 0."""
    told: str
    """Its line in the prompt, without the number."""


def shown_passages(cases: Sequence[Case], *, most: int) -> tuple[ShownPassage, ...]:
    """Return the passages for some claims, at most so many for each. Passages that overlap are one."""
    told: dict[Span, ShownPassage] = {}
    for case in cases:
        for evidence in case.evidence[:most]:
            if not any(span.covers(evidence.span) for span in told):
                passage = _shown(evidence, case)
                told = {span: old for span, old in told.items() if not passage.span.covers(span)}
                told[passage.span] = passage
    return tuple(told[span] for span in sorted(told))


def _shown(evidence: Evidence, case: Case) -> ShownPassage:
    if case.context is None:
        return ShownPassage(evidence.span, evidence.chapter, quoted(evidence.text[:LONGEST]))
    cast = cast_of(case.context.book, case.context.annotations)
    span = _with_neighbours(evidence, search_of(cast))
    names = [quoted_name(name) for name in speakers_in(span, cast)]
    speaking = f"; speaking: {', '.join(names)}" if names else ""
    told = f"(chapter {evidence.chapter + 1}{speaking}) {_with_names(span, cast)}"
    return ShownPassage(span, evidence.chapter, told)


def _with_neighbours(evidence: Evidence, search: SentenceSearch) -> Span:
    """Return the span with the sentence before and the one after it, if they are of the same chapter."""
    inside = search.within(evidence.span)
    if not inside:
        return Span(evidence.span.start, min(evidence.span.end, evidence.span.start + LONGEST))
    kept = Span(
        min(evidence.span.start, search.spans[inside[0]].start),
        max(evidence.span.end, search.spans[inside[-1]].end),
    )
    for at in (inside[0] - 1, inside[-1] + 1):
        if 0 <= at < len(search) and search.chapters[at] == evidence.chapter:
            near = search.spans[at]
            wider = Span(min(kept.start, near.start), max(kept.end, near.end))
            kept = wider if len(wider) <= LONGEST else kept
    return Span(kept.start, min(kept.end, kept.start + LONGEST))


def _with_names(span: Span, cast: CastIndex) -> str:
    text, names = cast.book.text, list(pronoun_names(span, cast))
    ends = [span.start, *(name.end for name in names), span.end]
    marked = _MARK.join(text[start:end].replace(_MARK, "") for start, end in pairwise(ends))
    parts = quoted(marked).split(_MARK)
    added = [f" [{quoted_name(name.name)}]" for name in names]
    return "".join(part + name for part, name in zip(parts, [*added, ""], strict=True))
