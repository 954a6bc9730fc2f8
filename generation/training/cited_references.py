"""Attach the numbers of passages to the sentences of a reference, as an answer cites them.

A reference comes without citations. Learnt like that, it would teach a model to leave them out. Each sentence
gets the passage among those shown that bears it out best, by the same reading that verifies a model's
citations, and none if no passage does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from books.types import Span
from generation.types import Prompt
from generation.writing.passage_relevance import RelevanceReader
from retrieval import sentences

_STOP: Final = re.compile(r"(?P<stop>[.!?…]*[”’\"')\]]*)$")
_HEADING: Final = re.compile(r"#+ ")


def cited(reference: str, prompt: Prompt, numbers: Sequence[int]) -> str:
    """Return the reference with citations. `numbers` are those of the passages that the prompt shows."""
    said = _sentences(reference)
    if not said or not numbers:
        return reference
    reader = RelevanceReader(prompt.context)
    about = tuple(person.id for person in prompt.context.people)
    shown = [prompt.passages[n - 1] for n in numbers]
    number_of = {p.span: n for p, n in zip(shown, numbers, strict=True)}
    claims = [reader.claim(span.of(reference), about if len(about) == 1 else ()) for span in said]
    pairs = [(at, p) for at, claim in enumerate(claims) for p in reader.likeliest(claim, shown)]
    best: dict[int, tuple[float, int]] = {}
    for (at, passage), read in zip(pairs, reader.read([(claims[at], p) for at, p in pairs]), strict=True):
        if read.cited:
            best[at] = max(best.get(at, (0.0, 0)), (read.support, number_of[passage.span]))
    return _marked(reference, {said[at].end: number for at, (_, number) in best.items()})


def _sentences(text: str) -> list[Span]:
    """Return the sentences outside headings."""
    found: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        if not _HEADING.match(line):
            found += sentences.split(text, Span(start, start + len(line)))
        start += len(line)
    return found


def _marked(text: str, numbers: dict[int, int]) -> str:
    """Insert each number before the stop of the sentence that ends there."""
    pieces: list[str] = []
    begin = 0
    for end in sorted(numbers):
        stop = _STOP.search(text, begin, end)
        at = end if stop is None else stop.start()
        pieces += text[begin:at], f" [{numbers[end]}]", text[at:end]
        begin = end
    return "".join((*pieces, text[begin:]))
