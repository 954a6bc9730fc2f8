"""What a book's annotations show in each of its sentences, as columns, for the head that scores sentences.

Every sign of a sentence depends only on the sentence, its passage and what the book has said before it. So a
sentence has the same score whether a reader has finished the book or stopped soon after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.language.syntax import Parse
from coref.packing import Coded
from coref.types import Annotations, MentionKind, TraitKind
from retrieval.sentences import touched

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float32]

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself"))
_TAGS = ("PROPN", "ADJ", "NOUN", "VERB", "PRON")
_SUBJECT, _OBJECT, _OWNER, _BESIDE = 1, 2, 3, 4
_ROLES = {
    **dict.fromkeys(("nsubj", "nsubj:pass", "csubj"), _SUBJECT),
    **dict.fromkeys(("obj", "iobj", "obl", "obl:agent"), _OBJECT),
    "nmod:poss": _OWNER,
    **dict.fromkeys(("appos", "vocative"), _BESIDE),
}
_MAIN_CAST = 8
"""Number of the most mentioned characters, as far as the book has come, that count as main ones."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The sentences near a character, and one row of signs for each."""

    sentences: Ints
    signs: Floats
    present: NDArray[np.bool_]
    """Whether the sentence mentions the character or is spoken by them."""
    certainty: Floats
    """The highest confidence of a mention of the character in the sentence; 0 without one."""


