"""Errors of the store, and how to recognise a full disk and one that refuses to be written to.

A full disk is the same error (`db.errors.StorageFull`) whether the database or the store meets it.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from books.errors import BookwormError
from db.errors import StorageFull

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO})
_FULL_WORDS = ("No space left on device", "Disk quota exceeded")


class StoreAway(BookwormError):
    code = "store_away"
    remedy = "Check the address and the credentials of the artefact store, then try again."
    retryable = True


class FolderNotWritable(BookwormError):
    code = "folder_not_writable"
    remedy = (
        "Let the account that runs Bookworm write to the folders in `BOOKWORM_DATA_DIR` and "
        "`BOOKWORM_ARTEFACTS_URL`, and check their disks."
    )
    retryable = True


class SourceMissing(BookwormError):
    code = "source_missing"
    remedy = "Upload the book again."


@contextmanager
def full_disk_told() -> Iterator[None]:
    """Raise StorageFull for a full disk, which native writers (FAISS, safetensors) report only in words."""
    try:
        yield
    except Exception as error:
        if is_full(error):
            raise StorageFull(
                "The disk that holds the books is full; published books remain available."
            ) from error
        raise


@contextmanager
def writing_told(folder: str = "The folder of the books") -> Iterator[None]:
    """As `full_disk_told`; and raise FolderNotWritable where the system refuses to write."""
    try:
        with full_disk_told():
            yield
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        raise FolderNotWritable(f"{folder} cannot be written to ({error.strerror}).") from error


def is_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    return any(words in str(error) for words in _FULL_WORDS)
