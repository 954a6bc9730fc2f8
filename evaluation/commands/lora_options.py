"""The options of `bookworm train lora`. Training options have the same names as the fields of a recipe."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from coref.training.commands.options import folder_to_write
from generation.training.types import Decay, Precision


class Picture(StrEnum):
    PNG = "png"
    SVG = "svg"
    NONE = "none"


_what = partial(typer.Option, rich_help_panel="Data and model")
_how = partial(typer.Option, rich_help_panel="Training")
_prompts = partial(typer.Option, rich_help_panel="Prompts")
_where = partial(typer.Option, rich_help_panel="Device and output")

Data = Annotated[
    Path,
    _what(
        "--data",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="JSON lines with book, character, task, reference, and optionally split and upto.",
    ),
]
SkipUnknown = Annotated[
    bool,
    _what("--skip-unknown", help="Leave out lines whose name fits nobody in the book, or several people."),
]
Base = Annotated[
    str,
    _what("--base", metavar="MODEL", help="A folder, or the hub id of a model that is already downloaded."),
]
To = Annotated[
    Path,
    _what(
        "--output",
        metavar="FOLDER",
        file_okay=False,
        callback=folder_to_write,
        help="Folder for the result and the checkpoints.",
    ),
]
Full = Annotated[bool, _what("--full", help="Train all weights instead of an adapter.")]
Bits = Annotated[
    Literal[16, 8, 4],
    _what(
        "--bits",
        help="Bits of the base beside an adapter: in 8 or 4 it takes less memory (QLoRA). "
        "Requires the extra `quantised`.",
    ),
]
DryRun = Annotated[bool, _what("--dry-run", help="Only report the data, steps and memory.")]
Anew = Annotated[bool, _what("--anew", help="Delete an earlier training in the folder.")]

Rank = Annotated[int, _how("--rank", min=1, max=512, help="Rank of the adapter.")]
Alpha = Annotated[int, _how("--alpha", min=1, help="The adapter is scaled by alpha / rank.")]
Dropout = Annotated[float, _how("--dropout", min=0.0, max=0.9, help="Dropout of the adapter's input.")]
Layers = Annotated[
    list[str] | None,
    _how(
        "--layer",
        metavar="NAME",
        help="Linear layer with an adapter; may be repeated. The default is attention and MLP.",
    ),
]
Rate = Annotated[float, _how("--rate", min=1e-9, help="Learning rate.")]
DecayOption = Annotated[Decay, _how("--decay", help="Decay of the learning rate.")]
WarmUp = Annotated[int, _how("--warm-up", min=0, help="Warm-up steps.")]
WeightDecay = Annotated[float, _how("--weight-decay", min=0.0, help="Of AdamW.")]
Clip = Annotated[float, _how("--clip", min=1e-6, help="Maximum norm of the gradients.")]
Batch = Annotated[int, _how("--batch", min=1, help="Examples per batch.")]
Accumulation = Annotated[int, _how("--accumulation", min=1, help="Batches per step.")]
Epochs = Annotated[int, _how("--epochs", min=1, help="The best epoch by validation is used.")]
Seed = Annotated[int, _how("--seed", help="Random seed.")]

Tokens = Annotated[int, _prompts("--tokens", min=64, help="Maximum tokens of prompt and answer.")]
Packed = Annotated[
    int | None,
    _prompts(
        "--packed",
        min=64,
        help="Put samples of a step end to end, up to so many tokens, to train on long contexts.",
    ),
]
Apart = Annotated[
    bool, _prompts("--apart", help="Samples that are put end to end see nothing of each other.")
]
Rope = Annotated[
    str | None,
    _prompts(
        "--rope",
        metavar="METHOD:NUMBER",
        help="Scale positions for texts longer than the base knows: pi:4, ntk:4, yarn:4 or abf:1000000.",
    ),
]
Retriever = Annotated[
    str | None, _prompts("--retriever", help="Retriever to use. The default is the setting.")
]
Budget = Annotated[
    int | None,
    _prompts("--budget", min=1, help="Maximum tokens of passages in a prompt. The default is the setting."),
]
CastList = Annotated[
    bool | None,
    _prompts(
        "--cast-list/--no-cast-list",
        help="Whether every prompt lists the main characters. The default is the setting.",
    ),
]

PrecisionOption = Annotated[
    Precision, _where("--precision", help="16 bits, 32 bits, or the fastest for the device.")
]
Checkpointing = Annotated[
    bool, _where(help="Recompute activations instead of storing them: slower, but uses far less memory.")
]
SaveEvery = Annotated[int, _where("--save-every", min=1, help="Steps between two checkpoints.")]
PictureOption = Annotated[
    Picture, _where("--picture", help="Plot of the losses; requires the extra `train`.")
]