class SentenceSigns:
    """The signs of one book's sentences. Those of all characters are computed from the same columns."""

    def __init__(self, text: str, annotations: Annotations, lines: Ints, chapters: Ints) -> None:
        """Take start, end and passage of each sentence, and the chapter of each passage."""
        self.text = text
        self._annotations = annotations
        self._starts, self._ends, self._passage = (np.asarray(column) for column in lines.T)
        self._count = len(lines)
        self._passages = int(self._passage[-1]) + 1 if self._count else 0
        self._number = {c.id: n for n, c in enumerate(annotations.characters)}
        self._mentions = _MentionColumns(self, annotations)
        self._traits = _TraitColumns(self, annotations)
        self._quotes = _QuoteColumns(self, annotations)
        self._common = self._common_signs(np.asarray(chapters)[self._passage] if self._count else lines[:, 2])

    def of(self, character: str) -> Candidates:
        """Return the sentences of every passage with the character, and of the passages beside it."""
        number = self._number.get(character, -1)
        signs, certainty, near = self._signs(number)
        chosen = np.flatnonzero(near)
        present = (certainty > 0) | (signs["spoken by them"] > 0)
        columns = {**signs, **self._common}
        rows = np.stack([np.asarray(c, np.float32)[chosen] for c in columns.values()], axis=1)
        return Candidates(chosen, rows, present[chosen], certainty[chosen])

    def number_of(self, character: str | None) -> int:
        return self._number.get(character or "", -1)

    def sentence_at(self, offsets: Iterable[int]) -> Ints:
        """Return the sentence in which each offset lies; -1 outside of all."""
        places = np.fromiter(offsets, np.int64)
        at = np.searchsorted(self._starts, places, side="right") - 1
        return np.where((at >= 0) & (places < self._ends[at]), at, -1) if self._count else at

    def sentences_in(self, span: Span) -> range:
        return touched(span, self._starts, self._ends)

    def count(self, sentences: Ints, weights: Floats | None = None) -> Floats:
        kept = sentences >= 0
        some = None if weights is None else weights[kept]
        return np.bincount(sentences[kept], some, minlength=self._count).astype(np.float32)

    def _signs(self, number: int) -> tuple[dict[str, Any], Floats, NDArray[np.bool_]]:
        m, t, q = self._mentions, self._traits, self._quotes
        mine, others = m.who == number, (m.who >= 0) & (m.who != number)
        certainty = self._surest(mine)
        has = certainty > 0
        named = self.count(m.sentence[mine & (m.kind == 0)])
        so_far, names_so_far = np.cumsum(has), np.cumsum(named > 0)
        since = self._since_last(named > 0)
        spoken, addressed = q.by(number), q.to(number)
        here = np.bincount(self._passage, has, minlength=self._passages)
        known = np.bincount(self._passage, named, minlength=self._passages) > 0
        voiced = np.bincount(self._passage, spoken, minlength=self._passages) > 0
        beside = _widened((here > 0) | voiced)
        signs: dict[str, Any] = {
            **{
                f"{name} of them": np.log1p(self.count(m.sentence[mine & (m.kind == kind)]))
                for kind, name in enumerate(("names", "nouns", "pronouns"))
            },
            **{
                f"{name} of others": np.log1p(self.count(m.sentence[others & (m.kind == kind)]))
                for kind, name in enumerate(("names", "nouns", "pronouns"))
            },
            "main characters": np.log1p(self.count(m.sentence[others & m.main])),
            "certainty": certainty,
            "certainty of another": self._surest(others),
            "bearers of the name": self._surest(mine, m.bearers),
            "first person": self.count(m.sentence[mine & m.first_person]) > 0,
            "place in the sentence": self._place(mine),
            **{
                name: self.count(m.sentence[mine & (m.role == role)]) > 0
                for name, role in (
                    ("subject", _SUBJECT),
                    ("object", _OBJECT),
                    ("owner", _OWNER),
                    ("beside a noun", _BESIDE),
                )
            },
            **t.of(number),
            "spoken by them": spoken,
            "certainty of the speaker": q.certainty,
            "spoken to them": addressed,
            "spoken by another": q.by_another(number),
            "sentences so far": np.log1p(so_far),
            "first sentences": np.exp(so_far / -5.0),
            "early sentences": np.exp(so_far / -40.0),
            "first name": (names_so_far == 1) & (named > 0),
            "since the first name": np.exp(-np.maximum(0, since.first) / 10.0),
            "since the last name": np.log1p(since.last),
            "has them": has,
            "in the passage": np.log1p(here[self._passage]),
            "named in the passage": known[self._passage],
            "narrates": np.full(self._count, float(number >= 0 and self._narrates(number))),
            "share so far": np.log((np.cumsum(self.count(m.sentence[mine])) + 1.0) / (m.so_far + 8.0)),
            "in the sentence before": self._shifted(has, 1),
            "in the sentence after": self._shifted(has, -1),
        }
        return signs, certainty, beside[self._passage]

    def _surest(self, chosen: NDArray[np.bool_], column: Floats | None = None) -> Floats:
        """Return the highest confidence of the chosen mentions in each sentence, or another column's."""
        m = self._mentions
        inside = chosen & (m.sentence >= 0)
        found = np.zeros(self._count, np.float32)
        np.maximum.at(found, m.sentence[inside], (m.confidence if column is None else column)[inside])
        return found

    def _narrates(self, number: int) -> bool:
        return self._annotations.characters[number].id == self._annotations.narrator

    def _place(self, mine: NDArray[np.bool_]) -> Floats:
        """Return where in each sentence the character comes first, from 0 to 1; 1 without a mention."""
        m = self._mentions
        chosen = mine & (m.sentence >= 0)
        at = m.sentence[chosen]
        place = np.ones(self._count, np.float32)
        length = np.maximum(1, self._ends[at] - self._starts[at])
        np.minimum.at(place, at, ((m.start[chosen] - self._starts[at]) / length).astype(np.float32))
        return place

    def _since_last(self, named: NDArray[np.bool_]) -> _Since:
        index = np.arange(self._count)
        last = np.maximum.accumulate(np.where(named, index, -1)) if self._count else index
        first = int(np.argmax(named)) if named.any() else self._count
        return _Since(index - first, np.where(last >= 0, index - last, 200))

    def _shifted(self, has: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
        """Return whether the sentence before or after, in the same passage, has the character."""
        same: NDArray[np.bool_] = np.roll(self._passage, by) == self._passage
        same[: max(0, by)] = False  # what is rolled in from the other end of the book
        same[len(same) + min(0, by) :] = False
        return np.roll(has, by) & same

    def _common_signs(self, chapter: Ints) -> dict[str, Any]:
        """Return the signs of sentences that are the same for every character."""
        if not self._count:
            return {}
        index = np.arange(self._count)
        length = np.bincount(self._passage, minlength=self._passages)[self._passage]
        pairs = zip(self._starts.tolist(), self._ends.tolist(), strict=True)
        texts = [self.text[a:b] for a, b in pairs]
        words = np.array([max(1, len(text.split())) for text in texts], np.float32)
        return {
            "words": np.log1p(words),
            "question": np.array(["?" in text[-3:] for text in texts]),
            "exclamation": np.array(["!" in text[-3:] for text in texts]),
            "in quotes": self._quotes.share(self._starts, self._ends, len(self.text)),
            "sentences of the passage": np.log1p(length),
            "place in the passage": np.log1p(index - np.searchsorted(self._passage, self._passage)),
            "place in the chapter": np.log1p(index - np.searchsorted(chapter, chapter)),
            "sentences of the book so far": np.log1p(index),
            "chapters so far": np.log1p(chapter),
            **self._grammar(self._annotations.parse, words),
        }

    def _grammar(self, parse: Parse | None, words: Floats) -> dict[str, Any]:
        """Return what share of the words are events, adjectives and so on; 0 without a parse."""
        if parse is None or not len(parse):
            return {name: np.zeros(self._count, np.float32) for name in ("events", *_TAGS)}
        at = self.sentence_at(parse.starts)
        tags, names = _codes(parse.tags)
        found = {"events": self.count(at, np.asarray(list(parse.events), np.float32)) / words}
        for tag in _TAGS:
            code = names.index(tag) if tag in names else -1
            found[tag] = self.count(at[tags == code]) / words
        return found


@dataclass(frozen=True, slots=True)
class _Since:
    """How many sentences ago a character was named, first and last."""

    first: Ints
    last: Ints


class _MentionColumns:
    def __init__(self, table: SentenceSigns, annotations: Annotations) -> None:
        mentions = annotations.mentions
        kinds = {MentionKind.PROPER: 0, MentionKind.NOMINAL: 1, MentionKind.PRONOUN: 2}
        self.start = np.fromiter((m.span.start for m in mentions), np.int64, len(mentions))
        self.sentence = table.sentence_at(self.start.tolist())
        self.kind = np.fromiter((kinds[m.kind] for m in mentions), np.int8, len(mentions))
        self.who = np.fromiter((table.number_of(m.character) for m in mentions), np.int32, len(mentions))
        self.confidence = np.fromiter((m.confidence for m in mentions), np.float32, len(mentions))
        self.first_person = np.fromiter(
            (m.surface.casefold() in _FIRST_PERSON for m in mentions), np.bool_, len(mentions)
        )
        self.bearers = _bearers(table.text, annotations)
        end = np.fromiter((m.span.end for m in mentions), np.int64, len(mentions))
        self.role = _roles(annotations.parse, self.start, end)
        self.main = _main_so_far(self.who)
        self.so_far = np.cumsum(table.count(self.sentence[self.who >= 0]))


class _TraitColumns:
    def __init__(self, table: SentenceSigns, annotations: Annotations) -> None:
        traits = annotations.traits
        kinds = {kind: n for n, kind in enumerate(TraitKind)}
        self._table = table
        self._sentence = table.sentence_at(t.span.start for t in traits)
        self._kind = np.fromiter((kinds[t.kind] for t in traits), np.int8, len(traits))
        self._who = np.fromiter((table.number_of(t.character) for t in traits), np.int32, len(traits))
        self._other = np.fromiter((table.number_of(t.other) for t in traits), np.int32, len(traits))
        self._denied = np.fromiter((t.negated for t in traits), np.bool_, len(traits))
        self._modal = np.fromiter((t.modal is not None for t in traits), np.bool_, len(traits))
        self._relation = np.isin(self._kind, (kinds[TraitKind.KIN], kinds[TraitKind.SOCIAL]))

    def of(self, number: int) -> dict[str, Any]:
        mine = self._who == number
        return {
            **{
                f"trait: {kind.value}": np.log1p(self._count(mine & (self._kind == n)))
                for n, kind in enumerate(TraitKind)
            },
            "relation of another": np.log1p(self._count((self._other == number) & self._relation)),
            "denied": self._count(mine & self._denied) > 0,
            "not a fact": self._count(mine & self._modal) > 0,
            "trait with another": self._count(mine & (self._other >= 0)) > 0,
        }

    def _count(self, chosen: NDArray[np.bool_]) -> Floats:
        return self._table.count(self._sentence[chosen])


class _QuoteColumns:
    def __init__(self, table: SentenceSigns, annotations: Annotations) -> None:
        self._annotations = annotations
        rows = [
            (sentence, table.number_of(q.speaker), table.number_of(q.addressee))
            for q in annotations.quotes
            for sentence in table.sentences_in(q.span)
        ]
        self._sentence, self._speaker, self._hearer = np.array(rows, np.int64).reshape(-1, 3).T
        self._count = table.count
        self.certainty = np.zeros_like(table.count(self._sentence))
        """The highest confidence of a known speaker in each sentence."""
        for quote in annotations.quotes:
            if quote.speaker is not None:
                inside = table.sentences_in(quote.span)
                self.certainty[inside.start : inside.stop] = np.maximum(
                    self.certainty[inside.start : inside.stop], quote.confidence
                )

    def by(self, number: int) -> NDArray[np.bool_]:
        return self._count(self._sentence[(self._speaker == number) & (number >= 0)]) > 0

    def to(self, number: int) -> NDArray[np.bool_]:
        return self._count(self._sentence[(self._hearer == number) & (number >= 0)]) > 0

    def by_another(self, number: int) -> NDArray[np.bool_]:
        return self._count(self._sentence[(self._speaker >= 0) & (self._speaker != number)]) > 0

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
    codes, names = _codes(parse.relations)
    role_of = np.array([_ROLES.get(name, 0) for name in names] or [0], np.int8)
    found[mention[outside][::-1]] = role_of[codes[word[outside][::-1]]]
    return found


def _codes(column: Sequence[str]) -> tuple[Ints, Sequence[str]]:
    """Return a coded column as numbers, with the names they stand for."""
    if isinstance(column, Coded):
        return np.frombuffer(column.codes, np.dtype(column.codes.format)), column.names
    names = sorted(set(column))
    place = {name: n for n, name in enumerate(names)}
    return np.fromiter((place[name] for name in column), np.int32, len(column)), names


def _widened(found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the passages found, with those directly before and after them."""
    wide = found.copy()
    wide[1:] |= found[:-1]
    wide[:-1] |= found[1:]
    return wide
