"""Read one file and measure time and memory, separately, because tracing memory slows reading."""

from __future__ import annotations

import io
import math
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from books.errors import BookwormError
from books.formats.detect import unwrapped
from books.limits import Limits
from books.reading import read
from books.types import Book
from evaluation.reading.gold import bare_name, ends_agree
from evaluation.reading.laws import troubles_of
from evaluation.reading.numbering import numbering
from evaluation.reading.types import CheckedBook, FailedReading, ReadingMeasure


def measured(
    path: Path, *, checked: Mapping[str, CheckedBook], repeat: int = 1, memory: bool = False
) -> ReadingMeasure | FailedReading:
    """Measure a reading. A crash of the reader is reported as a failure: finding crashes is the purpose."""
    try:
        data = path.read_bytes()
        book, seconds = _timed(data, path.name, repeat)
        multiple = _peak(data, path.name) / max(1, unpacked_size(data)) if memory else None
    except BookwormError as error:
        return FailedReading(path.name, error.code, error.detail)
    except OSError as error:
        return FailedReading(path.name, "unreadable", error.strerror or str(error))
    except Exception as error:
        return FailedReading(path.name, "crash", f"{type(error).__name__}: {error}")
    shares = outside(book)
    known = checked.get(bare_name(path.name))
    return ReadingMeasure(
        file=path.name,
        chapters=len(book.chapters),
        chapters_by=book.report.chapters_by,
        numbering=numbering([chapter.title for chapter in book.chapters], book.report.chapters_by),
        checked=known,
        ends_agree=ends_agree(book, known) if known else None,
        outside=math.fsum(shares.values()),
        outside_by_part=shares,
        words=book.word_count,
        troubles=troubles_of(book),
        warnings=book.report.warnings,
        seconds=seconds,
        memory=multiple,
    )


def outside(book: Book) -> dict[str, float]:
    """Return the excluded share of the text's characters, by part."""
    lengths: dict[str, int] = {}
    for exclusion in book.excluded:
        lengths[exclusion.part.value] = lengths.get(exclusion.part.value, 0) + len(exclusion.span)
    return {part: length / len(book.text) for part, length in sorted(lengths.items())}


def unpacked_size(data: bytes) -> int:
    """Return the unpacked size of a gzipped file or an archive.

    The declared size is enough for a file that was read.
    """
    data = unwrapped(data, Limits())
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return len(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def _timed(data: bytes, name: str, repeat: int) -> tuple[Book, float]:
    times = []
    for _ in range(repeat):
        start = time.process_time()
        book = read(data, name=name)
        times.append(time.process_time() - start)
    return book, median(times)


def _peak(data: bytes, name: str) -> int:
    """Return the peak bytes of reading, without the given file itself."""
    tracemalloc.start()
    try:
        read(data, name=name)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
