"""The API reference page: every endpoint and every error, rendered from the live OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from books.errors import BookwormError
from service.http.statuses import STATUS

_METHODS: Final = ("get", "post", "put", "patch", "delete")
_TRY: Final = (Path(__file__).parent / "try.html").read_text("utf-8")


def reference(document: dict[str, Any], *, base: str) -> str:
    """`base` is the URL of the service, used in examples that readers can copy."""
    tried = Template(_TRY).substitute(base=escape(base))
    return "\n".join((*_head(document), tried, *_operations(document), *_errors()))


def _head(document: dict[str, Any]) -> Iterator[str]:
    about = document["info"]
    yield f"<h1>{escape(about['title'])}</h1><p class=lead>{escape(about['description'])}</p>"


def _operations(document: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Endpoints</h2>"
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
    return f"<dl>{''.join(rows)}</dl><p class=soft>Responses: {statuses}</p>"


def _errors() -> Iterator[str]:
    yield "<h2>Errors</h2><dl>"
    kinds: dict[str, type[BookwormError]] = {kind.code: kind for kind in STATUS}
    for code, kind in sorted(kinds.items()):
        yield f'<dt id="{escape(code)}"><code>{escape(code)}</code> {STATUS[kind]}</dt>'
        yield f"<dd>{escape(kind.remedy)}</dd>"
    yield "</dl>"
