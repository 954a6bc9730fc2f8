"""The service and its workers: `serve`, `worker`, `openapi`."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli import output
from service.cli.session import Session


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on; not loopback needs keys.")
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port to listen on.")] = None,
    worker: Annotated[bool | None, typer.Option(help="Do ingest jobs in this process too.")] = None,
) -> None:
    """Run the HTTP service."""
    import uvicorn

    from service.access import check_exposure, has_keys
    from service.app import create_app

    session = Session.of(context)
    given = {"host": host, "port": port, "jobs_in_process": worker}
    session.overrides |= {name: value for name, value in given.items() if value is not None}
    settings = session.settings
    with session.services() as services:
        check_exposure(settings.host, has_keys=has_keys(services.database))
    output.tell(f"Bookworm listens on http://{settings.host}:{settings.port}, data in {settings.data_dir}")
    uvicorn.run(
        create_app(settings), host=settings.host, port=settings.port, log_config=None, access_log=False
    )


def worker(context: typer.Context) -> None:
    """Do ingest jobs until stopped; any number may share one PostgreSQL."""
    from service.jobs.worker import run
    from service.observability import logs

    settings = Session.of(context).settings
    logs.configure(level=settings.log_level, json=settings.log_format == "json")
    output.tell(f"Working for {settings.data_dir}; Ctrl-C stops after the stage in hand.")
    run(settings)


def openapi(context: typer.Context) -> None:
    """Print the OpenAPI document of the HTTP API."""
    from service.app import create_app

    output.write_json(create_app(Session.of(context).settings).openapi())
