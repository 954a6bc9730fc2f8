"""Annotations as CoNLL-2012: one word per line, a blank line after each sentence, clusters as brackets.

Each chapter is a part, or the whole book is one (`whole`). Scorers of these files know no clusters across
parts, although our numbers are the same in all parts. A mention of nothing known is in no cluster.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from books.types import Book
from coref.booknlp.output_files import UNRESOLVED
from coref.export.booknlp import cluster_numbers, cluster_of
from coref.export.words import ExportedWord, NumberedWords, cut
from coref.types import Annotations


def to_conll(book: Book, annotations: Annotations, *, whole: bool = False) -> str:
    """Return the document. Columns without data are `-`, or `*` where the format has brackets."""
    sheet = cut(book, annotations)
    marks, speakers = _marks(annotations, sheet), _speakers(annotations, sheet)
    name = re.sub(r"\W+", "_", book.title).strip("_") or "book"
    lines: list[str] = []
    part = sentence = -1
    for number, word in enumerate(sheet.words):
        if lines and word.sentence != sentence:
            lines.append("")
        if (now := 0 if whole else word.chapter) != part:
            lines += ["#end document", *_begin(name, now)] if lines else _begin(name, now)
        part, sentence = now, word.sentence
        lines.append(_line(name, part, word, speakers.get(number, "-"), marks.get(number, "-")))
    return "\n".join([*lines, "", "#end document", ""]) if lines else ""


def _begin(name: str, part: int) -> list[str]:
    return [f"#begin document ({name}); part {part:03d}"]


def _line(name: str, part: int, word: ExportedWord, speaker: str, clusters: str) -> str:
    known = (name, str(part), str(word.place), word.text, "-", "*", "-", "-", "-", speaker, "*")
    return "\t".join((*known, clusters))


def _marks(annotations: Annotations, sheet: NumberedWords) -> dict[int, str]:
    """Return the last column: what opens and closes at each word.

    Outer mentions open first and close last.
    """
    clusters = cluster_numbers(annotations)
    opening: dict[int, list[str]] = defaultdict(list)
    closing: dict[int, list[tuple[int, str]]] = defaultdict(list)
    alone: dict[int, list[str]] = defaultdict(list)
    for mention in annotations.mentions:
        (first, last), cluster = sheet.range(mention.span), cluster_of(mention, clusters)
        if cluster == UNRESOLVED:
            continue
        if first == last:
            alone[first].append(f"({cluster})")
        else:
            opening[first].append(f"({cluster}")
            closing[last].append((-first, f"{cluster})"))
    return {
        at: "|".join((*opening[at], *alone[at], *(text for _, text in sorted(closing[at]))))
        for at in {*opening, *closing, *alone}
    }


def _speakers(annotations: Annotations, sheet: NumberedWords) -> dict[int, str]:
    return dict(_spoken_words(annotations, sheet))


def _spoken_words(annotations: Annotations, sheet: NumberedWords) -> Iterator[tuple[int, str]]:
    for quote in annotations.quotes:
        if quote.speaker is not None:
            first, last = sheet.range(quote.span)
            yield from ((number, quote.speaker) for number in range(first, last + 1))
