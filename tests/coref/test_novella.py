"""The quality of the offline resolvers on the novella, whose gold was made by hand. Floors, a little below.

The novella was written to be hard (disguises, namesakes, dialogue without tags), so the floors are not high.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

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
    whole: bool


BEGINNING = 7
"""Chapters that `make test` has the network read; the soak has it read all."""


@pytest.fixture(
    scope="module",
    params=[
        ("rules", None),
        ("native", BEGINNING),
        pytest.param(("native", None), marks=pytest.mark.soak),
    ],
    ids=["rules", "native", "native whole"],
)
def measured(request: pytest.FixtureRequest) -> Measured:
    resolver, chapters = request.param
    book, gold = read(novella.path().read_bytes()), novella.gold()
    if chapters:
        book, gold = beginning(book, gold, chapters)
    found = make_resolver(resolver).annotate(book)
    names = {c.id: {same(c.name), *(same(a.text) for a in c.aliases)} for c in gold.characters}
    meant: dict[str | None, str | None] = {None: None}
    for character in found.characters:
        votes: Counter[str] = Counter()
        for mention in found.mentions_of(character.id):
            votes.update(who for who, theirs in names.items() if same(mention.surface) in theirs)
        meant[character.id] = votes.most_common(1)[0][0] if votes.total() else None
    return Measured(book, gold, found, meant, whole=chapters is None)


def beginning(book: Book, gold: novella.Gold, chapters: int) -> tuple[Book, novella.Gold]:
    end = book.chapters[chapters].span.start
    quotes = tuple(q for q in gold.quotes if q.end <= end)
    mentions = tuple(m for m in gold.mentions if m.end <= end)
    met = {m.character for m in mentions} | {q.speaker for q in quotes}
    characters = tuple(c for c in gold.characters if c.id in met)
    part = replace(gold, quotes=quotes, mentions=mentions, characters=characters)
    return read(book.text[:end].encode()), part


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
    """The one chapter of the beginning with gold for every name is the hardest."""
    assert mention_accuracy(measured, "PROP") >= (0.75 if measured.whole else 0.60)


def test_pronouns_point_at_the_right_people(measured: Measured) -> None:
    assert mention_accuracy(measured, "PRON") >= 0.55


def test_it_has_no_narrator_though_letters_say_i(measured: Measured) -> None:
    assert measured.found.narrator is None
