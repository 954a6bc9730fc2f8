"""Errors of the sources of Chinese novels."""

from __future__ import annotations

from books.errors import BookwormError


class PackageMissing(BookwormError):
    """A folder lacks a package with a novel, or the package lacks its text."""

    code = "package_missing"
    remedy = "Download the packages as evaluation/chinese/README.md says."
