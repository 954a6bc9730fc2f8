"""Claims of sentences without a parse: of texts that are too long to be parsed, or not English.

Each sentence is one claim. It stays as it is written, and it is known whom its pronouns mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from books.types import Span
from coref.types import Character
from generation.checking.claims.standalone_wording import ended
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import PRONOUN, agrees
from generation.types import Category, Claim, Context, Sentence
from retrieval import sentences

CITED = re.compile(r"\s*\[[^\]]{1,60}\]")
_STOPS = " .!?;,。！？；，"


def read(sentences_read: Iterable[tuple[int, Sentence]], context: Context) -> Iterator[Claim]:
    """Yield the claims of some sentences of a draft, in order, each with its position."""
    cast = cast_of(context.book, context.annotations)
    reader = _SentenceReader(context, cast)
    subject: Character | None = None
    for at, sentence in sentences_read:
        for span in sentences.split(sentence.text):
            subject = reader.subject(sentence, span.of(sentence.text), subject)
            if (claim := reader.claim(at, sentence, span, subject)) is not None:
                yield claim


def stated(at: int, sentence: Sentence) -> Iterator[Claim]:
    """Yield what a writer says that its sentence states. The verdict does not come from it."""
    for fact in sentence.stated:
        yield Claim(
            text=fact.text,
            category=fact.category,
            sentence=at,
            span=fact.span,
            subject=fact.subject,
            citations=fact.citations or sentence.citations,
            people=fact.people,
            quoted=fact.quoted,
        )


@dataclass(frozen=True, slots=True)
class _SentenceReader:
    context: Context
    cast: CastIndex

    def subject(self, sentence: Sentence, text: str, before: Character | None) -> Character | None:
        """Return the subject of a sentence: the declared one, the first named, or the previous sentence's."""
        if sentence.characters:
            return self.cast.by_id.get(sentence.characters[0])
        opening = PRONOUN.search(text[:40])
        named = self.cast.names.find(text)
        if named and not (opening and opening.start() < named[0].span.start):
            return self.cast.by_id[named[0].character]
        asked = self.context.people
        candidates = [c for c in (before, *asked) if c and (not opening or agrees(opening.group(), c))]
        return next(iter(candidates), None)

    def claim(self, at: int, sentence: Sentence, span: Span, subject: Character | None) -> Claim | None:
        body = span.of(sentence.text).rstrip(_STOPS)
        said = CITED.sub("", body).strip(" ,")
        if not said:
            return None
        people = self.cast.names.people_in(said, subject)
        opens = people[0].character if people and people[0].span.start == 0 else None
        return Claim(
            text=ended(said),
            category=Category.OTHER,
            sentence=at,
            span=Span(span.start, span.start + len(body)),
            subject=opens or (subject.id if subject else None),
            citations=sentence.citations,
            people=people,
        )
