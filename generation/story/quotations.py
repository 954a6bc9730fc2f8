"""Quotations about a character: the book's own words, cut at a pause where a sentence is long."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from books.types import ParagraphKind, Span, count_words
from coref.language.syntax import ROOT
from coref.names.given_cast import ARTICLES
from coref.types import MentionKind, Quote, QuoteType
from generation.story.cast import CastIndex
from generation.story.heard_passages import pronoun_names
from generation.story.introductions import say_who
from generation.story.named_people import possessive
from generation.story.quotation import UNKNOWN, Quotation
from generation.types import CHARACTERS, Citation
from retrieval.sentences import flat
from retrieval.tokenizer import has_han
from retrieval.types import Category, TellingSentence

LONGEST = 40
"""Words from which a sentence is cut; in Chinese, characters count as in `CHARACTERS`."""
_SHORTEST = 6
"""Words that a cut leaves at least. Fewer say nothing."""
SURE = 0.8
"""Confidence of a speaker from which the quotation names them, if the book does by name."""
_SPOKEN = 0.5
"""Share of a sentence in quotes from which it counts as spoken."""
_PAUSE = re.compile(r"(?<=[;:])\s+|(?<=[—–；])|\s+(?=[—–])")
_COMMA = re.compile(r"(?<=,)\s+|(?<=，)")
_GAPS = " —–-"
"""What may stand between a quotation and the words around it."""
_LOOSE_END = re.compile(r"[\s,;:，；：—–-]+$")
_BRACKETS = {"(": ")", "[": "]", "（": "）", "［": "］"}
_OPEN, _EITHER, _SHUT = "“«„「『", '"', "”」』"
_ENDS_IN_I = re.compile(r"\b(?:I|(?i:me|my|mine|myself))$")
_MARKS = f"{_OPEN}{_EITHER}{_SHUT}»"
_INNER = "\x01\x02"
"""Stand for the marks inside a speech, until the quotation is ready."""
_SINGLE = re.compile(r"‘((?:[^‘’“”]|\b’\b)+)’(?!\w)")
"""Words in single marks; an apostrophe within a word is none."""
_IN_CORNERS = str.maketrans("『』", _INNER)
_CLOSED = "\x00"
"""Stands for a closing mark, which looks like an apostrophe, until the quotation is ready."""
_LEFT_OUT = "\x03"
"""Stands for each letter that is excluded, until the quotation is ready."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""A word, or one ideograph."""
_IN_LISTS = ARTICLES | {"and", "和"}
"""Words that stand between names in a list."""
_EMPHASIS = re.compile(r"(?<!\w)_(?=\S)|(?<=\S)_(?!\w)")


def quotations(sentences: Iterable[TellingSentence], cast: CastIndex) -> tuple[Quotation, ...]:
    """Return the sentences as quotations, in story order. What is no prose, or only names, is left out."""
    every = tuple(sentences)
    made = (_quotation(each, says_who, cast) for each, says_who in zip(every, say_who(every), strict=True))
    return tuple(q for q in made if any(letter.isalpha() for letter in q.text) and not _names_only(q, cast))


def first_naming(character: str, cast: CastIndex) -> Quotation | None:
    """Return the first sentence that names a character, or else the first that says what they are.

    Where nobody speaks, if there is one: who is called by name is not presented. What is only names says
    nothing of them.
    """
    theirs = [m for m in cast.annotations.mentions if m.character == character]
    for kind, spoken in product((MentionKind.PROPER, MentionKind.NOMINAL), (False, True)):
        for mention in (m for m in theirs if m.kind is kind):
            paragraph = cast.book.paragraph_at(mention.span.start)
            if paragraph is None or paragraph.kind is ParagraphKind.HEADING:
                continue
            if bool(cast.quotes_in(mention.span)) is not spoken:
                continue
            place = cast.sentence_at(mention.span.start)
            named = _made(place, character, cast, [mention.span], certainty=mention.confidence)
            if not _names_only(named, cast):
                return named
    return None


def _names_only(quotation: Quotation, cast: CastIndex) -> bool:
    """Whether a quotation is nothing but a list of names, as “[ANN, TOM and the MAID.]” is in a play."""
    people = (cast.by_id[one] for one in (quotation.character, *quotation.others) if one in cast.by_id)
    names = {_words(text) for one in people for text in (one.name, *(a.text for a in one.aliases))}
    rest = _words(quotation.text)
    while rest:
        length = next((n for n in range(len(rest), 0, -1) if rest[:n] in names), 0)
        if not length and rest[0] not in _IN_LISTS:
            return False
        rest = rest[length or 1 :]
    return True


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _quotation(sentence: TellingSentence, says_who: float, cast: CastIndex) -> Quotation:
    mine = [s.span for s in cast.standing_in(sentence.span) if s.character == sentence.character]
    place = Citation(sentence.span, sentence.chapter)
    return replace(
        _made(place, sentence.character, cast, mine, certainty=sentence.certainty),
        category=max(sentence.by_category, key=lambda c: sentence.by_category[c]),
        worth=sentence.certainty * sentence.telling * sentence.alone,
        alone=sentence.alone,
        by_category=sentence.by_category,
        says_who=says_who,
    )


