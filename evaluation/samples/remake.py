"""Make the samples again: `python -m evaluation.samples.remake FOLDER`, for the novels in `NOVELS`.

There is one Markdown file per novel: descriptions and analyses of its three main characters by the offline
generator, and under each answer the sentences of the book that support it.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from books.reading import read
from books.types import Book
from coref.registry import make_resolver
from coref.types import Annotations, Character, CharacterKind
from generation.contexts import make_context
from generation.registry import make_generator
from generation.types import AnswerLimits, Citation, Draft, Task
from generation.writing.prompts import make_prompt

HERE = Path(__file__).parent
NOVELS = (
    "1342_pride_and_prejudice",
    "158_emma",
    "120_treasure_island",
    "2852_the_hound_of_the_baskervilles",
    "113_the_secret_garden",
    "345_dracula",
    "768_wuthering_heights",
    "1260_jane_eyre",
    "514_little_women",
    "74_the_adventures_of_tom_sawyer",
)
"""Prefixes of the file names."""
PEOPLE = 3
TASKS = {Task.DESCRIPTION: 90, Task.ANALYSIS: 600}
"""The tasks with their maximum words."""
_QUOTED = 160
"""Characters shown of a sentence of the book."""


def remake(folder: Path, out: Path = HERE) -> Iterator[Path]:
    """Yield the files made, one after another: a novel takes about a minute."""
    resolver = make_resolver("native")
    for name in NOVELS:
        source = next(p for p in sorted(folder.iterdir()) if p.name.startswith(name))
        data = gzip.decompress(source.read_bytes()) if source.suffix == ".gz" else source.read_bytes()
        book = read(data, name=source.name.removesuffix(".gz").partition("_")[2])
        made = out / f"{name.partition('_')[2]}.md"
        made.write_text(sample(book, resolver.annotate(book)), "utf-8")
        yield made


def sample(book: Book, annotations: Annotations) -> str:
    """Return the answers about one book."""
    people = [c for c in annotations.characters if c.kind is CharacterKind.PERSON][:PEOPLE]
    answers = [part for c in people for part in _answers(book, annotations, c)]
    return "\n\n".join([f"# {book.title.capitalize()}", *answers]) + "\n"


def _answers(book: Book, annotations: Annotations, character: Character) -> Iterator[str]:
    generator = make_generator("offline")
    yield f"## {character.name}"
    for task, words in TASKS.items():
        prompt = make_prompt(make_context(book, annotations=annotations, people=[character.id]), task=task)
        draft = generator.generate([prompt], AnswerLimits(words=words))[0]
        yield f"### {task.value.capitalize()}"
        yield from _paragraphs(draft)
        yield "\n".join(_notes(book, draft))


def _paragraphs(draft: Draft) -> Iterator[str]:
    """Yield a paragraph for each heading, with the numbers of its notes."""
    lines: list[str] = []
    for number, sentence in enumerate(draft.sentences, 1):
        if sentence.heading:
            if lines:
                yield " ".join(lines)
            yield f"**{sentence.heading}**"
            lines = []
        lines.append(f"{sentence.text} [{number}]")
    yield " ".join(lines)


def _notes(book: Book, draft: Draft) -> Iterator[str]:
    for number, sentence in enumerate(draft.sentences, 1):
        yield f"- [{number}] " + "; ".join(_quoted(book, c) for c in sentence.citations)


def _quoted(book: Book, citation: Citation) -> str:
    text = " ".join(book.slice(citation.span).split())
    cut = text if len(text) <= _QUOTED else f"{text[:_QUOTED].rsplit(' ', 1)[0]} …"
    return f"ch. {citation.chapter + 1}: “{cut.replace('*', '').replace('_', '')}”"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the samples of offline answers again.")
    parser.add_argument("folder", type=Path, help="the folder with the novels")
    parser.add_argument("--out", type=Path, default=HERE, help="where the samples go")
    options = parser.parse_args(arguments)
    for made in remake(options.folder, options.out):
        sys.stdout.write(f"{made}\n")


if __name__ == "__main__":
    main()
