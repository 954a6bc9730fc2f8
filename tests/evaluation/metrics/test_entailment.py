"""Entailment against its definition in plain loops over a tiny model, and the selection of paragraphs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from books.sampling import evenly
from evaluation.metrics.entailment import Entailment
from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.likely import Paragraphs
from evaluation.metrics.options import Options
from evaluation.metrics.registry import make_metric
from evaluation.metrics.sentences import sentences_of
from tests.evaluation.metrics.models import build
from tests.evaluation.metrics.samples import annotations_of, book_of, character, sample

LABELS = {0: "CONTRADICTION", 1: "neutral", 2: "Entailment"}
CAST = (character("Bess"), character("Tom"))
BOOK = book_of(
    "Bess walked to the harbour.",
    "Tom told the clerk that she was old.",
    "The ship drowned the captain.",
    "Bess is his sister, and Tom walks.",
    "It does not board.",
)
ANSWER = "Bess walks to the ship. She was his sister? The captain drowned. Tom told the board."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nli")
    return build(folder, "BertForSequenceClassification", seed=2, num_labels=3, id2label=LABELS)


def entailed(folder: Path, premise: str, hypothesis: str) -> float:
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    told = AutoTokenizer.from_pretrained(folder)(premise, hypothesis, return_tensors="pt")
    with torch.inference_mode():
        return float(model(**told).logits.softmax(1)[0, 2])


def test_it_is_its_definition(tiny: Path) -> None:
    metric = make_metric("nli", Options(nli=tiny, paragraphs=100))
    (scores,) = metric.score([sample(ANSWER, book=BOOK, cast=CAST, about="Bess")])
    paragraphs = [BOOK.slice(paragraph.span) for paragraph in BOOK.paragraphs]
    best = [max(entailed(tiny, p, s) for p in paragraphs) for s in sentences_of(ANSWER)]
    assert len(best) == 4
    assert 0 < sum(b >= 0.5 for b in best) < 4, "a threshold that decides nothing is not tested"
    assert scores["nli"] == pytest.approx(sum(b >= 0.5 for b in best) / 4)
    assert scores["nli_probability"] == pytest.approx(sum(best) / 4, abs=1e-3)


def test_fewer_paragraphs_are_those_of_the_character(tiny: Path) -> None:
    metric = make_metric("nli", Options(nli=tiny, paragraphs=2))
    (scores,) = metric.score([sample(ANSWER, book=BOOK, cast=CAST, about="Bess")])
    mine = [BOOK.slice(BOOK.paragraphs[at].span) for at in (0, 3)]
    best = [max(entailed(tiny, p, s) for p in mine) for s in sentences_of(ANSWER)]
    assert scores["nli_probability"] == pytest.approx(sum(best) / 4, abs=1e-3)
    assert metric.name != make_metric("nli", Options(nli=tiny)).name


def test_the_likeliest_mention_somebody_and_share_rare_words() -> None:
    paragraphs = Paragraphs(BOOK)
    bess = paragraphs.mentioning(annotations_of(BOOK, CAST), "bess")
    assert bess == {0, 3}

    def chosen(sentence: str, most: int) -> list[int]:
        return [passage.index for passage in paragraphs.likeliest(sentence, bess, most)]

    assert [chosen("The captain's ship.", most) for most in (1, 2, 3)] == [[0], [0, 3], [0, 2, 3]]
    assert chosen("The captain's ship.", 9) == [0, 1, 2, 3, 4]
    assert chosen("His sister.", 1) == [3]
    assert paragraphs.likeliest("", set(), 0) == []
    assert paragraphs.mentioning(annotations_of(BOOK, CAST), "nobody") == set()


def test_sentences() -> None:
    assert sentences_of("She met Mr. Darcy. “No!” she said. 3") == [
        "She met Mr. Darcy.",
        "“No!” she said.",
        "3",
    ]
    assert sentences_of("宝玉来了。“你好！”她说，走吧") == ["宝玉来了。", "“你好！”", "她说，走吧"]
    assert sentences_of(" …\n") == []
    assert evenly(list("abcdef"), 3) == ["a", "c", "e"]
    assert evenly(list("ab"), 3) == ["a", "b"]


def test_nothing_said_and_no_book(tiny: Path) -> None:
    metric = make_metric("nli", Options(nli=tiny))
    silent, lost = metric.score([sample("", book=BOOK), sample("Bess walked.", book=book_of(""))])
    assert set(silent.values()) == {None}
    assert lost == {"nli": 0.0, "nli_probability": 0.0}


def test_a_very_long_answer_takes_bounded_time(tiny: Path) -> None:
    start = time.process_time()
    found = Entailment(tiny, paragraphs=2).score([sample("Bess walked to the harbour. " * 20_000, book=BOOK)])
    assert found[0]["nli"] in (0.0, 1.0)
    assert time.process_time() - start < 60


def test_no_model_or_another_kind_of_model_is_refused(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(
        MetricUnavailable, match=r"`nli` needs a model\. Give as model of inference the folder"
    ):
        make_metric("nli")
    with pytest.raises(MetricUnavailable, match="leave `nli` out"):
        make_metric("nli", Options(nli=tmp_path / "nowhere"))
    other = build(
        tmp_path / "other", "BertForSequenceClassification", num_labels=2, id2label={0: "no", 1: "yes"}
    )
    with pytest.raises(MetricUnavailable, match="none of its labels"):
        make_metric("nli", Options(nli=other))
    (tmp_path / "broken").mkdir()
    for path in tiny.iterdir():
        (tmp_path / "broken" / path.name).write_bytes(path.read_bytes())
    config = json.loads((tiny / "config.json").read_text())
    (tmp_path / "broken" / "config.json").write_text(json.dumps(config | {"hidden_size": 25}))
    with pytest.raises(MetricUnavailable, match="could not be loaded"):
        make_metric("nli", Options(nli=tmp_path / "broken")).score([sample("Bess walked.", book=BOOK)])
