"""The commands `serve`, `worker` and `openapi`."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from service.cli import output
from service.cli.session import Session

if TYPE_CHECKING:
    from service.settings import Settings

BACKLOG = 2048
LONGEST_HEAD = 512 * 1024
"""Maximum bytes of a request head. The application has a lower limit, with its own error message."""
GOODBYE_SECONDS = 10
"""How long running requests may continue after the service is asked to stop. Event streams never end."""


class AddressTaken(BookwormError):
    code = "address_taken"
    remedy = "Stop the other program, or choose another address with `--host` and `--port`."


class NotStarted(BookwormError):
    code = "not_started"
    remedy = "See the log above for the reason, and run `bookworm doctor`."


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on. Any but loopback requires API keys.")
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port to listen on.")] = None,
    worker: Annotated[bool | None, typer.Option(help="Also run ingest jobs in this process.")] = None,
) -> None:
    """Run the HTTP service."""
    from service.access import check_exposure, has_keys
    from service.jobs.worker_name import claim

    session = Session.of(context)
    given = {"host": host, "port": port, "jobs_in_process": worker}
    session.overrides |= {name: value for name, value in given.items() if value is not None}
    settings = _checked(session)
    with session.services() as services:
        check_exposure(settings.host, has_keys=has_keys(services.database))
    if settings.jobs_in_process:
        # Only to see whether the worker can start: uvicorn would bury its error under a traceback.
        claim(settings.data_dir / "workers", name=settings.worker_id).release()
    with bound(settings.host, settings.port) as listening:
        address = f"http://{settings.host}:{listening.getsockname()[1]}"
        output.tell(f"Bookworm listens on {address} (documentation at /docs), data in {settings.data_dir}")
        _run(session, listening)


def _checked(session: Session) -> Settings:
    """Returns the settings. Their mistakes are told now, and not when the first book or question arrives."""
    from coref.registry import expect_resolver
    from generation.registry import expect_extractor, expect_generator, expect_judge
    from retrieval.registry import expect_embedder, expect_retriever
    from service.default_generator import AUTO

    session.warn_of_misspelt()
    settings = session.settings
    expect_resolver(settings.resolver)
    expect_embedder(settings.embedder)
    expect_retriever(settings.retriever)
    for name, expect in (
        (settings.generator, expect_generator),
        (settings.extractor, expect_extractor),
        (settings.judge, expect_judge),
    ):
        if name != AUTO:
            expect(name)
    return settings


def bound(host: str, port: int) -> socket.socket:
    """Binds the socket before the application is built, so that a port in use is reported at once."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # The protocol is given because asyncio disables Nagle's algorithm (40 ms per response) only then.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise AddressTaken(f"Cannot listen on {host}:{port}: {error.strerror or error}.") from error
    return listening


def _run(session: Session, listening: socket.socket) -> None:
    import uvicorn

    from service.app import create_app

    config = uvicorn.Config(
        create_app(session.settings),
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    if not server.started:
        raise NotStarted("The service could not start.")


def worker(context: typer.Context) -> None:
    """Run ingest jobs until stopped. Any number of workers can share one PostgreSQL database."""
    from service.jobs.worker import run
    from service.observability import logs

    session = Session.of(context)
    settings = _checked(session)
    logs.configure(level=settings.log_level, json=settings.log_format == "json")
    output.tell(f"Running jobs for {settings.data_dir}. Ctrl-C stops after the current stage.")
    run(settings)


def openapi(context: typer.Context) -> None:
    """Print the OpenAPI document of the HTTP API."""
    from service.app import create_app

    output.write_json(create_app(Session.of(context).settings).openapi())
