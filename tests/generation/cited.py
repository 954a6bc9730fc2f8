"""What holds for every citation of every answer, whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from generation.types import Context, Draft, Portrait
from retrieval.types import Passage
from service.wire.answers import CitationOut


def assert_cited(written: Draft | Portrait, context: Context, *, shown: Sequence[Passage] = ()) -> None:
    """A citation is words of its chapter before the gate, and of a passage of `shown` if there are any."""
    book, facts = context.book, written.facts if isinstance(written, Portrait) else ()
    end = len(book.text) if context.upto is None else context.upto
    cited = [citation for sentence in written.sentences for citation in sentence.citations]
    for place in (*cited, *(citation for fact in facts for citation in fact.verdict.evidence)):
        quote = CitationOut.of(place, book=book).quote
        assert quote.strip()
        assert quote == book.text[place.span.start : place.span.end]
        assert book.chapters[place.chapter].span.covers(place.span), f"“{quote}” is of another chapter"
        assert place.span.end <= end, f"“{quote}” is past the gate"
    for place in cited if shown else ():
        assert any(p.span.covers(place.span) and p.chapter == place.chapter for p in shown), "not shown"
