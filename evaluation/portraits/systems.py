"""The systems by name: extracts, Bookworm's own writer, a language model that is shown parts of the book."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import generation
from books.errors import BookwormError
from books.types import text_sha256
from coref.types import Character
from evaluation.portraits import extracts
from evaluation.portraits.errors import SystemUnknown, TaskUnsupported
from evaluation.portraits.result_log import key_of
from evaluation.portraits.types import System, SystemAnswer, SystemEngines, SystemQuestion
from generation import answering
from generation.contexts import make_context
from generation.errors import SummaryMissing
from generation.protocols import Generator
from generation.types import AnswerLimits, Draft, Portrait, Prompt, Provenance, Strategy, Task, Usage
from generation.writing.modelless import Modelless
from generation.writing.passage_selection import query_for, shown, source
from generation.writing.prompts import make_prompt


@dataclass(frozen=True, slots=True)
class ExtractSystem:
    """A system of sentences from the book, which are checked like any other answer if a metric needs it."""

    name: str
    engines: SystemEngines
    pick: extracts.Pick
    heeds_reference: bool = False

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        return {
            "version": extracts.VERSION,
            "sentences": question.sentences,
            "reference": text_sha256(question.reference) if self.heeds_reference else None,
            **(_checks(self.engines) if self.engines.checks_extracts else {}),
        }

    def describe(self, question: SystemQuestion) -> SystemAnswer:
        writer = extracts.Extracting(self.name, self.pick, question)
        opened = question.opened
        context = make_context(opened.book, annotations=opened.annotations, people=[question.character])
        prompt = make_prompt(context, task=question.task)
        if self.engines.checks_extracts:
            return _answer(question, prompt, self.engines, writer, None)
        start = perf_counter()
        draft = writer.draft(prompt, _limits(question, self.engines))
        return SystemAnswer(_text(draft), replace(draft.usage, seconds=perf_counter() - start))


@dataclass(frozen=True, slots=True)
class WriterSystem:
    """A writer and the part of the book that it sees; without a retriever, the whole or nothing."""

    name: str
    engines: SystemEngines
    writer: Generator
    strategy: Strategy = Strategy.RETRIEVE
    retriever: str | None = None
    cast_list: bool = False
    notes: bool = False

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        summary = question.summary if self.strategy is Strategy.SUMMARY else None
        return {
            "generator": self.writer.name,
            "prompts": self.writer.prompts,
            "code": None if self.writer.prompts else _code(),
            "strategy": self.strategy.value,
            "retriever": self.retriever,
            "cast_list": self.cast_list,
            "notes": self.notes,
            "passages": self.engines.passages or answering.default_passages(question.task),
            "token_budget": self.engines.token_budget,
            "bm25": self.engines.bm25.value,
            "embedder": self.engines.embedder.name,
            "temperature": self.engines.temperature,
            "words": question.words,
            "summary": summary and text_sha256(summary),
            **_checks(self.engines),
        }

    def describe(self, question: SystemQuestion) -> SystemAnswer:
        if self.strategy is Strategy.SUMMARY and not question.summary:
            raise SummaryMissing(f"There is no summary of {question.opened.book.title}.")
        prompt = self.prompt(question, question.task, [question.character])
        return _answer(question, prompt, self.engines, self.writer, self.retriever)

    def prompt(self, question: SystemQuestion, task: Task, people: Sequence[Character]) -> Prompt:
        opened, engines = question.opened, self.engines
        name = source(self.strategy, self.retriever)
        return make_prompt(
            make_context(opened.book, annotations=opened.annotations, people=people),
            task=task,
            passages=shown(
                self.strategy,
                None if name is None else opened.retriever(name, engines, self.writer.count_tokens),
                generator=self.writer,
                task=task,
                limits=_limits(question, engines),
                query=query_for(
                    people,
                    k=engines.passages or answering.default_passages(task),
                    token_budget=engines.token_budget,
                ),
            ),
            strategy=self.strategy,
            summary=question.summary if self.strategy is Strategy.SUMMARY else None,
            cast_list=self.cast_list,
            telling=[s for person in people for s in opened.telling(person.id)] if self.notes else (),
        )


@dataclass(frozen=True, slots=True)
class JointSystem:
    """A writer that describes all people of a book in one text. Each answer is the entry of one person."""

    single: WriterSystem
    """Says what the writer sees, and would describe one person."""
    drafts: dict[str, Draft | BookwormError] = field(default_factory=dict)
    """What was written in this run, or why there is nothing, so that it is not requested for each person."""

    @property
    def name(self) -> str:
        return self.single.name

    def made_of(self, question: SystemQuestion) -> Mapping[str, object]:
        passages = self.single.engines.passages or answering.default_passages(Task.JOINT)
        people = {c.id: c.name for c in _people(question)}
        return {**self.single.made_of(question), "passages": passages, "people": people}

    def describe(self, question: SystemQuestion) -> SystemAnswer:
        if question.task is not Task.DESCRIPTION:
            raise TaskUnsupported(f"The system `{self.name}` writes descriptions and no {question.task}.")
        entry = _entry(self._draft(question), question)
        opened, single = question.opened, self.single
        context = make_context(opened.book, annotations=opened.annotations, people=[question.character])
        prompt = make_prompt(context, task=question.task, strategy=single.strategy)
        answer = _answer(question, prompt, single.engines, _Written(single.writer, entry), single.retriever)
        seconds = answer.usage.seconds + entry.usage.seconds
        return replace(answer, usage=replace(answer.usage, seconds=seconds))

    def _draft(self, question: SystemQuestion) -> Draft:
        opened = question.opened
        made_of = {
            **self.made_of(question),
            "book": opened.book.sha256,
            "resolver": opened.annotations.resolver,
            "seed": question.seed,
        }
        key = key_of(made_of)
        if key not in self.drafts:
            try:
                self.drafts[key] = self._write(question)
            except BookwormError as error:
                self.drafts[key] = error
        draft = self.drafts[key]
        if isinstance(draft, BookwormError):
            raise draft
        return draft

    def _write(self, question: SystemQuestion) -> Draft:
        prompt = self.single.prompt(question, Task.JOINT, _people(question))
        start = perf_counter()
        draft = self.single.writer.generate(prompt, _limits(question, self.single.engines))
        return replace(draft, usage=replace(draft.usage, seconds=perf_counter() - start))


class _Written(Modelless):
    """Returns a text that its writer has written already."""

    def __init__(self, writer: Generator, text: Draft) -> None:
        self.name, self.prompts = writer.name, writer.prompts
        self._text = text

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:  # noqa: ARG002 - it is written
        return self._text


def _people(question: SystemQuestion) -> tuple[Character, ...]:
    return question.together or (question.character,)


def _entry(draft: Draft, question: SystemQuestion) -> Draft:
    """Return what a joint draft says of one person, without the heading, for an equal share of the cost."""
    who, people = question.character.id, [c.id for c in _people(question)]
    return replace(
        draft,
        sentences=tuple(replace(s, heading=None) for s in draft.sentences if s.characters == (who,)),
        usage=_share(draft.usage, of=len(people), at=people.index(who)),
    )


def _share(usage: Usage, *, of: int, at: int) -> Usage:
    """Return an equal share, rounded so that all shares add up to the whole. Calls are not shared."""
    return replace(
        usage,
        prompt_tokens=(usage.prompt_tokens + at) // of,
        completion_tokens=(usage.completion_tokens + at) // of,
        seconds=usage.seconds / of,
    )


def _answer(
    question: SystemQuestion,
    prompt: Prompt,
    engines: SystemEngines,
    writer: Generator,
    retriever: str | None,
) -> SystemAnswer:
    start = perf_counter()
    portrait = answering.write(
        prompt,
        generator=writer,
        judge=engines.judge,
        extractor=engines.extractor,
        limits=_limits(question, engines),
        retriever=question.opened.retriever("bm25", engines),
        provenance=_provenance(question, engines, writer, prompt.strategy, retriever),
    )
    seconds = perf_counter() - start
    return SystemAnswer(_text(portrait), replace(portrait.usage, seconds=seconds), portrait)


def _limits(question: SystemQuestion, engines: SystemEngines) -> AnswerLimits:
    return AnswerLimits(words=question.words, seed=question.seed, temperature=engines.temperature)


def _checks(engines: SystemEngines) -> dict[str, object]:
    return {"judge": engines.judge.name, "extractor": engines.extractor.name}


def _text(portrait: Portrait | Draft) -> str:
    """Return the text without headings; a section begins a new paragraph."""
    parts = [
        ("\n\n" if s.heading and at else " " if at else "") + s.text
        for at, s in enumerate(portrait.sentences)
    ]
    return "".join(parts)


def _provenance(
    question: SystemQuestion,
    engines: SystemEngines,
    writer: Generator,
    strategy: Strategy,
    retriever: str | None,
) -> Provenance:
    return Provenance(
        text_sha256=question.opened.book.sha256,
        resolver=question.opened.annotations.resolver,
        retriever=retriever or "none",
        generator=writer.name,
        judge=engines.judge.name,
        decisions=0,
        upto=None,
        seed=question.seed,
        strategy=strategy,
        prompts=writer.prompts,
        extractor=engines.extractor.name,
    )


def _code() -> str:
    """Hash the code of Bookworm's writer.

    Without a model the code is the writer, and its name changes less often.
    """
    digest = sha256()
    home = Path(generation.__file__).parent
    for path in sorted(p for p in home.rglob("*") if p.suffix in {".py", ".txt"}):
        digest.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _offline(name: str, engines: SystemEngines) -> System:
    from generation.registry import make_generator

    return WriterSystem(name, engines, make_generator("offline"), notes=True)


def _model(
    strategy: Strategy, retriever: str | None = None, *, cast_list: bool = False, notes: bool = False
) -> Callable[[str, SystemEngines], WriterSystem]:
    def make(name: str, engines: SystemEngines) -> WriterSystem:
        writer = engines.generator
        if writer is None or writer.prompts is None:
            reason = f"`{writer.name.partition('/')[0]}` has none" if writer else "no generator is given"
            raise SystemUnknown(f"The system `{name}` needs a language model, and {reason}.")
        return WriterSystem(name, engines, writer, strategy, retriever, cast_list, notes)

    return make


_telling = _model(Strategy.RETRIEVE, "telling", cast_list=True, notes=True)
_stretches = _model(Strategy.HIERARCHICAL, "lead", cast_list=True)

SYSTEMS: dict[str, Callable[[str, SystemEngines], System]] = {
    "lead": lambda name, engines: ExtractSystem(name, engines, extracts.lead),
    "random": lambda name, engines: ExtractSystem(name, engines, extracts.at_random),
    "oracle": lambda name, engines: ExtractSystem(name, engines, extracts.oracle, heeds_reference=True),
    "offline": _offline,
    "truncation": _model(Strategy.LEAD, "lead"),
    "bm25": _model(Strategy.RETRIEVE, "bm25"),
    "mentions": _model(Strategy.RETRIEVE, "mentions"),
    "cast": _model(Strategy.RETRIEVE, "mentions", cast_list=True),
    "telling": _telling,
    "joint": lambda name, engines: JointSystem(_telling(name, engines)),
    "dense": _model(Strategy.RETRIEVE, "dense"),
    "hybrid": _model(Strategy.RETRIEVE, "hybrid"),
    "hierarchical": _model(Strategy.HIERARCHICAL, "lead"),
    "hierarchical-cast": _stretches,
    "hierarchical-joint": lambda name, engines: JointSystem(_stretches(name, engines)),
    "no-context": _model(Strategy.NO_CONTEXT),
    "summary": _model(Strategy.SUMMARY),
}
"""`lead`, `random` and `oracle` are extracts; `truncation` is a model that is shown the book's beginning.
`telling` is what the service does by default, and `joint` the same for several people in one text.
`hierarchical`, `hierarchical-cast` and `hierarchical-joint` are the rows of the BookWorm paper's table 5.
"""


def make_systems(names: Sequence[str], engines: SystemEngines) -> list[System]:
    """Return the systems in the requested order."""
    if unknown := [name for name in names if name not in SYSTEMS]:
        raise SystemUnknown(f"There is no system `{unknown[0]}`.")
    return [SYSTEMS[name](name, engines) for name in dict.fromkeys(names)]
