"""Prometheus metrics, in a registry of our own. Labels are templates, stages, states: never names or ids."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY: Final = CollectorRegistry()
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

REQUEST_SECONDS: Final = Histogram(
    "bookworm_request_seconds",
    "Time from a request to the end of its answer.",
    ("route", "method", "status"),
    registry=REGISTRY,
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
STAGE_SECONDS: Final = Histogram(
    "bookworm_stage_seconds",
    "Time that one stage of an ingest took.",
    ("stage",),
    registry=REGISTRY,
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600),
)
INGESTS: Final = Counter("bookworm_ingests", "Ingests that ended, by how.", ("state",), registry=REGISTRY)
OPEN_BOOKS: Final = Gauge("bookworm_open_books", "Books that are open in this process.", registry=REGISTRY)
JOBS: Final = Gauge("bookworm_jobs", "Jobs in the database, by state.", ("state",), registry=REGISTRY)
STREAMS: Final = Gauge("bookworm_event_streams", "Streams of events that are open.", registry=REGISTRY)

WRITING: Final = Gauge(
    "bookworm_answers_in_writing", "Answers that are being written in this process.", registry=REGISTRY
)
TOKENS: Final = Counter(
    "bookworm_tokens",
    "Tokens of language models that written answers took, by generator, and whether they were prompt or "
    "completion.",
    ("generator", "kind"),
    registry=REGISTRY,
)


def render() -> bytes:
    return generate_latest(REGISTRY)
