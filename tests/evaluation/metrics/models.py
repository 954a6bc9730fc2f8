"""Tiny encoders with BERT's architecture and random weights: built by the tests, never downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

VOCABULARY = """
[PAD] [UNK] [CLS] [SEP] [MASK] . , ? the a she he it bess tom walk ##ed ##s to harbour who what where is was
her his sister clerk old told that does not and of in ship lydia captain drown board 宝 玉 爱 黛
"""
WORDS = VOCABULARY.split()


def build(folder: Path, kind: str = "BertModel", *, seed: int = 0, longest: int = 40, **more: Any) -> Path:
    """Build a model; `kind` is the class that the weights are saved as, `more` extends its configuration."""
    import torch
    import transformers

    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=32,
        max_position_embeddings=longest,
        initializer_range=0.6,
        **more,
    )
    folder.mkdir(parents=True, exist_ok=True)
    getattr(transformers, kind)(config).save_pretrained(folder)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), "utf-8")
    tokenizer = transformers.BertTokenizerFast(
        vocab={word: at for at, word in enumerate(WORDS)}, do_lower_case=True, model_max_length=longest
    )
    tokenizer.save_pretrained(folder)
    return folder
