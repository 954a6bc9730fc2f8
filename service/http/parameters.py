"""Parameters that many routes share, described once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Query

from generation.types import Strategy
from service.usecases.answer_request import Wanted
from service.wire.engine_names import GeneratorName, RetrieverName, WordRetrieverName

BookId = Annotated[str, Path(max_length=100, description="The book's id.")]
FactId = Annotated[str, Path(max_length=100, description="The fact's id, as answers give it.")]
JobId = Annotated[str, Path(max_length=100, description="The job's id.")]
KeyId = Annotated[str, Path(max_length=100, description="The API key's id.")]
Key = Annotated[str, Path(max_length=200, description="The character's id, name or an alias.")]
Upto = Annotated[
    str | None,
    Query(
        max_length=24,
        description=(
            "Spoiler gate: answer as if the book ended there. "
            "`5` or `ch:5` is the end of chapter 5 (counted from 1); "
            "`p:120` is the end of paragraph 120 (counted from 0)."
        ),
    ),
]
Retriever = Annotated[RetrieverName | None, Query(description="How passages are found.")]
WordRetriever = Annotated[WordRetrieverName | None, Query(description="How passages are found.")]


async def _wanted(
    upto: Upto = None,
    retriever: Retriever = None,
    generator: Annotated[GeneratorName | None, Query(description="What writes the answer.")] = None,
    words: Annotated[int | None, Query(ge=10, le=2000, description="About how long.")] = None,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="The same seed gives the same answer.")] = 0,
    refresh: Annotated[bool, Query(description="Write it again even when the same answer is kept.")] = False,
    strategy: Annotated[
        Strategy | None, Query(description="What of the book a language model is shown.")
    ] = None,
    k: Annotated[int | None, Query(ge=1, le=1000, description="Passages retrieved at most.")] = None,
    temperature: Annotated[
        float | None, Query(ge=0, le=2, description="How freely a language model chooses its words.")
    ] = None,
    tokens: Annotated[
        int | None,
        Query(ge=1, description="Tokens that it may take; an answer that would take more is refused."),
    ] = None,
    cast: Annotated[bool, Query(description="Name the main characters in the instructions.")] = False,
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
    )


HowToWrite = Annotated[Wanted, Depends(_wanted)]


@dataclass(frozen=True, slots=True)
class How:
    """How an answer goes out."""

    stream: bool = False
    dry_run: bool = False


async def _how(
    stream: Annotated[bool, Query(description="Send it while it is written, as server-sent events.")] = False,
    dry_run: Annotated[
        bool, Query(description="Write nothing: say what calls and tokens it would take.")
    ] = False,
) -> How:
    return How(stream, dry_run)


HowToAnswer = Annotated[How, Depends(_how)]
