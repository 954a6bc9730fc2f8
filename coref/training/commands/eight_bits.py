"""`bookworm train eight-bits`: measures what the encoders receive, so that they can be run in 8 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from service.cli import output

if TYPE_CHECKING:
    from torch import Tensor

    from coref.native.word_pieces import WordPieces

_OF_EACH, _TOGETHER, _WIDE = 8, 4, 240
"""Windows of each novel, windows in a batch, and pieces of a window."""


class RangesNotMeasured(BookwormError):
    code = "ranges_not_measured"
    remedy = "Give English novels of some thousand words."


def eight_bits(
    novels: Annotated[
        list[Path], typer.Argument(metavar="NOVEL…", exists=True, dir_okay=False, help="Files of novels.")
    ],
) -> None:
    """Measure the ranges of the encoders' layers on novels, and replace those of this installation."""
    from safetensors.torch import load_file

    from books.digests import file_sha256
    from coref.native.eight_bits import save_ranges
    from coref.native.encoder import WEIGHTS, Encoder
    from coref.native.minilm import encoder_folder
    from coref.native.weights import FILE, PLACE, RANGES, load_network
    from coref.native.word_pieces import WordPieces
    from coref.training.activation_ranges import measure_ranges
    from retrieval.embedders.bert import UNCHANGED
    from retrieval.embedders.minilm import RANGES as EMBEDDER_RANGES
    from retrieval.embedders.rounded import trainable
    from retrieval.pairs import pair_reader
    from retrieval.telling import reader

    folder = encoder_folder()
    windows = list(_batches(_windows(novels, WordPieces(folder))))
    if not windows:
        raise RangesNotMeasured("The novels are too short to measure ranges on.")
    literary = load_network(PLACE, encoder=folder).encoder
    assert isinstance(literary, Encoder)
    told = [(literary, windows, PLACE / FILE, PLACE / RANGES)]
    told.append((trainable(folder, UNCHANGED), windows, folder / WEIGHTS, EMBEDDER_RANGES))
    pairs = list(map(pair_reader.as_pairs, windows))
    for of, rows in ((pair_reader, pairs), (reader, windows)):
        weights = of.RANGES.with_name(of.WEIGHTS)
        told.append((trainable(folder, of.changes(load_file(weights))), rows, weights, of.RANGES))
    for encoder, rows, weights, to in told:
        save_ranges(measure_ranges(encoder.eval(), rows), to, of=file_sha256(weights))
        output.tell(f"Ranges in {to}, from {sum(map(len, rows))} windows")


def _windows(novels: Iterable[Path], pieces: WordPieces) -> Iterator[Tensor]:
    """Yield the beginning of windows, evenly from each novel."""
    from coref.native.batching import batch_of
    from coref.native.book_pass import passages
    from coref.native.groundwork import lay
    from evaluation.datasets.shelf import open_book

    for path in novels:
        ground = lay(open_book(path))
        parts = list(passages(ground.words, ground.chapters))
        for number in range(_OF_EACH):
            batch = batch_of(ground.words.document(parts[number * len(parts) // _OF_EACH]), pieces)
            yield from batch.pieces[: 1 if batch.present[0, :_WIDE].sum() == _WIDE else 0, :_WIDE]


def _batches(windows: Iterable[Tensor]) -> Iterator[Tensor]:
    import torch

    held: list[Tensor] = []
    for window in windows:
        held.append(window)
        if len(held) == _TOGETHER:
            yield torch.stack(held)
            held = []
