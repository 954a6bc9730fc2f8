"""The dashboard: page frames that scripts fill in the browser, using only the public HTTP API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from service.http import problems
from service.pages.files import KINDS, edition, files, folder, needed
from service.pages.reference import reference

router = APIRouter(include_in_schema=False)

_FOLDER: Final = Path(__file__).parent
_PAGES: Final = {
    "/": "library",
    "/library/{book}": "book",
    "/library/{book}/people/{person}": "character",
    "/library/{book}/read": "reader",
    "/library/{book}/story": "story",
    "/library/{book}/ask": "ask",
    "/library/{book}/quiz": "quiz",
    "/library/{book}/search": "search",
    "/library/{book}/together": "together",
    "/library/{book}/corrections": "corrections",
    "/operations": "operations",
}
"""Each path with the script that fills its page; the script reads the parameters from the address."""
_FOREVER: Final = "public, max-age=31536000, immutable"
_EACH_TIME: Final = "no-cache"
_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The policy of all answers, plus our own scripts and styles and the requests that they make."""


@router.get("/library")
async def library() -> RedirectResponse:
    return RedirectResponse("/")


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    base = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
    return _page("API · Bookworm", body=reference(request.app.openapi(), base=base))


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/static/{name}")
async def static(name: str) -> Response:
    return _file(name, kept=_EACH_TIME)


@router.get("/static/{of}/{name}")
async def static_of_an_edition(of: str, name: str) -> Response:
    if of != edition():
        raise HTTPException(404)
    return _file(name, kept=_FOREVER)


def install(app: FastAPI) -> None:
    """Shows a page to a browser that asks for one at an unknown address."""
    app.add_exception_handler(404, _nothing)


async def _nothing(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/v1/") or "text/html" not in request.headers.get("accept", ""):
        return await problems.on_http_exception(request, error)
    said = '<h1>Page not found</h1><p>There is nothing at this address. <a href="/">Go to the library</a></p>'
    return _page("Page not found · Bookworm", body=said, status=404)


def _file(name: str, *, kept: str) -> Response:
    if name not in files():
        raise HTTPException(404)
    return Response(files()[name], media_type=KINDS[Path(name).suffix], headers={"Cache-Control": kept})


def _page(title: str, *, script: str | None = None, body: str = "", status: int = 200) -> HTMLResponse:
    headers = {"Content-Security-Policy": _CSP, "Cache-Control": _EACH_TIME}
    return HTMLResponse(_filled(title, script, body), status, headers)


@lru_cache(maxsize=32)
def _filled(title: str, script: str | None, body: str) -> str:
    return Template(_layout()).substitute(
        title=escape(title),
        static=folder(),
        script=_scripts(*filter(None, ("shell", script))),
        body=body,
        busy=' aria-busy="true"' if script else "",
    )


def _scripts(*names: str) -> str:
    """Script tags, with preloads of all modules they import, so that the browser fetches them at once."""
    wanted = [f"{name}.js" for name in names]
    others = sorted({other for name in wanted for other in needed(name)}.difference(wanted))
    ahead = [f'<link rel="modulepreload" href="{folder()}/{other}">' for other in others]
    run = [f'<script type="module" src="{folder()}/{name}"></script>' for name in wanted]
    return "\n".join([*ahead, *run])


def _frame(script: str) -> Callable[[], Awaitable[HTMLResponse]]:
    async def frame() -> HTMLResponse:
        return _page("Bookworm", script=script)

    return frame


@cache
def _layout() -> str:
    return (_FOLDER / "layout.html").read_text("utf-8")


for _path, _script in _PAGES.items():
    router.add_api_route(_path, _frame(_script), name=_script)
