"""Lemmas as scripts, and a treebank that is read, learned and predicted."""

from __future__ import annotations

import gzip
from itertools import product
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from coref.native.batching import batch_of
from coref.native.lemma_scripts import Lemmatizer, apply, endings_of, irregular_of, script_of
from coref.native.network import LiteraryNetwork, Sizes
from coref.native.word_heads import parse
from coref.native.word_pieces import WordPieces
from coref.training.english_treebank import Sentence, read, together, vocabulary_of
from coref.training.grammar_targets import grammar_example, grammar_losses
from tests.coref.native.tiny import load_encoder

TREES = """# text = He went home.
1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\twent\tgo\tVERB\tVBD\t_\t0\troot\t_\t_
3\thome\thome\tADV\tRB\t_\t2\tadvmod\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1-2\tAnn's\t_\t_\t_\t_\t_\t_\t_\t_
1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnmod:poss\t_\t_
2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\t_
3\tships\tship\tNOUN\tNNS\t_\t0\troot\t_\t_
3.1\twent\tgo\tVERB\tVBD\t_\t_\t_\t_\t_
"""


@pytest.fixture
def sentences(tmp_path: Path) -> list[Sentence]:
    (tmp_path / "en_ewt-train.conllu.gz").write_bytes(gzip.compress(TREES.encode()))
    return read(tmp_path, "train")


@pytest.mark.parametrize(
    ("word", "lemma", "script"),
    [
        ("carried", "carry", "3|y"),
        ("went", "go", "4|go"),
        ("THE", "the", "0|"),
        ("Emma", "Emma", "^0|"),
        ("Pemberleys", "Pemberley", "^1|"),
        ("n't", "not", "2|ot"),
    ],
)
def test_lemmas_are_scripts(word: str, lemma: str, script: str) -> None:
    assert script_of(word, lemma) == script
    assert apply(script, word) == lemma


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_a_script_makes_the_lemma_it_was_made_of(word: str, lemma: str) -> None:
    cased = lemma[:1].isupper() and word[:1].isupper()
    assert apply(script_of(word, lemma), word) == (lemma if cased else lemma.lower())


def test_a_script_never_fails_on_a_shorter_word() -> None:
    assert apply("4|go", "a") == "go"


def test_a_lemma_is_by_a_rule_that_fits_or_looked_up() -> None:
    regular = [("".join(stem) + "ed", "VERB", "".join(stem)) for stem in product("bc", "ae", "lm", "p")]
    told = [*regular, ("saw", "VERB", "see"), ("saw", "VERB", "see"), ("saw", "NOUN", "saw")]
    scripts = ["0|", "1|", "2|", "2|ee"]
    lemmatizer = Lemmatizer(scripts, endings_of(told, scripts), irregular_of(told), [])
    assert lemmatizer.lemma("Jumped", "VERB", [1, 3, 2]) == "jump"  # no word loses a `d` alone
    assert lemmatizer.lemma("saw", "VERB", [2, 0]) == "see"
    assert lemmatizer.lemma("Bread", "NOUN", [1, 2]) == "bread"  # nothing fits
    assert dict(irregular_of(told))["saw VERB"] == "see"
    knowing = Lemmatizer(scripts, endings_of(told, scripts), [], ["jumpe"])
    assert knowing.lemma("jumped", "VERB", [2, 0]) == "jump"
    knowing = Lemmatizer(["1|", "2|"], [["d"], ["ed"]], [], ["announce"])
    assert knowing.lemma("announced", "VERB", [1, 0]) == "announce"


def test_a_treebank_is_read_without_ranges_and_empty_words(sentences: list[Sentence]) -> None:
    assert [[word.text for word in sentence] for sentence in sentences] == [
        ["He", "went", "home", "."],
        ["Ann", "'s", "ships"],
    ]
    assert [word.head for word in sentences[1]] == [2, 0, -1]
    [document] = together(sentences)
    assert document.document.sentences == ((0, 4), (4, 7))


def test_grammar_is_learnt(sentences: list[Sentence], encoder_folder: Path) -> None:
    vocabulary = vocabulary_of([*sentences, *sentences])
    pieces = WordPieces(encoder_folder)
    [document] = together(sentences)
    example = grammar_example(document, vocabulary, pieces)
    torch.manual_seed(1)
    network = LiteraryNetwork(
        load_encoder(encoder_folder, dropout=0.0),
        sizes=Sizes(biaffine=16, mention=24, pair=16),
        dropout=0.0,
        vocabulary=vocabulary,
    )
    assert network.grammar is not None
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    for _ in range(60):
        optimizer.zero_grad()
        grammar_losses(network, network.grammar, example).total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    network.eval()
    with torch.no_grad():
        batch = batch_of(document.document, pieces)
        words = network.words_of(network.encoder(batch.pieces, batch.present), batch, grammar=True)
        parsed = parse(network.grammar, words, document.document.sentences)
    told = [word for sentence in sentences for word in sentence]
    assert [vocabulary.tags[tag] for tag in parsed.tags] == [word.tag for word in told]
    assert [vocabulary.relations[label] for label in parsed.relations] == [word.relation for word in told]
    likeliest = [vocabulary.scripts[best[0]] for best in parsed.scripts]
    assert [apply(s, w.text) for s, w in zip(likeliest, told, strict=True)] == [word.lemma for word in told]
    assert parsed.heads == [1, -1, 1, 1, 6, 4, -1]


def test_a_sentence_longer_than_any_is_parsed_in_parts(
    sentences: list[Sentence], encoder_folder: Path
) -> None:
    vocabulary = vocabulary_of(sentences)
    network = LiteraryNetwork(load_encoder(encoder_folder), vocabulary=vocabulary).eval()
    assert network.grammar is not None
    words = torch.randn(450, network.encoder.size + 40)
    parsed = parse(network.grammar, words, [(0, 449), (449, 450)])
    assert len(parsed.heads) == len(parsed.tags) == len(parsed.relations) == 450
    assert parsed.heads.count(-1) == 4
    assert all(head < 200 for head in parsed.heads[:200])
