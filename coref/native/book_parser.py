"""Parses a book passage by passage, from the same pass of the encoder that finds mentions."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import torch
from torch import Tensor

from coref.language.lemmas import mended
from coref.language.syntax import ROOT, Parse
from coref.native import steady_shapes
from coref.native.batching import batch_of
from coref.native.book_words import BookWords
from coref.native.document import Range, packed
from coref.native.network import DocumentBatch, LiteraryNetwork
from coref.native.spoken_words import document_of
from coref.native.word_heads import ParsedColumns, Vocabulary, parse
from coref.native.word_pieces import WordPieces
from coref.protocols import ParsedWords

_PASSAGE = 2_000
"""Number of words of a document that are parsed together."""


class ParseCollector:
    """Collects the columns of the parse while `read_book` goes through a book."""

    def __init__(self, network: LiteraryNetwork, words: BookWords) -> None:
        self._network = network
        self._words = words
        self._columns = _columns_of(network)

    def hear(self, within: Range, batch: DocumentBatch, outputs: Sequence[Tensor]) -> None:
        grammar = self._network.grammar
        if grammar is None or self._columns is None:
            return
        start, end = within
        chosen = self._words.sentences[self._words.sentence_of(start) : self._words.sentence_of(end - 1) + 1]
        sentences = [(begin - start, stop - start) for begin, stop in chosen]
        vectors = self._network.words_of(outputs, batch, grammar=True)
        self._columns.add(parse(grammar, vectors, sentences), self._words.words, start)

    def parse(self) -> Parse | None:
        """Return the columns without copying them, or None if the network has no grammar. Call it once."""
        told, self._columns = self._columns, None
        if told is None:
            return None
        return Parse(
            starts=self._words.starts,
            ends=self._words.ends,
            sentences=self._words.sentences,
            tags=told.tags,
            lemmas=mended(self._words.words[: len(told.tags)], told.tags, told.lemmas),
            heads=told.heads,
            relations=told.relations,
            events=told.events,
        )


def parse_words(
    network: LiteraryNetwork, pieces: WordPieces, sentences: Sequence[Sequence[str]]
) -> ParsedWords:
    """Parse sentences that are already split into words."""
    grammar, told = network.grammar, _columns_of(network)
    if grammar is None or told is None:
        raise ValueError("this network was not taught grammar")
    words: list[str] = []
    with torch.inference_mode(), network.autocast():
        for some in packed(sentences, _PASSAGE):
            document = document_of(some)
            batch, outputs = steady_shapes.encode(network, batch_of(document, pieces))
            vectors = network.words_of(outputs, batch, grammar=True)
            at = len(words)
            words += document.words
            told.add(parse(grammar, vectors, document.sentences), words, at)
    return ParsedWords(
        tuple(told.tags), tuple(told.lemmas), tuple(told.heads), tuple(told.relations), tuple(told.events)
    )


def _columns_of(network: LiteraryNetwork) -> _Columns | None:
    """Return empty columns, or None if the network has no grammar."""
    return None if network.grammar is None else _Columns(network.grammar.vocabulary)


class _Columns:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._lemmatizer = vocabulary.lemmatizer()
        self._known: dict[str, str] = {}
        """Lemmas, so that each string is stored once."""
        self.tags: list[str] = []
        self.lemmas: list[str] = []
        self.heads = array("i")
        self.relations: list[str] = []
        self.events: list[bool] = []

    def add(self, parsed: ParsedColumns, words: Sequence[str], at: int) -> None:
        """Append parsed words. `words` are the book's, and the parsed ones begin at `at`."""
        told = self._vocabulary
        tags = [told.tags[tag] for tag in parsed.tags]
        self.tags += tags
        lemmas = map(self._lemmatizer.lemma, words[at : at + len(tags)], tags, parsed.scripts)
        self.lemmas += (self._known.setdefault(lemma, lemma) for lemma in lemmas)
        self.heads.extend(ROOT if head < 0 else at + head for head in parsed.heads)
        self.relations += [told.relations[relation] for relation in parsed.relations]
        self.events += parsed.events
