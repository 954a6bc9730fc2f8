"""Compare two short answers, for equality and shared words: after SQuAD (Rajpurkar et al., 2016).

Case, punctuation, articles and blanks are ignored. Chinese is compared by jieba's words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from evaluation.metrics.tokens import words_of
from retrieval.tokenizer import has_han

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normal(text: str) -> list[str]:
    """Return normalised words, without punctuation, as SQuAD's program does: `co-op` becomes `coop`."""
    if has_han(text):
        return list(words_of(text))
    bare = "".join(sign for sign in text.lower() if unicodedata.category(sign)[0] not in "PS")
    return _ARTICLES.sub(" ", bare).split()


def exact(answer: str, gold: str) -> float:
    return float(normal(answer) == normal(gold))


def f1(answer: str, gold: str) -> float:
    """Return the F1; two answers without a word match, and one without matches no other."""
    return _shared(normal(answer), normal(gold))


def _shared(mine: Sequence[str], theirs: Sequence[str]) -> float:
    if not mine or not theirs:
        return float(mine == theirs)
    both = sum((Counter(mine) & Counter(theirs)).values())
    return 2 * both / (len(mine) + len(theirs))
