"""Counts: a character's names, mentions and first appearance always follow from the mentions.

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
from typing import TypeVar

from coref.language.word_lists import plain, same
from coref.types import Alias, Character, Mention, MentionKind

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys(("she", "her", "hers", "herself"), "she/her"),
    **dict.fromkeys(("he", "him", "his", "himself"), "he/him"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they/them"),
    **dict.fromkeys(("it", "its", "itself"), "it/its"),
}
NARRATOR = "the narrator"
"""What someone is called who has said "I" but has not been named yet."""


@dataclass(slots=True)
class MentionTally:
    """What is counted for one character while passing over the mentions."""

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
        found = [
            Alias(text=_best(forms), count=forms.total(), first=self.firsts[key])
            for key, forms in self.forms.items()
        ]
        return tuple(sorted(found, key=lambda a: (-a.count, a.first, a.text)))


def _best(forms: Counter[str]) -> str:
    """The most used spelling; the one with fewest capitals among equals, so that headings do not win."""
    return min(forms, key=lambda f: (-forms[f], sum(map(str.isupper, f)), f))


def recount(characters: Iterable[Character], mentions: Sequence[Mention]) -> tuple[Character, ...]:
    """The characters that still have mentions, counted and named from those mentions, most mentioned first.

    A name counts where a proper mention says it, or where any mention says something that was an alias
    already (a person known by role has only nominal mentions). A display name that no mention says stays
    among the aliases with count 0; a character whose name is empty is about to be named by the caller.
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
    """Most mentioned first."""
    return tuple(sorted(characters, key=lambda c: (-c.mention_count, c.first, c.id)))


def grouped(items: Iterable[T], whose: Callable[[T], K | None]) -> dict[K, list[T]]:
    """What belongs to each, in order; without what is nobody's."""
    found: dict[K, list[T]] = {}
    for item in items:
        owner = whose(item)
        if owner is not None:
            found.setdefault(owner, []).append(item)
    return found


def _by_length(mention: Mention, aliases: Iterable[Alias]) -> str:
    """A guess at what a mention says when its words were not kept: the alias that is as long as it is."""
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
    """Labels of plays are in capitals, and the name that they say is not."""
    shouted = any(len(word) > 1 and word.isupper() for word in alias.text.split())
    for spelling in (name, name.removeprefix("the ")):
        if shouted and same(alias.text) == same(spelling):
            return replace(alias, text=spelling)
    return alias


def pronouns_of(mentions: Iterable[Mention]) -> str | None:
    """What the pronouns among these mentions say, when they say it clearly."""
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
    """A readable, stable id: the name as a slug and four hex digits of `seed`."""
    plain_letters = "".join(filter(_stays, unicodedata.normalize("NFKD", name)))
    letters = unicodedata.normalize("NFC", plain_letters).casefold()
    slug = re.sub(r"[\W_]+", "-", letters).strip("-")[:40].strip("-")
    digest = hashlib.sha256(f"{name}\n{seed}".encode()).hexdigest()[:4]
    return f"{slug or 'character'}-{digest}"


def _stays(char: str) -> bool:
    """Of other scripts all letters; of Latin ones those that are plain once their accents are taken off."""
    return char.isascii() or (char.isalnum() and not unicodedata.name(char, "").startswith("LATIN"))
