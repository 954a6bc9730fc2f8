"""What the book says somebody is and is like: roles, "a handsome man of forty", "proud and reserved"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.lexicon import words
from generation.offline import slots
from generation.offline.clauses import Clause, Kind
from generation.offline.slots import Line
from generation.offline.view import View

_NAME = f"[{slots.NAME}]"
_PHRASE = r"(?P<phrase>(?:the|a|an) [^,;:.!?—(]{3,70}?)"
_APPOSED = re.compile(rf"{_NAME}, {_PHRASE}(?P<end>, (?:and|or)\b|,|[.;:!?—)]|{slots.QUOTED}|$)")
_BEFORE = re.compile(rf"\b(?P<phrase>[Tt]he (?:[a-z]+(?:-[a-z]+)* ){{0,2}}(?P<head>[a-z-]+)),? {_NAME}")
_LINK = re.compile(r" (?:of|in|at|to|from|for|on|with|who|whose|by|under|near) ")
_MANNER = re.compile(
    rf"[{slots.POSSESSOR}] (?P<part>eyes|hair|face|voice|manner|manners|temper|figure|complexion|countenance"
    rf"|features|hands|smile|disposition|character|understanding) (?:was|were) (?P<what>[a-z]+(?:-[a-z]+)*"
    rf"(?:(?:, | and |, and )[a-z]+(?:-[a-z]+)*)?)(?=[,.;]|$)"
)

_OPINION = re.compile(
    rf"{_NAME} is (?:very |so |quite |really |such )?"
    rf"(?P<article>an? )?(?:very |so )?(?P<phrase>[a-z -]{{3,40}}?)"
    rf"(?=[,.;!?—”’]|$| and )"
)


@dataclass(frozen=True, slots=True)
class Role:
    """ "the senior clerk" """

    phrase: str
    head: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Portrayal:
    """ "a handsome man of two-and-forty", with the sentence that says so."""

    phrase: str
    line: Line


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person says another is."""

    phrase: str
    speaker: str
    line: Line


@dataclass(frozen=True, slots=True)
class Trait:
    """One adjective, and where the book uses it of the person."""

    word: str
    lines: tuple[Line, ...]


def roles(view: View) -> list[Role]:
    """Best attested first."""
    found: dict[str, list[tuple[str, Line]]] = {}
    for line in view.lines:
        for phrase, head in _role_phrases(line):
            found.setdefault(head, []).append((phrase, line))
    made = [_role(head, seen) for head, seen in found.items()]
    return sorted(made, key=lambda r: (-len(found[r.head]), r.lines[0].span))


def portrayals(clauses: Sequence[Clause]) -> list[Portrayal]:
    """ "X was a tall woman of forty": sure subjects first, then the earliest."""
    found = [
        (clause, phrase)
        for clause in clauses
        if clause.kind is Kind.BEING and clause.verb == "be" and (phrase := _portrayal(clause))
    ]
    found.sort(key=lambda pair: (pair[0].subject.pronoun, pair[0].line.span))
    return [Portrayal(phrase, clause.line) for clause, phrase in found]


def opinions(view: View) -> list[Opinion]:
    """What others say of the person by name, in direct speech: "Lydia is a silly girl"."""
    found: dict[str, Opinion] = {}
    for line in view.lines:
        if line.speech and line.speaker in view.cast.by_id and line.speaker != view.character.id:
            for match in _OPINION.finditer(line.speech):
                said = _opinion(match)
                if said and line.speaker:
                    found.setdefault(said, Opinion(said, line.speaker, line))
    return list(found.values())


def traits(clauses: Sequence[Clause], lists: Sequence[str]) -> list[Trait]:
    """Adjectives of some lists in "X was proud and reserved", most used first."""
    found: dict[str, list[Line]] = {}
    for clause in clauses:
        if clause.kind is Kind.BEING:
            for word in _adjectives(clause.rest):
                if any(word in words(name) for name in lists):
                    found.setdefault(word, []).append(clause.line)
    made = [Trait(word, tuple(dict.fromkeys(lines))) for word, lines in found.items()]
    made = [t for t in made if len(t.lines) > 2 or t.word not in words("passing")]
    return sorted(made, key=lambda t: (-len(t.lines), t.lines[0].span))


