"""Finds candidates for names of people, and keeps those that the book uses as names.

jieba's tags are evidence here, not truth. Further evidence is a surname, a title, a verb of speech, or a
vocative.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from coref.chinese.lexicon import acts, roles, signs, speaks, surname_of, surnames, title_of, titles
from coref.chinese.segment import ChineseWords, is_break, is_common, is_han
from coref.language.word_lists import words as listed

_HAN = "[\u4e00-\u9fff]"
_STYLED = re.compile(
    rf"姓(?P<surname>{_HAN}{{1,2}})[，,、]?(?:双|单)?名(?:叫|唤|曰|是)?(?P<given>{_HAN}{{1,2}})"
    rf"(?:[，,、；](?:表)?字(?P<style>{_HAN}{{2}}))?(?!{_HAN})"
)
LONGEST = 5
"""Maximum number of characters in a name without dots. Titles are additional."""
_LONGEST_FOREIGN = 24
_TOWARDS = frozenset("对向朝跟")
_PREFIXES = frozenset("老小阿大")
_SURE_BY_TAG = ("nr", "nrt", "nrfg")
_NAMES_BY_TAG = (*_SURE_BY_TAG, "ns", "nt", "nz")
_SMALL = frozenset("pcuryeof")
"""First letters of the tags of words that occur in no name."""
_VERBLIKE = ("v", "d", "a")
_ENOUGH = 3.0
_DOMINATED = 0.2
_MOST_CANDIDATES = 200_000


@dataclass(slots=True)
class ChineseNameEvidence:
    """Evidence for and against a string being somebody's name, over the whole book."""

    total: int = 0
    says: int = 0
    does: int = 0
    titled: int = 0
    called: int = 0
    placed: int = 0
    introduced: int = 0
    tagged: int = 0
    """How often jieba tags it as a person's name."""
    place_tagged: int = 0
    common: bool = False
    """Whether it is a word of the dictionary that is nobody's name."""

    @property
    def personal(self) -> float:
        return (
            3.0 * min(self.says, 5)
            + 2.0 * min(self.titled, 3)
            + 2.0 * min(self.called, 3)
            + 3.0 * min(self.introduced, 2)
            + 0.5 * min(self.does, 10)
            + (1.0 if self.tagged else 0.0)
        )

    @property
    def local(self) -> float:
        return 2.0 * min(self.placed, 10) + (2.0 if self.place_tagged else 0.0)


def find_names(words: ChineseWords) -> dict[str, ChineseNameEvidence]:
    """Return the names of people, in simplified characters, with their evidence."""
    found = _candidates(words)
    kept = _plausible(found)
    for name in kept:
        found[name].total = 0
    for i, j, name in each_match(words, kept):
        _weigh(words, i, j, found[name])
    accepted = {name: found[name] for name in kept if _is_name(name, found[name])}
    return accepted | _supported(words, found, accepted)


def _supported(
    words: ChineseWords, found: Mapping[str, ChineseNameEvidence], accepted: Mapping[str, ChineseNameEvidence]
) -> dict[str, ChineseNameEvidence]:
    """Return names with little evidence of their own that fit somebody in the book.

    These are a nickname or title with a known surname, and the given name of a known full name.
    """
    known = {surname_of(name) for name in accepted} | {name[0] for name in accepted if title_of(name)}
    more = {
        name: evidence
        for name, evidence in found.items()
        if name not in accepted
        and evidence.total
        and ((len(name) == 2 and name[0] in "老小" and name[1] in known) or _titles_known(name, known))
    }
    givens = {name[len(surname_of(name)) :]: ChineseNameEvidence() for name in accepted if surname_of(name)}
    givens = {given: e for given, e in givens.items() if len(given) == 2 and given not in accepted}
    for i, j, given in each_match(words, {**givens, **accepted}):
        if given in givens:
            _weigh(words, i, j, givens[given])
    return more | {given: e for given, e in givens.items() if e.total and not e.common}


def _titles_known(name: str, known: Collection[str]) -> bool:
    title = title_of(name)
    return bool(title) and name[: -len(title)] in known and name not in listed("chinese_not_names")


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


class _Candidates:
    """Counts strings that may be names. A book of nothing but names is not held in memory."""

    def __init__(self) -> None:
        self.found: dict[str, ChineseNameEvidence] = {}

    def see(self, name: str) -> ChineseNameEvidence:
        if name not in self.found and len(self.found) >= _MOST_CANDIDATES:
            return ChineseNameEvidence()
        evidence = self.found.setdefault(name, ChineseNameEvidence())
        evidence.total += 1
        return evidence


