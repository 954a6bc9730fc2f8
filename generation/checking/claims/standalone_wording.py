"""Word a part of a sentence as a sentence of its own, in which it is said whom it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from coref.types import Character
from generation.checking.claims.clause_splitting import SUBJECTS
from generation.story.cast import CastIndex
from generation.story.named_people import PRONOUN, agrees, possessive
from generation.types import NamedSpan
from retrieval.tokenizer import is_chinese

_STRANGER = "?"
"""Stands for somebody who is not in the cast."""


@dataclass(frozen=True, slots=True)
class Wording:
    text: str
    people: tuple[NamedSpan, ...]
    """Whom it names or means."""
    starts: dict[int, int]
    """Where each word of the clause begins."""
    meant: dict[int, str]
    """Whom its pronouns mean, where that is known."""

    def named(self, word: int) -> str | None:
        """Return whom a word of the clause names or means."""
        return self.meant.get(word) or _named_at(self.people, self.starts.get(word, -1))


def ended(words: str) -> str:
    """Return a sentence with the full stop of its language."""
    return words + ("。" if is_chinese(words) else ".")


def worded(
    s: ParsedSentence,
    text: str,
    clause: Sequence[int],
    about: Sequence[Character],
    cast: CastIndex,
    last: str | None,
) -> Wording:
    """Return a clause as a sentence.

    A pronoun is left as it is, unless it can mean only one of those whom the text is `about`, and not whoever
    acts before it: in the clause, or else, as `last`, in the one before. A name takes the place of the first
    pronoun, if it has not been said.
    """
    out, before = "", -1
    put: list[NamedSpan] = []
    starts: dict[int, int] = {}
    meant: dict[int, str] = {}
    acts = next((i for i in clause if s.relation(i) in SUBJECTS), -1)
    for i in clause:
        piece = s.span(i, i).of(text)
        gap = " " if out and not _touches(s, before, i) else ""
        starts[i] = start = len(out) + len(gap)
        if s.tag(i) in ("PRON", "DET") and PRONOUN.fullmatch(s.word(i)):
            named = cast.names.find(out)
            other = last
            if acts in starts and acts < i and s.tag(acts) in ("NOUN", "PROPN"):
                other = _acting(s, acts, i, _named_at(named, starts[acts]))
            one = _meant(s.word(i), about, cast.by_id.get(other or ""), stranger=other == _STRANGER)
            if one is not None:
                new = one.id not in meant.values() and all(n.character != one.id for n in named)
                piece = _in_place(one.name, opening=not out) if new else piece
                put.append(NamedSpan(Span(start, start + len(piece)), one.id))
                piece = possessive(piece) if new and s.relation(i) == "nmod:poss" else piece
                meant[i] = one.id
        out += gap + piece
        before = i
    said = out[:1].upper() + out[1:]
    free = (n for n in cast.names.find(said) if not any(n.span.overlaps(p.span) for p in put))
    return Wording(said, tuple(sorted((*put, *free), key=lambda n: n.span)), starts, meant)


def _named_at(named: Sequence[NamedSpan], at: int) -> str | None:
    return next((n.character for n in named if n.span.start <= at < n.span.end), None)


def _acting(s: ParsedSentence, acts: int, pronoun: int, who: str | None) -> str | None:
    """Return who acts and may be meant by a pronoun behind them. Nobody is the object of what they do."""
    if s.relation(pronoun) in ("obj", "iobj"):
        return None
    return _STRANGER if who is None and s.tag(acts) == "PROPN" else who


def _meant(
    pronoun: str, about: Sequence[Character], other: Character | None, *, stranger: bool
) -> Character | None:
    """Return the only one whom a pronoun can mean. Nobody knows which of them may mean a stranger."""
    plural = pronoun.startswith("the")
    may = [one for one in about if agrees(pronoun, one) and not (plural and one.pronouns is None)]
    rivals = stranger or (other is not None and other not in may and agrees(pronoun, other))
    return may[0] if len(may) == 1 and not rivals else None


def _touches(s: ParsedSentence, before: int, i: int) -> bool:
    """Whether no space separates a word from the one before it."""
    return s.word(i) in (",", ";") or (before == i - 1 and s.span(before, before).end == s.start(i))


def _in_place(name: str, *, opening: bool) -> str:
    """Return a name as it is inside a sentence: "the lamplighter" for "The lamplighter"."""
    return name if opening or not name.startswith("The ") else f"the {name[4:]}"
