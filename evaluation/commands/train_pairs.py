"""`bookworm train pairs`: train what reads a claim or a question together with a passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import WeightsFile, folder_given
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks, room_for
from service.cli import output
from service.cli.device_options import DeviceOption, Threads, chosen, ready
from service.cli.figure_tables import figure_table, percent

if TYPE_CHECKING:
    from retrieval.pairs.network import PairNetwork
    from retrieval.pairs.types import PairLesson
    from retrieval.telling.sentence_table import Floats


def pairs(
    context: typer.Context,
    novels: CorpusTexts,
    teacher: Annotated[
        Path,
        folder_given("--teacher", "A larger encoder, such as all-mpnet-base-v2, as transformers loads it."),
    ],
    to: WeightsFile,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    threads: Threads = None,
    device: DeviceOption = None,
) -> None:
    """Train a teacher, and MiniLM by what it says, on the corpus' train novels. Use a GPU."""
    ready(threads)
    from safetensors.torch import save_file

    from coref.native.minilm import encoder_folder
    from evaluation.pairs.lessons import pair_lessons, pair_novels
    from retrieval.pairs import training
    from retrieval.pairs.network import PairNetwork

    place = chosen(device)
    large = _network(teacher).to(place)
    room = room_for(context, work, embedder="minilm")
    every: list[PairLesson] = []
    for novel, opened in room.open_novels(pair_novels(), novels, only=only, only_resolved=only_resolved):
        made = list(pair_lessons(novel, opened))
        output.tell(f"{novel.novel}: {len(made):,} pairs")
        every += made
    learnt = [lesson for lesson in every if lesson.split == "train"]
    held = [lesson for lesson in every if lesson.split == "dev"]
    if not learnt:
        raise typer.BadParameter("None of the train novels is there.", param_hint="--novels")
    output.tell(f"Teacher: {len(learnt):,} pairs")
    training.train(large, learnt, training.TEACHER, tell=output.tell)
    taught, said = large.read(learnt), {"Teacher": large.read(held)}
    del large
    small = PairNetwork(encoder_folder(), keep_embeddings=True).to(place)
    output.tell("MiniLM")
    training.train(small, learnt, training.STUDENT, taught=taught, tell=output.tell)
    save_file(small.packed(), to)
    output.tell(f"Weights in {to}")
    _show(held, {**said, "MiniLM": small.read(held)})


def _network(teacher: Path) -> PairNetwork:
    from retrieval.pairs.network import PairNetwork

    try:
        return PairNetwork(teacher)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{teacher} has no encoder: {error}", param_hint="--teacher") from error


def _show(held: Sequence[PairLesson], said: Mapping[str, Floats]) -> None:
    """Print how the networks do on the dev novels."""
    from evaluation.pairs.lessons import TRUE_OF_PORTRAIT
    from evaluation.pairs.measuring import claim_figures, question_figures

    claims = figure_table("AUC of true claims against", "Claims", *said)
    for row in zip(*(claim_figures(held, each, TRUE_OF_PORTRAIT) for each in said.values()), strict=True):
        claims.add_row(row[0].kind, f"{row[0].claims:,}", *(f"{each.area:.3f}" for each in row))
    asked = figure_table("Right place first, among five", "Questions", *said)
    for found in zip(*(question_figures(held, each) for each in said.values()), strict=True):
        shares = (f"{percent(each.first)}, {percent(each.five)}" for each in found)
        asked.add_row(found[0].kind, f"{found[0].questions:,}", *shares)
    output.out.print(claims)
    output.out.print(asked)
