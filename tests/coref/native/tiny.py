"""An encoder of random weights, small enough to train in a second, saved like any other BERT."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertConfig, BertModel

from coref.native.document import Document
from coref.native.encoder import load_encoder
from coref.native.network import LiteraryNetwork, Sizes
from coref.native.spoken_words import speech_of

WORDS = """
the a of mr mrs . , " “ ” ' 's he she it i you old man girl darcy ann smith said went home ship
and was ##s ##ed
"""


def save_encoder(folder: Path) -> Path:
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS.split()]
    ids = {piece: at for at, piece in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(vocab=ids, unk_token="[UNK]"))  # type: ignore[call-arg, arg-type]
    tokenizer.normalizer = normalizers.Lowercase()  # type: ignore[assignment]
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()  # type: ignore[assignment]
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=256,
    )
    torch.manual_seed(7)
    BertModel(config).save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps(config.to_dict()), encoding="utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def network_of(folder: Path, *, dropout: float = 0.1) -> LiteraryNetwork:
    torch.manual_seed(3)
    sizes = Sizes(biaffine=16, mention=24, pair=16)
    return LiteraryNetwork(load_encoder(folder, dropout=dropout), sizes=sizes, dropout=dropout)


def document_of(text: str) -> Document:
    """Return a document from one sentence per line, with words separated by blanks."""
    words: list[str] = []
    sentences = []
    for line in text.strip().splitlines():
        start = len(words)
        words += line.split()
        sentences.append((start, len(words)))
    return Document(tuple(words), tuple(sentences), speech_of(words))
