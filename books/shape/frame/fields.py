"""The metadata in a licence header: `Title: …`, or only "The Project Gutenberg Etext of …, by …"."""

from __future__ import annotations

import re

_READ = 8000
_FIELD = re.compile(
    r"^[^\S\n]*(Title|Author|Language|Translator|Editor):[^\S\n]*(\S[^\n]*(?:\n[^\S\n]{3,}[^\s:][^\n:]*)*)$",
    re.M,
)
_FIRST_LINE = re.compile(
    r"project gutenberg(?:['’]s)?\s+(?:of australia\s+)?e-?(?:text|book)\s+(?:of|,)\s+"
    r"(?P<title>[^\n*]{2,120}?)(?:,?\s+by\s+(?P<author>[^\n*#]{2,80}?))?[\s*.]*$",
    re.I | re.M,
)


def fields_of(header: str) -> dict[str, str]:
    """Return the fields by lower-case name: the first of a name, and titles with their indented lines."""
    said: dict[str, str] = {}
    for name, value in _FIELD.findall(header[:_READ]):
        said.setdefault(name.lower(), " ".join(value.split()))
    first = _FIRST_LINE.search(header[:_READ])
    if first and "title" not in said:
        said["title"] = " ".join(first["title"].split())
        if first["author"] and "author" not in said:
            said["author"] = " ".join(first["author"].split())
    return said
