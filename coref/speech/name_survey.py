"""What is known of a book's names before it is read in order: where they stand, what speaks for each."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Book
from coref.language.tokens import Tokens
from coref.names import casing, person_cues
from coref.names import name_uses as uses
from coref.names.name_uses import Name, Use
from coref.names.person_cues import Evidence
from coref.speech.play_speakers import Labels


@dataclass(frozen=True, slots=True)
class Study:
    labels: Labels
    uses: list[Use]
    evidence: dict[Name, Evidence]


def study(book: Book, tokens: Tokens) -> Study:
    cased = casing.study(tokens)
    labels = Labels.of(book, tokens, cased)
    found = labels.among(uses.find_uses(tokens, cased))
    evidence = person_cues.gather(tokens, found)
    labels.testify(evidence)
    return Study(labels, found, evidence)
