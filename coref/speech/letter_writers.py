"""Letters inside a book: where they begin and end, and who wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from books.types import Book
from coref.language.tokens import Tokens, paragraph_of
from coref.names.person_candidates import MentionCandidate
from coref.speech.announced_narrators import Announcement
from coref.speech.attributed_speech import AttributedSpeech

_SALUTATION = re.compile(
    r"[“\"‘_\s]*(?:my\s+|to\s+)?(?:(?:very|own)\s+)?(?:(?:dear(?:est)?|darling|beloved)\b|(?:sir|madam)\s*[,.:;—-])",
    re.I,
)
_CLOSING = re.compile(
    r"\b(?:yours|your (?:affectionate|loving|obedient|devoted|humble|ever)"
    r"|ever|affectionately|sincerely|faithfully)\b",
    re.I,
)
_SALUTATION_WORDS = 12
_SIGNATURE_WORDS = 14
_LETTER_PARAGRAPHS = 60
_NESTED = {"'": "'", "‘": "’", '"': '"', "“": "”"}


@dataclass(slots=True)
class Tellers:
    """The main narrator, and the narrator of each paragraph (numbers in the cast)."""

    main: int | None
    by_paragraph: list[int | None]
    quoted: dict[int, Announcement] = field(default_factory=dict)
    """Paragraphs of letters that are printed in quotation marks, where "I" is the letter's writer."""


def signatures(tokens: Tokens, names: Mapping[int, Sequence[MentionCandidate]]) -> dict[int, int]:
    """Return who signs in a paragraph, keyed by paragraph."""
    return {n: who for n in range(len(tokens.ranges)) if (who := _signature(tokens, n, names)) is not None}


def fill_letters(book: Book, tokens: Tokens, signed: Mapping[int, int], told: Tellers) -> None:
    """Resolve "I" between `My dear Tom,` and the signature to whoever signs."""
    opened: int | None = None
    for number, (first, end) in enumerate(tokens.ranges):
        if opened is not None and book.paragraphs[number].chapter != book.paragraphs[opened].chapter:
            opened = None
        if _opens_letter(book, tokens, first, end):
            opened = number
        elif opened is not None and number - opened > _LETTER_PARAGRAPHS:
            opened = None
        elif opened is not None and _quoted(tokens, number) != _quoted(tokens, opened):
            continue  # somebody who is called by name signs nothing
        elif opened is not None and (writer := signed.get(number)) is not None:
            told.by_paragraph[opened : number + 1] = [writer] * (number + 1 - opened)
            if all(_goes_on(book, tokens, n) for n in range(opened, number)):
                letter = Announcement(writer, letter=True)
                told.quoted.update(dict.fromkeys(range(opened, number + 1), letter))
            opened = None


def _quoted(tokens: Tokens, number: int) -> bool:
    """Whether a paragraph begins in a quotation."""
    first, end = tokens.ranges[number]
    return first < end and tokens.quote[first] >= 0


def quote_letter(tokens: Tokens, letter: Announcement, paragraphs: range, told: Tellers) -> None:
    """Mark the paragraphs of an announced letter that is in quotation marks from its first line on."""
    begun = False
    for number in paragraphs:
        first, end = tokens.ranges[number]
        if first < end and tokens.quote[first] >= 0:
            told.quoted[number] = letter
            begun = True
        elif begun or tokens.text[tokens.starts[first] - 1] not in "([":
            return


def sign(said: Sequence[AttributedSpeech], tokens: Tokens, told: Tellers) -> None:
    """Set the writers of letters as the speakers of the quotations that are letters."""
    paragraphs = paragraph_of(tokens) if told.quoted else []
    for quote in said if told.quoted else ():
        number = paragraphs[quote.first]
        letter = told.quoted.get(number)
        if letter is None or letter.writer is None or quote.first != tokens.ranges[number][0]:
            continue
        quote.speaker, quote.addressee, quote.confidence = letter.writer, letter.reader, 1.0
        quote.far = False


def _goes_on(book: Book, tokens: Tokens, number: int) -> bool:
    """Return whether a paragraph begins with a quotation mark and does not end with its closing mark."""
    first, end = tokens.ranges[number]
    text = book.slice(book.paragraphs[number].span)
    return first < end and tokens.quote[first] >= 0 and text[-1] not in _NESTED.get(text[0], text[-1])


def _opens_letter(book: Book, tokens: Tokens, first: int, end: int) -> bool:
    """Return whether a line is a salutation: short and on its own, or set off by a comma or a dash."""
    if end - first < 2 or not _SALUTATION.match(book.text, tokens.starts[first], tokens.ends[end - 1]):
        return False
    if tokens.quote[first] >= 0 and end - first > _SALUTATION_WORDS:
        return False
    if end - first <= _SALUTATION_WORDS:
        return tokens.words[end - 1] in (",", ":", "—", "--", "-", ".", "_", "”")
    return any(mark in ("--", "—") for mark in tokens.words[first : first + _SALUTATION_WORDS])


def _signature(tokens: Tokens, number: int, names: Mapping[int, Sequence[MentionCandidate]]) -> int | None:
    first, end = tokens.ranges[number]
    if not 0 < end - first <= _SIGNATURE_WORDS or number not in names:
        return None
    last = names[number][-1]
    rest = [w for w in tokens.words[last.end : end] if w[0].isalnum()]
    if rest:
        return None
    alone = last.first - first <= 1
    text = tokens.surface(first, end)
    return last.options[0].number if alone or _CLOSING.search(text) else None
