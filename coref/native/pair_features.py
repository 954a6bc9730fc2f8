"""Features of a pair of mentions that need no model: distance, speaker, and similarity of their words.

Every feature is one of a few cases, and a pair is a row of zeros with a one for each feature's case: a matrix
product then does what many look-ups would do more slowly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import torch
from torch import Tensor

from coref.language import word_lists
from coref.language.tokens import POSSESSIVE
from coref.native.document import Document, Range, SpeechState

PRONOUNS: Final = ("i", "you", "he", "she", "it", "they", "we", "who", "other")
PROPER: Final = len(PRONOUNS)
NOMINAL: Final = PROPER + 1
_CLASSES = NOMINAL + 1
_GENDERS = ("unknown", "he", "she", "it", "they")
_MENTION_STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256)
_SENTENCE_STEPS = (0, 1, 2, 3, 5, 8, 12, 20, 40)
_NEAR = 10
"""Mention distances that are distinguished for each class of pronoun."""
_SIZES: Final = {
    "classes": _CLASSES * _CLASSES,
    "mentions": len(_MENTION_STEPS) + 1,
    "sentences": len(_SENTENCE_STEPS) + 1,
    "speech": 7,
    "words": 8,
    "genders": len(_GENDERS) ** 2,
    "nested": 2,
    "names": 2,
    "class and distance": _CLASSES * _NEAR,
}
_OFFSETS: Final = {name: sum(list(_SIZES.values())[:at]) for at, name in enumerate(_SIZES)}
WIDTH: Final = sum(_SIZES.values())
"""Columns of the matrix, which a set of weights depends on."""


@dataclass(frozen=True, slots=True)
class _Look:
    """The features of one mention's words."""

    kind: int
    gender: int
    surface: str
    head: str
    content: frozenset[str]
    names: frozenset[str]


def pair_features(document: Document, spans: Sequence[Range]) -> Tensor:
    """Return (mentions × mentions) rows of `WIDTH`. Only those of a mention and an earlier one are filled."""
    count = len(spans)
    rows = torch.zeros(count * count, WIDTH, dtype=torch.bfloat16)
    if count < 2:
        return rows
    later, earlier = torch.tril_indices(count, count, -1).unbind()
    base = (later * count + earlier) * WIDTH
    flat = rows.view(-1)
    for columns in chosen_features(document, spans, later, earlier):
        flat[base + columns] = 1
    return rows


def chosen_features(
    document: Document, spans: Sequence[Range], later: Tensor, earlier: Tensor
) -> list[Tensor]:
    """Return for each feature the column of every pair's case. Pairs are indices into `spans`."""
    cases = _cases(document, spans, later, earlier)
    return [_OFFSETS[name] + columns for name, columns in cases.items()]


def words_alike(document: Document, spans: Sequence[Range]) -> Tensor:
    """(mentions, mentions): whether two are the same words, or share a name, a head or content words."""
    looks = _looks(document, spans)
    known: dict[str, int] = {}
    rows = [(row, known.setdefault(w, len(known))) for row, look in enumerate(looks) for w in _telling(look)]
    table = torch.zeros(len(spans), max(1, len(known)))
    if rows:
        table[tuple(torch.tensor(rows).T)] = 1
    return (table @ table.T) > 0


def _telling(look: _Look) -> frozenset[str]:
    return look.content | {look.head} - {""}


def _cases(document: Document, spans: Sequence[Range], later: Tensor, earlier: Tensor) -> dict[str, Tensor]:
    looks = _looks(document, spans)
    kind = torch.tensor([look.kind for look in looks])
    gender = torch.tensor([look.gender for look in looks])
    starts, ends = (torch.tensor(side) for side in zip(*spans, strict=True))
    sentence = torch.tensor(_sentences(document))[starts]
    apart = _step(later - earlier, _MENTION_STEPS)
    inside = (starts[earlier] <= starts[later]) & (ends[earlier] >= ends[later])
    around = (starts[later] <= starts[earlier]) & (ends[later] >= ends[earlier])
    alike, named = _likeness(looks, kind, later, earlier)
    return {
        "classes": kind[later] * _CLASSES + kind[earlier],
        "mentions": apart,
        "sentences": _step(sentence[later] - sentence[earlier], _SENTENCE_STEPS),
        "speech": _speech(torch.tensor(_quotes(document))[starts], later, earlier),
        "words": alike,
        "genders": gender[later] * len(_GENDERS) + gender[earlier],
        "nested": (inside | around).long(),
        "names": named,
        "class and distance": kind[later] * _NEAR + apart.clamp(max=_NEAR - 1),
    }


def _step(distance: Tensor, steps: Sequence[int]) -> Tensor:
    return torch.bucketize(distance, torch.tensor(steps))


def _speech(quote: Tensor, later: Tensor, earlier: Tensor) -> Tensor:
    """Return which of the two is spoken, and how many quotations lie between: turns alternate."""
    here, there = quote[later], quote[earlier]
    both = (here - there).clamp(max=3)
    told_there = torch.where(there > 0, 5, 6)
    return torch.where(here > 0, torch.where(there > 0, both, 4), told_there)


