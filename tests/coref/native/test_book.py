"""A whole book in one pass, by a network of random weights. The passes must not change the result."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from coref.native import book_pass, candidate_pairs, steady_shapes
from coref.native.batching import batch_of
from coref.native.book_pass import FoundMentions, passages, read_book
from coref.native.book_words import BookWords
from coref.native.document_pass import found_spans, sides
from coref.native.groundwork import lay
from coref.native.network import LiteraryNetwork, antecedent_scores
from coref.native.pair_features import pair_features
from coref.native.word_pieces import WordPieces
from tests.coref.conftest import make_book
from tests.coref.native.tiny import network_of

STORY = "Mr. Darcy went home. The old man said it to Ann. She was a girl, and he was Smith.\n\n"


@pytest.fixture(scope="module")
def network(encoder_folder: Path) -> LiteraryNetwork:
    made = network_of(encoder_folder).eval()
    with torch.no_grad():
        made.mentions.first_alone.bias.zero_()  # otherwise it would find nothing
    return made


@pytest.fixture(scope="module")
def pieces(encoder_folder: Path) -> WordPieces:
    return WordPieces(encoder_folder)


def words(times: int) -> tuple[BookWords, list[int]]:
    ground = lay(make_book(STORY * times))
    return ground.words, ground.chapters


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny encoder has 64 positions."""
    monkeypatch.setattr("coref.native.word_pieces.WordPieces.windows", _windows)


_all_windows = WordPieces.windows


def _windows(self: WordPieces, document: object, *, most: int = 60) -> object:
    return _all_windows(self, document, most=most)  # type: ignore[arg-type]


def test_passages_hold_every_sentence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_pass, "_PASSAGE", 50)
    read, chapters = words(9)
    found = list(passages(read, chapters))
    assert [s for first, end in found for s in range(first, end)] == list(range(len(read.sentences)))
    assert len(found) > 1
    for first, end in found:
        assert read.sentences[end - 1][1] - read.sentences[first][0] <= 50


def test_what_is_found_is_what_the_network_finds(
    network: LiteraryNetwork, pieces: WordPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_pass, "_PER_WORD", 24)
    read, chapters = words(1)
    found = read_book(network, pieces, read, chapters=chapters)
    document = read.document((0, len(read.sentences)))
    batch = batch_of(document, pieces)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        vectors = network.words(batch)
        every = found_spans(network.mentions(vectors), batch)
    # In 16 bits padding may change borderline cases.
    assert len(set(every) ^ set(found.spans)) <= 0.05 * len(every)
    assert len(found.kinds) == len(found.categories) == len(found.new) == len(found.spans)


def test_a_book_is_read_alike_with_other_threads(
    network: LiteraryNetwork, pieces: WordPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_pass, "_PASSAGE", 50)
    read, chapters = words(9)
    heard: list[tuple[int, int]] = []
    alone = read_book(network, pieces, read, chapters=chapters)
    monkeypatch.setattr(book_pass, "others_for", lambda *_, **__: 2)
    monkeypatch.setattr(book_pass, "processors", lambda: 4)
    together = read_book(network, pieces, read, chapters=chapters, heard=lambda at, *_: heard.append(at))
    assert together == alone
    assert len(heard) > 4
    assert [start for start, _ in heard] == [0, *(end for _, end in heard[:-1])]


def test_all_shares_of_a_mention_sum_to_one(network: LiteraryNetwork, pieces: WordPieces) -> None:
    read, chapters = words(2)
    found = read_book(network, pieces, read, chapters=chapters)
    for at, (earlier, new) in enumerate(zip(found.earlier, found.new, strict=True)):
        assert all(before < at for before, _ in earlier)
        assert 0 < new + sum(share for _, share in earlier) <= 1.001


