"""Lines that announce a narrator: `MINA HARKER'S JOURNAL`, `Narrative continued by the Doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.types import Book, ParagraphKind
from coref.census import grouped
from coref.language.tokens import POSSESSIVE, Tokens, paragraph_of
from coref.language.word_lists import words
from coref.names.casing import title_of
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse
from coref.types import CharacterKind

_LINE, _HEADING = 24, 40
"""Maximum number of words in such a line, and in such a heading."""
_AT_ONCE = 5
"""Number of tokens within which such a line must name the writer or the kind of document."""
_LINKS = frozenset(
    ("a", "and", "by", "from", "hand", "in", "of", "the", "to", "left", "etc", "continued", "care")
)
_ASIDE = 3
_SHORT = {"Doctor": "Dr", "Captain": "Capt", "Colonel": "Col", "Professor": "Prof", "Reverend": "Rev"}


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announced document. `writer` is a number in the cast, or None if a stranger wrote it."""

    writer: int | None
    reader: int | None = None
    letter: bool = False
    """A letter ends with its chapter; a journal or a narrative may go on."""


def find_announcements(
    book: Book, tokens: Tokens, cast: Cast, uses: Sequence[NameUse]
) -> dict[int, Announcement]:
    """Return announcements keyed by paragraph number."""
    paragraphs = paragraph_of(tokens)
    by_paragraph = grouped(uses, lambda use: paragraphs[use.first])
    found: dict[int, Announcement] = {}
    for number, (first, end) in enumerate(tokens.ranges):
        text = book.slice(book.paragraphs[number].span)
        if first < end and not text.startswith(("(", "[", '"', "“", "‘", "'")):
            line = _Line(book, tokens, cast, by_paragraph.get(number, []), number)
            if (announced := line.read()) is not None:
                found[number] = announced
    return found


