"""Who says "I" outside quotes: a narrator of the whole book, of a journal, or of a letter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from books.types import Book
from coref.rules.cast import Cast
from coref.rules.cues import is_vocative
from coref.rules.spots import ME, Spot
from coref.rules.tokens import Tokens, paragraph_of
from coref.types import CharacterKind, MentionKind

_FIRST_PERSON_SHARE = 1 / 150
"""Words for "I" among the words outside quotes, from which on somebody tells a chapter."""
_CHAPTERS, _CHAPTERS_IF_NAMED = 0.5, 0.25
"""Share of chapters in the first person that makes a narrator; less when one says `call me Ishmael`."""
_LONG_CHAPTER = 200
_ENOUGH_FIRST_PERSON = 5
_SALUTATION = re.compile(
    r"[“\"‘_\s]*(?:my\s+|to\s+)?(?:(?:very|own)\s+)?(?:dear(?:est)?|darling|beloved|sir|madam)\b", re.I
)
_JOURNAL = re.compile(
    r"\b(?:journal|diary|narrative|statement|memorandum|testimony|account|relation|deposition|log)\b", re.I
)
_LETTER = re.compile(r"\b(?:letter|telegram|note|report)\b", re.I)
_CLOSING = re.compile(
    r"\b(?:yours|your (?:affectionate|loving|obedient|devoted|humble|ever)"
    r"|ever|affectionately|sincerely|faithfully)\b",
    re.I,
)
_HEADING_WORDS = 16
_SALUTATION_WORDS = 12
_SIGNATURE_WORDS = 14
_LETTER_PARAGRAPHS = 60
_ENOUGH_VOTES = 3
_SAID_I_PER_CALL = 250
_SHARE_CALLED = 3
"""How much oftener narrators are called by name than named."""
_OWN_WORDS = 8
"""Votes of a narrator's own word, beside one for being called by name."""
_SELDOM = 40
"""Times that narrators may name themselves, as in letters and signatures, whatever the quotes say."""
NARRATOR = "the narrator"


@dataclass(slots=True)
class Tellers:
    main: int | None
    by_paragraph: list[int | None]


def nobody(book: Book) -> Tellers:
    """Nobody tells a play: who says "I" in it speaks."""
    return Tellers(None, [None] * len(book.paragraphs))


def find_tellers(book: Book, tokens: Tokens, cast: Cast, spots: Sequence[Spot]) -> Tellers:
    names = _names_by_paragraph(spots, paragraph_of(tokens))
    tellers: list[int | None] = [None] * len(book.paragraphs)
    main = _main_teller(book, tokens, cast, spots)
    if main is not None:
        tellers = [main] * len(tellers)
    journals = _journals(book, tokens, names)
    _fill_journals(journals, tellers)
    _fill_letters(book, tokens, names, tellers)
    if main is not None and journals and Counter(tellers)[main] < len(tellers) / 2:
        main = None
    return Tellers(main, tellers)


def _names_by_paragraph(spots: Sequence[Spot], paragraphs: Sequence[int]) -> dict[int, list[Spot]]:
    found: dict[int, list[Spot]] = {}
    for spot in _names(spots):
        found.setdefault(paragraphs[spot.first], []).append(spot)
    return found


