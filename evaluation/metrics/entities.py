"""Entity recall: the share of the reference's names that the answer mentions too.

The names in a reference come from the native tagger, and from the names that the book has for its people. A
person matches by any of these: `Lizzy` where the reference has `Elizabeth Bennet`. Other names must be equal,
ignoring titles and articles. In a Chinese text only people are recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coref.resolver_names import NATIVE
from coref.types import EntityCategory, Mention, MentionKind
from evaluation.metrics.roster import Key, Roster, RosterName, bare, name_words
from evaluation.metrics.types import MetricSample, Scores
from retrieval.tokenizer import has_han

if TYPE_CHECKING:
    from coref.native.resolver import NativeResolver


@dataclass(frozen=True, slots=True)
class NamedEntity:
    person: bool
    characters: frozenset[str] = frozenset()
    """The members of the book's cast who may be meant."""
    words: Key = ()
    """Words of the name, if it is nobody in the cast."""


class EntityRecall:
    name = f"entities/1-{NATIVE}"
    columns = ("entity_recall", "people_recall")

    def __init__(self) -> None:
        self._resolver: NativeResolver | None = None
        self._tagged: dict[str, tuple[Mention, ...]] = {}
        """References, which are the same for every system that is measured."""

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        self._tag(sample.reference for sample in samples)
        rosters: dict[int, Roster] = {}
        found: list[Scores] = []
        for sample in samples:
            whose = id(sample.annotations)
            roster = rosters[whose] = rosters.get(whose) or Roster(sample.annotations.characters)
            wanted = entities(sample.reference, self._tagged[sample.reference], roster)
            hits = set(_named(wanted, sample.answer, roster))
            people = {entity for entity in wanted if entity.person}
            found.append(
                {"entity_recall": _share(hits, wanted), "people_recall": _share(hits & people, people)}
            )
        return found

    def _tag(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._tagged]
        plain = [text for text in new if not has_han(text)]
        if any(text.strip() for text in plain):
            from coref.native.resolver import NativeResolver

            self._resolver = self._resolver or NativeResolver()
            self._tagged |= zip(plain, self._resolver.tag(plain), strict=True)
        for text in new:
            self._tagged.setdefault(text, _chinese_mentions(text) if has_han(text) else ())


def entities(text: str, mentions: Sequence[Mention], roster: Roster) -> set[NamedEntity]:
    """Return the named entities of a text: people of the cast, and other names that the tagger finds."""
    named = [mention for mention in mentions if mention.kind is not MentionKind.PRONOUN]
    people = [n for n in roster.find(text) if n.sure or any(n.span.overlaps(m.span) for m in named)]
    found = {NamedEntity(True, characters=naming.characters) for naming in people}
    proper = [m for m in named if m.kind is MentionKind.PROPER]
    for mention in proper:
        words = bare(name_words(mention.surface))
        if words and not _is_known(mention, people) and _is_name(mention, proper):
            found.add(NamedEntity(mention.category is EntityCategory.PERSON, words=words))
    return found


def _is_known(mention: Mention, people: Iterable[RosterName]) -> bool:
    return any(mention.span.overlaps(naming.span) for naming in people)


def _is_name(mention: Mention, proper: Iterable[Mention]) -> bool:
    """Return whether a mention is a name, and not so long that it contains another name."""
    from coref.native.resolver import says_more

    inside = any(m is not mention and mention.span.covers(m.span) for m in proper)
    return not inside and not says_more(mention.surface)


def _named(wanted: Iterable[NamedEntity], answer: str, roster: Roster) -> Iterator[NamedEntity]:
    owners = set().union(*(naming.characters for naming in roster.find(answer)))
    words = f" {' '.join(name_words(answer))} "
    for entity in wanted:
        if entity.characters & owners or (entity.words and f" {' '.join(entity.words)} " in words):
            yield entity


def _share(hits: set[NamedEntity], wanted: set[NamedEntity]) -> float | None:
    return len(hits) / len(wanted) if wanted else None


def _chinese_mentions(text: str) -> tuple[Mention, ...]:
    from coref.chinese.resolver import ChineseResolver
    from coref.native.text_parser import as_book

    return ChineseResolver().annotate(as_book(text)).mentions
