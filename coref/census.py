"""Counts a character's names, mentions and first appearance, always from the mentions.

Whatever changes mentions (a resolver, a reader's decision, the spoiler gate) calls `recount` and never edits
counts by hand.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeVar

from coref.language.letters import plain_letters
from coref.language.word_lists import plain, same, words
from coref.names.name_uses import AGES
from coref.types import Alias, Character, Mention, MentionKind

_NOT_LETTER = re.compile(r"[^\x00-\x7f\w]")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys(("she", "her", "hers", "herself"), "she/her"),
    **dict.fromkeys(("he", "him", "his", "himself"), "he/him"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they/them"),
    **dict.fromkeys(("it", "its", "itself"), "it/its"),
}
NARRATOR = "the narrator"
"""The name of somebody who has said "I" but has not been named yet."""


@dataclass(slots=True)
class MentionTally:
    """Counts for one character while iterating over the mentions."""

    mentions: int = 0
    first: int = -1
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    firsts: dict[str, int] = field(default_factory=dict)

    def see(self, mention: Mention) -> None:
        self.mentions += 1
        if self.first < 0:
            self.first = mention.span.start

    def name(self, label: str, start: int) -> None:
        key = same(label)
        self.forms.setdefault(key, Counter())[plain(label)] += 1
        self.firsts.setdefault(key, start)

    def aliases(self) -> tuple[Alias, ...]:
        bare = grouped(self.forms, self._bare)
        found = [
            Alias(
                text=_best(self.forms[name]),
                count=sum(self.forms[key].total() for key in keys),
                first=min(self.firsts[key] for key in keys),
            )
            for name, keys in bare.items()
        ]
        return tuple(sorted(found, key=lambda a: (-a.count, a.first, a.text)))

    def _bare(self, key: str) -> str:
        """Return the key of a name without what only stands before it: `poor Tom`, `asked Tom`, `no Tom`.

        `old Tom` may be another.
        """
        before, name = small_words_first(_best(self.forms[key]))
        plain_name = same(name) in self.forms and before not in ("", "the", *AGES)
        return same(name) if plain_name else key


def _best(forms: Counter[str]) -> str:
    """Return the most used spelling, or if equal that with fewest capitals, so that headings do not win."""
    return min(forms, key=lambda f: (-forms[f], sum(map(str.isupper, f)), f))


def small_words_first(label: str) -> tuple[str, str]:
    """Split a label where its first word with a capital, or a particle such as `von`, begins."""
    parts = label.split()
    small = takewhile(lambda word: word[0].islower() and word not in words("particles"), parts)
    at = sum(1 for _ in small)
    return " ".join(parts[:at]), " ".join(parts[at:])


def recount(characters: Iterable[Character], mentions: Sequence[Mention]) -> tuple[Character, ...]:
    """Return the characters that have mentions, counted and named from these, most mentioned first.

    A name is counted if a proper mention has it as its text, or if any mention's text already was an alias (a
    person known by role has only nominal mentions). A display name that no mention has stays among the
    aliases with count 0. A character whose name is empty is about to be named by the caller.
    """
    characters = tuple(characters)
    known = {c.id: {same(a.text): a for a in c.aliases} for c in characters}
    tallies = {c.id: MentionTally() for c in characters}
    for mention in mentions:
        tally = tallies.get(mention.character or "")
        if tally is None or mention.character is None:
            continue
        tally.see(mention)
        label = mention.surface or _by_length(mention, known[mention.character].values())
        if label and (mention.kind is MentionKind.PROPER or same(label) in known[mention.character]):
            tally.name(label, mention.span.start)
    kept = [_counted(c, tallies[c.id]) for c in characters if tallies[c.id].mentions]
    return ranked(kept)


def ranked(characters: Iterable[Character]) -> tuple[Character, ...]:
    """Return the most mentioned characters first."""
    return tuple(sorted(characters, key=lambda c: (-c.mention_count, c.first, c.id)))


def grouped(items: Iterable[T], whose: Callable[[T], K | None]) -> dict[K, list[T]]:
    """Group items by owner, in order, without items that have none."""
    found: dict[K, list[T]] = {}
    for item in items:
        owner = whose(item)
        if owner is not None:
            found.setdefault(owner, []).append(item)
    return found


def _by_length(mention: Mention, aliases: Iterable[Alias]) -> str:
    """Guess a mention's text that was not kept: the alias that has the same length."""
    if mention.kind is MentionKind.PRONOUN:
        return ""
    fits = (a.text for a in aliases if len(a.text) == len(mention.span) and a.first <= mention.span.start)
    return next(fits, "")


def _counted(character: Character, tally: MentionTally) -> Character:
    aliases = tuple(_spelt(alias, character.name) for alias in tally.aliases())
    if character.name and same(character.name) not in {same(a.text) for a in aliases}:
        aliases = (*aliases, Alias(text=character.name, count=0, first=tally.first))
    return replace(character, aliases=aliases, mention_count=tally.mentions, first=tally.first)


def _spelt(alias: Alias, name: str) -> Alias:
    """Spell a label of a play, which is in capitals, like the name that it stands for."""
    shouted = any(len(word) > 1 and word.isupper() for word in alias.text.split())
    for spelling in (name, name.removeprefix("the ")):
        if shouted and same(alias.text) == same(spelling):
            return replace(alias, text=spelling)
    return alias


def pronouns_of(mentions: Iterable[Mention]) -> str | None:
    """Return the pronouns of these mentions, if one set clearly prevails."""
    seen = Counter(
        PRONOUNS[word]
        for m in mentions
        if m.kind is MentionKind.PRONOUN and (word := m.surface.casefold()) in PRONOUNS
    )
    if not seen:
        return None
    (best, count), *rest = seen.most_common(2)
    return best if not rest or count > rest[0][1] else None


def make_id(name: str, seed: str) -> str:
    """Return a readable, stable id: the name as a slug and four hex digits of `seed`."""
    digest = hashlib.sha256(f"{name}\n{seed}".encode()).hexdigest()[:4]
    return f"{slug(name)[:40].strip('-') or 'character'}-{digest}"


def slug(name: str) -> str:
    """Return the words of a name without case, accents and punctuation, with hyphens between them."""
    letters = _NOT_LETTER.sub("", plain_letters(unicodedata.normalize("NFKD", name).casefold()))
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", letters)).strip("-")