def _made(
    sentence: Citation, character: str, cast: CastIndex, wanted: Sequence[Span], *, certainty: float
) -> Quotation:
    """Return a sentence as a quotation of which it is not known what it tells."""
    text, span = words_of(sentence.span, cast, wanted)
    spoken = speech(span, cast)
    by_them = spoken is not None and spoken.speaker == character
    return Quotation(
        text=text,
        citation=Citation(span, sentence.chapter),
        character=character,
        category=Category.OTHER,
        speaker=character if by_them else speaker(spoken, cast),
        tagged=spoken is not None and tagged(span, cast),
        certainty=certainty,
        worth=0.0,
        alone=0.0,
        by_category={},
        others=frozenset(s.character for s in cast.standing_in(sentence.span) if s.character != character),
    )


def words_of(
    sentence: Span, cast: CastIndex, wanted: Sequence[Span] = (), *, named: bool = False, whole: bool = False
) -> tuple[str, Span]:
    """Return a sentence as a quotation, and the part of it that is quoted.

    If it is long, it is cut to a part with one of the spans that are wanted, or with what it says in the main
    if none is, unless it is to be whole. If `named`, names in brackets follow the pronouns.
    """
    book = cast.book.text
    span = sentence if whole else _cut(book, sentence, wanted or _main(sentence, cast))
    inside = book[span.start] not in _MARKS and any(
        q.span.start < span.start < q.span.end for q in cast.quotes_in(sentence)
    )
    said = _in_double_marks(span, cast)
    said = (_named(said, span, cast) if named else said).replace(_LEFT_OUT, "").rstrip()
    left_out, space = ("……", "") if has_han(said) else ("…", " ")
    goes_on = any(q.span.start < span.end < q.span.end for q in cast.quotes_in(sentence))
    cut, breaks_off = span.end < sentence.end, _breaks_off(said)
    if goes_on or (breaks_off and not cut):
        said = _LOOSE_END.sub("", said)
    if goes_on:
        said = f"{said}{space}{left_out}"  # the speech is closed behind it
    text = _paired(_tidied(said, inside=inside))
    if (cut or breaks_off) and not goes_on:
        text = f"{_LOOSE_END.sub('', text)}{space}{left_out}"
    if span.start > sentence.start:
        text = f"{left_out}{space}{text}"
    return text, span


def _paired(text: str) -> str:
    """Return a text without a bracket at either end that has no partner, as of a stage direction in part."""
    open_at: list[int] = []
    lone: list[int] = []
    for at, letter in enumerate(text):
        if letter in _BRACKETS:
            open_at.append(at)
        elif letter in _BRACKETS.values():
            if open_at and _BRACKETS[text[open_at[-1]]] == letter:
                open_at.pop()
            else:
                lone.append(at)
    first, last = 0 in open_at, len(text) - 1 in lone
    return text[first : len(text) - last]


def _breaks_off(text: str) -> bool:
    """Whether a sentence has no end, as before a letter or a list that is a paragraph of its own."""
    return text[-1:].isalpha() or text[-1:].isdecimal() or _LOOSE_END.search(text) is not None


def _main(sentence: Span, cast: CastIndex) -> list[Span]:
    """Return the words of a sentence that depend on no other, mostly its main verb."""
    parse = cast.annotations.parse
    if parse is None:
        return []
    words = range(bisect_left(parse.starts, sentence.start), bisect_left(parse.starts, sentence.end))
    return [Span(parse.starts[n], parse.ends[n]) for n in words if parse.heads[n] == ROOT]


def _in_double_marks(span: Span, cast: CastIndex) -> str:
    """Return the words of a span as a book has them whose speech is in double marks, letter for letter."""
    text = cast.book.text
    said = list(span.of(text))
    for cut in cast.book.excluded_in(span):
        said[cut.start - span.start : cut.end - span.start] = _LEFT_OUT * len(cut)
    for quote in (q.span for q in cast.quotes_in(span) if text[q.span.start] == "'"):
        inner = [at for at in range(quote.start, quote.end) if text[at] == _EITHER]
        marks = {quote.start: _OPEN[0], **{at: _INNER[n % 2] for n, at in enumerate(inner)}}
        if text[quote.end - 1] == "'":
            marks[quote.end - 1] = _SHUT[0]
        for at, mark in marks.items():
            if span.start <= at < span.end:
                said[at - span.start] = mark
    return "".join(said)


def _named(said: str, span: Span, cast: CastIndex) -> str:
    """Return the words of a span with names in brackets after its pronouns, but not after “I”.

    Nor where the words before it were of the same person, and of nobody else since.
    """
    names = {each.end: each for each in pronoun_names(span, cast)}
    parts, at, last = [], 0, None
    for standing in cast.standing_in(span):
        end = standing.span.end - span.start
        if _ENDS_IN_I.search(said[at:end]):
            continue
        told = names.get(standing.span.end)
        if told and told.character != last:
            name = possessive(told.name) if _owns(told.end, cast) else told.name
            parts.append(f"{said[at:end]} [{name}]")
            at = end
        known = told or not standing.pronoun or standing.character == last
        last = standing.character if known else None
    return "".join((*parts, said[at:]))


