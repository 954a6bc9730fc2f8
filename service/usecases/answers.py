"""Answer requests about characters: estimate the cost, generate and check an answer, and store it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from books.errors import BookwormError
from coref.errors import CharacterUnknown
from coref.types import Character
from db.errors import DatabaseAway, StorageFull
from db.repositories import CountRepository, PortraitRepository
from generation import serialise
from generation.answering import write
from generation.checking.overruling import identify
from generation.checking.protocols import planned
from generation.errors import DraftRejected, GeneratorUnavailable, ModelServerFailed, PromptTooLong
from generation.models.openai.address import for_readers
from generation.protocols import Audience, Generator
from generation.story.named_people import asks_who
from generation.story.people_near import people_near
from generation.types import STORIES, Plan, Portrait, Prompt, RejectedDraft, Strategy, Task, Usage
from generation.writing.passage_selection import shown, source
from generation.writing.prompts import make_prompt
from generation.writing.writer import PortraitWriter
from retrieval.protocols import Retriever
from retrieval.types import AnsweringPlace, EventSentence, Passage, TellingSentence
from service.default_generator import OPENAI
from service.errors import TooManyCharacters
from service.observability import metrics
from service.services import Services
from service.shelf import View
from service.usecases import answer_request
from service.usecases.answer_request import OpenRequest, Wanted, open_request
from service.usecases.characters import merged, met, query_for
from service.usecases.fact_evidence import evidence_retriever
from service.usecases.notebook import BookNotebook
from service.usecases.question_chapters import asked_view, events_for, places_for, remarks_on_chapters
from service.usecases.questions import people_in, remarks_on_language, remarks_on_names, remarks_on_relatives
from service.usecases.reader_feedback import measured

JOINT_DEFAULT: Final = 6
JOINT_MOST: Final = 24
FALLBACK: Final = "offline"
Failure = DraftRejected | ModelServerFailed | GeneratorUnavailable | PromptTooLong
"""Why there is no answer by a language model."""
_UNSTORED: Final = "This answer could not be stored."


@dataclass(frozen=True, slots=True)
class Answer:
    portrait: Portrait
    book_id: str
    book_title: str
    cached: bool
    whole: bool = True
    """False if a part of its evaluation was temporarily unavailable."""
    stored: bool = True

    @property
    def lasting(self) -> bool:
        """Whether the answer may be cached. One that replaces a rejected one, or is not stored, may not."""
        return self.whole and self.portrait.rejected is None and self.stored


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of an answer, estimated without a call."""

    asked: OpenRequest
    plan: Plan
    passages: int
    kept: bool
    """Whether the answer is already stored and costs nothing."""


def ask(services: Services, view: View, *, task: Task, names: Sequence[str], wanted: Wanted) -> OpenRequest:
    """Return the request of an answer about one name, for a joint answer several, and for a summary none.

    A joint answer without names is about the main cast. A question is about the people that it names.
    """
    remarks: tuple[str, ...] = ()
    if task is Task.JOINT:
        people = _cast(view, names)
    elif wanted.question is not None:
        remarks = (*remarks_on_language(wanted.question), *remarks_on_chapters(view, wanted.question))
        view = asked_view(view, wanted.question)
        people = people_in(view, wanted.question, names)
        remarks += remarks_on_relatives(view, wanted.question, names)
    else:
        people = [met(view, name) for name in names]
    asked = _open(services, view, task=task, people=people, wanted=wanted)
    told = (merged(view, name) for name in names)
    return replace(asked, remarks=(*remarks, *filter(None, told)))


def _open(
    services: Services, view: View, *, task: Task, people: Sequence[Character], wanted: Wanted
) -> OpenRequest:
    try:
        return open_request(services, view, task=task, people=people, wanted=wanted)
    except (ModelServerFailed, GeneratorUnavailable) as failure:
        name = wanted.generator or services.engines.default.name
        has_server = name == OPENAI and services.engines.rule.writers().openai.url is not None
        if not (has_server and services.settings.offline_fallback):
            raise
        asked = open_request(services, view, task=task, people=people, wanted=_offline(wanted))
        return replace(asked, failed=(name, failure))