def _candidates(words: ChineseWords) -> dict[str, ChineseNameEvidence]:
    candidates = _Candidates()
    for first, end in words.ranges:
        for i in range(first, end):
            for name in _names_at(words, i, end):
                candidates.see(name)
            for name in _speaking_at(words, i, first):
                candidates.see(name).says += 1
            if words.words[i] in listed("chinese_introductions"):
                introduced = _introduced(words, i + 1, end)
                if introduced:
                    candidates.see(introduced).introduced += 1
    for full, style, _ in styled(words):
        for name in (full, style, full[: len(surname_of(full))] + style):
            if style or name == full:
                candidates.see(name).introduced += 2
    return candidates.found


def _speaking_at(words: ChineseWords, i: int, first: int) -> Iterator[str]:
    if speaks(words.words[i]):
        subject = subject_run(words, i, first)
        if subject:
            yield subject
        yield from _earlier_subjects(words, i, first)


def styled(words: ChineseWords) -> list[tuple[str, str, str]]:
    """Read `姓刘，名备，字玄德`: the full name, the courtesy name and the word between."""
    found = []
    for text in words.simple:
        for match in _STYLED.finditer(text):
            surname, given = match["surname"], match["given"]
            if surname in surnames():
                found.append((surname + given, match["style"] or "", "字"))
    return found


def _names_at(words: ChineseWords, i: int, end: int) -> Iterator[str]:
    """Yield strings that begin at word `i` and have the shape of a name."""
    word, tag = words.words[i], words.tags[i]
    if not is_han(word):
        return
    if tag in _SURE_BY_TAG and 1 < len(word) <= _LONGEST_FOREIGN:
        yield word
        yield from _with_title(words, i, end)
        if len(word) == 2 and surname_of(word) and _given_part(words, i + 1, end, 1):
            yield word + words.words[i + 1]
    if word in _PREFIXES and i + 1 < end and words.joined(i, i + 2):
        yield from _nickname(word, words.words[i + 1], words.tags[i + 1])
    if word in surnames():
        yield from _full_names(words, i, end)
        yield from _with_title(words, i, end)
    elif _is_nickname(word) or (surname_of(word) and title_of(word) and len(word) <= LONGEST):
        yield word


def _is_nickname(word: str) -> bool:
    """Recognise `老周` in one piece, if the dictionary has it."""
    return len(word) == 2 and word[0] in "老小" and word[1] in surnames() and not is_common(word)


def _nickname(prefix: str, rest: str, tag: str) -> Iterator[str]:
    if len(rest) > 1 and (prefix not in "老大" or rest not in surnames()):
        return
    fits = {
        "阿": (is_han(rest) and tag[0] not in "uyep") or rest.isalpha(),
        "小": rest in surnames() or tag == "eng" or _is_womans(rest),
    }
    if fits.get(prefix, rest in surnames()):
        yield prefix + rest


def _is_womans(sign: str) -> bool:
    return sign in signs("chinese_given_she")


def _full_names(words: ChineseWords, i: int, end: int) -> Iterator[str]:
    """Yield a surname with the one or two characters after it."""
    surname = words.words[i]
    if not _given_part(words, i + 1, end, 2):
        return
    one = words.words[i + 1]
    yield surname + one
    if len(one) == 1 and _given_part(words, i + 2, end, 1):
        yield surname + one + words.words[i + 2]


def _given_part(words: ChineseWords, i: int, end: int, longest: int) -> bool:
    if i >= end or words.starts[i] != words.ends[i - 1]:
        return False
    word = words.words[i]
    if not is_han(word) or len(word) > longest or _is_small_word(words, i):
        return False
    if speaks(word) or word in listed("chinese_between") or word in listed("chinese_not_names"):
        return False
    return word not in listed("chinese_pronouns") and word not in titles()


def _with_title(words: ChineseWords, i: int, end: int) -> Iterator[str]:
    if i + 1 < end and words.words[i + 1] in titles() and words.joined(i, i + 2):
        yield words.words[i] + words.words[i + 1]


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


