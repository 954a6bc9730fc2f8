"""Convert portraits to plain JSON values and back without loss, for the cache, the API and exports.

The JSON is that of the dataclasses with three differences: a span next to one other value is merged into the
same object, the precision is written out for readers, and the facts that a sentence was composed from are
left out.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from generation.types import Portrait, Reference

Json = dict[str, Any]
_LEFT_OUT = {"sentences": {"__all__": {"stated", "offered"}}}
_SPAN = ("start", "end")


def to_dict(portrait: Portrait) -> Json:
    written: Json = _flat(_portraits().dump_python(portrait, mode="json", exclude=_LEFT_OUT))
    counts = written["prisma"]
    first = {name: counts.pop(name) for name in ("facts", "supported")}
    written["prisma"] = {**first, "precision": portrait.prisma.precision, **counts}
    return written


def from_dict(data: Json) -> Portrait:
    """Read the JSON of this or an earlier version. Fields that the JSON does not have get their defaults."""
    return _portraits().validate_python(_nested(data))


def reference_to_dict(reference: Reference) -> Json:
    written: Json = _references().dump_python(reference, mode="json")
    return written


def reference_from_dict(data: Json) -> Reference:
    return _references().validate_python(data)


@cache
def _portraits() -> TypeAdapter[Portrait]:
    return TypeAdapter(Portrait)


@cache
def _references() -> TypeAdapter[Reference]:
    return TypeAdapter(Reference)


def _flat(value: Any) -> Any:
    """Write `{"span": {"start": 1, "end": 2}, "chapter": 0}` as `{"start": 1, "end": 2, "chapter": 0}`."""
    if isinstance(value, list):
        return [_flat(one) for one in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 2 and "span" in value:
        return {**value.pop("span"), **value}
    return {name: _flat(one) for name, one in value.items()}


def _nested(value: Any) -> Any:
    """Reverse `_flat`."""
    if isinstance(value, list):
        return [_nested(one) for one in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 3 and "start" in value and "end" in value:
        beside = {name: one for name, one in value.items() if name not in _SPAN}
        return {"span": {name: value[name] for name in _SPAN}, **beside}
    return {name: _nested(one) for name, one in value.items()}
