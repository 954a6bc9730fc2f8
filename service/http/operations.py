"""Operations for administrators: engines, precision of answers, slow requests, storage."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.health.engine_status import set_up
from service.health.readiness import Checks
from service.http import pagination
from service.http.call import AdminCall
from service.http.problems import OF_BOOK, OF_LIBRARY, describe
from service.usecases import language_models, precision, slow_requests
from service.usecases.storage_use import Space
from service.wire.operations import (
    EngineOut,
    EnginesOut,
    ModelIn,
    ModelsOut,
    ModelTrialIn,
    PrecisionOut,
    RequestOut,
    RequestsOut,
    RouteOut,
    StorageOut,
    TrialOut,
)

router = APIRouter(tags=["operation"])


@router.get("/operations/engines", response_model=EnginesOut, responses=OF_LIBRARY)
def get_engines(call: AdminCall) -> Response:
    """The engines in use, whether each of them works, and how to fix those that do not.

    The engines are actually tested, so the first request may take seconds. The result is cached for some
    seconds.
    """
    checks: Checks = call.request.app.state.checks
    found, looked = checks.engines()
    return call.reply(EnginesOut(items=[EngineOut.of(one) for one in found], looked=looked))


@router.get("/operations/models", response_model=ModelsOut, responses=OF_LIBRARY)
def get_models(call: AdminCall) -> Response:
    """The language models on this machine and of the configured server, and the engine that writes answers.

    Servers on this machine are looked for on their usual ports.
    """
    engines = call.services.engines
    listed = language_models.available(engines)
    offered = set_up(engines)
    return call.reply(ModelsOut.of(engines.default, listed, fixed=engines.rule.fixed, offered=offered))


@router.put("/operations/model", response_model=ModelsOut, responses=OF_BOOK)
def put_model(call: AdminCall, wanted: ModelIn) -> Response:
    """Choose which model writes answers, `offline`, or null for whatever is there.

    The choice is kept in the data folder. It is refused if `BOOKWORM_GENERATOR` decides. With `context`,
    Ollama makes a variant of its model, which shares the weights, and that is chosen.
    """
    language_models.choose(call.services.engines, wanted.name, context=wanted.context)
    return get_models(call)


@router.post(
    "/operations/model/try", response_model=TrialOut, responses=describe(401, 403, 404, 429, 502, 503)
)
def try_model(call: AdminCall, wanted: ModelTrialIn) -> Response:
    """Ask a model for one sentence, to see whether it works and how fast. It may have to be loaded first."""
    found = language_models.try_out(call.services.engines, wanted.name)
    return call.reply(TrialOut(text=found.text, seconds=found.seconds))


@router.get("/operations/precision", response_model=PrecisionOut, responses=OF_LIBRARY)
def get_precision(
    call: AdminCall,
    days: Annotated[
        int, Query(ge=1, le=precision.DAYS_MOST, description="Number of days, including today.")
    ] = 30,
) -> Response:
    """PRISMA precision of the answers in your library by day, generator and judge.

    Answers are counted when they are generated and checked. Deleting a book, or changing a verdict, does not
    change the counts.
    """
    found = precision.history(call.library, days=days)
    return call.reply(PrecisionOut.of(found))


@router.get("/operations/requests", response_model=RequestsOut, responses=OF_LIBRARY)
def get_requests(
    call: AdminCall,
    limit: Annotated[int, Query(ge=1, le=200, description="Number of requests.")] = 20,
) -> Response:
    """The slowest requests to this process, individually and by route."""
    found = slow_requests.looked_at(call.services, call.principal, limit=limit)
    return call.reply(
        RequestsOut(
            slowest=[RequestOut.of(one) for one in found.slowest],
            seconds=slow_requests.HOUR_SECONDS,
            routes=[RouteOut.of(one) for one in found.routes],
        )
    )


@router.get("/operations/storage", response_model=StorageOut, responses=OF_LIBRARY)
def get_storage(call: AdminCall, cursor: pagination.Cursor = None, limit: pagination.Limit = 50) -> Response:
    """Disk use of your books, largest first, and free disk space.

    Each request measures for a second or two. Sizes are cached for some minutes.
    """
    space: Space = call.request.app.state.space
    start = pagination.decode_number(cursor, of=call.list_id)
    taken = space.taken(library=call.library.name, start=start, limit=limit)
    following = pagination.next_number(start + limit, more=taken.more, of=call.list_id)
    return call.reply(StorageOut.of(taken, following=following))
