"""Adapts the OpenAPI 3.1 document: one error format, simple operation ids, examples, files for generators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from service.http.addresses import VERSION
from service.http.problems import MEDIA_TYPE, Problem, describe

_UNUSED: Final = ("HTTPValidationError", "ValidationError")
EXAMPLES: Final = Path(__file__).with_name("examples.json")
"""What is sent and answered, by operation, from the book of `bookworm demo`. Lists are cut short."""


def operation_id(route: APIRoute) -> str:
    """The name of the endpoint function, which becomes the name of the function in generated clients."""
    return route.name


def install(app: FastAPI, routers: Sequence[APIRouter]) -> None:
    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            versioned = APIRouter(generate_unique_id_function=operation_id)
            for router in routers:
                versioned.include_router(router, prefix=VERSION)
            routes = [*versioned.routes, *app.routes]
            made = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=routes
            )
            app.openapi_schema = _finish(made)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _finish(document: dict[str, Any]) -> dict[str, Any]:
    schemas = document["components"]["schemas"]
    for name in _UNUSED:
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schemas["Problem"].pop("$defs", {}))
    examples = json.loads(EXAMPLES.read_text("utf-8"))
    schemas["Problem"]["examples"] = [examples["Problem"]]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            _show(operation, **examples.get(operation["operationId"], {}))
            if method == "get" and path.startswith("/v1/") and not path.endswith("/events"):
                operation["responses"]["304"] = {"description": "Not modified (`If-None-Match`)"}
            if "requestBody" in operation:
                for refusal, described in describe(413, 415).items():
                    operation["responses"].setdefault(str(refusal), described)
            for status, response in operation["responses"].items():
                _tidy(status, response)
    _name_files(schemas)
    return document


def _show(operation: dict[str, Any], *, body: Any = None, answer: Any = None, status: str = "200") -> None:
    """Adds the examples of a body and of an answer to an operation."""
    if body is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = body
    if answer is not None:
        media = "text/event-stream" if isinstance(answer, str) else "application/json"
        operation["responses"][status]["content"][media]["example"] = answer


def _tidy(status: str, response: dict[str, Any]) -> None:
    """Removes what FastAPI adds: a second media type for problems, and bodies of empty responses."""
    content = response.get("content", {})
    if MEDIA_TYPE in content:
        content.pop("application/json", None)
    if status in ("204", "304"):
        response.pop("content", None)


def _name_files(schemas: dict[str, Any]) -> None:
    """Adds `format: binary`, which client generators expect, to `contentMediaType` of OpenAPI 3.1."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if field.get("contentMediaType") == "application/octet-stream":
                field["format"] = "binary"
