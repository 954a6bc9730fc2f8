"""`bookworm train booookscore`: fit the estimate of BooookScore, and measure it on books not fitted on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import WeightsFile
from evaluation.commands.booookscore import SummariesInvalid
from service.cli import output
from service.cli.figure_tables import figure_table
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.booookscore.estimate_training import EstimateArea, EstimateFigures


def booookscore(
    release: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", exists=True, file_okay=False, help="The folder released with the paper."
        ),
    ],
    to: WeightsFile,
    json: JsonFlag = False,
) -> None:
    """Fit the estimate of BooookScore on the released annotations, and measure it on other books."""
    from evaluation.booookscore.estimate import save
    from evaluation.booookscore.estimate_examples import examples
    from evaluation.booookscore.estimate_training import train
    from evaluation.booookscore.people import annotated_by_people
    from evaluation.booookscore.release import released_systems
    from evaluation.datasets.types import DataInvalid
    from retrieval.registry import make_embedder

    embedder = make_embedder()
    output.tell("Reading the sentences")
    try:
        found = examples(released_systems(release), annotated_by_people(release), embedder)
    except (DataInvalid, ValueError) as error:
        raise SummariesInvalid(f"{release} cannot be used: {error}.") from error
    weights, figures = train(found, embedder.name, output.tell)
    save(weights, to)
    if json:
        output.write_json(plain(figures))
    else:
        _show(figures)
        output.tell(f"{weights.weights.size} weights in {to}")


def _show(figures: EstimateFigures) -> None:
    table = figure_table(
        "AUC on other books", "Confusing", "All", "Within a summary", "Lowest system", "Highest"
    )
    for each in (*figures.areas, figures.unseen, figures.people):
        systems = [value for value in each.systems.values() if value is not None]
        row = (each.pooled, each.within, min(systems, default=None), max(systems, default=None))
        table.add_row(_name(each), f"{each.examples:,}", *("–" if v is None else f"{v:.2f}" for v in row))
    output.out.print(table)
    output.out.print(
        f"{figures.sentences:,} sentences. Estimated scores of summaries correlate with GPT-4's by"
        f" {figures.correlation:.2f} (Pearson)."
    )


def _name(each: EstimateArea) -> str:
    return {"any": "any confusion", "people": "marked by people"}.get(each.name, each.name)
