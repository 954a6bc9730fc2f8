"""What trainings on the same data share: the encoder that they start from, and the treebank."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import torch

from coref.native.encoder import load_encoder
from coref.native.network import LiteraryNetwork
from coref.native.weights import load_network
from coref.native.word_heads import Vocabulary
from coref.native.word_pieces import WordPieces
from coref.training import english_treebank
from coref.training.coref_targets import CorefExample, example_of
from coref.training.grammar_targets import GrammarExample, grammar_example
from coref.training.litbank import load


@dataclass(frozen=True, slots=True)
class Ground:
    encoder: Path
    pieces: WordPieces
    vocabulary: Vocabulary | None
    """None without a treebank. Then no grammar is learned."""
    treebank: tuple[GrammarExample, ...]
    device: str
    """The device for training."""

    def network(self, seed: int, start: Path | None = None) -> LiteraryNetwork:
        """Return a network without training, or the one whose weights are in the folder `start`.

        Raises ValueError if that one has another vocabulary.
        """
        torch.manual_seed(seed)
        if start is not None:
            network = load_network(start, encoder=self.encoder)
            if (network.grammar and network.grammar.vocabulary) != self.vocabulary:
                raise ValueError("The weights to start from know another grammar than the treebank's")
            return network.to(self.device)
        return LiteraryNetwork(load_encoder(self.encoder), vocabulary=self.vocabulary).to(self.device)

    def examples(self, litbank: Path, names: Iterable[str]) -> list[CorefExample]:
        return [example_of(document, self.pieces) for document in load(litbank, list(names))]


def ground_of(encoder: Path, treebank: Path | None, *, device: str) -> Ground:
    """Prepare the data. `treebank` is the folder of UD English EWT, whose training part is used."""
    pieces = WordPieces(encoder)
    if treebank is None:
        return Ground(encoder, pieces, None, (), device)
    sentences = english_treebank.read(treebank, "train")
    vocabulary = english_treebank.vocabulary_of(sentences)
    parts = (grammar_example(part, vocabulary, pieces) for part in english_treebank.together(sentences))
    return Ground(encoder, pieces, vocabulary, tuple(parts), device)
