"""The books in the library on which a language model is trained, and the prompts about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from books.errors import BookwormError
from service.cli import output, progress
from service.cli.library import NO_BOOK, mend_here, take_in
from service.cli.session import Session

if TYPE_CHECKING:
    from coref.types import Character
    from evaluation.datasets.splits import Known
    from generation.training.base_model import TrainingBase
    from generation.training.types import PlacedSample, Recipe, TrainingLesson, TrainingSample
    from generation.types import Prompt
    from generation.writing.templating import Templates
    from retrieval.protocols import CountTokens
    from retrieval.types import Passage
    from service.library import Library
    from service.services import Services
    from service.settings import Settings
    from service.shelf import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prompting:
    """Options for building prompts."""

    retriever: str
    budget: int | None
    """Maximum tokens of passages; None for as many as there is room for."""
    cast_list: bool
    templates: Templates
    passages: int | None

    @staticmethod
    def of(
        settings: Settings, *, retriever: str | None, budget: int | None, cast_list: bool | None
    ) -> Prompting:
        """Options that are not given are taken from the settings."""
        from generation.writing.templating import Templates

        return Prompting(
            retriever=retriever or settings.retriever,
            budget=budget or settings.token_budget,
            cast_list=settings.cast_list if cast_list is None else cast_list,
            templates=Templates.load(settings.templates, settings.prompts),
            passages=settings.passages,
        )

    def told(self) -> dict[str, Any]:
        """The values for a manifest."""
        return {
            "templates": self.templates.hash,
            "retriever": self.retriever,
            "budget": self.budget,
            "cast_list": self.cast_list,
            "passages": self.passages,
        }


def lessons(
    session: Session,
    data: Path,
    prompting: Prompting,
    base: TrainingBase,
    recipe: Recipe,
    *,
    skip_unknown: bool = False,
) -> list[TrainingLesson]:
    """Every line of the data with its prompt. Books that are files are added to the library first."""
    from evaluation.datasets import samples, splits
    from generation.training.tokenized_samples import ChatCoder, lesson_of

    read = samples.read(data)
    coder = ChatCoder(base.tokenizer())
    files = any(path.is_file() for sample in read for path in _paths(sample.book, data.parent))
    made: list[TrainingLesson] = []
    with session.services(jobs_here=files) as services:
        bookcase = Bookcase(services, session, data.parent, prompting, coder.count)
        known = bookcase.known(read, skip_unknown=skip_unknown)
        if len(known) < len(read):
            output.tell(f"Left out: {len(read) - len(known)}, whose name fits nobody, or several people.")
        placed = splits.place(known, seed=recipe.seed)
        with progress.bar("Finding passages") as told:
            for each in placed:
                made.append(
                    lesson_of(
                        each,
                        coder=coder,
                        templates=prompting.templates,
                        prompt_of=bookcase.prompt,
                        tokens=recipe.tokens,
                        budget=prompting.budget,
                    )
                )
                told(len(made) / len(placed))
    return made


@dataclass(slots=True)
class Bookcase:
    services: Services
    session: Session
    beside: Path
    """Files are searched for in the working folder, then in this one."""
    prompting: Prompting
    count: CountTokens
    _ids: dict[str, str] = field(default_factory=dict)

    def known(self, samples: Sequence[TrainingSample], *, skip_unknown: bool = False) -> list[Known]:
        """The samples with the title and text of their books. Errors are reported with their line."""
        from coref.errors import CharacterAmbiguous, CharacterUnknown
        from evaluation.datasets.samples import refuse

        found: list[Known] = []
        wrong: list[str] = []
        for sample in samples:
            try:
                found.append(self._mended(partial(self._known, sample)))
            except BookwormError as error:
                if not (skip_unknown and isinstance(error, CharacterUnknown | CharacterAmbiguous)):
                    wrong.append(f"line {sample.line}: {error.wording(candid=True).detail}")
        refuse(wrong, of="The data")
        return found

    def prompt(self, placed: PlacedSample, tokens: int | None) -> Prompt:
        """The prompt, with passages of at most `tokens` tokens if given."""
        return self._mended(partial(self._prompt, placed.sample, tokens))

    def _prompt(self, sample: TrainingSample, tokens: int | None) -> Prompt:
        from generation.answering import default_passages
        from generation.contexts import make_context
        from generation.writing.prompts import make_prompt
        from service.usecases.characters import query_for

        view, people = self._view(sample)
        passages: list[Passage] = []
        if tokens is None or tokens > 0:
            engine = view.retriever(
                self.prompting.retriever,
                embedder=self.services.engines.embedder,
                count_tokens=self.count,
                bm25=self.services.settings.bm25,
            )
            query = query_for(
                view, people, k=self.prompting.passages or default_passages(sample.task), token_budget=tokens
            )
            passages = engine.search(query)
        return make_prompt(
            make_context(view.book, annotations=view.annotations, people=people, upto=view.upto),
            task=sample.task,
            passages=passages,
            cast_list=self.prompting.cast_list,
            telling=[s for person in people for s in view.telling(person.id)],
        )

    def _known(self, sample: TrainingSample) -> Known:
        view, people = self._view(sample)
        if lacking := list(_without_entry(sample, people)):
            raise BookwormError(f"the reference has no line “## {lacking[0]}” with an entry under it.")
        return sample, view.book.title, view.text_sha256

    def _view(self, sample: TrainingSample) -> tuple[View, list[Character]]:
        from service.usecases.characters import met

        view = self._library().view(self._id(sample.book), sample.upto)
        return view, [met(view, name) for name in sample.characters]

    def _id(self, book: str) -> str:
        if book not in self._ids:
            self._ids[book] = self._found(book)
        return self._ids[book]

    def _found(self, book: str) -> str:
        from service.errors import BookUnknown

        for path in _paths(book, self.beside):
            if path.is_file():
                return take_in(self.services, self.session, file=path).book.id
        try:
            return self._library().book(book).id
        except BookUnknown:
            raise BookUnknown(f"There is no book or file “{book}”.", remedy=NO_BOOK) from None

    def _library(self) -> Library:
        from service.library import Library

        return Library(self.services, self.session.library)

    def _mended(self, action: Callable[[], T]) -> T:
        """Repeats the action once if a damaged book was reprocessed."""
        from retrieval.errors import IndexStale

        try:
            return action()
        except IndexStale as unsound:
            if unsound.job is None:
                raise
            mend_here(self.services, self.session, unsound, job_id=unsound.job)
        return action()


def _paths(book: str, beside: Path) -> tuple[Path, Path]:
    return Path(book).expanduser(), beside / book


def _without_entry(sample: TrainingSample, people: Sequence[Character]) -> Iterator[str]:
    """Names of the characters of a joint description that have no entry of their own, as prompts require."""
    from generation.types import Task
    from generation.writing.answer_parsing import sections

    if sample.task is not Task.JOINT:
        return
    told = {(s.heading or "").casefold() for s in sections(sample.reference) if s.body.strip()}
    yield from (person.name for person in people if person.name.casefold() not in told)
