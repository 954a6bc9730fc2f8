"""Small books marked by hand: `[She|jane]` is a mention, `{tom>jane:“…”}` a quote, `# …` a heading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from books.types import Book, Chapter, ImportReport, Paragraph, ParagraphKind, Span
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote
from generation.checking.types import Case, Evidence
from generation.types import Claim
from retrieval.types import Passage, Query

_MARK = re.compile(r"\[(?P<surface>[^\]|]+)\|(?P<who>\w+)\]|\{(?P<speaker>\w+|\?)>(?P<heard>\w+|\?):|\}")
_PRONOUNS = {"i", "me", "my", "he", "him", "his", "she", "her", "they", "them", "their", "himself", "herself"}


@dataclass
class Marked:
    text: str = ""
    mentions: list[Mention] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)


def story(marked: str, **people: str) -> tuple[Book, Annotations]:
    """Build a book. `people` gives id="Display Name/she" for each person."""
    found = _strip(marked)
    chapters, paragraphs = _structure(found.text)
    report = ImportReport("text", "utf-8", "en", "headings")
    book = Book(found.text, "A Story", None, chapters, paragraphs, (), report)
    characters = tuple(_character(who, named, found, book) for who, named in people.items())
    ranked = tuple(sorted(characters, key=lambda c: (-c.mention_count, c.first)))
    return book, Annotations("hand/1", ranked, tuple(found.mentions), tuple(found.quotes))


def passages(book: Book) -> list[Passage]:
    prose = [p for p in book.paragraphs if p.kind is ParagraphKind.PROSE]
    return [Passage(p.index, p.span, p.chapter, book.slice(p.span)) for p in prose]


@dataclass
class Found:
    """A retriever that finds the same whatever it is asked, and keeps what it was asked."""

    passages: Sequence[Passage] = ()
    asked: list[str] = field(default_factory=list)
    name: str = "found"

    def search(self, query: Query) -> list[Passage]:
        self.asked.append(query.text)
        return list(self.passages)


def case(claim: Claim, passages: Iterable[Passage] = ()) -> Case:
    """A claim with passages of which nobody knows who is meant in them."""
    return Case(claim, passages=tuple(Evidence(p.span, p.chapter, p.text) for p in passages))


def _strip(marked: str) -> Marked:
    out, at = Marked(), 0
    opened: list[tuple[int, str, str]] = []
    for match in _MARK.finditer(marked):
        out.text += marked[at : match.start()]
        at = match.end()
        if match["who"]:
            kind = MentionKind.PRONOUN if match["surface"].lower() in _PRONOUNS else MentionKind.PROPER
            span = Span(len(out.text), len(out.text) + len(match["surface"]))
            out.mentions.append(Mention(span, kind, match["who"]))
            out.text += match["surface"]
        elif match["speaker"]:
            opened.append((len(out.text), match["speaker"], match["heard"]))
        else:
            start, speaker, heard = opened.pop()
            span = Span(start, len(out.text))
            out.quotes.append(Quote(span, _known(speaker), _known(heard), 1.0))
    out.text += marked[at:]
    return out


def _known(who: str) -> str | None:
    return None if who == "?" else who


def _structure(text: str) -> tuple[tuple[Chapter, ...], tuple[Paragraph, ...]]:
    blocks = [Span(m.start(), m.end()) for m in re.finditer(r"[^\n]+(?:\n[^\n]+)*", text)]
    heads = [b for b in blocks if b.of(text).startswith("#")] or blocks[:1]
    ends = [*(h.start for h in heads[1:]), len(text)]
    chapters = tuple(
        Chapter(n, h.of(text).lstrip("# "), Span(h.start, end))
        for n, (h, end) in enumerate(zip(heads, ends, strict=True))
    )
    paragraphs = tuple(
        Paragraph(n, max(c.index for c in chapters if c.span.start <= b.start), b, _kind(b.of(text)))
        for n, b in enumerate(blocks)
    )
    return chapters, paragraphs


def _kind(text: str) -> ParagraphKind:
    return ParagraphKind.HEADING if text.startswith("#") else ParagraphKind.PROSE


def _character(who: str, named: str, found: Marked, book: Book) -> Character:
    name, _, pronoun = named.partition("/")
    mine = [m for m in found.mentions if m.character == who]
    spoken = Counter(book.slice(m.span) for m in mine if m.kind is MentionKind.PROPER)
    aliases = tuple(Alias(text, n, book.text.find(text)) for text, n in spoken.most_common())
    pronouns = {"she": "she/her", "he": "he/him", "they": "they/them"}.get(pronoun)
    first = mine[0].span.start if mine else 0
    return Character(who, name, aliases, CharacterKind.PERSON, pronouns, len(mine), first)
