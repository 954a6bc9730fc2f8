"""Aligns numbered words with a text, when only some of the words are known.

Without its `.tokens` BookNLP's output gives the text of tokens 4 and 5, but not their place. Stretches of
known words are looked up in the text, in order. Long ones that occur once are anchors. Between anchors the
highest cost is to disagree with the numbers about how many words lie between two stretches. A stretch that
would fit as well somewhere else is left out rather than guessed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from books.types import Span
from coref.booknlp.spacy_words import spans

ANCHOR_LETTERS = 16
"""Length without white space of an anchor, which must occur once in the text and once in the stretches."""
CANDIDATES = 6
MOST_ALIKE = 200
"""Number of places with the same beginning beyond which a stretch is no anchor: a refrain."""
LOOKS = 48
"""Maximum number of places considered for one stretch between two anchors."""
SKIPS = 3
SKIP_COST = 6
"""Leaving out a stretch costs as much as being off by six words."""
NEAR = 2
"""How many words a short stretch may be off from the nearer of its neighbours."""
SLACK = 400
"""How many words a place may be from where the numbers expect it."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The places of tokens. A token that is missing was not found, or not with certainty."""

    starts: Mapping[int, int]
    ends: Mapping[int, int]
    doubtful: int
    """Number of stretches left out because they would fit as well somewhere else."""

    def span(self, first: int, last: int) -> Span | None:
        """Return the span from the first token to the last one, inclusive."""
        if first not in self.starts or last not in self.ends:
            return None
        start, end = self.starts[first], self.ends[last]
        return Span(start, end) if start < end else None


@dataclass(frozen=True, slots=True)
class KnownStretch:
    """Consecutive known words, from token `first`."""

    first: int
    words: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.first + len(self.words)

    @property
    def letters(self) -> str:
        return "".join(self.words)


@dataclass(slots=True)
class _Packed:
    """A text without its white space, with a mapping back."""

    letters: str
    at: array[int]
    """The offset of each letter in the text."""
    word_starts: array[int]
    """The starts of our own words as positions among the letters, to count words between two places."""
    opens: bytearray = field(repr=False)
    """1 where a word may start: after white space, and beside a mark."""

    def words_before(self, place: int) -> int:
        return bisect_left(self.word_starts, place)

    def start_of(self, word: int) -> int:
        """Return the start of our own word of this number, or the nearest end of the text."""
        if word <= 0:
            return 0
        return self.word_starts[word] if word < len(self.word_starts) else len(self.letters)

    def fits(self, place: int, length: int) -> bool:
        """Return whether a stretch here would start and end at word boundaries."""
        end = place + length
        return bool(self.opens[place]) and (end == len(self.letters) or bool(self.opens[end]))

    def find(self, wanted: str, start: int, end: int, *, most: int = LOOKS) -> list[int]:
        found: list[int] = []
        place = self.letters.find(wanted, start, end)
        while place >= 0 and len(found) < most:
            if self.fits(place, len(wanted)):
                found.append(place)
            place = self.letters.find(wanted, place + 1, end)
        return found


def align(text: str, known: Mapping[int, str]) -> Alignment:
    """Align the known words, keyed by their number, with the text."""
    packed = _pack(text)
    placed: dict[KnownStretch, int] = {}
    doubtful = 0
    stretches = list(_stretches(known))
    anchors = _anchors(packed, stretches)
    for left, right, between in _segments(stretches, anchors):
        found, doubts = _settle(packed, between, left, right)
        placed.update(found)
        doubtful += doubts
    placed.update(anchors)
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for stretch, place in placed.items():
        for number, word in enumerate(stretch.words, stretch.first):
            starts[number] = packed.at[place]
            ends[number] = packed.at[place + len(word) - 1] + 1
            place += len(word)
    return Alignment(starts, ends, doubtful)


def _pack(text: str) -> _Packed:
    at = array("i", (i for i, c in enumerate(text) if not c.isspace()))
    letters = "".join(text.split())
    word_starts = array("i")
    opens = bytearray(len(letters))
    place = 0
    for start, end in spans(text):
        word_starts.append(place)
        opens[place] = 1
        for inner in range(place + 1, place + end - start):
            opens[inner] = not (letters[inner - 1].isalnum() and letters[inner].isalnum())
        place += end - start
    return _Packed(letters, at, word_starts, opens)


