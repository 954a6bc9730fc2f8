"""The landing page, and the API written out as a page: plain HTML, no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from books.errors import BookwormError
from service.http.statuses import STATUS

router = APIRouter(include_in_schema=False)

_FOLDER: Final = Path(__file__).parent
_METHODS: Final = ("get", "post", "put", "patch", "delete")


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    base = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
    return _page("Bookworm", Template(_file("home.html")).substitute(base=escape(base)))


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    return _page("Bookworm: the API", "\n".join(_operations(request.app.openapi())) + "\n".join(_errors()))


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/style.css")
async def style() -> Response:
    return Response(_file("style.css"), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def _page(title: str, body: str) -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="/style.css"></head><body>{body}</body></html>'
    )


def _operations(document: dict[str, Any]) -> Iterator[str]:
    about = document["info"]
    yield f"<h1>{escape(about['title'])}</h1><p class=lead>{escape(about['description'])}</p>"
    yield "<h2>Operations</h2>"
    for path, item in document["paths"].items():
        for method in (m for m in _METHODS if m in item):
            operation = item[method]
            yield f'<article id="{escape(operation["operationId"])}"><h3>{method.upper()} {escape(path)}</h3>'
            yield f"<p>{escape(operation.get('description', ''))}</p>{_parameters(operation)}</article>"


def _parameters(operation: dict[str, Any]) -> str:
    rows = (
        f"<dt><code>{escape(p['name'])}</code> <span class=soft>{escape(p['in'])}</span></dt>"
        f"<dd>{escape(p.get('description', ''))}</dd>"
        for p in operation.get("parameters", [])
    )
    statuses = ", ".join(escape(str(code)) for code in operation["responses"])
    return f"<dl>{''.join(rows)}</dl><p class=soft>Answers: {statuses}</p>"


def _errors() -> Iterator[str]:
    yield "<h2>Errors</h2><dl>"
    kinds: dict[str, type[BookwormError]] = {kind.code: kind for kind in STATUS}
    for code, kind in sorted(kinds.items()):
        yield f'<dt id="{escape(code)}"><code>{escape(code)}</code> {STATUS[kind]}</dt>'
        yield f"<dd>{escape(kind.remedy)}</dd>"
    yield "</dl>"


@cache
def _file(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")
