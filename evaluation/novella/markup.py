"""Parse the novella's inline markup into plain text and spans.

Two constructs, which may nest: ``⟦speaker>addressee|“…”⟧`` for a quote (``⟦-|“…”⟧`` for quotation marks
that are not speech, ``?`` for nobody in particular) and ``{character:words}`` for a mention, with
``{character/N:words}`` (or ``/P``, ``/R``) where the kind cannot be read off the words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PROP, NOM, PRON = "PROP", "NOM", "PRON"
NOT_SPEECH = "-"
NOBODY = "?"

_TOKEN = re.compile(r"⟦(?P<quote>[a-z_>?-]+)\||⟧|\{(?P<who>[a-z_]+)(?:/(?P<kind>[PNR]))?:|\}")
_KINDS = {"P": PROP, "N": NOM, "R": PRON}
_PRONOUN = re.compile(
    r"i|me|my|mine|myself|you|yours?|yourself|he|him|his|himself|she|hers?|herself"
    r"|it|its|itself|they|them|theirs?|themselves",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"the|an?|this|that|these|those|my|your|his|her|its|our|their", re.IGNORECASE)


class MarkupError(ValueError):
    """The marked source breaks the rules of the markup."""


@dataclass(frozen=True, slots=True)
class MentionSpan:
    """A marked mention; offsets are code points into the stripped text."""

    start: int
    end: int
    kind: str
    character: str


@dataclass(frozen=True, slots=True)
class QuoteSpan:
    """A marked quote including its quotation marks; ``speech`` is false for a scare quote."""

    start: int
    end: int
    speaker: str | None
    addressee: str | None
    speech: bool


@dataclass(frozen=True, slots=True)
class ParsedMarkup:
    """One stripped text with everything that was marked in it."""

    text: str
    mentions: tuple[MentionSpan, ...]
    quotes: tuple[QuoteSpan, ...]


@dataclass(slots=True)
class _Open:
    """A construct whose end has not been met yet."""

    quote: str | None
    who: str
    kind: str | None
    start: int
    own_words: list[str]


def _infer_kind(words: str) -> str:
    """Infer the kind from the words, without those of nested mentions."""
    tokens = re.findall(r"[\w’'-]+", words)
    if len(tokens) == 1 and _PRONOUN.fullmatch(tokens[0]):
        return PRON
    while tokens and _DETERMINER.fullmatch(tokens[0]):
        tokens = tokens[1:]
    return PROP if any(token[0].isupper() for token in tokens) else NOM


def _party(key: str) -> str | None:
    return None if key == NOBODY else key


def _close_quote(opened: _Open, end: int) -> QuoteSpan:
    key = opened.quote or ""
    if key == NOT_SPEECH:
        return QuoteSpan(opened.start, end, None, None, False)
    speaker, arrow, addressee = key.partition(">")
    if not arrow or not speaker or not addressee:
        raise MarkupError(f"quote key {key!r} is not speaker>addressee")
    return QuoteSpan(opened.start, end, _party(speaker), _party(addressee), True)


def _close_mention(opened: _Open, end: int) -> MentionSpan:
    kind = _KINDS[opened.kind] if opened.kind else _infer_kind("".join(opened.own_words))
    return MentionSpan(opened.start, end, kind, opened.who)


class _MarkupReader:
    """Walks one marked text once, keeping a stack of open constructs."""

    def __init__(self) -> None:
        self.plain: list[str] = []
        self.length = 0
        self.stack: list[_Open] = []
        self.mentions: list[MentionSpan] = []
        self.quotes: list[QuoteSpan] = []

    def words(self, text: str) -> None:
        self.plain.append(text)
        self.length += len(text)
        if self.stack:
            self.stack[-1].own_words.append(text)

    def token(self, match: re.Match[str]) -> None:
        if match["quote"] is not None:
            self.stack.append(_Open(match["quote"], "", None, self.length, []))
        elif match["who"] is not None:
            self.stack.append(_Open(None, match["who"], match["kind"], self.length, []))
        else:
            self._close(match.group())

    def _close(self, bracket: str) -> None:
        if not self.stack or (self.stack[-1].quote is not None) != (bracket == "⟧"):
            raise MarkupError(f"{bracket} closes nothing after …{''.join(self.plain)[-60:]!r}")
        opened = self.stack.pop()
        if opened.start == self.length:
            raise MarkupError(f"empty span after …{''.join(self.plain)[-60:]!r}")
        if opened.quote is not None:
            self.quotes.append(_close_quote(opened, self.length))
        else:
            self.mentions.append(_close_mention(opened, self.length))


def parse(marked: str) -> ParsedMarkup:
    """Strip the markup of ``marked`` and return the text with its spans in reading order."""
    reader, position = _MarkupReader(), 0
    for match in _TOKEN.finditer(marked):
        reader.words(marked[position : match.start()])
        reader.token(match)
        position = match.end()
    reader.words(marked[position:])
    text = "".join(reader.plain)
    if reader.stack:
        raise MarkupError(f"a span is never closed; it begins {text[reader.stack[-1].start :][:60]!r}")
    if left := re.search(r"[⟦⟧{}|*]", text):
        raise MarkupError(f"stray {left.group()} in …{text[max(0, left.start() - 60) : left.end()]!r}")
    return ParsedMarkup(
        text,
        tuple(sorted(reader.mentions, key=lambda m: (m.start, -m.end))),
        tuple(sorted(reader.quotes, key=lambda q: q.start)),
    )
