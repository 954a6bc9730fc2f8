"""Word a part of a sentence as a sentence of its own, in which it is said whom it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from coref.types import Character
from generation.story.named_people import PRONOUN, Names, agrees
from generation.types import NamedSpan
from retrieval.tokenizer import is_chinese


@dataclass(frozen=True, slots=True)
class Wording:
    text: str
    people: tuple[NamedSpan, ...]
    """Whom it names."""
    starts: dict[int, int]
    """Where each word of the clause begins."""

    def named(self, word: int) -> str | None:
        """Return whom a word names, if it is one of the clause."""
        at = self.starts.get(word, -1)
        return next((n.character for n in self.people if n.span.start <= at < n.span.end), None)


def ended(words: str) -> str:
    """Return a sentence with the full stop of its language."""
    return words + ("。" if is_chinese(words) else ".")


def worded(
    s: ParsedSentence, text: str, clause: Sequence[int], about: Sequence[Character], names: Names
) -> Wording:
    """Return a clause as a sentence.

    A pronoun is left as it is, unless it can mean only one of those whom the text is `about`, who is not
    named before it.
    """
    out, before = "", -1
    put: list[NamedSpan] = []
    starts: dict[int, int] = {}
    known: set[str] = set()
    for i in clause:
        piece = s.span(i, i).of(text)
        gap = " " if out and not _touches(s, before, i) else ""
        starts[i] = start = len(out) + len(gap)
        meant = _meant(s, i, about)
        if meant is not None and meant.id not in known:
            known.add(meant.id)
            if all(n.character != meant.id for n in names.find(out)):
                piece = _in_place(meant.name, opening=not out)
                put.append(NamedSpan(Span(start, start + len(piece)), meant.id))
                piece += "’s" if s.relation(i) == "nmod:poss" else ""
        out += gap + piece
        before = i
    said = out[:1].upper() + out[1:]
    free = (n for n in names.find(said) if not any(n.span.overlaps(p.span) for p in put))
    return Wording(said, tuple(sorted((*put, *free), key=lambda n: n.span)), starts)


def _meant(s: ParsedSentence, i: int, about: Sequence[Character]) -> Character | None:
    """Return the only one whom a pronoun can mean."""
    if s.tag(i) not in ("PRON", "DET") or not PRONOUN.fullmatch(s.word(i)):
        return None
    plural = s.word(i).startswith("the")
    may = [one for one in about if agrees(s.word(i), one) and not (plural and one.pronouns is None)]
    return may[0] if len(may) == 1 else None


def _touches(s: ParsedSentence, before: int, i: int) -> bool:
    """Whether no space separates a word from the one before it."""
    return s.word(i) in (",", ";") or (before == i - 1 and s.span(before, before).end == s.start(i))


def _in_place(name: str, *, opening: bool) -> str:
    """Return a name as it is inside a sentence: "the lamplighter" for "The lamplighter"."""
    return name if opening or not name.startswith("The ") else f"the {name[4:]}"
