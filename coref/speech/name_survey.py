"""A survey of a book's names before it is resolved in order: their uses and the evidence for each."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Book
from coref.language.tokens import Tokens
from coref.names import casing, person_cues
from coref.names import name_uses as uses
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence
from coref.speech.play_speakers import SpeakerLabels


@dataclass(frozen=True, slots=True)
class NameSurvey:
    labels: SpeakerLabels
    uses: list[NameUse]
    evidence: dict[ProperName, NameEvidence]


def study(book: Book, tokens: Tokens) -> NameSurvey:
    cased = casing.study(tokens)
    labels = SpeakerLabels.of(book, tokens, cased)
    found = labels.among(uses.find_uses(tokens, cased))
    evidence = person_cues.gather(tokens, found)
    labels.testify(evidence)
    return NameSurvey(labels, found, evidence)
