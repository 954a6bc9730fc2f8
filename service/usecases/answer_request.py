"""Make the request for an answer from options and settings, before anything is generated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from coref.types import Character
from db.columns import now
from generation.answering import default_passages, default_words
from generation.errors import GeneratorUnavailable, ModelServerFailed, StrategyUnsupported, SummaryMissing
from generation.protocols import Generator
from generation.types import (
    IN_PARTS,
    STORIES,
    AnswerLanguage,
    AnswerLimits,
    Context,
    Provenance,
    Request,
    Strategy,
    Task,
)
from service import spoiler_gate
from service.errors import SummaryTooLong
from service.services import Services
from service.settings import Settings
from service.shelf import View
from service.usecases.fact_evidence import context_about

SUMMARY_MOST: Final = 100_000
"""Maximum length of a summary in characters."""
NONE: Final = "none"
CHUNK: Final = 8_192
"""Default tokens of the book that a summary reads at once. Longer parts do not make better summaries."""
ASKED: Final = (Strategy.RETRIEVE, Strategy.NO_CONTEXT)
"""The strategies of questions."""
ASKING: Final = "asking"
"""Name of what finds the passages that answer a question, for the provenance."""
_SOURCES: Final = {Strategy.LEAD: "lead", **dict.fromkeys(IN_PARTS, "all")}
"""Retriever names for the provenance of strategies without a retriever."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options for an answer; None means the value of the setting."""

    upto: str | None = None
    retriever: str | None = None
    generator: str | None = None
    words: int | None = None
    seed: int = 0
    refresh: bool = False
    """Generate the answer again even if it is stored."""
    strategy: Strategy | None = None
    k: int | None = None
    """Maximum number of passages."""
    temperature: float | None = None
    tokens: int | None = None
    """Maximum tokens for the answer. The settings may have a lower limit."""
    cast_list: bool | None = None
    summary: str | None = None
    chapter: int | None = None
    """The chapter that a summary is of, counted from 1; None for the book."""
    chunk: int | None = None
    """Tokens of the book that a summary reads at once."""
    candidates: int = 1
    """Texts that are written on each part of the book, of which the best is taken."""
    question: str | None = None
    language: AnswerLanguage | None = None
    """In which the answer is written; None for that of the book."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request with the open book and the generator that answers it."""

    request: Request
    view: View
    context: Context
    generator: Generator
    refresh: bool
    """Generate the answer again even if it is stored."""
    writer: str | None = None
    """The name of the generator, if one was requested by name."""
    remarks: tuple[str, ...] = ()
    """Notes on the names and chapters that were given. They are not stored with the answer."""
    since: datetime = field(default_factory=now)
    """What a language model wrote of a story before is not used if it is generated again."""
    began: datetime = field(default_factory=now)
    """What it wrote before and is not fit is asked for again."""
    job_id: str | None = None
    """The job that writes the answer, if any."""
    failed: tuple[str, ModelServerFailed | GeneratorUnavailable] | None = None
    """The generator whose server does not even tell its model, if this is the request in its place."""


def open_request(
    services: Services, view: View, *, task: Task, people: Sequence[Character], wanted: Wanted
) -> OpenRequest:
    """Return the request for an answer. Missing options get their values from the settings.

    Raises StrategyUnsupported, SummaryMissing, SummaryTooLong, GeneratorUnavailable.
    """
    settings = services.settings
    generator = services.engines.generator(wanted.generator)
    strategy = _strategy(task, wanted, generator, settings)
    chapter = None if wanted.chapter is None else spoiler_gate.chapter(view, wanted.chapter).index
    language = wanted.language or AnswerLanguage.of(view.book)
    request = Request(
        task=task,
        characters=tuple(person.id for person in people),
        limits=AnswerLimits(
            words=wanted.words or default_words(task, of_chapter=chapter is not None, language=language),
            seed=wanted.seed,
            temperature=settings.temperature if wanted.temperature is None else wanted.temperature,
            tokens=_least(wanted.tokens, settings.answer_tokens),
            chunk=wanted.chunk or CHUNK if task in STORIES and generator.prompts is not None else None,
            candidates=wanted.candidates,
        ),
        provenance=Provenance(
            text_sha256=view.text_sha256,
            resolver=view.annotations.resolver,
            retriever=_retriever(task, strategy, wanted, generator, settings),
            generator=generator.name,
            judge=services.engines.judge_for(wanted.generator).name,
            decisions=view.decisions,
            upto=view.upto,
            seed=wanted.seed,
            strategy=strategy,
            prompts=generator.prompts,
            extractor=services.engines.extractor_for(wanted.generator).name,
        ),
        passages=wanted.k or settings.passages or default_passages(task),
        token_budget=settings.token_budget,
        embedder=settings.embedder,
        bm25=settings.bm25,
        cast_list=_cast_list(wanted, strategy, generator, settings),
        summary=wanted.summary,
        chapter=chapter,
        question=wanted.question,
        language=language,
    )
    context = context_about(view, people)
    return OpenRequest(request, view, context, generator, wanted.refresh, wanted.generator)