def test_of_mentions_that_are_all_alike_only_the_likeliest_links_are_kept(
    network: LiteraryNetwork, pieces: WordPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, chapters = words(3)
    every = read_book(network, pieces, read, chapters=chapters).earlier
    monkeypatch.setattr(book_pass, "_MOST_LINKS", 20)
    kept = read_book(network, pieces, read, chapters=chapters).earlier
    assert sum(map(len, every)) > sum(map(len, kept)) == 20
    least = min(share for links in kept for _, share in links)
    for all_links, links in zip(every, kept, strict=True):
        assert [link for link in all_links if link[1] > least] == [link for link in links if link[1] > least]


def test_pairs_are_scored_as_the_network_scores_all_of_them(
    network: LiteraryNetwork, pieces: WordPieces
) -> None:
    read, _ = words(1)
    document = read.document((0, len(read.sentences)))
    spans = [(0, 2), (5, 8), (8, 9), (11, 12), (13, 14), (15, 17), (19, 20), (21, 22)]
    with torch.inference_mode():
        vectors = network.represent(network.words(batch_of(document, pieces)), *sides(spans))
        some = candidate_pairs.shares_of(network, document, spans, vectors)
        every = network.pairs(vectors, pair_features(document, spans))
        shares = torch.softmax(antecedent_scores(every.float()), 1)
    assert torch.allclose(some.new, shares[:, 0], atol=1e-5)
    assert torch.allclose(some.share, shares[some.later, some.earlier + 1], atol=1e-5)


def test_mentions_go_back_over_the_edge_of_a_passage(
    network: LiteraryNetwork, pieces: WordPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_pass, "_PASSAGE", 24)
    read, chapters = words(4)
    found = read_book(network, pieces, read, chapters=chapters)
    edges = [read.sentences[first][0] for first, _ in passages(read, chapters)][1:]
    over = [e for e in edges if any(_goes_over(found, e))]
    assert over == edges


def _goes_over(found: FoundMentions, edge: int) -> list[bool]:
    return [
        found.spans[at][0] >= edge > found.spans[before][0]
        for at, earlier in enumerate(found.earlier)
        for before, _ in earlier
    ]


def test_only_given_mentions_are_read_where_they_are_given(
    network: LiteraryNetwork, pieces: WordPieces
) -> None:
    read, chapters = words(2)
    given = [(0, 2), (5, 8), (30, 31)]
    found = read_book(network, pieces, read, chapters=chapters, given=given)
    assert found.spans == given


def test_a_name_that_is_known_is_added_but_not_twice(
    network: LiteraryNetwork, pieces: WordPieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, chapters = words(1)
    quiet = network_like(network)
    found = read_book(quiet, pieces, read, chapters=chapters, also=[(1, 2)])
    assert found.spans == [(1, 2)]
    assert found.added == [True]
    full = read_book(network, pieces, read, chapters=chapters, also=[(1, 2)])
    assert full.spans.count((1, 2)) == 1
    assert full.added[full.spans.index((1, 2))] is False


def network_like(network: LiteraryNetwork) -> LiteraryNetwork:
    """Return a network that finds nothing."""
    import copy

    quiet = copy.deepcopy(network)
    with torch.no_grad():
        quiet.mentions.first_alone.bias[0] = 100.0
    return quiet


@pytest.mark.parametrize("times", [1, 2, 3, 5])
def test_no_windows_of_nothing_are_read(network: LiteraryNetwork, pieces: WordPieces, times: int) -> None:
    read, _ = words(times)
    batch = batch_of(read.document((0, len(read.sentences))), pieces)
    with torch.inference_mode():
        padded, outputs = steady_shapes.encode(network, batch)
    assert {len(output) for output in outputs} == {len(batch.pieces)}
    assert padded.present.any(1).all()


def test_padding_changes_nothing(network: LiteraryNetwork, pieces: WordPieces) -> None:
    read, _ = words(2)
    batch = batch_of(read.document((0, len(read.sentences))), pieces)
    with torch.inference_mode():
        plain = network.words(batch)
        padded, outputs = steady_shapes.encode(network, batch)
        assert torch.allclose(plain, network.words_of(outputs, padded), atol=1e-5)
        scores = steady_shapes.score_mentions(network, plain)
        able = batch.allowed
        assert torch.allclose(scores[able], network.mentions(plain)[able], atol=1e-4)
        sides_of = torch.tensor([0, 3]), torch.tensor([2, 4])
        assert torch.allclose(
            steady_shapes.represent(network, plain, *sides_of), network.represent(plain, *sides_of), atol=1e-5
        )