def _offline(wanted: Wanted) -> Wanted:
    """Return the options that the offline answer heeds."""
    return Wanted(
        generator=FALLBACK,
        words=wanted.words,
        seed=wanted.seed,
        chapter=wanted.chapter,
        question=wanted.question,
        language=wanted.language,
    )


def _cast(view: View, names: Sequence[str]) -> Sequence[Character]:
    check_number(names)
    people = {person.id: person for person in (met(view, name) for name in names)}
    cast = tuple(people.values()) or view.annotations.characters[:JOINT_DEFAULT]
    if not cast:
        raise CharacterUnknown("No character has appeared in the chapters you have read.")
    return cast


def check_number(names: Sequence[str]) -> None:
    if len(names) > JOINT_MOST:
        raise TooManyCharacters(f"{len(names):,} characters were requested. The limit is {JOINT_MOST}.")


def answer(
    services: Services,
    asked: OpenRequest,
    *,
    audience: Audience | None = None,
    instead: bool = True,
    candid: bool = True,
) -> Answer:
    """Return a stored or new answer and stream it.

    Unless `instead` is False, the offline answer replaces a rejected draft, and one that a server does not
    write, has no model for, or has no room for. Only if `candid`, it says where the server is, and more.
    """
    if asked.failed is not None:
        generator, failure = asked.failed
        if not instead:
            raise failure
        return _in_place(services, replace(asked, failed=None), generator, failure, audience, candid=candid)
    kept = None if asked.refresh else _kept(services, asked)
    if kept is not None:
        return _told(services, asked, kept, audience=audience, cached=True)
    try:
        (portrait, unstored), here = services.making.once(
            f"{asked.view.record.id} {asked.request.key}",
            lambda: _make(services, asked, audience),
            audience=audience,
        )
    except (DraftRejected, ModelServerFailed, GeneratorUnavailable, PromptTooLong) as failure:
        if not (instead and services.settings.offline_fallback):
            raise
        return _instead(services, asked, failure, audience, candid=candid)
    if unstored is not None:
        if asked.job_id is not None:  # whoever ordered it comes for it later
            raise unstored
        portrait = replace(portrait, notes=(*portrait.notes, _UNSTORED))
    told = _told(services, asked, portrait, audience=None if here else audience, cached=False)
    return replace(told, stored=unstored is None)


def estimate(services: Services, asked: OpenRequest) -> Estimate:
    if asked.failed is not None:
        raise asked.failed[1]
    if not asked.refresh and _kept(services, asked) is not None:
        return Estimate(asked, Plan(), passages=0, kept=True)
    prompt = _prompt(services, asked)
    limits = asked.request.limits
    with _remembering(services, asked) as (generator, _):
        plan = generator.plan(prompt, limits)
    if plan.calls or plan.kept.calls:
        words = limits.words * (len(prompt.context.people) if prompt.task is Task.JOINT else 1)
        engines = services.engines
        plan += planned((engines.extractor_for(asked.writer), engines.judge_for(asked.writer)), words)
    return Estimate(asked, plan, passages=len(prompt.passages), kept=False)


def _told(
    services: Services, asked: OpenRequest, portrait: Portrait, *, audience: Audience | None, cached: bool
) -> Answer:
    if audience is not None:
        audience.hear(portrait.text)
    view = asked.view
    seen, whole = measured(services, view, portrait, key=asked.request.key)
    seen = replace(seen, notes=(*asked.remarks, *seen.notes))
    return Answer(seen, view.record.id, view.book.title, cached=cached, whole=whole)


