"""The OpenAPI 3.1 document: one shape for errors, clean operation ids, files that client generators know."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from service.http.problems import MEDIA_TYPE, Problem

_UNUSED: Final = ("HTTPValidationError", "ValidationError")


def operation_id(route: APIRoute) -> str:
    """The endpoint's own name: what a generated client calls its function."""
    return route.name


def install(app: FastAPI) -> None:
    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
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
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "get" and path.startswith("/v1/") and not path.endswith("/events"):
                operation["responses"]["304"] = {"description": "You have it already (`If-None-Match`)"}
            for status, response in operation["responses"].items():
                _tidy(status, response)
    _name_files(schemas)
    return document


def _tidy(status: str, response: dict[str, Any]) -> None:
    """FastAPI adds its own media type beside a problem's, and a body to answers that have none."""
    content = response.get("content", {})
    if MEDIA_TYPE in content:
        content.pop("application/json", None)
    if status in ("204", "304"):
        response.pop("content", None)


def _name_files(schemas: dict[str, Any]) -> None:
    """`format: binary` is what client generators look for; 3.1's `contentMediaType` says the same."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if field.get("contentMediaType") == "application/octet-stream":
                field["format"] = "binary"
