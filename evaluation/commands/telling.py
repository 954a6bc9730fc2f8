"""`bookworm train telling`: train what scores sentences, says whom they mean, and reads the best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import WeightsFolder
from evaluation.commands.options import CorpusTexts, OnlyNovels, ResolvedBooks, room_for
from service.cli import output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.keyfacts.examples import NovelExamples
    from retrieval.telling.reader_training import ReaderLesson


def telling(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFolder,
    work: ResolvedBooks = None,
    only: OnlyNovels = None,
    seed: Annotated[int, typer.Option("--seed")] = 0,
) -> None:
    """Train on the corpus' train novels, and show how it does on these and on the dev novels."""
    from evaluation.corpus import loading
    from evaluation.keyfacts.examples import examples_of
    from evaluation.keyfacts.reading import lessons

    room = room_for(context, work, embedder="minilm")
    made: dict[str, list[NovelExamples]] = {"train": [], "dev": []}
    read: dict[str, list[ReaderLesson]] = {"train": [], "dev": []}
    for split, examples in made.items():
        for novel, opened in room.open_novels(loading.novels(split), novels, only=only):
            examples.append(examples_of(novel, opened))
            for example in examples[-1].people:
                read[split] += lessons(example, opened)
    to.mkdir(parents=True, exist_ok=True)
    _train_head(made, to, seed)
    _fit_meant(made, to)
    _train_reader(read, to, seed)


def _train_head(made: Mapping[str, Sequence[NovelExamples]], to: Path, seed: int) -> None:
    from safetensors.numpy import save_file

    from evaluation.keyfacts.retrieving import DEPTHS, ranks
    from retrieval.telling.head import WEIGHTS, TellingHead
    from retrieval.telling.training import TellingCourse, TellingRows, train

    rows = [
        TellingRows(example.candidates.signs, example.vectors, example.labels, example.judged)
        for novel in made["train"]
        for example in novel.people
    ]
    weights = train(rows, TellingCourse(seed=seed))
    head = TellingHead(weights)
    for split, few in made.items():
        found = ranks(few, lambda example: head(example.candidates.signs, example.vectors))
        shares = ", ".join(f"{found.share(depth):.1%} in {depth}" for depth in DEPTHS)
        output.out.print(f"{split}: {len(found.every) + found.lost} quotations, {shares} passages")
    save_file(weights, to / WEIGHTS)


def _fit_meant(made: Mapping[str, Sequence[NovelExamples]], to: Path) -> None:
    from safetensors.numpy import save_file

    from evaluation.keyfacts.meaning import agreement, fitted
    from retrieval.telling.meant import WEIGHTS, MeantHead

    people = {split: [each for novel in few for each in novel.people] for split, few in made.items()}
    weights = fitted(people["train"])
    save_file(weights, to / WEIGHTS)
    for split, few in people.items():
        read, found = agreement(few, MeantHead(weights))
        output.out.print(f"{split}, about, by signs: AUC {found:.3f} of {read} sentences")


def _train_reader(read: Mapping[str, Sequence[ReaderLesson]], to: Path, seed: int) -> None:
    from coref.native.minilm import encoder_folder
    from evaluation.keyfacts.reading import agreement
    from retrieval.telling.reader import WEIGHTS, SentenceReader, save
    from retrieval.telling.reader_training import ReaderCourse, train

    weights = train(read["train"], encoder_folder(), ReaderCourse(seed=seed), tell=output.tell)
    save(weights, to / WEIGHTS)
    reader = SentenceReader(encoder_folder(), weights)
    for split, lessons in read.items():
        for name, found in agreement(lessons, reader).items():
            output.out.print(f"{split}, {name}: AUC {found:.3f}")
