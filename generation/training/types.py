"""The data, the recipe and the result of a training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from generation.types import Task


class DataSplit(StrEnum):
    TRAIN = "train"
    VALIDATION = "validation"
    """Used to choose the epoch whose weights are kept."""
    TEST = "test"
    """Measured once, at the end."""


class Precision(StrEnum):
    AUTO = "auto"
    """16 bits if the device multiplies in 16 bits, 32 elsewhere."""
    BF16 = "bf16"
    FP32 = "fp32"


class Decay(StrEnum):
    LINEAR = "linear"
    """The rate falls linearly to zero at the end."""
    CONSTANT = "constant"


LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""Attention and MLP layers, by their names in Llama-like models."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. Trainings with different recipes can't resume each other."""

    full: bool = False
    """Train all weights, instead of a LoRA adapter beside them."""
    bits: int = 16
    """Bits of the base's linear layers beside an adapter, which take less memory in 8 or 4 (QLoRA)."""
    rank: int = 8
    alpha: int = 16
    dropout: float = 0.05
    """Dropout of the adapter's input. A fully trained model has its own."""
    layers: tuple[str, ...] = LAYERS
    """Names of the linear layers that get an adapter."""
    rate: float = 2e-5
    decay: Decay = Decay.LINEAR
    warm_up: int = 0
    """Steps until the rate is full."""
    weight_decay: float = 0.0
    clip: float = 1.0
    batch: int = 1
    accumulation: int = 4
    """Batches in a step."""
    epochs: int = 4
    tokens: int = 8192
    """Most tokens of prompt and answer together."""
    packed: int | None = None
    """Tokens up to which samples are put end to end in one row; None for each in a row of its own."""
    apart: bool = False
    """Whether samples in one row see nothing of each other, and each begins at position 0."""
    rope: str | None = None
    """How positions are scaled for texts longer than the base was trained on, such as `yarn:4`."""
    precision: Precision = Precision.AUTO
    checkpointing: bool = True
    """Whether activations are computed again instead of kept: a third more work, far less memory."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """A line of the data: a good answer about one or more characters of a book."""

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
    """A sample whose book is known, with its split."""

    sample: TrainingSample
    title: str
    text_sha256: str
    split: DataSplit


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """The tokens that a network sees."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    """With the end token, unless it was cut."""


@dataclass(frozen=True, slots=True)
class TrainingLesson:
    """An example with its origin."""

    placed: PlacedSample
    characters: tuple[str, ...]
    """Ids in the book's annotations."""
    example: TrainingExample
    passages: int
    left_out: int
    """Passages within the budget for which prompt and answer left no room."""
    cut: bool = False
    """Whether the answer alone was too long, so that its end is missing."""


@dataclass(frozen=True, slots=True)
class LossPoint:
    """A step of the loss curve."""

    step: int
    """Counted from 1."""
    epoch: int
    """Counted from 1."""
    loss: float
    """Mean over the tokens of this step's answers."""
    rate: float
    tokens: int
    """Tokens of prompts and answers."""
    seconds: float


@dataclass(frozen=True, slots=True)
class TrainingEpoch:
    number: int
    """Counted from 1."""
    step: int
    """Its last step."""
    loss: float
    """Mean over the steps."""
    validation: float | None
    """None if there is nothing to validate on."""


@dataclass(frozen=True, slots=True)
class TrainingState:
    """The progress of a training."""

    identity: Mapping[str, object]
    """Recipe, base and data: what must be the same to resume."""
    step: int = 0
    """Number of completed steps."""
    losses: float = 0.0
    """Sum over the steps of the current epoch."""
    epochs: tuple[TrainingEpoch, ...] = ()
    seconds: float = 0.0

    @property
    def best(self) -> TrainingEpoch | None:
        """The first epoch with the least validation loss; without validation, the last."""
        measured = [epoch for epoch in self.epochs if epoch.validation is not None]
        if measured:
            return min(measured, key=lambda epoch: epoch.validation or 0.0)
        return self.epochs[-1] if self.epochs else None


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """A completed training."""

    story: TrainingState
    test: float | None
    """Loss of the saved weights, if there is a test split."""
    points: tuple[LossPoint, ...] = field(default=(), repr=False)
