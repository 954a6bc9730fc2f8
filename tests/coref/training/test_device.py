"""Training on the network's device, which refuses tensors of the processor, as a GPU does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

from coref.native.document import Document
from coref.native.network import LiteraryNetwork, Sizes
from coref.native.precision import moved
from coref.native.word_pieces import WordPieces
from coref.training import checkpoint, english_treebank
from coref.training.checkpoint import CorefEpoch
from coref.training.coref_targets import CorefExample, example_of
from coref.training.english_treebank import EnglishTreebank
from coref.training.grammar_targets import grammar_example
from coref.training.litbank import load
from coref.training.network_training import fit
from coref.training.training_data import ground_of
from evaluation.coref.native import measure
from tests.coref.native.test_grammar import TREES
from tests.coref.native.tiny import load_encoder
from tests.coref.training.conftest import stopped_after_two
from tests.coref.training.elsewhere import DEVICE, elsewhere
from tests.coref.training.test_fit import PLAN, litbank

__all__ = ["litbank"]
pytestmark = pytest.mark.filterwarnings("ignore:for .* copying from a non-meta parameter")
Train = Callable[[str], list[CorefEpoch]]


@pytest.fixture
def example(litbank: Path, encoder_folder: Path) -> CorefExample:
    [gold] = load(litbank, ["1_home"])
    events = tuple(word in ("went", "said") for word in gold.document.words)
    return example_of(replace(gold, events=events), WordPieces(encoder_folder))


@pytest.fixture
def treebank(tmp_path: Path) -> EnglishTreebank:
    (tmp_path / "en_ewt-train.conllu").write_text(TREES, encoding="utf-8")
    [document] = english_treebank.together(english_treebank.read(tmp_path, "train"))
    return document


@pytest.fixture
def train(
    encoder_folder: Path,
    example: CorefExample,
    treebank: EnglishTreebank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Train:
    """Train in 32 bits and without dropout, whose random numbers depend on the device."""
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())
    monkeypatch.setattr(torch, "inference_mode", torch.no_grad)
    pieces = WordPieces(encoder_folder)
    vocabulary = english_treebank.vocabulary_of([*treebank.sentences, *treebank.sentences])

    def run(device: str) -> list[CorefEpoch]:
        heard: list[CorefEpoch] = []
        torch.manual_seed(3)
        encoder, sizes = load_encoder(encoder_folder, dropout=0), Sizes(biaffine=16, mention=24, pair=16)
        network = LiteraryNetwork(encoder, sizes=sizes, dropout=0, vocabulary=vocabulary)
        with elsewhere():
            fit(
                network.to(device),
                [example, example],
                PLAN,
                treebank=[grammar_example(treebank, vocabulary, pieces)],
                mask=1,
                folder=tmp_path / "run",
                measure=partial(measure, examples=[example], treebank=[treebank], pieces=pieces),
                told=heard.append,
            )
        return heard

    return run


@pytest.fixture(scope="module")
def kept() -> list[CorefEpoch]:
    """The epochs of the whole training on the processor. They are reproducible, as `test_fit` checks."""
    return []


@pytest.fixture
def whole(kept: list[CorefEpoch], train: Train, tmp_path: Path) -> list[CorefEpoch]:
    if not kept:
        kept += train("cpu")
        (tmp_path / "run" / checkpoint.STATE).unlink()
    return kept


def assert_alike(here: Mapping[str, float], there: Mapping[str, float]) -> None:
    assert here == pytest.approx(dict(there), abs=2e-3)


@pytest.mark.soak
def test_it_is_the_same_training_elsewhere(train: Train, whole: list[CorefEpoch]) -> None:
    there = train(DEVICE)
    assert len(there) == PLAN.epochs
    for one, other in zip(whole, there, strict=True):
        assert_alike(one.losses, other.losses)
        assert_alike(one.measured, other.measured)


@pytest.mark.parametrize(
    ("first", "then"), [("cpu", DEVICE), pytest.param(DEVICE, "cpu", marks=pytest.mark.soak)]
)
def test_what_was_begun_goes_on_elsewhere(
    train: Train, whole: list[CorefEpoch], monkeypatch: pytest.MonkeyPatch, first: str, then: str
) -> None:
    with stopped_after_two(monkeypatch):
        train(first)
    rest = train(then)
    assert [epoch.number for epoch in rest] == [2, 3]
    for one, other in zip(whole[2:], rest, strict=True):
        assert_alike(one.losses, other.losses)


def test_the_device_meets_no_other() -> None:
    with elsewhere():
        there = torch.ones(2, device=DEVICE)
        assert (there + 1).cpu().tolist() == [2, 2]
        with pytest.raises(AssertionError, match="two devices"):
            there + torch.ones(2)


def test_all_tensors_are_moved_and_nothing_else(example: CorefExample) -> None:
    there = moved(example, torch.device(DEVICE))
    assert {t.device.type for t in (there.classes, there.events)} == {DEVICE}
    names = ("pieces", "present", "owners", "shapes", "speech", "allowed")
    assert {getattr(there.batch, name).device.type for name in names} == {DEVICE}
    assert there.document is example.document
    assert isinstance(there.document, Document)
    assert moved(example, torch.device("cpu")) is example


def test_networks_begin_where_they_are_trained(encoder_folder: Path) -> None:
    assert ground_of(encoder_folder, None, device=DEVICE).network(1).device.type == DEVICE
    assert ground_of(encoder_folder, None, device="cpu").network(1).device.type == "cpu"
