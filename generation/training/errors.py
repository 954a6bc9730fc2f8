"""Errors of a training."""

from __future__ import annotations

from books.errors import BookwormError


class TrainingDataInvalid(BookwormError):
    code = "training_data_invalid"
    remedy = (
        "Each line is a JSON object with book, character, task and reference, and optionally split and upto."
    )


class TrainingLeak(BookwormError):
    """A book or a text that is measured on was also trained on."""

    code = "training_leak"
    remedy = "Put all lines of a book into one split, or leave `split` out to assign whole books."


class TrainingDiffers(BookwormError):
    """The folder contains a training of other data, another base or another recipe."""

    code = "training_differs"
    remedy = "Give another --output, or --anew to discard the training there."


class TrainingImpossible(BookwormError):
    """The base can't be trained in this way, or a required library is not installed."""

    code = "training_impossible"
    remedy = "Give a folder, or a hub id whose files are on this machine, of a causal model such as Llama."


class TrainingTooLarge(BookwormError):
    code = "training_too_large"
    remedy = (
        "Allow fewer --tokens, a smaller --batch or a lower --rank, keep --checkpointing on, or use a GPU."
    )


class TrainingDiverged(BookwormError):
    code = "training_diverged"
    remedy = "Train --anew with a lower --rate or more --warm-up; the best weights so far are kept."
