"""Which pronouns and quotes of a character follow the mentions that are given to somebody else.

What is told apart are two people who were taken for one: whoever the moved mentions mean, who is gone, and
whoever stays. A logistic regression compares the two for each pronoun, quote and noun that is no name: how
far their names are, who was meant last, and which of them is a he or a she. Its weights are learnt from
LitBank's excerpts, in which any two people were taken for one, by `bookworm train along`. The narrator's "I"
is not asked: who tells a part of the book is a decision of its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, expm1, log, log1p
from typing import Final

from books.types import Span
from coref import odds
from coref.census import PRONOUNS
from coref.language.word_lists import same, table
from coref.types import Annotations, Mention, MentionKind

_SIGNS: Final = (
    "name before", "name after", "names nearby", "name in the quote", "name beside the quote",
    "meant before", "meant before by this word", "he or she",
    "name just before", "name just after", "meant just before",
)  # fmt: skip
SORTS: Final = ("I", "you", "other")
_OTHER: Final = SORTS.index("other")
FEATURES: Final = tuple(f"{sort}: {sign}" for sort in SORTS for sign in _SIGNS)
_FAR: Final = log1p(20_000)
"""The logarithm of the distance of what is not there."""
_NEARBY: Final = 1000
_JUST: Final = 100
_ROUNDS: Final = 2
"""Of the first only what it says about hes and shes is kept."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Positions of the mentions, and of the quotes, that a decision gives to somebody else.

    Those in the `named` sets the reader names; the others go along with them.
    """

    mentions: frozenset[int]
    quotes: frozenset[int]
    named_mentions: frozenset[int]
    named_quotes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Named:
    """A mention of which it is known whose it is."""

    start: int
    quote: Span | None
    """The quote that it is in."""
    gone: bool
    """Whether it means who is gone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A mention, or a whole quote, of which it is asked whose it is. "I" is whoever speaks."""

    start: int
    quote: Span | None
    word: str
    """`i`, `you`, a key of pronouns such as `she/her`, or empty."""

    @property
    def sort(self) -> int:
        return {"i": 0, "you": 1}.get(self.word, _OTHER)


def word_of(surface: str) -> str:
    """Return the word of `Asked` for a pronoun."""
    said = surface.casefold()
    if said in PRONOUNS:
        return PRONOUNS[said]
    return _PERSONS.get(said) or _CHINESE.get(table("chinese_pronouns").get(said, ""), "")


_PERSONS: Final = {
    **dict.fromkeys(("i", "me", "my", "mine", "myself"), "i"),
    **dict.fromkeys(("you", "your", "yours", "yourself", "thou", "thee", "thy", "thine"), "you"),
}
_CHINESE: Final = {"i": "i", "you": "you", "he": "he/him", "she": "she/her"}


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("along", FEATURES, of="way in which pronouns follow")


def along(annotations: Annotations, whose: str, moved: Handed, *, near: bool) -> Handed:
    """Return what is moved together with all of `whose` that follows it.

    With `near` only what comes soon after a moved mention, before any other of which it is known whose it is;
    and quotes that stand nearer to it than to another.
    """
    mentions, quotes = annotations.mentions, annotations.quotes
    character = annotations.character(whose)
    names = {same(alias.text) for alias in character.aliases} if character else set()
    around = QuotePlaces([q.span for q in quotes])
    said = {at for at, quote in enumerate(quotes) if quote.speaker == whose}
    known: list[Named] = []
    asked: list[tuple[Asked, int]] = []
    tied: list[tuple[int, int]] = []
    """Each "I" in a quote of theirs, with the quote."""
    for at, mention in enumerate(mentions):
        if mention.character != whose:
            continue
        quote = around.of(mention.span.start)
        span = quotes[quote].span if quote is not None else None
        if at in moved.mentions or _is_name(mention, names):
            known.append(Named(mention.span.start, span, at in moved.mentions))
            continue
        word = word_of(mention.surface) if mention.kind is MentionKind.PRONOUN else ""
        if word == "i":
            if quote is not None and quote in said:
                tied.append((at, quote))
        else:
            asked.append((Asked(mention.span.start, span, word), at))
    first = len(mentions)
    asked += [(Asked(quotes[at].span.start, quotes[at].span, "i"), first + at) for at in said - moved.quotes]
    asked.sort(key=lambda pair: pair[0].start)
    questions = [each for each, _ in asked]
    gone = list(_soon_after(known, questions)) if near else gone_with(known, questions, shipped())
    followed = [at for (_, at), goes in zip(asked, gone, strict=True) if goes]
    spoken = moved.quotes | {at - first for at in followed if at >= first}
    return replace(
        moved,
        mentions=moved.mentions
        | {at for at in followed if at < first}
        | {at for at, quote in tied if quote in spoken},
        quotes=spoken,
    )


def _soon_after(known: Sequence[Named], asked: Sequence[Asked]) -> Iterator[bool]:
    starts = [each.start for each in known]
    for each in asked:
        last = known[max(0, bisect_right(starts, each.start) - 1)]
        nearest, distance = last, each.start - last.start
        if each.word == "i" and each.quote is not None:
            after = bisect_left(starts, each.quote.end)
            if after < len(starts) and starts[after] - each.quote.end < distance:
                nearest, distance = known[after], starts[after] - each.quote.end
        yield nearest.gone and 0 <= distance < _NEARBY


def _is_name(mention: Mention, names: Collection[str]) -> bool:
    return mention.kind is MentionKind.PROPER or (
        mention.kind is MentionKind.NOMINAL and same(mention.surface) in names
    )


class QuotePlaces:
    """Finds the quote that a place is in. Quotes do not overlap."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans

    def of(self, start: int) -> int | None:
        at = bisect_right(self._spans, start, key=lambda span: span.start) - 1
        return at if at >= 0 and start < self._spans[at].end else None


