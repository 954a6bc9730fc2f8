"""Our BERT against the one in `transformers`, and a model of another kind through that library."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.embedders.minilm import package_folder
from retrieval.errors import EmbedderUnavailable
from retrieval.registry import make_embedder
from tests.failing import fails

torch = pytest.importorskip("torch")
WIDTHS = [7, 5, 1]


def batch() -> tuple[object, object]:
    torch.manual_seed(0)
    pieces = torch.randint(1, 50, (3, 7))
    mask = torch.arange(7)[None, :] < torch.tensor(WIDTHS)[:, None]
    return pieces * mask, mask


@pytest.mark.parametrize("bent", [False, True])
def test_a_layer_in_the_kernels_order_is_the_plain_layer(bent: bool) -> None:
    from retrieval.embedders.layers import _packed, _plain, layer

    torch.manual_seed(3)
    weight, bias, hidden = torch.randn(8, 5), torch.randn(8), torch.randn(2, 3, 5)
    expected = torch.nn.functional.linear(hidden, weight, bias)
    expected = torch.nn.functional.gelu(expected) if bent else expected
    for made in (_packed(weight, bias, bent=bent), _plain(weight, bias, bent=bent)):
        assert made is not None, "the kernels are in every build that the project installs"
        assert torch.allclose(made(hidden), expected, atol=1e-5)
    assert _packed(weight.to("meta"), bias.to("meta"), bent=bent) is None, "they are for CPUs"
    assert layer(weight.to("meta"), bias.to("meta"))(hidden.to("meta")).shape == (2, 3, 8)


@pytest.mark.parametrize("kernels", [True, False])
def test_our_bert_is_the_reference_bert(
    tmp_path: Path, kernels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import BertConfig, BertModel

    from retrieval.embedders import layers
    from retrieval.embedders.bert import Bert

    if not kernels:
        monkeypatch.setattr(layers, "_packed", lambda *_, bent: None)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=50, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=32
    )
    reference = BertModel(config).eval()
    for parameter in reference.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    reference.save_pretrained(tmp_path)
    saved = json.loads((tmp_path / "config.json").read_text())
    ours = Bert.load(tmp_path, saved, dtype=torch.float32, device="cpu")
    pieces, mask = batch()
    with torch.inference_mode():
        expected = reference(input_ids=pieces, attention_mask=mask.long()).last_hidden_state  # type: ignore[attr-defined]
        found = ours(pieces, mask)
        unmasked = ours(pieces[:1], None)  # type: ignore[index]
    assert torch.allclose(found[mask], expected[mask], atol=1e-5)
    assert torch.allclose(unmasked, expected[:1], atol=1e-5)


def test_batches_are_read_in_few_widths() -> None:
    from retrieval.embedders.rounded import in_steps

    widths: list[int] = []

    def encoder(pieces: Any, mask: Any) -> Any:
        widths.append(pieces.shape[1])
        assert not mask[:, 17:].any()
        return pieces[:, :, None].float()

    for width in (1, 16, 17):
        pieces = torch.randint(1, 50, (2, width))
        assert torch.equal(in_steps(encoder, pieces, pieces > 0)[:, :, 0], pieces.float())
    assert widths == [16, 16, 32]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A small model that is no BERT, saved as sentence-transformers saves one."""
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(2)
    config = DistilBertConfig(vocab_size=30522, dim=24, n_layers=2, n_heads=3, hidden_dim=32)
    DistilBertModel(config).save_pretrained(tmp_path)
    shutil.copy(package_folder() / "tokenizer.json", tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 24, "pooling_mode_mean_tokens": True}
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    return tmp_path


def test_another_kind_of_encoder_works_too(other: Path) -> None:
    engine = make_embedder(str(other))
    rows = engine.embed(["The bees slept.", "Tom looked at the letter from the hills.", "Ann"])
    assert rows.shape == (3, engine.dimension) == (3, 24)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    alone = engine.embed(["Ann"])[0]
    assert rows[2] @ alone == pytest.approx(1, abs=1e-2)


def test_a_folder_that_does_not_say_its_dimension_is_refused(other: Path) -> None:
    shutil.rmtree(other / "1_Pooling")
    with fails(EmbedderUnavailable, match="size of its vectors"):
        make_embedder(str(other))


@pytest.mark.parametrize("change", [{"hidden_act": "relu"}, {"num_hidden_layers": 99}])
def test_a_bert_of_another_make_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(package_folder(), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | change))
    with fails(EmbedderUnavailable, match="could not be loaded"):
        make_embedder(str(folder)).embed(["a"])
