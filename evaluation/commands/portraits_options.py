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
        help="Where the books are; the project's own novella is always there.",
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
        help="JSON lines, as BookWorm's; may be repeated. Without, those that come with Bookworm.",
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
    typer.Option("--description-words", min=20, max=2000, help="About so many.", rich_help_panel=WHAT),
]
AnalysisWords = Annotated[
    int, typer.Option("--analysis-words", min=20, max=2000, help="About so many.", rich_help_panel=WHAT)
]
DescriptionSentences = Annotated[
    int,
    typer.Option("--description-sentences", min=1, help="Of an extract, at most.", rich_help_panel=WHAT),
]
AnalysisSentences = Annotated[
    int, typer.Option("--analysis-sentences", min=1, help="Of an extract, at most.", rich_help_panel=WHAT)
]
Systems = Annotated[
    str,
    typer.Option("--systems", metavar="NAMES", help="Parted by commas.", rich_help_panel=WHO),
]
Generator = Annotated[
    str | None,
    typer.Option("--generator", help="The language model of the systems that need one.", rich_help_panel=WHO),
]
Resolver = Annotated[str | None, typer.Option("--resolver", help="Who resolves.", rich_help_panel=WHO)]
Embedder = Annotated[str | None, typer.Option("--embedder", help="Who embeds.", rich_help_panel=WHO)]
Seed = Annotated[int, typer.Option("--seed", help="Of draws, models and intervals.", rich_help_panel=WHO)]
Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="NAMES",
        help="Parted by commas. Without, those that need no other model.",
        rich_help_panel=HOW,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against", metavar="SYSTEM", help="Whom all are compared with; `offline` if it is there.",
        rich_help_panel=HOW,
    ),
]  # fmt: skip
Drawn = Annotated[
    Unit,
    typer.Option("--drawn", help="What is drawn anew for intervals and chance.", rich_help_panel=HOW),
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
        help="For `qa`, instead of the generator; that makes up the questions in any case.",
        rich_help_panel=HOW,
    ),
]
Nli = Annotated[
    Path | None,
    typer.Option(
        "--nli",
        exists=True,
        file_okay=False,
        help="A checkpoint of inference, for `nli`.",
        rich_help_panel=HOW,
    ),
]
Paragraphs = Annotated[
    int,
    typer.Option("--paragraphs", min=1, help="Of the book, for each sentence of `nli`.", rich_help_panel=HOW),
]
Out = Annotated[
    Path,
    typer.Option("--out", metavar="FOLDER", file_okay=False, help="Where the report goes, and what is kept."),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work",
        metavar="FOLDER",
        file_okay=False,
        help="Where resolved books are kept; in --out by default.",
    ),
]
