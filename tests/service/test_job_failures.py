"""Why a job failed, for everybody and for those who run the service."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from books.errors import BookwormError, NotText, Wording
from db.types import JobRecord, JobState
from service.errors import BookFailed
from service.job_failures import failure_of


def failed(code: str, *, full: str | None = None) -> JobRecord:
    job = SimpleNamespace(
        id="job", state=JobState.FAILED, error_code=code, error="Plain.", remedy="Ask.", full_error=full
    )
    job.full_remedy = full and "Mend it."
    return cast("JobRecord", job)


def test_those_who_run_the_service_are_told_all_that_the_job_kept() -> None:
    why = failure_of(failed("embedder_unavailable", full="The header is too small."))
    assert isinstance(why, BookFailed)
    assert why.wording(candid=False) == Wording("Plain.", "Ask.")
    assert why.wording(candid=True) == Wording("The header is too small.", "Mend it.")
    assert failure_of(failed("book_failed")).wording(candid=True) == Wording("Plain.", "Ask.")


@pytest.mark.parametrize(("code", "kind"), [("not_text", NotText), ("bookworm_error", BookwormError)])
def test_only_an_error_of_the_file_keeps_its_class(code: str, kind: type) -> None:
    assert type(failure_of(failed(code))) is kind
