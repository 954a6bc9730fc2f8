"""Read a user's summaries: a JSON object with one for each book, or a folder with a .txt for each."""

from __future__ import annotations

from pathlib import Path

from evaluation.booookscore.release import read_object
from evaluation.datasets.types import DataInvalid


def read_summaries(path: Path) -> dict[str, str]:
    """Return the summaries by book. Raises `DataInvalid`."""
    found = _folder(path) if path.is_dir() else read_object(path)
    if not found:
        raise DataInvalid(f"{path} has no summaries.")
    for book, text in found.items():
        if not isinstance(text, str) or not text.strip():
            raise DataInvalid(f"The summary of {book} is empty or no text.")
    return found


def read_books(folder: Path, names: list[str]) -> dict[str, str]:
    """Return the texts of the books that the folder has, as NAME.txt."""
    paths = {name: folder / f"{Path(name).stem}.txt" for name in names}
    return {name: _text(path) for name, path in paths.items() if path.exists()}


def _folder(path: Path) -> dict[str, str]:
    return {each.stem: _text(each) for each in sorted(path.glob("*.txt"))}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataInvalid(f"{path.name} cannot be read: {error}.") from error
