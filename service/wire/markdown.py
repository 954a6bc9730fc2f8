"""Answers as Markdown, with their sources as footnotes, for notes and wikis."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

from coref.export.tables import escaped, plain_block
from generation.checking.prisma import doubted_sentences
from generation.models.openai.address import for_readers
from generation.types import Label, Portrait, Provenance, Task
from service.shelf import View

_DOUBTS: Final = {
    Label.CONTRADICTED: "the book says otherwise",
    Label.UNSUPPORTED: "not borne out by the book",
}
_SAVED: Final = f"Saved by Bookworm {version('bookworm')}"
"""An answer that was stored may be older than the program that renders it."""


class Footnotes:
    """Numbers the sources of a text in order of first use, each once.

    Of several texts in one file each has a `prefix` of its own: a footnote is defined once in a file.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._lines: dict[tuple[int, int], str] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    def mark(self, place: tuple[int, int], *, chapter: int, words: str) -> str:
        """Return the mark of the source at an offset and up to another. The chapter counts from 1."""
        number = self._numbers.setdefault(place, len(self._numbers) + 1)
        label = f"[^{self._prefix}{number}]"
        self._lines.setdefault(place, f"{label}: Chapter {chapter}: {escaped(words)}")
        return label

    @property
    def text(self) -> str:
        return "\n".join(self._lines.values())


def answer_markdown(portrait: Portrait, *, view: View, prefix: str = "") -> str:
    """`view` is what the answer was made from, and `prefix` that of its footnotes."""
    notes, doubted = Footnotes(prefix), doubted_sentences(portrait.facts)
    blocks = beginning(_title(portrait), view=view)
    paragraph: list[str] = []
    for at, sentence in enumerate(portrait.sentences):
        if sentence.line or sentence.heading:
            blocks.append(plain_block(" ".join(paragraph)))
            paragraph = []
        if sentence.heading:
            blocks.append(f"## {escaped(sentence.heading)}")
        doubt = f" *({_DOUBTS[doubted[at]]})*" if at in doubted else ""
        marks = (
            notes.mark((c.span.start, c.span.end), chapter=c.chapter + 1, words=view.book.slice(c.span))
            for c in sentence.citations
        )
        paragraph.append(f"{escaped(sentence.text)}{doubt}{''.join(marks)}")
    blocks.append(plain_block(" ".join(paragraph)))
    return finished(blocks, notes, made_by=provenance_line(portrait.provenance))


def beginning(title: str, *, view: View) -> list[str]:
    """Return the title, and which book it is about: a file must say it where nothing else does."""
    record = view.record
    about = ", ".join(escaped(part) for part in (record.title, record.author, record.filename) if part)
    return [f"# {escaped(title)}", plain_block(about), *filter(None, [how_far(view)])]


def how_far(view: View) -> str:
    """Return how much of the book was used, if not all of it."""
    if view.upto is None:
        return ""
    if not view.book.chapters:
        return "From the book before its first chapter."
    where = "a place in" if view.midway else "the end of"
    return f"From the book up to {where} chapter {view.book.chapters[-1].number}."


def finished(blocks: Sequence[str], notes: Footnotes, *, made_by: str) -> str:
    ending = (notes.text, f"*{_SAVED}; {escaped(made_by)}*")
    return "\n\n".join(block for block in (*blocks, *ending) if block) + "\n"


def provenance_line(made: Provenance) -> str:
    """Return how an answer was made, so that it can be cited and made again."""
    engines = f"resolver {made.resolver}, retriever {made.retriever}, generator {for_readers(made.generator)}"
    shown = f", strategy {made.strategy.value}, prompts {made.prompts[:12]}" if made.prompts else ""
    found = f", extractor {for_readers(made.extractor)}" if made.extractor else ""
    tail = f"judge {for_readers(made.judge)}{shown}, seed {made.seed}, {made.decisions} corrections{found}"
    return f"text {made.text_sha256[:12]}, {engines}, {tail}"


def _title(portrait: Portrait) -> str:
    names = ", ".join(character.name for character in portrait.characters)
    if told := portrait.question or names:
        return told
    if portrait.chapter is not None:
        return f"Chapter {portrait.chapter + 1}"
    return "Recap" if portrait.task is Task.RECAP else "Summary"
