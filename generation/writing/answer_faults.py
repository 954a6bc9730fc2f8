"""Faults that an answer can have as a text, whatever its content. Each kind has a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from books.languages import identify
from books.types import count_words
from generation import lexicon
from generation.models.answer_tidying import patterns
from generation.models.types import Finish
from generation.types import CHARACTERS, AnswerLanguage
from generation.writing.answer_parsing import parse, sections, unmarked
from generation.writing.overlaps import circles, grams, shared, tokens
from retrieval import sentences
from retrieval.tokenizer import has_han


class AnswerFault(StrEnum):
    EMPTY = "it is empty"
    THOUGHT = "the model thought and wrote nothing"
    REFUSED = "the model refuses, or speaks of itself"
    LANGUAGE = "it is in the wrong language, or in none"
    LOOP = "it repeats itself"
    ECHOED = "it repeats the instructions"
    COPIED = "it copies the book"
    SOMEBODY_ELSE = "it is about somebody else"
    TEMPLATE = "it breaks the template"
    TOO_LONG = "it is far too long"
    CUT_OFF = "it is cut off"
    TOO_SHORT = "it is far too short"


OF_LENGTH = (AnswerFault.TOO_LONG, AnswerFault.CUT_OFF, AnswerFault.TOO_SHORT)
"""The faults of texts that can be mended by asking for another length."""


TOLD_BY_WORDS, SMALL_WORDS = 20, 0.2
"""Function words such as "the" and "she" are nearly half of all English text."""
MOSTLY = 0.5
"""Share of Chinese characters among the letters of a Chinese text, which may name people in others."""
UNREADABLE = "\ufffd"
FEW_WORDS = 5
"""A shorter text says nothing, not even that the evidence is insufficient."""
BRIEF_WORDS = 40
"""A shorter text needs no headings: an analysis may say that there is not enough evidence for one."""
COPIED_RUN, COPIED_WIDTH, COPIED_SHARE = 40, 12, 0.5
"""Quotations are shorter than this run, and most of an answer is no quotation."""
ECHOED_RUN, ECHOED_WIDTH, ECHOED_SHARE = 16, 10, 0.3
LOOPED_GRAM, LOOPED_SHARE, LOOPED_WORDS = 4, 0.6, 60
"""A text of this length loops if fewer of its runs of four words than this share are different."""
OTHERS_OPEN = 3
"""A text is about others if their names open more than this many times as many sentences as its people's."""
SAME_SENTENCES = 0.25
"""Share of repeated sentences that makes a loop, if at least two are repeated."""
LONG, SHORT = 1.5, 0.1
"""Shares of the requested words above which a summary is far too long, and below which it is far too short
if there was as much to read.
"""
_QUOTED = re.compile('“[^”]*”|"[^"]*"')
_NAME = re.compile(r"[^\W\d_]+")
_ENDS = tuple(".!?…。！？")
_CLOSERS = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What an answer is checked against."""

    instructions: str = ""
    """What the model was told apart from the book's text."""
    sources: tuple[str, ...] = ()
    """The book's text that the model was shown."""
    headings: bool = False
    """Whether the model was told to write under headings."""
    names: frozenset[str] = frozenset()
    """Words of the names of whom it is about. Empty if they have none."""
    others: frozenset[str] = frozenset()
    """Words of the names of everybody else in the book."""
    language: AnswerLanguage = AnswerLanguage.ENGLISH
    least: int = FEW_WORDS
    """Number of words of the shortest answer."""
    words: int | None = None
    """Number of words that were asked for; None if it does not matter."""


def faults(text: str, finish: Finish, expected: ExpectedAnswer) -> list[AnswerFault]:
    """Return all faults of a tidied answer, the worst first, or an empty list for a good one."""
    return list(_found(text, finish, expected))


def finished(text: str) -> bool:
    bare = unmarked(text.rstrip().splitlines()[-1]) if text.strip() else ""
    return bare.rstrip(_CLOSERS).endswith(_ENDS)


def whole_sentences(text: str) -> str:
    """Return the text without its unfinished sentence, and without headings that are then empty."""
    rows = text.rstrip().splitlines()
    while rows and not finished(rows[-1]):
        spans = sentences.split(rows[-1])[:-1]
        rows[-1] = rows[-1][: spans[-1].end] if spans else ""
        if not rows[-1].strip():
            rows.pop()
    return "\n".join(rows)


