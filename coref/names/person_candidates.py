"""Mention candidates: all names, nominals and pronouns that may refer to a person, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from coref.language.tokens import Tokens, each_paragraph
from coref.language.word_lists import table, words
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse
from coref.types import MentionKind

HE, SHE, ME, YOU, WE, THEY = "he", "she", "i", "you", "we", "they"
PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys(("he", "him", "his", "himself"), HE),
    **dict.fromkeys(("she", "her", "hers", "herself"), SHE),
    **dict.fromkeys(("i", "me", "my", "mine", "myself"), ME),
    **dict.fromkeys(("you", "your", "yours", "yourself", "thou", "thee", "thy", "thine", "thyself"), YOU),
    **dict.fromkeys(("we", "us", "our", "ours", "ourselves"), WE),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), THEY),
}
POSSESSIVES = frozenset(("my", "his", "her", "their", "your", "our", "thy"))
_ARTICLES = frozenset(("the", "this", "that", "a", "an"))
_MAX_ADJECTIVES = 2
_ADVERBS = frozenset(("never", "now", "then", "also", "still", "again", "only", "just", "at", "here", "too"))


@dataclass(slots=True, eq=False)
class MentionCandidate:
    """Tokens `first` to `end`. `who` is the number of a person in the cast, once resolved."""

    first: int
    end: int
    kind: MentionKind
    quote: int
    head: str
    """The class of a pronoun, or the noun of a nominal."""
    who: int | None = None
    options: list[CastMember] = field(default_factory=list)
    gender: str | None = None
    subject: bool = False
    definite: bool = False
    owner: MentionCandidate | None = None
    """The mention that owns this one, for nominals such as `her brother`."""
    use: NameUse | None = None


def name_spots(
    tokens: Tokens, uses: Iterable[NameUse], options: Mapping[int, list[CastMember]]
) -> list[MentionCandidate]:
    """Return candidates for names. `options` maps each use's first token to the people it may refer to."""
    return [
        MentionCandidate(
            first=use.first,
            end=use.end,
            kind=MentionKind.PROPER,
            quote=tokens.quote[use.first],
            head=use.name.text,
            options=options[use.first],
            subject=is_subject(tokens, use.end),
            use=use,
        )
        for use in uses
        if use.first in options
    ]


def pronoun_spots(tokens: Tokens) -> list[MentionCandidate]:
    found = []
    for i, word in enumerate(tokens.lower):
        head = PRONOUNS.get(word)
        if head is None or (head == ME and word == "i" and not _is_the_pronoun_i(tokens, i)):
            continue
        subject = word in ("he", "she", "i", "they", "we")
        found.append(
            MentionCandidate(
                i, i + 1, MentionKind.PRONOUN, tokens.quote[i], head, gender=_gender(head), subject=subject
            )
        )
    return found


def _is_the_pronoun_i(tokens: Tokens, i: int) -> bool:
    """Return False for an initial (`I. Walton`) and a Roman numeral (`ACT I`, `Charles I.`)."""
    if tokens.words[i] != "I":
        return False
    after = tokens.words[i + 1] if i + 1 < len(tokens) else ""
    before = tokens.words[i - 1] if i else ""
    if before in words("counted_headings") and not after[:1].islower():
        return False
    return not (after == "." and (before[:1].isupper() or tokens.opens[i]))


def _gender(head: str) -> str | None:
    return head if head in (HE, SHE) else None


def is_subject(tokens: Tokens, end: int) -> bool:
    """Return whether a verb follows at once, or after an adverb."""
    for i in range(end, min(end + 3, len(tokens))):
        word = tokens.lower[i]
        if word in words("subject_verbs") or word in words("speech_verbs"):
            return True
        if word.endswith("ed") and len(word) > 4:
            return True
        if not (word.endswith("ly") or word in _ADVERBS):
            return False
    return False


def nominal_spots(
    tokens: Tokens, taken: bytearray, name_ends: Mapping[int, MentionCandidate]
) -> list[MentionCandidate]:
    """Return kin terms and nouns for people with their determiners. `taken` marks the tokens of names."""
    found: list[MentionCandidate] = []
    for _, first, end in each_paragraph(tokens):
        for i in range(first, end):
            gender = noun_gender(tokens.lower[i])
            if gender is None or taken[i] or _is_adjective(tokens, i):
                continue
            spot = _nominal(tokens, taken, i, first, name_ends)
            if spot is not None:
                spot.gender = gender if gender != "any" else None
                found.append(spot)
    return found


def _is_adjective(tokens: Tokens, noun: int) -> bool:
    """Recognise `the general opinion` and `the chief point`, where another noun follows."""
    if tokens.lower[noun] not in words("adjectives_too") or noun + 1 >= len(tokens):
        return False
    after = tokens.lower[noun + 1]
    ends = words("object_words") | words("subject_verbs") | words("speech_verbs")
    return after.isalpha() and after not in ends and not after.endswith("ed")


def noun_gender(noun: str) -> str | None:
    """Return `she`, `he` or `any` for a noun that denotes a person, None for all others."""
    kin = table("kin").get(noun)
    if kin is not None:
        return kin.split()[0]
    return table("roles").get(noun) or table("generic_people").get(noun)


def _nominal(
    tokens: Tokens, taken: bytearray, noun: int, first: int, name_ends: Mapping[int, MentionCandidate]
) -> MentionCandidate | None:
    told_apart = False
    for i in range(noun - 1, max(first, noun - 2 - _MAX_ADJECTIVES) - 1, -1):
        word = tokens.lower[i]
        spot = MentionCandidate(i, noun + 1, MentionKind.NOMINAL, tokens.quote[noun], tokens.lower[noun])
        spot.subject = is_subject(tokens, noun + 1)
        if word in POSSESSIVES or word in _ARTICLES:
            spot.definite = word == "the" and not told_apart
            return spot if tokens.quote[i] == spot.quote else None
        if word in ("'s", "’s"):
            spot.owner = name_ends.get(i)
            if spot.owner is None:
                return None
            spot.first = spot.owner.first
            return spot
        if taken[i] or not word.isalpha() or word in words("object_words"):
            return None
        told_apart |= word not in words("neutral_adjectives")
    return None


def in_order(*groups: Iterable[MentionCandidate]) -> list[MentionCandidate]:
    """Sort inner candidates before those around them, so that an owner is resolved before what they own."""
    return sorted((spot for group in groups for spot in group), key=lambda s: (s.first, s.end))


def own(spots: Iterable[MentionCandidate]) -> None:
    """Set the possessive pronoun at the beginning of each nominal as its owner."""
    pronouns = {}
    for spot in spots:
        if spot.kind is MentionKind.PRONOUN:
            pronouns[spot.first] = spot
        elif spot.kind is MentionKind.NOMINAL and spot.owner is None:
            spot.owner = pronouns.get(spot.first)
