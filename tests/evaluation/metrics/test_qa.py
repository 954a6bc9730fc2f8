"""Questions and answers: SQuAD's arithmetic, a tiny reader against plain loops, and invalid answers."""

from __future__ import annotations

import json
import re
import string
import time
from collections import Counter
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.extractive_reader import ExtractiveReader
from evaluation.metrics.options import Options
from evaluation.metrics.registry import make_metric
from evaluation.metrics.squad import exact, f1
from evaluation.metrics.text_stretches import nearest, stretches
from generation.errors import ModelServerFailed
from generation.models.scripted_model import ScriptedModel
from tests.evaluation.metrics.models import build
from tests.evaluation.metrics.samples import sample

REFERENCE = "Bess is the sister of Tom. She walked to the harbour, and the captain told her of the Lydia."
ASKED = {
    "questions": [
        {"question": "Who is Tom's sister?", "answer": "Bess"},
        {"question": "Where did Bess walk?", "answer": "the harbour"},
        {"question": "Who drowned?", "answer": "an old clerk"},
    ]
}


def told(*answers: str) -> str:
    return json.dumps({"answers": [{"question": n, "answer": a} for n, a in enumerate(answers, 1)]})


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("reader"), "BertForQuestionAnswering", seed=3, longest=80)


def official(text: str) -> str:
    """Normalise as SQuAD's program does; ASCII only."""
    bare = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def official_f1(one: str, other: str) -> float:
    mine, theirs = official(one).split(), official(other).split()
    same = sum((Counter(mine) & Counter(theirs)).values())
    if not mine or not theirs:
        return float(mine == theirs)
    if not same:
        return 0.0
    precision, recall = same / len(mine), same / len(theirs)
    return 2 * precision * recall / (precision + recall)


