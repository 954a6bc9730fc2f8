"""`bookworm train coref`: trains the literary model on annotated documents, and resumes if interrupted."""

from __future__ import annotations

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
    from coref.native.word_pieces import WordPieces
    from coref.training.checkpoint import CorefEpoch, CorefTrainingState
    from coref.training.coref_targets import CorefExample
    from coref.training.network_training import CorefTrainingPlan
    from evaluation.corpus.types import Split


class StartUnfit(BookwormError):
    code = "start_unfit"
    remedy = "Use the same --ewt as for the weights, or start from others."


def coref(
    litbank: LitBank,
    to: Annotated[Path, folder_option("--output", "Folder for weights and training history.")],
    ewt: Annotated[Path | None, folder_given("--ewt", "UD English EWT, for grammar.")] = None,
    excerpts: Annotated[
        bool, typer.Option("--excerpts", help="Learn who is meant from the excerpts of the corpus too.")
    ] = False,
    start: Annotated[Path | None, folder_given("--start", "Weights to continue from.")] = None,
    rate: Annotated[float, typer.Option(min=0.001, help="Factor of the learning rates.")] = 1.0,
    epochs: Annotated[
        int, typer.Option(min=1, help="Maximum; training stops early without improvement.")
    ] = 14,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    threads: Threads = None,
    device: DeviceOption = None,
    json: JsonFlag = False,
) -> None:
    """Train on LitBank's train.ids and the train split of EWT. The dev parts select the epoch."""
    ready(threads)
    from coref.training.network_training import CorefTrainingPlan

    plan = CorefTrainingPlan(epochs=epochs, seed=seed, trained=start is not None).scaled(rate)
    story = _trained(litbank, ewt, to, plan, start=start, excerpts=excerpts, device=chosen(device))
    if json:
        output.write_json(asdict(story))


def _trained(
    litbank: Path,
    ewt: Path | None,
    to: Path,
    plan: CorefTrainingPlan,
    *,
    start: Path | None,
    excerpts: bool,
    device: str,
) -> CorefTrainingState:
    from coref.training import english_treebank
    from coref.training.litbank import read_ids
    from coref.training.network_training import fit
    from coref.training.training_data import ground_of
    from evaluation.coref.native import measure
    from retrieval.embedders.minilm import package_folder

    ground = ground_of(package_folder(), ewt, device=device)
    train_on, choose_by = (
        ground.examples(litbank, read_ids(litbank / f"{part}.ids")) for part in ("train", "dev")
    )
    more = _excerpts("train", ground.pieces) if excerpts else []
    meant = _excerpts("dev", ground.pieces) if excerpts else []
    unseen = [] if ewt is None else list(english_treebank.together(english_treebank.read(ewt, "dev")))
    try:
        network = ground.network(plan.seed, start)
    except ValueError as error:
        raise StartUnfit(f"{error}.") from error
    return fit(
        network,
        [*train_on, *more],
        plan,
        treebank=ground.treebank,
        mask=ground.pieces.mask,
        folder=to,
        measure=partial(measure, examples=choose_by, treebank=unseen, pieces=ground.pieces, meant=meant),
        told=_tell,
    )


def _excerpts(split: Split, pieces: WordPieces) -> list[CorefExample]:
    from coref.training.coref_targets import linked_example
    from evaluation.corpus.meant import meant_novels

    return [
        linked_example(f"{novel.novel}:{at}", excerpt.document, excerpt.meant, pieces)
        for novel in meant_novels(split)
        for at, excerpt in enumerate(novel.excerpts)
    ]


def _tell(epoch: CorefEpoch) -> None:
    losses = ", ".join(f"{name} {value:.3f}" for name, value in epoch.losses.items())
    found = ", ".join(f"{name} {value:.3f}" for name, value in epoch.measured.items())
    output.tell(f"epoch {epoch.number + 1} ({epoch.seconds:.0f} s): losses {losses}; {found}")