def manners(view: View) -> Iterator[tuple[str, str, Line]]:
    """ "her eyes were dark": part, adjective, sentence."""
    for line in view.lines:
        for match in _MANNER.finditer(line.narration):
            adjectives = re.split(r", and |, | and ", match["what"])
            known = all(a in words("looks") or a in words("traits") for a in adjectives)
            if known and line.slot(match[0][0]).sure:
                yield match["part"], " and ".join(adjectives), line


def _role(head: str, seen: Sequence[tuple[str, Line]]) -> Role:
    phrases = [phrase for phrase, _ in seen]
    phrase = max(phrases, key=lambda p: (phrases.count(p), len(p)))
    lines = [line for p, line in seen if p == phrase]
    return Role(phrase, head, tuple(dict.fromkeys(lines))[:3])


def _role_phrases(line: Line) -> Iterator[tuple[str, str]]:
    if not any(slot.target and slot.part == "name" for slot in line.slots):
        return
    for match in _APPOSED.finditer(line.narration):
        phrase = match["phrase"].strip()
        if _lists(line.narration, match):
            continue
        head = _LINK.split(f"{phrase} ")[0].split()[-1]
        if match["end"].endswith(("and", "or")) or not _plain(phrase):
            continue
        if head.lower() in words("roles"):
            yield phrase, head.lower()
    for match in _BEFORE.finditer(line.narration):
        if _lists(line.narration, match):
            continue
        if match["head"] in words("roles") and _plain(match["phrase"].lower()):
            yield match["phrase"].lower(), match["head"]


def _lists(text: str, match: re.Match[str]) -> bool:
    """A row of people ("Holmes, the engineer, Inspector Bradstreet and I") tells nobody's role."""
    before, after = text[: match.start()].rstrip(), text[match.end() : match.end() + 2]
    following = after.strip()[:1]
    named_before = len(before) > 1 and before[-1] == "," and _is_person(before[-2])
    return named_before or (match.group().endswith(",") and (_is_person(following) or following.isupper()))


def _is_person(code: str) -> bool:
    return bool(code) and slots.NAME[0] <= code <= slots.OTHER_REFLEXIVE[-1]


def _plain(phrase: str) -> bool:
    """Sayable again as it stands: no coded people, no pointing words, nothing half said."""
    tokens = phrase.split()
    pointing = any(t in words("opaque") or t in ("his", "her", "my", "your") for t in tokens)
    coded = any("\ue000" <= c <= "\uf8ff" for c in phrase)
    return not pointing and not coded and tokens[-1] not in words("dangling") and len(tokens) <= 10


def _opinion(match: re.Match[str]) -> str | None:
    """An adjective of character, or "a" with a noun for a person."""
    phrase = match["phrase"].strip()
    if match["article"]:
        whole = f"{match['article']}{phrase}"
        head = _LINK.split(f"{phrase} ")[0].split()[-1]
        return whole if head in words("people") and len(phrase.split()) > 1 and _plain(whole) else None
    return phrase if phrase in words("traits") and phrase not in words("passing") else None


def _portrayal(clause: Clause) -> str | None:
    match = re.match(r"was (?P<phrase>(?:a|an) (?P<np>.+))$", clause.rest)
    if match is None:
        return None
    phrase = re.split(r", (?:with|who|whose|and|but|in)\b", match["phrase"])[0].rstrip(" ,")
    head = _LINK.split(f"{phrase} ")[0].replace(",", "").split()[-1]
    if head not in words("people") and head not in words("roles"):
        return None
    return phrase if _plain(phrase) and (len(phrase.split()) > 2 or head in words("roles")) else None


def _adjectives(rest: str) -> list[str]:
    """The adjectives straight after the verb, up to the first word that is none; no negated ones."""
    tokens = rest.replace(",", " ,").split()[1:]
    found: list[str] = []
    for token in tokens:
        if token in ("not", "never", "no", "less", "too", "a", "an", "the"):
            break
        if any(token in words(name) for name in ("traits", "looks", "feelings")):
            found.append(token)
        elif token not in (",", "and", "very", "so", "rather", "most", "always") and not token.endswith("ly"):
            break
    else:
        return found
    following = tokens[tokens.index(found[-1]) + 1 :] if found else []
    return found if not following or following[0] in (",", "and", "but") else found[:-1]