def _strategy(task: Task, wanted: Wanted, generator: Generator, settings: Settings) -> Strategy:
    """Return the requested strategy. Options that it does not use raise an error and are never ignored."""
    asked = wanted.strategy or (Strategy.SUMMARY if wanted.summary is not None else None)
    if task in STORIES:
        _check_story(asked, wanted)
    elif task is Task.QUESTION:
        _check_question(asked, wanted)
    elif asked in (Strategy.INCREMENTAL, Strategy.RANKED):
        raise StrategyUnsupported(
            f"Only summaries and recaps are written with the strategy `{asked}`.",
            remedy="Omit it, or choose another strategy.",
        )
    if generator.prompts is None:
        return _without_model(asked, wanted, generator.name)
    if task in STORIES:
        return asked or Strategy.HIERARCHICAL
    if task is Task.QUESTION:
        return asked or Strategy.RETRIEVE
    strategy = asked or settings.strategy
    if strategy is Strategy.SUMMARY:
        _check_summary(wanted.summary)
    elif wanted.summary is not None:
        raise StrategyUnsupported(
            f"A summary was given, and `{strategy}` does not use it.",
            remedy="Omit the summary, or choose the strategy `summary`.",
        )
    if strategy is not Strategy.RETRIEVE and (wanted.retriever or wanted.k):
        raise StrategyUnsupported(
            f"The strategy `{strategy}` does not retrieve passages.",
            remedy="Omit the retriever and the number of passages, or choose the strategy `retrieve`.",
        )
    return strategy


def _check_story(asked: Strategy | None, wanted: Wanted) -> None:
    if asked not in (None, *IN_PARTS):
        raise StrategyUnsupported(
            f"The story is not told with the strategy `{asked}`.",
            remedy=f"Omit it, or choose one of: {', '.join(IN_PARTS)}.",
        )
    if wanted.retriever or wanted.k:
        raise StrategyUnsupported(
            "A summary is made of the whole book, without a retriever.",
            remedy="Omit the retriever and the number of passages.",
        )
    if wanted.candidates > 1 and asked is not Strategy.RANKED:
        raise StrategyUnsupported(
            "Several texts on a part are written only with the strategy `ranked`.",
            remedy="Choose the strategy `ranked`, or ask for one candidate.",
        )


def _check_question(asked: Strategy | None, wanted: Wanted) -> None:
    if asked not in (None, *ASKED):
        raise StrategyUnsupported(
            f"Questions are not answered with the strategy `{asked}`.",
            remedy=f"Omit it, or choose one of: {', '.join(ASKED)}.",
        )
    if wanted.retriever:
        raise StrategyUnsupported(
            "The passages that answer a question are found in one way only.", remedy="Omit the retriever."
        )


def _cast_list(wanted: Wanted, strategy: Strategy, generator: Generator, settings: Settings) -> bool:
    """Return whether the prompt lists the cast. By default it does if the model is shown the book."""
    if wanted.cast_list is not None:
        return wanted.cast_list
    shown = strategy in (Strategy.RETRIEVE, *IN_PARTS)
    return settings.cast_list and shown and generator.prompts is not None


def _without_model(asked: Strategy | None, wanted: Wanted, name: str) -> Strategy:
    told = name.partition("/")[0]
    if asked not in (None, Strategy.RETRIEVE):
        raise StrategyUnsupported(f"`{told}` has no language model, which the strategy `{asked}` needs.")
    if wanted.cast_list:
        raise StrategyUnsupported(
            f"`{told}` has no language model, so the main characters cannot be listed in a prompt.",
            remedy="Omit the cast, or choose a generator with a language model.",
        )
    return Strategy.RETRIEVE


def _check_summary(summary: str | None) -> None:
    if summary is None or not summary.strip():
        raise SummaryMissing("The strategy `summary` needs a summary that is not empty.")
    if len(summary) > SUMMARY_MOST:
        raise SummaryTooLong(f"The summary has {len(summary):,} characters. The limit is {SUMMARY_MOST:,}.")


def _retriever(
    task: Task, strategy: Strategy, wanted: Wanted, generator: Generator, settings: Settings
) -> str:
    """Return the name of the retriever for the provenance.

    A generator without a language model uses the whole book, unless a retriever is requested.
    """
    if task is Task.QUESTION:
        return ASKING if strategy is Strategy.RETRIEVE else NONE
    if strategy is not Strategy.RETRIEVE:
        return _SOURCES.get(strategy, NONE)
    if generator.prompts is None and not (wanted.retriever or wanted.k):
        return NONE
    return wanted.retriever or settings.retriever


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)
