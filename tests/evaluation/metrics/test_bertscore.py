"""Greedy matching against its definition in plain loops, on a tiny encoder; and the default encoder."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from evaluation.metrics import bertscore
from evaluation.metrics.bertscore import BertScore, greedy
from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.options import Options
from evaluation.metrics.registry import make_metric
from tests.evaluation.metrics.models import build
from tests.evaluation.metrics.samples import sample

TEXTS = (
    ("She walked to the harbour.", "Bess walks to the old harbour, and Tom told her."),
    ("Tom is the clerk", "She is the clerk."),
    ("宝玉爱黛玉", "黛玉爱宝玉"),
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("encoder"))


def vectors(folder: Path, text: str, layer: int) -> tuple[list[int], list[list[float]]]:
    """Return a text's pieces and the layer's vectors, one at a time and without special tokens."""
    ids = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        states = AutoModel.from_pretrained(folder)(ids, output_hidden_states=True).hidden_states
    return ids[0, 1:-1].tolist(), states[layer][0, 1:-1].tolist()


def cosine(one: list[float], other: list[float]) -> float:
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def slow(folder: Path, answer: str, reference: str, layer: int, idf: list[str] | None) -> tuple[float, float]:
    (mine, left), (theirs, right) = vectors(folder, answer, layer), vectors(folder, reference, layer)
    known = [set(vectors(folder, text, layer)[0]) for text in idf or ()]

    def weight(piece: int) -> float:
        return math.log((len(known) + 1) / (sum(piece in each for each in known) + 1)) if idf else 1.0

    def mean(pieces: list[int], best: list[float]) -> float:
        weights = [weight(piece) for piece in pieces]
        return sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights)

    precision = mean(mine, [max(cosine(one, other) for other in right) for one in left])
    recall = mean(theirs, [max(cosine(one, other) for one in left) for other in right])
    return precision, recall


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [None, 0, 1])
def test_it_is_its_definition(tiny: Path, layer: int | None, idf: bool) -> None:
    metric = make_metric("bertscore", Options(encoder=tiny, layer=layer, idf=idf))
    found = metric.score([sample(*pair) for pair in TEXTS])
    references = [reference for _, reference in TEXTS] if idf else None
    for scores, pair in zip(found, TEXTS, strict=True):
        precision, recall = slow(tiny, *pair, 2 if layer is None else layer, references)
        assert scores["bertscore_precision"] == pytest.approx(precision, abs=1e-5)
        assert scores["bertscore_recall"] == pytest.approx(recall, abs=1e-5)
        assert scores["bertscore"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-5)


def test_the_name_says_all_that_the_figures_hang_on(tiny: Path, tmp_path: Path) -> None:
    other = build(tmp_path / tiny.name, seed=1)
    names = {
        make_metric("bertscore", options).name
        for options in (
            Options(encoder=tiny),
            Options(encoder=other),
            Options(encoder=tiny, layer=1),
            Options(encoder=tiny, idf=True),
        )
    }
    assert len(names) == 4


def test_a_long_text_is_read_to_its_end_and_each_piece_once(tiny: Path) -> None:
    metric = BertScore(tiny)
    text = " ".join(["she", "walked", "to", "the", "harbour", "."] * 50 + ["lydia"])
    (whole,) = metric.encode([text])
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    assert list(whole.pieces) == tokenizer(text, add_special_tokens=False)["input_ids"]
    assert whole.vectors.shape == (len(whole.pieces), 24)
    # The first half of the first window is as if the text ended with that window.
    beginning = tokenizer.decode(whole.pieces[:38])
    assert torch.allclose(metric.encode([beginning])[0].vectors[:30], whole.vectors[:30], atol=1e-5)


def test_likest_of_many_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.metrics.bertscore._ROWS", 7)
    one, other = (torch.nn.functional.normalize(torch.randn(n, 5), dim=1) for n in (40, 23))
    rows, columns = greedy(one, other)
    table = one @ other.T
    assert torch.allclose(rows, table.amax(1))
    assert torch.allclose(columns, table.amax(0))


def test_nothing_said_and_nothing_to_say(tiny: Path) -> None:
    metric = BertScore(tiny)
    silent, unmeasured = metric.score([sample("", "She is."), sample("She is.", " ")])
    assert set(silent.values()) == {0.0}
    assert set(unmeasured.values()) == {None}
    assert set(silent) == set(unmeasured) == set(metric.columns)


@pytest.mark.parametrize(
    ("words", "most"), [(3_000, 1_024), pytest.param(30_000, bertscore._MOST, marks=pytest.mark.soak)]
)
def test_of_thousands_of_words_the_beginning_is_compared(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, words: int, most: int
) -> None:
    monkeypatch.setattr(bertscore, "_MOST", most)
    text = "she walked to the harbour . " * (words // 6)
    start = time.process_time()
    scores, more = BertScore(tiny).score([sample(text, text), sample(text, f"{text} lydia drowned")])
    assert scores["bertscore"] == more["bertscore"] == pytest.approx(1, abs=1e-4)
    assert time.process_time() - start < 40


def test_the_house_has_an_encoder() -> None:
    near, far = make_metric("bertscore").score(
        [
            sample("The cat sat on the mat.", "A cat was sitting upon the rug."),
            sample("Stocks fell sharply in Tokyo.", "A cat was sitting upon the rug."),
        ]
    )
    assert (near["bertscore"] or 0) > (far["bertscore"] or 0) + 0.3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(encoder=Path("nowhere")), "not a folder with a model"),
        (Options(layer=9), "no layer 9. Choose one from 0 to 6"),
    ],
)
def test_what_cannot_be_used_is_refused(options: Options, said: str) -> None:
    with pytest.raises(MetricUnavailable, match=said):
        make_metric("bertscore", options).score([sample("a", "b")])


@pytest.mark.parametrize("damage", ["weights", "config"])
def test_a_damaged_folder_is_refused(tmp_path: Path, damage: str) -> None:
    folder = build(tmp_path / "model")
    path = folder / ("model.safetensors" if damage == "weights" else "config.json")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(MetricUnavailable, match="could not be loaded"):
        make_metric("bertscore", Options(encoder=folder)).score([sample("a", "b")])
