"""Read what a language model says of sentences: in the form asked for, or in what resembles it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.booookscore.types import ConfusionKind
from generation.models.answer_tidying import tidy

_MARKS = re.compile(r"[*_`#\"“”{}\[\]]+")
_NUMBER = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:sentence[ \t]+)?[(\[]?(\d{1,3})[)\].:]+(?:\*\*)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(
    r"\b(?P<label>questions?|(?:confusion )?(?:types?|kinds?)(?: of confusion)?)\s*:\s*", re.IGNORECASE
)
_NOTHING = re.compile(
    r"\bno(?:t| other)?\b[^.?:]{0,20}\bconfus(?:ion|ing|ed)\b|^\W*(?:none|n/a|nothing|no)\W*$", re.IGNORECASE
)
_KINDS = {
    ConfusionKind.ENTITY_OMISSION: r"entit(?:y|ies)",
    ConfusionKind.EVENT_OMISSION: r"events?",
    ConfusionKind.CAUSAL_OMISSION: r"caus(?:al(?:ity)?|e|es)",
    ConfusionKind.DISCONTINUITY: r"discontinu\w+",
    ConfusionKind.SALIENCE: r"(?:non-?)?salien\w+",
    ConfusionKind.LANGUAGE: r"language",
    ConfusionKind.INCONSISTENCY: r"inconsisten\w+",
    ConfusionKind.DUPLICATION: r"duplicat\w+",
}


@dataclass(frozen=True, slots=True)
class SentenceJudgement:
    """What a model says of one sentence; without questions and kinds it confuses nobody."""

    questions: str = ""
    kinds: tuple[ConfusionKind, ...] = ()

    @property
    def confusing(self) -> bool:
        return bool(self.questions or self.kinds)


def read_one(text: str) -> SentenceJudgement | None:
    """Read an answer about one sentence; None where it is no answer."""
    return _judgement(tidy(text))


def read_many(text: str, count: int) -> list[SentenceJudgement | None]:
    """Read an answer about numbered sentences; None for each that is missing, unclear or there twice."""
    said = tidy(text)
    found: dict[int, list[SentenceJudgement | None]] = {}
    for number, part in _numbered(said):
        found.setdefault(number, []).append(_judgement(part))
    return [found[n][0] if len(found.get(n, ())) == 1 else None for n in range(1, count + 1)]


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    return ((int(mark[1]), part) for mark, part in _parts(_NUMBER, text))


def _judgement(said: str) -> SentenceJudgement | None:
    text = _MARKS.sub(" ", said).strip()
    parts = [(mark["label"].lower(), " ".join(part.split())) for mark, part in _parts(_LABEL, text)]
    questions = [part.strip(" ,;") for label, part in parts if label.startswith("question")]
    kinds = [part for label, part in parts if not label.startswith("question")]
    listed = _kinds_in(" ".join(kinds))
    asked = " ".join(part for part in questions if not _says_nothing(part)).strip()
    clear = any(map(_says_nothing, [part for _, part in parts] or [text]))
    if not listed and (clear or not asked):
        # A question and no confusion: it is not clear what is meant.
        return SentenceJudgement() if clear and not asked else None
    return SentenceJudgement(asked, listed)


def _says_nothing(text: str) -> bool:
    return "?" not in text and _NOTHING.search(text) is not None


def _parts(marks: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each mark with what follows it, up to the next one."""
    found = list(marks.finditer(text))
    ends = [mark.start() for mark in found[1:]] + [len(text)]
    return ((mark, text[mark.end() : end]) for mark, end in zip(found, ends, strict=False))


def _kinds_in(text: str) -> tuple[ConfusionKind, ...]:
    places = {kind: re.search(rf"\b{pattern}\b", text, re.IGNORECASE) for kind, pattern in _KINDS.items()}
    found = [(place.start(), kind) for kind, place in places.items() if place]
    return tuple(kind for _, kind in sorted(found))
