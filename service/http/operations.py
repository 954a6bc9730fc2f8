"""For whoever runs the service: engines, precision of answers, slow requests, storage."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.health.readiness import Checks
from service.http import pagination
from service.http.call import AdminCall
from service.http.problems import describe
from service.usecases import precision, slow_requests
from service.usecases.storage_use import Space
from service.wire.operations import (
    EngineOut,
    EnginesOut,
    PrecisionOut,
    RequestOut,
    RequestsOut,
    RouteOut,
    StorageOut,
)

router = APIRouter(tags=["operation"])


@router.get("/operations/engines", response_model=EnginesOut, responses=describe(401, 403, 429, 503))
def get_engines(call: AdminCall) -> Response:
    """The engines in use, whether each works now, and what to do where it does not.

    They are really tried, so the first look may take seconds; what was found is kept for some seconds.
    """
    checks: Checks = call.request.app.state.checks
    found, looked = checks.engines()
    return call.reply(EnginesOut(items=[EngineOut.of(one) for one in found], looked=looked))


@router.get("/operations/precision", response_model=PrecisionOut, responses=describe(401, 403, 429, 503))
def get_precision(
    call: AdminCall,
    days: Annotated[
        int, Query(ge=1, le=precision.DAYS_MOST, description="How many days back, with today.")
    ] = 30,
) -> Response:
    """PRISMA's precision of your library's answers by day, generator and judge.

    Answers are counted when they are written and checked. Deleting a book, or overruling a fact, changes
    nothing of what was counted.
    """
    found = precision.history(call.library, days=days)
    return call.reply(PrecisionOut.of(found))


@router.get("/operations/requests", response_model=RequestsOut, responses=describe(401, 403, 429, 503))
def get_requests(
    call: AdminCall,
    limit: Annotated[int, Query(ge=1, le=200, description="How many of the slowest.")] = 20,
) -> Response:
    """The slowest requests that this process has answered, one by one and by route."""
    found = slow_requests.looked_at(call.services, call.principal, limit=limit)
    return call.reply(
        RequestsOut(
            slowest=[RequestOut.of(one) for one in found.slowest],
            seconds=slow_requests.HOUR_SECONDS,
            routes=[RouteOut.of(one) for one in found.routes],
        )
    )


@router.get("/operations/storage", response_model=StorageOut, responses=describe(401, 403, 429, 503))
def get_storage(call: AdminCall, cursor: pagination.Cursor = None, limit: pagination.Limit = 50) -> Response:
    """What your books take on the disk, the largest first, and what is left of it.

    Sizes are measured for a second or two a call and then kept for some minutes.
    """
    space: Space = call.request.app.state.space
    start = pagination.decode_number(cursor)
    taken = space.taken(library=call.library.name, start=start, limit=limit)
    following = pagination.encode(str(start + limit)) if taken.more else None
    return call.reply(StorageOut.of(taken, following=following))
