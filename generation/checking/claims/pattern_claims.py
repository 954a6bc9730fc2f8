"""Claims by patterns for sentences without a parse: of texts that are too long to be parsed, or not English.

Sentences are split where a new clause or a coordinated predicate begins, and each piece gets its subject back
("She refused him and left" makes two claims about the same person).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from books.types import Span
from coref.types import Character
from generation.checking.categories import categorise, is_verb
from generation.checking.claims.standalone_wording import ended
from generation.lexicon import words
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import PRONOUN, Names, agrees
from generation.types import Claim, Context, NamedSpan, Sentence
from retrieval import sentences

LEAD = re.compile(
    r"^(?:(?:Later on|Later|Then|Early on|Near the end|At first|At last|By then|In time|Afterwards|In the end"
    r"|In the middle of the book|Towards the end),? )?"
    r"(?:(?:in|In) (?:chapter (?P<chapter>\d+)|the same chapter),? )?"
)
CITED = re.compile(r"\s*\[[^\]]{1,60}\]")
_CHAPTERS = re.compile(
    r"\b(?:in|of) (?:all|the|\w+ of the) \w+ chapters\b|\bchapters of the book\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"; (?:and |but |yet )?|, (?:and|but) (?=(?:he|she|they)\b|[A-Z])")
_PREDICATE = re.compile(r",? (?:and|but) (?:then |later |also |so )?(?=(?P<word>[a-z]+)\b)")
_LIST = re.compile(
    r"^(?P<head>.*?\b(?:is|was|are|were|is called|is described as|is said to be"
    r"|tells of (?:his|her|their|[A-Z][^,]*[’']s?)|remains|becomes|became) )"
    r"(?P<items>[a-z-]+(?:, [a-z-]+)*,? and [a-z-]+)$"
)
_OPENS = r"(?:(?:a|an|the) |[A-Z](?:(?! and )[^,;’]){0,40}’s? [a-z])"
"""A noun phrase: "the sister", "Jane’s sister"."""
_NOUNS = re.compile(rf",? and (?={_OPENS})|, (?={_OPENS})")
_OF = re.compile(r"(?:a|an|the) (?:[a-z-]+ )+of (?=[A-Z])")
_NAMES = re.compile(r"(?:,? and |, )(?=[A-Z])")
_COPULA = re.compile(rf"^(?P<head>.*?\b(?:is|was|becomes|became)(?: described as)? ){_OPENS}")


@dataclass(frozen=True, slots=True)
class _ClaimPiece:
    """A span of a sentence with the words that it borrows from before it ("is the ")."""

    span: Span
    borrowed: str = ""


@dataclass(frozen=True, slots=True)
class _PatternReader:
    context: Context
    cast: CastIndex
    names: Names

    def subject(self, sentence: Sentence, text: str, before: Character | None) -> Character | None:
        """Return the subject of a sentence: the one it declares, the first it names, or the previous
        sentence's.
        """
        if sentence.characters:
            return self.cast.by_id.get(sentence.characters[0])
        opening = PRONOUN.search(text[:40])
        named = self.names.find(text)
        if named and not (opening and opening.start() < named[0].span.start):
            return self.cast.by_id[named[0].character]
        asked = self.context.people
        candidates = [c for c in (before, *asked) if c and (not opening or agrees(opening.group(), c))]
        return next(iter(candidates), None)


def read(sentences_read: Iterable[tuple[int, Sentence]], context: Context) -> list[Claim]:
    """Return the claims of some sentences of a draft, in order, each with its position."""
    cast = cast_of(context.book, context.annotations)
    reader = _PatternReader(context, cast, Names(cast.annotations.characters))
    made: list[Claim] = []
    subject: Character | None = None
    for at, sentence in sentences_read:
        for span in sentences.split(sentence.text):
            subject = reader.subject(sentence, span.of(sentence.text), subject)
            made += _claims(at, sentence, span, subject, reader)
    return made


def _claims(
    at: int, sentence: Sentence, span: Span, subject: Character | None, reader: _PatternReader
) -> Iterator[Claim]:
    whole = span.of(sentence.text)
    lead = LEAD.match(whole)
    called = next(
        (n.span.of(whole) for n in reader.names.find(whole) if subject and n.character == subject.id),
        subject.name if subject else "",
    )
    chapter = lead["chapter"] if lead else None
    start = span.start + (lead.end() if lead else 0)
    opening = next(iter(reader.names.find(sentence.text[start : span.end])), None)
    other = opening is not None and not opening.span.start and subject and opening.character != subject.id
    actor = opening.span.of(sentence.text[start:]) if other and opening else called
    for piece in _pieces(sentence.text, Span(start, span.end)):
        text = _standalone(piece, sentence.text, subject, called, reader.names, actor=actor)
        if text:
            yield _claim(at, sentence, piece, text, subject, chapter, reader)


def _claim(
    at: int,
    sentence: Sentence,
    piece: _ClaimPiece,
    text: str,
    subject: Character | None,
    chapter: str | None,
    reader: _PatternReader,
) -> Claim:
    people = reader.names.find(text)
    about = people[0].character if people and people[0].span.start == 0 else (subject.id if subject else None)
    placed = f"{text} in chapter {chapter}." if chapter else ended(text)
    return Claim(
        text=placed,
        category=categorise(text),
        sentence=at,
        span=piece.span,
        subject=about,
        citations=sentence.citations,
        people=tuple(NamedSpan(n.span, n.character) for n in people),
    )


def _pieces(text: str, span: Span) -> Iterator[_ClaimPiece]:
    for clause in _cut(text, span, _CLAUSE):
        body = clause.of(text).rstrip(" .!?;,。！？；，")
        clause = Span(clause.start, clause.start + len(body))
        listed, nouns = _LIST.match(body), _COPULA.match(body)
        if counts_only(body):
            continue
        if listed:
            yield from _items(clause, listed)
        elif nouns and _several(body, nouns):
            yield from _noun_phrases(text, clause, nouns)
        else:
            yield from _predicates(text, clause)


def _several(body: str, copula: re.Match[str]) -> bool:
    """Whether more than one noun phrase, or a relation to more than one person, follows "is"."""
    one = " and " not in copula["head"]
    found = _NOUNS.search(body, copula.end()) or _OF.match(body, copula.end("head"))
    return one and found is not None


def counts_only(body: str) -> bool:
    """Whether it only counts, which is no fact: "most often seen with A and B"."""
    return "most often" in body or _CHAPTERS.search(body) is not None


def _cut(text: str, span: Span, pattern: re.Pattern[str]) -> Iterator[Span]:
    start = span.start
    for match in pattern.finditer(text, span.start, span.end):
        yield Span(start, match.start())
        start = match.end()
    yield Span(start, span.end)


def _items(clause: Span, match: re.Match[str]) -> Iterator[_ClaimPiece]:
    """Split "is proud, vain and kind" into three claims."""
    first = True
    for word in re.finditer(r"\b(?!and\b)[a-z-]+", match["items"]):
        start = clause.start + match.start("items") + word.start()
        end = start + len(word.group())
        yield _ClaimPiece(Span(clause.start, end)) if first else _ClaimPiece(Span(start, end), match["head"])
        first = False


def _noun_phrases(text: str, clause: Span, match: re.Match[str]) -> Iterator[_ClaimPiece]:
    """Split "is the sister of Jane and a friend of Tom", and "the daughter of A and B", into two
    claims each.
    """
    head = match["head"]
    for part in _cut(text, Span(clause.start + match.end("head"), clause.end), _NOUNS):
        of = _OF.match(part.of(text))
        owners = list(_cut(text, Span(part.start + of.end(), part.end), _NAMES)) if of else [part]
        for owner in owners:
            opening = owner.start == clause.start + match.end("head") + (of.end() if of else 0)
            if opening:
                yield _ClaimPiece(Span(clause.start, owner.end))
            else:
                yield _ClaimPiece(owner, f"{head}{of.group() if of else ''}")


def _predicates(text: str, clause: Span) -> Iterator[_ClaimPiece]:
    """Split "opened the door and left" into two claims, the second with the subject of the first."""
    start = clause.start
    for match in _PREDICATE.finditer(text, clause.start, clause.end):
        before = text[start : match.start()].split()
        if _acts(match["word"]) and any(is_verb(w.lower().strip(",")) for w in before):
            yield _ClaimPiece(Span(start, match.start()))
            start = match.end()
    yield _ClaimPiece(Span(start, clause.end))


def _acts(word: str) -> bool:
    """Whether a word is a verb, and not an adjective with a similar ending ("pure and disinterested")."""
    return is_verb(word) and word not in words("traits") and word not in words("looks")


def _standalone(
    piece: _ClaimPiece, text: str, subject: Character | None, called: str, names: Names, *, actor: str
) -> str:
    """Return the piece as a sentence of its own: with its subject, and with names in place of pronouns."""
    body = CITED.sub("", piece.span.of(text)).strip(" ,")
    if not body:
        return ""
    if subject is None:
        return f"{piece.borrowed}{body}".strip()
    full = f"{piece.borrowed}{body}"
    named = PRONOUN.sub(lambda m: _name_for(m, full, subject, called), full)
    first, *others = named.split()
    verb = is_verb(first) or (first.endswith("ly") and bool(others) and is_verb(others[0]))
    if verb and not any(n.span.start == 0 for n in names.find(named)):
        named = f"{actor} {named}"
    return named[0].upper() + named[1:]


def _name_for(match: re.Match[str], text: str, subject: Character, called: str) -> str:
    word = match.group()
    if not agrees(word, subject) or (word.lower() == "they" and subject.pronouns is None):
        return word
    following = text[match.end() :].lstrip()
    noun = following[:1].isalpha() and following.split()[0].rstrip(",.").lower() not in words("dangling")
    possessor = word.lower() in ("his", "their") or (word.lower() == "her" and noun)
    if match.start() and called.startswith("The "):
        called = called[:1].lower() + called[1:]
    return f"{called}’s" if possessor else called
