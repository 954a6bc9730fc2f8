"""The quality of the offline resolvers on the novella, whose gold was made by hand. Floors, a little below.

The novella was written to be hard (disguises, namesakes, dialogue without tags), so the floors are not high.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pytest

import evaluation.novella as novella
from books.reading import read
from books.types import Book
from coref.language.word_lists import same
from coref.registry import make_resolver
from coref.types import Annotations

TAG = re.compile(r"\s*(?:said|asked|cried|replied|answered|observed|added|returned) [A-Z]")


@dataclass(frozen=True)
class Measured:
    book: Book
    gold: novella.Gold
    found: Annotations
    meant: dict[str | None, str | None]
    """Maps found characters to gold characters, by the names that they share."""


@pytest.fixture(scope="module", params=["rules", "native"])
def measured(request: pytest.FixtureRequest) -> Measured:
    book, gold = read(novella.path().read_bytes()), novella.gold()
    found = make_resolver(request.param).annotate(book)
    names = {c.id: {same(c.name), *(same(a.text) for a in c.aliases)} for c in gold.characters}
    meant: dict[str | None, str | None] = {None: None}
    for character in found.characters:
        votes: Counter[str] = Counter()
        for alias in character.aliases:
            votes.update({who: alias.count for who, theirs in names.items() if same(alias.text) in theirs})
        meant[character.id] = votes.most_common(1)[0][0] if votes.total() else None
    return Measured(book, gold, found, meant)


def test_people_are_found(measured: Measured) -> None:
    found = set(measured.meant.values())
    missed = [c.name for c in measured.gold.characters if c.id not in found]
    assert len(missed) <= len(measured.gold.characters) // 4, missed


def test_main_people_are_one_each(measured: Measured) -> None:
    """Bess has one entry with her nickname and her surname, and no namesake shares it."""
    bess = next(c for c in measured.found.characters if measured.meant[c.id] == "bess")
    assert {"Bess", "Miss Farrow"} <= {a.text for a in bess.aliases}
    assert bess.pronouns == "she/her"
    assert measured.found.characters[0] == bess


def test_every_quote_is_found_exactly(measured: Measured) -> None:
    found = {(q.span.start, q.span.end) for q in measured.found.quotes}
    gold = {(q.start, q.end) for q in measured.gold.quotes}
    assert len(gold & found) >= 0.98 * len(gold)
    assert len(found - gold) <= 0.03 * len(gold)


def speakers(measured: Measured, *, tagged: bool) -> float:
    found = {q.span.start: q.speaker for q in measured.found.quotes}
    quotes = [
        q
        for q in measured.gold.quotes
        if q.speaker and (not tagged or TAG.match(measured.book.text, q.end, q.end + 40))
    ]
    right = sum(measured.meant[found.get(q.start)] == q.speaker for q in quotes)
    return right / len(quotes)


def test_speakers_of_tagged_quotes(measured: Measured) -> None:
    assert speakers(measured, tagged=True) >= 0.95


def test_speakers_of_all_quotes(measured: Measured) -> None:
    assert speakers(measured, tagged=False) >= 0.70


def mention_accuracy(measured: Measured, kind: str) -> float:
    found = {(m.span.start, m.span.end): m.character for m in measured.found.mentions}
    gold = [m for m in measured.gold.mentions if m.kind == kind]
    return sum(measured.meant[found.get((m.start, m.end))] == m.character for m in gold) / len(gold)


def test_names_point_at_the_right_people(measured: Measured) -> None:
    assert mention_accuracy(measured, "PROP") >= 0.75


def test_pronouns_point_at_the_right_people(measured: Measured) -> None:
    assert mention_accuracy(measured, "PRON") >= 0.55


def test_it_has_no_narrator_though_letters_say_i(measured: Measured) -> None:
    assert measured.found.narrator is None
