"""Which words are spoken, from quotation marks that are words of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coref.native.document import Document, Range, SpeechState

_EITHER = frozenset('"')
_OPENS, _CLOSES = frozenset(("“", "``")), frozenset(("”", "''"))
_SINGLE_OPENS, _SINGLE_CLOSES = frozenset("‘`"), frozenset("'’")
_FEW = 20


def speech_of(words: Sequence[str]) -> tuple[SpeechState, ...]:
    """Return the speech state of each word.

    Books use double or single marks. Single ones are apostrophes where double ones are used.
    """
    double = sum(word in _EITHER | _OPENS | _CLOSES for word in words)
    single = sum(word in _SINGLE_OPENS | _SINGLE_CLOSES for word in words)
    if double > _FEW or 2 * double >= single:
        return tuple(_marked(words, _OPENS, _CLOSES))
    return tuple(_marked(words, _SINGLE_OPENS, _SINGLE_CLOSES))


def document_of(sentences: Sequence[Sequence[str]]) -> Document:
    """Return sentences of words as a document, with direct speech marked."""
    words: list[str] = []
    ranges: list[Range] = []
    for sentence in sentences:
        ranges.append((len(words), len(words) + len(sentence)))
        words += sentence
    return Document(tuple(words), tuple(ranges), speech_of(words))


def _marked(words: Sequence[str], opens: frozenset[str], closes: frozenset[str]) -> Iterator[SpeechState]:
    inside = False
    for word in words:
        if word in _EITHER and opens is _OPENS:
            inside = not inside
            yield SpeechState.MARK
        elif word in opens or word in closes:
            inside = word in opens
            yield SpeechState.MARK
        else:
            yield SpeechState.SPOKEN if inside else SpeechState.NARRATED
