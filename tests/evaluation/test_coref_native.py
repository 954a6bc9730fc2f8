"""The evaluation after each training epoch, of a network so small that it memorises two sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from coref.native.network import LiteraryNetwork, Sizes
from coref.native.word_pieces import WordPieces
from coref.training import english_treebank
from coref.training.coref_targets import CorefExample, example_of
from coref.training.english_treebank import EnglishTreebank
from coref.training.grammar_targets import grammar_example, grammar_losses
from coref.training.litbank import LitbankDocument
from evaluation.coref.native import measure
from tests.coref.native.conftest import encoder_folder
from tests.coref.native.test_grammar import TREES
from tests.coref.native.tiny import document_of, load_encoder

__all__ = ["encoder_folder"]


@pytest.fixture
def treebank(tmp_path: Path) -> EnglishTreebank:
    (tmp_path / "en_ewt-dev.conllu").write_text(TREES, encoding="utf-8")
    [document] = english_treebank.together(english_treebank.read(tmp_path, "dev"))
    return document


@pytest.fixture
def pieces(encoder_folder: Path) -> WordPieces:
    return WordPieces(encoder_folder)


@pytest.fixture
def network(treebank: EnglishTreebank, encoder_folder: Path, pieces: WordPieces) -> LiteraryNetwork:
    """Return a network trained on the treebank until it reproduces it."""
    vocabulary = english_treebank.vocabulary_of([*treebank.sentences, *treebank.sentences])
    torch.manual_seed(1)
    sizes = Sizes(biaffine=16, mention=24, pair=16)
    encoder = load_encoder(encoder_folder, dropout=0.0)
    network = LiteraryNetwork(encoder, sizes=sizes, dropout=0.0, vocabulary=vocabulary)
    assert network.grammar is not None
    example = grammar_example(treebank, vocabulary, pieces)
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    for _ in range(80):
        optimizer.zero_grad()
        grammar_losses(network, network.grammar, example).total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return network.eval()


def marked(pieces: WordPieces, *events: bool) -> CorefExample:
    return example_of(LitbankDocument("a", document_of("He went home ."), (), events), pieces)


def test_grammar_with_marks_and_subtypes(
    network: LiteraryNetwork, treebank: EnglishTreebank, pieces: WordPieces
) -> None:
    figures = measure(network, [], [treebank], pieces)
    assert [figures[name] for name in ("tags", "unlabelled", "labelled")] == [1, 1, 1]
    assert figures["lemmas"] == round(6 / 7, 4), "so few names make no rule by which Ann would be Ann"
    home, ships = treebank.sentences
    stop = replace(home[3], relation="dep")
    ann = replace(ships[0], relation="nmod")
    other = replace(treebank, sentences=((*home[:3], stop), (ann, *ships[1:])))
    figures = measure(network, [], [other], pieces)
    assert figures["unlabelled"] == 1
    assert figures["labelled"] == round(5 / 7, 4), "a mark counts, and `nmod:poss` is not `nmod`"


def test_what_an_epoch_is_chosen_by(
    network: LiteraryNetwork, treebank: EnglishTreebank, pieces: WordPieces
) -> None:
    figures = measure(network, [], [treebank], pieces)
    assert figures["score"] == figures["labelled"] / 4, "of mentions there are none"
    assert "labelled" not in measure(network, [], [], pieces)


def test_events(network: LiteraryNetwork, pieces: WordPieces) -> None:
    assert network.grammar is not None
    with torch.no_grad():
        network.grammar.events.bias.fill_(1e3)
    examples = [marked(pieces, False, True, False, False), marked(pieces)]
    figures = measure(network, examples, [], pieces)
    assert figures["event_f1"] == 2 / 5, "one of four is right; who marked nothing is not asked"
    with torch.no_grad():
        network.grammar.events.bias.fill_(-1e3)
    assert measure(network, examples, [], pieces)["event_f1"] == 0
