"""What is known of a book's names before it is read in order: where they stand, what speaks for each."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Book
from coref.rules import casing, cues, uses
from coref.rules.cues import Evidence
from coref.rules.plays import Labels
from coref.rules.tokens import Tokens
from coref.rules.uses import Name, Use


@dataclass(frozen=True, slots=True)
class Study:
    labels: Labels
    uses: list[Use]
    evidence: dict[Name, Evidence]


def study(book: Book, tokens: Tokens) -> Study:
    cased = casing.study(tokens)
    labels = Labels.of(book, tokens, cased)
    found = labels.among(uses.find_uses(tokens, cased))
    evidence = cues.gather(tokens, found)
    labels.testify(evidence)
    return Study(labels, found, evidence)
