"""Join words that are broken at the ends of printed lines."""

from __future__ import annotations

import re
from collections import Counter

_BREAK = re.compile(r"[-‐](?<=[^\W\d_].)\n")
_BROKEN = re.compile(r"\b([^\W\d_]+)[-‐]\n([^\S\n]*)([^\W\d_]+)(\S*)\s")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")


def joined(text: str) -> str:
    """Return a text of the same length in which a line ends after a word that it broke.

    Only words that the rest of the text has without the hyphen more often than with it.
    """
    if _BREAK.search(text) is None:
        return text
    used = Counter(match[0] for match in _WORD.finditer(text.casefold()))

    def whole(match: re.Match[str]) -> str:
        begun, indent, ended, rest = match.groups()
        one, two = (f"{begun}{hyphen}{ended}".casefold() for hyphen in ("", "-"))
        return f"{begun}{ended}{rest}  {indent}\n" if used[one] > used[two] else match[0]

    return _BROKEN.sub(whole, text)
