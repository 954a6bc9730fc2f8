"""What a language model wrote on parts of books, in a folder: a second run asks only for what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from generation.models.types import Completion

_COMPLETIONS = TypeAdapter(Completion)


@dataclass(frozen=True, slots=True)
class FolderNotebook:
    """A file for each completion, under the hash of its request. One that is not fit is not kept."""

    folder: Path

    def get(self, key: str) -> Completion | None:
        try:
            return _COMPLETIONS.validate_json(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, completion: Completion, *, fit: bool) -> None:
        if fit:
            self.folder.mkdir(parents=True, exist_ok=True)
            aside = self._path(key).with_suffix(".part")
            aside.write_bytes(_COMPLETIONS.dump_json(completion))
            aside.replace(self._path(key))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"
