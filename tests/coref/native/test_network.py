"""The parts of the network, compared with the plain formulas that they implement efficiently."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import BertModel

from coref.native.batching import batch_of
from coref.native.document_pass import link
from coref.native.encoder import SharedDropout, load_encoder
from coref.native.network import (
    MOST_WORDS,
    SHAPES,
    LiteraryNetwork,
    MentionScorer,
    antecedent_scores,
    shape_of,
)
from coref.native.word_pieces import WordPieces
from tests.coref.native.tiny import document_of, network_of

STORY = """
Mr Darcy said , " I went home . "
The old man was Ann 's , and he said it of the girls .
"""


@pytest.fixture
def network(encoder_folder: Path) -> LiteraryNetwork:
    return network_of(encoder_folder).eval()


def test_every_layer_is_the_reference_berts(encoder_folder: Path) -> None:
    pieces = torch.tensor([[2, 5, 9, 12, 3, 0], [2, 7, 8, 20, 21, 3]])
    present = pieces != 0
    reference = BertModel.from_pretrained(encoder_folder).eval()
    with torch.no_grad():
        wanted = reference(pieces, attention_mask=present.long(), output_hidden_states=True).hidden_states
        found = load_encoder(encoder_folder).eval()(pieces, present)
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours[present], theirs[present], atol=1e-5, rtol=1e-4)


def test_a_word_is_the_mean_of_its_pieces(encoder_folder: Path, network: LiteraryNetwork) -> None:
    document = document_of("The girls went home .")
    batch = batch_of(document, WordPieces(encoder_folder))
    with torch.no_grad():
        network.layer_mix[:] = torch.tensor([-1e4, -1e4, 0.0])
        last = network.encoder(batch.pieces, batch.present)[-1][0]
        words = network.words(batch)
    assert batch.owners.tolist() == [-1, 0, 1, 1, 2, 3, 4, -1]
    size = network.encoder.size
    torch.testing.assert_close(words[1, :size], (last[2] + last[3]) / 2)
    torch.testing.assert_close(words[4, :size], last[6])


def test_mentions_are_scored_by_the_biaffine_form() -> None:
    torch.manual_seed(1)
    scorer = MentionScorer(10, 6, dropout=0.0).eval()
    words = torch.randn(5, 10)
    with torch.no_grad():
        scores = scorer(words)
        first = torch.nn.functional.gelu(scorer.first(words))
        last = torch.nn.functional.gelu(scorer.last(words))
        assert scores.shape == (5, MOST_WORDS, 7)
        for start in range(5):
            for end in range(start, 5):
                both = torch.einsum("d,cde,e->c", first[start], scorer.both, last[end])
                alone = scorer.first_alone(first[start]) + scorer.last_alone(last[end])
                wanted = both + alone + scorer.length.weight[end - start]
                torch.testing.assert_close(scores[start, end - start], wanted, atol=1e-5, rtol=1e-4)


def test_a_mention_is_told_by_its_own_words_only(encoder_folder: Path, network: LiteraryNetwork) -> None:
    words = torch.randn(9, network.weight.in_features)
    starts, ends = torch.tensor([2, 4]), torch.tensor([5, 5])
    with torch.no_grad():
        before = network.represent(words, starts, ends)
        changed = words.clone()
        changed[:2] += 1
        changed[5:] -= 1
        torch.testing.assert_close(network.represent(changed, starts, ends), before)
        changed[3] += 1
        after = network.represent(changed, starts, ends)
    assert not torch.allclose(after[0], before[0])
    torch.testing.assert_close(after[1], before[1])


def test_only_what_came_before_can_be_meant() -> None:
    scores = antecedent_scores(torch.ones(3, 3))
    shares = torch.softmax(scores, 1)
    assert shares[0].tolist() == [1, 0, 0, 0]
    assert (shares > 0).tolist() == [
        [True, False, False, False],
        [True, True, False, False],
        [True] * 3 + [False],
    ]


def test_no_stretch_crosses_a_sentence(encoder_folder: Path) -> None:
    batch = batch_of(document_of(STORY), WordPieces(encoder_folder))
    first = 10
    assert batch.allowed[:first, :].sum() == first * (first + 1) / 2
    assert not batch.allowed[first - 1, 1]


def test_shared_dropout_drops_the_same_of_every_row() -> None:
    torch.manual_seed(0)
    drop = SharedDropout(0.5).train()
    out = drop(torch.ones(2, 50, 64))
    assert (out == out[:, :1]).all()
    assert 0 < (out == 0).float().mean() < 1
    assert (drop.eval()(torch.ones(2, 3)) == 1).all()


@pytest.mark.parametrize(
    ("word", "alike"),
    [
        ("--", "!"),
        ("12", "7"),
        ("home", "ship"),
        ("Ann", "Darcy"),
        ("ANN", "DARCY"),
        ("I", "A"),
        ("McX", "DeFoe"),
    ],
)
def test_words_of_one_shape(word: str, alike: str) -> None:
    assert shape_of(word) == shape_of(alike) < SHAPES


def test_shapes_are_told_apart() -> None:
    assert len({shape_of(word) for word in ("--", "12", "home", "Ann", "ANN", "I", "McX", "iX")}) == SHAPES


def test_the_mentions_that_are_given_are_linked(encoder_folder: Path, network: LiteraryNetwork) -> None:
    document = document_of(STORY)
    batch = batch_of(document, WordPieces(encoder_folder))
    given = [(10, 13), (0, 2), (15, 16)]
    with torch.no_grad():
        linked = link(network, document, batch, given=given)
    assert linked.spans == ((0, 2), (10, 13), (15, 16))
    assert sorted(at for cluster in linked.clusters for at in cluster) == [0, 1, 2]


def test_a_document_without_a_mention_has_none(encoder_folder: Path, network: LiteraryNetwork) -> None:
    document = document_of("It was .")
    with torch.no_grad():
        assert link(network, document, batch_of(document, WordPieces(encoder_folder)), given=[]).spans == ()
