"""`bookworm train cross-validate`: cross-validation of the literary model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import LitBank, folder_given, folder_option
from service.cli import output
from service.cli.device_options import DeviceOption, Threads, chosen, ready
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from coref.training.checkpoint import CorefEpoch, CorefTrainingState
    from coref.training.folds import FoldSpread


class FoldsInvalid(BookwormError):
    code = "folds_invalid"
    remedy = "Use an empty folder for --output, and a number of folds between 2 and the number of documents."


def cross_validate(
    litbank: LitBank,
    to: Annotated[Path, folder_option("--output", "Folder for the results; each fold has a subfolder.")],
    ewt: Annotated[Path | None, folder_given("--ewt", "UD English, for grammar.")] = None,
    folds: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5,
    only: Annotated[
        list[int] | None, typer.Option("--only", metavar="N", help="Only this fold; may be repeated.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs per fold. The last one is used.")] = 14,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    threads: Threads = None,
    device: DeviceOption = None,
    json: JsonFlag = False,
) -> None:
    """For each fold, train on the rest of LitBank's train.ids and dev.ids and measure on the fold."""
    if wrong := [number for number in only or () if not 1 <= number <= folds]:
        raise typer.BadParameter(f"There is no fold {wrong[0]}: there are {folds}.", param_hint="--only")
    ready(threads)
    place = chosen(device)
    try:
        stories = _trained(litbank, ewt, to, count=folds, only=only, epochs=epochs, seed=seed, device=place)
    except ValueError as error:
        raise FoldsInvalid(f"{error}.") from error
    _show(stories, as_json=json)


def _trained(
    litbank: Path,
    ewt: Path | None,
    to: Path,
    *,
    count: int,
    only: list[int] | None,
    epochs: int,
    seed: int,
    device: str,
) -> dict[int, CorefTrainingState]:
    from coref.training.folds import folds_of, train_fold
    from coref.training.litbank import read_ids
    from coref.training.network_training import CorefTrainingPlan
    from coref.training.training_data import ground_of
    from evaluation.coref.native import measure
    from retrieval.embedders.minilm import package_folder

    names = [name for part in ("train", "dev") for name in read_ids(litbank / f"{part}.ids")]
    ground = ground_of(package_folder(), ewt, device=device)
    examples = {example.name: example for example in ground.examples(litbank, names)}
    chosen = [fold for fold in folds_of(examples, count) if only is None or fold.number in only]
    measured = partial(measure, treebank=(), pieces=ground.pieces)
    return {
        fold.number: train_fold(
            fold,
            ground,
            examples,
            CorefTrainingPlan(epochs=epochs, seed=seed),
            folder=to / f"fold-{fold.number}-of-{count}",
            measure=measured,
            told=partial(_tell, fold.number),
        )
        for fold in chosen
    }


def _tell(fold: int, epoch: CorefEpoch) -> None:
    found = ", ".join(f"{name} {value:.3f}" for name, value in epoch.measured.items())
    output.tell(f"fold {fold}, epoch {epoch.number + 1} ({epoch.seconds:.0f} s): {found}")


def _show(stories: Mapping[int, CorefTrainingState], *, as_json: bool) -> None:
    from coref.training.folds import spreads

    found = spreads(list(stories.values()))
    if as_json:
        output.write_json(
            {
                "folds": {str(number): asdict(story.epochs[-1]) for number, story in stories.items()},
                "spreads": {name: asdict(spread) for name, spread in found.items()},
            }
        )
        return
    for name, spread in found.items():
        output.out.print(_line(name, spread), markup=False, highlight=False)


def _line(name: str, spread: FoldSpread) -> str:
    each = ", ".join(f"{100 * value:.1f}" for value in spread.folds)
    return f"{name}: {100 * spread.mean:.1f} ± {100 * spread.deviation:.1f} ({each})"
