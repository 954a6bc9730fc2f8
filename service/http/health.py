"""Probes and metrics, without the `/v1` prefix."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response

from service.health.readiness import Checks
from service.http.access import Admin
from service.http.problems import describe
from service.observability import gauges, metrics
from service.wire.shapes import Out

router = APIRouter(tags=["operation"])


class Alive(Out):
    status: Literal["alive"] = "alive"


class Ready(Out):
    status: Literal["ready", "degraded", "away"]
    database: str
    store: str
    degraded: dict[str, str]


@router.get("/livez", response_model=Alive, responses=describe())
async def livez() -> Alive:
    """Whether the process is running."""
    return Alive()


@router.get("/readyz", response_model=Ready, responses={503: {"model": Ready}, **describe()})
def readyz(request: Request, response: Response) -> Ready:
    """Whether the service is ready, with the engines that do not work."""
    checks: Checks = request.app.state.checks
    health = checks.look()
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
    )


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"description": "Prometheus text", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **describe(401, 403, 429, 503),
    },
)
def get_metrics(request: Request, _: Admin) -> Response:
    """Prometheus metrics over all libraries."""
    gauges.refresh(request.app.state.services)
    return Response(metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
