"""Map arrays that lie in files. Their headers are read by one thread at a time.

NumPy reads a header with the parser of Python, which in 3.11 and 3.12 fails now and then with a SystemError
where several threads use it.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

ONE_AT_A_TIME: Final = Lock()


def mapped(file: Path) -> Any:
    """Return an array without reading it. Raises OSError or ValueError when the file is damaged."""
    with ONE_AT_A_TIME:
        return np.load(file, mmap_mode="r", allow_pickle=False)
