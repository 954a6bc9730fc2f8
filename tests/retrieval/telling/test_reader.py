"""The reader: what it is given, that its adapter changes MiniLM, and that training learns a rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from coref.encoder_bits import EncoderBits
from coref.native.minilm import encoder_folder
from coref.types import Annotations
from retrieval.embedders.adapters import DOWN, UP
from retrieval.index import BookIndex
from retrieval.telling import reader
from retrieval.telling.head import JUDGED
from retrieval.telling.marked import MarkedSentences
from retrieval.telling.reader import WEIGHTS, SentenceReader, in_package, shipped
from retrieval.telling.reader_training import ReaderCourse, ReaderLesson, train
from retrieval.telling.sentence_table import Floats
from retrieval.telling.sentences import telling_sentences

TELLING = (
    "Ann, told: * Ann * was a tall, proud widow.",
    "Ann, told: * She * was the captain's only daughter.",
)
TRIVIAL = ("Ann, told: * Ann * went in.", "Ann, said: Well, well, said * Ann *.")


def test_sentences_are_written_out_for_a_person(index: BookIndex, annotations: Annotations) -> None:
    marked = MarkedSentences(index.book.text, annotations, np.asarray(index.sentences))
    at = {" ".join(index.book.text[a:b].split()): n for n, (a, b, _) in enumerate(index.sentences.tolist())}
    watched = next(n for text, n in at.items() if text.startswith("Tom watched"))
    seemed = next(n for text, n in at.items() if text.startswith("He seemed"))
    assert marked.of("tom", [watched, seemed]) == [
        "Tom, told: * Tom * watched from the gate.",
        "Tom, told: * He * seemed afraid of it.",
    ]
    assert marked.of("ann", [watched]) == ["Ann, told: Tom watched from the gate."]
    (quote,) = annotations.quotes
    spoken = next(n for n, (a, b, _) in enumerate(index.sentences.tolist()) if a <= quote.span.start < b)
    voices = {who: marked.of(who, [spoken])[0].split(": ")[0].split(", ")[1] for who in ("ann", "tom")}
    assert voices == {who: "said by them" if who == quote.speaker else "said" for who in ("ann", "tom")}


def test_the_shipped_reader_knows_what_is_telling() -> None:
    found = shipped()
    assert found is not None
    said = found([*TELLING, *TRIVIAL])
    column = JUDGED.index("telling")
    assert said[:2, column].min() > said[2:, column].max() + 1
    alone = in_package(encoder_folder(), "retrieval.telling", WEIGHTS)
    assert np.allclose(alone(TELLING[:1]), said[:1], atol=1e-3), "alone or with others"
    assert found([]).shape == (0, said.shape[1])


@pytest.mark.skipif(
    torch.cpu.get_capabilities().get("avx2", False)
    and not any(torch.cpu.get_capabilities().get(one) for one in ("avx512_vnni", "avx_vnni", "amx_int8")),
    reason="without VNNI sums of bytes are cut off, and 8 bits are slower than 32",
)
def test_in_8_bits_it_says_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = in_package(encoder_folder(), "retrieval.telling", WEIGHTS, reader.RANGES)
    monkeypatch.setattr("retrieval.embedders.rounded.chosen", lambda: EncoderBits.EIGHT)
    rounded = in_package(encoder_folder(), "retrieval.telling", WEIGHTS, reader.RANGES)
    said, found = exact([*TELLING, *TRIVIAL]), rounded([*TELLING, *TRIVIAL])
    assert found.tolist() != said.tolist()
    assert found == pytest.approx(said, abs=0.3)


def test_a_sentence_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_KEPT", 3)
    found = in_package(encoder_folder(), "retrieval.telling", WEIGHTS)
    asked: list[str] = []
    read = found._read

    def noted(some: Sequence[str]) -> Floats:
        asked.extend(some)
        return read(some)

    monkeypatch.setattr(found, "_read", noted)
    first = found([*TELLING, TELLING[0]])
    assert (first == found([*TELLING, TELLING[0]])).all()
    assert asked == list(TELLING)
    found(TRIVIAL)
    found(TELLING)
    assert asked == [*TELLING, *TRIVIAL, *TELLING], "only so many are kept"


def test_without_minilm_the_head_decides_alone(
    index: BookIndex, annotations: Annotations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "shipped", lambda: None)
    index.forget()
    found = telling_sentences(index, annotations, "tom")
    index.forget()
    assert len(found) == 3
    assert all(0 < s.telling < 1 for s in found)


@pytest.mark.long
def test_training_learns_a_rule() -> None:
    def lesson(text: str, wanted: float) -> ReaderLesson:
        return ReaderLesson(text, np.array([np.nan, wanted, np.nan], np.float32), 1.0)

    lessons = [lesson(t, 1.0) for t in TELLING * 6] + [lesson(t, 0.0) for t in TRIVIAL * 6]
    told: list[str] = []
    course = ReaderCourse(epochs=6, rank=4, batch=8, warm=2, rate=2e-3)
    weights = train(lessons, encoder_folder(), course, tell=told.append)
    assert len(told) == course.epochs
    downs = [name for name in weights if name.endswith(DOWN)]
    assert downs
    assert all(weights[name].shape[0] == 4 for name in downs)
    assert any(weights[name.removesuffix(DOWN) + UP].abs().max() > 0 for name in downs)
    said = SentenceReader(encoder_folder(), weights)([*TELLING, *TRIVIAL])
    assert said[:2, 1].min() > 1 > -1 > said[2:, 1].max()
    plain = {name: torch.zeros_like(w) if name.endswith(UP) else w for name, w in weights.items()}
    assert not np.allclose(SentenceReader(encoder_folder(), plain)(TELLING), said[:2], atol=0.1)
