"""What a writer is trained on, how, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from generation.types import Task


class DataSplit(StrEnum):
    TRAIN = "train"
    VALIDATION = "validation"
    """Chooses the epoch whose weights are kept."""
    TEST = "test"
    """Measured once, at the end."""


class Arch(StrEnum):
    CAUSAL = "causal"
    """Goes on with its prompt, as Llama does; prompts are put into its chat template."""
    SEQ2SEQ = "seq2seq"
    """Reads with an encoder and writes with a decoder, as LongT5 does; prompts are plain text."""


class Precision(StrEnum):
    AUTO = "auto"
    """16 bits where the device multiplies so, 32 elsewhere."""
    BF16 = "bf16"
    FP32 = "fp32"


class Decay(StrEnum):
    LINEAR = "linear"
    """The rate falls in a line, to nothing at the end."""
    CONSTANT = "constant"


LAYERS: Mapping[Arch, tuple[str, ...]] = {
    Arch.CAUSAL: ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    Arch.SEQ2SEQ: ("q", "k", "v", "o", "wi", "wi_0", "wi_1", "wo"),
}
"""Attention and MLP, as Llama and its kin name them, and T5 and its kin."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. Another recipe is another training: neither can go on with the other's weights."""

    arch: Arch = Arch.CAUSAL
    full: bool = False
    """All weights, instead of a LoRA adapter beside them."""
    rank: int = 8
    alpha: int = 16
    dropout: float = 0.05
    """Of what goes into the adapter; a model trained in full has its own."""
    layers: tuple[str, ...] = LAYERS[Arch.CAUSAL]
    """Names of the linear layers that get an adapter."""
    rate: float = 2e-5
    decay: Decay = Decay.LINEAR
    warm_up: int = 0
    """Steps until the rate is full."""
    weight_decay: float = 0.0
    clip: float = 1.0
    batch: int = 1
    accumulation: int = 4
    """Batches a step."""
    epochs: int = 4
    tokens: int = 8192
    """Of prompt and answer together, at most; of an encoder's prompt and a decoder's answer, each."""
    precision: Precision = Precision.AUTO
    checkpointing: bool = True
    """Whether activations are computed again instead of kept: a third more work, far less memory."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """A line of the data: what would be a good answer about whom."""

    line: int
    """Counted from 1."""
    book: str
    """Id or file."""
    characters: tuple[str, ...]
    task: Task
    reference: str
    split: DataSplit | None = None
    upto: str | None = None
    """The spoiler gate, as people write it."""


@dataclass(frozen=True, slots=True)
class PlacedSample:
    """A sample whose book is known, and the part of the data that it belongs to."""

    sample: TrainingSample
    title: str
    text_sha256: str
    split: DataSplit


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """What a network sees, in tokens."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    """With the token that ends it, unless it was cut."""


@dataclass(frozen=True, slots=True)
class TrainingLesson:
    """An example, and how it came about."""

    placed: PlacedSample
    characters: tuple[str, ...]
    """Ids, as the book's annotations have them."""
    example: TrainingExample
    passages: int
    left_out: int
    """Passages that the budget allows, and for which prompt and answer left no room."""
    cut: bool = False
    """Whether the answer alone was too long, so that its end is missing."""


@dataclass(frozen=True, slots=True)
class LossPoint:
    """A step, on the curve of losses."""

    step: int
    """Counted from 1."""
    epoch: int
    """Counted from 1."""
    loss: float
    """Mean over the tokens of this step's answers."""
    rate: float
    tokens: int
    """Of prompts and answers."""
    seconds: float


@dataclass(frozen=True, slots=True)
class TrainingEpoch:
    number: int
    """Counted from 1."""
    step: int
    """The last one of it."""
    loss: float
    """Mean over the steps."""
    validation: float | None
    """None where there is nothing to validate on."""


@dataclass(frozen=True, slots=True)
class TrainingState:
    """Where a training stands."""

    identity: Mapping[str, object]
    """Recipe, base and data: what must be the same to go on."""
    step: int = 0
    """Steps done."""
    losses: float = 0.0
    """Sum over the steps of the epoch in hand."""
    epochs: tuple[TrainingEpoch, ...] = ()
    seconds: float = 0.0

    @property
    def best(self) -> TrainingEpoch | None:
        """The first of the least validation loss; without validation, the last."""
        measured = [epoch for epoch in self.epochs if epoch.validation is not None]
        if measured:
            return min(measured, key=lambda epoch: epoch.validation or 0.0)
        return self.epochs[-1] if self.epochs else None


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """A training that came to its end."""

    story: TrainingState
    test: float | None
    """Loss of the weights that are kept, where there is a test split."""
    points: tuple[LossPoint, ...] = field(default=(), repr=False)
