"""Long stretches of Chinese novels: how they are gathered, summarised, scored and what goes wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from books.types import Book
from evaluation.chinese.gold import FOLDER, read_marked
from evaluation.chinese.long_summaries import (
    AbnormalOutput,
    LongAnswer,
    LongSample,
    abnormal,
    answers,
    asked,
    gap,
    published,
    read_samples,
    scores,
    size_of,
)
from evaluation.chinese.rouge_words import rouge_l
from evaluation.chinese.types import LongPrompt, WindowSize
from evaluation.chinese.windows import RANGES, WindowRange, lengths, windows
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Finish
from tests.coref.conftest import make_book

PAIRS = json.loads(Path(__file__).with_name("rouge_pairs.json").read_text("utf-8"))
STORY = read_marked((FOLDER / "fengbo.txt").read_text("utf-8"))[0].replace("\n", "").replace("~", "")
GOOD = "七斤进城被剪去了辫子，听说皇帝坐了龙庭，七斤嫂十分着急，骂他该死。后来赵七爷不再提起，事情就过去了。"


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
def test_rouge_l_is_that_of_the_package(pair: tuple[int, int, int, int, bool, float]) -> None:
    """The values were computed by `rouge` 1.0.1 on the words of jieba 0.42.1."""
    first, many, second, much, dots, value = pair
    answer, reference = STORY[first : first + many], STORY[second : second + much]
    if dots:
        answer = answer.replace("。", ". ")
    assert rouge_l(answer, reference) == pytest.approx(value, abs=1e-9)


def test_rouge_l_of_nothing_is_nothing() -> None:
    assert rouge_l("", "七斤") == rouge_l("七斤", "") == rouge_l("...", "七斤") == 0


@pytest.fixture(scope="module")
def novel() -> Book:
    return make_book("\n\n".join(f"Chapter {n}\n\n" + "七斤说：“回来。”" * (n % 4 + 1) for n in range(1, 31)))


def test_windows_are_whole_chapters_within_the_limits(novel: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RANGES, WindowSize.L, WindowRange(60, 80, 100))
    found = list(windows("x", novel, WindowSize.L, tokens=len, words=lambda text: len(text) // 2))
    assert len(found) > 3
    for window in found:
        assert 60 <= window.tokens <= 100
        assert window.span.start == novel.chapters[window.first].span.start
        assert window.span.end == novel.chapters[window.last].span.end
    assert all(one.last < other.first for one, other in pairwise(found))
    told = lengths(found, "tokens")
    assert told.least <= told.quarter <= told.mean <= told.most <= 100
    assert lengths(found[:1], "words").quarter == found[0].words


def test_a_chapter_that_is_too_long_is_in_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RANGES, WindowSize.L, WindowRange(30, 40, 60))
    chapters = ("他来了。", "他走了很远的路。" * 30, "他回来了。" * 6)
    book = make_book("\n\n".join(f"Chapter {n}\n\n{text}" for n, text in enumerate(chapters, 1)))
    (only,) = windows("x", book, WindowSize.L, tokens=len, words=len)
    assert (only.first, only.last) == (2, 2)


def sample(summary: str | None = GOOD) -> LongSample:
    return LongSample(STORY, summary, WindowSize.L, "fengbo")


def test_the_instruction_stands_before_or_behind() -> None:
    before, behind = (asked(sample(), prompt) for prompt in LongPrompt)
    assert before.index("摘要") < before.index(STORY)
    assert behind.index(STORY) < behind.index("请你阅读以上内容")
    assert before.endswith("摘要：")


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        ("", Finish.STOP, AbnormalOutput.MEANINGLESS),
        ("七斤没有了辫子，" + "他很怕。他很怕。" * 20, Finish.STOP, AbnormalOutput.REPEATED),
        (STORY[400:700], Finish.STOP, AbnormalOutput.COPIED),
        ("抱歉，我无法阅读这样长的内容，请您缩短后再试。", Finish.STOP, AbnormalOutput.REFUSED),
        (
            "The villagers talk about the emperor, and Seven-pounder has lost his queue to the revolution.",
            Finish.STOP,
            AbnormalOutput.MEANINGLESS,
        ),
        (GOOD + "赵七爷又", Finish.LENGTH, AbnormalOutput.CUT),
        (
            "贾宝玉梦游太虚幻境，警幻仙姑演唱曲子，预示金陵十二钗的命运。",
            Finish.STOP,
            AbnormalOutput.OFF_POINT,
        ),
    ],
)
def test_abnormal_outputs_are_told_apart(text: str, finish: Finish, kind: AbnormalOutput) -> None:
    assert kind in set(abnormal(text, finish, sample(), LongPrompt.END))


def test_a_good_summary_is_not_abnormal() -> None:
    assert list(abnormal(GOOD, Finish.STOP, sample(), LongPrompt.BEGINNING)) == []


def test_answers_are_scored_by_size_and_prompt() -> None:
    said: list[LongAnswer] = []
    for prompt, text in ((LongPrompt.BEGINNING, GOOD), (LongPrompt.END, GOOD[: len(GOOD) // 2] + "。")):
        model = ScriptedModel([text])
        said += answers(model, [sample()], prompt)
        ((request,),) = model.asked
        assert request.max_tokens == 400
        assert request.temperature == 0
    found = scores(said)
    whole, half = (found[WindowSize.L, prompt] for prompt in LongPrompt)
    assert whole.rouge == pytest.approx(100)
    assert half.rouge is not None
    assert 0 < half.rouge < 100
    assert gap(found) == pytest.approx((100 - half.rouge) ** 2)


def test_what_a_model_has_no_room_for_is_not_cut() -> None:
    model = ScriptedModel([GOOD], context=500)
    (answer,) = answers(model, [sample()], LongPrompt.END)
    assert answer.abnormal == (AbnormalOutput.TOO_LONG,)
    assert answer.score is None
    assert model.asked == []
    assert scores([answer])[WindowSize.L, LongPrompt.END].rouge is None
    assert gap(scores([answer])) is None


def test_files_of_the_benchmark(tmp_path: Path) -> None:
    path = tmp_path / f"cnnsum_{'X' * 2}L_64k.jsonl"
    path.write_text(json.dumps({"context": "文", "summary": "要"}) + "\n\n", "utf-8")
    assert size_of(path) is WindowSize.XL2
    assert size_of(Path("cnnsum_L_16k.jsonl")) is WindowSize.L
    (only,) = read_samples(path, size_of(path))
    assert (only.context, only.summary, only.source) == ("文", "要", f"{path.stem}:1")
    with pytest.raises(ValueError, match="tells no size"):
        size_of(Path("novels.jsonl"))


def test_the_published_table() -> None:
    rows = {row["model"]: row for row in published()}
    assert len(rows) == 32
    assert (rows["Moonshot-v1-128k"]["L"], rows["Moonshot-v1-128k"]["mse"]) == ("22.4", "0.9")
    assert rows["GPT-4o-2024-08-06"]["3XL"] == ""
