"""Plain letters for those that Unicode does not take apart, such as `ø`, `ł` and `æ`."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LATIN = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) ([A-Z]{1,2})(?: WITH .+)?")
"""The Unicode name of a letter that is one or two of A to Z, with a stroke or the like."""
_BEYOND_ASCII = re.compile("[\u00a0-\u02af\u1e00-\u1eff]")


def plain_letters(text: str) -> str:
    """Return a case-folded text with its Latin letters in ASCII. All else remains as it is."""
    return _BEYOND_ASCII.sub(lambda letter: _plain(letter[0]), text)


@cache
def _plain(letter: str) -> str:
    latin = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return latin[1].lower() if latin else letter
