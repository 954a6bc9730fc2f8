"""A tiny model of natural language inference with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

WORDS = "bess tom crane saved lost loves hates the a ship left stayed nobody not".split()  # noqa: SIM905
LABELS = ("CONTRADICTION", "neutral", "Entailment")


def checkpoint(folder: Path, *, labels: Sequence[str] = LABELS, positions: int = 64) -> Path:
    """Save a sequence classifier with its tokenizer, in the format of `transformers`."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    known = {word: at for at, word in enumerate([*specials, *WORDS])}
    bare = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    bare.normalizer = normalizers.Lowercase()
    bare.pre_tokenizer = pre_tokenizers.Whitespace()
    bare.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])],
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(known),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=positions,
        initializer_range=1.0,
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
