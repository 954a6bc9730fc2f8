from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from generation.training.types import LossPoint, TrainingEpoch, TrainingState


@dataclass
class Heard:
    """Records the events of a training."""

    points: list[LossPoint] = field(default_factory=list)
    epochs: list[TrainingEpoch] = field(default_factory=list)

    def step(self, point: LossPoint, total: int) -> None:
        self.points.append(point)

    def epoch(self, story: TrainingState) -> None:
        self.epochs.append(story.epochs[-1])

    @property
    def losses(self) -> list[float]:
        return [point.loss for point in self.points]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="session")
def tiny_t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny LongT5 with random weights."""
    return seq2seq(tmp_path_factory.mktemp("longt5") / "base")


def seq2seq(folder: Path, *, dropout: float = 0.1) -> Path:
    import torch
    from transformers import LongT5Config, LongT5ForConditionalGeneration

    from tests.generation.models.tiny import make_tokenizer

    tokenizer: Any = make_tokenizer()
    tokenizer.chat_template = None
    torch.manual_seed(0)
    config = LongT5Config(
        vocab_size=len(tokenizer),
        d_model=48,
        d_kv=12,
        d_ff=96,
        num_layers=1,
        num_heads=4,
        dropout_rate=dropout,
        local_radius=15,
        global_block_size=16,
        encoder_attention_type="transient-global",
        feed_forward_proj="gated-gelu",
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    LongT5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert json.loads((folder / "config.json").read_text("utf-8"))["is_encoder_decoder"]
    return folder
