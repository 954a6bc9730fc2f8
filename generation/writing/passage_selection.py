"""Select the passages that a writer is shown, by its strategy and its token limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coref.types import Character
from generation.protocols import Generator
from generation.types import IN_PARTS, AnswerLimits, Strategy, Task
from retrieval.protocols import CountTokens, Retriever
from retrieval.types import Passage, Query


def query_for(
    people: Sequence[Character], *, k: int, token_budget: int | None = None, upto: int | None = None
) -> Query:
    """Build a query: ids for retrievers that use mentions, names for those that use words."""
    names = dict.fromkeys(alias.text for person in people for alias in person.aliases)
    return Query(
        text=" ".join(names),
        characters=tuple(person.id for person in people),
        k=k,
        token_budget=token_budget,
        upto=upto,
    )


def source(strategy: Strategy, retriever: str | None) -> str | None:
    """Return the name of a strategy's retriever. `retriever` is the one chosen for the answer."""
    return retriever if retriever is None or strategy is Strategy.RETRIEVE else "lead"


def shown(
    strategy: Strategy,
    retriever: Retriever | None,
    *,
    generator: Generator,
    task: Task,
    limits: AnswerLimits,
    query: Query,
) -> Sequence[Passage]:
    """Return the passages of a prompt. It has none if the writer uses the whole book or no part of it.

    The query's budget is a maximum. Fewer passages are shown if the writer has no room for them.
    """
    if retriever is None:
        return ()
    room = generator.room(task, limits)
    if strategy is Strategy.RETRIEVE:
        budget = query.token_budget if room is None else min(query.token_budget or room, room)
        return retriever.search(replace(query, token_budget=budget))
    whole = retriever.search(Query(k=query.upto or _ALL, upto=query.upto))
    if strategy in IN_PARTS or room is None:
        return whole
    return tuple(_beginning(whole, generator.count_tokens, room))


_ALL = 2**31
"""A limit above the number of passages in any book."""


def _beginning(passages: Sequence[Passage], count: CountTokens, room: int) -> Iterator[Passage]:
    """Yield passages before the first that does not fit, so that the beginning has no gap."""
    for passage in passages:
        room -= count(passage.text)
        if room < 0:
            return
        yield passage