def _stretches(known: Mapping[int, str]) -> Iterator[KnownStretch]:
    first, words = 0, list[str]()
    for number in sorted(known):
        if words and number != first + len(words):
            yield KnownStretch(first, tuple(words))
            words = []
        if not words:
            first = number
        words.append(known[number])
    if words:
        yield KnownStretch(first, tuple(words))


def _anchors(packed: _Packed, stretches: list[KnownStretch]) -> dict[KnownStretch, int]:
    """Return stretches with a unique place: the longest sequence of them in increasing order."""
    wanted: dict[str, list[KnownStretch]] = defaultdict(list)
    for stretch in stretches:
        if len(letters := stretch.letters) >= ANCHOR_LETTERS:
            wanted[letters].append(stretch)
    heads: dict[str, list[int]] = {letters[:ANCHOR_LETTERS]: [] for letters in wanted}
    for place in range(len(packed.letters) - ANCHOR_LETTERS + 1):
        if (
            packed.opens[place]
            and (found := heads.get(packed.letters[place : place + ANCHOR_LETTERS])) is not None
        ):
            found.append(place)
    once: list[tuple[KnownStretch, int]] = []
    for letters, same in wanted.items():
        near = heads[letters[:ANCHOR_LETTERS]]
        if len(same) > 1 or len(near) > MOST_ALIKE:
            continue
        places = [p for p in near if packed.letters.startswith(letters, p) and packed.fits(p, len(letters))]
        if len(places) == 1:
            once.append((same[0], places[0]))
    return dict(_forward(sorted(once, key=lambda pair: pair[0].first)))


