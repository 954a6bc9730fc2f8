"""The mentions of people in a Chinese book: names, roles and pronouns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coref.chinese.lexicon import elders, forms_of_address, relatives, roles, speaks, title_of
from coref.chinese.names import POINTING, ChineseNames, each_match, subject_run
from coref.chinese.people import ChineseCast, ChinesePerson, NameShape, often_enough
from coref.chinese.segment import ChineseWords, is_break, is_han
from coref.language.word_lists import table
from coref.language.word_lists import words as listed
from coref.types import MentionKind

ME, YOU, HE, SHE, SELF = "i", "you", "he", "she", "self"
_TOGETHER = 3
_SPEAKS = 0.03
"""Share of the places of a noun at which it speaks, if it means somebody and is not known for that."""
_RARE = 0.05
"""Share of the mentions of the likeliest bearer of a given name, up to which it means no other one alone."""


@dataclass(slots=True)
class ChineseMention:
    """A mention, in words. `who` is set during resolution."""

    first: int
    end: int
    kind: MentionKind
    head: str
    """The name, the role or the class of the pronoun."""
    quote: int
    subject: bool
    options: tuple[int, ...] = ()
    who: int | None = None
    confidence: float = 0.0


def find_roles(
    words: ChineseWords, names: Mapping[str, object], chapters: Sequence[int]
) -> list[tuple[str, int | None]]:
    """Return nouns that mean one person: of a speaker, of an elder, or of somebody who is pointed at.

    One that is not used all over a chapter is one person there only.
    """
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    acting: dict[str, Counter[int]] = defaultdict(Counter)
    pointed: dict[str, Counter[int]] = defaultdict(Counter)
    meant: dict[str, set[int]] = defaultdict(set)
    says: Counter[str] = Counter()
    for (first, end), chapter in zip(words.ranges, chapters, strict=True):
        for i in range(first, end):
            word = words.words[i]
            if (word in roles() or (len(word) > 1 and words.tags[i] == "n")) and word not in names:
                seen[word][chapter] += 1
                told = words.quote[i] < 0 or word not in elders()
                acting[word][chapter] += told and is_subject(words, i, i + 1)
                pointed[word][chapter] += i > first and words.words[i - 1] in POINTING
            elif speaks(word):
                name = subject_run(words, i, first)
                last = words.words[i - 1] if i > first else ""
                speaker = name if name in roles() else last if last in roles() else name
                says[speaker] += 1
                meant[speaker].add(chapter)
    for word, counts in seen.items():
        for chapter, count in counts.items():
            acts = acting[word][chapter]
            shown = acts if word in roles() else min(acts, pointed[word][chapter])
            if (word in elders() and count > 1 and acts) or shown >= _TOGETHER:
                meant[word].add(chapter)
    found: list[tuple[str, int | None]] = []
    for noun in sorted(meant):
        if noun in seen and (noun in roles() or says[noun] >= _SPEAKS * seen[noun].total()):
            whole = seen[noun].total() >= _TOGETHER * len(seen[noun])
            found += [(noun, None)] if whole else [(noun, chapter) for chapter in sorted(meant[noun])]
    return found


def find_spots(cast: ChineseCast, names: ChineseNames, chapters: Sequence[int]) -> list[ChineseMention]:
    words = names.words
    taken = bytearray(len(words))
    found = []
    here = [chapter for (a, b), chapter in zip(words.ranges, chapters, strict=True) for _ in range(a, b)]
    for first, end, name in each_match(words, cast.options):
        options = [n for n in cast.options[name] if cast.people[n].chapter in (None, here[first])]
        if not options:
            continue
        taken[first:end] = b"\1" * (end - first)
        kind = MentionKind.NOMINAL if _is_role(cast, name) else MentionKind.PROPER
        found.append(_spot(words, first, end, kind, name, options))
    pronouns, humble = table("chinese_pronouns"), table("chinese_speech_pronouns")
    for first, end, word in each_match(words, humble):
        if words.quote[first] >= 0 and not any(taken[first:end]):
            taken[first:end] = b"\1" * (end - first)
            found.append(_spot(words, first, end, MentionKind.PRONOUN, humble[word], ()))
    # Last, for 明公 is no 诸葛孔明.
    found += _single_names(cast, names, taken)
    for i, word in enumerate(words.words):
        if taken[i]:
            continue
        if word in pronouns:
            found.append(_spot(words, i, i + 1, MentionKind.PRONOUN, pronouns[word], ()))
        elif (word in roles() or (word in forms_of_address() and words.quote[i] >= 0)) and taken[
            i + 1 : i + 2
        ] != b"\1":
            # `店主李四` is one person with a name.
            found.append(_spot(words, i, i + 1, MentionKind.NOMINAL, word, ()))
    found.sort(key=lambda s: (s.first, -s.end))
    _lengthen(words, found)
    return sorted(found, key=lambda s: (s.first, -s.end))


def _lengthen(words: ChineseWords, spots: Sequence[ChineseMention]) -> None:
    """Take in whose it is: `他母亲` is one mention, with another in it."""
    for whose, spot in pairwise(spots):
        short = whose.kind is MentionKind.PRONOUN and len(words.words[whose.first]) == 1
        if short and spot.kind is MentionKind.NOMINAL and _side_by_side(words, whose, spot):
            spot.first, spot.subject = whose.first, whose.subject
            whose.subject = False
    for spot in spots:
        before = spot.first - 1
        relative = spot.kind is MentionKind.PROPER and before >= 0 and words.words[before] in relatives()
        if relative and words.joined(before, spot.end) and words.words[before - 1] != "的":
            spot.first, spot.subject = before, is_subject(words, before, spot.end)


def _side_by_side(words: ChineseWords, one: ChineseMention, other: ChineseMention) -> bool:
    return one.end == other.first and words.joined(one.first, other.end)


def _single_names(cast: ChineseCast, names: ChineseNames, taken: bytearray) -> list[ChineseMention]:
    """Return the places at which old books call 张飞 by one character."""
    words, bearers = names.words, short_names(cast, names.counts)
    found = []
    for i, start in enumerate(words.starts):
        name = names.single.get(start)
        if name and name in bearers and words.words[i] == name and not taken[i]:
            taken[i] = 1
            found.append(_spot(words, i, i + 1, MentionKind.PROPER, name, bearers[name]))
    return found


def short_names(cast: ChineseCast, counts: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return who may be meant by each given name of one character."""
    found: dict[str, list[ChinesePerson]] = defaultdict(list)
    for person in cast.people:
        for form in person.forms:
            if form.shape is NameShape.FULL and len(form.given) == 1 and not form.title:
                found[form.given].append(person)
    return {
        given: tuple(p.number for p in often_enough(people, counts, _RARE)) for given, people in found.items()
    }


def _is_role(cast: ChineseCast, name: str) -> bool:
    return all(cast.people[who].role for who in cast.options[name])


def _spot(
    words: ChineseWords, first: int, end: int, kind: MentionKind, head: str, options: Sequence[int]
) -> ChineseMention:
    if kind is MentionKind.NOMINAL and _is_plural(words, end):
        options = ()
    subject = is_subject(words, first, end)
    return ChineseMention(first, end, kind, head, words.quote[first], subject, tuple(options))


def _is_plural(words: ChineseWords, end: int) -> bool:
    return end < len(words) and words.words[end] == "们"


def is_subject(words: ChineseWords, first: int, end: int) -> bool:
    before = words.words[first - 1] if first else ""
    after = words.words[end] if end < len(words) else ""
    if after in ("的", "之", "和", "与", "、", "家"):
        return False
    if not before or is_break(before) or before in listed("chinese_openers"):
        return True
    if before in listed("chinese_prepositions") or not is_han(before):
        return False
    return words.tags[first - 1][0] in "dcrtn" and not title_of(before)
