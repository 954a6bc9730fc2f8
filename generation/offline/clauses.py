"""Clauses with the person asked about as subject of a past-tense verb, cut where they can stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from generation.lexicon import rows, words
from generation.offline import slots
from generation.offline.slots import Line, Slot
from generation.verbs import participle_base, past_base

_SUBJECT = f"[{slots.NAME}{slots.SUBJECT}]"
_INTRO = (
    r"(?:(?:Then|Presently|At last|At length|Afterwards|At once|Now|So|But|And|Yet|Still|Soon|Finally"
    r"|Meanwhile|In the end|By and by|That (?:night|evening|morning|afternoon|day|summer|winter)"
    r"|The next (?:day|morning|evening|night)|(?:When|As|After|Before|While)\b[^,;:.!?]{3,80},),? )?"
)
_ADVERBS = "|".join(sorted(words("adverbs")))
_CLAUSE = re.compile(
    rf"(?:^{_INTRO}|(?<=[;:] )(?:(?:and|but|then|yet|so) )?|(?<=, )(?:and|but) )"
    rf"(?P<subject>{_SUBJECT})(?P<adverb> (?:[a-z]+ly|{_ADVERBS}))? (?P<verb>[a-z]+)\b"
    rf"(?P<rest>[^;:!?.—{slots.QUOTED}]*)(?P<end>[;:!?.—{slots.QUOTED}]|$)"
)
_CUT = re.compile(
    rf",? (?:and|but) (?=[{slots.ANY}])|, (?:(?:and|but|or|nor|while|when|as|which|who|whom|where|for"
    r"|though|although|because|until|till|before|after|with|without|not|since|so|if|in|on|at|by)\b|[a-z]+ing\b)"
    r"| (?:when|while|because|until|till|though|although|before|after|as soon as|if|that|which"
    r"|who|whom|where) "
)
_POINTS_AWAY = frozenset(
    {"he", "she", "him", "her", "his", "hers", "himself", "herself", "i", "me", "my", "myself"}
)
_SYMBOLS = re.compile(r"[\"“”‘()\[\]_*0-9]")
MOST_WORDS = 24


class Kind(StrEnum):
    DEED = "deed"
    MIND = "mind"
    SPEECH = "speech"
    BEING = "being"


@dataclass(frozen=True, slots=True)
class Clause:
    """`rest` is coded text that follows the subject, adverb and verb included: "opened the door"."""

    line: Line
    subject: Slot
    kind: Kind
    verb: str
    """Base form."""
    rest: str
    weight: int
    whole: bool
    """Whether it was a whole clause of the book, with nothing cut off."""

    @property
    def others(self) -> tuple[str, ...]:
        """Ids of the other people in it, in order."""
        found = [self.line.slot(c).character for c in self.rest if is_other(c)]
        return tuple(dict.fromkeys(found))

    @property
    def length(self) -> int:
        return len(self.rest.split())


def is_other(code: str) -> bool:
    return slots.OTHER_NAME[0] <= code <= slots.OTHER_REFLEXIVE[-1]


def clauses(lines: Sequence[Line]) -> Iterator[Clause]:
    for line in lines:
        for match in _CLAUSE.finditer(line.narration):
            clause = _read(line, match)
            if clause is not None:
                yield clause


def _read(line: Line, match: re.Match[str]) -> Clause | None:
    subject = line.slot(match["subject"])
    adverb = (match["adverb"] or "").strip()
    if not subject.sure or match["end"] in ("?", slots.QUOTED):
        return None
    found = _classify(match["verb"], match["rest"])
    if found is None:
        return None
    kind, verb = found
    body = f"{match['verb']}{match['rest']}".strip()
    rest = _cut(body, line)
    if rest is None or (kind is Kind.BEING and len(rest.split()) < 2):
        return None
    text = f"{adverb} {rest}" if adverb and adverb not in ("then", "now", "next", "thus") else rest
    whole = rest == body
    return Clause(line, subject, kind, verb, text, _weights().get(verb, 0), whole)


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") or word in words("adverbs")


def _classify(verb: str, rest: str) -> tuple[Kind, str] | None:
    """The kind of a clause by its verb; auxiliaries look through to the participle."""
    following = rest.split()
    if verb in ("was", "were", "had"):
        while following and _is_adverb(following[0]):
            following = following[1:]
        if not following or following[0] in ("not", "never", "no", "been", "to", "better", "rather"):
            return None
        inner = participle_base(following[0])
        if verb == "had":
            return (_kind(inner), inner) if inner and following[0] not in words("feelings") else None
        passive = inner and following[0] not in words("feelings") and inner in _weights()
        return (Kind.DEED, inner) if passive and inner else (Kind.BEING, "be")
    base = past_base(verb)
    if base is None or base == "do":
        return None
    if base == "become" and following and following[0] in ("a", "an", "the"):
        return Kind.DEED, base
    if base in ("become", "grow", "seem", "look", "appear", "remain"):
        return Kind.BEING, base
    return _kind(base), base


def _kind(base: str) -> Kind:
    if base in words("thinks"):
        return Kind.MIND
    return Kind.SPEECH if base in words("says") else Kind.DEED


@cache
def _weights() -> dict[str, int]:
    return {verb: int(row[0]) for row in reversed(rows("deeds")) for verb in row[1:]}


def _cut(body: str, line: Line) -> str | None:
    """The longest beginning of a clause that can stand alone, or None."""
    ends = [len(body), *(m.start() for m in _CUT.finditer(body))]
    for end in sorted(set(ends), reverse=True):
        candidate = body[:end].rstrip(" ,")
        if well_formed(candidate, line, whole=end == len(body)):
            return candidate
    return None


def well_formed(text: str, line: Line, *, whole: bool) -> bool:
    """Nothing that points outside, nothing half said: better fewer sentences than broken ones."""
    tokens = [t.strip(",") for t in text.split()]
    if not 2 <= len(tokens) <= (MOST_WORDS if whole else 16) or _SYMBOLS.search(text):
        return False
    low = [t.lower() for t in tokens]
    if any(t in words("opaque") or t in _POINTS_AWAY for t in low) or _dangles(low[-1]):
        return False
    if not whole and ("," in text or _expects_more(low)):
        return False
    return text.count(",") <= 2 and not text.endswith("-") and not _strange_slots(text, line)


def _dangles(word: str) -> bool:
    return word in words("dangling") or word in words("abbreviations")


def _expects_more(tokens: Sequence[str]) -> bool:
    """A cut right after its verb ("she knew | that…") loses the object."""
    return len(tokens) < 3 and past_base(tokens[-1]) is not None


def _strange_slots(text: str, line: Line) -> bool:
    """Slots that cannot be said again in another place: unsure pronouns, and a reflexive of somebody else."""
    for code in text:
        if slots.OTHER_NAME[0] <= code <= slots.OTHER_POSSESSOR[-1] and not line.slot(code).sure:
            return True
        if slots.OTHER_REFLEXIVE[0] <= code <= slots.OTHER_REFLEXIVE[-1]:
            return True
        if slots.SUBJECT[0] <= code <= slots.SUBJECT[-1]:
            return True
        if slots.OTHER_SUBJECT[0] <= code <= slots.OTHER_SUBJECT[-1]:
            return True
    return False
