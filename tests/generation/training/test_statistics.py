"""Statistics of the samples, counted by hand."""

from __future__ import annotations

from dataclasses import replace

from generation.training.sample_statistics import LengthSpread, fingerprint, of_split
from generation.training.types import DataSplit, PlacedSample, TrainingExample, TrainingLesson, TrainingSample
from generation.types import Task


def lesson(
    book: str, who: str, said: str, tokens: int, *, left_out: int = 0, cut: bool = False
) -> TrainingLesson:
    sample = TrainingSample(1, book, (who,), Task.DESCRIPTION, said)
    example = TrainingExample((7,) * tokens, (8,) * len(said.split()))
    return TrainingLesson(
        PlacedSample(sample, book, book, DataSplit.TRAIN), (who,), example, tokens // 10, left_out, cut
    )


LESSONS = [
    lesson("emma", "emma", "A rich young woman.", 100),
    lesson("emma", "emma", "Clever.", 40, left_out=2),
    lesson("emma", "harriet", "Her friend.", 50, left_out=6, cut=True),
    lesson("dracula", "mina", "She types.", 60),
]


def test_counted_by_split() -> None:
    found = of_split(LESSONS, DataSplit.TRAIN)
    assert found is not None
    assert (found.books, found.samples, found.truncated) == (2, 4, 1)
    assert found.left_out == LengthSpread(0, 1.0, 2.0, 6, 8)
    assert found.characters_a_book == LengthSpread(1, 1.5, 1.5, 2, 3)
    assert found.reference_words == LengthSpread(1, 2.0, 2.2, 4, 9)
    assert found.prompt_tokens == LengthSpread(40, 55.0, 62.5, 100, 250)
    assert found.answer_tokens == found.reference_words
    assert found.passages == LengthSpread(4, 5.5, 6.2, 10, 25)
    assert of_split(LESSONS, DataSplit.TEST) is None


def test_the_fingerprint_is_that_of_every_token_and_split() -> None:
    first, *rest = LESSONS
    whole = fingerprint(LESSONS)
    assert fingerprint([*LESSONS]) == whole
    example = first.example
    for other in (
        replace(first, example=replace(example, prompt=(*example.prompt, 7))),
        replace(first, example=replace(example, answer=(*example.answer[:-1], 9))),
        replace(first, placed=replace(first.placed, split=DataSplit.TEST)),
    ):
        assert fingerprint([other, *rest]) != whole
