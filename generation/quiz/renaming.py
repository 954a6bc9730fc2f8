"""Other names for the people of a text: one person for another wherever they are named."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from books.types import Span
from coref.names.casing import title_of
from coref.names.given_cast import ARTICLES
from coref.names.person_candidates import POSSESSIVES
from coref.types import Character, CharacterKind
from generation.story.named_people import Names
from generation.types import NamedSpan

_SELDOM: Final = 0.1
"""Share of the mentions of the one mentioned most. A person of fewer may be a saint or a painter who is only
talked of, and takes no part in what happens."""

_USUAL: Final = 0.2
"""Share of the uses of somebody's commonest name from which another is usual: “Poor little Ann” is not."""

_DETERMINERS: Final = ARTICLES | POSSESSIVES
_BARE_MARK: Final = re.compile(r"['’](?!\w)")
_WORD_BEFORE: Final = re.compile(r"(\w+)\s+$")


class Renaming:
    """Calls some people by the names of others: full names by full names, "Mr. Dark" by "Mr. Lomax"."""

    def __init__(
        self, source: Names, target: Names, instead: Mapping[str, Character], *, kept: Collection[str] = ()
    ) -> None:
        """`instead`: who stands for each person of the source, by their ids. `kept` keep their names."""
        self._source = source
        self._target = target
        self._instead = instead
        self._kept = kept

    def of(self, text: str) -> str | None:
        """Return a text with the other names.

        None if it names somebody for whom nobody stands, or behind an article: “the Tom I knew”, or if a mark
        behind a name would be wrong behind the other: “Moss’ house”.
        """
        parts: list[str] = []
        at = 0
        for named in self._source.find(text):
            if named.character in self._kept:
                continue
            person, span = self._instead.get(named.character), self._whole(named, text)
            if person is None or _determined(text[: span.start]):
                return None
            was = span.of(text)
            now = self._name(person, like=was)
            if now[-1] != was[-1] and _possessive_mark(text, span.end):
                return None
            parts += [text[at : span.start], now]
            at = span.end
        return "".join((*parts, text[at:]))

    def _whole(self, named: NamedSpan, text: str) -> Span:
        """Return a name with the words before it that belong to it in the book: “the Board”, “old Josiah”."""
        owner = self._source.owners.get(named.span.of(text))
        forms = [alias.text for alias in owner.aliases] if owner else []
        for form in sorted(forms, key=len, reverse=True):
            whole = Span(max(0, named.span.end - len(form)), named.span.end)
            apart = not text[: whole.start][-1:].isalnum()
            if whole.covers(named.span) and apart and whole.of(text).casefold() == form.casefold():
                return whole
        return named.span

    def _name(self, person: Character, *, like: str) -> str:
        """Return a usual name of a person, of the same shape if there is one, which nobody else has."""
        most = max((a.count for a in person.aliases), default=0)
        usual = (a.text for a in person.aliases if a.count >= _USUAL * most and _stands_alone(a.text, person))
        own = [name for name in usual if self._target.owners.get(name) is person] or [person.name]
        return next((name for name in own if _shape(name) == _shape(like)), own[0])


def _possessive_mark(text: str, at: int) -> bool:
    """Whether a bare mark follows, as in “Moss’ house”, that does not end a speech: ‘Come, Moss’."""
    opened = text.rfind("‘", 0, at)
    ends_speech = opened >= 0 and not _BARE_MARK.search(text, opened, at)
    return not ends_speech and _BARE_MARK.match(text, at) is not None


def between(source: Sequence[Character], target: Sequence[Character], names: Names) -> Renaming:
    """Return the renaming of one book's people to those of another, of the same pronouns and weight.

    `target` are those who may stand for somebody; `names` also has the names of the others of their book.
    """
    theirs = _by_pronouns([person for person in target if has_name(person)])
    instead = {
        person.id: other
        for pronouns, people in _by_pronouns(source).items()
        for person, other in zip(people, theirs.get(pronouns, ()), strict=False)
    }
    return Renaming(Names(tuple(source)), names, instead)


def is_another(person: Character, than: Character) -> bool:
    """Whether a person surely is another one: they have a name of their own, and share no word of it."""
    return has_name(person) and not _words_of(person) & _words_of(than)


def has_name(person: Character) -> bool:
    """Whether a person goes by a name, and not by “the lamplighter”, “My father” or “the Board”."""
    return person.name[:1].isupper() and _stands_alone(person.name, person)


def _stands_alone(name: str, person: Character) -> bool:
    """Whether a name needs no article in the book."""
    forms = {alias.text.casefold() for alias in person.aliases}
    with_article = {f"{article} {name.casefold()}" for article in ARTICLES}
    return name.split()[0].casefold() not in _DETERMINERS and not forms & with_article


def _determined(before: str) -> bool:
    """Whether a text ends with an article or a possessive pronoun."""
    word = _WORD_BEFORE.search(before)
    return word is not None and word[1].casefold() in _DETERMINERS


def _words_of(person: Character) -> set[str]:
    words = (word for alias in person.aliases for word in alias.text.split() if not _is_title(word))
    return {word.strip(".,").casefold() for word in words if word[:1].isupper()}


def taking_part(people: Sequence[Character]) -> tuple[Character, ...]:
    """Return those of a book's people who are mentioned often enough to take part in it."""
    most = max((person.mention_count for person in people), default=0)
    return tuple(person for person in people if person.mention_count >= _SELDOM * most)


def _by_pronouns(people: Sequence[Character]) -> dict[str, list[Character]]:
    found: dict[str, list[Character]] = defaultdict(list)
    for person in people:
        if person.kind is CharacterKind.PERSON and person.pronouns and person.name[:1].isupper():
            found[person.pronouns].append(person)
    return found


def _shape(name: str) -> tuple[bool, bool]:
    """Return whether a name has a title, and more than one word besides."""
    first, *rest = name.split()
    titled = bool(rest) and _is_title(first)
    return titled, len(rest) - titled > 0


def _is_title(word: str) -> bool:
    bare = word.rstrip(".")
    return bool(bare) and title_of(bare) is not None
