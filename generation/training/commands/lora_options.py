"""The options of `bookworm train lora`. Training options have the same names as the fields of a recipe."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from generation.training.types import Decay, Precision


class Picture(StrEnum):
    PNG = "png"
    SVG = "svg"
    NONE = "none"


WHAT = "Data and model"
HOW = "Training"
PROMPTS = "Prompts"
WHERE = "Device and output"

Data = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="JSON lines with book, character, task, reference, and optionally split and upto.",
        rich_help_panel=WHAT,
    ),
]
SkipUnknown = Annotated[
    bool,
    typer.Option(
        "--skip-unknown",
        help="Leave out lines whose name fits nobody in the book, or several people.",
        rich_help_panel=WHAT,
    ),
]
Base = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="MODEL",
        help="A folder, or the hub id of a model that is already downloaded.",
        rich_help_panel=WHAT,
    ),
]
To = Annotated[
    Path,
    typer.Option(
        "--output",
        metavar="FOLDER",
        file_okay=False,
        help="Folder for the result and the checkpoints.",
        rich_help_panel=WHAT,
    ),
]
Full = Annotated[
    bool, typer.Option("--full", help="Train all weights instead of an adapter.", rich_help_panel=WHAT)
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only report the data, steps and memory.", rich_help_panel=WHAT)
]
Anew = Annotated[
    bool, typer.Option("--anew", help="Delete an earlier training in the folder.", rich_help_panel=WHAT)
]

Rank = Annotated[
    int, typer.Option("--rank", min=1, max=512, help="Rank of the adapter.", rich_help_panel=HOW)
]
Alpha = Annotated[
    int, typer.Option("--alpha", min=1, help="The adapter is scaled by alpha / rank.", rich_help_panel=HOW)
]
Dropout = Annotated[
    float,
    typer.Option("--dropout", min=0.0, max=0.9, help="Dropout of the adapter's input.", rich_help_panel=HOW),
]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--layer",
        metavar="NAME",
        help="Linear layer with an adapter; may be repeated. The default is attention and MLP.",
        rich_help_panel=HOW,
    ),
]
Rate = Annotated[float, typer.Option("--rate", min=1e-9, help="Learning rate.", rich_help_panel=HOW)]
DecayOption = Annotated[
    Decay, typer.Option("--decay", help="Decay of the learning rate.", rich_help_panel=HOW)
]
WarmUp = Annotated[int, typer.Option("--warm-up", min=0, help="Warm-up steps.", rich_help_panel=HOW)]
WeightDecay = Annotated[float, typer.Option("--weight-decay", min=0.0, help="Of AdamW.", rich_help_panel=HOW)]
Clip = Annotated[
    float, typer.Option("--clip", min=1e-6, help="Maximum norm of the gradients.", rich_help_panel=HOW)
]
Batch = Annotated[int, typer.Option("--batch", min=1, help="Examples per batch.", rich_help_panel=HOW)]
Accumulation = Annotated[
    int, typer.Option("--accumulation", min=1, help="Batches per step.", rich_help_panel=HOW)
]
Epochs = Annotated[
    int, typer.Option("--epochs", min=1, help="The best epoch by validation is used.", rich_help_panel=HOW)
]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", rich_help_panel=HOW)]

Tokens = Annotated[
    int,
    typer.Option("--tokens", min=64, help="Maximum tokens of prompt and answer.", rich_help_panel=PROMPTS),
]
Packed = Annotated[
    int | None,
    typer.Option(
        "--packed",
        min=64,
        help="Put samples of a step end to end, up to so many tokens, to train on long contexts.",
        rich_help_panel=PROMPTS,
    ),
]
Apart = Annotated[
    bool,
    typer.Option(
        "--apart", help="Samples that are put end to end see nothing of each other.", rich_help_panel=PROMPTS
    ),
]
Rope = Annotated[
    str | None,
    typer.Option(
        "--rope",
        metavar="METHOD:NUMBER",
        help="Scale positions for texts longer than the base knows: pi:4, ntk:4, yarn:4 or abf:1000000.",
        rich_help_panel=PROMPTS,
    ),
]
Retriever = Annotated[
    str | None,
    typer.Option(
        "--retriever", help="Retriever to use. The default is the setting.", rich_help_panel=PROMPTS
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        "--budget",
        min=1,
        help="Maximum tokens of passages in a prompt. The default is the setting.",
        rich_help_panel=PROMPTS,
    ),
]
CastList = Annotated[
    bool | None,
    typer.Option(
        "--cast-list/--no-cast-list",
        help="Whether every prompt lists the main characters. The default is the setting.",
        rich_help_panel=PROMPTS,
    ),
]

PrecisionOption = Annotated[
    Precision,
    typer.Option(
        "--precision", help="16 bits, 32 bits, or the fastest for the device.", rich_help_panel=WHERE
    ),
]
Checkpointing = Annotated[
    bool,
    typer.Option(
        help="Recompute activations instead of storing them: slower, but uses far less memory.",
        rich_help_panel=WHERE,
    ),
]
SaveEvery = Annotated[
    int, typer.Option("--save-every", min=1, help="Steps between two checkpoints.", rich_help_panel=WHERE)
]
PictureOption = Annotated[
    Picture,
    typer.Option("--picture", help="Plot of the losses; requires the extra `train`.", rich_help_panel=WHERE),
]
