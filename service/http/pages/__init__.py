"""The dashboard: frames of pages that are filled in the browser, over the public HTTP API alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from service.http.pages.reference import reference

router = APIRouter(include_in_schema=False)

_FOLDER: Final = Path(__file__).parent
_PAGES: Final = {
    "/": "library",
    "/library/{book}": "book",
    "/library/{book}/people/{person}": "character",
    "/library/{book}/read": "reader",
    "/library/{book}/together": "together",
    "/library/{book}/corrections": "corrections",
    "/operations": "operations",
}
"""Each with the script that fills it; what stands in the address is the script's affair."""
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""As for all answers, with the scripts of our own, and what they ask us."""


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    base = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
    return _page("Bookworm: the API", body=reference(request.app.openapi(), base=base))


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/static/{name}")
async def static(name: str) -> Response:
    kind = _KINDS.get(Path(name).suffix)
    if kind is None or name not in _files():
        raise HTTPException(404)
    # Asked for again each time: a page never runs with the modules of another version.
    return Response(_files()[name], media_type=kind, headers={"Cache-Control": "no-cache"})


def _page(title: str, *, script: str | None = None, body: str = "") -> HTMLResponse:
    module = '<script type="module" src="/static/shell.js"></script>'
    if script:
        module += f'<script type="module" src="/static/{script}.js"></script>'
    filled = Template(_layout()).substitute(
        title=escape(title), script=module, body=body, busy=' aria-busy="true"' if script else ""
    )
    return HTMLResponse(filled, headers={"Content-Security-Policy": _CSP})


def _frame(script: str) -> Callable[[], Awaitable[HTMLResponse]]:
    async def frame() -> HTMLResponse:
        return _page("Bookworm", script=script)

    return frame


@cache
def _layout() -> str:
    return (_FOLDER / "layout.html").read_text("utf-8")


@cache
def _files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (_FOLDER / "static").iterdir()}


for _path, _script in _PAGES.items():
    router.add_api_route(_path, _frame(_script), name=_script)
