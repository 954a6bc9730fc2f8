"""The options of `bookworm evaluate portraits`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaluation.portraits.units import Unit

WHAT = "What is asked"
WHO = "Who answers"
HOW = "How it is measured"

Books = Annotated[
    Path,
    typer.Option(
        "--books",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="The folder with the books; the project's own novella is always included.",
        rich_help_panel=WHAT,
    ),
]
References = Annotated[
    list[Path] | None,
    typer.Option(
        "--references",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="JSON lines, as BookWorm's; may be repeated. Default: those that come with Bookworm.",
        rich_help_panel=WHAT,
    ),
]
Summaries = Annotated[
    Path | None,
    typer.Option(
        "--summaries",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="JSON lines with title and summary, for the system `summary`.",
        rich_help_panel=WHAT,
    ),
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
    typer.Option("--systems", metavar="NAMES", help="Separated by commas.", rich_help_panel=WHO),
]
Generator = Annotated[
    str | None,
    typer.Option("--generator", help="The language model of the systems that need one.", rich_help_panel=WHO),
]
Resolver = Annotated[str | None, typer.Option("--resolver", help="The resolver.", rich_help_panel=WHO)]
Embedder = Annotated[str | None, typer.Option("--embedder", help="The embedder.", rich_help_panel=WHO)]
Seed = Annotated[
    int, typer.Option("--seed", help="Seed of draws, models and intervals.", rich_help_panel=WHO)
]
Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="NAMES",
        help="Separated by commas. Default: those that need no other model.",
        rich_help_panel=HOW,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against", metavar="SYSTEM", help="The system to compare with; default: `offline` if present.",
        rich_help_panel=HOW,
    ),
]  # fmt: skip
Drawn = Annotated[
    Unit,
    typer.Option("--drawn", help="The unit of resampling for intervals and tests.", rich_help_panel=HOW),
]
Encoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder", exists=True, file_okay=False, help="For `bertscore`, instead of MiniLM.",
        rich_help_panel=HOW,
    ),
]  # fmt: skip
Reader = Annotated[
    Path | None,
    typer.Option(
        "--reader",
        exists=True,
        file_okay=False,
        help="Answers the questions of `qa` instead of the generator, which always writes them.",
        rich_help_panel=HOW,
    ),
]
Nli = Annotated[
    Path | None,
    typer.Option(
        "--nli",
        exists=True,
        file_okay=False,
        help="An entailment model, for `nli`.",
        rich_help_panel=HOW,
    ),
]
Paragraphs = Annotated[
    int,
    typer.Option(
        "--paragraphs", min=1, help="Paragraphs of the book per sentence, for `nli`.", rich_help_panel=HOW
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FOLDER", file_okay=False, help="The folder for the report and the stored results."
    ),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work",
        metavar="FOLDER",
        file_okay=False,
        help="The folder for resolved books; default: in --out.",
    ),
]
