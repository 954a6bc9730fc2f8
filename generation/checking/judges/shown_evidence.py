"""What a language model is shown of the evidence: what is around it, its chapter, and who is meant.

Of a citation it sees the whole passage, of other evidence the sentences, each with one more on either side.

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
"""Maximum number of characters of a passage, with the names added to it if it is made wider."""
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
    span = _around(evidence, search_of(cast), whole=evidence in case.cited)
    names = [quoted_name(name) for name in speakers_in(span, cast)]
    speaking = f"; speaking: {', '.join(names)}" if names else ""
    told = f"(chapter {evidence.chapter + 1}{speaking}) {_with_names(span, cast)}"
    return ShownPassage(span, evidence.chapter, told)


def _around(evidence: Evidence, search: SentenceSearch, *, whole: bool) -> Span:
    """Return the span, or the `whole` passage that it is of, with the sentences of the chapter next to it.

    If that is too long, the sentences nearest to the span are taken.
    """
    inside = search.within(evidence.span)
    if not inside:
        return Span(evidence.span.start, min(evidence.span.end, evidence.span.start + LONGEST))
    first, last = inside[0], inside[-1]
    kept = _joined(_joined(evidence.span, search.spans[first]), search.spans[last])
    passage = search.within(search.place_of(first)) if whole else inside
    near = range(max(0, min(first, passage[0]) - 1), min(len(search), max(last, passage[-1]) + 2))
    for at in sorted(near, key=lambda at: (at not in passage, max(first - at, at - last))):
        if search.chapters[at] == evidence.chapter:
            kept = _wider(kept, search.spans[at], search.cast)
    return Span(kept.start, min(kept.end, kept.start + LONGEST))


def _wider(span: Span, more: Span, cast: CastIndex) -> Span:
    """Return the span with more of the book, or as it is if that is too long."""
    wider = _joined(span, more)
    return wider if len(_with_names(wider, cast)) <= LONGEST else span


def _joined(one: Span, other: Span) -> Span:
    return Span(min(one.start, other.start), max(one.end, other.end))


def _with_names(span: Span, cast: CastIndex) -> str:
    text, names = cast.book.text, list(pronoun_names(span, cast))
    ends = [span.start, *(name.end for name in names), span.end]
    marked = _MARK.join(text[start:end].replace(_MARK, "") for start, end in pairwise(ends))
    parts = quoted(marked).split(_MARK)
    added = [f" [{quoted_name(name.name)}]" for name in names]
    return "".join(part + name for part, name in zip(parts, [*added, ""], strict=True))