def _forward(pairs: list[tuple[KnownStretch, int]]) -> list[tuple[KnownStretch, int]]:
    """Return the longest subsequence of pairs whose places increase as their numbers do."""
    tails: list[int] = []  # the place at which the best sequence of each length ends
    last: list[int] = []
    before: list[int] = []
    for i, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        before.append(last[length - 1] if length else -1)
        tails[length : length + 1] = [place]
        last[length : length + 1] = [i]
    line: list[tuple[KnownStretch, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        line.append(pairs[at])
        at = before[at]
    return line[::-1]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A known position: token `number` would start at `place`."""

    number: int
    place: int


def _segments(
    stretches: list[KnownStretch], anchors: Mapping[KnownStretch, int]
) -> Iterator[tuple[_Edge, _Edge | None, list[KnownStretch]]]:
    left, between = _Edge(0, 0), list[KnownStretch]()
    for stretch in stretches:
        place = anchors.get(stretch)
        if place is None:
            between.append(stretch)
            continue
        yield left, _Edge(stretch.first, place), between
        left, between = _Edge(stretch.end, place + len(stretch.letters)), []
    yield left, None, between


@dataclass(slots=True)
class _Spot:
    """One candidate place of a stretch, with the cheapest path to it."""

    stretch: KnownStretch
    place: int
    end: int
    words: int
    """The numbers of our own words before it, and before its end."""
    words_end: int
    cost: float = 0
    via: _Spot | None = None


def _settle(
    packed: _Packed, stretches: list[KnownStretch], left: _Edge, right: _Edge | None
) -> tuple[dict[KnownStretch, int], int]:
    """Return the places of the stretches between two edges, and the number of doubtful ones."""
    start = _edge(packed, left)
    rows = [[start]]
    limit = right.place if right else len(packed.letters)
    for stretch in _findable(packed, stretches, left, limit):
        rows.append(_spots(packed, stretch, left, limit))
        _reach(rows)
        if not rows[-1]:
            rows.pop()  # not found anywhere: no path leads through it
    if right:
        rows.append([_edge(packed, right)])
        _reach(rows)
    return _chosen(rows, closed=right is not None)


def _edge(packed: _Packed, edge: _Edge) -> _Spot:
    words = packed.words_before(edge.place)
    return _Spot(KnownStretch(edge.number, ()), edge.place, edge.place, words, words)


def _findable(
    packed: _Packed, stretches: list[KnownStretch], left: _Edge, limit: int
) -> Iterator[KnownStretch]:
    """Yield each stretch, or the pieces of it that can be found if it cannot: editions differ in a word."""
    for stretch in stretches:
        low, high = _window(packed, stretch, left, limit)
        if len(stretch.words) == 1 or packed.find(stretch.letters, low, high, most=1):
            yield stretch
        else:
            half = len(stretch.words) // 2
            pieces = [
                KnownStretch(stretch.first, stretch.words[:half]),
                KnownStretch(stretch.first + half, stretch.words[half:]),
            ]
            yield from _findable(packed, pieces, left, limit)


def _window(packed: _Packed, stretch: KnownStretch, left: _Edge, limit: int) -> tuple[int, int]:
    """Return the range in which a stretch is searched for."""
    expected = packed.words_before(left.place) + stretch.first - left.number
    low = packed.start_of(expected - SLACK)
    high = packed.start_of(expected + SLACK + len(stretch.words))
    return max(low, left.place), min(high, limit)


def _spots(packed: _Packed, stretch: KnownStretch, left: _Edge, limit: int) -> list[_Spot]:
    """Return the places nearest to where the numbers expect the stretch."""
    expected = packed.words_before(left.place) + stretch.first - left.number
    letters = stretch.letters
    spots = [
        _Spot(stretch, p, p + len(letters), packed.words_before(p), packed.words_before(p + len(letters)))
        for p in packed.find(letters, *_window(packed, stretch, left, limit))
    ]
    spots.sort(key=lambda s: (abs(s.words - expected), s.place))
    return sorted(spots[:CANDIDATES], key=lambda s: s.place)


def _reach(rows: list[list[_Spot]]) -> None:
    """Find the cheapest path to each spot of the last row."""
    reached = []
    for spot in rows[-1]:
        best: tuple[float, _Spot] | None = None
        for skipped, row in enumerate(reversed(rows[:-1])):
            for before in row:
                if before.end <= spot.place:
                    cost = before.cost + skipped * SKIP_COST + _off(before, spot)
                    if best is None or cost < best[0]:
                        best = (cost, before)
            if skipped >= SKIPS and best is not None:
                break
        if best is not None:
            spot.cost, spot.via = best
            reached.append(spot)
    rows[-1][:] = reached


def _off(before: _Spot, spot: _Spot) -> int:
    """Return the difference in words between the text and the numbers from one spot to another."""
    return abs((spot.words - before.words_end) - (spot.stretch.first - before.stretch.end))


def _chosen(rows: list[list[_Spot]], *, closed: bool) -> tuple[dict[KnownStretch, int], int]:
    """Return the cheapest path, without the spots that are ambiguous."""
    behind = [(s.cost + (len(rows) - 1 - i) * SKIP_COST, s) for i, row in enumerate(rows) for s in row]
    if not behind:
        return {}, 0
    at: _Spot | None = rows[-1][0] if closed and rows[-1] else min(behind, key=lambda b: b[0])[1]
    way: list[_Spot] = []
    while at is not None:
        way.append(at)
        at = at.via
    way.reverse()
    siblings = {id(s): row for row in rows for s in row}
    found: dict[KnownStretch, int] = {}
    doubtful = 0
    for i, spot in enumerate(way):
        if not spot.stretch.words:
            continue
        after = way[i + 1] if i + 1 < len(way) else None
        if _unsure(spot, way[i - 1], after, siblings[id(spot)]):
            doubtful += 1
        else:
            found[spot.stretch] = spot.place
    return found, doubtful


def _unsure(spot: _Spot, before: _Spot, after: _Spot | None, row: list[_Spot]) -> bool:
    """Return whether another place would agree as well with the numbers, its neighbours being fixed.

    A place that agrees with neither neighbour is unsure too: its text may have been cut from this edition.
    """
    near = [_off(before, spot), *([_off(spot, after)] if after else ())]
    if min(near) > NEAR and len(spot.stretch.letters) < ANCHOR_LETTERS:
        return True

    def off(s: _Spot) -> int:
        return _off(before, s) + (_off(s, after) if after else 0)

    return any(
        other is not spot
        and before.end <= other.place
        and (after is None or other.end <= after.place)
        and off(other) <= off(spot)
        for other in row
    )
