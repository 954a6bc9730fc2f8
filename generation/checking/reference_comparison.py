"""Compare an answer with a reference text: find the facts that each of them shares with the other.

Each text is the evidence for the facts of the other. Nothing else is evidence: neither the sentences of the
book that an answer cites, nor numbers counted in the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from books.types import Book, Chapter, ImportReport, Paragraph, Span
from coref.types import Annotations, Mention, MentionKind
from generation.checking import evidence
from generation.checking.protocols import Extractor, Judge
from generation.story.cast import cast_of
from generation.story.named_people import PRONOUN
from generation.types import Category, Claim, Compared, Context, Draft, Label, NamedSpan, Reference, Sentence
from retrieval import sentences

LONGEST: Final = 1_000
"""Maximum length of a sentence in characters. A longer one is split."""
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n\s*")


def drafted(text: str) -> Draft:
    """Return the draft of a given text."""
    return Draft(tuple(Sentence(sentences.flat(span.of(text)), ()) for span in spans(text)))


def spans(text: str) -> list[Span]:
    """Return the spans of a text's sentences. None contains an empty line or exceeds the maximum length."""
    ends = [m.end() for m in _PARAGRAPH.finditer(text)]
    paragraphs = map(Span, [0, *ends], [*ends, len(text)])
    found = (sentence for paragraph in paragraphs for sentence in sentences.split(text, paragraph))
    return [piece for sentence in found for piece in _pieces(text, sentence)]


def _pieces(text: str, span: Span) -> Iterator[Span]:
    while len(span) > LONGEST:
        space = text.rfind(" ", span.start + 1, span.start + LONGEST)
        end = space if space > 0 else span.start + LONGEST
        yield Span(span.start, end)
        span = Span(end + (space > 0), span.end)
    if len(span):
        yield span


def compare(
    said: Sequence[Sentence],
    claims: Sequence[Claim],
    *,
    text: str,
    source: str,
    context: Context,
    judge: Judge,
    extractor: Extractor,
) -> tuple[Reference, tuple[str, ...]]:
    """Return the comparison, and the remarks of the extractor on the reference.

    `said` and `claims` belong to the answer, and `text` is the reference. The context has the book's people.
    """
    reference = drafted(text)
    extracted = extractor.extract(reference, context)
    wanted = extracted.claims
    borne_out = _held(claims, wanted, _as_book(reference.sentences, wanted, context), judge)
    found = _held(wanted, claims, _as_book(said, claims, context), judge)

    def counted(*categories: Category) -> Compared:
        ours = [held for claim, held in zip(claims, borne_out, strict=True) if claim.category in categories]
        theirs = [held for claim, held in zip(wanted, found, strict=True) if claim.category in categories]
        return Compared(borne_out=sum(ours), said=len(ours), found=sum(theirs), wanted=len(theirs))

    by_category = {category: counted(category) for category in Category}
    kept = {category: told for category, told in by_category.items() if told.said or told.wanted}
    return Reference(source, counted(*Category), kept), extracted.notes


def _held(claims: Sequence[Claim], others: Sequence[Claim], told: Context, judge: Judge) -> list[bool]:
    """Return which claims the other text supports: those it makes in the same words, and those judged so."""
    bare = [_bare(claim) for claim in claims]
    verdicts = judge.judge([evidence.in_book(claim, context=told) for claim in bare]).verdicts
    same = {other.text for other in others}
    return [v.label is Label.SUPPORTED or c.text in same for c, v in zip(bare, verdicts, strict=True)]


def _bare(claim: Claim) -> Claim:
    """Return the claim without its citations."""
    return replace(claim, citations=(), quoted=False)


def _as_book(said: Sequence[Sentence], claims: Sequence[Claim], context: Context) -> Context:
    """Return a text as a book of which it is known who is meant.

    Its facts follow it as further sentences, since they have names in place of pronouns.
    """
    cast = cast_of(context.book, context.annotations)
    subjects = _subjects(claims)
    text = ""
    paragraphs: list[Paragraph] = []
    mentions: list[Mention] = []

    def add(line: str, named: Iterable[NamedSpan]) -> None:
        nonlocal text
        start = len(text)
        text += f"{line}\n\n"
        paragraphs.append(Paragraph(len(paragraphs), 0, Span(start, start + len(line))))
        for one in named:
            pronoun = PRONOUN.fullmatch(one.span.of(line)) is not None
            kind = MentionKind.PRONOUN if pronoun else MentionKind.PROPER
            mentions.append(Mention(Span(start + one.span.start, start + one.span.end), kind, one.character))

    for at, sentence in enumerate(said):
        subject = cast.by_id.get(subjects.get(at, ""))
        add(sentence.text, cast.names.people_in(sentence.text, subject))
    for claim in claims:
        add(claim.text, claim.people)
    chapters = (Chapter(0, "", Span(0, len(text))),) if paragraphs else ()
    report = ImportReport("text", "utf-8", context.book.language, "none")
    book = Book(text, context.book.title, None, chapters, tuple(paragraphs), (), report)
    known = Annotations("given", context.annotations.characters, tuple(mentions), ())
    return Context(book, known, context.people)


def _subjects(claims: Sequence[Claim]) -> dict[int, str]:
    """Return the subject of each sentence, which is that of its first claim."""
    found: dict[int, str] = {}
    for claim in claims:
        if claim.subject is not None:
            found.setdefault(claim.sentence, claim.subject)
    return found
