"""The judge that asks a language model about a few claims at a time and shows it the passages found for them.

The answer is validated: every claim must have a label, and its citations must be among the passages shown. An
invalid answer is requested once more. If it is invalid again, its claims are uncertain, and their verdicts
give the reason. The text of a book cannot act as an instruction: it is enclosed in marks that no text can
contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from generation.checking.claims.json_asking import JsonAnswer, JsonAsk, MalformedAnswer, ask
from generation.checking.judges.judge_prompts import PROMPTS
from generation.checking.types import Case, Evidence
from generation.models.prompt_quoting import quoted
from generation.models.protocols import LanguageModel
from generation.models.types import Message, MessageRole
from generation.types import Citation, Claim, Label, Verdict

NAME = "llm/1"
TOGETHER = 8
"""Claims in one request."""
_PASSAGES = 6
"""Maximum number of passages for one claim."""
_LONGEST, _LONGEST_CLAIM = 1_200, 400
"""Maximum number of characters of a passage, and of a claim, that are shown."""
_ANSWER = 60
"""Tokens reserved in an answer for each claim, more than it needs."""
_SURE, _OPEN = 0.8, 0.5
"""Scores of grounded and of other verdicts. They are fixed, since a model's own certainty is not reliable."""
_GROUNDED = (Label.SUPPORTED, Label.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class _ClaimBatch:
    """The claims of one request, with the passages shown."""

    claims: tuple[tuple[int, Claim], ...]
    """The claims with their indexes among all cases."""
    passages: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _ModelVerdict:
    label: Label
    numbers: tuple[int, ...]


class LlmJudge:
    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return f"{NAME}+{self._model.name}+judging/{PROMPTS.fingerprint}"

    def judge(self, cases: Sequence[Case]) -> list[Verdict]:
        verdicts: dict[int, Verdict] = dict(self._settled(cases))
        left = [at for at in range(len(cases)) if at not in verdicts]
        parts = list(self._parts(left, cases))
        answers, _ = ask(self._model, [self._ask(part) for part in parts])
        for part, got in zip(parts, answers, strict=True):
            verdicts |= self._read(part, got)
        return [verdicts[at] for at in range(len(cases))]

    def _settled(self, cases: Sequence[Case]) -> Iterator[tuple[int, Verdict]]:
        """Yield the verdicts that need no model: on claims without text or evidence."""
        for at, case in enumerate(cases):
            if not case.evidence or not case.claim.text.strip():
                yield at, Verdict(Label.UNSUPPORTED, 1.0, (), self.name)

    def _parts(self, left: Sequence[int], cases: Sequence[Case]) -> Iterator[_ClaimBatch]:
        """Yield batches with as many claims as fit in a request, and at least one."""
        held: list[int] = []
        for at in left:
            wider = _part([*held, at], cases)
            if held and (len(held) == TOGETHER or not self._fits(wider)):
                yield _part(held, cases)
                held = []
            held.append(at)
        if held:
            yield _part(held, cases)

    def _fits(self, part: _ClaimBatch) -> bool:
        made = self._ask(part)
        return self._model.count_prompt(made.messages) + made.tokens <= self._model.context

    def _ask(self, part: _ClaimBatch) -> JsonAsk[list[_ModelVerdict]]:
        shown = "\n".join(f"[{n}] {quoted(p.text[:_LONGEST])}" for n, p in enumerate(part.passages, 1))
        stated = "\n".join(
            f"{n}: {quoted(claim.text[:_LONGEST_CLAIM])}" for n, (_, claim) in enumerate(part.claims, 1)
        )
        messages = (
            Message(MessageRole.SYSTEM, PROMPTS.piece("system")),
            Message(MessageRole.USER, PROMPTS.fill("judge", passages=shown, claims=stated)),
        )
        return JsonAsk(messages, 100 + _ANSWER * len(part.claims), partial(_checked, part=part))

    def _read(self, part: _ClaimBatch, got: JsonAnswer[list[_ModelVerdict]]) -> dict[int, Verdict]:
        if got.value is None:
            note = f"{self._model.name} gave no verdict that can be used: {got.fault}."
            return {at: Verdict(Label.UNCERTAIN, 0.0, (), self.name, note) for at, _ in part.claims}
        return {
            at: Verdict(said.label, _score(said.label), tuple(_cited(part, said)), self.name)
            for (at, _), said in zip(part.claims, got.value, strict=True)
        }


def _part(places: Sequence[int], cases: Sequence[Case]) -> _ClaimBatch:
    shown = {p.span: p for at in places for p in cases[at].evidence[:_PASSAGES]}
    return _ClaimBatch(tuple((at, cases[at].claim) for at in places), tuple(shown.values()))


def _checked(answer: Any, *, part: _ClaimBatch) -> list[_ModelVerdict]:
    listed = answer.get("verdicts") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise MalformedAnswer("it has no list called “verdicts”")
    found: dict[int, _ModelVerdict] = {}
    for row in listed:
        number, said = _verdict(row, part)
        if found.setdefault(number, said) != said:
            raise MalformedAnswer(f"it has two verdicts on statement {number}")
    if len(found) != len(part.claims):
        lacking = next(n for n in range(1, len(part.claims) + 1) if n not in found)
        raise MalformedAnswer(f"it has no verdict on statement {lacking}")
    return [found[n] for n in range(1, len(part.claims) + 1)]


def _verdict(row: Any, part: _ClaimBatch) -> tuple[int, _ModelVerdict]:
    number = row.get("statement") if isinstance(row, dict) else None
    if not _is_number(number) or not 1 <= number <= len(part.claims):
        raise MalformedAnswer(f"a verdict names no statement from 1 to {len(part.claims)}")
    label = _label(row.get("label"))
    if label is None:
        raise MalformedAnswer(f"the label of statement {number} is none of {', '.join(Label)}")
    cited = row.get("passages", [])
    if not isinstance(cited, list) or not all(_is_number(n) for n in cited):
        raise MalformedAnswer(f"the passages of statement {number} are no list of numbers")
    numbers = tuple(dict.fromkeys(cited))
    if not set(numbers) <= set(range(1, len(part.passages) + 1)):
        raise MalformedAnswer(f"statement {number} cites a passage that was not shown")
    if label in _GROUNDED and not numbers:
        raise MalformedAnswer(f"statement {number} is {label} by no passage")
    return number, _ModelVerdict(label, numbers)


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _label(said: Any) -> Label | None:
    low = said.strip().lower() if isinstance(said, str) else ""
    return next((label for label in Label if low == label.value), None)


def _score(label: Label) -> float:
    return _SURE if label in _GROUNDED else _OPEN


def _cited(part: _ClaimBatch, said: _ModelVerdict) -> Iterator[Citation]:
    for number in said.numbers if said.label is not Label.UNSUPPORTED else ():
        passage = part.passages[number - 1]
        yield Citation(passage.span, passage.chapter)
