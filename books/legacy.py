"""Guess which encoding from before Unicode some bytes are in, by how plausible the decoded text is.

Nearly all bytes decode in nearly all of these encodings, so decoding proves nothing. The evidence is in the
result: letters of a language, in the positions where that language uses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from books.lists import lines

PLAUSIBLE = 0.6
"""The share of non-ASCII characters that must be plausible; correct guesses have 0.75 and more."""
SURE = 0.95
_MARGIN = 0.1
"""How much better than cp1252 another encoding must be."""
_OPENING = 4 * 1024
_WINDOW = 1024
_WINDOWS = 8
_LOW = re.compile(rb"[\n\r\t !-/]")
"""Bytes that are never part of a longer character, so decoding may start at one."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

# Quotes, dashes and signs, at the places where a Western text has them and not in the middle of a word.
_SIGNS = (
    r"(?<![^\W\d_])[“‘„«‹¿¡](?!$)|(?<=[\w.,!?;:…—–)\"'\s*_-])[”»›](?![^\W\d_])"
    r"|(?<=[A-Za-z.,!?;:”])’|’(?=[A-Za-z”])|[—–]|…(?![a-z])"
    r"|(?<![A-Za-z])[°£€©®™§½¼¾·•†‡]|(?<![A-Za-z])\xa0|\xa0(?![a-z])"
)

_COMMON_BLOCKS = (
    r"\t\n\r -~\xa0-\u017f\u0370-\u052f\u05d0-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u2010-\u203a\u20ac"
    r"\u3000-\u30ff\uac00-\ud7a3\uff01-\uff5e"
)


@dataclass(frozen=True, slots=True)
class Guess:
    codec: str
    kind: str
    whose: str
    fit: float
    """The share of non-ASCII characters that are plausible, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Profile:
    codec: str
    kind: str
    whose: str
    pattern: re.Pattern[str]


def guesses(data: bytes) -> list[Guess]:
    """Return the guesses, best first; cp1252 precedes any that are hardly better.

    Needs some non-ASCII bytes.
    """
    sample = b"\n".join(_stretches(data))
    western, *others = _profiles()
    first = _guess(western, sample)
    if first.fit >= SURE:
        return [first]
    # Only old Macs ended lines with a bare CR.
    mac = b"\r" in sample and b"\n" not in data
    tried = (_guess(profile, sample) for profile in others)
    rest = sorted(tried, key=lambda guess: (-guess.fit, mac and guess.codec != "mac_roman"))
    ahead = [guess for guess in rest if guess.fit >= first.fit + _MARGIN]
    return [*ahead, first, *rest[len(ahead) :]]


def fit_of(data: bytes, codec: str) -> float | None:
    """Return how plausible the bytes are in this encoding, or None when nothing is known about it."""
    known = [profile for profile in _profiles() if profile.codec == codec]
    if not known:
        return None
    sample = b"\n".join(_stretches(data))
    return max(_guess(profile, sample).fit for profile in known)


def fit_of_wide(data: bytes, codec: str) -> float:
    """Return the share of the opening that is common in some language, if this is UTF-16.

    Chance gives a tenth.
    """
    try:
        text = data.decode(codec)[:_OPENING]
    except UnicodeDecodeError:
        return 0.0
    return len(_wide().findall(text)) / len(text) if text else 0.0


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(rf"[{_COMMON_BLOCKS}{''.join(_common_chinese())}]")


def _guess(profile: _Profile, sample: bytes) -> Guess:
    text = sample.decode(profile.codec, "replace")
    beyond = len(_BEYOND_ASCII.findall(text))
    fit = len(profile.pattern.findall(text)) / beyond if beyond else 0.0
    return Guess(profile.codec, profile.kind, profile.whose, fit)


def _stretches(data: bytes) -> Iterator[bytes]:
    """Yield the opening, and stretches from all over the rest that contain non-ASCII bytes."""
    yield _whole(data[:_OPENING], at_start=True)
    later = [
        start for start in range(_OPENING, len(data), _WINDOW) if not data[start : start + _WINDOW].isascii()
    ]
    step = max(1, len(later) // _WINDOWS)
    for start in later[::step]:
        yield _whole(data[start : start + _WINDOW], at_start=False)


def _whole(window: bytes, *, at_start: bool) -> bytes:
    """Remove characters that may have been cut at the ends of the window."""
    lows = [match.start() for match in _LOW.finditer(window)]
    if not lows:
        return window if at_start else b""
    return window[0 if at_start else lows[0] : lows[-1] + 1]


@cache
def _profiles() -> tuple[_Profile, ...]:
    profiles = []
    for line in lines("books", "data/legacy_encodings.txt"):
        codec, kind, whose, letters = line.split(maxsplit=3)
        profiles.append(_Profile(codec, kind, whose, re.compile(_PATTERNS[kind](letters))))
    return tuple(profiles)


def _latin(letters: str) -> str:
    lower, upper = f"[{letters}]", f"[{_capitals(letters)}]"
    return (
        rf"(?<=[A-Za-z]){lower}|{lower}(?=[a-z])|(?<![^\W_]){lower}(?![^\W_])"
        rf"|(?<![a-z]){upper}(?=[A-Za-z])|(?<=[A-Z]){upper}|{_SIGNS}"
    )


def _script(letters: str) -> str:
    """Build a pattern for a script in which capitals stand only at the start of a word.

    Encodings of one script often swap the cases.
    """
    capitals = _capitals(letters)
    at_start = rf"|(?<![^\W\d_])[{capitals}]" if capitals else ""
    return rf"(?<![A-Za-z])(?!ς[^\W\d_])[{letters}«»“”„—–…’\xa0№](?![A-Za-z]){at_start}"


def _cjk(letters: str) -> str:
    return f"[{letters}{''.join(_common_chinese())}]" if "가" not in letters else f"[{letters}]"


def _capitals(letters: str) -> str:
    """Return the non-ASCII capitals that are one letter each: the capital of the Turkish ı is a plain I."""
    capitals = {c.upper() for c in letters if c.upper() != c}
    return "".join(sorted(c for c in capitals if len(c) == 1 and not c.isascii()))


@cache
def _common_chinese() -> tuple[str, ...]:
    return tuple(sorted({c for line in lines("books", "data/common_chinese.txt") for c in line}))


_PATTERNS = {"latin": _latin, "script": _script, "cjk": _cjk}
