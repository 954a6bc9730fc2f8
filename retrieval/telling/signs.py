"""What a book's annotations show in each of its sentences, as columns, for the head that scores sentences.

Every sign of a sentence depends only on the sentence, its passage and what the book has said before it. So a
sentence has the same score whether a reader has finished the book or stopped soon after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coref.language.syntax import Parse
from coref.types import Annotations
from retrieval.telling.columns import (
    BESIDE,
    OBJECT,
    OWNER,
    SUBJECT,
    MentionColumns,
    QuoteColumns,
    TraitColumns,
    codes,
)
from retrieval.telling.sentence_table import Floats, Ints, SentenceTable

_TAGS = ("PROPN", "ADJ", "NOUN", "VERB", "PRON")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The sentences near a character, and one row of signs for each."""

    sentences: Ints
    signs: Floats
    present: NDArray[np.bool_]
    """Whether the sentence mentions the character or is spoken by them."""
    certainty: Floats
    """The highest confidence of a mention of the character in the sentence; 0 without one."""
    meant: Floats
    """Further signs of each sentence, of whether its words mean the character at all."""


class SentenceSigns:
    """The signs of one book's sentences. Those of all characters are computed from the same columns."""

    def __init__(self, text: str, annotations: Annotations, lines: Ints, chapters: Ints) -> None:
        """Take start, end and passage of each sentence, and the chapter of each passage."""
        self.table = table = SentenceTable(text, annotations, lines)
        self.mentions = MentionColumns(table, annotations)
        self.traits = TraitColumns(table, annotations)
        self.quotes = QuoteColumns(table, annotations)
        self.chapter = np.asarray(chapters)[table.passage] if len(table) else lines[:, 2]
        self.common = self._common_signs(self.chapter)

    def of(self, character: str) -> Candidates:
        """Return the sentences of every passage with the character, and of the passages beside it."""
        number = self.table.number_of(character)
        signs, certainty, near = self._signs(number)
        chosen = np.flatnonzero(near)
        present = (certainty > 0) | (signs["spoken by them"] > 0)
        rows = _stacked({**signs, **self.common}, chosen)
        meant = _stacked(self._meant(number, signs), chosen)
        return Candidates(chosen, rows, present[chosen], certainty[chosen], meant)

    def naming(self, character: str) -> NDArray[np.bool_]:
        """Return whether each sentence names the character, rather than with a pronoun or a noun alone."""
        m = self.mentions
        mine = (m.who == self.table.number_of(character)) & (m.kind == 0)
        return self.table.count(m.sentence[mine]) > 0

    def _signs(self, number: int) -> tuple[dict[str, Any], Floats, NDArray[np.bool_]]:
        m, t, q = self.mentions, self.traits, self.quotes
        mine, others = m.who == number, (m.who >= 0) & (m.who != number)
        certainty = self.surest(mine)
        has = certainty > 0
        named = self.table.count(m.sentence[mine & (m.kind == 0)])
        so_far, names_so_far = np.cumsum(has), np.cumsum(named > 0)
        since = self._since_last(named > 0)
        spoken, addressed = q.by(number), q.to(number)
        here = np.bincount(self.table.passage, has, minlength=self.table.passages)
        known = np.bincount(self.table.passage, named, minlength=self.table.passages) > 0
        voiced = np.bincount(self.table.passage, spoken, minlength=self.table.passages) > 0
        beside = _widened((here > 0) | voiced)
        signs: dict[str, Any] = {
            **{
                f"{name} of them": np.log1p(self.table.count(m.sentence[mine & (m.kind == kind)]))
                for kind, name in enumerate(("names", "nouns", "pronouns"))
            },
            **{
                f"{name} of others": np.log1p(self.table.count(m.sentence[others & (m.kind == kind)]))
                for kind, name in enumerate(("names", "nouns", "pronouns"))
            },
            "main characters": np.log1p(self.table.count(m.sentence[others & m.main])),
            "certainty": certainty,
            "certainty of another": self.surest(others),
            "bearers of the name": self.surest(mine, m.bearers),
            "first person": self.table.count(m.sentence[mine & m.first_person]) > 0,
            "place in the sentence": self._place(mine),
            **{
                name: self.table.count(m.sentence[mine & (m.role == role)]) > 0
                for name, role in (
                    ("subject", SUBJECT),
                    ("object", OBJECT),
                    ("owner", OWNER),
                    ("beside a noun", BESIDE),
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
            "in the passage": np.log1p(here[self.table.passage]),
            "named in the passage": known[self.table.passage],
            "narrates": np.full(len(self.table), float(number >= 0 and self._narrates(number))),
            "share so far": np.log((np.cumsum(self.table.count(m.sentence[mine])) + 1.0) / (m.so_far + 8.0)),
            "in the sentence before": self._shifted(has, 1),
            "in the sentence after": self._shifted(has, -1),
        }
        return signs, certainty, beside[self.table.passage]

    def _meant(self, number: int, signs: dict[str, Any]) -> dict[str, Any]:
        """Return what bears on whether a sentence means the character: signs that count only together."""
        m, count = self.mentions, self.table.count
        mine, others = m.who == number, (m.who >= 0) & (m.who != number)
        spoken, has, certainty = signs["spoken by them"], signs["has them"], signs["certainty"]
        named, other = signs["names of them"] > 0, count(m.sentence[others & (m.kind == 0)]) > 0
        pronoun = has & ~named & ~spoken
        subject = np.asarray(signs["subject"])
        other_subject = count(m.sentence[others & (m.role == SUBJECT)]) > 0
        third = mine & (m.kind == 2) & ~m.first_person & ~m.second_person
        named_before, other_before = self._shifted(named, 1), self._shifted(other, 1)
        return {
            "named in own speech": spoken & named,
            "addressed in own speech": spoken & (count(m.sentence[mine & m.second_person]) > 0),
            "he or she in own speech": spoken & (count(m.sentence[third]) > 0),
            "pronoun before the name": named & (self._place(third) < self._place(mine & (m.kind == 0))),
            "certainty, told": np.where(spoken, 0, certainty),
            "certainty, spoken": np.where(spoken, certainty, 0),
            "certainty of their speech": np.where(spoken, self.quotes.certainty, 0),
            "certainty of their tagged speech": np.where(spoken, self.quotes.named, 0),
            "least certainty": np.where(has, 1 - self.surest(mine, 1 - m.confidence), 0),
            "pronoun alone": pronoun,
            "pronoun beside another name": pronoun & other,
            "pronoun after another name": pronoun & other_before & ~named_before,
            "pronoun after the own name": pronoun & named_before,
            "subject, no other": subject & ~other_subject,
            "another is subject": other_subject & ~subject,
            "both are subjects": other_subject & subject,
            "told, another is subject": other_subject & ~subject & ~spoken,
            "named, no subject": named & ~subject & ~spoken,
            "owner alone": np.asarray(signs["owner"]) & ~subject & ~named,
            "spoken to them by another": signs["spoken by another"] & signs["spoken to them"],
            "named by another": signs["spoken by another"] & named,
            "not there": ~has & ~spoken,
        }

    def surest(self, chosen: NDArray[np.bool_], column: Floats | None = None) -> Floats:
        """Return the highest confidence of the chosen mentions in each sentence, or another column's."""
        m = self.mentions
        inside = chosen & (m.sentence >= 0)
        found = np.zeros(len(self.table), np.float32)
        np.maximum.at(found, m.sentence[inside], (m.confidence if column is None else column)[inside])
        return found

    def _narrates(self, number: int) -> bool:
        return self.table.annotations.characters[number].id == self.table.annotations.narrator

    def _place(self, mine: NDArray[np.bool_]) -> Floats:
        """Return where in each sentence the character comes first, from 0 to 1; 1 without a mention."""
        m = self.mentions
        chosen = mine & (m.sentence >= 0)
        at = m.sentence[chosen]
        place = np.ones(len(self.table), np.float32)
        length = np.maximum(1, self.table.ends[at] - self.table.starts[at])
        np.minimum.at(place, at, ((m.start[chosen] - self.table.starts[at]) / length).astype(np.float32))
        return place

    def _since_last(self, named: NDArray[np.bool_]) -> _Since:
        index = np.arange(len(self.table))
        last = np.maximum.accumulate(np.where(named, index, -1)) if len(self.table) else index
        first = int(np.argmax(named)) if named.any() else len(self.table)
        return _Since(index - first, np.where(last >= 0, index - last, 200))

    def _shifted(self, has: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
        """Return whether the sentence before or after, in the same passage, has the character."""
        same: NDArray[np.bool_] = np.roll(self.table.passage, by) == self.table.passage
        same[: max(0, by)] = False  # what is rolled in from the other end of the book
        same[len(same) + min(0, by) :] = False
        return np.roll(has, by) & same

    def _common_signs(self, chapter: Ints) -> dict[str, Any]:
        """Return the signs of sentences that are the same for every character."""
        if not len(self.table):
            return {}
        index = np.arange(len(self.table))
        length = np.bincount(self.table.passage, minlength=self.table.passages)[self.table.passage]
        pairs = zip(self.table.starts.tolist(), self.table.ends.tolist(), strict=True)
        texts = [self.table.text[a:b] for a, b in pairs]
        words = np.array([max(1, len(text.split())) for text in texts], np.float32)
        return {
            "words": np.log1p(words),
            "question": np.array(["?" in text[-3:] for text in texts]),
            "exclamation": np.array(["!" in text[-3:] for text in texts]),
            "in quotes": self.quotes.share(self.table.starts, self.table.ends, len(self.table.text)),
            "sentences of the passage": np.log1p(length),
            "place in the passage": np.log1p(index - np.searchsorted(self.table.passage, self.table.passage)),
            "place in the chapter": np.log1p(index - np.searchsorted(chapter, chapter)),
            "sentences of the book so far": np.log1p(index),
            "chapters so far": np.log1p(chapter),
            **self._grammar(self.table.annotations.parse, words),
        }

    def _grammar(self, parse: Parse | None, words: Floats) -> dict[str, Any]:
        """Return what share of the words are events, adjectives and so on; 0 without a parse."""
        if parse is None or not len(parse):
            return {name: np.zeros(len(self.table), np.float32) for name in ("events", *_TAGS)}
        at = self.table.sentence_at(parse.starts)
        tags, names = codes(parse.tags)
        found = {"events": self.table.count(at, np.asarray(list(parse.events), np.float32)) / words}
        for tag in _TAGS:
            code = names.index(tag) if tag in names else -1
            found[tag] = self.table.count(at[tags == code]) / words
        return found


@dataclass(frozen=True, slots=True)
class _Since:
    """How many sentences ago a character was named, first and last."""

    first: Ints
    last: Ints


def _stacked(columns: dict[str, Any], chosen: Ints) -> Floats:
    return np.stack([np.asarray(column, np.float32)[chosen] for column in columns.values()], axis=1)


def _widened(found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the passages found, with those directly before and after them."""
    wide = found.copy()
    wide[1:] |= found[:-1]
    wide[:-1] |= found[1:]
    return wide