def _main_teller(book: Book, tokens: Tokens, cast: Cast, spots: Sequence[Spot]) -> int | None:
    own = _own_words(tokens, spots)
    share = _share_in_first_person(book, tokens, spots)
    if share <= (_CHAPTERS_IF_NAMED if own else _CHAPTERS):
        return None
    own, calls = own + _in_title(book, spots), _calls(tokens, spots)
    enough = max(_ENOUGH_VOTES, sum(s.head == ME and s.quote < 0 for s in spots) // _SAID_I_PER_CALL)
    told = _told(spots)
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


def _share_in_first_person(book: Book, tokens: Tokens, spots: Sequence[Spot]) -> float:
    """Share of the chapters that say "I" outside quotes all the time: one letter makes no narrator."""
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


def _own_words(tokens: Tokens, spots: Sequence[Spot]) -> Counter[int]:
    """`Call me Ishmael`, `my name is Pip`, `I, Claudius`, outside quotes."""
    votes: Counter[int] = Counter()
    for spot in _names(spots):
        before = tokens.lower[max(0, spot.first - 4) : spot.first]
        says = before[-2:] in (["call", "me"], ["called", "me"]) or before[-1:] == ["myself"]
        says = says or before[-3:] in (["my", "name", "is"], ["my", "name", "was"], ["name", "being", ","])
        apposed = before[-2:] == ["i", ","] and tokens.words[spot.end : spot.end + 1] == [","]
        if spot.quote < 0 and (says or apposed):
            votes[spot.options[0].number] += _OWN_WORDS
    return votes


def _calls(tokens: Tokens, spots: Sequence[Spot]) -> Counter[int]:
    """How often each is called by name in quotes, where the narration beside them says "I"."""
    near_me = {tokens.sentence[s.first] for s in spots if s.head == ME and s.quote < 0}
    votes: Counter[int] = Counter()
    for spot in _names(spots):
        if spot.use is not None and is_vocative(tokens, spot.use):
            close = any(tokens.sentence[spot.first] + d in near_me for d in (-2, -1, 0, 1, 2))
            votes[spot.options[0].number] += close
    return votes


def _in_title(book: Book, spots: Sequence[Spot]) -> Counter[int]:
    """A story in the first person that is called `Jane Eyre` is most likely told by her."""
    title = set(book.title.replace("’", "'").replace("'s", "").split())
    found = {
        s.options[0].number for s in _names(spots) if s.use is not None and title.issuperset(s.use.name.core)
    }
    return Counter(dict.fromkeys(found, _OWN_WORDS))


def _names(spots: Sequence[Spot]) -> Iterator[Spot]:
    for spot in spots:
        if spot.kind is MentionKind.PROPER and spot.options[0].kind is CharacterKind.PERSON:
            yield spot


def _told(spots: Sequence[Spot]) -> Counter[int]:
    """How often the narration names each. Narrators, who say "I", are hardly named there."""
    return Counter(s.options[0].number for s in _names(spots) if s.quote < 0)


def _journals(book: Book, tokens: Tokens, names: Mapping[int, Sequence[Spot]]) -> dict[int, int]:
    """Paragraphs that head a journal or letter, and who writes it: `MINA HARKER'S JOURNAL`."""
    found: dict[int, int] = {}
    for number, (first, end) in enumerate(tokens.ranges):
        if not 0 < end - first <= _HEADING_WORDS or number not in names:
            continue
        text = book.text[tokens.starts[first] : tokens.ends[end - 1]]
        writer = names[number][0]
        if writer.first - first > 4 or tokens.quote[first] >= 0 or text.rstrip('"”’_ ').endswith(("?", "!")):
            continue
        after = tokens.lower[writer.end] if writer.end < end else ""
        kept = bool(_JOURNAL.search(text)) and after in ("'s", "’s", ".", ",", "’", "'")
        if kept or (_LETTER.search(text) and "to" in tokens.lower[writer.end : end]):
            found[number] = writer.options[0].number
    return found


def _fill_journals(journals: Mapping[int, int], tellers: list[int | None]) -> None:
    if len(set(journals.values())) < 2:
        return
    writer: int | None = None
    for number in range(len(tellers)):
        writer = journals.get(number, writer)
        if writer is not None:
            tellers[number] = writer


def _fill_letters(
    book: Book, tokens: Tokens, names: Mapping[int, Sequence[Spot]], tellers: list[int | None]
) -> None:
    """From `My dear Tom,` to the signature, "I" is whoever signs."""
    opened: int | None = None
    for number, (first, end) in enumerate(tokens.ranges):
        if opened is not None and book.paragraphs[number].chapter != book.paragraphs[opened].chapter:
            opened = None
        if _opens_letter(book, tokens, first, end):
            opened = number
        elif opened is not None and number - opened > _LETTER_PARAGRAPHS:
            opened = None
        elif opened is not None and (writer := _signature(tokens, number, names)) is not None:
            tellers[opened : number + 1] = [writer] * (number + 1 - opened)
            opened = None


def _opens_letter(book: Book, tokens: Tokens, first: int, end: int) -> bool:
    """A short greeting on a line of its own, or one that a comma or a dash sets off."""
    if end - first < 2 or not _SALUTATION.match(book.text, tokens.starts[first], tokens.ends[end - 1]):
        return False
    if tokens.quote[first] >= 0 and end - first > _SALUTATION_WORDS:
        return False
    if end - first <= _SALUTATION_WORDS:
        return tokens.words[end - 1] in (",", ":", "—", "--", "-", ".", "_", "”")
    return any(mark in ("--", "—") for mark in tokens.words[first : first + _SALUTATION_WORDS])


def _signature(tokens: Tokens, number: int, names: Mapping[int, Sequence[Spot]]) -> int | None:
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
