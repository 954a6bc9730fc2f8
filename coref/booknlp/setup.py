"""How to run the real BookNLP here: values that the assembly of the service fills in from the settings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Size = Literal["small", "big"]


@dataclass(frozen=True, slots=True)
class BookNLPSetup:
    python: Path | None = None
    """An interpreter with `booknlp` in its environment, which needs older libraries than ours."""
    models: Path | None = None
    """A folder with BookNLP's weights, and their base models unless these are installed."""
    size: Size = "small"
    timeout: float = 14_400.0
    """Seconds for one book."""

    def to_line(self) -> str:
        """Return one line of JSON, to pass it to another process."""
        paths = {name: None if path is None else str(path) for name, path in self._paths().items()}
        return json.dumps({**paths, "size": self.size, "timeout": self.timeout})

    @staticmethod
    def from_line(line: str) -> BookNLPSetup:
        told = json.loads(line)
        python, models = (Path(told[name]) if told[name] else None for name in ("python", "models"))
        return BookNLPSetup(python, models, told["size"], told["timeout"])

    def _paths(self) -> dict[str, Path | None]:
        return {"python": self.python, "models": self.models}
