"""Results as plain JSON. Shares become numbers, with the counts behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from evaluation.coref.engines import NOT_OFFERED
from evaluation.coref.scores import Coreference
from evaluation.coref.speed import Timed
from evaluation.coref.tallies import PrecisionRecall, Share

_OPTIONAL = (
    "gold_with_singletons",
    "gold_without_singletons",
    "given_speakers",
    "given_addressees",
    "events",
    "grammar",
)
"""Measures that a resolver may lack."""


def figures(value: Any) -> Any:
    match value:
        case Share():
            return {"value": value.value, "of": round(value.of, 6), "all": round(value.all, 6)}
        case PrecisionRecall():
            return {"precision": value.precision.value, "recall": value.recall.value, "f1": value.f1}
        case Coreference():
            return {**_fields(value), "conll": value.conll}
        case Timed():
            return {**_fields(value), "words_per_second": value.words_per_second}
        case Mapping():
            return {str(key): figures(item) for key, item in value.items()}
        case list() | tuple():
            return [figures(item) for item in value]
        case _ if is_dataclass(value):
            return _fields(value)
        case _:
            return value


def _fields(value: Any) -> dict[str, Any]:
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return {
        name: NOT_OFFERED if item is None and name in _OPTIONAL else figures(item)
        for name, item in found.items()
    }
