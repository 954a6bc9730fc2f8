"""What the book says somebody is like: "a handsome man of forty", "proud and reserved"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from generation.categories import is_verb
from generation.lexicon import words
from generation.offline import slots
from generation.offline.clauses import Clause, Kind
from generation.offline.roles import appositions, head_of, is_role, plain
from generation.offline.slots import Line
from generation.offline.view import View

_NAME = f"[{slots.NAME}]"
_SOFTENERS = frozenset({"very", "so", "rather", "both", "not", "to", "be", "a", "most", "quite", "as"})
_CODED = re.compile(f"[{slots.ANY}]")
_ANNOUNCED = re.compile(rf"{_NAME}, (?P<what>[a-z-]+(?:, [a-z-]+)*,? and [a-z-]+)(?=[,.;])")
_OPINION = re.compile(
    rf"{_NAME} is (?:very |so |quite |really |such )?"
    rf"(?P<article>an? )?(?:very |so )?(?P<phrase>[a-z -]{{3,40}}?)"
    rf"(?=[,.;!?—”’]|$| and )"
)


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


def portrayals(view: View, clauses: Sequence[Clause]) -> list[Portrayal]:
    """ "X was a tall woman of forty", "X, a tall woman,": sure subjects first, then the earliest."""
    found = [
        (clause.subject.pronoun, clause.line, phrase)
        for clause in clauses
        if clause.kind is Kind.BEING and clause.verb == "be" and (phrase := _portrayal(clause))
    ]
    found += [
        (False, line, phrase)
        for line in view.lines
        for phrase, head in appositions(line)
        if head in words("people") and len(phrase.split()) > 2
    ]
    found.sort(key=lambda seen: (seen[0], seen[1].span))
    return [Portrayal(phrase, line) for _, line, phrase in found]


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
            for word in adjectives(clause.rest):
                if any(word in words(name) for name in lists):
                    found.setdefault(word, []).append(clause.line)
    made = [Trait(word, tuple(dict.fromkeys(lines))) for word, lines in found.items()]
    made = [t for t in made if len(t.lines) > 2 or t.word not in words("passing")]
    return sorted(made, key=lambda t: (-len(t.lines), t.lines[0].span))


def _opinion(match: re.Match[str]) -> str | None:
    """An adjective of character, or "a" with a noun for a person."""
    phrase = match["phrase"].strip()
    if match["article"]:
        whole = f"{match['article']}{phrase}"
        head = head_of(phrase)
        known = is_role(head) or (head in words("people") and len(phrase.split()) > 1)
        return whole if known and plain(whole) else None
    return phrase if phrase in words("traits") and phrase not in words("passing") else None


def _portrayal(clause: Clause) -> str | None:
    match = re.match(r"(?:was|had been) (?P<phrase>(?:a|an) (?P<np>.+))$", clause.rest)
    if match is None:
        return None
    phrase, *after = re.split(r", (?=with|who|whose|and|but|in)\b", match["phrase"])
    phrase = phrase.rstrip(" ,")
    head = head_of(phrase)
    if head not in words("people") and not is_role(head):
        return None
    if not plain(phrase) or (len(phrase.split()) <= 2 and not is_role(head)):
        return None
    more = f"{phrase}, {after[0]}" if after and after[0].startswith("who ") else phrase
    return more if more == phrase or (plain(more, most=18) and "," not in after[0]) else phrase


def adjectives(rest: str) -> list[str]:
    """The adjectives straight after the verb, up to the first word that is none; no negated ones."""
    tokens = rest.replace(",", " ,").split()[1:]
    while tokens and (tokens[0] in words("held_to_be") or tokens[0] in ("to", "be")):
        tokens = tokens[1:]
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


def likenesses(clauses: Sequence[Clause]) -> list[Clause]:
    """ "was brown, and not tall, and neat": likeness in the book's own coordination, best first."""
    found: list[tuple[int, Clause]] = []
    for clause in clauses:
        lasting = _lasting(clause) if clause.kind is Kind.BEING else 0
        if lasting > 0:
            found.append((lasting, clause))
    return [clause for _, clause in sorted(found, key=lambda pair: (-pair[0], pair[1].line.span))]


def _lasting(clause: Clause) -> int:
    """How many of its words tell what somebody is like for good; 0 for what cannot be said again."""
    tokens = clause.rest.replace(",", "").split()
    if tokens[0] not in ("was", "had") or not 3 <= len(tokens) <= 16 or _CODED.search(clause.rest):
        return 0
    if (
        clause.verb == "be"
        and tokens[1] in ("a", "an")
        and head_of(" ".join(tokens[1:])) not in words("people")
    ):
        return 0  # "was a small, slim" has lost its noun
    if clause.verb == "have":
        return 1 + any(t in words("traits") or t in words("looks") for t in tokens)
    first = next((t for t in tokens[1:4] if t not in _SOFTENERS and t not in words("held_to_be")), "")
    if not any(first in words(name) for name in ("traits", "looks", "praise_of_person")):
        return 0
    if any(is_verb(t) for t in tokens[1:]) or any(t in words("strains") for t in tokens):
        return 0
    told = [t for t in tokens if t in words("traits") or t in words("looks")]
    lasting = sum(t not in words("passing") for t in told)
    moment = any(t in words("feelings") - words("traits") for t in tokens)
    return lasting + (lasting > 0 and len(told) > lasting) - 2 * moment


def announced(view: View) -> list[Trait]:
    """ "Emma Woodhouse, handsome, clever, and rich,": the adjectives that follow a name, as one phrase."""
    made: list[Trait] = []
    for line in view.lines:
        for match in _ANNOUNCED.finditer(line.narration):
            said = re.findall(r"[a-z-]+", match["what"])
            known = [w for w in said if w in words("traits") or w in words("looks")]
            if len(known) > 1 and not any(w in words("feelings") for w in said):
                made.append(Trait(match["what"], (line,)))
    return made


@cache
def qualities() -> re.Pattern[str]:
    held = "|".join(sorted(words("qualities")))
    name = f"[{slots.NAME}][’']s?|[{slots.POSSESSOR}]"
    return re.compile(rf"(?:{name}) (?:(?:own|great|natural|usual|good|characteristic) )?(?P<what>{held})\b")


def possessed(view: View) -> list[Trait]:
    """ "his pride", "Darcy’s reserve": qualities that the book gives to somebody more than once."""
    found: dict[str, list[Line]] = {}
    for line in view.lines:
        for match in qualities().finditer(line.narration):
            slot = line.slot(match[0][0])
            if slot.sure:
                found.setdefault(match["what"], []).append(line)
    made = [Trait(word, tuple(dict.fromkeys(lines))) for word, lines in found.items()]
    return sorted((t for t in made if len(t.lines) > 1), key=lambda t: (-len(t.lines), t.lines[0].span))
