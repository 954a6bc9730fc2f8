"""A model that judges only if it can: it is examined once, on statements whose verdicts are known.

A model that was found on a machine may be of any quality, and a small one calls everything supported, above
all what it wrote itself. One that fails twice is replaced by the offline judge, and the answer says so.
What it calls contradicted is uncertain unless it called enough of the test's statements so, and rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, Protocol

from books.types import Span
from generation.checking.judges.llm_judge import OPEN, WORDS_A_CLAIM
from generation.checking.protocols import Judge, Judged, planned
from generation.checking.types import Case, Evidence
from generation.types import Category, Claim, Label, Plan, Usage, Verdict

PASSED: Final = 0.8
"""Share of right verdicts. Of models that guess, one in a hundred reaches it."""
CONTRADICTS: Final = 0.85
"""Share of statements that are not supported, among those called contradicted, from which it may say so."""
FEWEST: Final = 5
"""Number of statements called contradicted that prove anything."""
SITTINGS: Final = 2
"""A model may have a bad moment, and its answer no form that can be read."""


class ExamRecords(Protocol):
    """The marks of the judges that were examined before."""

    def get(self, judge: str) -> float | None: ...

    def put(self, judge: str, mark: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Exam:
    cases: tuple[Case, ...]
    supported: tuple[bool, ...]
    """The right verdict on each case."""

    def mark(self, verdicts: Sequence[Verdict]) -> float:
        given = (v.label is Label.SUPPORTED for v in verdicts)
        return sum(g is s for g, s in zip(given, self.supported, strict=True)) / len(self.supported)

    def contradictions(self, verdicts: Sequence[Verdict]) -> float:
        """Return the share of what is called contradicted that is not supported; 0 if it proves nothing."""
        given = [
            not s for v, s in zip(verdicts, self.supported, strict=True) if v.label is Label.CONTRADICTED
        ]
        return sum(given) / len(given) if len(given) >= FEWEST else 0.0


class ProvenJudge:
    """Judges with a model if it passed, else with another judge."""

    def __init__(self, judge: Judge, *, instead: Judge, records: ExamRecords) -> None:
        self._judge = judge
        self._instead = instead
        self._records = records

    @property
    def name(self) -> str:
        """The model's. If it did not pass, the verdicts name the other judge."""
        return self._judge.name

    def plan(self, words: int) -> Plan:
        known = self._records.get(self.name)
        if known is not None and known < PASSED:
            return Plan()
        exam_words = WORDS_A_CLAIM * len(exam().cases) if known is None else 0
        return planned([self._judge], words) + planned([self._judge], exam_words)

    def judge(self, cases: Sequence[Case]) -> Judged:
        if not cases:
            return Judged([])
        mark, usage = self._marked()
        if mark >= PASSED:
            given = self._judge.judge(cases)
            verdicts = self._believed(given.verdicts)
            return Judged(verdicts, given.usage + usage, given.notes, proven=True)
        right = f"{round(mark * len(exam().supported))} of {len(exam().supported)}"
        note = f"The facts were checked offline: the model judged {right} statements of a test rightly."
        return Judged(self._instead.judge(cases).verdicts, usage, (note,), self._instead.name)

    def _believed(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        if (self._records.get(self._contradictions) or 0.0) >= CONTRADICTS:
            return list(verdicts)
        return [
            replace(v, label=Label.UNCERTAIN, score=OPEN) if v.label is Label.CONTRADICTED else v
            for v in verdicts
        ]

    @property
    def _contradictions(self) -> str:
        """The name under which the second mark is kept."""
        return f"{self.name}, contradictions"

    def _marked(self) -> tuple[float, Usage]:
        known = self._records.get(self.name)
        if known is not None:
            return known, Usage()
        mark, contradictions, usage = 0.0, 0.0, Usage()
        for _ in range(SITTINGS):
            sat = self._judge.judge(exam().cases)
            mark, usage = max(mark, exam().mark(sat.verdicts)), usage + sat.usage
            contradictions = exam().contradictions(sat.verdicts)
            if mark >= PASSED:
                break
        self._records.put(self._contradictions, contradictions)
        self._records.put(self.name, mark)
        return mark, usage


@cache
def exam() -> Exam:
    """Read the file: passages, then statements that begin with `+` if the passages support them."""
    told = files("generation.checking.judges").joinpath("exam.txt").read_text("utf-8")
    rows = [row for row in told.splitlines() if row and not row.startswith("#")]
    passages = [row for row in rows if row[0] not in "+-"]
    statements = [row for row in rows if row[0] in "+-"]
    evidence = tuple(
        Evidence(Span(1000 * at, 1000 * at + len(text)), chapter=0, text=text)
        for at, text in enumerate(passages)
    )
    return Exam(
        cases=tuple(Case(_claim(row[1:].strip()), passages=evidence) for row in statements),
        supported=tuple(row.startswith("+") for row in statements),
    )


def _claim(text: str) -> Claim:
    return Claim(text, Category.OTHER, 0, Span(0, len(text)), None)
