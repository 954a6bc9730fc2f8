from __future__ import annotations

import hashlib
from pathlib import Path

from books.digests import file_sha256


def test_a_file_that_has_changed_is_hashed_again(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    for data in (b"one", b"another"):
        file.write_bytes(data)
        assert file_sha256(file) == hashlib.sha256(data).hexdigest()
