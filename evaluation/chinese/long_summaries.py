"""Summaries of long stretches of Chinese novels, as in CNNSum: prompts, scores, and what goes wrong."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from csv import DictReader
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from string import Template
from typing import Any, Final

from books.languages import identify
from coref.chinese.segment import guessed_words
from evaluation.chinese.rouge_words import rouge_l
from evaluation.chinese.types import LongPrompt, WindowSize
from generation.models.answer_tidying import tidy
from generation.models.protocols import LanguageModel
from generation.models.types import CompletionRequest, Finish, Message, MessageRole
from generation.types import AnswerLanguage, Task
from generation.writing.answer_faults import AnswerFault, ExpectedAnswer, faults
from retrieval.tokenizer import has_han


class AbnormalOutput(StrEnum):
    MEANINGLESS = "meaningless"
    REPEATED = "repeated"
    INSTRUCTIONS = "instructions"
    """It goes on with the prompt."""
    COPIED = "copied"
    REFUSED = "refused"
    LANGUAGE = "wrong language"
    CUT = "cut"
    OFF_POINT = "off the point"
    TOO_LONG = "too long for the model"


ANSWER_TOKENS: Final = {WindowSize.L: 400, WindowSize.XL: 400, WindowSize.XL2: 500, WindowSize.XL3: 500}
"""Most tokens of an answer, as in the paper."""
_KINDS: Final = {
    AnswerFault.EMPTY: AbnormalOutput.MEANINGLESS,
    AnswerFault.THOUGHT: AbnormalOutput.MEANINGLESS,
    AnswerFault.LOOP: AbnormalOutput.REPEATED,
    AnswerFault.ECHOED: AbnormalOutput.INSTRUCTIONS,
    AnswerFault.COPIED: AbnormalOutput.COPIED,
    AnswerFault.REFUSED: AbnormalOutput.REFUSED,
    AnswerFault.CUT_OFF: AbnormalOutput.CUT,
}
_ON_POINT: Final = 0.2
"""Share of an answer's longer words that its text has; fewer, and it is about something else."""
_LONGER: Final = 2


@dataclass(frozen=True, slots=True)
class LongSample:
    context: str
    summary: str | None
    """The reference, if there is one."""
    size: WindowSize
    source: str


@dataclass(frozen=True, slots=True)
class LongAnswer:
    sample: LongSample
    prompt: LongPrompt
    text: str
    score: float | None
    """ROUGE-L, from 0 to 100."""
    abnormal: tuple[AbnormalOutput, ...]
    prompt_tokens: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LongScore:
    """The answers to one prompt about the samples of one size."""

    samples: int
    rouge: float | None
    abnormal: Mapping[AbnormalOutput, float]
    """The share of the answers with each fault."""
    tokens: float
    """Mean length of the answers."""
    prompt_tokens: float