def _owns(end: int, cast: CastIndex) -> bool:
    """Whether the word that ends there is a possessive, such as “his”."""
    parse = cast.annotations.parse
    if parse is None:
        return False
    at = bisect_left(parse.ends, end)
    return at < len(parse) and parse.ends[at] == end and parse.relations[at] == "nmod:poss"


def speaker(spoken: Quote | None, cast: CastIndex) -> str | None:
    """Return who says it, `UNKNOWN`, or None for no speech."""
    if spoken is None:
        return None
    told = spoken.type in (None, QuoteType.EXPLICIT) and spoken.confidence >= SURE
    known = told and spoken.speaker in cast.by_id
    return spoken.speaker if known and spoken.speaker else UNKNOWN


def speech(span: Span, cast: CastIndex) -> Quote | None:
    """Return the speech that most of a sentence belongs to, if it is one."""
    if cast.spoken_share(span) < _SPOKEN:
        return None
    return max(
        cast.quotes_in(span),
        key=lambda q: min(q.span.end, span.end) - max(q.span.start, span.start),
        default=None,
    )


def tagged(span: Span, cast: CastIndex) -> bool:
    """Return whether words stand outside the speech of a span: they say who speaks."""
    ends = [span.start, *(quote.span.end for quote in cast.quotes_in(span))]
    starts = [*(quote.span.start for quote in cast.quotes_in(span)), span.end]
    beside = (cast.book.text[a:b] for a, b in zip(ends, starts, strict=True))
    return any(letter.isalnum() for words in beside for letter in words)


def _cut(text: str, span: Span, mine: Sequence[Span]) -> Span:
    """Return the part of a long sentence that mentions the character, from one pause to another."""
    for pause in (_PAUSE, _COMMA):
        if _is_short(span.of(text)):
            return span
        cut = _window(text, _parts(text, span, pause), mine)
        if count_words(cut.of(text)) >= _SHORTEST:
            span = cut
    return span


def _is_short(text: str) -> bool:
    return count_words(text) <= (LONGEST * CHARACTERS if has_han(text) else LONGEST)


def _parts(text: str, span: Span, pause: re.Pattern[str]) -> list[Span]:
    cuts = [(m.start(), m.end()) for m in pause.finditer(text, span.start, span.end)]
    starts = [span.start, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), span.end]
    return [Span(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def _window(text: str, parts: Sequence[Span], mine: Sequence[Span]) -> Span:
    """Return neighbouring parts, as many as are short enough together, with the character's mention.

    They begin where the sentence begins, if the mention is near enough.
    """

    def fits(a: int, b: int) -> bool:
        return _is_short(text[parts[a].start : parts[b].end])

    inside = (n for n, part in enumerate(parts) if any(part.covers(m) for m in mine))
    last = next(inside, 0)
    first = 0 if fits(0, last) else last
    while True:
        if last + 1 < len(parts) and fits(first, last + 1):
            last += 1
        elif first > 0 and fits(first - 1, last):
            first -= 1
        else:
            return Span(parts[first].start, parts[last].end)


def _tidied(text: str, *, inside: bool) -> str:
    """Return a quotation as it is printed inside double quotation marks: inner marks are single.

    `inside` says whether it begins in the middle of a speech. A mark without its partner is left out at the
    ends, and given its partner within.
    """
    line, opened, flattened = [], inside, _EMPHASIS.sub("", flat(text))
    flattened = _SINGLE.sub(rf"{_INNER[0]}\1{_INNER[1]}", flattened)
    if "「" in flattened or "」" in flattened:
        flattened = flattened.translate(_IN_CORNERS)
    for at, letter in enumerate(flattened):
        if letter not in _MARKS:
            line.append(letter)
            continue
        opened = letter in _OPEN or (letter == _EITHER and _opens(flattened, at, opened=opened))
        line.append("‘" if opened else _CLOSED)
    said = "".join(line)
    if inside and _CLOSED in said and said.find(_CLOSED) < (said.find("‘") if "‘" in said else len(said)):
        said = f"‘{said}"
    if said.count("‘") > said.count(_CLOSED) and opened:
        said += _CLOSED
    if said.startswith("‘") and said.find(_CLOSED) == len(said) - 1:
        said = said[1:-1]
    elif "‘" not in said:
        said = said.removesuffix(_CLOSED)
    inner = "“”" if "‘" in said else "‘’"
    return said.translate(str.maketrans(_CLOSED + _INNER, f"’{inner}")).strip()


def _opens(text: str, at: int, *, opened: bool) -> bool:
    """Return whether a mark that may be either opens a quotation, by the gaps beside it, or else in turn."""
    before, after = text[max(0, at - 1) : at].strip(_GAPS), text[at + 1 : at + 2].strip(_GAPS)
    return not opened if bool(before) == bool(after) else bool(after)
