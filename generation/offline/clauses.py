"""Clauses with the person asked about as subject of a past-tense verb, cut where they can stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from generation.lexicon import rows, table, words
from generation.offline import slots
from generation.offline.slots import Line, Slot
from generation.verbs import participle_base, past_base

_PERSON = f"[{slots.NAME}{slots.SUBJECT}{slots.OTHER_NAME}{slots.OTHER_SUBJECT}]"
_STOPS = rf";:!?.—{slots.QUOTED}"
_ADVERBS = "|".join(sorted(words("adverbs")))
_CLAUSE = re.compile(
    rf"(?P<subject>{_PERSON})(?P<who>, who)?(?P<adverb> (?:[a-z]+ly|{_ADVERBS}))? (?P<verb>[a-z]+)\b"
    rf"(?P<rest>[^{_STOPS}]*)(?P<end>[{_STOPS}]|$)"
)
_ALONE = "|".join(table("leads")["alone"])
_OPENERS = "|".join((*table("leads")["phrase"], *table("leads")["phrase_ing"]))
_NEAR = "|".join(("at", "on", "in", "by", "with", "after", "before", "for", "from", "during", "through"))
_SUBORDINATE = "who|whom|which|that|what|when|while|as|if|because|where|how|whether|than|and|but|or"
_TIMES = "|".join(table("leads")["time"])
_INTRO = (
    rf"(?:(?:{_ALONE}),? |(?:{_OPENERS})\b [^,{_STOPS}]{{2,90}}, "
    rf"|(?:that|this|one|next|the (?:next|following|same)) (?:[a-z]+ )?(?:{_TIMES}),? "
    rf"|(?:when|as|while|after|before)\b [^,{slots.ANY}{_STOPS}]{{8,60}} "
    rf"|(?:{_NEAR}) (?:(?!(?:{_SUBORDINATE})\b)[a-z-]+ ){{1,7}}"
    r"|it (?:so )?(?:happened|chanced|came about|came to pass) that )"
)
_PLACE = re.compile(rf"(?:(?:and|but|then|yet|so|for) )?(?:{_INTRO}){{0,2}}|.*, (?:and|but) ", re.IGNORECASE)
"""What may stand before the subject of a main clause, back to the last stop."""
_STOP = re.compile(rf"[{_STOPS}] ?")
_ANOTHER = re.compile(
    rf",? and (?:then |so |soon |at last |at once |[a-z]+ly )?(?P<verb>[a-z]+)\b(?P<rest> [^{_STOPS}]+)"
)
"""A second predicate of the same subject: "opened the door, and told her"."""
_AGENT = re.compile(r" (?:[a-z]+ )?by\b")
_UNDER = re.compile(rf"\b(?:{_SUBORDINATE}|to)\b")
_CUT = re.compile(
    rf",? (?:and|but) (?=[{slots.ANY}])|, (?:(?:and|but|or|nor|while|when|as|which|who|whom|where|for"
    r"|though|although|because|until|till|before|after|with|without|since|so|in|on|at|by)\b|[a-z]+ing\b)"
    r"| (?:when|while|because|until|till|though|although|as soon as) "
)
_COMMA = re.compile(", ")
_SELF_OBJECT = re.compile(
    rf"(?<!with)(?<!behind)(?<!before)(?<!about)(?<!around)(?<!round)(?<!beside)(?<!after)(?<!near)"
    rf"(?<!upon)(?<!over) [{slots.OBJECT}]"
)
"""A "him" that is no "himself" is somebody else, whatever the resolver says; "with him" may be the same."""
_NAMED = re.compile(f"[{slots.NAME}{slots.OTHER_NAME}]")
_FIRST_FORM = re.compile(rf"[{slots.SUBJECT}{slots.OTHER_SUBJECT}] (?:am|have|do|shall)\b")
"""What "I" has for a verb, nobody else has."""
_NEW_SUBJECT = re.compile(rf",? (?:and|but) (?=[{slots.OTHER_NAME}{slots.OTHER_SUBJECT}] [a-z])")
_ANY_SUBJECT = re.compile(rf",? (?:and|but) (?={_PERSON} [a-z])")
_POINTS_AWAY = frozenset(
    {"he", "she", "him", "her", "his", "hers", "himself", "herself", "i", "me", "my", "myself"}
)
_SYMBOLS = re.compile(r"[\"“”‘()\[\]_*0-9]")
_ASIDE = re.compile(r", (?:however|indeed|therefore|of course|then|at last|at length|too|in fact),")
_PORTRAYAL = re.compile(r"(?:was|had) (?:a|an) (?:[a-z-]+, )+[a-z -]+$")
"""Commas between adjectives break nothing: "was a long, grey, exact old man"."""
_AFTER_PRONOUN = "|".join(sorted(words("dangling") | {"is", "was", "were", "are", "had", "two", "three"}))
_THESE = re.compile(rf"\b(?:this|these|those) (?=[a-z])(?!(?:{_AFTER_PRONOUN})\b)")
"""Said again elsewhere, "this letter" is "the letter"."""
_POINT = re.compile(r"\b([A-Z]|St|Dr|Mr|Mrs|No|Rev|Hon|Capt|Col)\.")
"""A point that ends no sentence."""
_CAUSED = re.compile(
    rf"\b(?:made|let|saw|heard|felt|watched|bade|bid|had) [{slots.POSSESSOR}{slots.OTHER_POSSESSOR}]"
)
"""In "made her drink" nobody owns a drink."""
_THAT = re.compile(rf"\bthat (?![{slots.ANY}]|(?:the|a|an|there|all|no|nothing|every)\b)")
_DETERMINERS = frozenset({"a", "an", "the", "his", "her", "my", "some", "any", "every", "each", "no"})
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


def clauses(lines: Sequence[Line], *, done_to: bool = False) -> Iterator[Clause]:
    """What the person asked about does; or (`done_to`) what somebody else does to them."""
    for line in lines:
        told = _POINT.sub(rf"\1{slots.POINT}", line.narration)
        told = _THESE.sub("the ", _ASIDE.sub("", told)).replace("--", "—")
        for match in _CLAUSE.finditer(told):
            if is_other(match["subject"]) == done_to and (match["who"] or placed(told, match.start())):
                yield from _read(line, match)


def placed(told: str, start: int) -> bool:
    """Whether a main clause begins here, and not "if she", "which she"."""
    stops = [m.end() for m in _STOP.finditer(told, 0, start)]
    return _PLACE.fullmatch(told, stops[-1] if stops else 0, start) is not None


def _read(line: Line, match: re.Match[str]) -> Iterator[Clause]:
    subject = line.slot(match["subject"])
    suffered = not subject.target and match["verb"] in ("was", "were")
    if not subject.sure or suffered or match["end"] in ("?", slots.QUOTED):
        return
    if past_base(match["verb"]) is None and match["verb"] not in ("was", "were", "had"):
        return
    if subject.pronoun and any(
        line.slot(c).character == subject.character for c in _NAMED.findall(match["rest"])
    ):
        return
    goes_on = match["end"] in (":", "—")
    rest = match["rest"]
    if match["who"]:
        rest, goes_on = rest.partition(",")[0], False
    first = _clause(line, subject, match["adverb"] or "", match["verb"], rest, open_end=goes_on)
    if first is not None:
        yield first
    if not match["who"] and match["verb"] not in ("had", "was", "were"):
        another = _ANOTHER.search(rest)
        finite = another is not None and past_base(another["verb"]) is not None
        passive = another is not None and _AGENT.match(another["rest"]) is not None
        if another and finite and not passive and not _UNDER.search(rest[: another.start()]):
            second = _clause(line, subject, "", another["verb"], another["rest"], open_end=goes_on)
            if second is not None and not (first and first.rest.endswith(second.rest)):
                yield second


def _clause(line: Line, subject: Slot, adverb: str, verb: str, rest: str, *, open_end: bool) -> Clause | None:
    found = _classify(verb, rest)
    if found is None:
        return None
    kind, base = found
    body = f"{verb}{rest}".strip()
    said = _cut(body, line, open_end=open_end, mine=subject.target)
    if said is None or (kind is Kind.BEING and len(said.split()) < 2):
        return None
    how = adverb.strip()
    text = f"{how} {said}" if how and how not in words("passing_adverbs") else said
    return Clause(line, subject, kind, base, text, _weights().get(base, 0), said == body)


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
        if following[0] in ("a", "an", "the") and verb == "had":
            head = re.split(
                r" (?:of|in|for|which|that|with) |,(?! [a-z]+ [a-z]+(?:[,.]|$))", " ".join(following)
            )[0]
            return (Kind.BEING, "have") if head.split()[-1] in words("dispositions") else None
        inner = participle_base(following[0])
        if verb == "was" and following[0] in words("held_to_be"):
            return Kind.BEING, "be"
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


def _cut(body: str, line: Line, *, open_end: bool, mine: bool = True) -> str | None:
    """The longest beginning of a clause that can stand alone, or None; `open_end`: the book goes on."""
    other = (_NEW_SUBJECT if mine else _ANY_SUBJECT).search(body)
    ends = [m.start() for m in _CUT.finditer(body)] + [m.start() for m in _COMMA.finditer(body)]
    ends = [end for end in ends if end <= other.start()] if other else [*ends, len(body)]
    for end in sorted(set(ends), reverse=True):
        candidate = body[:end].rstrip(" ,")
        if well_formed(candidate, line, whole=end == len(body) and not open_end, mine=mine):
            return candidate
    return None


def well_formed(text: str, line: Line, *, whole: bool, mine: bool = True) -> bool:
    """Nothing that points outside, nothing half said: better fewer sentences than broken ones."""
    tokens = [t.strip(",") for t in text.split()]
    if text.split()[0].endswith(","):
        return False
    if not 2 <= len(tokens) <= (MOST_WORDS if whole else 16) or _SYMBOLS.search(text):
        return False
    low = [t.lower() for t in tokens]
    if any(t in words("opaque") or t in _POINTS_AWAY for t in _pointers(low)) or _dangles(low):
        return False
    if (not whole and "," in text and not _PORTRAYAL.match(text)) or _expects_more(low, whole=whole):
        return False
    demonstrative = _THAT.search(text) is not None
    return text.count(",") <= 2 and not demonstrative and not _strange_slots(text, line, mine=mine)


def _pointers(tokens: Sequence[str]) -> Sequence[str]:
    """The words, less an "it" that follows something in the same clause which it can mean."""
    thing = next((at for at, t in enumerate(tokens) if t in _DETERMINERS), len(tokens))
    return [t for at, t in enumerate(tokens) if not (at > thing + 1 and t in ("it", "its"))]


def _dangles(tokens: Sequence[str]) -> bool:
    """Whether a listener would wait for more."""
    last, before = tokens[-1], tokens[-2]
    if any(last in words(name) for name in ("dangling", "abbreviations", "incomplete")):
        return True
    if last.endswith("ing") and _saying(last):
        return True
    described = any(last in words(name) for name in ("traits", "looks", "feelings"))
    return last.endswith(("’s", "'s", "-")) or (described and before in ("the", "a", "an"))


def _saying(participle: str) -> bool:
    """ "exclaiming": what is said would follow."""
    bare = participle.removesuffix("ing")
    return bare in words("says") or f"{bare}e" in words("says")


def _expects_more(tokens: Sequence[str], *, whole: bool) -> bool:
    """A verb that wants an object and has none, or may have lost it: "she knew", "she saw directly"."""
    verb, following = (tokens[1], tokens[2:]) if tokens[0] == "had" else (tokens[0], tokens[1:])
    base = past_base(verb) or ""
    if not following or (not whole and past_base(tokens[-1]) is not None):
        return True
    if base == "go" and following[0] == "on":
        return True
    if any(t in ("scarcely", "hardly", "sooner") for t in tokens) and not whole:
        return True
    if base in words("says") and all(is_other(t[0]) or t in ("to", "and") for t in following):
        return True
    wants = base in words("thinks") or base in words("says") or base in ("hear", "see", "find")
    idle = _is_adverb(following[0]) or following[0] in words("dangling") - _DETERMINERS - {"that"}
    return wants and idle and not any(is_other(t[0]) for t in following)


def _strange_slots(text: str, line: Line, *, mine: bool) -> bool:
    """Slots that cannot be said again elsewhere: unsure pronouns, and a reflexive of somebody else."""
    for code in text:
        if slots.OTHER_REFLEXIVE[0] <= code <= slots.OTHER_REFLEXIVE[-1]:
            return True
        if slots.NAME[0] <= code <= slots.OTHER_REFLEXIVE[-1] and not line.slot(code).sure:
            return True
    if _FIRST_FORM.search(text) or _CAUSED.search(text):
        return True
    return mine and _SELF_OBJECT.search(text) is not None
