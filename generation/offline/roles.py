"""What somebody is in the world of the book: "the senior clerk", "engaged as governess", "from Plymouth"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from books.types import Span
from coref.types import MentionKind
from generation import sentences
from generation.lexicon import words
from generation.offline import slots
from generation.offline.clauses import Clause, Kind, placed
from generation.offline.slots import Line
from generation.offline.view import View
from generation.offline.wording import article
from generation.types import Citation

_NAME = f"[{slots.NAME}]"
_ME = f"[{slots.NAME}{slots.SUBJECT}]"
_PHRASE = r"(?P<phrase>(?:the|a|an) [^,;:.!?—(]{3,70}?)"
_APPOSED = re.compile(rf"{_NAME}, {_PHRASE}(?P<end>, (?:and|or)\b|,|[.;:!?—)]|{slots.QUOTED}|$)")
_BEFORE = re.compile(rf"\b(?P<phrase>[Tt]he (?:[a-z]+(?:-[a-z]+)* ){{0,2}}(?P<head>[a-z-]+)),? {_NAME}")
_IS = re.compile(
    rf"{_ME} (?:is|was|am|had been|has been|had become|remained) "
    rf"(?P<phrase>(?:the|a|an) [^,;:.!?—(”’]{{3,60}}?)"
    r"(?=[,.;:!?—”]|$| (?:and|but|when|who|for|until|till|before|after)\b)"
)
_AS = re.compile(
    rf"(?:{_ME} (?:had )?(?:been |was )?"
    r"(?:served|worked|lived|acted|sailed|engaged|employed|appointed|hired)"
    r"|\b(?:engaged|employed|appointed|hired) "
    rf"[{slots.NAME}{slots.OBJECT}]) as (?P<phrase>(?:(?:the|a|an) )?(?:[a-z]+ ){{0,2}}?[a-z-]+)"
    r"(?= (?:of|in|to|at|for|on|by|with|under)\b|[,.;:!?—]|$)"
)
_SIGNED = re.compile(rf"{_NAME}, (?P<phrase>[A-Z][a-z-]+)(?=\.|$)")
_LINK = re.compile(r" (?:of|in|at|to|from|for|on|with|who|whose|by|under|near) ")
_ORIGIN = re.compile(r"(?:had )?(?:came|come|been born|was born) (?:from|at|in) (?:[A-Z][a-z]+(?: |$)){1,2}")
_MARKS = re.compile("[\ue000-\uf8ff]")
_POINTING = frozenset({"his", "her", "my", "your", "i", "he", "she"})
_UNREAL = re.compile(r"\b(?:if|when|were|wish|suppose|though|as)\b", re.IGNORECASE)
SURE, MUCH = 3, 150
"""Weight of what the story itself says; mentions from which what is only spoken once is not enough."""
CALLED_OFTEN = 3
"""Times that a book must call somebody "the doctor" before it counts as said."""


@dataclass(frozen=True, slots=True)
class Role:
    """ "the senior clerk" """

    phrase: str
    head: str
    citations: tuple[Citation, ...]
    weight: int
    called: bool = False
    """Whether the book calls the person so again and again, and never says that it is so."""


def roles(view: View) -> list[Role]:
    """Best attested first."""
    found: dict[str, list[tuple[str, Citation, int]]] = {}
    for line in view.lines:
        for phrase, head, weight in _role_phrases(line):
            found.setdefault(head, []).append((phrase, Citation(line.span, line.chapter), weight))
    made = [_role(head, seen) for head, seen in found.items()]
    made += [role for role in called_so(view) if role.head not in found]
    named = {word.lower() for word in view.character.name.split()}
    least = SURE if view.character.mention_count > MUCH else 1
    told = [role for role in made if role.head not in named and role.weight >= least]
    return sorted(told, key=lambda r: (-r.weight, r.citations[0].span))


def origins(clauses: Sequence[Clause]) -> list[Clause]:
    """ "came from Plymouth", "was nineteen years old": where somebody is from, and how old."""
    return [c for c in clauses if _ORIGIN.match(c.rest) or _is_age(c)]


def appositions(line: Line) -> Iterator[tuple[str, str]]:
    """ "X, the widow of a sailor,": phrase and head."""
    if not any(slot.target and slot.part == "name" for slot in line.slots):
        return
    for match in _APPOSED.finditer(line.narration):
        phrase = match["phrase"].strip()
        joined = match["end"].endswith(("and", "or"))
        if not joined and not _lists(line.narration, match) and plain(phrase):
            yield phrase, head_of(phrase)


@cache
def is_role(head: str) -> bool:
    ends = any(head.endswith(end) and head != end for end in words("role_endings"))
    return head in words("roles") or ends


def head_of(phrase: str) -> str:
    """ "clerk" of "the senior clerk to the Board"."""
    return _LINK.split(f"{phrase} ")[0].replace(",", "").split()[-1].lower()


def plain(phrase: str, *, most: int = 10) -> bool:
    """Sayable again as it stands: no coded people, no pointing words, nothing half said."""
    tokens = phrase.lower().replace(",", "").split()
    if any(t in words("opaque") or t in _POINTING for t in tokens) or _MARKS.search(phrase):
        return False
    return tokens[-1] not in words("dangling") and len(tokens) <= most


def called_so(view: View) -> list[Role]:
    """ "the doctor", where the book says so of one person again and again."""
    text = view.cast.book.text
    spans: dict[str, list[Span]] = {}
    for mention in view.cast.annotations.mentions:
        if mention.kind is MentionKind.NOMINAL and mention.character == view.character.id:
            surface = sentences.flat(mention.span.of(text))
            if surface.lower().startswith("the ") and is_role(head_of(surface)):
                spans.setdefault(f"the {surface[4:]}", []).append(mention.span)
    counted = Counter({phrase: len(seen) for phrase, seen in spans.items()})
    least = max(CALLED_OFTEN, 0.004 * view.character.mention_count)
    often = [(p, n) for p, n in counted.most_common() if n >= least and head_of(p) not in words("praise")]

    def starts(phrase: str) -> list[int]:
        return [span.start for span in spans[phrase][:2]]

    return [
        Role(phrase, head_of(phrase), tuple(map(view.cast.sentence_at, starts(phrase))), n, called=True)
        for phrase, n in often
    ]


def _role(head: str, seen: Sequence[tuple[str, Citation, int]]) -> Role:
    phrases = [phrase for phrase, _, _ in seen]
    phrase = max(phrases, key=lambda p: (phrases.count(p), len(p)))
    cited = dict.fromkeys(c for p, c, _ in seen if p == phrase)
    return Role(phrase, head, tuple(cited)[:3], sum(weight for _, _, weight in seen))


def _role_phrases(line: Line) -> Iterator[tuple[str, str, int]]:
    yield from ((phrase, head, SURE) for phrase, head in appositions(line) if is_role(head))
    for match in _BEFORE.finditer(line.narration):
        if not _lists(line.narration, match) and is_role(match["head"]) and plain(match["phrase"]):
            yield match["phrase"].lower(), match["head"], SURE
    for match in _SIGNED.finditer(line.narration):
        if is_role(match["phrase"].lower()):
            yield article(match["phrase"].lower()), match["phrase"].lower(), SURE
    yield from _predicated(line)


def _predicated(line: Line) -> Iterator[tuple[str, str, int]]:
    """What the story says somebody was or served as; and, weighing less, what is only spoken."""
    said = [m for m in _IS.finditer(line.narration) if placed(line.narration, m.start())]
    for match in (*_AS.finditer(line.narration), *said):
        yield from ((phrase, head, SURE) for phrase, head in _said(match, line))
    if line.speech and not _UNREAL.search(line.speech):
        opens = line.speech.find("“")
        for match in _IS.finditer(line.speech):
            asked = "?" in line.speech[match.end() :][:60]
            if match.start() >= opens >= 0 and not asked:
                yield from ((phrase, head, 1) for phrase, head in _said(match, line))


def _said(match: re.Match[str], line: Line) -> Iterator[tuple[str, str]]:
    """A role after "was" or "as", when it is sure whose it is."""
    phrase = match["phrase"].strip()
    coded = next(c for c in match[0] if _MARKS.match(c))
    if line.slot(coded).sure and is_role(head_of(phrase)) and plain(phrase) and not _like(phrase):
        yield phrase if phrase.split()[0] in ("a", "an", "the") else article(phrase), head_of(phrase)


def _like(phrase: str) -> bool:
    """ "a perfect gentleman", "a good judge": praise and no calling."""
    praised = ("traits", "looks", "feelings")
    return any(word in words(name) for name in praised for word in phrase.split()[1:-1]) or head_of(
        phrase
    ) in words("praise")


def _lists(text: str, match: re.Match[str]) -> bool:
    """A row of people ("Holmes, the engineer, Inspector Bradstreet and I") tells nobody's role."""
    before, after = text[: match.start()].rstrip(), text[match.end() : match.end() + 2]
    following = after.strip()[:1]
    named_before = len(before) > 1 and before[-1] == "," and _is_person(before[-2])
    return named_before or (match.group().endswith(",") and (_is_person(following) or following.isupper()))


def _is_person(code: str) -> bool:
    return bool(code) and slots.NAME[0] <= code <= slots.OTHER_REFLEXIVE[-1]


def _is_age(clause: Clause) -> bool:
    tokens = clause.rest.replace("-", " ").split()
    if clause.kind is not Kind.BEING or tokens[0] != "was" or not clause.whole or len(tokens) > 6:
        return False
    said = [t for t in tokens[1:] if t not in ("about", "nearly", "only", "just", "not", "yet", "then")]
    counted = said[:1] and (said[0] in words("numbers") or said[0] in ("one", "two"))
    return bool(counted) and all(t in _AGES or t in words("numbers") for t in said)


_AGES = frozenset({"one", "two", "and", "years", "old", "of", "age"})
