"""Answers about people: retrieve, write, check, and keep the result under the hash of all that went in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from books.errors import BookwormError
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.types import Character
from db.repositories import CharacterRepository, PortraitRepository
from generation import serialise
from generation.errors import NotYetMet
from generation.portraits import default_words, write
from generation.prompts import make_prompt
from generation.types import Claim, Limits, Portrait, Provenance, Task
from retrieval.types import Passage, Query
from service.errors import TooManyCharacters
from service.services import Services
from service.shelf import View
from service.usecases.characters import met, open_view, query_for

JOINT_DEFAULT = 6
JOINT_MOST = 24
EVIDENCE_PASSAGES = 6


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an answer is to be made; None means what the settings say."""

    upto: str | None = None
    retriever: str | None = None
    generator: str | None = None
    words: int | None = None
    seed: int = 0
    refresh: bool = False
    """Make it again even when the same answer is kept already."""


@dataclass(frozen=True, slots=True)
class Answer:
    portrait: Portrait
    book_id: str
    book_title: str
    cached: bool


def describe(
    services: Services,
    *,
    library: str,
    book_id: str,
    name: str,
    task: Task = Task.DESCRIPTION,
    wanted: Wanted = Wanted(),
) -> Answer:
    """A description or an analysis of one character."""
    view = open_view(services, library=library, book_id=book_id, upto=wanted.upto)
    return _answer(services, view, task, (met(view, name),), wanted)


def joint(
    services: Services,
    *,
    library: str,
    book_id: str,
    names: Sequence[str] = (),
    wanted: Wanted = Wanted(),
) -> Answer:
    """Several people in one answer; without names, the main cast."""
    if len(names) > JOINT_MOST:
        raise TooManyCharacters(f"{len(names)} characters were asked for; {JOINT_MOST} is the most.")
    view = open_view(services, library=library, book_id=book_id, upto=wanted.upto)
    people = {person.id: person for person in (met(view, name) for name in names)}
    cast = tuple(people.values()) or view.annotations.characters[:JOINT_DEFAULT]
    if not cast:
        raise CharacterUnknown("Nobody has been met in this book as far as you have read.")
    return _answer(services, view, Task.JOINT, cast, wanted)


def describe_by_name(
    services: Services,
    *,
    library: str,
    name: str,
    task: Task = Task.DESCRIPTION,
    book_id: str | None = None,
    wanted: Wanted = Wanted(),
) -> Answer:
    """The one character of that name in the library; where there are several, the error says who."""
    if book_id is None:
        book_id, name = only_one(services, library=library, name=name, upto=wanted.upto)
    return describe(services, library=library, book_id=book_id, name=name, task=task, wanted=wanted)


def only_one(services: Services, *, library: str, name: str, upto: str | None = None) -> tuple[str, str]:
    """The book and key of the only person of that name."""
    with services.database.session(read_only=True) as session:
        found = CharacterRepository(session).search(library=library, name=name)
    people = [(c.book_id, c.book_title, c.key, c.name) for c in found]
    if upto is not None:
        people = _met_in(services, library, name, dict.fromkeys(c.book_id for c in found), upto)
    if not people:
        raise _nobody(name, gated=upto is not None)
    if len(people) > 1:
        listed = "; ".join(f"{called} in {title or book}" for book, title, _, called in people)
        raise CharacterAmbiguous(
            f"“{name}” may be {len(people)} people: {listed}.",
            candidates=tuple(f"{book}/{key}" for book, _, key, _ in people),
            remedy="Ask again with the book and the key of one candidate; they are given as book/key.",
        )
    book_id, _, key, _ = people[0]
    return book_id, key


def _met_in(
    services: Services, library: str, name: str, books: Iterable[str], upto: str
) -> list[tuple[str, str | None, str, str]]:
    """Who is called `name` in each book as far as it is open.

    The library's table knows the names of whole books: to answer from it behind a gate would tell that two
    people turn out to be one.
    """
    people: list[tuple[str, str | None, str, str]] = []
    for book_id in books:
        view = open_view(services, library=library, book_id=book_id, upto=upto)
        with suppress(NotYetMet):
            person = met(view, name)
            people.append((book_id, view.book.title, person.id, person.name))
    return people


def _nobody(name: str, *, gated: bool) -> BookwormError:
    if gated:
        return NotYetMet(f"Nobody called “{name}” has appeared as far as you have read.")
    return CharacterUnknown(f"No book of this library has a character called “{name}”.")


def _answer(
    services: Services, view: View, task: Task, people: tuple[Character, ...], wanted: Wanted
) -> Answer:
    provenance = _provenance(services, view, wanted)
    words = wanted.words or default_words(task)
    key = _key(provenance, task, people, words, services)
    if not wanted.refresh and (kept := _kept(services, view, key)):
        return Answer(kept, view.record.id, view.book.title, cached=True)
    portrait = _make(services, view, task, people, Limits(words=words, seed=wanted.seed), provenance)
    with services.database.session() as session:
        PortraitRepository(session).put(
            view.record.id,
            key,
            task=task,
            characters=[person.id for person in people],
            payload=serialise.to_dict(portrait),
            facts=portrait.facts,
        )
    return Answer(portrait, view.record.id, view.book.title, cached=False)


def _make(
    services: Services,
    view: View,
    task: Task,
    people: tuple[Character, ...],
    limits: Limits,
    provenance: Provenance,
) -> Portrait:
    generator = services.engines.generator(provenance.generator.split("/")[0])
    retriever = view.retriever(
        provenance.retriever,
        embedder=services.engines.embedder,
        count_tokens=generator.count_tokens,
        bm25=services.settings.bm25,
    )
    query = query_for(view, people, k=services.settings.passages, token_budget=services.settings.token_budget)
    prompt = make_prompt(
        view.book,
        task=task,
        annotations=view.annotations,
        characters=people,
        passages=retriever.search(query),
        upto=view.upto,
    )
    return write(
        prompt,
        generator=generator,
        judge=services.engines.judge,
        limits=limits,
        evidence_for=_evidence(services, view),
        provenance=provenance,
    )


def _evidence(services: Services, view: View) -> Callable[[Claim], Sequence[Passage]]:
    """What bears on a claim: the passages of the gated book that share its words."""
    engine = view.retriever("bm25", embedder=services.engines.embedder, bm25=services.settings.bm25)

    def find(claim: Claim) -> Sequence[Passage]:
        return engine.search(Query(text=claim.text, k=EVIDENCE_PASSAGES, upto=view.upto))

    return find


def _provenance(services: Services, view: View, wanted: Wanted) -> Provenance:
    return Provenance(
        text_sha256=view.text_sha256,
        resolver=view.annotations.resolver,
        retriever=wanted.retriever or services.settings.retriever,
        generator=services.engines.generator(wanted.generator).name,
        judge=services.engines.judge.name,
        decisions=view.decisions,
        upto=view.upto,
        seed=wanted.seed,
    )


def _key(
    provenance: Provenance, task: Task, people: Sequence[Character], words: int, services: Services
) -> str:
    """Everything that could change the answer is in the key, so a kept answer is never a stale one."""
    inputs = {
        **asdict(provenance),
        "task": task,
        "characters": [person.id for person in people],
        "words": words,
        "passages": services.settings.passages,
        "token_budget": services.settings.token_budget,
        "embedder": services.settings.embedder,
        "bm25": services.settings.bm25,
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def _kept(services: Services, view: View, key: str) -> Portrait | None:
    with services.database.session(read_only=True) as session:
        payload = PortraitRepository(session).get(view.record.id, key)
    return serialise.from_dict(payload) if payload else None
