"""Gauges that are read on each scrape: jobs by state, open books and answers in progress in this process."""

from __future__ import annotations

from db.repositories import JobRepository
from service.observability import metrics
from service.services import Services


def refresh(services: Services) -> None:
    metrics.OPEN_BOOKS.set(len(services.shelf))
    metrics.WRITING.set(len(services.making))
    with services.database.session(read_only=True) as session:
        counts = JobRepository(session).counts_by_state()
    for state, count in counts.items():
        metrics.JOBS.labels(state=state.value).set(count)
