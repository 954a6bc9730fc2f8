"""Prometheus metrics, in a separate registry. Labels are templates, stages and states: no names or ids."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY: Final = CollectorRegistry()
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

REQUEST_SECONDS: Final = Histogram(
    "bookworm_request_seconds",
    "Time from the start of a request to the end of its response.",
    ("route", "method", "status"),
    registry=REGISTRY,
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
STAGE_SECONDS: Final = Histogram(
    "bookworm_stage_seconds",
    "Duration of one stage of an ingest.",
    ("stage",),
    registry=REGISTRY,
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600),
)
INGESTS: Final = Counter("bookworm_ingests", "Finished ingests, by state.", ("state",), registry=REGISTRY)
OPEN_BOOKS: Final = Gauge("bookworm_open_books", "Books open in this process.", registry=REGISTRY)
JOBS: Final = Gauge("bookworm_jobs", "Jobs in the database, by state.", ("state",), registry=REGISTRY)
STREAMS: Final = Gauge("bookworm_event_streams", "Open event streams.", registry=REGISTRY)

WRITING: Final = Gauge(
    "bookworm_answers_in_writing", "Answers being generated in this process.", registry=REGISTRY
)
TOKENS: Final = Counter(
    "bookworm_tokens",
    "Language model tokens used by answers, by generator and kind (prompt or completion).",
    ("generator", "kind"),
    registry=REGISTRY,
)


def render() -> bytes:
    return generate_latest(REGISTRY)
