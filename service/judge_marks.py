"""The marks of language models that were examined as judges, kept in the data folder."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Final

MARKS: Final = "judge_marks.json"
_LOCK = Lock()


class KeptMarks:
    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, judge: str) -> float | None:
        mark = self._read().get(judge)
        return mark if isinstance(mark, float | int) else None

    def put(self, judge: str, mark: float) -> None:
        with _LOCK:
            marks = {**self._read(), judge: mark}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            aside = self._file.with_name(f"{MARKS}.new")
            aside.write_text(json.dumps(marks, indent=1) + "\n", encoding="utf-8")
            aside.replace(self._file)

    def _read(self) -> dict[str, float]:
        """Return the marks. A file that cannot be read has none, and the models are examined again."""
        try:
            kept = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}
