"""The options of `bookworm train lora`. Those of the recipe have the names of its fields."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from generation.training.types import Arch, Decay, Precision


class Picture(StrEnum):
    PNG = "png"
    SVG = "svg"
    NONE = "none"


WHAT = "What"
HOW = "How it learns"
PROMPTS = "Prompts"
WHERE = "Where and what with"

Data = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="JSON lines: book, character, task, reference, and maybe split and upto.",
        rich_help_panel=WHAT,
    ),
]
Base = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="MODEL",
        help="A folder, or a hub id whose files are on this machine.",
        rich_help_panel=WHAT,
    ),
]
To = Annotated[
    Path,
    typer.Option(
        "--output",
        metavar="FOLDER",
        file_okay=False,
        help="What is learnt goes there, and all that is needed to go on.",
        rich_help_panel=WHAT,
    ),
]
ArchOption = Annotated[
    Arch, typer.Option("--arch", help="Of the base: Llama is causal, LongT5 seq2seq.", rich_help_panel=WHAT)
]
Full = Annotated[
    bool, typer.Option("--full", help="Train all weights, without an adapter.", rich_help_panel=WHAT)
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what there is to do, and stop before it.", rich_help_panel=WHAT),
]
Anew = Annotated[
    bool,
    typer.Option("--anew", help="Throw away the training that is in the folder.", rich_help_panel=WHAT),
]

Rank = Annotated[int, typer.Option("--rank", min=1, max=512, help="Of the adapter.", rich_help_panel=HOW)]
Alpha = Annotated[
    int,
    typer.Option("--alpha", min=1, help="What it says counts alpha over rank times.", rich_help_panel=HOW),
]
Dropout = Annotated[
    float, typer.Option("--dropout", min=0.0, max=0.9, help="Of what it reads.", rich_help_panel=HOW)
]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--layer",
        metavar="NAME",
        help="A linear layer that gets an adapter; may be repeated. By default attention and MLP.",
        rich_help_panel=HOW,
    ),
]
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate",
        min=1e-9,
        help="Of learning: 2e-5 by default, 1e-4 for an encoder-decoder trained in full.",
        rich_help_panel=HOW,
    ),
]
DecayOption = Annotated[
    Decay | None,
    typer.Option(
        "--decay",
        help="How the rate falls: linear by default, constant for an encoder-decoder trained in full.",
        rich_help_panel=HOW,
    ),
]
WarmUp = Annotated[
    int, typer.Option("--warm-up", min=0, help="Steps until the rate is full.", rich_help_panel=HOW)
]
WeightDecay = Annotated[float, typer.Option("--weight-decay", min=0.0, help="AdamW's.", rich_help_panel=HOW)]
Clip = Annotated[float, typer.Option("--clip", min=1e-6, help="Of the gradients' norm.", rich_help_panel=HOW)]
Batch = Annotated[int, typer.Option("--batch", min=1, help="Examples at a time.", rich_help_panel=HOW)]
Accumulation = Annotated[
    int, typer.Option("--accumulation", min=1, help="Batches a step.", rich_help_panel=HOW)
]
Epochs = Annotated[
    int, typer.Option("--epochs", min=1, help="The best by validation is kept.", rich_help_panel=HOW)
]
Seed = Annotated[
    int,
    typer.Option("--seed", help="Of splits, order, first weights and dropout.", rich_help_panel=HOW),
]

Tokens = Annotated[
    int, typer.Option("--tokens", min=64, help="Of prompt and answer, at most.", rich_help_panel=PROMPTS)
]
Retriever = Annotated[
    str | None,
    typer.Option(
        "--retriever", help="How passages are found; as the settings say by default.", rich_help_panel=PROMPTS
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        "--budget",
        min=1,
        help="Tokens of passages in a prompt, at most; as the settings say by default.",
        rich_help_panel=PROMPTS,
    ),
]
CastList = Annotated[
    bool, typer.Option("--cast-list", help="Name the main cast in every prompt.", rich_help_panel=PROMPTS)
]

PrecisionOption = Annotated[
    Precision,
    typer.Option(
        "--precision", help="16 bits, 32, or what the device is quickest at.", rich_help_panel=WHERE
    ),
]
Checkpointing = Annotated[
    bool,
    typer.Option(
        help="Compute activations again instead of keeping them: slower, with far less memory.",
        rich_help_panel=WHERE,
    ),
]
SaveEvery = Annotated[
    int,
    typer.Option("--save-every", min=1, help="Steps after which the state is saved.", rich_help_panel=WHERE),
]
PictureOption = Annotated[
    Picture, typer.Option("--picture", help="Of the losses; needs the extra `train`.", rich_help_panel=WHERE)
]
