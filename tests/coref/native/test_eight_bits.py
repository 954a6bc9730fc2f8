"""The encoder in 8 bits gives nearly what it gives in 32."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from books.digests import file_sha256
from coref.encoder_bits import EncoderBits
from coref.errors import ResolverUnavailable
from coref.native import encoder_speed
from coref.native.eight_bits import LEVELS, EightBitEncoder, Ranges, load_ranges, save_ranges
from coref.native.encoder import Encoder, load_encoder
from coref.native.encoder_speed import fastest_of, measure_rates
from coref.native.minilm import encoder_folder as minilm_folder
from coref.native.weights import PLACE, encoder_ranges, load_fast_network, load_network
from coref.native.word_pieces import WordPieces
from coref.training.activation_ranges import measure_ranges
from retrieval.embedders.minilm import RANGES, MiniLmEmbedder
from tests.coref.native.tiny import document_of, network_of
from tests.failing import fails

SENTENCES = [
    "Mrs. Lomax wrote to her sister that the house by the river was let at last.",
    "He had not expected the old man to answer, and when the answer came he did not open it for a week.",
]
CLOSE = 0.02
"""Share of the outputs' variance."""


def windows(encoder: Encoder, *, seed: int) -> Tensor:
    torch.manual_seed(seed)
    return torch.randint(4, encoder.words.shape[0], (6, 40))


@pytest.fixture(scope="module")
def encoder(encoder_folder: Path) -> Encoder:
    """A random encoder with one feature that is much larger than the others, as trained ones have."""
    made = load_encoder(encoder_folder).eval()
    with torch.no_grad():
        made.norm.bias[3] = 30.0
        for layer in made.layers:
            layer.last_norm.bias[5] = 20.0
    return made


@pytest.fixture(scope="module")
def ranges(encoder: Encoder) -> Ranges:
    return measure_ranges(encoder, [windows(encoder, seed=1)])


def error(found: Tensor, exact: Tensor) -> float:
    return float((found - exact).pow(2).mean() / exact.var())


def test_every_output_is_close(encoder: Encoder, ranges: Ranges) -> None:
    pieces = windows(encoder, seed=2)
    present = torch.ones_like(pieces, dtype=torch.bool)
    with torch.no_grad():
        exact, found = encoder(pieces, present), EightBitEncoder(encoder, ranges)(pieces, present)
    assert len(found) == encoder.depth
    assert all(error(*pair) < CLOSE for pair in zip(found, exact, strict=True))
    assert not torch.equal(found[-1], exact[-1]), "it is computed in 8 bits"


def test_only_the_last_output_can_be_had(encoder: Encoder, ranges: Ranges) -> None:
    pieces = windows(encoder, seed=2)
    present = torch.ones_like(pieces, dtype=torch.bool)
    with torch.no_grad():
        every = EightBitEncoder(encoder, ranges)(pieces, present)
        first, last = EightBitEncoder(encoder, ranges, only_last=True)(pieces, present)
    assert torch.equal(first, every[0])
    assert torch.equal(last, every[-1])


def test_padding_is_not_seen(encoder: Encoder, ranges: Ranges) -> None:
    pieces = windows(encoder, seed=3)
    present = torch.ones_like(pieces, dtype=torch.bool)
    present[:, 30:] = False
    other = pieces.clone()
    other[:, 30:] = 7
    run = EightBitEncoder(encoder, ranges)
    with torch.no_grad():
        assert torch.equal(run(pieces, present)[-1][:, :30], run(other, present)[-1][:, :30])


def test_nothing_is_no_value_between_two_steps(ranges: Ranges) -> None:
    for each in ranges.values():
        step = (each.high - each.low) / (LEVELS - 1)
        assert each.low / step == pytest.approx(round(each.low / step), abs=1e-6)


def test_ranges_are_of_one_set_of_weights(ranges: Ranges, tmp_path: Path) -> None:
    save_ranges(ranges, tmp_path / "ranges", of="these")
    kept = load_ranges(tmp_path / "ranges", of="these")
    assert kept is not None
    assert kept.keys() == ranges.keys()
    assert all((kept[name].factors == ranges[name].factors).all() for name in ranges)
    assert all(kept[name].low == pytest.approx(ranges[name].low) for name in ranges)
    assert load_ranges(tmp_path / "ranges", of="others") is None
    assert load_ranges(tmp_path / "none", of="these") is None


def test_the_shipped_ranges_are_those_of_the_shipped_weights() -> None:
    assert encoder_ranges() is not None
    assert load_ranges(RANGES, of=file_sha256(minilm_folder() / "model.safetensors")) is not None


def test_the_shipped_network_reads_nearly_the_same_in_8_bits() -> None:
    pieces = WordPieces(minilm_folder())
    document = document_of("\n".join(text.replace(",", " ,").replace(".", " .") for text in SENTENCES))
    from coref.native.batching import batch_of

    batch = batch_of(document, pieces)
    with torch.no_grad():
        exact, found = (
            load(batch.pieces, batch.present)[-1]
            for load in (
                load_network().encoder,
                load_fast_network(PLACE, minilm_folder(), EncoderBits.EIGHT).encoder,
            )
        )
    assert torch.cosine_similarity(exact, found, dim=-1).min() > 0.98


def test_a_book_is_embedded_in_8_bits_and_a_question_exactly() -> None:
    exact, fast = MiniLmEmbedder(), MiniLmEmbedder(EncoderBits.EIGHT)
    assert (exact.embed(SENTENCES[:1]) == fast.embed(SENTENCES[:1])).all()
    book = [f"{sentence} {other}" for sentence in SENTENCES for other in SENTENCES] * 4
    one, two = exact.embed(book), fast.embed(book)
    assert not (one == two).all()
    assert ((one * two).sum(1) > 0.99).all()


def test_8_bits_are_refused_for_weights_without_ranges(encoder_folder: Path, tmp_path: Path) -> None:
    from coref.native.weights import WeightsOrigin, save_weights

    origin = WeightsOrigin("tiny", ("public domain",), "bookworm train coref", {}, {})
    save_weights(network_of(encoder_folder), tmp_path, origin, encoder=encoder_folder)
    with fails(ResolverUnavailable, match="8 bits"):
        load_fast_network(tmp_path, encoder_folder, EncoderBits.EIGHT)


def test_8_bits_must_be_clearly_faster() -> None:
    eight, sixteen, exact = EncoderBits.EIGHT, EncoderBits.SIXTEEN, EncoderBits.THIRTY_TWO
    assert fastest_of({exact: 100, sixteen: 80, eight: 250}) is eight
    assert fastest_of({exact: 100, sixteen: 300, eight: 310}) is sixteen
    assert fastest_of({exact: 100, sixteen: 80, eight: 110}) is exact
    assert fastest_of({exact: 100, sixteen: 80}) is exact
    assert fastest_of({}) is sixteen, "a GPU"


def test_every_precision_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a little: without the processor's help 16 bits take ten times as long."""
    monkeypatch.setattr(encoder_speed, "_RUNS", 1)
    monkeypatch.setattr(encoder_speed, "_WINDOWS", 1)
    rates = measure_rates()
    assert set(rates) == set(EncoderBits)
    assert all(rate > 0 for rate in rates.values())


def test_nothing_is_reported_to_anybody(tmp_path: Path) -> None:
    """OpenVINO would send each import over the network, and leave the id it sends in the home folder."""
    loads = "import sys, coref.native.eight_bits; print(sys.modules.get('openvino_telemetry'))"
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    told = subprocess.run([sys.executable, "-c", loads], env=home, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "None"
    assert not [path for path in tmp_path.rglob("*") if "openvino" in path.name]
