"""Tests are spread over workers by bundles of files, and each bundle is there."""

from __future__ import annotations

from pathlib import Path

from tests.spreading import BUNDLES, bundle_of, rank

ROOT = Path(__file__).parents[2]
FILES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))


def test_a_bundle_goes_out_before_single_files() -> None:
    assert bundle_of("tests/dashboard/test_quiz.py") == bundle_of("tests/dashboard/test_access.py")
    single = "tests/books/test_costs.py"
    assert bundle_of(single) == single
    assert rank(bundle_of("tests/http/test_books.py")) < rank(single)


def test_no_bundle_is_of_files_that_are_gone() -> None:
    for beginning in (each for bundle in BUNDLES for each in bundle):
        assert any(file.startswith(beginning) for file in FILES), beginning
