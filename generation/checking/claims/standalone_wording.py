"""Word a part of a sentence as a sentence of its own, with names in place of pronouns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from generation.checking.claims.clause_splitting import Bit
from generation.checking.claims.text_pronouns import TextPerson
from generation.story.named_people import Names
from generation.types import NamedSpan
from retrieval.tokenizer import is_chinese

_CLITICS = {"'s": " is", "'d": " had", "'ll": " will", "'ve": " have", "'re": " are"}


def ended(words: str) -> str:
    """Return a sentence with the full stop of its language."""
    return words + ("。" if is_chinese(words) else ".")


def worded(
    s: ParsedSentence, text: str, bits: Sequence[Bit], people: Mapping[int, TextPerson], names: Names
) -> tuple[str, tuple[NamedSpan, ...]]:
    """Return the sentence and the people named in it.

    `people` are the referents of the pronouns. Names stay as they are written.
    """
    out, put, before = "", list[NamedSpan](), None
    said: list[TextPerson] = []
    for bit in bits:
        piece = bit if isinstance(bit, str) else s.span(bit, bit).of(text)
        gap = " " if out and not _touches(s, before, bit) and piece != "’s" else ""
        person = people.get(bit) if isinstance(bit, int) and s.tag(bit) in ("PRON", "DET") else None
        if person is not None and isinstance(bit, int) and _plainly_own(s, bit, person, said):
            if person.character is not None:
                start = len(out) + len(gap)
                put.append(NamedSpan(Span(start, start + len(piece)), person.character.id))
        elif person is not None:
            start = len(out) + len(gap)
            own = isinstance(bit, int) and s.relation(bit) == "nmod:poss"
            piece = _in_place(person.name, opening=not out) + ("’s" if own else "")
            if person.character is not None:
                put.append(NamedSpan(Span(start, start + len(person.name)), person.character.id))
        elif isinstance(bit, int) and before in people and s.word(bit) in _CLITICS and s.tag(bit) == "AUX":
            piece = _CLITICS[s.word(bit)]
        if isinstance(bit, int) and bit in people:
            said.append(people[bit])
        out += gap + piece
        before = bit if isinstance(bit, int) else None
    return _finished(out, put, names)


def _plainly_own(s: ParsedSentence, i: int, person: TextPerson, said: Sequence[TextPerson]) -> bool:
    """Whether a possessive is unambiguous: in "Tom loves his wife" nobody else was named before."""
    own = s.relation(i) == "nmod:poss" and s.word(i) in ("his", "her")
    return own and person in said and all(p == person or not p.may_be(s.word(i)) for p in said)


def _touches(s: ParsedSentence, before: int | None, bit: Bit) -> bool:
    """Whether no space separates two consecutive words."""
    return isinstance(bit, int) and before == bit - 1 and s.span(before, before).end == s.start(bit)


def _in_place(name: str, *, opening: bool) -> str:
    """Return a name as it is inside a sentence: "the lamplighter" for "The lamplighter"."""
    return name if opening or not name.startswith("The ") else f"the {name[4:]}"


def _finished(out: str, put: list[NamedSpan], names: Names) -> tuple[str, tuple[NamedSpan, ...]]:
    text = out[:1].upper() + out[1:]
    taken = [n.span for n in put]
    found = [n for n in names.find(text) if not any(n.span.overlaps(t) for t in taken)]
    return text, tuple(sorted((*put, *found), key=lambda n: n.span))
