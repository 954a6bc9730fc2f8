"""Probes and metrics, without the `/v1` prefix."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from service.health.engine_status import set_up
from service.health.readiness import Checks
from service.http.access import Admin
from service.http.problems import OF_LIBRARY, describe
from service.observability import gauges, metrics
from service.services import Services
from service.usecases.answers import FALLBACK
from service.wire.shapes import Out

router = APIRouter(tags=["operation"])


class Alive(Out):
    status: Literal["alive"] = "alive"


class Ready(Out):
    status: Literal["ready", "degraded", "away"] = Field(
        description="`ready`, `degraded` if an engine does not work, or `away` if the database or the store "
        "does not."
    )
    database: str = Field(description="`ok`, or the code of an error.")
    store: str = Field(description="Of the books: `ok`, or the code of an error.")
    degraded: dict[str, str] = Field(description="The engines that do not work, with the code of the error.")
    generator: str = Field(description="The engine that writes answers if none is requested.")
    model: str | None = Field(description="Its language model on a server, without a folder.")
    generators: list[str] = Field(description="The engines that can be requested.")


@router.get("/livez", response_model=Alive, responses=describe())
async def livez() -> Alive:
    """Whether the process is running."""
    return Alive()


@router.get("/readyz", response_model=Ready, responses={503: {"model": Ready}, **describe()})
def readyz(request: Request, response: Response) -> Ready:
    """Whether the service is ready, with the engines that do not work."""
    checks: Checks = request.app.state.checks
    services: Services = request.app.state.services
    health, default = checks.look(), services.engines.default
    if not health.ready:
        response.status_code = 503
        response.headers["Retry-After"] = "5"
    response.headers["Cache-Control"] = "no-store"
    status: Literal["ready", "degraded", "away"] = "degraded" if health.degraded else "ready"
    return Ready(
        status=status if health.ready else "away",
        database=health.database or "ok",
        store=health.store or "ok",
        degraded=health.degraded,
        generator=default.name,
        model=default.model and default.model.rpartition("/")[2],
        generators=list(dict.fromkeys((default.name, *set_up(services.engines), FALLBACK))),
    )


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"description": "Prometheus text", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **OF_LIBRARY,
    },
)
def get_metrics(request: Request, _: Admin) -> Response:
    """Prometheus metrics over all libraries."""
    gauges.refresh(request.app.state.services)
    return Response(metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
