"""The names of people in a Chinese book: what the tagger finds, weighed over the whole book."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coref.chinese import name_tagger
from coref.chinese.lexicon import acts, roles, speaks, surnames, titles
from coref.chinese.name_tagger import Probabilities, probability, tagged
from coref.chinese.segment import ChineseWords, is_han
from coref.language.word_lists import words as listed

_HAN = "[\u4e00-\u9fff]"
_STYLED = re.compile(
    rf"姓(?P<surname>{_HAN}{{1,2}})[，,、]?(?:双|单)?名(?:叫|唤|曰|是)?(?P<given>{_HAN}{{1,2}})"
    rf"(?:[，,、；]?(?:表)?字(?P<style>{_HAN}{{2}}))?(?!{_HAN})"
)
LONGEST = 5
"""Maximum number of characters in the subject of a verb of speech."""
_LEAST = 1.5
"""Expected number of places at which a name is one, unless the tagger is sure of a place."""
_SURE = 0.7
_SMALL = frozenset("pcuryeof")
"""First letters of the tags of words that occur in no name."""
_SHARE = 0.3
"""Mean probability at all places of a name. A word that looks like one by chance is seldom likely."""
_LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class ChineseNames:
    counts: Mapping[str, int]
    """How often each name of more than one character is probably one."""
    single: Mapping[int, str]
    """The names of one character, such as 操 for 曹操, by their offset in the book."""


def find_names(words: ChineseWords, chapters: Sequence[int]) -> ChineseNames:
    """Return the names of people in simplified characters."""
    classes = name_tagger.shipped().read(words.simple, chapters)
    known: set[str] = set()
    single: dict[int, str] = {}
    for opens, text, row in zip(words.opens, words.simple, classes, strict=True):
        for found in tagged(text, row):
            if len(found.text) == 1:
                single[opens + found.start] = found.text
            elif _may_be(found.text):
                known.add(found.text)
    places: Counter[str] = Counter()
    likely: dict[str, float] = defaultdict(float)
    surest: dict[str, float] = defaultdict(float)
    for text, row in zip(words.simple, classes, strict=True):
        for name, probable in _places(text, row, known):
            places[name] += 1
            likely[name] += probable
            surest[name] = max(surest[name], probable)
    kept = {
        name
        for name in known
        if likely[name] >= _SHARE * places[name] and (likely[name] >= _LEAST or surest[name] >= _SURE)
    }
    counts = {name: round(likely[name]) or 1 for name in sorted(kept)}
    return ChineseNames(counts | {name: words.words.count(name) for name in sorted(_dotted(words))}, single)


def _may_be(name: str) -> bool:
    return name not in roles() and name not in titles() and name not in listed("chinese_pronouns")


def _places(text: str, classes: Probabilities, names: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the places of names with their probabilities, but for those within a longer likely name."""
    lengths = sorted({len(name) for name in names}, reverse=True)
    first = 0
    while first < len(text):
        after = first + 1
        for length in lengths:
            name = text[first : first + length]
            if len(name) == length and name in names:
                probable = probability(classes, first, first + length)
                yield name, probable
                if probable >= _LIKELY:
                    after = first + length
                    break
        first = after


def _dotted(words: ChineseWords) -> set[str]:
    """Return the foreign names with dots, which are words of their own."""
    return {w for w in words.words if len(w) > 1 and is_han(w) and any(not sign.isalnum() for sign in w)}


def each_match(words: ChineseWords, names: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """Yield the places of names, the longest first. They begin and end at word boundaries."""
    openings = {name[0] for name in names}
    longest = max(map(len, names), default=0)
    for first, end in words.ranges:
        i = first
        while i < end:
            match = None
            if words.words[i][0] in openings:
                match = _longest_at(words, i, end, names, longest)
            if match is None:
                i += 1
                continue
            yield i, match[0], match[1]
            i = match[0]


def _longest_at(
    words: ChineseWords, i: int, end: int, names: Mapping[str, object], longest: int
) -> tuple[int, str] | None:
    text, best = "", None
    for j in range(i, end):
        if j > i and words.ends[j - 1] != words.starts[j]:
            break
        text += words.words[j]
        if len(text) > longest:
            break
        if text in names:
            best = (j + 1, text)
    return best


def styled(words: ChineseWords) -> list[tuple[str, str, str]]:
    """Read `姓刘，名备，字玄德`: the full name, the courtesy name and the word between."""
    found = []
    for text in words.simple:
        for match in _STYLED.finditer(text):
            surname, given = match["surname"], match["given"]
            if surname in surnames():
                found.append((surname + given, match["style"] or "", "字"))
    return found


def subject_run(words: ChineseWords, verb: int, first: int) -> str:
    """Return the subject of a verb of speech, if it is one to four characters that open the clause."""
    opens = words.clause_start(verb, first)
    while opens < verb and words.words[opens] in listed("chinese_openers"):
        opens += 1
    end = min(opens + (words.words[opens] in surnames()), verb)
    while end < verb and not _between(words, end):
        end += 1
    run = words.words[opens:end]
    name = "".join(run)
    if not 2 <= len(name) <= LONGEST or len(run) > 3 or not words.joined(opens, end):
        return ""
    if any(_is_small_word(words, k) for k in range(opens + 1, end)) or name in listed("chinese_not_names"):
        return ""
    if not all(is_han(w) or words.tags[opens + k] == "eng" for k, w in enumerate(run)):
        return ""
    return "" if any(w in listed("chinese_pronouns") for w in run) else name


def _is_small_word(words: ChineseWords, i: int) -> bool:
    tag = words.tags[i]
    return tag in ("r", "c", "f") or (len(words.words[i]) == 1 and tag[0] in _SMALL and tag != "eng")


def _between(words: ChineseWords, i: int) -> bool:
    word = words.words[i]
    if word in listed("chinese_between") or word in listed("chinese_prepositions"):
        return True
    return acts(word) or speaks(word) or words.tags[i] in ("d", "ad", "vd", "p", "uz", "ul", "ud")
