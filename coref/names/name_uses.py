"""Finds every stretch of text that reads as a proper name, whatever it refers to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coref.language.tokens import Tokens, each_paragraph, initial
from coref.language.word_lists import words
from coref.names.casing import Casing, is_capitalised, title_case, title_of

_SUFFIXES = {"junior": "young", "jr": "young", "senior": "old", "sr": "old"}
AGES = {"old": "old", "elder": "old", "young": "young", "younger": "young"}
_MAX_WORDS = 6


@dataclass(frozen=True, slots=True)
class ProperName:
    """The parts of a name: `Captain John Hale` has one title and two words."""

    titles: tuple[str, ...]
    core: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((*self.titles, *self.core))


@dataclass(slots=True)
class NameUse:
    """One place where a name is used: tokens `first` to `end`."""

    first: int
    end: int
    name: ProperName
    article: bool = False
    """Whether `the` stands before it."""
    age: str | None = None
    """`old` or `young`, if the text distinguishes a father from a son."""
    group_noun: bool = False
    """Whether a word like `sisters` follows, so that the name belongs to several people."""
    shown: str | None = None
    """How a label in a play reads in a sentence: `Hamlet` for `HAM.`"""


def find_uses(tokens: Tokens, casing: Casing) -> Iterator[NameUse]:
    for _, first, end in each_paragraph(tokens):
        i = first
        while i < end:
            if not tokens.words[i][0].isupper():
                i += 1
                continue
            use, i = _read(tokens, casing, i, first, end)
            if use is not None:
                yield use


def _read(tokens: Tokens, casing: Casing, at: int, first: int, end: int) -> tuple[NameUse | None, int]:
    """Return the name that begins at a token, if there is one, and the token at which to continue."""
    start = at
    if tokens.words[at] in words("name_prefixes") and at + 1 < end and tokens.words[at + 1][0].isupper():
        start = at + 1
    titles, j = titles_at(tokens, start, end)
    core, k = _core(tokens, casing, j, end, titles=titles)
    if not core:
        return None, max(at + 1, j)
    if _is_place(tokens, core, k, end):
        return None, k + 1
    return _used(tokens, start, k, ProperName(titles, core), paragraph=(first, end)), k


def name_at(tokens: Tokens, first: int, end: int, *, paragraph: tuple[int, int]) -> NameUse:
    """Return the use of a name that is known to stand there."""
    titles, start = titles_at(tokens, first, end)
    core = tuple(title_case(word) for word in tokens.words[start:end])
    return _used(tokens, first, end, ProperName(titles, core), paragraph=paragraph)


def titles_at(tokens: Tokens, at: int, end: int) -> tuple[tuple[str, ...], int]:
    titles: list[str] = []
    while at < end and (title := title_of(tokens.words[at])) is not None and len(titles) < 3:
        titles.append(title)
        at += 1
        if at < end and tokens.words[at] == "." and len(title) <= 6:
            at += 1
    return tuple(titles), at


def _core(
    tokens: Tokens, casing: Casing, at: int, end: int, *, titles: tuple[str, ...]
) -> tuple[tuple[str, ...], int]:
    core: list[str] = []
    last = at
    if titles and titles[-1] in words("titles_with_of") and at + 1 < end and tokens.lower[at] == "of":
        if is_capitalised(tokens.words[at + 1]):
            return ("of", title_case(tokens.words[at + 1])), at + 2
        return (), at
    while at < end and len(core) < _MAX_WORDS:
        word = tokens.words[at]
        if _is_saint(tokens, at, end):
            core.append(f"St. {tokens.words[at + 2]}")
            at += 3
            last = at
            continue
        if _is_initial(tokens, at, end):
            core.append(word + ".")
            at += 2
            continue
        if (core or titles) and tokens.lower[at] in words("particles") and _is_particle(tokens, at, end):
            core.append(word)
            at += 1
            continue
        if not _belongs(tokens, casing, at, core=core, titles=titles):
            break
        core.append(title_case(word))
        at += 1
        last = at
    return _trimmed(core), last


def _trimmed(core: list[str]) -> tuple[str, ...]:
    """Strip trailing initials and particles, which belong to the following words."""
    while core and (core[-1].endswith(".") or core[-1] in words("particles")):
        core.pop()
    return tuple(core)


def _is_initial(tokens: Tokens, at: int, end: int) -> bool:
    word = tokens.words[at]
    return (
        initial(word)
        and at + 2 < end
        and tokens.words[at + 1] == "."
        and is_capitalised(tokens.words[at + 2])
    )


def _is_saint(tokens: Tokens, at: int, end: int) -> bool:
    """Recognise `St. John` as one word of a name."""
    return (
        tokens.words[at] == "St"
        and at + 2 < end
        and tokens.words[at + 1] == "."
        and is_capitalised(tokens.words[at + 2])
    )


def _is_particle(tokens: Tokens, at: int, end: int) -> bool:
    follows = at + 1
    if follows < end and tokens.lower[follows] in words("particles"):
        follows += 1
    return follows < end and is_capitalised(tokens.words[follows]) and tokens.lower[at] == tokens.words[at]


def _belongs(tokens: Tokens, casing: Casing, at: int, *, core: list[str], titles: tuple[str, ...]) -> bool:
    word = tokens.words[at]
    if not is_capitalised(word) or len(word) == 1 or _is_date(tokens, at):
        return False
    if word.isupper():
        spelt = title_case(word)
        known = casing.inside[spelt] > 0 and spelt not in words("never_names")
        titled = bool(titles) and not core and tokens.lower[at] not in words("object_words")
        return (known and casing.small[word.lower()] == 0) or titled
    if titles and not core:
        return tokens.lower[at] not in words("object_words")
    return casing.is_name(word, opens=bool(tokens.opens[at]))


def _is_date(tokens: Tokens, at: int) -> bool:
    """Recognise `30 August` and `May 3`, where the word stands beside a number."""
    near = tokens.words[max(0, at - 1) : at] + tokens.words[at + 1 : at + 2]
    return tokens.words[at] in words("never_names") and any(word[0].isdigit() for word in near)


def _is_place(tokens: Tokens, core: tuple[str, ...], end: int, limit: int) -> bool:
    if len(core) > 1 and core[-1] in words("places"):
        return True
    return end < limit and tokens.words[end] in words("places")


def _used(tokens: Tokens, start: int, stop: int, name: ProperName, *, paragraph: tuple[int, int]) -> NameUse:
    use = NameUse(start, stop, name)
    first, end = paragraph
    before = tokens.lower[use.first - 1] if use.first > first else ""
    use.article = before == "the"
    use.age = AGES.get(before)
    after = use.end + 1 if use.end < end and tokens.words[use.end] == "," else use.end
    if after < end:
        use.age = _SUFFIXES.get(tokens.lower[after], use.age)
        if tokens.lower[after] == "the" and after + 1 < end:
            use.age = AGES.get(tokens.lower[after + 1], use.age)
    if use.end < end:
        use.group_noun = tokens.words[use.end] in words("group_nouns")
    return use
