"""Word a part of a sentence as a sentence of its own, with names in place of pronouns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from generation.checking.claims.text_pronouns import TextPerson
from generation.story.named_people import Names
from generation.types import NamedSpan
from retrieval.tokenizer import is_chinese

_CLITICS = {"'s": " is", "'d": " had", "'ll": " will", "'ve": " have", "'re": " are"}


def ended(words: str) -> str:
    """Return a sentence with the full stop of its language."""
    return words + ("。" if is_chinese(words) else ".")


def worded(
    s: ParsedSentence, text: str, clause: Sequence[int], people: Mapping[int, TextPerson], names: Names
) -> tuple[str, tuple[NamedSpan, ...]]:
    """Return the sentence and whom it names. `people` are those whom the pronouns mean."""
    out, put, before = "", list[NamedSpan](), None
    said: list[TextPerson] = []
    for i in clause:
        piece = s.span(i, i).of(text)
        gap = " " if out and not _touches(s, before, i) else ""
        start = len(out) + len(gap)
        person = people.get(i) if s.tag(i) in ("PRON", "DET") else None
        if person is not None:
            stays = _plainly_own(s, i, person, said)
            piece = piece if stays else _in_place(person.name, opening=not out)
            if person.character is not None:
                put.append(NamedSpan(Span(start, start + len(piece)), person.character.id))
            if s.relation(i) == "nmod:poss" and not stays:
                piece += "’s"
        elif before in people and s.word(i) in _CLITICS and s.tag(i) == "AUX":
            piece = _CLITICS[s.word(i)]
        if i in people:
            said.append(people[i])
        out += gap + piece
        before = i
    return _finished(out, put, names)


def _plainly_own(s: ParsedSentence, i: int, person: TextPerson, said: Sequence[TextPerson]) -> bool:
    """Whether a possessive is unambiguous: in "Tom loves his wife" nobody else was named before."""
    own = s.relation(i) == "nmod:poss" and s.word(i) in ("his", "her")
    return own and person in said and all(p == person or not p.may_be(s.word(i)) for p in said)


def _touches(s: ParsedSentence, before: int | None, i: int) -> bool:
    """Whether no space separates a word from the one before it."""
    return s.word(i) in (",", ";") or (before == i - 1 and s.span(before, before).end == s.start(i))


def _in_place(name: str, *, opening: bool) -> str:
    """Return a name as it is inside a sentence: "the lamplighter" for "The lamplighter"."""
    return name if opening or not name.startswith("The ") else f"the {name[4:]}"


def _finished(out: str, put: list[NamedSpan], names: Names) -> tuple[str, tuple[NamedSpan, ...]]:
    text = out[:1].upper() + out[1:]
    taken = [n.span for n in put]
    found = [n for n in names.find(text) if not any(n.span.overlaps(t) for t in taken)]
    return text, tuple(sorted((*put, *found), key=lambda n: n.span))