@dataclass(slots=True)
class _Line:
    book: Book
    tokens: Tokens
    cast: Cast
    uses: list[NameUse]
    number: int

    @property
    def first(self) -> int:
        return self.tokens.ranges[self.number][0]

    @property
    def end(self) -> int:
        return self.tokens.ranges[self.number][1]

    def read(self) -> Announcement | None:
        if (address := self._address()) is not None:
            return address
        if not self._is_set_apart():
            return None
        for way in (self._by, self._owned, self._sent, self._of, self._strangers):
            if (announced := way()) is not None:
                return announced
        return None

    def _is_set_apart(self) -> bool:
        """Return whether the line is a heading, in capitals or italics, or only names with linking words."""
        heading = self.book.paragraphs[self.number].kind is ParagraphKind.HEADING
        if self.end - self.first > (_HEADING if heading else _LINE):
            return False
        text = self.book.slice(self.book.paragraphs[self.number].span).strip()
        if text.rstrip('"”’_ ').endswith(("?", "!")):
            return False
        italic = text.startswith("_") and text.rstrip(".").endswith("_") and text.count("_") == 2
        return heading or text.isupper() or italic or self._has_only_names()

    def _has_only_names(self) -> bool:
        known = _LINKS | words("telling_words") | words("told_in_first_person") | words("letter_words")
        low = (w for w in self.tokens.words[self.first : self.end] if w[0].islower())
        return (
            all(w in known or w in ("s", "d") for w in low)
            and self._kind_at(self.first, self.end) is not None
        )

    def _kind_at(self, first: int, end: int) -> str | None:
        kinds = words("told_in_first_person") | words("letter_words")
        return next((w for w in self.tokens.lower[first:end] if w in kinds), None)

    def _before(self, use: NameUse) -> str:
        """Return the word before a name, skipping an article."""
        at = use.first - 1
        while at >= self.first and self.tokens.lower[at] in ("the", "a", "_"):
            at -= 1
        return self.tokens.lower[at] if at >= self.first else ""

    def _after(self, at: int) -> str:
        return self.tokens.lower[at] if at < self.end else ""

    def _who(self, use: NameUse | None) -> int | None:
        """Return the person whom a name denotes here, in whatever form and however ambiguous elsewhere."""
        if use is None or "Messrs" in use.name.titles:
            return None
        options = self.cast.options.get(use.first) or self._bearers(use.name.core)
        person = options[0] if options else None
        return person.number if person is not None and person.kind is CharacterKind.PERSON else None

    def _bearers(self, core: tuple[str, ...]) -> list[CastMember]:
        """Return people with these names, or else with the surname alone, the most frequent first."""
        known = [p for p in self.cast.people if set(core) <= {*p.givens, *p.surnames}]
        known = known or [p for p in self.cast.people if core[-1] in p.surnames and not p.givens]
        return sorted(known, key=lambda p: -p.count)

    def _address(self) -> Announcement | None:
        """Read `EVELINA TO THE REV. MR. VILLARS` and `Walton, in continuation.`"""
        use = self.uses[0] if self.uses else None
        if use is None or use.first != self.first:
            return None
        tokens, at = self.tokens, use.end + (self._after(use.end) == ",")
        loud = tokens.surface(use.first, use.end).isupper()
        rest = tokens.lower[at : at + 2]
        alone = self.end - at <= _ASIDE
        if rest == ["in", "continuation"] and (loud or alone):
            who = self._who(use)
            return None if who is None else Announcement(who)
        if not loud or tokens.words[use.end : use.end + 1] != ["TO"]:
            return None
        named = use.end + 1 + (self._after(use.end + 1) == "the")
        reader = self._who(next((u for u in self.uses if u.first == named), None))
        who = self._who(use)
        if who is None or (reader is None and not self._is_numbered(named)):
            return None
        return Announcement(who, reader, letter=True)

    def _is_numbered(self, reader: int) -> bool:
        """Return whether the line before is `LETTER IV`, so that an unknown name is a reader's too."""
        before = self.tokens.lower[slice(*self.tokens.ranges[self.number - 1])] if self.number else []
        return before[:1] == ["letter"] and reader < self.end and self.tokens.words[reader].isupper()

    def _by(self) -> Announcement | None:
        """Read `Contributed by MISS CLACK`, `Memorandum by Van Helsing` and `continued by the Doctor`."""
        tokens = self.tokens
        for at in range(self.first + 1, self.end - 1):
            told = tokens.lower[at - 1] in words("telling_words") or self._kind_at(at - 1, at) is not None
            if tokens.lower[at] == "by" and told:
                kind = self._kind_at(self.first, at)
                return Announcement(self._named_at(at + 1), letter=kind in words("letter_words"))
        return None

    def _named_at(self, at: int) -> int | None:
        at += self._after(at) == "the"
        who = self._who(next((u for u in self.uses if at <= u.first <= at + 1), None))
        title = title_of(self.tokens.words[at].capitalize()) if who is None and at < self.end else None
        if title is None:
            return who
        if (role := self.cast.roles.get(self._after(at))) is not None:
            return role.number
        titled = [p for p in self.cast.people if {title, _SHORT.get(title)} & p.titles]
        return max(titled, key=lambda p: p.count).number if titled else None

    def _owned(self) -> Announcement | None:
        """Read `DR. SEWARD'S PHONOGRAPH DIARY`."""
        for use in self.uses:
            if use.first - self.first >= _AT_ONCE or self._after(use.end) not in POSSESSIVE:
                continue
            kind = self._kind_at(use.end + 1, min(self.end, use.end + _ASIDE + 1))
            who = self._who(use)
            if kind is not None and who is not None:
                return Announcement(who, letter=kind in words("letter_words"))
        return None

    def _sent(self) -> Announcement | None:
        """Read `Letter, Lucy Westenra to Mina Murray` and `Telegram from Arthur Holmwood to Quincey`."""
        start = self.tokens.lower[self.first : self.first + 1]
        to = next((i for i in range(self.first, self.end) if self.tokens.lower[i] == "to"), None)
        if to is None or not words("letter_words").issuperset(start):
            return None
        writer = next((u for u in self.uses if self.first < u.first < to), None)
        reader = next((u for u in self.uses if u.first > to), None)
        return Announcement(self._who(writer), self._who(reader), letter=True)

    def _of(self) -> Announcement | None:
        """Read `Extracted from the Journal of EZRA JENNINGS` and `The Statement of MR. MURTHWAITE`."""
        for use in self.uses:
            if self._before(use) not in ("of", "from", "by") or self._after(use.end) in POSSESSIVE:
                continue
            at = use.first - 1
            while at > self.first and self.tokens.lower[at] in ("the", "of", "from", "by"):
                at -= 1
            kind, who = self._kind_at(at, at + 1), self._who(use)
            if kind is not None and who is not None:
                return Announcement(who, letter=kind in words("letter_words"))
        return None

    def _strangers(self) -> Announcement | None:
        """Read `LOG OF THE DEMETER` and `Telegram, October 24th`, which nobody in the cast has written."""
        if self._is_newspaper():
            return Announcement(None, letter=True)
        after = self._after(self.first + 1)
        if self._kind_at(self.first, self.first + 1) is None or after not in ("of", "from", ",", "to"):
            return None
        return Announcement(None, letter=True)

    def _is_newspaper(self) -> bool:
        text = self.book.slice(self.book.paragraphs[self.number].span)
        quoted = text.lstrip("_").startswith(('"', "“"))
        return quoted and not words("newspapers").isdisjoint(self.tokens.lower[self.first : self.end])
