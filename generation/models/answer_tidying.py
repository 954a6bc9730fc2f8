"""Remove what surrounds an answer: greetings, thinking aloud, offers of more."""

from __future__ import annotations

import re
from functools import cache

from books.lists import lines
from generation.models.prompt_quoting import restored
from generation.models.thinking import spoken

_FENCE = re.compile(r"\A```\w*\n(?P<inner>.*?)\n?```\s*\Z", re.DOTALL)
_MARKS = re.compile(r"^[ \t]*</?(?:book|passages|answer)>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n\s*\n")


def tidy(text: str) -> str:
    """Return the answer alone. A text that is only a greeting becomes empty."""
    bare = _MARKS.sub("", spoken(restored(text))).strip()
    fenced = _FENCE.match(bare)
    bare = fenced["inner"].strip() if fenced else bare
    return _without_closing(_without_preamble(bare))


@cache
def patterns(name: str) -> re.Pattern[str]:
    """Return a pattern that matches any of the expressions of a list."""
    return re.compile(
        "|".join(f"(?:{line})" for line in lines("generation", f"writing/data/{name}.txt")), re.IGNORECASE
    )


def _without_preamble(text: str) -> str:
    while match := patterns("preambles").match(text):
        text = text[match.end() :].lstrip()
    return text


def _without_closing(text: str) -> str:
    *before, last = _PARAGRAPHS.split(text.rstrip())
    if before and patterns("closings").match(last.strip()):
        return _without_closing("\n\n".join(before))
    return text.rstrip()
