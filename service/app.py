"""The HTTP application factory: `uvicorn --factory service.app:create_app`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Scope

from service import pages
from service.access import Gate
from service.assembly import assembled
from service.health.readiness import Checks
from service.http import (
    answer_routes,
    books,
    chapters,
    characters,
    checking,
    decisions,
    document,
    doubts,
    events,
    exports,
    health,
    jobs,
    keys,
    operations,
    overrulings,
    passages,
    problems,
    profiles,
    questions,
    quiz,
    reader,
    references,
    story,
    traits,
)
from service.http.access import OpenModeGuard
from service.http.addresses import addressed
from service.http.answer_cache import Answers
from service.http.editions import Editions
from service.http.etags import NotModified, not_modified
from service.http.middleware import (
    AddressLimit,
    BodyLimit,
    Deadline,
    HeadAsGet,
    RequestContext,
    is_upload,
    is_writing,
)
from service.http.repeats import Addresses, Repeats
from service.http.sse import Pace, Streams
from service.observability import logs, tracing
from service.settings import Settings
from service.usecases.storage_use import Space

ROUTERS = (
    books.router,
    chapters.router,
    reader.router,
    exports.router,
    events.router,
    characters.router,
    passages.router,
    traits.router,
    profiles.router,
    answer_routes.router,
    story.router,
    questions.router,
    quiz.router,
    references.router,
    overrulings.router,
    checking.router,
    doubts.router,
    decisions.router,
    jobs.router,
    keys.router,
    operations.router,
)
_FORM_OVERHEAD = 64 * 1024
"""Bytes of a multipart body in addition to the file."""
_BODY_LIMIT = 1024 * 1024
_ADDRESS_LIMIT = 64 * 1024
_STALL_SECONDS = 30.0
_WRITERS = 64
"""Maximum number of answers generated at the same time; others wait. Requests of other kinds do not wait."""
_GZIP_FROM = 1024
_DESCRIPTION = (
    "Reads whole novels. Finds the characters, every mention of them, and the speaker of every quote. "
    "Writes descriptions in which every sentence is cited and every fact is checked against the book."
)


def create_app(settings: Settings | None = None, *, pace: Pace | None = None) -> FastAPI:
    """Builds the application without accessing a disk; `lifespan` opens the database and starts the jobs."""
    settings = settings or Settings()
    logs.configure(level=settings.log_level, json=settings.log_format == "json")
    app = FastAPI(
        title="Bookworm",
        version=version("bookworm"),
        description=_DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=document.operation_id,
        lifespan=_lifespan,
    )
    app.state.settings = settings
    app.state.streams = Streams(pace or Pace())
    app.state.answers = Answers()
    app.state.addresses = Addresses()
    app.router.routes.extend(addressed(ROUTERS))
    app.include_router(health.router)
    app.include_router(pages.router)
    problems.install(app)
    pages.install(app)
    app.add_exception_handler(NotModified, not_modified)
    document.install(app, ROUTERS)
    _wrap(app, settings)
    app.state.stop_tracing = tracing.instrument(app, endpoint=settings.otel_endpoint)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    services_here = assembled(settings, jobs_here=settings.jobs_in_process)
    services = await to_thread.run_sync(services_here.__enter__)
    gate = Gate(services.database)
    app.state.services, app.state.gate, app.state.checks = services, gate, Checks(services)
    services.engines.rule.own_port = settings.port
    await to_thread.run_sync(services.engines.rule.current)  # looks for a server once, before requests ask
    app.state.space = Space(services)
    app.state.editions = Editions(services.database)
    app.state.writers = CapacityLimiter(_WRITERS)
    try:
        yield
    finally:
        await to_thread.run_sync(gate.flush)
        await to_thread.run_sync(services_here.__exit__, None, None, None)
        await to_thread.run_sync(app.state.stop_tracing)


def _wrap(app: FastAPI, settings: Settings) -> None:
    """Adds the middleware from the inside out: a request passes the last one first."""

    def limit_for(scope: Scope) -> int:
        return settings.max_upload_bytes + _FORM_OVERHEAD if is_upload(scope) else _BODY_LIMIT

    def seconds_for(scope: Scope) -> float | None:
        if is_upload(scope):  # may arrive slowly and may wait for its job; both have time limits of their own
            return None
        return settings.writing_timeout if is_writing(scope) else settings.request_timeout

    zipped = partial(GZipMiddleware, minimum_size=_GZIP_FROM, compresslevel=5)
    app.add_middleware(zipped)
    app.add_middleware(BodyLimit, limit_for=limit_for, stall_seconds=_STALL_SECONDS)
    app.add_middleware(Repeats, state=app.state, zip_answer=zipped)
    app.add_middleware(Deadline, seconds_for=seconds_for)
    app.add_middleware(AddressLimit, limit=_ADDRESS_LIMIT)
    app.add_middleware(OpenModeGuard, gate_of=lambda: app.state.gate)
    app.add_middleware(RequestContext)
    app.add_middleware(HeadAsGet)
