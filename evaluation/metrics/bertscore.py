"""Greedy matching of tokens by contextual vectors, after BERTScore (Zhang et al., 2020).

Each token of the answer is matched with the token of the reference that is most similar, by the cosine of
their vectors, and vice versa. Figures of different encoders, or of different layers, do not compare; and they
are not rescaled, so that even texts which have nothing in common are well above zero. Texts are read in
windows; of a text many times longer than a long analysis, only the beginning is compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.folders import LoadedModel, load
from evaluation.metrics.types import MetricSample, Scores

if TYPE_CHECKING:
    from torch import Tensor

_REMEDY = "Give as encoder a folder that `AutoModel` of transformers loads, or none for the one installed."
_OVERLAP = 64
"""Pieces that consecutive windows of a long text share, so that every piece has context."""
_MOST = 16_384
"""Maximum pieces of a text that are compared, some 12,000 words: the cost is quadratic."""
_TOGETHER = 32
"""Samples whose vectors are in memory at once."""
_ROWS = 2_048
"""Rows of a similarity matrix that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Encoded:
    pieces: tuple[int, ...]
    vectors: Tensor
    """One row of length 1 per piece."""


class BertScore:
    """`bertscore` is F1. An empty answer has 0; without a reference there is nothing to measure."""

    columns = ("bertscore", "bertscore_precision", "bertscore_recall")

    def __init__(self, folder: Path | None = None, *, layer: int | None = None, idf: bool = False) -> None:
        from retrieval.embedders.minilm import package_folder

        self._folder = folder or package_folder()
        self._wanted = layer
        self._idf = idf

    @cached_property
    def _encoder(self) -> LoadedModel:
        return load("AutoModel", self._folder, remedy=_REMEDY)

    @cached_property
    def _layer(self) -> int:
        depth = int(self._encoder.model.config.num_hidden_layers)
        layer = depth if self._wanted is None else self._wanted
        if not 0 <= layer <= depth:
            raise MetricUnavailable(
                f"The encoder has no layer {layer}.", remedy=f"Choose one from 0 to {depth}."
            )
        return layer

    @property
    def _overlap(self) -> int:
        return min(_OVERLAP, self._encoder.longest // 4)

    @property
    def name(self) -> str:
        weighed = "-idf" if self._idf else ""
        return f"bertscore/1-{self._encoder.name}-layer{self._layer}{weighed}"

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        return self.compare([(sample.answer, sample.reference) for sample in samples])

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        """Score answers beside references; `idf` weights a token by how many of the references have it."""
        weights = self._weights([reference for _, reference in pairs]) if self._idf else None
        found: list[Scores] = []
        for start in range(0, len(pairs), _TOGETHER):
            some = pairs[start : start + _TOGETHER]
            texts = list(dict.fromkeys(text for pair in some for text in pair))
            encoded = dict(zip(texts, self.encode(texts), strict=True))
            found += [self._compared(encoded[answer], encoded[other], weights) for answer, other in some]
        return found

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the chosen layer's vectors of each text's pieces, without special tokens."""
        import torch

        windows = self._windows(texts)
        owners: list[int] = windows.pop("overflow_to_sample_mapping")
        framed: list[list[int]] = windows.pop("special_tokens_mask")
        rows: list[Tensor] = [torch.empty(0)] * len(owners)
        with torch.inference_mode():
            for numbers, batch in self._encoder.batches(windows):
                hidden = self._encoder.model(**batch, output_hidden_states=True).hidden_states[self._layer]
                for number, vectors in zip(numbers, hidden.float().cpu(), strict=True):
                    rows[number] = torch.nn.functional.normalize(vectors, dim=1)
        mine: list[list[int]] = [[] for _ in texts]
        for number, owner in enumerate(owners):
            mine[owner].append(number)
        return [
            _joined([_inner(windows["input_ids"][n], framed[n], rows[n]) for n in each], self._overlap)
            for each in mine
        ]

    def _windows(self, texts: Sequence[str]) -> dict[str, list[Any]]:
        encoding = self._encoder.tokenizer(
            list(texts),
            truncation=True,
            max_length=self._encoder.longest,
            stride=self._overlap,
            return_overflowing_tokens=True,
            return_special_tokens_mask=True,
            verbose=False,
        )
        return _bounded(dict(encoding), max(1, _MOST // (self._encoder.longest - self._overlap)))

    def _compared(
        self, answer: Encoded, reference: Encoded, weights: Mapping[int, float] | None
    ) -> dict[str, float | None]:
        if not reference.pieces:
            return dict.fromkeys(self.columns)
        if not answer.pieces:
            return dict.fromkeys(self.columns, 0.0)
        likest = greedy(answer.vectors, reference.vectors)
        precision, recall = (
            _mean(best, _weighed(side.pieces, weights))
            for best, side in zip(likest, (answer, reference), strict=True)
        )
        both = precision + recall
        f1 = 2 * precision * recall / both if both > 0 else 0.0
        return dict(zip(self.columns, (f1, precision, recall), strict=True))

    def _weights(self, references: Sequence[str]) -> dict[int, float]:
        """Return the weights of pieces; one that no reference has gets the highest."""
        encoding = self._encoder.tokenizer(list(references), add_special_tokens=False, verbose=False)
        known = Counter(piece for ids in encoding["input_ids"] for piece in set(ids))
        every = len(references) + 1
        return defaultdict(lambda: log(every), {piece: log(every / (n + 1)) for piece, n in known.items()})


def greedy(one: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Return the highest similarity of each row of either matrix; all rows have length 1."""
    import torch

    best = torch.full((len(other),), -torch.inf)
    found: list[Tensor] = []
    for start in range(0, len(one), _ROWS):
        alike = one[start : start + _ROWS] @ other.T
        found.append(alike.max(1).values)
        best = torch.maximum(best, alike.max(0).values)
    return torch.cat(found), best


def _bounded(windows: dict[str, list[Any]], most: int) -> dict[str, list[Any]]:
    """Return the first windows of each text."""
    owners = windows["overflow_to_sample_mapping"]
    kept = [at for at, owner in enumerate(owners) if at < most or owners[at - most] != owner]
    return {name: [column[at] for at in kept] for name, column in windows.items()}


def _inner(pieces: Sequence[int], framed: Sequence[int], rows: Tensor) -> tuple[list[int], Tensor]:
    kept = [at for at, frame in enumerate(framed) if not frame]
    return [pieces[at] for at in kept], rows[kept]


def _joined(windows: Sequence[tuple[list[int], Tensor]], overlap: int) -> Encoded:
    """Join windows; each contributes the half of the overlap that is further from its own end."""
    import torch

    pieces: list[int] = []
    rows: list[Tensor] = []
    last = len(windows) - 1
    for number, (ids, vectors) in enumerate(windows):
        first = overlap // 2 if number else 0
        end = len(ids) - (overlap - overlap // 2 if number < last else 0)
        pieces += ids[first:end]
        rows.append(vectors[first:end])
    return Encoded(tuple(pieces), torch.cat(rows))


def _weighed(pieces: Sequence[int], weights: Mapping[int, float] | None) -> list[float]:
    return [1.0] * len(pieces) if weights is None else [weights[piece] for piece in pieces]


def _mean(values: Tensor, weights: Sequence[float]) -> float:
    """Return 0 where every token has zero weight: every reference has them all."""
    total = sum(weights)
    return sum(v * w for v, w in zip(values.tolist(), weights, strict=True)) / total if total else 0.0
