"""Split a model's answer into sentences: find headings, read citation markers and remove them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval import sentences

_LINES = r"†[^\]】,;\n]*"
"""What some models add to a number: `【7†L1-L5】`, `[7†source]`."""
_CHAPTER = r"\s*[,;(]?\s*ch(?:ap(?:ter)?s?)?\.?\s*\d{1,3}\)?"
"""A passage's chapter, which some models repeat: `[Passage 7, chapter 3]`."""
_LABEL = rf"(?:(?!{_CHAPTER})[^\W\d]{{1,20}}[\s:.#=-]*|[#^])"
"""What some models put before a number: `[passage 7]`, `[cite: 7]`, `[^7]`."""
_NUMBERED = rf"(?:\d+|{_LABEL}\d{{1,3}}(?!\d))(?:{_LINES})?"
_NUMBERS = rf"{_NUMBERED}(?:\s*(?:[,;、，；]|and|&|-|–|to)\s*{_NUMBERED})*"
_SQUARE = rf"[\[【［〔]\s*(?:{_CHAPTER}\s*[,;:]\s*)?{_NUMBERS}(?:{_CHAPTER})?\s*[\]】］〕]"
_PASSAGES = "(?:passages?|sources?:?)"
_ROUND = (
    rf"\((?:{_CHAPTER}[,;:]?)?\s*(?:(?:see\s+)?{_PASSAGES}\s+{_NUMBERS}(?:{_CHAPTER})?"
    rf"|(?:(?:see|cf\.|{_PASSAGES})\s+)?{_SQUARE}(?:[,;\s]*(?:and\s+)?{_SQUARE})*)\s*\)"
)
"""Markers in round brackets: `(passage 7)`, `(see [7])`, `(chapter 3, [7])`."""
_BARE = r"\(\s*\d{1,2}(?:\s*[,;]\s*\d{1,2})*\s*\)(?=\s*(?:[.!?…]|$))"
"""Numbers in round brackets. They are markers only at the end of a sentence."""
MARKER = re.compile(rf"\s*(?:{_SQUARE}|{_ROUND}|{_BARE})", re.IGNORECASE | re.MULTILINE)
_ELSEWHERE = re.compile(r"\s*\[\s*ch(?:ap(?:ter)?s?|s)?\.?\s*\d[^\]]{0,40}\]", re.IGNORECASE)
"""Chapters cited as if they were passages, which is too wide to be evidence."""
_BEHIND = re.compile(
    rf"(?P<stop>[.!?…。！？]+[”’\"')]*)(?P<markers>(?:{MARKER.pattern})+)(?P<more>\.?)",
    re.IGNORECASE | re.MULTILINE,
)
"""Markers after the full stop. They belong to the sentence before them."""
_NUMBER = re.compile(r"(?P<first>\d+)(?:\s*(?:-|–|to)\s*(?P<last>\d+))?")
_WIDEST = 12
"""Most passages that one range may cite. A wider range is no citation."""
_NO_PASSAGE = re.compile(rf"{_CHAPTER}|{_LINES}", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<title>.+?)\s*#*\s*|\s*\*\*(?P<bold>[^*]+?)\*\*:?\s*")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3})(?=\S)(?P<inner>[^*_\n]+?)(?<=\S)\1(?!\w)")
_BREAK = re.compile(r"\n\s*\n|\n(?![a-z(\[“‘])")
"""A paragraph break. A line that continues in the next one is no paragraph."""
_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?])")


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence as a model wrote it, without its markers."""

    text: str
    numbers: tuple[int, ...] = ()
    """Numbers of the passages it cites, in its order. They may be wrong."""
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenSection:
    """A heading and the text under it, as written. Text before the first heading has none."""

    heading: str | None
    body: str


def sections(text: str) -> list[WrittenSection]:
    made: list[tuple[str | None, list[str]]] = [(None, [])]
    for row in text.splitlines():
        match = _HEADING.fullmatch(row)
        if match:
            made.append((_plain(match["title"] or match["bold"]).rstrip(":").strip(), []))
        else:
            made[-1][1].append(_BULLET.sub("", row))
    found = [WrittenSection(heading, "\n".join(rows).strip()) for heading, rows in made]
    return [s for s in found if s.heading is not None or s.body]


def parse(text: str) -> list[WrittenSentence]:
    """Return every sentence. The first one of a section has its heading."""
    return [said for section in sections(text) for said in said_in(section)]


def said_in(section: WrittenSection) -> Iterator[WrittenSentence]:
    heading = section.heading
    for paragraph in _BREAK.split(section.body):
        numbered = _ELSEWHERE.sub("", MARKER.sub(lambda m: _marker(numbers_in(m.group())), paragraph))
        moved = _BEHIND.sub(lambda m: f"{m['markers']}{m['stop']}", numbered)
        for span in sentences.split(moved):
            marked = span.of(moved)
            text = unmarked(marked)
            if any(c.isalnum() for c in text):
                yield WrittenSentence(text, numbers_in(marked), heading)
                heading = None


def unmarked(text: str) -> str:
    """Return the text without markers and Markdown emphasis, on one line."""
    bare = _BEFORE_STOP.sub("", _ELSEWHERE.sub("", MARKER.sub("", text)))
    return sentences.flat(_plain(bare))


def numbers_in(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for marker in MARKER.finditer(text):
        for match in _NUMBER.finditer(_NO_PASSAGE.sub("", marker.group())):
            first, last = int(match["first"]), int(match["last"] or match["first"])
            found += range(first, last + 1) if first <= last < first + _WIDEST else []
    return tuple(dict.fromkeys(found))


def _plain(text: str) -> str:
    return _EMPHASIS.sub(lambda m: m["inner"], text)


def keeping(text: str, numbers: Sequence[int]) -> str:
    """Return a text on one line, with only the markers of passages that the model was shown."""
    known = frozenset(numbers)
    return " ".join(_with_numbers(said, [n for n in said.numbers if n in known]) for said in parse(text))


def numbers_of(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted({number for text in texts for number in numbers_in(text)}))


def _with_numbers(said: WrittenSentence, numbers: Sequence[int]) -> str:
    if not numbers:
        return said.text
    stop = said.text[-1] if said.text[-1] in ".!?。！？" else ""
    return f"{said.text.removesuffix(stop)}{_marker(numbers)}{stop or '.'}"


def _marker(numbers: Sequence[int]) -> str:
    return f" [{', '.join(map(str, numbers))}]" if numbers else ""
