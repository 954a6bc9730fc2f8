"""The judge that asks a language model about a few claims at a time and shows it the passages found for them.

The answer is validated: every claim must have a label, and its citations must be among the passages shown. If
a verdict is missing or invalid, the answer is requested once more. What is invalid again is uncertain, with
the reason; the other verdicts of the answer count. The text of a book cannot act as an instruction: it is
enclosed in marks that no text can contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

from generation.checking.claims.json_asking import (
    JsonAnswer,
    JsonAsk,
    MalformedAnswer,
    ask,
    number_in,
    rows_in,
    schema_of,
)
from generation.checking.judges.shown_evidence import LONGEST, ShownPassage, shown_passages
from generation.checking.protocols import Judged
from generation.checking.types import Case
from generation.models.prompt_files import PromptFiles
from generation.models.prompt_quoting import quoted
from generation.models.protocols import LanguageModel
from generation.types import Citation, Claim, Label, Plan, Verdict

NAME = "llm/3"
PROMPTS = PromptFiles("generation.checking.judges", 1, ("system", "judge"))
TOGETHER = 8
"""Claims in one request."""
_PASSAGES = 6
"""Maximum number of passages for one claim."""
_LONGEST_CLAIM = 400
"""Maximum number of characters of a claim that are shown."""
_ANSWER = 60
"""Tokens reserved in an answer for each claim, more than it needs."""
WORDS_A_CLAIM = 6
"""Fewest words of a text for each of its claims, on average, for planning."""
_CHARACTERS = 4
"""Characters of a token, for planning."""
_SURE, OPEN = 0.8, 0.5
"""Scores of grounded and of other verdicts. They are fixed, since a model's own certainty is not reliable."""
_GROUNDED = (Label.SUPPORTED, Label.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class _ClaimBatch:
    """The claims of one request, with the passages shown."""

    claims: tuple[tuple[int, Claim], ...]
    """The claims with their indexes among all cases."""
    passages: tuple[ShownPassage, ...]


@dataclass(frozen=True, slots=True)
class _ModelVerdict:
    label: Label
    numbers: tuple[int, ...]


_Verdicts = dict[int, _ModelVerdict]
"""By the number of the statement."""
_SCHEMA = schema_of(
    "verdicts",
    {
        "statement": {"type": "integer"},
        "label": {"type": "string", "enum": [label.value for label in Label]},
        "passages": {"type": "array", "items": {"type": "integer"}},
    },
)


class LlmJudge:
    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return f"{NAME}+{self._model.name}+judging/{PROMPTS.fingerprint}"

    def plan(self, words: int) -> Plan:
        claims = ceil(words / WORDS_A_CLAIM)
        fixed = sum(map(self._model.count_tokens, (PROMPTS.piece("system"), PROMPTS.piece("judge"))))
        each = _PASSAGES * LONGEST // _CHARACTERS + _ANSWER
        together = min(TOGETHER, max(1, (self._model.context - fixed - 100) // each))
        calls = ceil(claims / together)
        prompts = calls * fixed + claims * (each - _ANSWER) + 2 * words
        return Plan(calls, prompts, calls * 100 + _ANSWER * claims)

    def judge(self, cases: Sequence[Case]) -> Judged:
        nothing = Verdict(Label.UNSUPPORTED, 1.0, (), self.name)
        unread = (n for n, case in enumerate(cases) if not case.evidence or not case.claim.text.strip())
        verdicts = dict.fromkeys(unread, nothing)
        left = [at for at in range(len(cases)) if at not in verdicts]
        parts = list(self._parts(left, cases))
        answers, usage = ask(self._model, [self._ask(part) for part in parts])
        for part, got in zip(parts, answers, strict=True):
            verdicts |= self._read(part, got)
        return Judged([verdicts[at] for at in range(len(cases))], usage)

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

    def _ask(self, part: _ClaimBatch) -> JsonAsk[_Verdicts]:
        shown = "\n".join(f"[{n}] {p.told}" for n, p in enumerate(part.passages, 1))
        stated = "\n".join(
            f"{n}: {quoted(claim.text[:_LONGEST_CLAIM])}" for n, (_, claim) in enumerate(part.claims, 1)
        )
        messages = PROMPTS.messages("judge", passages=shown, claims=stated)
        return JsonAsk(messages, 100 + _ANSWER * len(part.claims), partial(_checked, part=part), _SCHEMA)

    def _read(self, part: _ClaimBatch, got: JsonAnswer[_Verdicts]) -> dict[int, Verdict]:
        verdicts: dict[int, Verdict] = {}
        note = f"{self._model.name} gave no verdict that can be used: {got.fault}."
        for number, (at, _) in enumerate(part.claims, 1):
            said = (got.value or {}).get(number)
            if said is None:
                verdicts[at] = Verdict(Label.UNCERTAIN, 0.0, (), self.name, note)
            else:
                score = _SURE if said.label in _GROUNDED else OPEN
                verdicts[at] = Verdict(said.label, score, tuple(_cited(part, said)), self.name)
        return verdicts


def _part(places: Sequence[int], cases: Sequence[Case]) -> _ClaimBatch:
    shown = shown_passages([cases[at] for at in places], most=_PASSAGES)
    return _ClaimBatch(tuple((at, cases[at].claim) for at in places), shown)


def _checked(answer: Any, *, part: _ClaimBatch) -> _Verdicts:
    found: dict[int, _ModelVerdict] = {}
    problems: list[str] = []
    for row in rows_in(answer, "verdicts"):
        try:
            number, said = _verdict(row, part)
        except MalformedAnswer as problem:
            problems.append(str(problem))
            continue
        if found.setdefault(number, said) != said:
            raise MalformedAnswer(f"it has two verdicts on statement {number}")
    lacking = [n for n in range(1, len(part.claims) + 1) if n not in found]
    if lacking:
        raise MalformedAnswer(
            problems[0] if problems else f"it has no verdict on statement {lacking[0]}", good=found or None
        )
    return found


def _verdict(row: Any, part: _ClaimBatch) -> tuple[int, _ModelVerdict]:
    number = number_in(row.get("statement")) if isinstance(row, dict) else None
    if number is None or not 1 <= number <= len(part.claims):
        raise MalformedAnswer(f"a verdict names no statement from 1 to {len(part.claims)}")
    label = _label(row.get("label"))
    if label is None:
        raise MalformedAnswer(f"the label of statement {number} is none of {', '.join(Label)}")
    given = row.get("passages", [])
    cited = map(number_in, given if isinstance(given, list) else [given])
    numbers = tuple(dict.fromkeys(n for n in cited if n is not None and 1 <= n <= len(part.passages)))
    if label in _GROUNDED and not numbers:
        raise MalformedAnswer(f"statement {number} is {label} by no passage that was shown")
    return number, _ModelVerdict(label, numbers)


def _label(said: Any) -> Label | None:
    low = said.strip().lower() if isinstance(said, str) else ""
    return next((label for label in Label if low == label.value), None)


def _cited(part: _ClaimBatch, said: _ModelVerdict) -> Iterator[Citation]:
    for number in said.numbers if said.label is not Label.UNSUPPORTED else ():
        passage = part.passages[number - 1]
        yield Citation(passage.span, passage.chapter)
