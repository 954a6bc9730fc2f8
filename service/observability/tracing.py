"""OpenTelemetry traces. Nothing is imported unless an endpoint is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from books.errors import BookwormError


class TracingUnavailable(BookwormError):
    code = "tracing_unavailable"
    remedy = "Install it with `pip install 'bookworm[otel]'`, or unset `BOOKWORM_OTEL_ENDPOINT`."


def instrument(app: Any, *, endpoint: str | None) -> Callable[[], None]:
    """Sends a span for each request to `endpoint` (OTLP/HTTP). Returns a shutdown function."""
    if endpoint is None:
        return lambda: None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise TracingUnavailable(
            "An OpenTelemetry endpoint is set, but OpenTelemetry is not installed."
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "bookworm"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    FastAPIInstrumentor.instrument_app(
        app, tracer_provider=provider, excluded_urls="livez,readyz,metrics", server_request_hook=_hide_address
    )
    return provider.shutdown


def _hide_address(span: Any, _: dict[str, Any]) -> None:
    """Removes URLs, which contain names of characters and queries; the route template is enough."""
    if span is None or not span.is_recording():
        return
    for attribute in ("http.target", "http.url", "url.path", "url.query", "url.full"):
        span.set_attribute(attribute, "…")
