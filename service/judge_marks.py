"""The marks of language models that were examined as judges, kept in the data folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from service import kept_json

MARKS: Final = "judge_marks.json"
_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class KeptMarks:
    file: Path

    def get(self, judge: str) -> float | None:
        mark = kept_json.read(self.file).get(judge)
        return mark if isinstance(mark, float | int) else None

    def put(self, judge: str, mark: float) -> None:
        with _LOCK:
            kept_json.write(self.file, {**kept_json.read(self.file), judge: mark})
