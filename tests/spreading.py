"""Which worker runs which tests: `--dist loadscope` hands out whole files, or several files in one bundle.

The files of a bundle share something that takes seconds to start, such as a service, which every worker that
meets one of them would start anew. Bundles go out first and small files last, so the workers end together;
for that, no bundle may take much more than 60 seconds of processor time (`.durations/` has each file's).
"""

from __future__ import annotations

from typing import Any

import pytest

BUNDLES = (
    ("tests/http/test_document.py", "tests/http/test_postgres.py"),
    ("tests/http/test_books.py", "tests/http/test_c", "tests/http/test_p", "tests/http/test_reader.py"),
    ("tests/dashboard/test_c", "tests/dashboard/test_k", "tests/dashboard/test_o"),
    ("tests/dashboard/",),
    ("tests/http/",),
    ("tests/jobs/",),
    ("tests/db/",),
    ("tests/cli/test_demo.py", "tests/cli/test_train_lora.py"),
    ("tests/cli/",),
    ("tests/docs/test_session.py",),
    ("tests/coref/test_bad_books.py",),
    ("tests/books/hostile/",),
    ("tests/service/",),
    ("tests/generation/training/",),
    ("tests/generation/models/llama/test_loading.py",),
    ("tests/generation/models/llama/",),
    ("tests/coref/test_novella.py",),
    ("tests/coref/training/",),
    ("tests/architecture/",),
)
"""Beginnings of paths; a file is in the first bundle that has its own. Any other file goes out by itself."""


def bundle_of(file: str) -> str:
    """The bundle's first beginning, or the file."""
    return next((bundle[0] for bundle in BUNDLES if file.startswith(bundle)), file)


def rank(bundle: str) -> int:
    """What goes out first."""
    return next((at for at, (first, *_) in enumerate(BUNDLES) if first == bundle), len(BUNDLES))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class BundleScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return bundle_of(nodeid.partition("::")[0])

        def _assign_work_unit(self, node: Any) -> None:
            # Without a rank, files with many tests go first, as xdist orders them.
            self.workqueue.move_to_end(min(self.workqueue, key=rank), last=False)
            super()._assign_work_unit(node)

    return BundleScheduling(config, log) if config.getoption("dist") == "loadscope" else None
