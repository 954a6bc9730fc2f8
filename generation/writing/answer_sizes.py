"""Size of answers in a model's tokens, and the share of a context that is left for passages."""

from __future__ import annotations

import math

from generation.types import Task

_TOKENS_PER_WORD = 2.5
"""English needs 1.3 to 1.4, citations a fifth more, and models exceed the words they are asked for."""
_SPARE = 64
_PER_PERSON = 24
"""Tokens of a heading and the line breaks around it."""
_INSTRUCTIONS = 800
"""Tokens of the longest instructions."""
LONGEST_WORDS = 600
"""Words of the longest answer by default, an analysis."""
STRETCH_WORDS = 200
"""Most words about one stretch of a book: there are many stretches, and their texts must fit together."""
LABEL_TOKENS = 8
"""Tokens that separate a text about one stretch from the next."""
PASSAGES = 0.8
"""Share of a context that passages take, beside their numbers and chapters, the notes and the cast."""


def answer_tokens(words: int, people: int = 1) -> int:
    return math.ceil(people * (words * _TOKENS_PER_WORD + (_PER_PERSON if people > 1 else 0))) + _SPARE


def context_for(passages: int) -> int:
    """Return the context that holds so many tokens of passages, the instructions and the longest answer."""
    return math.ceil(passages / PASSAGES) + _INSTRUCTIONS + answer_tokens(LONGEST_WORDS)


def stretch_words(task: Task, words: int, people: int) -> int:
    """Return the words for one stretch: fewer than for the whole book, but some for each person."""
    return min(words * people, STRETCH_WORDS) if task is not Task.ANALYSIS else STRETCH_WORDS
