"""Claims of a sentence whose writer reports the facts it was composed from, so that it need not be parsed."""

from __future__ import annotations

from collections.abc import Iterator

from generation.story import counts
from generation.story.cast import CastIndex
from generation.types import Category, Claim, Context, Sentence


def claims_of(at: int, sentence: Sentence, context: Context, cast: CastIndex) -> Iterator[Claim]:
    for stated in sentence.stated:
        counted = counts.recognise(
            stated.text.rstrip("."), subject=stated.subject, context=context, cast=cast
        )
        yield Claim(
            text=stated.text,
            category=Category.OTHER if counted else stated.category,
            sentence=at,
            span=stated.span,
            subject=stated.subject,
            citations=stated.citations or sentence.citations,
            people=stated.people,
            counted=counted,
            composed=True,
        )
