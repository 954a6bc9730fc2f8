"""The mentions of people in a Chinese book: names, roles and pronouns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coref.chinese.lexicon import forms_of_address, roles, speaks, title_of
from coref.chinese.names import each_match, subject_run
from coref.chinese.people import ChineseCast, NameShape
from coref.chinese.segment import ChineseWords, is_break, is_han
from coref.language.word_lists import table
from coref.language.word_lists import words as listed
from coref.types import MentionKind

ME, YOU, HE, SHE, SELF = "i", "you", "he", "she", "self"
_SAYS_OFTEN = 3
_SEEN_OFTEN = 3


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


def find_roles(words: ChineseWords, names: Mapping[str, object]) -> list[str]:
    """Return role nouns of characters: they speak, and refer to one person often enough."""
    seen: Counter[str] = Counter()
    says: Counter[str] = Counter()
    plain: set[str] = set()
    for first, end in words.ranges:
        for i in range(first, end):
            word = words.words[i]
            if word in roles():
                seen[word] += 1
            if speaks(word) and (name := subject_run(words, i, first)):
                says[name] += 1
            if words.tags[i] == "n" and len(word) > 1:
                plain.add(word)
    found = [role for role in seen if seen[role] >= _SEEN_OFTEN and says[role]]
    found += [
        n for n in says if says[n] >= _SAYS_OFTEN and n in plain and n not in roles() and n not in names
    ]
    return sorted(found)


def find_spots(words: ChineseWords, cast: ChineseCast, single: Mapping[int, str]) -> list[ChineseMention]:
    """`single`: the names of one character, by their offset."""
    taken = bytearray(len(words))
    found = []
    for first, end, name in each_match(words, cast.options):
        taken[first:end] = b"\1" * (end - first)
        kind = MentionKind.NOMINAL if _is_role(cast, name) else MentionKind.PROPER
        found.append(_spot(words, first, end, kind, name, cast.options[name]))
    found += _single_names(words, cast, single, taken)
    pronouns = table("chinese_pronouns")
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
    return sorted(found, key=lambda s: (s.first, -s.end))


def _single_names(
    words: ChineseWords, cast: ChineseCast, single: Mapping[int, str], taken: bytearray
) -> list[ChineseMention]:
    """Return the places at which old books call 张飞 by one character."""
    bearers = short_names(cast)
    found = []
    for i, start in enumerate(words.starts):
        name = single.get(start)
        if name and name in bearers and words.words[i] == name and not taken[i]:
            taken[i] = 1
            found.append(_spot(words, i, i + 1, MentionKind.PROPER, name, bearers[name]))
    return found


def short_names(cast: ChineseCast) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for person in cast.people:
        for form in person.forms:
            if form.shape is NameShape.FULL and len(form.given) == 1 and not form.title:
                found[form.given] = (*found.get(form.given, ()), person.number)
    return found


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
