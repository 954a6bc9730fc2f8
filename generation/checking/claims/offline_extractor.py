"""The offline extractor: stated facts are taken from their writer, other sentences are parsed and split.

The categories of what is not stated are learnt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from books.languages import identify
from coref.errors import ResolverUnavailable
from coref.protocols import ParsesText
from generation.checking.categories import categorised
from generation.checking.claims import claim_reading, sentence_claims
from generation.checking.claims.bundled_parser import native
from generation.checking.protocols import Extracted
from generation.errors import told_in_log
from generation.types import Context, Draft, Sentence

NAME = "offline/6"
MOST_PARSED = 5_000
"""Tokens of a text. Parsing this many takes two seconds."""
TOO_LONG = "The text is long: what follows its first pages was taken sentence by sentence."

NO_PARSER = "The text was taken sentence by sentence, without its grammar: {why}"

_WORD = re.compile(r"\w+|[^\w\s]")
_Placed = tuple[int, Sentence]


class OfflineExtractor:
    name = NAME

    def __init__(self, parser: Callable[[], ParsesText] = native) -> None:
        """Create the extractor. `parser` is called when there is something to parse."""
        self._parser = parser

    def extract(self, draft: Draft, context: Context) -> Extracted:
        known = [(at, s) for at, s in enumerate(draft.sentences) if s.stated]
        unknown = [(at, s) for at, s in enumerate(draft.sentences) if s.unread]
        stated = [c for at, s in known for c in sentence_claims.stated(at, s)]
        parsed, rest = _shared(unknown)
        notes = (TOO_LONG,) if parsed and rest else ()
        try:
            read = list(claim_reading.read(parsed, context, told_in_log(self._parser))) if parsed else []
        except ResolverUnavailable as error:
            read, rest, notes = [], unknown, (NO_PARSER.format(why=error.detail),)
        read += sentence_claims.read(rest, context)
        return Extracted(sorted((*stated, *categorised(read)), key=lambda claim: claim.sentence), notes)


def _shared(sentences: Sequence[_Placed]) -> tuple[list[_Placed], list[_Placed]]:
    """Return the sentences that are parsed, none of a text in another language, and the others."""
    if identify(" ".join(s.text for _, s in sentences)[:20_000]) not in (None, "en"):
        return [], list(sentences)
    words, taken = 0, 0
    for _, sentence in sentences:
        words += sum(1 for _ in _WORD.finditer(sentence.text))
        if words > MOST_PARSED:
            break
        taken += 1
    return list(sentences[:taken]), list(sentences[taken:])
