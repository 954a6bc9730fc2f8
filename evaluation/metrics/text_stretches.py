"""Split a long text into stretches of whole sentences, and select those that a question is about."""

from __future__ import annotations

from collections.abc import Iterator

from books.types import count_words
from evaluation.metrics.sentences import sentences_of
from retrieval.tokenizer import terms


def stretches(text: str, words: int) -> list[str]:
    """Split a text into stretches of at most this many words; a longer sentence is split where necessary."""
    return [" ".join(held) for held in _packed(text, words)]


def nearest(question: str, parts: list[str], most: int) -> list[str]:
    """Return the parts that share most of the question's words, in the order of the text."""
    asked = set(terms(question))
    shared = [len(asked & set(terms(part))) for part in parts] if len(parts) > most else [0] * len(parts)
    chosen = sorted(range(len(parts)), key=lambda at: (-shared[at], at))[:most]
    return [parts[at] for at in sorted(chosen)]


def _packed(text: str, words: int) -> Iterator[list[str]]:
    held: list[str] = []
    size = 0
    for sentence in (part for whole in sentences_of(text) for part in _parted(whole, words)):
        more = count_words(sentence)
        if held and size + more > words:
            yield held
            held, size = [], 0
        held.append(sentence)
        size += more
    if held:
        yield held


def _parted(sentence: str, words: int) -> Iterator[str]:
    """Split a sentence; text without spaces is measured in characters."""
    if count_words(sentence) <= words and len(sentence) <= 20 * words:
        yield sentence
        return
    parts = sentence.split()
    if len(parts) > words:
        for at in range(0, len(parts), words):
            yield from _parted(" ".join(parts[at : at + words]), words)
    else:
        for at in range(0, len(sentence), words):
            yield sentence[at : at + words]
