"""UD English EWT: sentences with tag, lemma, head and relation of each word, in CoNLL-U, possibly gzipped."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coref.native.document import Document, packed
from coref.native.lemma_scripts import SAME, endings_of, irregular_of, script_of
from coref.native.spoken_words import document_of
from coref.native.word_heads import Vocabulary

_UNTOLD = frozenset(("PROPN", "X", "SYM"))
"""Tags whose lemmas tell nothing about other words."""
_WORDS_TOGETHER = 1_500
_SELDOM = 2
"""A script of fewer words is not worth a class."""


@dataclass(frozen=True, slots=True)
class TreebankWord:
    text: str
    lemma: str
    tag: str
    head: int
    """Within the sentence, from 0; -1 for the root."""
    relation: str


Sentence = tuple[TreebankWord, ...]


@dataclass(frozen=True, slots=True)
class EnglishTreebank:
    """Some consecutive sentences as one document."""

    document: Document
    sentences: tuple[Sentence, ...]


def read(folder: Path, part: str) -> list[Sentence]:
    """Read a part: `train`, `dev` or `test`."""
    file = folder / f"en_ewt-{part}.conllu"
    packed = file.with_name(file.name + ".gz")
    text = file.read_text("utf-8") if file.is_file() else gzip.decompress(packed.read_bytes()).decode()
    return [sentence for block in text.split("\n\n") if (sentence := tuple(_words(block)))]


def vocabulary_of(sentences: Iterable[Sentence]) -> Vocabulary:
    words = [word for sentence in sentences for word in sentence]
    scripts = Counter(script_of(word.text, word.lemma) for word in words)
    told = [(word.text, word.tag, word.lemma) for word in words]
    kept = sorted(script for script, count in scripts.items() if count >= _SELDOM or script == SAME)
    return Vocabulary(
        tags=tuple(sorted({word.tag for word in words})),
        relations=tuple(sorted({word.relation for word in words})),
        scripts=tuple(kept),
        endings=tuple(tuple(of) for of in endings_of(told, kept)),
        irregular=tuple(irregular_of(told)),
        lemmas=tuple(
            sorted({word.lemma for word in words if word.tag not in _UNTOLD and word.lemma.islower()})
        ),
    )


def together(sentences: Iterable[Sentence]) -> Iterator[EnglishTreebank]:
    """Yield documents of whole sentences, in order."""
    for some in packed(sentences, _WORDS_TOGETHER):
        document = document_of([[word.text for word in sentence] for sentence in some])
        yield EnglishTreebank(document, tuple(tuple(sentence) for sentence in some))


def _words(block: str) -> Iterator[TreebankWord]:
    """Yield words, skipping ranges (`1-2`) and empty words (`8.1`)."""
    for line in block.splitlines():
        row = line.split("\t")
        if row[0].isdigit():
            yield TreebankWord(row[1], row[2], row[3], int(row[6]) - 1, row[7])
