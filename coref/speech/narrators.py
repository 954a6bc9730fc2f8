"""Narrators: who says "I" outside quotations in the whole book, in a journal or in a letter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from books.types import Book
from coref.census import NARRATOR, grouped
from coref.language.tokens import Tokens, paragraph_of
from coref.names.cast_building import Cast
from coref.names.name_uses import NameUse
from coref.names.person_candidates import ME, MentionCandidate
from coref.names.person_cues import is_vocative
from coref.speech.announced_narrators import Announcement, find_announcements
from coref.speech.letter_writers import Tellers, fill_letters, quote_letter, signatures
from coref.types import CharacterKind, MentionKind

_FIRST_PERSON_SHARE = 1 / 150
"""Share of words for "I" outside quotations from which on a chapter has a first-person narrator."""
_CHAPTERS, _CHAPTERS_IF_NAMED = 0.5, 0.25
"""Share of first-person chapters that makes a narrator. It is lower if one says `call me Ishmael`."""
_LONG_CHAPTER = 200
_ENOUGH_FIRST_PERSON = 5
_ENOUGH_VOTES = 3
_SAID_I_PER_CALL = 500
_NUMBERED = re.compile(r"letter\s+(?:\d+|[ivxlc]+)\b", re.I)
_SHARE_CALLED = 3
"""How much more often narrators are named in vocatives than mentioned by name."""
_OWN_WORDS = 8
"""Votes for a name that narrators give themselves, relative to one for a vocative."""
_SELDOM = 40
"""How often narrators may mention their own names, as in letters and signatures, despite the dialogue."""
_SAID_I_PER_NAME = 20
"""How often they say "I" for each such mention, if it is only the title that makes them the narrator."""


def nobody(book: Book) -> Tellers:
    """Return no narrators, for a play: whoever says "I" in it is a speaker."""
    return Tellers(None, [None] * len(book.paragraphs))


def find_tellers(
    book: Book, tokens: Tokens, cast: Cast, *, spots: Sequence[MentionCandidate], uses: Sequence[NameUse]
) -> Tellers:
    """Find the narrators. `uses` has every name, `spots` only those that certainly refer to a person."""
    paragraphs = paragraph_of(tokens)
    names = grouped(_names(spots), lambda spot: paragraphs[spot.first])
    tellers: list[int | None] = [None] * len(book.paragraphs)
    signed = signatures(tokens, names)
    main = _main_teller(book, tokens, cast, spots, signed=Counter(signed.values()))
    if main is not None:
        tellers = [main] * len(tellers)
    announced = find_announcements(book, tokens, cast, uses)
    told = Tellers(main, tellers)
    _fill_announced(book, tokens, announced, told)
    fill_letters(book, tokens, signed, told)
    _fill_numbered(book, announced, signed, told)
    if main is not None and announced and Counter(tellers)[main] < len(tellers) / 2:
        told.main = None
    return told


def _main_teller(
    book: Book, tokens: Tokens, cast: Cast, spots: Sequence[MentionCandidate], *, signed: Counter[int]
) -> int | None:
    """Return who tells most of a book. Whoever has `signed` letters does not mention their own name there."""
    own = _own_words(tokens, spots)
    share = _share_in_first_person(book, tokens, spots)
    if share <= (_CHAPTERS_IF_NAMED if own else _CHAPTERS):
        return None
    said_i = sum(s.head == ME and s.quote < 0 for s in spots)
    told, calls = _narration_counts(spots) - signed, _calls(tokens, spots)
    rarely = (n for n in _in_title(book, spots) if told[n] <= max(said_i // _SAID_I_PER_NAME, calls[n]))
    own += Counter(dict.fromkeys(rarely, _OWN_WORDS))
    enough = max(_ENOUGH_VOTES, said_i // _SAID_I_PER_CALL)
    likely = [
        who
        for who, _ in (own + calls).most_common()
        if (own[who] and told[who] <= max(_SELDOM, calls[who]))
        or (calls[who] >= enough and told[who] * _SHARE_CALLED <= calls[who])
    ]
    named = cast.people[likely[0]] if likely else cast.add()
    if not likely:
        named.role = NARRATOR
    return named.number


def _share_in_first_person(book: Book, tokens: Tokens, spots: Sequence[MentionCandidate]) -> float:
    """Return the share of chapters that say "I" throughout the narration: one letter does not count."""
    told: Counter[int] = Counter()
    first: Counter[int] = Counter()
    chapter_of = [p.chapter for p in book.paragraphs]
    for number, (begin, end) in enumerate(tokens.ranges):
        told[chapter_of[number]] += sum(q < 0 for q in tokens.quote[begin:end])
    paragraphs = paragraph_of(tokens)
    for spot in spots:
        if spot.head == ME and spot.quote < 0:
            first[chapter_of[paragraphs[spot.first]]] += 1
    long = [c for c, count in told.items() if count >= _LONG_CHAPTER] or list(told)
    personal = sum(first[c] >= told[c] * _FIRST_PERSON_SHARE for c in long)
    return personal / len(long) if long and first.total() >= _ENOUGH_FIRST_PERSON else 0.0


def _own_words(tokens: Tokens, spots: Sequence[MentionCandidate]) -> Counter[int]:
    """Count `Call me Ishmael`, `my name is Pip` and `I, Claudius` outside quotations."""
    votes: Counter[int] = Counter()
    for spot in _names(spots):
        before = tokens.lower[max(0, spot.first - 4) : spot.first]
        says = before[-2:] in (["call", "me"], ["called", "me"]) or before[-1:] == ["myself"]
        says = says or before[-3:] in (["my", "name", "is"], ["my", "name", "was"], ["name", "being", ","])
        apposed = before[-2:] == ["i", ","] and tokens.words[spot.end : spot.end + 1] == [","]
        if spot.quote < 0 and (says or apposed):
            votes[spot.options[0].number] += _OWN_WORDS
    return votes


def _calls(tokens: Tokens, spots: Sequence[MentionCandidate]) -> Counter[int]:
    """Count each person's vocatives in quotations next to narration that says "I"."""
    near_me = {tokens.sentence[s.first] for s in spots if s.head == ME and s.quote < 0}
    votes: Counter[int] = Counter()
    for spot in _names(spots):
        if spot.use is not None and is_vocative(tokens, spot.use):
            close = any(tokens.sentence[spot.first] + d in near_me for d in (-2, -1, 0, 1, 2))
            votes[spot.options[0].number] += close
    return votes


