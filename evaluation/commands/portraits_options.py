"""The options of `bookworm evaluate portraits`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coref.training.commands.options import file_given, folder_given
from evaluation.portraits.units import Unit
from generation.models.types import TemplateSet

WHAT = "Data"
WHO = "Systems"
HOW = "Metrics"

Books = Annotated[
    Path,
    folder_given("--books", "Folder with the books. The bundled novella is always included.", panel=WHAT),
]
References = Annotated[
    list[Path] | None,
    file_given(
        "--references",
        "JSON lines in the format of BookWorm; may be repeated. The default is the bundled references.",
        panel=WHAT,
    ),
]
Summaries = Annotated[
    Path | None,
    file_given("--summaries", "JSON lines with title and summary, for the system `summary`.", panel=WHAT),
]
DescriptionWords = Annotated[
    int,
    typer.Option("--description-words", min=20, max=2000, help="Approximate length.", rich_help_panel=WHAT),
]
AnalysisWords = Annotated[
    int, typer.Option("--analysis-words", min=20, max=2000, help="Approximate length.", rich_help_panel=WHAT)
]
DescriptionSentences = Annotated[
    int,
    typer.Option("--description-sentences", min=1, help="Maximum for an extract.", rich_help_panel=WHAT),
]
AnalysisSentences = Annotated[
    int, typer.Option("--analysis-sentences", min=1, help="Maximum for an extract.", rich_help_panel=WHAT)
]
Systems = Annotated[
    str,
    typer.Option("--systems", metavar="NAMES", help="Comma-separated.", rich_help_panel=WHO),
]
Generator = Annotated[
    str | None,
    typer.Option("--generator", help="Language model for the systems that need one.", rich_help_panel=WHO),
]
Prompts = Annotated[
    TemplateSet | None,
    typer.Option("--prompts", help="Its prompt templates. The default is the setting.", rich_help_panel=WHO),
]
Resolver = Annotated[str | None, typer.Option("--resolver", help="Resolver to use.", rich_help_panel=WHO)]
Embedder = Annotated[str | None, typer.Option("--embedder", help="Embedder to use.", rich_help_panel=WHO)]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", rich_help_panel=WHO)]
Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="NAMES",
        help="Comma-separated. The default is those that need no other model.",
        rich_help_panel=HOW,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against", metavar="SYSTEM", help="Baseline; `offline` if it is among the systems.",
        rich_help_panel=HOW,
    ),
]  # fmt: skip
Drawn = Annotated[
    Unit,
    typer.Option("--drawn", help="Unit of resampling for intervals and p-values.", rich_help_panel=HOW),
]
Encoder = Annotated[
    Path | None, folder_given("--encoder", "Encoder for `bertscore` instead of MiniLM.", panel=HOW)
]
Reader = Annotated[
    Path | None,
    folder_given(
        "--reader",
        "Model that answers the questions of `qa`. The generator always writes the questions.",
        panel=HOW,
    ),
]
Nli = Annotated[Path | None, folder_given("--nli", "Folder with a model for `nli`.", panel=HOW)]
Paragraphs = Annotated[
    int,
    typer.Option(
        "--paragraphs",
        min=1,
        help="Paragraphs of the book for each sentence, for `nli`.",
        rich_help_panel=HOW,
    ),
]
Out = Annotated[
    Path,
    typer.Option("--out", metavar="FOLDER", file_okay=False, help="Folder for the report and all results."),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work",
        metavar="FOLDER",
        file_okay=False,
        help="Cache of resolved books. The default is in --out.",
    ),
]