phrases = st.lists(
    st.sampled_from(["The", "a", "an", "Bess", "bess,", "co-op", "old.", "$5", "theatre", "x"]), max_size=6
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(phrases, phrases)
def test_squads_sums(one: str, other: str) -> None:
    assert exact(one, other) == float(official(one) == official(other))
    assert f1(one, other) == pytest.approx(official_f1(one, other))


def test_sums_by_hand() -> None:
    assert exact("the “Harbour”", "a harbour!") == 1
    assert f1("an old clerk of the Board", "the old clerk") == pytest.approx(2 * 2 / (4 + 2))
    assert f1("老师喜欢音乐", "老師不喜歡數學") == pytest.approx(2 * 2 / (3 + 4))
    assert f1("", "Bess") == 0
    assert f1("the", "") == 1


def test_the_language_model_asks_filters_and_answers() -> None:
    """The reference does not answer the third question, so it is dropped."""
    model = ScriptedModel([json.dumps(ASKED), told("Bess", "harbour", ""), told("Bess", "the old harbour")])
    metric = make_metric("qa", Options(model=model))
    (scores,) = metric.score([sample("Bess went to the old harbour.", REFERENCE)])
    assert scores == {"qa_exact": 0.5, "qa_f1": pytest.approx((1 + 2 / 3) / 2), "qa_questions": 2.0}
    last = model.asked[-1][0].messages[-1].content
    assert "Bess went to the old harbour." in last
    assert "Who drowned?" not in last
    assert REFERENCE not in last


def test_a_reference_is_asked_about_once_for_all_systems() -> None:
    model = ScriptedModel(
        [json.dumps(ASKED), told("Bess", "harbour", "a clerk"), told("Bess", "", ""), told("", "harbour", "")]
    )
    metric = make_metric("qa", Options(model=model))
    one = metric.score([sample("Bess.", REFERENCE)])
    other = metric.score([sample("She walked to the harbour.", REFERENCE)])
    assert one[0]["qa_exact"] == other[0]["qa_exact"] == pytest.approx(1 / 3)
    assert len(model.asked) == 4


def test_the_seed_is_the_requests() -> None:
    model = ScriptedModel([json.dumps(ASKED), told("Bess", "harbour", ""), told("", "")])
    make_metric("qa", Options(model=model, seed=7)).score([sample("Tom.", REFERENCE)])
    assert {request.seed for call in model.asked for request in call} == {7}


def test_nothing_said_and_nothing_to_say() -> None:
    model = ScriptedModel([json.dumps(ASKED), told("Bess", "harbour", "")])
    silent, unmeasured = make_metric("qa", Options(model=model)).score(
        [sample("", REFERENCE), sample("Bess.", " ")]
    )
    assert silent == {"qa_exact": 0.0, "qa_f1": 0.0, "qa_questions": 2.0}
    assert unmeasured == {"qa_exact": None, "qa_f1": None, "qa_questions": 0.0}


def test_a_model_that_answers_nonsense_measures_nothing() -> None:
    broken = ScriptedModel([json.dumps(ASKED), told("Bess", "harbour", ""), "I shall not.", "No."])
    (scores,) = make_metric("qa", Options(model=broken)).score([sample("Bess.", REFERENCE)])
    assert scores == {"qa_exact": None, "qa_f1": None, "qa_questions": 2.0}
    mended = ScriptedModel(["Well.", json.dumps(ASKED), told("Bess", "harbour", ""), told("Bess", "")])
    (scores,) = make_metric("qa", Options(model=mended)).score([sample("Bess.", REFERENCE)])
    assert scores["qa_exact"] == 0.5


@pytest.mark.parametrize(
    "said",
    [
        "No.",
        "{}",
        '{"questions": 3}',
        '{"questions": [{"question": "Who?"}]}',
        '{"questions": ["Who?"]}',
        "{",
    ],
)
def test_a_model_that_asks_nothing_is_refused(said: str) -> None:
    with pytest.raises(MetricUnavailable, match="wrote no usable question"):
        make_metric("qa", Options(model=ScriptedModel([said, said]))).score([sample("Bess.", REFERENCE)])


def test_a_dead_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModelServerFailed("The server does not answer.")

    model = ScriptedModel()
    monkeypatch.setattr(model, "complete", fail)
    with pytest.raises(MetricUnavailable, match="The server does not answer"):
        make_metric("qa", Options(model=model)).score([sample("Bess.", REFERENCE)])


def slow(folder: Path, question: str, text: str) -> tuple[str, float, float]:
    """Return the best of all spans of at most thirty pieces, one after the other, and the score of none."""
    told = AutoTokenizer.from_pretrained(folder)(question, text, return_offsets_mapping=True)
    model = AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    inputs = {name: torch.tensor([told[name]]) for name in ("input_ids", "token_type_ids", "attention_mask")}
    with torch.inference_mode():
        made = model(**inputs)
    start, end = made.start_logits[0].tolist(), made.end_logits[0].tolist()
    inside = [at for at, part in enumerate(told.sequence_ids(0)) if part == 1]
    spans = [(i, j) for i in inside for j in inside if 0 <= j - i < 30]
    i, j = max(spans, key=lambda span: start[span[0]] + end[span[1]])
    places = told["offset_mapping"]
    return text[places[i][0] : places[j][1]], start[i] + end[j], start[0] + end[0]


def test_the_reader_finds_the_likeliest_span_or_none(tmp_path: Path) -> None:
    texts = [REFERENCE, "Tom walks.", "The ship drowned the captain, and she told it to the old board."]
    questions = ["Who is the sister of Tom?", "Where?", "What was told?"]
    outcomes = set()
    for seed in range(3):
        folder = build(tmp_path / str(seed), "BertForQuestionAnswering", seed=seed, longest=80)
        found = ExtractiveReader(folder).answers([(text, questions) for text in texts])
        for text, answers in zip(texts, found, strict=True):
            for question, answer in zip(questions, answers or [], strict=True):
                wanted, score, nothing = slow(folder, question, text)
                assert answer == ("" if nothing > score else wanted)
                outcomes.add(answer == "")
    assert outcomes == {True, False}


def test_the_reader_reads_long_texts_and_questions_in_bounded_time(tiny: Path) -> None:
    start = time.process_time()
    reader = ExtractiveReader(tiny)
    text = "She walked to the harbour. " * 20_000 + REFERENCE
    found = reader.answers(
        [(text, ["Who is the sister of Tom? " * 100, "Where?"]), ("", ["Who?"]), (text, [])]
    )
    assert time.process_time() - start < 90
    assert [len(answers or []) for answers in found] == [2, 1, 0]
    assert found[1] == [""]


def test_reader_and_model_together(tiny: Path) -> None:
    """The gold is what the reader finds in the reference, so the reference itself answers everything."""
    reader = ExtractiveReader(tiny)
    questions = ["Who is the sister of Tom?", "Where did Bess walk?"]
    (golds,) = reader.answers([(REFERENCE, questions)])
    assert golds is not None
    made = [{"question": q, "answer": g} for q, g in zip(questions, golds, strict=True) if g]
    assert made
    model = ScriptedModel([json.dumps({"questions": [*made, {"question": "Who?", "answer": "Zebedee"}]})])
    metric = make_metric("qa", Options(model=model, reader=tiny))
    (scores,) = metric.score([sample(REFERENCE, REFERENCE)])
    assert scores == {"qa_exact": 1.0, "qa_f1": 1.0, "qa_questions": float(len(made))}
    assert len(model.asked) == 1
    assert tiny.name in metric.name


def test_long_references_are_asked_about_in_parts() -> None:
    rows = {"questions": [{"question": f"Who is {n}?", "answer": "Bess"} for n in range(3)]}
    model = ScriptedModel([json.dumps(rows)] * 8 + [told("Bess", "Bess", "Bess")] * 2)
    (scores,) = make_metric("qa", Options(model=model)).score([sample("Bess.", "Bess walked. " * 50_000)])
    assert len(model.asked[0]) == 8
    assert scores["qa_exact"] == 1
    assert scores["qa_questions"] == 3
    assert max(len(request.messages[-1].content) for request in model.asked[0]) < 10_000


def test_stretches_hold_the_text_and_the_nearest_are_those_with_its_words() -> None:
    text = "Bess walked on. Tom slept. The captain drowned! " + "Word " * 30
    parts = stretches(text, 6)
    assert parts[:2] == ["Bess walked on. Tom slept.", "The captain drowned!"]
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
    assert nearest("Did the captains drown?", parts, 1) == ["The captain drowned!"]
    assert nearest("Who?", parts, 99) == parts
    assert max(map(len, stretches("x" * 5_000, 10))) <= 200


def test_without_a_language_model_it_says_what_to_choose() -> None:
    with pytest.raises(MetricUnavailable, match=r"`qa` needs a language model\. Choose a writer"):
        make_metric("qa")


def test_a_folder_that_is_no_reader_is_refused(tmp_path: Path) -> None:
    model = ScriptedModel([json.dumps(ASKED)])
    metric = make_metric("qa", Options(model=model, reader=build(tmp_path / "encoder")))
    with pytest.raises(MetricUnavailable, match="was not trained for this"):
        metric.score([sample("Bess.", REFERENCE)])
