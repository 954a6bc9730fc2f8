"""How long answers get, in a model's tokens, and how much of a context they leave."""

from __future__ import annotations

import math

from generation.types import Task

_TOKENS_PER_WORD = 2.5
"""English takes 1.3 to 1.4; citations take as much again as a fifth; and models overstep the words asked."""
_SPARE = 64
_PER_PERSON = 24
"""A heading and the line breaks around it."""
STRETCH_WORDS = 200
"""At most so many for one stretch of a book: there are many, and they must fit together."""
PASSAGES = 0.9
"""The share that passages take of a context beside their numbers, chapters and line breaks."""


def answer_tokens(words: int, people: int = 1) -> int:
    return math.ceil(people * (words * _TOKENS_PER_WORD + (_PER_PERSON if people > 1 else 0))) + _SPARE


def stretch_words(task: Task, words: int, people: int) -> int:
    """Of a stretch less is written than of the whole, but of each person something."""
    return min(words * people, STRETCH_WORDS) if task is not Task.ANALYSIS else STRETCH_WORDS
