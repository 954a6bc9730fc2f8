"""The sentences that annotations are about, and how far GPT-4 and people mean the same ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evaluation.agreement import cohen
from evaluation.booookscore.types import AnnotatedSystem, Confusion
from retrieval.sentences import split

OF_A_SENTENCE: Final = 0.5
"""Share of a sentence that is inside a span which is meant to be a sentence, however it was split."""


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """The sentences of the summaries that both GPT-4 and people annotated."""

    name: str
    sentences: int
    gpt4: int
    people: int
    """Sentences with any marked word."""
    both: int
    kappa: float | None
    """Cohen's."""


def agreement(model: AnnotatedSystem, people: AnnotatedSystem) -> SentenceAgreement:
    """Compare what two sources say of the same summaries."""
    marked = {each.book: each for each in people.summaries}
    said: list[tuple[bool, bool]] = []
    for summary in model.summaries:
        other = marked.get(summary.book)
        if summary.confusions is None or other is None or other.text != summary.text:
            continue
        one = {at for at, _ in touched(summary.text, summary.confusions, share=OF_A_SENTENCE)}
        two = {at for at, _ in touched(summary.text, other.confusions or ())}
        said += ((at in one, at in two) for at in range(len(split(summary.text))))
    ones, twos = [one for one, _ in said], [two for _, two in said]
    both = sum(one and two for one, two in said)
    return SentenceAgreement(model.name, len(said), sum(ones), sum(twos), both, cohen(ones, twos))


def touched(text: str, confusions: Iterable[Confusion], *, share: float = 0.0) -> list[tuple[int, Confusion]]:
    """Return the sentences that a confusion is about: more than this share of them is inside a span."""
    spans = split(text)
    found: list[tuple[int, Confusion]] = []
    for confusion in confusions:
        for words in confusion.spans:
            start = text.find(words)
            while start >= 0:
                end = start + len(words)
                found += (
                    (at, confusion)
                    for at, span in enumerate(spans)
                    if min(span.end, end) - max(span.start, start) > share * len(span)
                )
                start = text.find(words, end) if words else -1
    return found
