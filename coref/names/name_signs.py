"""What a book shows of a name: the features by which `name_kinds` judges whether it is a person's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Final

from coref.language.tokens import Tokens
from coref.language.word_lists import same, table
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import HE, ME, SHE, THEY, YOU
from coref.names.person_cues import NameEvidence
from coref.types import EntityCategory, MentionKind

NOUN, ITSELF = "noun", "itself"
"""What may lead back to a name, beside the classes of pronouns."""
_VOTES = _PERSON, _NOUN, _THING, _GUESS, _GUESSED_THING = (
    "person",
    "noun",
    "thing",
    "like a person",
    "like a thing",
)

FEATURES: Final = (
    "uses",
    "a person's",
    "a person's, as a noun",
    "a thing's",
    "a person's, as a guess",
    "a thing's, as a guess",
    "title",
    "several words",
    "acts",
    "place cues",
    "article",
    "animal cues",
    "quoted",
    "akin",
    "akin with title",
    "he or she",
    "they",
    "other pronouns",
    "I or you",
    "nouns",
    "itself",
    "he or she in all",
    "opens a sentence",
    "owns",
    "after of",
    "after to",
    "after by",
    "beside and",
    "before a comma",
    "after a",
    "before a noun for several",
    "before of",
    "in capitals",
    "written small",
    "nobody's elsewhere",
)


@dataclass(frozen=True, slots=True)
class NameUseReading:
    """How one use of a name was read."""

    category: EntityCategory
    kind: MentionKind
    added: bool = False
    """Whether the mention was not found but only known, so that its category is a guess."""


Readings = Sequence[NameUseReading | None]
"""One for each use of a name, None where no mention has it."""
Signs = Mapping[ProperName, Sequence[float]]
"""The features of each name."""
LedBack = Mapping[ProperName, Mapping[str, float]]
"""How many mentions of each sort lead back to a name: classes of pronouns, nouns and the name itself."""


def signs_of(
    tokens: Tokens,
    uses: Sequence[NameUse],
    readings: Readings,
    evidence: Mapping[ProperName, NameEvidence],
    led: LedBack,
) -> Signs:
    """Return the features of every name that is used."""
    votes: dict[ProperName, Counter[str]] = defaultdict(Counter)
    around: dict[ProperName, Counter[str]] = defaultdict(Counter)
    for use, reading in zip(uses, readings, strict=True):
        votes[use.name][_vote(reading)] += 1
        around[use.name].update(_around(tokens, use))
    akin = _bearers(votes)
    titled = _bearers(name for name in votes if name.titles)
    cases = Counter((word, text[0].islower()) for word, text in zip(tokens.lower, tokens.words, strict=True))
    nobodies = {text: int(novels) for text, novels in table("nobodies").items()}
    found: dict[ProperName, list[float]] = {}
    for name, read in votes.items():
        known, back, last = evidence[name], led.get(name, {}), name.core[-1].lower()
        ours = back.get(HE, 0.0) + back.get(SHE, 0.0)
        count, small, large = read.total(), cases[last, True], cases[last, False]
        found[name] = [
            log1p(count) / 4,
            *_per_use(count, *(read[vote] for vote in _VOTES)),
            bool(name.titles),
            len(name.core) > 1,
            *_per_use(count, known.person, known.place, known.article, known.animal, known.quoted),
            log1p(max(akin[word] for word in name.core) - 1),
            log1p(max(titled[word] for word in name.core) - bool(name.titles)),
            *_per_use(count, ours, back.get(THEY, 0.0), _others(back)),
            *_per_use(count, back.get(ME, 0.0) + back.get(YOU, 0.0)),
            *_per_use(count, back.get(NOUN, 0.0), back.get(ITSELF, 0.0)),
            log1p(ours),
            *_per_use(count, *(around[name][what] for what in _AROUND)),
            small / (small + large + 1),
            nobodys(name, nobodies),
        ]
    return found


def nobodys(name: ProperName, nobodies: Mapping[str, int]) -> float:
    """Return the feature of a name that is said to be nobody's in so many novels: `God`, `Shakespeare`."""
    return log1p(nobodies.get(same(name.text), 0))


def _per_use(count: int, *values: float) -> Iterable[float]:
    return (value / (count + 1) for value in values)


def _vote(reading: NameUseReading | None) -> str:
    if reading is None:
        return ""
    person = reading.category is EntityCategory.PERSON
    if reading.added:
        return _GUESS if person else _GUESSED_THING
    if not person:
        return _THING
    return _PERSON if reading.kind is MentionKind.PROPER else _NOUN


_AROUND: Final = FEATURES[FEATURES.index("opens a sentence") : FEATURES.index("written small")]


def _around(tokens: Tokens, use: NameUse) -> Iterable[str]:
    """Yield which of `_AROUND` are true of one use."""
    before = tokens.lower[use.first - 1] if use.first else ""
    after = tokens.lower[use.end] if use.end < len(tokens) else ""
    word = tokens.words[use.first]
    true = (
        tokens.opens[use.first],
        after in ("'s", "’s"),
        before == "of",
        before in ("in", "at", "to", "from"),
        before == "by",
        "and" in (before, after),
        after == ",",
        before in ("a", "an"),
        use.group_noun,
        after == "of",
        len(word) > 1 and word.isupper(),
    )
    return (what for what, is_true in zip(_AROUND, true, strict=True) if is_true)


def _bearers(names: Iterable[ProperName]) -> Counter[str]:
    """Return how many of the names have each word."""
    return Counter(word for name in names for word in set(name.core))


def _others(back: Mapping[str, float]) -> float:
    known = (HE, SHE, THEY, ME, YOU, NOUN, ITSELF)
    return sum(share for sort, share in back.items() if sort not in known)
