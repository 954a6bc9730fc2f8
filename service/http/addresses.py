"""Serves each route with and without the version in its address.

`include_router` builds every route anew for each prefix when the first request comes, which takes a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import Final

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path

VERSION: Final = "/v1"


def addressed(routers: Iterable[APIRouter]) -> Iterator[APIRoute]:
    """Yield all routes under `/v1` and at the plain address, none of them for the OpenAPI document."""
    for router in routers:
        for prefix in (VERSION, ""):
            yield from (_at(prefix, route) for route in router.routes if isinstance(route, APIRoute))


def _at(prefix: str, route: APIRoute) -> APIRoute:
    """Return the route at its path under the prefix. Logs and metrics call it by the path without."""
    found = copy(route)
    found.path_regex, found.path_format, found.param_convertors = compile_path(prefix + route.path)
    found.include_in_schema = False
    return found
