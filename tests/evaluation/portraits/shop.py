"""A small book with a cast whose mentions are known, and engines that need no weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from books.reading import read
from books.types import Book, Span
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind
from evaluation.datasets.types import DatasetEntry
from evaluation.portraits.running import ReferencedBook
from evaluation.portraits.types import OpenedBook, SystemEngines, SystemQuestion
from generation.checking.protocols import Judged
from generation.checking.types import Case
from generation.protocols import Generator
from generation.types import Label, Task, Verdict
from retrieval.registry import make_embedder
from tests.novella import indexed

STORY = """CHAPTER I. Anne and the Lamp

The rain fell on the harbour for a week. Nobody looked at the sea.

Anne kept the lamp at the point. She was patient and proud. The wind rose.

“Bring the rope!” cried Peter. Anne ran down the stairs.

CHAPTER II. The Boat

A boat came in. It was empty. Peter looked at it and wept.

She lit the lamp again and forgave her brother.

Peter married in June. Anne danced at the wedding.
"""
SENTENCES = [
    "Anne kept the lamp at the point.",
    "She was patient and proud.",
    "Anne ran down the stairs.",
    "She lit the lamp again and forgave her brother.",
    "Anne danced at the wedding.",
]
"""The sentences that mention Anne; the heading is none."""
ANNE = "Anne keeps the lamp at the point, patient and proud. In the end she forgives her brother."
PETER = "Peter cries for the rope and weeps at an empty boat. He marries in June."
JOINT = f"## Anne\n{ANNE}\n\n## Peter\n{PETER}"
"""What a language model says of both."""


def book() -> Book:
    return read(STORY.encode(), title="The Lamp", author="Ann Writer")


def person(key: str, *names: str, pronouns: str) -> Character:
    aliases = tuple(Alias(name, 1, STORY.index(name)) for name in names)
    return Character(key, names[0], aliases, CharacterKind.PERSON, pronouns, 5, STORY.index(names[0]))


def annotations(text: str = STORY) -> Annotations:
    cast = (person("anne", "Anne", pronouns="she/her"), person("peter", "Peter", pronouns="he/him"))
    found: list[Mention] = []
    for name, who, kind in (
        ("Anne", "anne", MentionKind.PROPER),
        ("She ", "anne", MentionKind.PRONOUN),
        ("Peter", "peter", MentionKind.PROPER),
    ):
        at = text.find(name)
        while at >= 0:
            found.append(Mention(Span(at, at + len(name.strip())), kind, who, name.strip()))
            at = text.find(name, at + 1)
    return Annotations("test/1", cast, tuple(sorted(found, key=lambda m: m.key)), ())


class Believer:
    """Judges everything to be true, without reading."""

    name = "believer/1"

    def judge(self, cases: Sequence[Case]) -> Judged:
        return Judged([Verdict(Label.SUPPORTED, 1.0, (), self.name) for _ in cases])


def opened(folder: Path) -> OpenedBook:
    made = book()
    index = indexed(made, folder)
    return OpenedBook(made, annotations(), lambda: index)


def engines(generator: Generator | None = None) -> SystemEngines:
    return SystemEngines(make_embedder("hashing"), Believer(), generator)


def question(
    there: OpenedBook,
    *,
    who: str = "anne",
    reference: str = "",
    sentences: int = 2,
    seed: int = 0,
    words: int = 40,
    summary: str | None = None,
    task: Task = Task.DESCRIPTION,
    together: Sequence[str] = (),
) -> SystemQuestion:
    character = there.annotations.character(who)
    assert character is not None
    people = tuple(c for c in there.annotations.characters if c.id in together)
    return SystemQuestion(there, character, task, words, sentences, seed, reference, summary, people)


def case(text: str, *, who: str = "Anne", line: int = 1, task: Task = Task.DESCRIPTION) -> ReferencedBook:
    entry = DatasetEntry(line, "1", "The Lamp", "Ann Writer", who, task, text, "somebody")
    return ReferencedBook(entry, Path("lamp.txt"), "set.jsonl")