def _likeness(looks: Sequence[_Look], kind: Tensor, later: Tensor, earlier: Tensor) -> tuple[Tensor, Tensor]:
    """Return the strongest similarity of the two's words, and whether one's names contain the other's."""
    nouns = (kind[later] >= PROPER) & (kind[earlier] >= PROPER)
    proper = (kind[later] == PROPER) & (kind[earlier] == PROPER)
    surface, head = (_numbers(getattr(look, part) for look in looks) for part in ("surface", "head"))
    content, _ = _held([look.content for look in looks], later, earlier)
    names, shared = _held([look.names for look in looks], later, earlier)
    cases = (
        (~nouns, 0),
        (surface[later] == surface[earlier], 1),
        (names & proper, 2),
        (head[later] == head[earlier], 3),
        (shared, 4),
        (content, 5),
        (proper, 6),
    )
    alike = torch.full_like(later, 7)
    for holds, case in reversed(cases):
        alike = torch.where(holds, case, alike)
    return alike, (names & nouns).long()


def _numbers(words_of: Iterable[str]) -> Tensor:
    known: dict[str, int] = {}
    return torch.tensor([known.setdefault(word, len(known)) for word in words_of])


def _held(sets: Sequence[frozenset[str]], later: Tensor, earlier: Tensor) -> tuple[Tensor, Tensor]:
    """Return whether one set, not empty, contains the other, and whether they overlap."""
    known = {word: at for at, word in enumerate(sorted(frozenset[str]().union(*sets)))}
    table = torch.zeros(len(sets), max(1, len(known)))
    for row, these in enumerate(sets):
        for word in these:
            table[row, known[word]] = 1
    shared = (table @ table.T)[later, earlier]
    sizes = table.sum(1)
    smaller = torch.minimum(sizes[later], sizes[earlier])
    return (shared == smaller) & (smaller > 0), shared > 0


def _looks(document: Document, spans: Sequence[Range]) -> list[_Look]:
    return [_look(document.words[start:end]) for start, end in spans]


@lru_cache(maxsize=2_000)
def _look(said: tuple[str, ...]) -> _Look:
    low = [word.lower() for word in said]
    pronoun = word_lists.table("pronoun_classes").get(low[0]) if len(said) == 1 else None
    head = _head(low)
    if pronoun is not None:
        gender = pronoun if pronoun in _GENDERS else "they" if pronoun == "we" else "unknown"
        return _Look(PRONOUNS.index(pronoun), _GENDERS.index(gender), "", "", frozenset(), frozenset())
    kind = PROPER if said[low.index(head)][:1].isupper() else NOMINAL
    content = frozenset(word for word in low if word[0].isalnum() and word not in _small())
    capital = {word.lower() for word in said if word[:1].isupper()}
    names = frozenset(content & capital - _titles())
    return _Look(kind, _GENDERS.index(_gender(low, head, kind)), " ".join(low), head, content, names)


def _head(low: Sequence[str]) -> str:
    """Return the last word before what only qualifies it: `man` in `the old man of the sea`."""
    for at, word in enumerate(low):
        if at and (word in word_lists.words("after_heads") or word in ",;:—"):
            return low[at - 1]
    return low[-2] if len(low) > 1 and low[-1] in POSSESSIVE else low[-1]


def _gender(low: Sequence[str], head: str, kind: int) -> str:
    for gender in ("he", "she"):
        nouns = word_lists.words(f"{gender}_nouns") | _titled(gender)
        if head in nouns or low[0] in _titled(gender):
            return gender
    plural = kind == NOMINAL and head.endswith("s") and not head.endswith("ss")
    return "they" if plural else "unknown"


@cache
def _titled(gender: str) -> frozenset[str]:
    pairs = word_lists.table("titles").items()
    return frozenset(t.lower() + dot for t, of in pairs if of == gender for dot in ("", "."))


@cache
def _titles() -> frozenset[str]:
    return frozenset(title.lower() + dot for title in word_lists.table("titles") for dot in ("", "."))


@cache
def _small() -> frozenset[str]:
    """Return words that two phrases share by chance."""
    return (
        word_lists.words("after_heads")
        | word_lists.words("articles")
        | word_lists.table("pronoun_classes").keys()
    )


def _sentences(document: Document) -> list[int]:
    return [number for number, (start, end) in enumerate(document.sentences) for _ in range(start, end)]


def _quotes(document: Document) -> list[int]:
    """Return the number of the quotation that each word is in, from 1; 0 for narration."""
    numbers, count, before = [], 0, SpeechState.NARRATED
    for speech in document.speech:
        count += speech is SpeechState.SPOKEN and before is not SpeechState.SPOKEN
        numbers.append(count if speech is SpeechState.SPOKEN else 0)
        before = speech
    return numbers
