"""The metadata of a Markdown file, and the footnotes that lie between its paragraphs."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any, Final

_YAML = re.compile(r"---[^\S\n]*\n(.*?\n)?(?:---|\.\.\.)[^\S\n]*(?:\n|$)", re.S)
_TOML = re.compile(r"\+\+\+[^\S\n]*\n(.*?\n)?\+\+\+[^\S\n]*(?:\n|$)", re.S)
_PANDOC = re.compile(r"%([^\n]*)\n(?:%([^\n]*)(?:\n|$))?(?:%[^\n]*(?:\n|$))?")
_FIELD = re.compile(r"^([A-Za-z][\w-]*)[^\S\n]*:[^\S\n]*(.*)$", re.M)
_ITEM = re.compile(r"^[^\S\n]*-[^\S\n]+(.*)$")
_LOOK_WITHIN: Final = 20_000
"""A longer block at the start is not front matter."""
_NOTE = re.compile(r"^ {0,3}\[\^([^\]\s]{1,80})\]:[^\S\n]*(.*)$")
_LANGUAGE = re.compile(r"^([a-z]{2})(?:[-_]|$)", re.I)


@dataclass(frozen=True, slots=True)
class Matter:
    title: str | None = None
    author: str | None = None
    language: str | None = None
    end: int = 0
    """Offset at which the text begins."""


@dataclass(frozen=True, slots=True)
class Note:
    label: str
    text: str
    line: int


def matter_of(text: str) -> Matter:
    """Read front matter in YAML, in TOML, or in pandoc's three lines; none of it is part of the text."""
    start = text[:_LOOK_WITHIN]
    for pattern, fields in ((_YAML, _yaml), (_TOML, _toml)):
        match = pattern.match(start)
        if match and (entries := fields(match[1] or "")) is not None:
            author = entries.get("author") or entries.get("authors") or entries.get("creator")
            language = _language(entries.get("lang") or entries.get("language") or "")
            return Matter(entries.get("title"), author, language, match.end())
    match = _PANDOC.match(start)
    if match:
        return Matter(match[1].strip() or None, (match[2] or "").strip() or None, None, match.end())
    return Matter()


def _yaml(inside: str) -> dict[str, str] | None:
    """Read plain fields and lists of plain values: a book's title needs no more of YAML than that."""
    entries: dict[str, str] = {}
    key = None
    for line in inside.split("\n"):
        field, item = _FIELD.match(line), _ITEM.match(line)
        if field:
            key = field[1].lower()
            entries[key] = _bare(field[2])
        elif item and key is not None:
            entries[key] = ", ".join(filter(None, (entries[key], _bare(item[1]))))
    return {key: value for key, value in entries.items() if value} if entries else None


def _bare(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(filter(None, map(_bare, value[1:-1].split(","))))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].strip()
    return "" if value in ("|", ">", "~", "null") else value


def _toml(inside: str) -> dict[str, str] | None:
    try:
        fields: dict[str, Any] = tomllib.loads(inside)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    entries = {}
    for key, value in fields.items():
        listed = value if isinstance(value, list) else [value]
        entries[key.lower()] = ", ".join(each.strip() for each in listed if isinstance(each, str))
    return {key: value for key, value in entries.items() if value}


def _language(tag: str) -> str | None:
    match = _LANGUAGE.match(tag)
    return match[1].lower() if match else None


def without_notes(text: str) -> tuple[str, list[Note]]:
    """Return the notes and the text, with blank lines in place of footnotes to keep the line numbers."""
    if "[^" not in text:
        return text, []
    kept: list[str] = []
    notes: list[tuple[str, int, list[str]]] = []
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        start = _NOTE.match(line)
        if start:
            notes.append((start[1], number, [start[2]]))
            inside = True
        elif inside and (not line.strip() or line.startswith(("    ", "\t")) or notes[-1][2][-1]):
            notes[-1][2].append(line.strip())
        else:
            inside = False
            kept.append(line)
            continue
        kept.append("")
    return "\n".join(kept), [Note(label, "\n".join(lines).strip(), at) for label, at, lines in notes]
