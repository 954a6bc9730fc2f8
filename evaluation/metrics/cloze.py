"""Cloze questions: how many names that a text leaves out can be told from its summary.

After SummaQA (Scialom et al., 2019): each question is a sentence of the source without one of its names, and
a reader answers it from the summary alone. With a folder, a model for extractive question answering reads.
Without one, the answer is a name in that sentence of the summary which has most of the question's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from books.sampling import evenly
from books.types import Span
from coref.types import MentionKind
from evaluation.metrics.extractive_reader import ExtractiveReader
from evaluation.metrics.sentences import sentences_of
from evaluation.metrics.squad import f1
from retrieval.tokenizer import terms

if TYPE_CHECKING:
    from coref.native.resolver import NativeResolver

MASK: Final = "[MASK]"
_MOST: Final = 40
"""Questions about a source, spread from its beginning to its end."""
_FEWEST_TERMS: Final = 3
"""Terms of a sentence, besides the name, that is asked about."""


@dataclass(frozen=True, slots=True)
class ClozeQuestion:
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class NamedSentence:
    text: str
    names: tuple[Span, ...]


class ClozeScorer:
    def __init__(self, reader: Path | None = None) -> None:
        self._tagger: NativeResolver | None = None
        self._reader = None if reader is None else ExtractiveReader(reader)
        self._questions: dict[str, list[ClozeQuestion]] = {}
        """By source, which is the same for every system that is measured."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """Return the mean F1 of the answers for each source and summary; None if no question can be asked."""
        for source, _ in pairs:
            if source not in self._questions:
                self._questions[source] = questions_of(self._named(source))
        texts = [(summary, [each.text for each in self._questions[source]]) for source, summary in pairs]
        answers = self._by_names(texts) if self._reader is None else self._reader.answers(texts)
        return [
            _mean(
                [
                    f1(said, asked.answer)
                    for said, asked in zip(found or (), self._questions[source], strict=False)
                ]
            )
            for found, (source, _) in zip(answers, pairs, strict=True)
        ]

    def _by_names(self, texts: Sequence[tuple[str, Sequence[str]]]) -> list[list[str]]:
        found = []
        for text, questions in texts:
            named = self._named(text)
            found.append([answered(question, named) for question in questions])
        return found

    def _named(self, text: str) -> list[NamedSentence]:
        from coref.native.resolver import NativeResolver

        self._tagger = self._tagger or NativeResolver()
        sentences = sentences_of(text)
        return [
            NamedSentence(sentence, tuple(m.span for m in mentions if m.kind is MentionKind.PROPER))
            for sentence, mentions in zip(
                sentences, self._tagger.tag(sentences) if sentences else (), strict=True
            )
        ]


def questions_of(sentences: Sequence[NamedSentence]) -> list[ClozeQuestion]:
    """Return the sentences with a name, each without its first one."""
    made: list[ClozeQuestion] = []
    for sentence in sentences:
        if sentence.names:
            name, text = sentence.names[0], sentence.text
            before, after = text[: name.start], text[name.end :]
            if len(set(terms(f"{before} {after}"))) >= _FEWEST_TERMS:
                made.append(ClozeQuestion(f"{before}{MASK}{after}", name.of(text)))
    return evenly(made, _MOST)


def answered(question: str, sentences: Sequence[NamedSentence]) -> str:
    """Return the name near most words of a question, of several the one named most; nothing without names."""
    asked = set(terms(question.replace(MASK, " ")))
    names = [(sentence, span.of(sentence.text)) for sentence in sentences for span in sentence.names]
    often = Counter(name for _, name in names)
    found = [
        (len(asked & set(terms(sentence.text))), often[name], name)
        for sentence, name in names
        if not set(terms(name)) <= asked
    ]
    return max(found, default=(0, 0, ""))[2]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
