"""Judgements are kept as lines of JSON as soon as they are made, so that a second run asks nothing again.

Each has a key: a hash of the model, the prompts, the summary, the sentence, and the number asked together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evaluation.booookscore.answer_reading import SentenceJudgement
from evaluation.booookscore.judging_prompts import PROMPTS
from evaluation.booookscore.types import ConfusionKind

FILE = "judgements.jsonl"


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    key: str
    book: str
    sentence: str
    judgement: SentenceJudgement


def key_of(model: str, together: int, summary: str, sentence: str) -> str:
    hashed = hashlib.sha256()
    for part in (model, PROMPTS.fingerprint, str(together), summary, sentence):
        hashed.update(f"{len(part)}\0{part}\0".encode())
    return hashed.hexdigest()[:32]


class KeptJudgements:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._known = dict(_read(self._path)) if self._path.exists() else {}

    def get(self, key: str) -> SentenceJudgement | None:
        return self._known.get(key)

    def add(self, made: Iterable[JudgedSentence]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            for each in made:
                self._known[each.key] = each.judgement
                file.write(json.dumps(_row(each), ensure_ascii=False) + "\n")


def _row(each: JudgedSentence) -> dict[str, object]:
    return {
        "key": each.key,
        "book": each.book,
        "sentence": each.sentence,
        "questions": each.judgement.questions,
        "kinds": [kind.value for kind in each.judgement.kinds],
    }


def _read(path: Path) -> Iterable[tuple[str, SentenceJudgement]]:
    """Read the complete lines. A run that was killed may have left half of one, which is asked again."""
    text = path.read_text("utf-8", errors="replace")
    for line in text.splitlines():
        try:
            row = json.loads(line)
            kinds = tuple(ConfusionKind(kind) for kind in row["kinds"])
            yield str(row["key"]), SentenceJudgement(str(row["questions"]), kinds)
        except (ValueError, KeyError, TypeError):
            continue
    if text and not text.endswith("\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