def _make(
    services: Services, asked: OpenRequest, audience: Audience | None
) -> tuple[Portrait, BookwormError | None]:
    """Return a new answer, and why it could not be stored, if so."""
    with _remembering(services, asked) as (generator, notebook):
        portrait = write(
            _prompt(services, asked),
            generator=generator,
            judge=services.engines.judge_for(asked.writer),
            extractor=services.engines.extractor_for(asked.writer),
            limits=replace(asked.request.limits, spent=notebook.spent()),
            retriever=evidence_retriever(services, asked.view),
            provenance=asked.request.provenance,
            audience=audience,
            spend=notebook.spend,
        )
    if asked.request.question is not None:
        remarks = remarks_on_names(asked.view, asked.request.question, asked.context.people)
        portrait = replace(portrait, notes=(*portrait.notes, *remarks))
    _count_tokens(portrait.provenance.generator, portrait.usage)
    try:
        _store(services, asked, portrait)
    except (DatabaseAway, StorageFull) as error:
        return portrait, error
    return portrait, None


def _store(services: Services, asked: OpenRequest, portrait: Portrait) -> None:
    with services.database.session() as session:
        PortraitRepository(session).put(
            asked.view.record.id,
            asked.request.key,
            task=asked.request.task,
            characters=asked.request.characters,
            payload=serialise.to_dict(portrait),
            facts=portrait.facts,
            fact_ids=[identify(fact.claim, upto=asked.view.upto) for fact in portrait.facts],
            upto=asked.view.upto,
        )
        CountRepository(session).add(
            day=datetime.now(UTC).date(),
            library=asked.view.record.library,
            generator=portrait.provenance.generator,
            judge=portrait.provenance.judge,
            verdicts=[fact.verdict.label for fact in portrait.facts],
        )


@contextmanager
def _remembering(services: Services, asked: OpenRequest) -> Iterator[tuple[Generator, BookNotebook]]:
    """Yield the generator and a notebook, which it uses to tell the story. What is made up is not kept."""
    notebook = BookNotebook(
        services.database,
        asked.view.record.id,
        since=asked.since if asked.refresh else None,
        began=asked.began,
        job_id=asked.job_id,
    )
    generator = asked.generator
    if asked.request.task in STORIES and isinstance(generator, PortraitWriter):
        generator = generator.remembering(notebook)
    try:
        yield generator, notebook
    except DraftRejected as rejection:
        if rejection.unfounded:
            notebook.forget()
        raise


def _count_tokens(generator: str, usage: Usage) -> None:
    engine = generator.partition("/")[0]
    spent = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
    for kind, tokens in spent.items():
        metrics.TOKENS.labels(generator=engine, kind=kind).inc(tokens)


def _instead(
    services: Services, asked: OpenRequest, failure: Failure, audience: Audience | None, *, candid: bool
) -> Answer:
    request = asked.request
    wanted = Wanted(
        generator=FALLBACK,
        words=request.limits.words,
        seed=request.limits.seed,
        chapter=None if request.chapter is None else request.chapter + 1,
        question=request.question,
        language=request.language,
    )
    offline = open_request(
        services, asked.view, task=request.task, people=asked.context.people, wanted=wanted
    )
    remarked = replace(offline, remarks=asked.remarks)
    generator = request.provenance.generator
    return _in_place(services, remarked, generator, failure, audience, candid=candid)


def _in_place(
    services: Services,
    asked: OpenRequest,
    generator: str,
    failure: Failure,
    audience: Audience | None,
    *,
    candid: bool,
) -> Answer:
    """Return the offline answer with a note. It is stored under its own key, without the note."""
    told, who = failure.wording(candid=candid), _short(generator)
    note = _why(who, failure, told.detail)
    if candid and not isinstance(failure, DraftRejected):
        note += f" {told.remedy}"  # what readers could do is done: this is written without a model
    if audience is not None:
        audience.again(told.detail)
    offline = answer(services, asked, audience=audience)
    usage = failure.usage if isinstance(failure, DraftRejected) else Usage()
    _count_tokens(generator, usage)
    portrait = replace(
        offline.portrait,
        usage=offline.portrait.usage + usage,
        notes=(*offline.portrait.notes, note),
        rejected=RejectedDraft(generator=generator, reason=told.detail),
    )
    return replace(offline, portrait=portrait, cached=False)


