"""Direct speech in a Chinese book: between any marks, and after `某某道：` where there are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from coref.chinese.lexicon import acts, speaks
from coref.chinese.segment import ChineseWords, is_break, is_han

_PAIRS = {
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    '"': '"',
    "〝": "〞",
    "﹁": "﹂",
    "﹃": "﹄",
    "＂": "＂",
}
_MARK = re.compile('[“”‘’「」『』"〝〞﹁﹂﹃﹄＂]')
_SAID = frozenset("。！？!?…—～~，,；;：:.")
"""What speech ends in, inside its marks. Words that are only quoted with reserve end in none of these."""
_LONG = 14
_TALK = re.compile("[我你您咱俺汝吾]|[吗呢吧啊呀罢么][。！？!?]")
_TOLD = re.compile(
    "(?:只见|却说|且说|话说|忽见|忽听|于是|说罢|说毕|言毕|言罢|话音|说着|说完|当下|这时|那时|次日)"
)
_BARE_WORDS = 400


@dataclass(frozen=True, slots=True)
class ChineseSpeech:
    """A stretch of speech including its marks. Speech over several paragraphs has a piece in each."""

    start: int
    end: int
    paragraph: int
    closed: bool = True
    continues: bool = False
    """Whether it continues the previous piece."""
    bare: bool = False
    """Whether no marks show where it ends."""


def find_speech(words: ChineseWords) -> list[ChineseSpeech]:
    found: list[ChineseSpeech] = []
    for number, (first, end) in enumerate(words.ranges):
        if first == end:
            continue
        marked = [s for s in _marked(words, number) if _is_speech(words, s, first)]
        if marked and found and _goes_on(words, found[-1], marked[0]):
            marked[0] = replace(marked[0], continues=True)
        if not marked or not marked[0].continues:
            marked = sorted([*marked, *_bare(words, number, marked)], key=lambda s: s.start)
        found += marked
    for index, speech in enumerate(found):
        for i in range(words.at(speech.start), words.at(speech.end)):
            words.quote[i] = index
    return found


def _marked(words: ChineseWords, number: int) -> Iterator[ChineseSpeech]:
    """Yield the outermost quotations of one paragraph. A mark that opens twice was not closed."""
    offset, text = words.opens[number], words.simple[number]
    opened, stack = -1, ""
    for mark in _MARK.finditer(text):
        sign, at = mark.group(), mark.start()
        if stack and sign in stack:
            stack = stack[: stack.index(sign)]
            if not stack:
                yield ChineseSpeech(offset + opened, offset + at + 1, number)
        elif sign in _PAIRS and stack[:1] == _PAIRS[sign]:
            yield ChineseSpeech(offset + opened, offset + _trimmed(text, opened, at), number, closed=False)
            opened, stack = at, _PAIRS[sign]
        elif sign in _PAIRS and len(stack) < len(_PAIRS):
            opened, stack = (opened, stack) if stack else (at, "")
            stack += _PAIRS[sign]
    if stack:
        yield ChineseSpeech(offset + opened, offset + _trimmed(text, opened, len(text)), number, closed=False)


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return end


def _goes_on(words: ChineseWords, last: ChineseSpeech, speech: ChineseSpeech) -> bool:
    """Return whether the next paragraph opens with the same mark, and so continues an unclosed quotation."""
    here = words.starts[words.ranges[speech.paragraph][0]]
    return (
        not last.closed
        and not last.bare
        and speech.paragraph == last.paragraph + 1
        and last.end >= words.ends[words.ranges[last.paragraph][1] - 1]
        and speech.start == here
        and words.text[speech.start] == words.text[last.start]
    )


def _is_speech(words: ChineseWords, speech: ChineseSpeech, first: int) -> bool:
    begin, end = words.at(speech.start), words.at(speech.end)
    inside = [w for w in words.words[begin + 1 : end] if is_han(w) or w[0].isalnum()]
    if not inside:
        return False
    last = end - 2 if speech.closed else end - 1
    if words.words[last] in _SAID or sum(map(len, inside)) > _LONG or begin == first:
        return True
    before = words.words[begin - 1] if begin > first else ""
    if before in ("：", ":") or speaks(before.removesuffix("着")):
        return True
    if before == "着" and speaks(words.words[begin - 2]):
        return True
    after = words.words[end] if end < len(words) else ""
    return before in ("，", ",") and (speaks(words.words[begin - 2]) or speaks(after) or acts(after))


def _bare(words: ChineseWords, number: int, marked: Sequence[ChineseSpeech]) -> Iterator[ChineseSpeech]:
    """Yield what follows `某某道：` without a mark, as far as it reads like speech."""
    first, end = words.ranges[number]
    leads = [i for i in range(first, end - 1) if _leads(words, i, first)]
    starts = [words.at(s.start) for s in marked]
    inside = [(words.at(s.start), words.at(s.end)) for s in marked]
    at = 0
    for k, lead in enumerate(leads):
        while at < len(inside) and inside[at][1] <= lead:
            at += 1
        if at < len(inside) and inside[at][0] <= lead:
            continue
        limit = leads[k + 1] if k + 1 < len(leads) else end
        if at < len(starts):
            limit = min(limit, starts[at])
        last = _bare_end(words, lead + 1, limit, cut=limit < end)
        if last > lead + 1:
            yield ChineseSpeech(words.starts[lead + 1], words.ends[last - 1], number, bare=True)


def _leads(words: ChineseWords, colon: int, first: int) -> bool:
    """Return whether a colon follows a clause that ends in a verb of speech, with no mark after it."""
    if words.words[colon] not in ("：", ":") or words.words[colon + 1] in _PAIRS:
        return False
    return colon > first + 1 and speaks(words.words[colon - 1]) and not is_break(words.words[colon - 2])


def _bare_end(words: ChineseWords, first: int, limit: int, *, cut: bool) -> int:
    """Return the end of the sentences that read like talk, before the sentence of the next lead-in."""
    ends = [i + 1 for i in range(first, limit) if words.words[i] in "。！？!?…"]
    ends = [e for e in ends if e >= limit or words.words[e] not in "。！？!?…”’」』"]
    if not ends:
        return first if cut else limit
    last = ends[0]
    for begin, end in pairwise(ends):
        text = "".join(words.words[begin:end])
        if end - first > _BARE_WORDS or _TOLD.match(text) or not _TALK.search(text):
            break
        last = end
    return last
