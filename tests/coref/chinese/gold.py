"""Short Chinese stories, written for these tests, with every name, pronoun and speaker annotated by hand.

`[lin 林秋月]` is a mention, `{lin>zhou “……”}` a quote with its speaker and addressee. They measure little:
the author of the rules wrote them and read them during development. `shop` was unseen at first, and its
figures of that first run are given beside today's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from books.types import Book, Span
from coref.types import Annotations
from evaluation.chinese.gold import read_marked
from tests.coref.conftest import make_book


@dataclass(frozen=True, slots=True)
class Gold:
    book: Book
    mentions: Mapping[Span, str]
    quotes: Mapping[Span, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of correct gold annotations. A found character stands for whoever has most of its mentions."""

    mentions: int
    speakers: int
    addressees: int
    found: int
    """Mentions to which the resolver assigns a character."""


def chinese(text: str) -> Book:
    book = make_book(text)
    return replace(book, report=replace(book.report, language="zh"))


def read_gold(name: str) -> Gold:
    text, mentions, quotes = read_marked(
        Path(__file__).parent.joinpath("texts", f"{name}.txt").read_text("utf-8")
    )
    return Gold(chinese(text), mentions, quotes)


def score(gold: Gold, found: Annotations) -> Score:
    votes: dict[str, Counter[str]] = {}
    for mention in found.mentions:
        if mention.character and mention.span in gold.mentions:
            votes.setdefault(mention.character, Counter())[gold.mentions[mention.span]] += 1
    ours = {character: counts.most_common(1)[0][0] for character, counts in votes.items()}
    said = {q.span: q for q in found.quotes}
    right = sum(ours.get(m.character or "") == gold.mentions.get(m.span, "-") for m in found.mentions)
    pairs = [(said.get(span), *told) for span, told in gold.quotes.items()]
    return Score(
        right,
        sum(q is not None and ours.get(q.speaker or "") == speaker for q, speaker, _ in pairs),
        sum(q is not None and ours.get(q.addressee or "") == to for q, _, to in pairs),
        sum(m.character is not None for m in found.mentions),
    )
