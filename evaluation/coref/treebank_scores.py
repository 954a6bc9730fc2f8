"""Measure a resolver's grammar, with words and sentences given, on UD English EWT.

It counts as the shared task of CoNLL 2018 does: every word, with punctuation; a relation without its subtype.
Two other common measures are reported too: relations with their subtypes, and without punctuation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coref.language.syntax import ROOT
from coref.protocols import ParsedWords, ParsesWords
from coref.training.english_treebank import EnglishTreebank, TreebankWord
from evaluation.coref.tallies import Share, Sums

_ANY = "_"
"""A lemma that the treebank does not give."""
_MARK = "PUNCT"
_NONE = Share()


@dataclass(frozen=True, slots=True)
class GrammarScores(Sums):
    tags: Share = _NONE
    """Universal parts of speech."""
    lemmas: Share = _NONE
    unlabelled: Share = _NONE
    """Words with the right head."""
    labelled: Share = _NONE
    """Words with the right head and relation, ignoring subtypes."""
    labelled_with_subtypes: Share = _NONE
    unlabelled_without_punctuation: Share = _NONE
    labelled_without_punctuation: Share = _NONE


def measured(documents: Iterable[EnglishTreebank], resolver: ParsesWords) -> GrammarScores:
    """Measure one document at a time: the resolver may use its other sentences as context."""
    return sum((_document(document, resolver) for document in documents), GrammarScores())


def _document(document: EnglishTreebank, resolver: ParsesWords) -> GrammarScores:
    sentences = [[word.text for word in sentence] for sentence in document.sentences]
    return compared(document.sentences, resolver.parse_words(sentences))


def compared(sentences: Sequence[Sequence[TreebankWord]], found: ParsedWords) -> GrammarScores:
    columns = zip(found.tags, found.lemmas, found.heads, found.relations, strict=True)
    total = GrammarScores()
    for (gold, head), (tag, lemma, ours, relation) in zip(_placed(sentences), columns, strict=True):
        attached = ours == head
        labelled = attached and _bare(relation) == _bare(gold.relation)
        counts = gold.tag != _MARK
        total += GrammarScores(
            tags=Share(tag == gold.tag, 1),
            lemmas=Share(gold.lemma in (lemma, _ANY), 1),
            unlabelled=Share(attached, 1),
            labelled=Share(labelled, 1),
            labelled_with_subtypes=Share(attached and relation == gold.relation, 1),
            unlabelled_without_punctuation=Share(attached and counts, counts),
            labelled_without_punctuation=Share(labelled and counts, counts),
        )
    return total


def _placed(sentences: Sequence[Sequence[TreebankWord]]) -> Iterator[tuple[TreebankWord, int]]:
    """Yield every word, with its head counted from the first word of the document."""
    start = 0
    for sentence in sentences:
        for word in sentence:
            yield word, ROOT if word.head < 0 else start + word.head
        start += len(sentence)


def _bare(relation: str) -> str:
    return relation.partition(":")[0]
