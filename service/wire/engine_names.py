"""Names of engines as types: of those that can be requested, and of those that have made an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, WithJsonSchema

from generation.models.openai.address import for_readers
from generation.registry import GENERATORS, JUDGES, offered
from retrieval.library_search import LIBRARY_RETRIEVERS
from retrieval.registry import RETRIEVERS


def _one_of(names: Iterable[str]) -> Callable[[str], str]:
    known = frozenset(names)

    def check(name: str) -> str:
        if name not in known:
            raise ValueError(f"choose one of {', '.join(sorted(offered(known)))}")
        return name

    return check


def _enumeration(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": sorted(offered(names))}


RetrieverName = Annotated[str, AfterValidator(_one_of(RETRIEVERS)), WithJsonSchema(_enumeration(RETRIEVERS))]
WordRetrieverName = Annotated[
    str, AfterValidator(_one_of(LIBRARY_RETRIEVERS)), WithJsonSchema(_enumeration(LIBRARY_RETRIEVERS))
]
GeneratorName = Annotated[str, AfterValidator(_one_of(GENERATORS)), WithJsonSchema(_enumeration(GENERATORS))]
JudgeName = Annotated[str, AfterValidator(_one_of(JUDGES)), WithJsonSchema(_enumeration(JUDGES))]
ShownName = Annotated[str, AfterValidator(for_readers)]
"""The name of an engine that has made something, or a note that may have one."""
