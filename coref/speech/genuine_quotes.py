"""Decides whether text between quotation marks is speech, and not a title or words quoted with reserve."""

from __future__ import annotations

from coref.language.tokens import Tokens
from coref.language.word_lists import words
from coref.speech.quote_convention import Convention
from coref.speech.quote_marks import SpeechStyle
from coref.speech.quoted_stretches import QuotedStretch

_FEW_WORDS = 6
_FEW_SIGNS = 10
"""For scripts without blanks."""
_LOUD = frozenset("!?！？…")
_STOPS = frozenset(",.!?…—―;:，。！？；：") | {"--"}
_LEADS = frozenset((",", ":", "：", "，"))


def is_speech(stretch: QuotedStretch, tokens: Tokens, convention: Convention, *, opens: bool) -> bool:
    """Return whether a stretch is speech. `opens` says that the paragraph begins with it."""
    first, end = tokens.at(stretch.start), tokens.at(stretch.end)
    inside = [i for i in range(first, min(end, first + 40)) if tokens.words[i][0].isalnum()]
    if not inside:
        loud = any(word in _LOUD or word.startswith("..") for word in tokens.words[first:end])
        return loud and (opens or _has_tag(tokens, first, end))
    if stretch.style is SpeechStyle.DASH or stretch.continues or stretch.runs_on:
        return True
    unusual = stretch.style is SpeechStyle.SINGLE and convention.main is not SpeechStyle.SINGLE
    if len(inside) > _FEW_WORDS or _is_unspaced(stretch):
        return not unusual or _ends_like_speech(tokens, first, end)
    return _is_short_speech(tokens, first, end, inside[0])


def _is_short_speech(tokens: Tokens, first: int, end: int, word: int) -> bool:
    before = tokens.lower[first - 1] if first else ""
    if _has_tag(tokens, first, end):
        return True
    mid_sentence = bool(before) and before[0].isalnum() and before not in words("speech_verbs")
    if tokens.words[_last(tokens, first, end)] in _LOUD:
        return not (mid_sentence and tokens.words[word][0].islower() and before in words("scare_cues"))
    held_up = before in words("scare_cues")
    if held_up and _is_title(tokens, word, end):
        return False
    if _ends_like_speech(tokens, first, end):
        return not mid_sentence or not (held_up or tokens.words[word][0].islower())
    return not mid_sentence and tokens.words[word][0].isupper()


def _is_title(tokens: Tokens, word: int, end: int) -> bool:
    """Recognise titles such as `The Swan`: all words have a capital."""
    inside = [tokens.words[i] for i in range(word, end) if tokens.words[i][0].isalnum()]
    return bool(inside) and all(w[0].isupper() for w in inside)


def _is_unspaced(stretch: QuotedStretch) -> bool:
    return stretch.style is SpeechStyle.CORNERS and stretch.end - stretch.start > _FEW_SIGNS


def _has_tag(tokens: Tokens, first: int, end: int) -> bool:
    before = tokens.words[first - 1] if first else ""
    if before in _LEADS or (
        before == "with" and first > 1 and tokens.lower[first - 2] in words("speech_verbs")
    ):
        return True
    for word in tokens.lower[end : end + 3]:
        if not word[0].isalnum() or word in words("speech_verbs"):
            return word in words("speech_verbs")
    return False


def _ends_like_speech(tokens: Tokens, first: int, end: int) -> bool:
    return tokens.words[_last(tokens, first, end)] in _STOPS


def _last(tokens: Tokens, first: int, end: int) -> int:
    """Return the last token before the closing mark."""
    last = end - 2
    while last > first and tokens.words[last] in ("_", "*", "’", "'", "”"):
        last -= 1
    return max(last, first)