def _earlier_subjects(words: ChineseWords, verb: int, first: int) -> Iterator[str]:
    """Yield names that may open the clause before, if the verb opens its own: `某某拱了拱手，说：`."""
    if verb + 1 >= len(words) or words.words[verb + 1] not in ("：", ":", "，", ",", "。"):
        return
    opens = words.clause_start(verb, first)
    alone = all(_between(words, i) for i in range(opens, verb))
    if alone and opens > first + 1 and words.words[opens - 1] in ("，", ","):
        yield from _names_at(words, words.clause_start(opens - 1, first), opens - 1)


def _is_small_word(words: ChineseWords, i: int) -> bool:
    tag = words.tags[i]
    return tag in ("r", "c", "f") or (len(words.words[i]) == 1 and tag[0] in _SMALL and tag != "eng")


def _between(words: ChineseWords, i: int) -> bool:
    word = words.words[i]
    if word in listed("chinese_between") or word in listed("chinese_prepositions"):
        return True
    return acts(word) or speaks(word) or words.tags[i] in ("d", "ad", "vd", "p", "uz", "ul", "ud")


def _introduced(words: ChineseWords, i: int, end: int) -> str:
    """Return what stands between `名叫` and the next stop."""
    while i < end and words.words[i] in listed("chinese_pronouns"):
        i += 1
    j = i
    while j < end and not is_break(words.words[j]) and j - i < 4:
        j += 1
    name = "".join(words.words[i:j])
    fits = 2 <= len(name) <= LONGEST and j > i and (j == end or is_break(words.words[j]))
    return name if fits and all(map(is_han, words.words[i:j])) and words.joined(i, j) else ""


def _plausible(found: Mapping[str, ChineseNameEvidence]) -> dict[str, ChineseNameEvidence]:
    """Drop strings that occur once and do nothing, and those that are a shorter name with another word."""
    kept = {}
    for name, evidence in found.items():
        if name in listed("chinese_not_names") or name in roles() or name in titles():
            continue
        if name[0] in listed("chinese_prepositions") and name[1:] in found:
            continue
        strong = evidence.says or evidence.introduced or title_of(name)
        shorter = found.get(name[:-1]) if len(name) > 2 and not title_of(name) else None
        if shorter and evidence.total < _DOMINATED * shorter.total:
            continue
        if evidence.total > 1 or strong:
            kept[name] = evidence
    return kept


def _weigh(words: ChineseWords, i: int, j: int, evidence: ChineseNameEvidence) -> None:
    before = words.words[i - 1] if i else ""
    after = words.words[j] if j < len(words) else ""
    opens = not before or is_break(before) or before in listed("chinese_openers")
    evidence.total += 1
    if j - i == 1:
        tag = words.tags[i]
        evidence.tagged += tag in _SURE_BY_TAG
        evidence.place_tagged += tag in ("ns", "nt") or words.words[i][-1] in listed("chinese_place_endings")
        evidence.common = tag[0] in "nvadblz" and tag not in _NAMES_BY_TAG and is_common(words.words[i])
    if opens and j < len(words) and words.tags[j][0] in _VERBLIKE:
        evidence.does += 1
    if after in titles():
        evidence.titled += 1
    if before in listed("chinese_before_places") or after in listed("chinese_after_places"):
        evidence.placed += 1
    if before in _TOWARDS and speaks(after):
        evidence.called += 1
    if words.quote[i] >= 0 and opens and after in ("，", "！", "!", ",", "？"):
        evidence.called += 1


def _is_name(name: str, evidence: ChineseNameEvidence) -> bool:
    """Return whether there is enough evidence for a name, and more than against it."""
    title, surname = title_of(name), surname_of(name)
    if title and evidence.total and (surname == name[: -len(title)] or len(name) - len(title) > 1):
        return evidence.total > 1 or evidence.says > 0 or len(title) > 1
    if not evidence.total or evidence.local >= evidence.personal + (1.0 if surname else 0.0):
        return False
    if "·" in name or not all(map(is_han, name)):
        return evidence.total > 1 or evidence.says > 0
    if evidence.common:
        return evidence.introduced > 0 and evidence.says > 0
    if evidence.introduced > 1 or (evidence.introduced and (surname or evidence.total > 1)):
        return True
    if surname or name[0] in _PREFIXES:
        full = len(name) > 2 and evidence.total > 2 and not evidence.local
        enough = _ENOUGH - 1.5 if full else _ENOUGH - 1.0 if evidence.tagged else _ENOUGH
        return evidence.personal + 1.0 >= enough and (evidence.total > 1 or evidence.says > 0)
    return evidence.personal >= _ENOUGH and evidence.total > 1
