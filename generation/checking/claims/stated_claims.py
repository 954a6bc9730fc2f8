"""Claims of a sentence whose writer says what it states, so that it need not be parsed.

Only the words, the subject and the places come from the writer. The verdict does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from generation.checking.claims.sentence_claims import counts_only
from generation.types import Claim, Sentence


def claims_of(at: int, sentence: Sentence) -> Iterator[Claim]:
    for stated in sentence.stated:
        if counts_only(stated.text):
            continue
        yield Claim(
            text=stated.text,
            category=stated.category,
            sentence=at,
            span=stated.span,
            subject=stated.subject,
            citations=stated.citations or sentence.citations,
            people=stated.people,
            quoted=stated.quoted,
        )
