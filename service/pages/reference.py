"""The API reference page: every endpoint, type and error, rendered from the live OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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
    return "\n".join((*_head(document), tried, *_operations(document), *_types(document), *_errors()))


def _head(document: dict[str, Any]) -> Iterator[str]:
    about = document["info"]
    yield f"<h1>{escape(about['title'])}</h1><p class=lead>{escape(about['description'])}</p>"


def _operations(document: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Endpoints</h2>"
    for path, item in document["paths"].items():
        for method in (m for m in _METHODS if m in item):
            operation = item[method]
            yield f'<article id="{escape(operation["operationId"])}"><h3>{method.upper()} {escape(path)}</h3>'
            yield f"<p>{escape(operation.get('description', ''))}</p>{_parameters(operation)}"
            yield f"{_contents(operation)}</article>"


def _parameters(operation: dict[str, Any]) -> str:
    rows = (
        f"<dt><code>{escape(p['name'])}</code> <span class=soft>{_told(p)}</span></dt>"
        f"<dd>{escape(p.get('description', ''))}</dd>"
        for p in operation.get("parameters", [])
    )
    return _list(rows)


def _list(rows: Iterable[str]) -> str:
    return f"<dl>{''.join(rows)}</dl>"


def _told(parameter: dict[str, Any]) -> str:
    """Where a parameter stands, whether it must be there, and what it may be."""
    schema = parameter["schema"]
    need = ", required" if parameter.get("required") and parameter["in"] != "path" else ""
    default = schema.get("default")
    without = f", default {escape(json.dumps(default))}" if default not in (None, []) else ""
    kind = _kind(schema).removesuffix(" or null")  # an address has no null: it is left out
    return f"{escape(parameter['in'])}{need}, {kind}{without}"


def _contents(operation: dict[str, Any]) -> str:
    """The body that is sent, and the answers, with the types of their fields and with examples."""
    body = operation.get("requestBody", {}).get("content", {})
    answers = {status: each for status, each in operation["responses"].items() if status.startswith("2")}
    parts = [f"<p>Body: {_media(body)}</p>{_examples(body, 'of the body')}" if body else ""]
    for status, each in answers.items():
        content = each.get("content", {})
        told = _media(content) if content else "nothing"
        parts.append(f"<p>Answer {escape(status)}: {told}</p>{_examples(content, 'of the answer')}")
    others = ", ".join(escape(str(code)) for code in operation["responses"] if code not in answers)
    return f"{''.join(parts)}<p class=soft>Other answers: {others}</p>"


def _media(content: dict[str, Any]) -> str:
    found = []
    for media, described in content.items():
        kind = _kind(described.get("schema", {}))
        found.append(f"<code>{escape(media)}</code>" + (f" ({kind})" if kind else ""))
    return ", ".join(found)


def _examples(content: dict[str, Any], what: str) -> str:
    return "".join(
        f"<details><summary>Example {what}</summary>"
        f'<pre tabindex="0" role="region" aria-label="Example {what}">'
        f"{escape(_shown(described['example']))}</pre></details>"
        for described in content.values()
        if "example" in described
    )


def _shown(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, ensure_ascii=False, indent=1)


def _types(document: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Types</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        about = f"<p>{escape(schema['description'])}</p>" if "description" in schema else ""
        yield f'<article id="{escape(name)}"><h3>{escape(name)}</h3>{about}'
        if "properties" not in schema:
            yield f"<p>{_kind(schema)}</p></article>"
            continue
        needed = schema.get("required", [])
        rows = (
            f"<dt><code>{escape(field)}</code> <span class=soft>{_kind(described)}"
            f"{'' if field in needed else ', optional'}</span></dt>"
            f"<dd>{escape(described.get('description', ''))}</dd>"
            for field, described in schema["properties"].items()
        )
        yield f"{_list(rows)}</article>"


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words; types with a name of their own are links."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_kind(choice) for choice in choices)
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {})) or 'anything'}"
    if isinstance(inner := schema.get("additionalProperties"), dict):
        return f"object of {_kind(inner) or 'anything'}"
    return escape(schema.get("format") or schema.get("type") or "")


def _errors() -> Iterator[str]:
    yield "<h2>Errors</h2><dl>"
    kinds: dict[str, type[BookwormError]] = {kind.code: kind for kind in STATUS}
    for code, kind in sorted(kinds.items()):
        yield f'<dt id="{escape(code)}"><code>{escape(code)}</code> {STATUS[kind]}</dt>'
        yield f"<dd>{escape(kind.remedy)}</dd>"
    yield "</dl>"
