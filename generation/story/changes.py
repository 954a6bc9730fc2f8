"""Compare a character in the first and the last third of a book: company, names, qualities, events."""

from __future__ import annotations

from collections.abc import Sequence

from coref.language.word_lists import same, words
from coref.types import Alias
from generation.story.indexed_book import IndexedBook
from generation.story.types import BookThird, Company, Deed, LateName, Quality, StoryChange, StoryPresence

_LEAST_CHAPTERS = 6
_LEAST_MENTIONS = 30
_THIRD = 3
_MOST_DEEDS, _MOST_COMPANY = 8, 5
_OFTEN = 3
"""Times that a name must be used to count as a new name."""
_MUCH = 0.15
"""Share of the chapters of a part that a companion must be in."""


def change(
    reading: IndexedBook,
    character: str,
    *,
    presence: StoryPresence,
    company: Sequence[Company],
    qualities: Sequence[Quality],
    deeds: Sequence[Deed],
) -> StoryChange | None:
    whole = len(reading.book.chapters)
    if whole < _LEAST_CHAPTERS or sum(presence.by_chapter) < _LEAST_MENTIONS:
        return None
    early, late = range(whole // _THIRD), range(whole - whole // _THIRD, whole)
    aliases = reading.people[character].aliases
    parts = [
        _part(chapters, reading, presence, company, qualities, deeds, aliases) for chapters in (early, late)
    ]
    if not all(part.mentions for part in parts):
        return None
    one, other = parts
    since = range(early.stop, whole)
    return StoryChange(_without(one, other), _without(other, one), _new_names(reading, aliases, since))


def _part(
    chapters: range,
    reading: IndexedBook,
    presence: StoryPresence,
    company: Sequence[Company],
    qualities: Sequence[Quality],
    deeds: Sequence[Deed],
    aliases: Sequence[Alias],
) -> BookThird:
    here = tuple(c for c in presence.chapters if c in chapters)
    counts = dict(zip(presence.chapters, presence.by_chapter, strict=True))
    ranked = sorted((d for d in deeds if d.chapter in chapters), key=lambda d: (-d.weight, d.word))
    met = [c for c in company if _share(c, chapters) >= _MUCH]
    met.sort(key=lambda c: -sum(at in chapters for at in c.chapters))
    said = tuple(q for q in qualities if any(c.chapter in chapters for c in q.citations))
    names = tuple(a.text for a in aliases if _chapter(reading, a.first) in chapters)
    mentions = sum(counts[c] for c in here)
    return BookThird(here, mentions, tuple(met[:_MOST_COMPANY]), names, said, tuple(ranked[:_MOST_DEEDS]))


def _without(part: BookThird, other: BookThird) -> BookThird:
    """Return a part without what is also said in the other one, since that is no change."""
    names = tuple(n for n in part.names if n not in other.names)
    qualities = tuple(q for q in part.qualities if q not in other.qualities)
    met = {c.other for c in other.company}
    company = tuple(c for c in part.company if c.other not in met)
    return BookThird(part.chapters, part.mentions, company, names, qualities, part.deeds)


def _share(company: Company, chapters: range) -> float:
    return sum(c in chapters for c in company.chapters) / max(1, len(chapters))


def _new_names(reading: IndexedBook, aliases: Sequence[Alias], late: range) -> tuple[LateName, ...]:
    """Return wives' names and ranks that the character did not have earlier in the book."""
    before = {
        token for a in aliases if _chapter(reading, a.first) not in late for token in same(a.text).split()
    }
    found = []
    for alias in aliases:
        title = alias.text.split()[0].strip(".")
        newly = _chapter(reading, alias.first) in late and not set(same(alias.text).split()) <= before
        if newly and alias.count >= _OFTEN and title in words("wed_titles") | words("rank_titles"):
            found.append(LateName(alias.text, reading.cite(alias.first), alias.count))
    return tuple(found)


def _chapter(reading: IndexedBook, offset: int) -> int:
    chapter = reading.book.chapter_at(offset)
    return chapter.index if chapter is not None else 0