def _in_title(book: Book, spots: Sequence[MentionCandidate]) -> set[int]:
    """Return the person in the title: a first-person story called `Jane Eyre` is most likely hers."""
    title = {word.strip(",;:.!") for word in book.title.replace("’", "'").replace("'s", "").split()}
    return {
        s.options[0].number for s in _names(spots) if s.use is not None and title.issuperset(s.use.name.core)
    }


def _names(spots: Sequence[MentionCandidate]) -> Iterator[MentionCandidate]:
    for spot in spots:
        if spot.kind is MentionKind.PROPER and spot.options[0].kind is CharacterKind.PERSON:
            yield spot


def _narration_counts(spots: Sequence[MentionCandidate]) -> Counter[int]:
    """Count how often the narration names each person. Narrators, who say "I", are hardly named there."""
    return Counter(s.options[0].number for s in _names(spots) if s.quote < 0)


def _fill_announced(book: Book, tokens: Tokens, announced: Mapping[int, Announcement], told: Tellers) -> None:
    """Set the announced narrator until the next announcement.

    A letter, and the only narrative of a book, end with their chapter.
    """
    writers = {a.writer for a in announced.values()} - {None}
    if len(writers | {told.main} - {None}) < 2:
        return
    journal = told.main
    begun, current = False, journal
    for number, paragraph in enumerate(book.paragraphs):
        if number and paragraph.chapter != book.paragraphs[number - 1].chapter:
            journal = journal if len(writers) > 1 else told.main
            current = journal
        if (heard := announced.get(number)) is not None:
            begun, current = True, heard.writer
            journal = journal if heard.letter else heard.writer
            if heard.letter:
                quote_letter(tokens, heard, range(number + 1, _next(book, announced, number)), told)
        if begun:
            told.by_paragraph[number] = current


def _fill_numbered(
    book: Book, announced: Mapping[int, Announcement], signed: Mapping[int, int], told: Tellers
) -> None:
    """Give an unsigned chapter called `Letter 4` to whoever signs the other letters."""
    numbered = {c.index for c in book.chapters if _NUMBERED.match(c.title)}
    numbered -= {book.paragraphs[n].chapter for n in announced}
    writers = {who for n, who in signed.items() if book.paragraphs[n].chapter in numbered}
    if len(writers) == 1:
        (writer,) = writers
        for number, paragraph in enumerate(book.paragraphs):
            if paragraph.chapter in numbered:
                told.by_paragraph[number] = writer


def _next(book: Book, announced: Mapping[int, Announcement], number: int) -> int:
    """Return where an announced document ends: at the next announcement, or with the chapter."""
    chapter = book.paragraphs[number].chapter
    after = number + 1
    while (
        after < len(book.paragraphs) and after not in announced and book.paragraphs[after].chapter == chapter
    ):
        after += 1
    return after
