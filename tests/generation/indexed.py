"""A small book with an index, for the cards and texts that quote it."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from books.gate import cut
from books.types import Book
from coref.gate import gate
from coref.types import Annotations
from generation.contexts import make_context
from generation.story.profile import make_profile
from generation.story.types import Profile
from generation.types import AnswerLimits, Context, Draft, Prompt, Task
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.prompts import make_prompt
from retrieval.index import BookIndex
from retrieval.telling.sentences import telling_sentences
from retrieval.types import TellingSentence
from tests.novella import indexed


class IndexedStory:
    """A book as far as a reader has read; `upto(n)` is the same after chapter n. Each is told of once."""

    def __init__(
        self, book: Book, annotations: Annotations, index: BookIndex, end: int | None = None
    ) -> None:
        self._book, self._annotations, self._index, self.end = book, annotations, index, end
        self.upto, self.telling, self.card = cache(self._upto), cache(self._telling), cache(self._card)

    @classmethod
    def make(cls, book: Book, annotations: Annotations, folder: Path) -> IndexedStory:
        return cls(book, annotations, indexed(book, folder))

    def _upto(self, chapter: int) -> IndexedStory:
        return IndexedStory(self._book, self._annotations, self._index, self._book.end_of_chapter(chapter))

    @cached_property
    def book(self) -> Book:
        return self._book if self.end is None else cut(self._book, self.end)

    @cached_property
    def annotations(self) -> Annotations:
        return gate(self._annotations, upto=self.end)

    def _telling(self, character: str) -> tuple[TellingSentence, ...]:
        return telling_sentences(self._index, self.annotations, character, upto=self.end)

    def context(self, *people: str) -> Context:
        return make_context(self.book, annotations=self.annotations, people=people, upto=self.end)

    def _card(self, character: str) -> Profile:
        context = self.context(character)
        return make_profile(context, context.people[0], self.telling(character))

    def prompt(self, task: Task, *people: str) -> Prompt:
        telling = [s for person in people for s in self.telling(person)]
        return make_prompt(self.context(*people), task=task, telling=telling)

    def draft(self, task: Task, *people: str, words: int = 90) -> Draft:
        return OfflineGenerator().draft(self.prompt(task, *people), AnswerLimits(words=words))
