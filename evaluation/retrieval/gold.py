"""The gold's statements about a novel's passages, and the cast that a perfect resolver would give.

The corpus annotates quotes: the speaker of each, and the people meant inside it. It has no annotations of
narration. So the gold knows that somebody speaks or is mentioned *in a quote* of a passage; that somebody is
not mentioned it knows only for passages that consist of speech.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from books.types import Span
from coref.language.word_lists import table
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote
from evaluation.coref.casting import plain_name
from evaluation.coref.pdnc import PdncNovel
from retrieval.postings import Ints
from retrieval.sentences import touched

RESOLVER = "gold/1"
_LETTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class CharacterPassages:
    """The passages of a character in the gold, by their positions in the book, like everything here."""

    speaking: set[int] = field(default_factory=set)
    mentioned: set[int] = field(default_factory=set)

    @property
    def anyhow(self) -> set[int]:
        return self.speaking | self.mentioned


@dataclass(frozen=True, slots=True)
class WantedPassages:
    characters: Mapping[str, CharacterPassages]
    """By main name; a character without passages is left out."""
    quoting: frozenset[int]
    """Passages that contain part of a quote."""
    speech: frozenset[int]
    """Passages that consist of quotes: for these the gold knows everybody who is mentioned."""


def wanted(novel: PdncNovel, spans: Ints) -> WantedPassages:
    """Return the wanted passages; `spans` are start and end of each passage of the novel."""
    found: defaultdict[str, CharacterPassages] = defaultdict(CharacterPassages)
    quoted: dict[int, list[Span]] = {}
    for quote in novel.quotes:
        for span in quote.spans:
            for at in touched(span, *spans.T):
                quoted.setdefault(at, []).append(span)
                found[quote.speaker].speaking.add(at)
        for mention in quote.mentions:
            for at in touched(mention.span, *spans.T):
                quoted.setdefault(at, [])
                for who in mention.characters:
                    found[who].mentioned.add(at)
    people = {name: found[name] for name in sorted(found) if novel.has_somebody(name)}
    speech = (at for at, within in quoted.items() if not _has_narration(novel.book.text, spans[at], within))
    return WantedPassages(people, frozenset(quoted), frozenset(speech))


def oracle(novel: PdncNovel) -> Annotations:
    """Return the gold as annotations: quotes with speakers, their mentions, and the names in the book.

    A mention of several people becomes one for each.
    """
    cast = [character for character in novel.cast.values() if character.somebody]
    mentions = sorted(_mentions(novel), key=lambda mention: (mention.key, mention.character or ""))
    quotes = [
        Quote(span, quote.speaker, None, 1.0)
        for quote in novel.quotes
        if novel.has_somebody(quote.speaker)
        for span in quote.spans
    ]
    characters = [_character(c.name, sorted(c.aliases), novel.book.text, mentions) for c in cast]
    return Annotations(
        RESOLVER,
        tuple(sorted(characters, key=lambda c: (-c.mention_count, c.name))),
        tuple(mentions),
        tuple(sorted(quotes, key=lambda quote: quote.span)),
    )


def _has_narration(text: str, passage: Sequence[int], quoted: Sequence[Span]) -> bool:
    """Return whether the passage contains words outside of quotes."""
    at, end = passage
    for span in sorted(quoted):
        if _LETTER.search(text, at, max(at, min(span.start, end))):
            return True
        at = max(at, span.end)
    return _LETTER.search(text, min(at, end), end) is not None


def _mentions(novel: PdncNovel) -> Iterator[Mention]:
    names = {plain_name(alias) for character in novel.cast.values() for alias in character.aliases}
    for quote in novel.quotes:
        for mention in quote.mentions:
            surface = mention.span.of(novel.book.text)
            for who in dict.fromkeys(mention.characters):
                if novel.has_somebody(who):
                    yield Mention(mention.span, _kind(surface, names), who, surface)


def _kind(surface: str, names: set[str]) -> MentionKind:
    if surface.casefold() in table("pronoun_classes"):
        return MentionKind.PRONOUN
    return MentionKind.PROPER if plain_name(surface) in names else MentionKind.NOMINAL


def _character(name: str, aliases: Sequence[str], text: str, mentions: Sequence[Mention]) -> Character:
    mine = [mention for mention in mentions if mention.character == name]
    used = [alias for written in aliases if (alias := _alias(written, text)) is not None]
    return Character(
        id=name,
        name=name,
        aliases=tuple(sorted(used, key=lambda alias: (-alias.count, alias.text))),
        kind=CharacterKind.PERSON,
        pronouns=None,
        mention_count=len(mine),
        first=mine[0].span.start if mine else 0,
    )


def _alias(written: str, text: str) -> Alias | None:
    """Return None if the book never uses the name; the corpus capitalises articles that the book may not."""
    places = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(written)}(?!\w)", text, re.IGNORECASE)]
    return Alias(written, len(places), places[0]) if places else None
