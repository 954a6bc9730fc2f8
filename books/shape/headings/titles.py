"""How a chapter's title is written: what a title looks like, and its form on one line."""

from __future__ import annotations

import re

MAX_TITLE = 200
_EDGE = " \t\u3000_*=#~|\\"
_MARKUP = re.compile(r"[_*]+(?=\W|$)|(?<!\w)[_*]+")
_BRACKETED = re.compile(r"^(?:【(第[^】]+)】|〖(第[^〗]+)〗|（(第[^（）]+)）)\s*")
_ENDS = (".", "!", "?", ",", ";", ":", "”", '"', "…", "。", "！", "？", "，", "；", "：")
_OPENS_SPEECH = ("“", '"', "‘", "—", "–", "--", "(", "「", "『")
_ARGUMENT = re.compile(
    r"(?:in which|wherein|containing|contains|treats? of|treating|relates|relating|showing|shows|being|"
    r"describes|describing|how|of (?:the|a|an|how|what)|what|concerning|touching|an account)\s",
    re.I,
)
_LONG_WORD = 4
_SHORT = 60
_SHORT_CHINESE = 24
_IDEOGRAPHS = "\u3000"


def tidy(title: str) -> str:
    """Return a title on one line, without emphasis marks, brackets and full stops from a printer or file."""
    plain = " ".join(_MARKUP.sub("", title).split()).strip(_EDGE + "—–")
    if plain.startswith("[") and plain.endswith("]"):
        plain = plain[1:-1]
    plain = _BRACKETED.sub(r"\1\2\3 ", plain).strip()
    if plain.endswith(".") and not plain.endswith(("..", " etc.", " &c.")):
        plain = plain[:-1].rstrip()
    return plain if len(plain) <= MAX_TITLE else plain[: plain.rfind(" ", 0, MAX_TITLE)] + " …"


def joined(heading: str, named: str) -> str:
    """Join `CHAPTER I.` and `The Tide` into `CHAPTER I. The Tide`."""
    return tidy(f"{tidy(heading).rstrip('.:—–- ')}. {tidy(named)}") if named else tidy(heading)


def is_sentence(text: str) -> bool:
    """Return whether a text is prose, such as follows a number by chance.

    Prose is mostly in small letters and ends as sentences do.
    """
    words = text.split()
    small = sum(1 for word in words if word[0].islower())
    return len(words) > 4 and text.endswith((*_ENDS, "-")) and small > len(words) / 2


def is_capitals(text: str) -> bool:
    """Return whether a title is all in capitals, but for small insertions: `MR. McKEITH`, `the 3rd`."""
    large, small = sum(map(str.isupper, text)), sum(map(str.islower, text))
    return large > 1 and small <= (large + small) // 10


def is_title_case(text: str) -> bool:
    """Match `The Storming of the Quay`: long words begin with a capital, and no sentence ends it."""
    words = [word.strip("“”‘’\"'(_*") for word in text.replace("--", " ").replace("—", " ").split()]
    words = [word for word in words if word and word[0].isalpha()]
    if not words or text.endswith((*_ENDS, "-")) or not words[0][0].isupper():
        return False
    long_words = [word for word in words if len(word) > _LONG_WORD]
    small = sum(word[0].islower() for word in words)
    return small <= len(words) / 2 and all(word[0].isupper() for word in long_words[:1])


def is_title(text: str) -> bool:
    """Return whether a block under a heading is the chapter's title rather than its first paragraph."""
    plain = " ".join(text.split()).strip(_EDGE)
    if not plain or len(plain) > MAX_TITLE * 3 // 2:
        return False
    if is_capitals(plain):
        return not plain.startswith(("“", '"', "—", "--")) or len(plain) <= _SHORT
    if plain.startswith(_OPENS_SPEECH) or len(plain) > MAX_TITLE:
        return False
    if plain[0] > _IDEOGRAPHS:
        return len(plain) <= _SHORT_CHINESE and not plain.endswith(_ENDS) and "。" not in plain
    if is_title_case(plain.rstrip(".")):
        return len(plain) <= 1.5 * _SHORT
    return bool(_ARGUMENT.match(plain)) and text.count("\n") <= 3 and not plain.endswith((",", ";", ":", "?"))
