"""`make bench`: the quick benchmark, on the project's own novella unless novels are given.

    python -m benchmarks [NOVEL ...]

The long ones are modules of their own: `python -m benchmarks.crash --help`.
"""

from __future__ import annotations

import sys

from benchmarks import annotate

if __name__ == "__main__":
    annotate.main(sys.argv[1:])
