"""Annotations in BookNLP's file formats, for programs that read those.

Columns that only BookNLP's parser fills are `_` (lemma, part of speech, dependency), every word is its own
head, and no word is an event. Denied and merely possible traits are left out of the lists of what people do,
undergo, are and have, because these have no place for factuality. A mention of nothing known has cluster -1,
as in BookNLP's own files when it is not asked to resolve. The narrator's cluster is 0.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from books.types import Book
from coref.booknlp.characters import NARRATOR_CLUSTER
from coref.booknlp.output_files import ENTITIES, QUOTES, ROLES, TOKENS, UNRESOLVED
from coref.export.words import NumberedWords, cut
from coref.types import Annotations, Character, Mention, MentionKind, Quote, Trait, TraitKind

UNKNOWN = "_"
_ROLES = dict(zip((TraitKind.DOES, TraitKind.UNDERGOES, TraitKind.IS, TraitKind.HAS), ROLES, strict=True))
_OWNED = "poss"
_BUCKETS = {"proper": MentionKind.PROPER, "common": MentionKind.NOMINAL, "pronoun": MentionKind.PRONOUN}
_SETS = {"she/her": "she/her", "he/him": "he/him/his", "they/them": "they/them/their", "it/its": "it/its"}


def to_booknlp(book: Book, annotations: Annotations) -> dict[str, str]:
    """Return the content of each file, keyed by its ending: `tokens`, `entities`, `quotes` and `book`."""
    sheet, clusters = cut(book, annotations), cluster_numbers(annotations)
    return {
        "tokens": _table(TOKENS, _tokens(sheet)),
        "entities": _table(ENTITIES, _entities(annotations, sheet, clusters)),
        "quotes": _table(QUOTES, _quotes(annotations, sheet, clusters)),
        "book": json.dumps(_book(book, annotations, sheet, clusters), ensure_ascii=False),
    }


def cluster_numbers(annotations: Annotations) -> dict[str | None, int]:
    """Return a number for each character: 0 for the narrator, the others from 1 in order."""
    numbers: dict[str | None, int] = {None: UNRESOLVED}
    others = (c for c in annotations.characters if c.id != annotations.narrator)
    numbers.update((c.id, number) for number, c in enumerate(others, NARRATOR_CLUSTER + 1))
    if annotations.narrator is not None:
        numbers[annotations.narrator] = NARRATOR_CLUSTER
    return numbers


def cluster_of(mention: Mention, clusters: Mapping[str | None, int]) -> int:
    """Return the cluster of a mention. Entities that are no characters are numbered after the characters."""
    if mention.character is None and mention.entity is not None:
        return len(clusters) + mention.entity
    return clusters[mention.character]


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in (head, *rows))


def _tokens(sheet: NumberedWords) -> Iterator[tuple[object, ...]]:
    for number, w in enumerate(sheet.words):
        known = (w.paragraph, w.sentence, w.place, number, w.text, UNKNOWN, w.span.start, w.span.end)
        yield (*known, UNKNOWN, UNKNOWN, UNKNOWN, number, "O")


def _entities(
    annotations: Annotations, sheet: NumberedWords, clusters: Mapping[str | None, int]
) -> Iterator[tuple[object, ...]]:
    for mention in annotations.mentions:
        first, last = sheet.range(mention.span)
        category = mention.category.value
        cluster = cluster_of(mention, clusters)
        yield cluster, first, last, mention.kind.value, category, sheet.phrase(first, last)


def _quotes(
    annotations: Annotations, sheet: NumberedWords, clusters: Mapping[str | None, int]
) -> Iterator[tuple[object, ...]]:
    theirs: dict[str | None, list[Mention]] = defaultdict(list)
    for mention in annotations.mentions:
        theirs[mention.character].append(mention)
    for quote in annotations.quotes:
        first, last = sheet.range(quote.span)
        by = _nearest(quote, theirs[quote.speaker]) if quote.speaker else None
        place = sheet.range(by.span) if by else None
        said = (*place, sheet.phrase(*place)) if place else (None, None, None)
        speaker = clusters[quote.speaker] if quote.speaker else None
        yield first, last, *said, speaker, sheet.phrase(first, last)


def _nearest(quote: Quote, mentions: list[Mention]) -> Mention | None:
    """Return the speaker's mention nearest to the quote, from which BookNLP would take the speaker."""
    at = bisect_left(mentions, quote.span.start, key=lambda m: m.span.start)
    after = next((m for m in mentions[at:] if m.span.start >= quote.span.end), None)
    before = mentions[at - 1] if at else None
    around = [m for m in (before, after) if m is not None]
    return min(
        around,
        key=lambda m: max(quote.span.start - m.span.end, m.span.start - quote.span.end),
        default=None,
    )


def _book(
    book: Book, annotations: Annotations, sheet: NumberedWords, clusters: Mapping[str | None, int]
) -> dict[str, Any]:
    roles = _roles(annotations, sheet)
    said: dict[str | None, dict[MentionKind, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for mention in annotations.mentions:
        words = " ".join((mention.surface or book.slice(mention.span)).split())
        said[mention.character][mention.kind][words] += 1
    people = [_character(c, said[c.id], roles[c.id], clusters[c.id]) for c in annotations.characters]
    return {"characters": people}


Words = dict[str, list[dict[str, Any]]]


def _roles(annotations: Annotations, sheet: NumberedWords) -> dict[str, Words]:
    """Return words with their numbers by character and role. Whoever has a sister has the word `sister`."""
    found: dict[str, Words] = defaultdict(lambda: {role: [] for role in ROLES})
    for trait in annotations.traits:
        who = trait.character if trait.kind in _ROLES else trait.other
        number = _head(sheet, trait)
        if not (trait.negated or trait.modal or who is None or number is None):
            word = {"w": sheet.words[number].text, "i": number}
            found[who][_ROLES.get(trait.kind, _OWNED)].append(word)
    return found


def _head(sheet: NumberedWords, trait: Trait) -> int | None:
    """Return the word of a trait that is most similar to the lemma, the last one among equals."""
    numbers = sheet.touching(trait.span)
    return max(numbers, key=lambda n: (_alike(sheet.words[n].text.casefold(), trait.lemma), n), default=None)


def _alike(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in pairs)


def _character(
    character: Character, said: Mapping[MentionKind, Counter[str]], roles: Words, cluster: int
) -> dict[str, Any]:
    chosen = _SETS.get(character.pronouns or "")
    return {
        **roles,
        "id": cluster,
        "g": {"inference": {chosen: 1.0}, "argmax": chosen, "max": 1.0} if chosen else None,
        "count": character.mention_count,
        "mentions": {
            bucket: [{"c": count, "n": words} for words, count in said[kind].most_common()]
            for bucket, kind in _BUCKETS.items()
            if kind in said
        }
        | {bucket: [] for bucket, kind in _BUCKETS.items() if kind not in said},
    }
