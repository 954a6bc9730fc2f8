"""The reader of pairs: what it says does not depend on what is read beside it, and follows the meaning."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from coref.encoder_bits import EncoderBits
from coref.native.minilm import encoder_folder
from retrieval.pairs.pair_reader import PairReader, as_pairs, loaded
from retrieval.pairs.types import Asks

KEY = "She hid the key under the third stone of the wall, and told nobody."
SUPPER = "They sat down to a supper of cold beef, and talked of the weather."
PAIRS = (
    ("Where did she hide the key?", KEY),
    ("Where did she hide the key?", SUPPER),
    ("What did they eat that evening?", KEY),
    ("What did they eat that evening?", SUPPER),
)


@pytest.fixture(scope="module")
def reader() -> PairReader:
    return loaded(encoder_folder())


def test_a_passage_that_answers_is_likelier_than_one_that_does_not(reader: PairReader) -> None:
    key, supper, wrong_key, right_supper = reader(PAIRS, Asks.ANSWERS)
    assert key > supper
    assert right_supper > wrong_key


def test_a_claim_is_borne_out_by_what_says_so_in_other_words(reader: PairReader) -> None:
    said = reader(
        [("Alex is angry with Sam.", text) for text in ("Alex raged at Sam and shook his fist.", SUPPER)],
        Asks.BEARS_OUT,
    )
    assert said[0] > said[1]


def test_pairs_are_read_alike_together_and_alone(reader: PairReader) -> None:
    long = (PAIRS[0][0], " ".join([KEY, SUPPER] * 30))
    together = reader([*PAIRS, long], Asks.ANSWERS)
    alone = np.concatenate([reader([pair], Asks.ANSWERS) for pair in (*PAIRS, long)])
    assert together == pytest.approx(alone, abs=1e-4)
    assert np.isfinite(together).all()


def test_what_is_much_shorter_is_not_padded(reader: PairReader, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, ...]] = []
    encode = reader._encoder

    def watched(pieces: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        shapes.append(tuple(pieces.shape))
        return encode(pieces, there)

    monkeypatch.setattr(reader, "_encoder", watched)
    reader([("", "word " * count) for count in (100, 10, 98, 11, 99)], Asks.ANSWERS)
    assert shapes == [(3, 103), (2, 14)]


def test_in_8_bits_pairs_are_told_apart_alike(reader: PairReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.embedders.rounded.chosen", lambda: EncoderBits.EIGHT)
    rounded = loaded.__wrapped__(encoder_folder())
    pairs = [*PAIRS, (PAIRS[0][0], " ".join([KEY, SUPPER] * 10))]
    exact, found = reader(pairs, Asks.ANSWERS), rounded(pairs, Asks.ANSWERS)
    assert found.tolist() != exact.tolist()
    assert found == pytest.approx(exact, abs=0.3)


def test_in_16_bits_they_are_told_apart_alike(reader: PairReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.embedders.rounded.chosen", lambda: EncoderBits.SIXTEEN)
    exact, found = reader(PAIRS, Asks.ANSWERS), loaded.__wrapped__(encoder_folder())(PAIRS, Asks.ANSWERS)
    assert found.tolist() != exact.tolist()
    assert found == pytest.approx(exact, abs=0.1)


def test_windows_become_pairs_of_the_same_pieces() -> None:
    window = torch.arange(1, 101)
    pair = as_pairs(window[None])[0].tolist()
    assert pair == [101, *range(77, 101), 102, *range(2, 77), 102]


def test_nothing_to_read(reader: PairReader) -> None:
    assert reader([], Asks.ANSWERS).shape == (0,)
    assert np.isfinite(reader([("", "")], Asks.BEARS_OUT)).all()
