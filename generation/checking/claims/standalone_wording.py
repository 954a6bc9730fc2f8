"""Word a part of a sentence as a sentence of its own, in which it is said whom it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from books.types import Span
from coref.language.parsed_sentence import ParsedSentence
from coref.types import Character
from generation.checking.claims.clause_splitting import SUBJECTS
from generation.story.cast import CastIndex
from generation.story.named_people import PRONOUN, agrees, possessive
from generation.types import NamedSpan
from retrieval.tokenizer import is_chinese


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
    pieces = {i: s.span(i, i).of(text) for i in clause}
    plain, places = _joined(s, pieces)
    named = cast.names.find(plain)
    first = {n.character: n.span.start for n in reversed(named)}
    acts = next((i for i in clause if s.relation(i) in SUBJECTS), None)
    acting = None if acts is None else _named_at(named, places[acts])
    meant: dict[int, str] = {}
    lengths: dict[int, int] = {}
    for i in clause:
        if s.tag(i) not in ("PRON", "DET") or not PRONOUN.fullmatch(s.word(i)):
            continue
        other, unknown = last, False
        if acts is not None and s.tag(acts) in ("NOUN", "PROPN") and places[acts] < places[i]:
            done_to = s.relation(i) in ("obj", "iobj")  # nobody is the object of what they do
            other = None if done_to else acting
            unknown = not done_to and acting is None and s.tag(acts) == "PROPN"
        one = None if unknown else _meant(s.word(i), about, cast.by_id.get(other or ""))
        if one is None:
            continue
        if first.setdefault(one.id, places[i]) == places[i]:
            name = _in_place(one.name, opening=not places[i])
            pieces[i] = possessive(name) if s.relation(i) == "nmod:poss" else name
            lengths[i] = len(name)
        meant[i] = one.id
    said, starts = _joined(s, pieces)
    ends = {i: starts[i] + lengths.get(i, len(pieces[i])) for i in meant}
    put = [NamedSpan(Span(starts[i], ends[i]), who) for i, who in meant.items()]
    taken = {at for each in put for at in range(each.span.start, each.span.end)}
    free = (n for n in cast.names.find(said) if taken.isdisjoint(range(n.span.start, n.span.end)))
    return Wording(
        said[:1].upper() + said[1:], tuple(sorted((*put, *free), key=lambda n: n.span)), starts, meant
    )


def _joined(s: ParsedSentence, pieces: Mapping[int, str]) -> tuple[str, dict[int, int]]:
    """Return the words as text, and where each begins."""
    out: list[str] = []
    starts: dict[int, int] = {}
    length, before = 0, -1
    for i, piece in pieces.items():
        if out and not _touches(s, before, i):
            out.append(" ")
            length += 1
        starts[i] = length
        out.append(piece)
        length += len(piece)
        before = i
    return "".join(out), starts


def _named_at(named: Sequence[NamedSpan], at: int) -> str | None:
    return next((n.character for n in named if n.span.start <= at < n.span.end), None)


def _meant(pronoun: str, about: Sequence[Character], other: Character | None) -> Character | None:
    """Return the only one whom a pronoun can mean, unless it can mean another."""
    plural = pronoun.startswith("the")
    may = [one for one in about if agrees(pronoun, one) and not (plural and one.pronouns is None)]
    rivals = other is not None and other not in may and agrees(pronoun, other)
    return may[0] if len(may) == 1 and not rivals else None


def _touches(s: ParsedSentence, before: int, i: int) -> bool:
    """Whether no space separates a word from the one before it."""
    return s.word(i) in (",", ";") or (before == i - 1 and s.span(before, before).end == s.start(i))


def _in_place(name: str, *, opening: bool) -> str:
    """Return a name as it is inside a sentence: "the lamplighter" for "The lamplighter"."""
    return name if opening or not name.startswith("The ") else f"the {name[4:]}"
