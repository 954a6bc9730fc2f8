"""Parameters that many routes share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Annotated, get_origin

from fastapi import Depends, Path, Query, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query as QueryParameter

from generation.types import AnswerLanguage, Strategy
from service.http.errors import RequestInvalid
from service.usecases.answer_request import Wanted
from service.wire.engine_names import GeneratorName, RetrieverName, WordRetrieverName

BookId = Annotated[str, Path(max_length=100, description="Id of the book.")]
FactId = Annotated[str, Path(max_length=100, description="Id of the fact, from an answer.")]
JobId = Annotated[str, Path(max_length=100, description="Id of the job.")]
KeyId = Annotated[str, Path(max_length=100, description="Id of the API key.")]
Key = Annotated[str, Path(max_length=200, description="Id, name or alias of the character.")]
Upto = Annotated[
    str | None,
    Query(
        max_length=24,
        description=(
            "How far you have read. Everything after it is hidden. "
            "`5` or `ch:5` is the end of chapter 5 (counted from 1); "
            "`p:120` is the end of paragraph 120 (counted from 0)."
        ),
    ),
]
Retriever = Annotated[RetrieverName | None, Query(description="Retriever to use.")]
WordRetriever = Annotated[WordRetrieverName | None, Query(description="Retriever to use.")]


def refuse_strays(request: Request) -> None:
    """Refuse query parameters that the route does not declare: a misspelt `upto` would show all the book. And
    those that it takes once and that come twice: of two `upto`, only the last would count."""
    if not request.query_params:
        return
    known = query_parameters(request)
    given = [name for name, _ in request.query_params.multi_items()]
    lists = {name for name, field in known.items() if get_origin(field.annotation) is list}
    refuse_strange("query", given, known=sorted(known), lists=lists)


def query_parameters(request: Request) -> dict[str, QueryParameter]:
    """The query parameters that the route declares."""
    declared = ((f.alias, f.field_info) for f in get_flat_params(request.scope["route"].dependant))
    return {name: field for name, field in declared if isinstance(field, QueryParameter)}


def refuse_strange(
    part: str, given: Sequence[str], *, known: Sequence[str], lists: Set[str] = frozenset()
) -> None:
    """Refuse names in a part of a request that are not known, or that are repeated and not of `lists`."""
    what = "query parameter" if part == "query" else "form field"
    unknown = [name for name in dict.fromkeys(given) if name not in known]
    repeated = [name for name, times in Counter(given).items() if times > 1 and name not in lists]
    if unknown:
        raise RequestInvalid(
            f"Unknown {what}: {_quoted(unknown)}.",
            errors=tuple((f"{part}.{name}", "unknown parameter") for name in unknown),
            remedy=f"Known are: {', '.join(known)}." if known else "This URL takes no parameters.",
        )
    if repeated:
        raise RequestInvalid(
            f"Given more than once: {_quoted(repeated)}.",
            errors=tuple((f"{part}.{name}", "given more than once") for name in repeated),
            remedy="Give it once in a request.",
        )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


async def _wanted(
    upto: Upto = None,
    retriever: Retriever = None,
    generator: Annotated[GeneratorName | None, Query(description="Generator to use.")] = None,
    words: Annotated[int | None, Query(ge=10, le=2000, description="Approximate number of words.")] = None,
    seed: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Random seed. The same seed gives the same answer.")
    ] = 0,
    refresh: Annotated[
        bool, Query(description="Generate it again instead of using a stored answer.")
    ] = False,
    strategy: Annotated[
        Strategy | None, Query(description="Which text of the book a language model receives.")
    ] = None,
    k: Annotated[
        int | None, Query(ge=1, le=1000, description="Maximum number of passages to retrieve.")
    ] = None,
    temperature: Annotated[
        float | None, Query(ge=0, le=2, description="Sampling temperature of the language model.")
    ] = None,
    tokens: Annotated[
        int | None,
        Query(ge=1, description="Maximum tokens. Requests that would need more are refused."),
    ] = None,
    cast: Annotated[
        bool | None, Query(description="Whether the prompt of a language model lists the main characters.")
    ] = None,
    language: Annotated[
        AnswerLanguage | None,
        Query(description="`en`, `zh` or `zh-Hant` (traditional characters). By default that of the book."),
    ] = None,
) -> Wanted:
    return Wanted(
        upto=upto,
        retriever=retriever,
        generator=generator,
        words=words,
        seed=seed,
        refresh=refresh,
        strategy=strategy,
        k=k,
        temperature=temperature,
        tokens=tokens,
        cast_list=cast,
        language=language,
    )


HowToWrite = Annotated[Wanted, Depends(_wanted)]


@dataclass(frozen=True, slots=True)
class How:
    """Options of the response."""

    stream: bool = False
    dry_run: bool = False


DryRun = Annotated[bool, Query(description="Only estimate how many calls and tokens it would take.")]


async def _how(
    stream: Annotated[
        bool, Query(description="Stream the answer while it is generated, as server-sent events.")
    ] = False,
    dry_run: DryRun = False,
) -> How:
    return How(stream, dry_run)


HowToAnswer = Annotated[How, Depends(_how)]
