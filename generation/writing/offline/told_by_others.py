"""Read what characters say about each other like narration, with `I` as the speaker."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from coref.types import Mention, MentionKind, Quote
from generation.story.sentence_grammar import SentenceGrammar
from generation.story.types import Deed

_FACED = frozenset(("you", "thou", "ye"))
_SURE = 0.8
"""Confidence in a speaker from which their statements count."""
_THIRD = 0.5
_HEARD = 0.6
"""Confidence in the addressee from which `you` is certain."""


class Spoken(SentenceGrammar):
    """The grammar of direct speech alone."""

    def quoted(self, i: int) -> bool:
        """Treat narration as quoted, so that a reader of direct speech skips it."""
        return self.quote(i) is None

    def quote(self, i: int) -> Quote | None:
        """Return the quote that contains a word, if its speaker is certain."""
        return self.quote_at(self.parse.starts[i])

    def quote_at(self, offset: int) -> Quote | None:
        at = bisect_right(self._begun, offset) - 1
        found = self._quotes[at] if at >= 0 else None
        return found if found is not None and found.span.end > offset else None

    def speaker(self, deed: Deed) -> str | None:
        """Return who reports an event, if it is certain."""
        found = self.quote(deed.word)
        return found.speaker if found is not None and found.speaker in self.cast.by_id else None

    def doubt(self, mention: Mention) -> float:
        """Return the uncertainty of a mention. `he` and `she` are never certain: their names may be in
        another speaker's quote.
        """
        if self.cast.book.slice(mention.span).casefold() in _FACED and mention.confidence >= _HEARD:
            return 0.0
        doubt = super().doubt(mention)
        third = mention.kind is not MentionKind.PROPER and not self._own(mention)
        return max(doubt, _THIRD) if third else doubt

    def _own(self, mention: Mention) -> bool:
        quote = self.quote_at(mention.span.start)
        return quote is not None and quote.speaker == mention.character

    @cached_property
    def _quotes(self) -> list[Quote]:
        sure = [q for q in self.cast.annotations.quotes if q.confidence >= _SURE]
        return sorted(sure, key=lambda q: q.span.start)

    @cached_property
    def _begun(self) -> list[int]:
        return [q.span.start for q in self._quotes]
