"""Read BookSum's alignment files: lines of JSON, packed or not, a file for each level and split.

They have the names under which BookSum released them, such as `book_summaries_aligned_val.jsonl` and
`chapter_summary_aligned_test_split.jsonl.gz`. A line of a chapter gives the book's title only as the
beginning of `book_id`, where titles may have points too (`Dr. Jekyll and Mr. Hyde.chapter 1`). The folder of
the summary has the same title, so that is where it is taken from.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from evaluation.booksum.types import AlignedRow, SummaryLevel
from evaluation.datasets.json_lines import complaint, parse_lines, text_of
from evaluation.datasets.types import DataInvalid
from generation.training.types import DataSplit

_NAME = re.compile(
    r"(?P<level>book|chapter)_summar(?:y|ies)_aligned_(?P<split>train|val|test)(?:_split)?\.jsonl(?:\.gz)?"
)
_SPLITS = {"train": DataSplit.TRAIN, "val": DataSplit.VALIDATION, "test": DataSplit.TEST}
_SUMMARY = re.compile(r"[^/]+/(?P<source>[^/]+)/(?P<title>[^/]+)/[^/]+")


def read_alignment(folder: Path) -> tuple[AlignedRow, ...]:
    """Read all files of a folder. Raises DataInvalid with the invalid lines."""
    paths: dict[tuple[SummaryLevel, DataSplit], Path] = {}
    for path in sorted(folder.iterdir()):
        if named := _NAME.fullmatch(path.name):
            key = SummaryLevel(named["level"]), _SPLITS[named["split"]]
            if key in paths:
                raise DataInvalid(f"{path} and {paths[key]} hold the same part of the data.")
            paths[key] = path
    if not paths:
        raise DataInvalid(f"{folder} has no alignment files, such as book_summaries_aligned_val.jsonl.gz.")
    return tuple(row for (level, split), path in paths.items() for row in _read(path, level, split))


def _read(path: Path, level: SummaryLevel, split: DataSplit) -> list[AlignedRow]:
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile) as error:
        raise DataInvalid(f"{path} cannot be read: {error}.") from error
    rows, wrong = parse_lines(text.split("\n"), partial(row_of, level=level, split=split))
    if wrong:
        raise DataInvalid(complaint(wrong, of=str(path)))
    return rows


def row_of(raw: Mapping[str, Any], _: int, *, level: SummaryLevel, split: DataSplit) -> AlignedRow:
    """Return the row of a line; raises ValueError with the reason."""
    needed = ["bid", "source", "summary_path"]
    needed += ["title", "book_path"] if level is SummaryLevel.BOOK else ["chapter_path", "book_id"]
    if lacking := [f"`{name}`" for name in needed if name not in raw]:
        raise ValueError(f"{' and '.join(lacking)} missing")
    summary_path = text_of(raw, "summary_path")
    named = _SUMMARY.fullmatch(summary_path)
    if named is None or named["source"] != text_of(raw, "source"):
        raise ValueError("`summary_path` must be FOLDER/SOURCE/TITLE/FILE, with the line's own source")
    title = named["title"]
    bid, source = text_of(raw, "bid"), named["source"]
    if level is SummaryLevel.BOOK:
        whole = text_of(raw, "title"), text_of(raw, "book_path")
        return AlignedRow(split, level, bid, whole[0], source, whole[1], summary_path)
    book_id = text_of(raw, "book_id")
    if not book_id.startswith(f"{title}."):
        raise ValueError(f"`book_id` does not begin with the title in `summary_path`, “{title}”")
    aggregate = raw.get("is_aggregate", False)
    if not isinstance(aggregate, bool):
        raise ValueError("`is_aggregate` must be true or false")
    return AlignedRow(
        split,
        level,
        bid,
        title,
        source,
        text_of(raw, "chapter_path"),
        summary_path,
        aggregate,
        book_id.removeprefix(f"{title}.").strip(),
        str(raw.get("summary_id") or "").strip(),
    )