def gone_with(known: Sequence[Named], asked: Sequence[Asked], model: odds.LearntOdds) -> list[bool]:
    """Return for each of `asked` whether it means who is gone. Both are in the order of the story."""
    if not any(each.gone for each in known) or all(each.gone for each in known):
        return [bool(known) and known[0].gone] * len(asked)
    sides = Sides(known)
    gone = [sides.last_named(each) for each in asked]
    for _ in range(_ROUNDS):
        gone = list(_decided(sides, asked, gone, model))
    return gone


def _decided(
    sides: Sides, asked: Sequence[Asked], before: Sequence[bool], model: odds.LearntOdds
) -> Iterator[bool]:
    walk = Walk(sides, asked, before)
    for each in asked:
        goes = bool(model.probabilities([walk.row(each)])[0] > 0.5)
        walk.told(each, gone=goes)
        yield goes


class Sides:
    """The names of who is gone, and of who stays."""

    def __init__(self, known: Sequence[Named]) -> None:
        self.named = [[each for each in known if each.gone is gone] for gone in (True, False)]
        self.starts = [[each.start for each in names] for names in self.named]
        self._told = [[each.start for each in names if each.quote is None] for names in self.named]

    def last_named(self, asked: Asked) -> bool:
        """Whether the nearest name before, or the first of all, is of who is gone."""
        gone, stays = (_before(starts, asked.start) for starts in self.starts)
        if gone is None and stays is None:
            return self.starts[0][0] < self.starts[1][0]
        return stays is None or (gone is not None and gone > stays)

    def signs(self, side: int, asked: Asked) -> list[float]:
        starts = self.starts[side]
        at = bisect_right(starts, asked.start)
        last = self.named[side][at - 1] if at else None
        told = self._told[side]
        beside = _FAR
        if asked.quote is not None:
            before, after = _before(told, asked.quote.start), _after(told, asked.quote.end)
            beside = min(_distance(before, asked.quote.start), _distance(after, asked.quote.end))
        return [
            _distance(last.start if last else None, asked.start),
            _distance(starts[at] if at < len(starts) else None, asked.start),
            log1p(at - bisect_left(starts, asked.start - _NEARBY)),
            float(last is not None and asked.quote is not None and last.quote == asked.quote),
            beside,
        ]


class Walk:
    """Goes through what is asked in order, and remembers who was meant where.

    `meant` says of all that is asked whom it may mean; it tells who is a he and who is a she.
    """

    def __init__(self, sides: Sides, asked: Sequence[Asked], meant: Sequence[bool]) -> None:
        self._sides = sides
        self._last: dict[tuple[int, str, bool], int] = {}
        self._any: dict[int, int] = {}
        self._words: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for each, gone in zip(asked, meant, strict=True):
            if each.sort == _OTHER and each.word:
                self._words[0 if gone else 1][each.word] += 1

    def told(self, asked: Asked, *, gone: bool) -> None:
        side = 0 if gone else 1
        self._any[side] = asked.start
        self._last[side, asked.word, asked.quote is not None] = asked.start

    def row(self, asked: Asked) -> list[float]:
        """Return the features, in the order of `FEATURES`: of who is gone, less those of who stays."""
        gone, stays = (self._signs(side, asked) for side in (0, 1))
        signs = [one - other for one, other in zip(gone, stays, strict=True)]
        row = [0.0] * len(FEATURES)
        row[asked.sort * len(_SIGNS) : (asked.sort + 1) * len(_SIGNS)] = signs
        return row

    def _signs(self, side: int, asked: Asked) -> list[float]:
        named = _before(self._sides.starts[side], asked.start)
        any_ = max((at for at in (named, self._any.get(side)) if at is not None), default=None)
        words = self._words[side]
        share = (words[asked.word] + 0.5) / (words.total() + 1.5)
        signs = self._sides.signs(side, asked)
        meant = _distance(any_, asked.start)
        return [
            *signs,
            meant,
            _distance(self._last.get((side, asked.word, asked.quote is not None)), asked.start),
            log(share) if asked.sort == _OTHER and asked.word else 0.0,
            *(exp(-expm1(distance) / _JUST) for distance in (signs[0], signs[1], meant)),
        ]


def _before(starts: Sequence[int], start: int) -> int | None:
    at = bisect_right(starts, start)
    return starts[at - 1] if at else None


def _after(starts: Sequence[int], start: int) -> int | None:
    at = bisect_left(starts, start)
    return starts[at] if at < len(starts) else None


def _distance(one: int | None, other: int) -> float:
    return min(log1p(abs(other - one)), _FAR) if one is not None else _FAR
