"""What a book's annotations say of each sentence, as columns: mentions, traits and quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coref.language.syntax import Parse
from coref.language.word_lists import table as word_table
from coref.packing import Coded
from coref.types import Annotations, MentionKind, QuoteType, TraitKind
from retrieval.telling.sentence_table import Floats, Ints, SentenceTable

SUBJECT, OBJECT, OWNER, BESIDE = 1, 2, 3, 4
_ROLES = {
    **dict.fromkeys(("nsubj", "nsubj:pass", "csubj"), SUBJECT),
    **dict.fromkeys(("obj", "iobj", "obl", "obl:agent"), OBJECT),
    "nmod:poss": OWNER,
    **dict.fromkeys(("appos", "vocative"), BESIDE),
}
_NAMED = (None, QuoteType.EXPLICIT)
"""How a quote is attributed if its speaker is named beside it; None if the resolver does not say."""
_MAIN_CAST = 8
"""Number of the most mentioned characters, as far as the book has come, that count as main ones."""


class MentionColumns:
    def __init__(self, table: SentenceTable, annotations: Annotations) -> None:
        mentions, pronouns = annotations.mentions, word_table("pronoun_classes")
        kinds = {MentionKind.PROPER: 0, MentionKind.NOMINAL: 1, MentionKind.PRONOUN: 2}
        self.start = np.fromiter((m.span.start for m in mentions), np.int64, len(mentions))
        self.sentence = table.sentence_at(self.start.tolist())
        self.kind = np.fromiter((kinds[m.kind] for m in mentions), np.int8, len(mentions))
        self.kind[_by_title(annotations)] = kinds[MentionKind.PROPER]
        self.who = np.fromiter((table.number_of(m.character) for m in mentions), np.int32, len(mentions))
        self.confidence = np.fromiter((m.confidence for m in mentions), np.float32, len(mentions))
        person = np.array([pronouns.get(m.surface.casefold(), "") for m in mentions], np.str_)
        self.first_person, self.second_person = person == "i", person == "you"
        self.bearers = _bearers(table.text, annotations)
        end = np.fromiter((m.span.end for m in mentions), np.int64, len(mentions))
        self.role = _roles(annotations.parse, self.start, end)
        self.main = _main_so_far(self.who)
        self.so_far = np.cumsum(table.count(self.sentence[self.who >= 0]))


def _by_title(annotations: Annotations) -> list[int]:
    """Return the mentions by a noun that serves as a name: `the lamplighter`, the first noun for somebody.

    It does so until the book names them, so that reading on changes nothing.
    """
    titles: dict[str, str] = {}
    named: set[str] = set()
    found = []
    for n, m in enumerate(annotations.mentions):
        if m.character is None or m.character in named or m.kind is MentionKind.PRONOUN:
            continue
        if m.kind is MentionKind.PROPER:
            named.add(m.character)
            continue
        said = f"{m.surface.casefold()} "
        if said.startswith(titles.setdefault(m.character, said)):
            found.append(n)
    return found


class TraitColumns:
    def __init__(self, table: SentenceTable, annotations: Annotations) -> None:
        traits = annotations.traits
        kinds = {kind: n for n, kind in enumerate(TraitKind)}
        self._table = table
        self._sentence = table.sentence_at(t.span.start for t in traits)
        self.kind = np.fromiter((kinds[t.kind] for t in traits), np.int8, len(traits))
        self._who = np.fromiter((table.number_of(t.character) for t in traits), np.int32, len(traits))
        self.other = np.fromiter((table.number_of(t.other) for t in traits), np.int32, len(traits))
        self.denied = np.fromiter((t.negated for t in traits), np.bool_, len(traits))
        self.modal = np.fromiter((t.modal is not None for t in traits), np.bool_, len(traits))
        self._relation = np.isin(self.kind, (kinds[TraitKind.KIN], kinds[TraitKind.SOCIAL]))

    def of(self, number: int) -> dict[str, Any]:
        mine = self._who == number
        return {
            **{
                f"trait: {kind.value}": np.log1p(self.count(mine & (self.kind == n)))
                for n, kind in enumerate(TraitKind)
            },
            "relation of another": np.log1p(self.count((self.other == number) & self._relation)),
            "denied": self.count(mine & self.denied) > 0,
            "not a fact": self.count(mine & self.modal) > 0,
            "trait with another": self.count(mine & (self.other >= 0)) > 0,
        }

    def count(self, chosen: NDArray[np.bool_]) -> Floats:
        return self._table.count(self._sentence[chosen])


class QuoteColumns:
    def __init__(self, table: SentenceTable, annotations: Annotations) -> None:
        self._annotations = annotations
        rows = [
            (sentence, table.number_of(q.speaker), table.number_of(q.addressee))
            for q in annotations.quotes
            for sentence in table.sentences_in(q.span)
        ]
        self._sentence, self._speaker, self._hearer = np.array(rows, np.int64).reshape(-1, 3).T
        self.count = table.count
        self.certainty = np.zeros_like(table.count(self._sentence))
        """The highest confidence of a known speaker in each sentence."""
        self.named = np.zeros_like(self.certainty)
        """The same of a speaker whom the book names beside the words."""
        for quote in annotations.quotes:
            if quote.speaker is not None:
                inside = table.sentences_in(quote.span)
                for column in (self.certainty, self.named)[: 1 + (quote.type in _NAMED)]:
                    column[inside.start : inside.stop] = np.maximum(
                        column[inside.start : inside.stop], quote.confidence
                    )

    def by(self, number: int) -> NDArray[np.bool_]:
        return self.count(self._sentence[(self._speaker == number) & (number >= 0)]) > 0

    def to(self, number: int) -> NDArray[np.bool_]:
        return self.count(self._sentence[(self._hearer == number) & (number >= 0)]) > 0

    def by_another(self, number: int) -> NDArray[np.bool_]:
        return self.count(self._sentence[(self._speaker >= 0) & (self._speaker != number)]) > 0

    def share(self, starts: Ints, ends: Ints, length: int) -> Floats:
        """Return what share of each sentence is in quotes."""
        depth = np.zeros(length + 1, np.int32)
        for quote in self._annotations.quotes:
            depth[quote.span.start] += 1
            depth[min(length, quote.span.end)] -= 1
        inside = np.concatenate(([0], np.cumsum(np.cumsum(depth) > 0)))
        found: Floats = ((inside[ends] - inside[starts]) / np.maximum(1, ends - starts)).astype(np.float32)
        return found


def _bearers(text: str, annotations: Annotations) -> Floats:
    """Return for each name how many people have had its last word for a name so far, as a logarithm."""
    people: dict[str, set[str | None]] = {}
    found = np.zeros(len(annotations.mentions), np.float32)
    for n, mention in enumerate(annotations.mentions):
        if mention.kind is MentionKind.PROPER and mention.character is not None:
            bearers = people.setdefault(mention.span.of(text).split()[-1].casefold(), set())
            bearers.add(mention.character)
            found[n] = np.log1p(len(bearers))
    return found


def _main_so_far(who: Ints) -> NDArray[np.bool_]:
    """Return whether each mention means one of the most mentioned characters up to there."""
    found = np.zeros(len(who), np.bool_)
    counts: Counter[int] = Counter()
    main: dict[int, None] = {}
    for n, person in enumerate(who.tolist()):
        if person < 0:
            continue
        counts[person] += 1
        if person not in main:
            least = min(main, key=counts.__getitem__) if len(main) == _MAIN_CAST else None
            if least is not None and counts[person] > counts[least]:
                del main[least]
            if len(main) < _MAIN_CAST:
                main[person] = None
        found[n] = person in main
    return found


def _roles(parse: Parse | None, starts: Ints, ends: Ints) -> Ints:
    """Return the grammatical role of each mention: that of its word whose head lies outside of it."""
    found = np.zeros(len(starts), np.int8)
    if parse is None or not len(parse) or not len(starts):
        return found
    words = np.asarray(parse.starts)
    first, end = np.searchsorted(words, starts), np.searchsorted(words, ends)
    size = np.maximum(0, end - first)
    mention = np.repeat(np.arange(len(starts)), size)
    word = np.repeat(first, size) + np.arange(len(mention)) - np.repeat(np.cumsum(size) - size, size)
    heads = np.asarray(parse.heads)[word]
    outside = (heads < first[mention]) | (heads >= end[mention])
    coded, names = codes(parse.relations)
    role_of = np.array([_ROLES.get(name, 0) for name in names] or [0], np.int8)
    found[mention[outside][::-1]] = role_of[coded[word[outside][::-1]]]
    return found


def codes(column: Sequence[str]) -> tuple[Ints, Sequence[str]]:
    """Return a coded column as numbers, with the names they stand for."""
    if isinstance(column, Coded):
        return np.frombuffer(column.codes, np.dtype(column.codes.format)), column.names
    names = sorted(set(column))
    place = {name: n for n, name in enumerate(names)}
    return np.fromiter((place[name] for name in column), np.int32, len(column)), names
