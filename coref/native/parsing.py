"""The grammar of a book, told passage by passage from the same pass of the encoder that finds mentions."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from coref.native import steady
from coref.native.batching import batch_of
from coref.native.document import Range, packed
from coref.native.grammar import Grammar, Parsed, parse
from coref.native.network import Batch, Network
from coref.native.pieces import Pieces
from coref.native.precision import reduced
from coref.native.speech import document_of
from coref.native.words import BookWords
from coref.protocols import ParsedWords
from coref.syntax import ROOT, Parse

_PASSAGE = 2_000
"""Words of a document that are read together."""


class Listener:
    """Collects columns while `read_book` goes through a book; gives the whole when it is through."""

    def __init__(self, network: Network, words: BookWords) -> None:
        self._network = network
        self._words = words
        self._columns = _Columns()

    def hear(self, within: Range, batch: Batch, outputs: Sequence[Tensor]) -> None:
        if self._network.grammar is None:
            return
        start, end = within
        first = self._words.sentence_of(start)
        sentences = []
        for begin, stop in self._words.sentences[first:]:
            if begin >= end:
                break
            sentences.append((begin - start, stop - start))
        vectors = self._network.words_of(outputs, batch, grammar=True)
        self._columns.add(
            self._network.grammar, parse(self._network.grammar, vectors, sentences), self._words.words, start
        )

    def parse(self) -> Parse | None:
        """None where the network knows no grammar."""
        if self._network.grammar is None:
            return None
        told = self._columns
        return Parse(
            starts=tuple(self._words.starts),
            ends=tuple(self._words.ends),
            sentences=tuple(self._words.sentences),
            tags=tuple(told.tags),
            lemmas=tuple(told.lemmas),
            heads=tuple(told.heads),
            relations=tuple(told.relations),
            events=tuple(told.events),
        )


def parse_words(network: Network, pieces: Pieces, sentences: Sequence[Sequence[str]]) -> ParsedWords:
    """The grammar of sentences whose words are known."""
    told = _Columns()
    if network.grammar is None:
        raise ValueError("this network was not taught grammar")
    words: list[str] = []
    with torch.inference_mode(), reduced(network.layer_mix.device.type):
        for some in packed(sentences, _PASSAGE):
            document = document_of(some)
            batch, outputs = steady.encode(network, batch_of(document, pieces))
            vectors = network.words_of(outputs, batch, grammar=True)
            at = len(words)
            words += document.words
            told.add(network.grammar, parse(network.grammar, vectors, document.sentences), words, at)
    return ParsedWords(
        tuple(told.tags), tuple(told.lemmas), tuple(told.heads), tuple(told.relations), tuple(told.events)
    )


class _Columns:
    def __init__(self) -> None:
        self.tags: list[str] = []
        self.lemmas: list[str] = []
        self.heads: list[int] = []
        self.relations: list[str] = []
        self.events: list[bool] = []

    def add(self, grammar: Grammar, parsed: Parsed, words: Sequence[str], at: int) -> None:
        """`words` are the book's; those that were parsed begin at `at`."""
        told = grammar.vocabulary
        lemmatizer = told.lemmatizer()
        tags = [told.tags[tag] for tag in parsed.tags]
        self.tags += tags
        self.lemmas += map(lemmatizer.lemma, words[at : at + len(tags)], tags, parsed.scripts)
        self.heads += [ROOT if head < 0 else at + head for head in parsed.heads]
        self.relations += [told.relations[relation] for relation in parsed.relations]
        self.events += parsed.events