def first_sentences(text: str, words: int) -> str:
    """Return the first whole sentences, at least one, that have no more words than this."""
    kept: list[str] = []
    for row in text.splitlines():
        for span in sentences.split(row):
            words -= count_words(unmarked(span.of(row)))
            if words < 0 and kept:
                return "".join(kept).rstrip()
            kept.append(f"{span.of(row)} ")
        kept.append("\n")
    return "".join(kept).rstrip()


def _found(text: str, finish: Finish, expected: ExpectedAnswer) -> Iterator[AnswerFault]:
    words, length = tokens(unmarked(text)), count_words(unmarked(text))
    if length < expected.least:
        yield AnswerFault.EMPTY
    if _refused(text):
        yield AnswerFault.REFUSED
    if identify(text) not in (None, expected.language.spoken) or _babbles(text, words, expected.language):
        yield AnswerFault.LANGUAGE
    if _loops(text, words):
        yield AnswerFault.LOOP
    longer = CHARACTERS if expected.language.is_chinese else 1
    if _taken(text, (expected.instructions,), ECHOED_WIDTH * longer, ECHOED_RUN * longer, ECHOED_SHARE):
        yield AnswerFault.ECHOED
    if _taken(text, expected.sources, COPIED_WIDTH * longer, COPIED_RUN * longer, COPIED_SHARE):
        yield AnswerFault.COPIED
    if _is_about_others(text, expected):
        yield AnswerFault.SOMEBODY_ELSE
    headed = any(section.heading is not None for section in sections(text))
    if expected.headings and not headed and len(words) >= BRIEF_WORDS:
        yield AnswerFault.TEMPLATE
    yield from _of_length(text, length, finish, expected)


def _of_length(text: str, length: int, finish: Finish, expected: ExpectedAnswer) -> Iterator[AnswerFault]:
    if expected.words is not None and length > LONG * expected.words:
        yield AnswerFault.TOO_LONG
    if finish is Finish.LENGTH or (text.strip() and not finished(text)):
        yield AnswerFault.CUT_OFF
    if expected.words is not None:
        material = sum(map(count_words, expected.sources)) or expected.words
        if length < SHORT * min(expected.words, material):
            yield AnswerFault.TOO_SHORT


def _is_about_others(text: str, expected: ExpectedAnswer) -> bool:
    """Whether names of others open the first sentence of a text, or several, and names of its people few."""
    told = [_opening(sentence.text) for sentence in parse(_QUOTED.sub("", text))]
    own = [not expected.names.isdisjoint(names) for names in told]
    others = [not mine and not expected.others.isdisjoint(n) for n, mine in zip(told, own, strict=True)]
    several = sum(others) > 1 or others[:1] == [True]
    return bool(expected.names) and several and sum(others) > OTHERS_OPEN * sum(own)


def _opening(sentence: str) -> list[str]:
    """Return the capitalised words that a sentence begins with."""
    return list(takewhile(lambda word: word[0].isupper(), _NAME.findall(sentence)))


def names_any(text: str, names: frozenset[str]) -> bool:
    """Whether a text has one of the words of these names, or there are none."""
    return not names or not names.isdisjoint(_NAME.findall(text))


def _refused(text: str) -> bool:
    """Whether the text begins with a refusal. Further on, a similar sentence may be one of a character."""
    opening = [span.of(text) for span in sentences.split(text)[:2]]
    return any(patterns("refusals").search(sentence) for sentence in opening)


def _babbles(text: str, words: Sequence[str], language: AnswerLanguage) -> bool:
    """Whether the text is no language: pieces of words and letters, as a broken model writes them."""
    if language.is_chinese:
        letters = [sign for sign in text if sign.isalpha()]
        return UNREADABLE in text or sum(map(has_han, letters)) < MOSTLY * len(letters)
    small = sum(word in lexicon.words("stop_words") for word in words)
    return UNREADABLE in text or (len(words) >= TOLD_BY_WORDS and small < SMALL_WORDS * len(words))


def _loops(text: str, words: Sequence[str]) -> bool:
    told = [" ".join(tokens(unmarked(span.of(text)))) for span in sentences.split(text)]
    said = Counter(sentence for sentence in told if sentence)
    again = said.total() - len(said)
    if (again > 1 and again >= SAME_SENTENCES * said.total()) or circles(text):
        return True
    runs = list(grams(words, LOOPED_GRAM))
    return len(words) >= LOOPED_WORDS and len(set(runs)) < LOOPED_SHARE * len(runs)


def _taken(text: str, sources: Sequence[str], width: int, run: int, share: float) -> bool:
    longest, part = shared(unmarked(text), sources, width=width)
    return longest >= run or part >= share
