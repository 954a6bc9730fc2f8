"""The network: words from pieces, mentions from words, and coreference from mentions.

A word is the mean of its pieces over a learned mix of layers, with its shape and whether it is spoken. Every
stretch of up to `MOST_WORDS` words is scored as a mention of each category by a biaffine form over its first
and last word. Two mentions are compared by each one, by both together, and by `features`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, pad, relu

from coref.native import pair_features
from coref.native.encoder import Encoder, SharedDropout
from coref.native.word_heads import GrammarHead, Vocabulary

if TYPE_CHECKING:
    from coref.native.eight_bits import EightBitEncoder

CATEGORIES: Final = ("PER", "FAC", "LOC", "GPE", "ORG", "VEH")
KINDS: Final = ("PROP", "NOM", "PRON")
MOST_WORDS: Final = 24
NONE: Final = 0
"""The class of a stretch that is no mention. Category `c` is class `c + 1`."""
SHAPES: Final = 8
_NONE_BIAS = 5.0
"""Almost no stretch is a mention. Starting from there saves the first epochs."""
_SHAPE_SIZE, _SPEECH_SIZE, _WIDTH_SIZE = 24, 16, 16


@dataclass(frozen=True, slots=True)
class Sizes:
    biaffine: int = 128
    mention: int = 256
    pair: int = 128


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """One document as tensors."""

    pieces: Tensor
    """(windows, width)"""
    present: Tensor
    """(windows, width): False for padding."""
    owners: Tensor
    """(windows × width): the word of each piece, -1 for none."""
    shapes: Tensor
    speech: Tensor
    allowed: Tensor
    """(words, MOST_WORDS): whether a stretch of that many words from there lies in one sentence."""


class LiteraryNetwork(nn.Module):
    def __init__(
        self,
        encoder: Encoder | EightBitEncoder,
        *,
        sizes: Sizes | None = None,
        dropout: float = 0.2,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        """Without a vocabulary the network has no grammar."""
        super().__init__()
        self.sizes = sizes = sizes or Sizes()
        self.encoder: Encoder | EightBitEncoder = encoder
        self.layer_mix = nn.Parameter(torch.zeros(encoder.depth))
        self.scale = nn.Parameter(torch.ones(()))
        self.shape = nn.Embedding(2 * SHAPES, _SHAPE_SIZE)
        self.speech = nn.Embedding(3, _SPEECH_SIZE)
        width = encoder.size + _SHAPE_SIZE + _SPEECH_SIZE
        self.drop = SharedDropout(dropout)
        self.drop_each = nn.Dropout(dropout)
        self.mentions = MentionScorer(width, sizes.biaffine, dropout)
        self.weight = nn.Linear(width, 1)
        self.span_width = nn.Embedding(MOST_WORDS + 1, _WIDTH_SIZE)
        self.mention = nn.Linear(3 * width + _WIDTH_SIZE, sizes.mention)
        self.kind = nn.Linear(sizes.mention, len(KINDS))
        self.pairs = PairScorer(sizes.mention, sizes.pair, dropout)
        self.grammar_mix = nn.Parameter(torch.zeros(encoder.depth))
        self.grammar = None if vocabulary is None else GrammarHead(width, vocabulary, dropout)

    @property
    def device(self) -> torch.device:
        return self.layer_mix.device

    def autocast(self) -> torch.autocast:
        """Compute in 16 bits if the encoder does."""
        half = self.encoder.words.dtype is torch.bfloat16
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=half)

    def words(self, batch: DocumentBatch) -> Tensor:
        """(words, features)"""
        return self.words_of(self.encoder(batch.pieces, batch.present), batch)

    def words_of(self, outputs: Sequence[Tensor], batch: DocumentBatch, *, grammar: bool = False) -> Tensor:
        """Return the words from the encoder's outputs, mixed for mentions and links or for grammar."""
        shares = torch.softmax(self.grammar_mix if grammar else self.layer_mix, 0)
        mixed = shares[0] * outputs[0].float()
        for share, out in zip(shares[1:], outputs[1:], strict=True):
            mixed = mixed + share * out.float()
        flat = (self.scale * mixed).reshape(-1, mixed.shape[-1])
        owned = batch.owners >= 0
        owners, flat = batch.owners[owned], flat[owned]
        count = batch.shapes.shape[0]
        sums = flat.new_zeros(count, flat.shape[1]).index_add_(0, owners, flat)
        pieces = torch.bincount(owners, minlength=count).clamp(min=1)
        seen = [sums / pieces[:, None], self.shape(batch.shapes), self.speech(batch.speech)]
        return cast(Tensor, self.drop(torch.cat(seen, 1)))

    def represent(self, words: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
        """(mentions, features): the first word, the last, an attention over all, and the length."""
        longest = min(int((ends - starts).max()), MOST_WORDS)
        starts, ends = starts.to(words.device), ends.to(words.device)
        at = starts[:, None] + torch.arange(longest, device=words.device)
        inside = at < ends[:, None]
        at = torch.where(inside, at, ends[:, None] - 1)
        shares = self.weight(words).squeeze(1)[at].masked_fill(~inside, float("-inf")).softmax(1)
        matter = (words[at] * shares[..., None]).sum(1)
        width = self.span_width((ends - starts).clamp(max=MOST_WORDS))
        whole = torch.cat([words[starts], words[ends - 1], matter, width], 1)
        return cast(Tensor, self.drop_each(gelu(self.mention(whole))))


class MentionScorer(nn.Module):
    """(words, MOST_WORDS, 1 + categories): every stretch that begins at each word, by its length."""

    def __init__(self, width: int, size: int, dropout: float) -> None:
        super().__init__()
        classes = 1 + len(CATEGORIES)
        self.first = nn.Linear(width, size)
        self.last = nn.Linear(width, size)
        self.both = nn.Parameter(0.02 * torch.randn(classes, size, size))
        self.first_alone = nn.Linear(size, classes)
        self.last_alone = nn.Linear(size, classes, bias=False)
        self.length = nn.Embedding(MOST_WORDS, classes)
        self.drop = SharedDropout(dropout)
        nn.init.zeros_(self.length.weight)
        with torch.no_grad():
            self.first_alone.bias.zero_()
            self.first_alone.bias[NONE] = _NONE_BIAS

    def forward(self, words: Tensor) -> Tensor:
        first = self.drop(gelu(self.first(words)))
        last = self.drop(gelu(self.last(words)))
        turned = torch.einsum("nd,cde->nce", first, self.both)
        scores = torch.einsum("nce,nek->nkc", turned, _following(last))
        alone = _following(self.last_alone(last)).transpose(1, 2)
        return cast(Tensor, scores + self.first_alone(first)[:, None] + alone + self.length.weight)


def _following(rows: Tensor) -> Tensor:
    """(words, features, MOST_WORDS): each word's own row and the following ones. Zeros past the end."""
    return pad(rows, (0, 0, 0, MOST_WORDS - 1)).unfold(0, MOST_WORDS, 1)


class PairScorer(nn.Module):
    """(mentions, mentions): how well the earlier mention (column) fits as antecedent of the later (row)."""

    def __init__(self, mention: int, size: int, dropout: float) -> None:
        super().__init__()
        self.later = nn.Linear(mention, size)
        self.earlier = nn.Linear(mention, size, bias=False)
        self.both = nn.Linear(mention, size, bias=False)
        self.features = nn.Linear(pair_features.WIDTH, size, bias=False)
        self.hidden = nn.Linear(size, size)
        self.score = nn.Linear(size, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, mentions: Tensor, rows: Tensor) -> Tensor:
        count = mentions.shape[0]
        apart = self.later(mentions)[:, None] + self.earlier(mentions)[None]
        product = (mentions[:, None] * mentions[None]).reshape(count * count, -1)
        joined = apart.reshape(count * count, -1) + self.both(product) + self.features(rows.to(mentions))
        hidden = self.drop(relu(self.hidden(self.drop(relu(joined)))))
        return cast(Tensor, self.score(hidden)).reshape(count, count)


def antecedent_scores(pairs: Tensor) -> Tensor:
    """(mentions, 1 + mentions): column 0, always 0, is being new. Only earlier mentions count."""
    count = pairs.shape[0]
    earlier = torch.ones(count, count, dtype=torch.bool, device=pairs.device).tril(-1)
    masked = pairs.masked_fill(~earlier, torch.finfo(pairs.dtype).min)
    return torch.cat([pairs.new_zeros(count, 1), masked], 1)


def shape_of(word: str) -> int:
    """Return the class of a word's spelling, below `SHAPES`."""
    if not any(char.isalnum() for char in word):
        return 0
    if word.isdigit():
        return 1
    if word.islower():
        return 2
    if word[:1].isupper() and word[1:].islower():
        return 3
    if word.isupper():
        return 4 if len(word) > 1 else 5
    return 6 if word[:1].isupper() else 7
