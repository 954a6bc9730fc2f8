"""Encoders with random weights and few numbers, and a handful of lessons."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch

from coref.native.minilm import encoder_folder
from retrieval.pairs.types import Asks, PairLesson


def tiny_encoder(folder: Path, *, width: int) -> Path:
    """Write a BERT of two layers that reads MiniLM's word pieces."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(width)
    config = BertConfig(
        hidden_size=width, num_hidden_layers=2, num_attention_heads=2, intermediate_size=2 * width
    )
    BertModel(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(encoder_folder() / name, folder / name)
    return folder


def claim(query: str, passage: str, true: bool | None, split: str = "train") -> PairLesson:
    kind = "unlabelled" if true is None else "true of a portrait" if true else "false of a portrait"
    return PairLesson(query, passage, Asks.BEARS_OUT, true, kind, split)


def question(query: str, places: dict[str, bool], split: str = "train") -> list[PairLesson]:
    return [
        PairLesson(query, passage, Asks.ANSWERS, true, "question", split, group=f"{split} {query}")
        for passage, true in places.items()
    ]


WET, DRY = "Alex fell into the cold river and swam.", "Alex sat in the red house and ate bread."
LESSONS = [
    *(claim(query, WET, True) for query in ("Alex was in the water.", "Alex got wet.")),
    *(claim(query, DRY, False) for query in ("Alex was in the water.", "Alex got wet.")),
    claim("Alex swam.", WET, None),
    *question("Who swam in the river?", {DRY: False, WET: True, "Nobody came.": False}),
    *question("Who ate bread?", {WET: False, DRY: True}),
    *question("Who is the king?", {WET: False}),
]