def read_samples(path: Path, size: WindowSize) -> Iterator[LongSample]:
    """Read a file of CNNSum: a JSON object with `context` and `summary` on each line."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            held: dict[str, Any] = json.loads(line)
            yield LongSample(held["context"], held.get("summary"), size, f"{path.stem}:{number}")


def asked(sample: LongSample, prompt: LongPrompt) -> str:
    return Template(_template(prompt)).substitute(text=sample.context)


def answers(model: LanguageModel, samples: Sequence[LongSample], prompt: LongPrompt) -> Iterator[LongAnswer]:
    """Ask about each sample, at temperature 0. A text that the model has no room for is not cut."""
    for sample in samples:
        message = Message(MessageRole.USER, asked(sample, prompt))
        room = ANSWER_TOKENS[sample.size]
        length = model.count_prompt((message,))
        if length + room > model.context:
            yield LongAnswer(sample, prompt, "", None, (AbnormalOutput.TOO_LONG,), length, 0, 0.0)
            continue
        (done,) = model.complete([CompletionRequest((message,), room, Task.SUMMARY, temperature=0.0)])
        text = tidy(done.text)
        score = None if sample.summary is None else 100 * rouge_l(text, sample.summary)
        wrong = tuple(abnormal(text, done.finish, sample, prompt))
        used = done.usage
        yield LongAnswer(sample, prompt, text, score, wrong, length, used.completion_tokens, used.seconds)


def abnormal(text: str, finish: Finish, sample: LongSample, prompt: LongPrompt) -> Iterator[AbnormalOutput]:
    """Yield what is wrong with an answer, each kind once."""
    expected = ExpectedAnswer(
        instructions=Template(_template(prompt)).substitute(text=""),
        sources=(sample.context,),
        language=AnswerLanguage.CHINESE,
    )
    seen: list[AbnormalOutput] = []
    for fault in faults(text, finish, expected):
        if fault is AnswerFault.LANGUAGE:
            known = identify(text) not in (None, AnswerLanguage.CHINESE)
            kind = AbnormalOutput.LANGUAGE if known else AbnormalOutput.MEANINGLESS
        elif fault in _KINDS:
            kind = _KINDS[fault]
        else:
            continue
        if kind not in seen:
            seen.append(kind)
    if not seen and _off_point(text, sample.context):
        seen.append(AbnormalOutput.OFF_POINT)
    yield from seen


def _off_point(text: str, context: str) -> bool:
    words = [word for word in guessed_words(text) if len(word) >= _LONGER and has_han(word)]
    return bool(words) and sum(word in context for word in words) < _ON_POINT * len(words)


def scores(found: Sequence[LongAnswer]) -> dict[tuple[WindowSize, LongPrompt], LongScore]:
    groups: dict[tuple[WindowSize, LongPrompt], list[LongAnswer]] = defaultdict(list)
    for answer in found:
        groups[answer.sample.size, answer.prompt].append(answer)
    return {key: _score(group) for key, group in groups.items()}


def _score(group: Sequence[LongAnswer]) -> LongScore:
    judged = [answer.score for answer in group if answer.score is not None]
    wrong = Counter(kind for answer in group for kind in answer.abnormal)
    return LongScore(
        len(group),
        fmean(judged) if judged else None,
        {kind: count / len(group) for kind, count in wrong.most_common()},
        fmean(answer.tokens for answer in group),
        fmean(answer.prompt_tokens for answer in group),
    )


def gap(found: Mapping[tuple[WindowSize, LongPrompt], LongScore]) -> float | None:
    """Return the mean squared difference of the two prompts' ROUGE-L over the sizes."""
    pairs = [
        (found.get((size, LongPrompt.END)), found.get((size, LongPrompt.BEGINNING))) for size in WindowSize
    ]
    squares = [
        (end.rouge - beginning.rouge) ** 2
        for end, beginning in pairs
        if end and beginning and end.rouge is not None and beginning.rouge is not None
    ]
    return fmean(squares) if squares else None


def published() -> list[dict[str, str]]:
    """Return the rows of the paper's Table 2: ROUGE-L by size, the mean of both prompts, and their MSE."""
    text = files("evaluation.chinese").joinpath("published_long.csv").read_text("utf-8")
    return list(DictReader(text.splitlines()))


def size_of(path: Path) -> WindowSize:
    """Return the size that a file is named after: `cnnsum_XL_32k.jsonl`. Raises ValueError without one."""
    parts = set(path.stem.split("_"))
    for size in WindowSize:
        # The files write the number out: the one of `3XL` has as many letters.
        number, letters = (int(size[0]), size[1:]) if size[0].isdigit() else (1, size.value)
        if parts & {size.value, letters[0] * number + letters[1:]}:
            return size
    raise ValueError(f"The name of {path.name} tells no size: one of {', '.join(WindowSize)}.")


def _template(prompt: LongPrompt) -> str:
    name = f"templates/prompt_{prompt.value.lower()}.txt"
    return files("evaluation.chinese").joinpath(name).read_text("utf-8").rstrip("\n")
