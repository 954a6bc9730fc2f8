"""Training targets from gold trees, and the network's losses on them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from coref.native.batching import batch_of
from coref.native.document import Range
from coref.native.lemma_scripts import script_of
from coref.native.network import DocumentBatch, LiteraryNetwork
from coref.native.word_heads import GrammarHead, Vocabulary, places
from coref.native.word_pieces import WordPieces
from coref.training.english_treebank import EnglishTreebank

_UNKNOWN = -100
"""The index that torch's losses ignore, for a lemma that no script yields."""


@dataclass(frozen=True, slots=True)
class GrammarExample:
    batch: DocumentBatch
    sentences: tuple[Range, ...]
    tags: Tensor
    scripts: Tensor
    heads: Tensor
    """Counted from the document's first word; -1 for a root."""
    relations: Tensor


@dataclass(frozen=True, slots=True)
class GrammarLosses:
    tags: Tensor
    scripts: Tensor
    arcs: Tensor
    labels: Tensor

    @property
    def total(self) -> Tensor:
        return self.tags + 0.5 * self.scripts + self.arcs + self.labels


def grammar_example(treebank: EnglishTreebank, vocabulary: Vocabulary, pieces: WordPieces) -> GrammarExample:
    ranges = treebank.document.sentences
    words = [word for sentence in treebank.sentences for word in sentence]
    heads = [
        -1 if word.head < 0 else start + word.head
        for sentence, (start, _) in zip(treebank.sentences, ranges, strict=True)
        for word in sentence
    ]
    scripts = {script: at for at, script in enumerate(vocabulary.scripts)}
    return GrammarExample(
        batch=batch_of(treebank.document, pieces),
        sentences=ranges,
        tags=torch.tensor([vocabulary.tags.index(word.tag) for word in words]),
        scripts=torch.tensor([scripts.get(script_of(word.text, word.lemma), _UNKNOWN) for word in words]),
        heads=torch.tensor(heads),
        relations=torch.tensor([vocabulary.relations.index(word.relation) for word in words]),
    )


def grammar_losses(network: LiteraryNetwork, grammar: GrammarHead, example: GrammarExample) -> GrammarLosses:
    batch = example.batch
    outputs = network.encoder(batch.pieces, batch.present)
    words = network.words_of(outputs, batch, grammar=True)
    scores = grammar.words(words)
    sides = grammar.sides(words)
    every = torch.arange(words.shape[0], device=words.device)
    return GrammarLosses(
        tags=cross_entropy(scores.tags.float(), example.tags),
        scripts=cross_entropy(scores.scripts.float(), example.scripts),
        arcs=_arc_loss(grammar.arc_scores(sides, example.sentences), example),
        labels=cross_entropy(grammar.label_scores(sides, every, example.heads).float(), example.relations),
    )


def _arc_loss(scores: Tensor, example: GrammarExample) -> Tensor:
    at, inside = places(example.sentences, device=scores.device)
    within = torch.where(example.heads[at] < 0, 0, example.heads[at] - at[:, :1] + 1)
    return cross_entropy(scores[inside], within[inside])
