"""Speech in small books made by hand."""

from __future__ import annotations

from coref.language.tokens import tokenize
from coref.speech.direct_speech import DirectSpeech, find_speech
from tests.coref.conftest import make_book


def speech_in(text: str) -> list[DirectSpeech]:
    book = make_book(text)
    return find_speech(book, tokenize(book))


def said_in(text: str) -> list[str]:
    return [text[speech.start : speech.end] for speech in speech_in(text)]