def _why(who: str, failure: Failure, detail: str) -> str:
    """Return the note on an offline answer."""
    match failure:
        case DraftRejected():
            return f"What {who} wrote was rejected, so this is the offline answer: {detail}"
        case PromptTooLong():
            why = f"The prompt does not fit into the context of {who}"
        case GeneratorUnavailable():
            why = f"{who} is not available"
        case _:
            why = f"{who} does not answer"
    return f"{why}, so this is the offline answer: {detail}"


def _short(generator: str) -> str:
    """Return the name of a server's model without the rest; others as they are."""
    name = for_readers(generator)
    return generator if name == generator else name.partition(":")[2]


def _prompt(services: Services, asked: OpenRequest) -> Prompt:
    events = _events(asked)
    places = asked.view.places_of(events) if asked.request.question and events else _places(asked)
    return make_prompt(
        asked.context,
        task=asked.request.task,
        passages=_passages(services, asked, places),
        strategy=asked.request.provenance.strategy,
        summary=asked.request.summary,
        cast_list=asked.request.cast_list,
        telling=_telling(asked),
        events=events,
        chapter=asked.request.chapter,
        question=asked.request.question,
        language=asked.request.language,
        places=places,
    )


def _places(asked: OpenRequest) -> Sequence[AnsweringPlace]:
    """Return the places that may answer the question, if there is one."""
    question = asked.request.question
    if question is None or asked.request.provenance.strategy is not Strategy.RETRIEVE:
        return ()
    return places_for(asked.view, question, asked.context.people)


def _events(asked: OpenRequest) -> Sequence[EventSentence]:
    """Return the sentences that tell the story, or what happens in the chapters that a question names."""
    if (question := asked.request.question) is None:
        return asked.view.events() if _quotes_story(asked) or asked.request.limits.candidates > 1 else ()
    if asked.request.provenance.strategy is not Strategy.RETRIEVE:
        return ()
    return events_for(asked.view, question, asked.context.people)


def _quotes_story(asked: OpenRequest) -> bool:
    """Whether sentences that tell what happens are quoted: of a story told without a language model."""
    return asked.request.task in STORIES and asked.generator.prompts is None


def _telling(asked: OpenRequest) -> Sequence[TellingSentence]:
    """Return the sentences that a generator may quote, or make notes of, if the strategy shows any."""
    question, people = asked.request.question, asked.context.people
    if question is not None and not asks_who(question, people):
        notes = people if asked.generator.prompts is not None else ()
        return [s for person in notes for s in asked.view.introducing(person.id)]
    if asked.request.task is Task.RECAP and _quotes_story(asked):
        return [s for person in people_near(asked.context) for s in asked.view.introducing(person.id)]
    if asked.request.provenance.strategy is not Strategy.RETRIEVE:
        return ()
    return [s for person in asked.context.people for s in asked.view.telling(person.id)]


def _passages(services: Services, asked: OpenRequest, places: Sequence[AnsweringPlace]) -> Sequence[Passage]:
    """Return the passages that the strategy selects from the visible part of the book.

    A language model is shown those of the places that may answer a question.
    """
    if asked.request.question is not None:
        return () if asked.generator.prompts is None else asked.view.passages(places)
    request, chosen = asked.request, asked.request.provenance.retriever
    strategy = request.provenance.strategy
    name = source(strategy, None if chosen == answer_request.NONE else chosen)
    retriever = None if name is None else _retriever(services, asked, name)
    found = shown(
        strategy,
        retriever,
        generator=asked.generator,
        task=request.task,
        limits=request.limits,
        query=query_for(
            asked.view, asked.context.people, k=request.passages, token_budget=request.token_budget
        ),
    )
    return found if request.chapter is None else [p for p in found if p.chapter == request.chapter]


def _retriever(services: Services, asked: OpenRequest, name: str) -> Retriever:
    return asked.view.retriever(
        name,
        embedder=services.engines.embedder,
        count_tokens=asked.generator.count_tokens,
        bm25=services.settings.bm25,
    )


def _kept(services: Services, asked: OpenRequest) -> Portrait | None:
    with services.database.session(read_only=True) as session:
        payload = PortraitRepository(session).get(asked.view.record.id, asked.request.key)
    return serialise.from_dict(payload) if payload else None
