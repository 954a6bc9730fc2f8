"""Texts on parts of a book that keep the numbers of its passages, so that a text made of them can cite it."""

from __future__ import annotations

from collections.abc import Sequence

from generation.writing.answer_parsing import WrittenSentence, numbers_in, parse


def keeping(text: str, numbers: Sequence[int]) -> str:
    """Return a text on one line, with only the markers of passages that the model was shown."""
    known = frozenset(numbers)
    return " ".join(_marked(said, [n for n in said.numbers if n in known]) for said in parse(text))


def numbers_of(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted({number for text in texts for number in numbers_in(text)}))


def _marked(said: WrittenSentence, numbers: Sequence[int]) -> str:
    if not numbers:
        return said.text
    stop = said.text[-1] if said.text[-1] in ".!?" else ""
    return f"{said.text.removesuffix(stop)} [{', '.join(map(str, numbers))}]{stop or '.'}"
