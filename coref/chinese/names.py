"""The names of people in a Chinese book: what the tagger finds, weighed over the whole book."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from coref.chinese import name_tagger
from coref.chinese.lexicon import acts, roles, speaks, surname_of, surnames, title_of, titles
from coref.chinese.name_tagger import Probabilities, probability, tagged
from coref.chinese.segment import ChineseWords, is_common, is_han, part_again, tagged_words
from coref.language.word_lists import words as listed

_HAN = "[\u4e00-\u9fff]"
_STYLED = re.compile(
    rf"姓(?P<surname>{_HAN}{{1,2}})[，,、]?(?:双|单)?名(?:叫|唤|曰|是)?(?P<given>{_HAN}{{1,2}})"
    rf"(?:[，,、；]?(?:表)?字(?P<style>{_HAN}{{2}}))?(?!{_HAN})"
)
LONGEST = 5
"""Maximum number of characters in the subject of a verb of speech."""
_LEAST = 2.0
"""Expected number of places at which a name is one, unless the tagger is sure of a place."""
_SURE = 0.75
_SMALL = frozenset("pcuryeof")
"""First letters of the tags of words that occur in no name."""
_SHARE = 0.2
"""Mean probability at all places of a name. A word that looks like one by chance is seldom likely."""
_LIKELY = 0.5
_SHARE_SIGN, _LIKELY_SIGN = 0.3, 0.5
"""The same for names of one character, which are only looked for where somebody has it behind a surname."""
_GIVEN = 2
_OFTENER = 10.0
"""How much likelier a full name is that a longer one ends in by chance, as 战吕布 does in 吕布."""
POINTING = frozenset("这那此其该")


@dataclass(frozen=True, slots=True)
class ChineseNames:
    counts: Mapping[str, int]
    """How often each name of more than one character is probably one."""
    single: Mapping[int, str]
    """The names of one character, such as 操 for 曹操, by their offset in the book."""
    words: ChineseWords
    """The words of the book, parted anew where names begin and end."""


def find_names(words: ChineseWords, chapters: Sequence[int]) -> ChineseNames:
    """Return the names of people in simplified characters."""
    classes = name_tagger.shipped().read(words.simple, chapters)
    known: set[str] = set()
    for text, row in zip(words.simple, classes, strict=True):
        known |= {found.text for found in tagged(text, row) if len(found.text) > 1 and _may_be(found.text)}
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
    mean = {name: likely[name] / places[name] for name in kept}
    kept -= {name for name in kept if _has_more(name, mean, likely)}
    kept |= _given_names({name for name in kept if likely[name] >= _LEAST}, words.simple)
    counts = {name: round(likely[name]) or 1 for name in sorted(kept)}
    counts |= {name: words.words.count(name) for name in sorted(_dotted(words))}
    counts |= {name: count for name, count in _titled(words, kept).items() if name not in counts}
    given = {name[-1] for name in kept if surname_of(name) == name[:-1]}
    words = part_again(words, counts, given) if counts else words
    return ChineseNames(counts, _single(words, chapters, classes), words)


def _single(words: ChineseWords, chapters: Sequence[int], classes: Sequence[Probabilities]) -> dict[int, str]:
    """Return the places of words of one character that are mostly names in a chapter."""
    places: dict[tuple[int, str], list[tuple[int, float]]] = defaultdict(list)
    for chapter, opens, row, (first, end) in zip(chapters, words.opens, classes, words.ranges, strict=True):
        for i in range(first, end):
            if len(words.words[i]) == 1 and is_han(words.words[i]):
                at = words.starts[i] - opens
                probable = probability(row, at, at + 1)
                places[chapter, words.words[i]].append((words.starts[i], probable))
    return {
        at: word
        for (_, word), found in places.items()
        for mean in [sum(probable for _, probable in found) / len(found)]
        for at, probable in found
        if probable >= _LIKELY_SIGN or mean >= _SHARE_SIGN
    }


def _given_names(names: Set[str], texts: Sequence[str]) -> set[str]:
    """Return the given names of two characters that stand alone, too, unless they are common words."""
    given: dict[str, set[str]] = defaultdict(set)
    for name in names:
        surname = surname_of(name)
        if surname and len(name) - len(surname) == _GIVEN:
            given[name[len(surname) :]].add(name)
    return {
        short
        for short, full in given.items()
        if not is_common(short) and _may_be(short) and any(_alone(short, full, text) for text in texts)
    }


def _alone(short: str, full: Set[str], text: str) -> bool:
    return text.count(short) > sum(text.count(name) for name in full)


def _has_more(name: str, kept: Mapping[str, float], likely: Mapping[str, float]) -> bool:
    """Whether it is a likelier name with a word beside it: `那宝玉`, `战吕布`, `张飞大`."""
    rest, short = name[1:], name[:-1]
    if short in kept and likely[short] > likely[name] and not title_of(name):
        return True
    if rest not in kept:
        return False
    full = bool(surname_of(rest)) and kept[name] < kept[rest] and likely[rest] >= _OFTENER * likely[name]
    return full or (_may_precede(name[0]) and likely[rest] > likely[name])


def _titled(words: ChineseWords, names: Iterable[str]) -> Counter[str]:
    """Count the titles behind a surname that somebody has: `杜大哥`, where 杜国梁 is known."""
    known = {surname_of(name) for name in names if surname_of(name) != name} - {""}
    found: Counter[str] = Counter()
    for i in range(len(words) - 1):
        if words.words[i] in known and len(words.words[i + 1]) > 1 and words.words[i + 1] in titles():
            found[words.words[i] + words.words[i + 1]] += words.joined(i, i + 2)
    return found


def _may_precede(sign: str) -> bool:
    """Whether it may be a word before a name, as in `那宝玉` and `向宝玉`, though it is a surname too."""
    return sign in POINTING or sign in listed("chinese_prepositions")


def _may_be(name: str) -> bool:
    known = name in roles() or name in titles() or name in listed("chinese_pronouns")
    return not known and not _is_other_word(name)


def _is_other_word(name: str) -> bool:
    """Whether the dictionary has it as a frequent word that is no name, such as 商议."""
    found = list(tagged_words(name)) if is_common(name) else []
    return len(found) == 1 and not found[0][1].startswith("nr")


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


def styled(text: str) -> Iterator[tuple[str, str]]:
    """Yield full names with courtesy names out of `姓刘，名备，字玄德`. A courtesy name may be empty."""
    for match in _STYLED.finditer(text):
        if match["surname"] in surnames():
            yield match["surname"] + match["given"], match["style"] or ""


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
