"""Certainty that a word refers to a character. Half of what is said with a pronoun belongs to
somebody else.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from coref.language.word_lists import table
from coref.traits.word_owners import head_of
from coref.types import CharacterKind, EntityCategory, Mention, MentionKind
from generation.lexicon import words
from generation.story.attributes.attribute_mention import TrustedOwner
from generation.story.indexed_book import IndexedBook

_LOOK_BACK, _REACH, _NEAR_REACH = 60, 600, 300
"""Mentions, and characters of text, before a pronoun that are searched for its antecedent."""
_OFTEN = 0.12
"""Share of all mentions from which a character counts as present on every page."""
_NEW = 900
"""Characters of text after somebody's first mention by name in which a description is most likely
about them.
"""
_PRONOUN, _NOUN, _TOPIC = 0.85, 0.7, 0.65
_SURE = 0.95
"""Confidence of the resolver from which the antecedent need not be a subject."""
_LEAST = 0.6
"""Confidence of the resolver below which a word is taken to refer to nobody."""
_FIRST = frozenset(("i", "me", "my", "mine", "myself"))
_THIRD = frozenset(("he", "him", "his", "she", "her", "hers", "himself", "herself"))
_SHE = frozenset(("she", "her", "hers", "herself"))
_DASHES = frozenset(("-", "—", "–", "("))
_NOBODY = frozenset(("every", "any", "no", "each", "some", "such", "all", "many", "few", "people"))
_REACH_NEW = 900
_SUBJECTS = ("nsubj", "nsubj:pass")
_MAIN = ("root", "conj", "ccomp")
_SOMEBODY = ""
"""A topic that is not in the cast."""


class PronounTrust:
    """Decide who a word in one book refers to, and how certain that is."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._mentions = reading.annotations.mentions

    def of(self, word: int) -> TrustedOwner | None:
        """Return who a word refers to with the certainty, or None if it is nobody known or if someone else is
        as likely.
        """
        r = self._r
        mention, who = r.meant.get(word), r.who(word)
        if mention is None or who is None or r.people[who].kind is CharacterKind.GROUP:
            return None
        said = r.book.slice(mention.span).casefold()
        if mention.kind is MentionKind.PROPER:
            return TrustedOwner(who, 1.0)
        if said in _FIRST:
            told = r.speaker_at(mention.span.start) is None
            return TrustedOwner(who, 1.0) if told and who == r.annotations.narrator else None
        if said in _THIRD and r.quote_at(mention.span.start) is None:
            topic = self._topic(mention)
            if topic is not None and self.new(mention.span.start, topic):
                return TrustedOwner(topic, _PRONOUN if topic == who else _TOPIC)
            if topic is not None and topic != who and (self._often(who) or self._last_is(mention, topic)):
                return None
            if topic != who and self._newcomer(mention, who):
                return None
        if mention.confidence < _LEAST:
            return None
        if said not in _THIRD or r.quote_at(mention.span.start) is not None:
            return None
        trust = self._trust(mention, who)
        return TrustedOwner(who, trust * mention.confidence) if trust > 0 else None

    def new(self, offset: int, who: str) -> bool:
        """Whether a character has only just been named for the first time."""
        first = self._named_first.get(who)
        return first is not None and -_NEW < offset - first < 3 * _NEW

    def _trust(self, mention: Mention, who: str) -> float:
        """Search back to the name. Anybody else on the way who could be meant makes the certainty zero."""
        often = self._often(who)
        reach = _NEAR_REACH if often and not self.new(mention.span.start, who) else _REACH
        at = bisect_left(self._starts, mention.span.start)
        for before in reversed(self._mentions[max(0, at - _LOOK_BACK) : at]):
            if mention.span.start - before.span.end > reach:
                break
            if (
                self._r.quote_at(before.span.start) is not None
                or before.category is not EntityCategory.PERSON
            ):
                continue
            if before.kind is MentionKind.PRONOUN:
                if self._subject(before) and self._alike(before, who) and before.character != who:
                    return 0.0
                continue
            if before.character == who:
                noun = before.kind is MentionKind.NOMINAL
                if noun and self._vague(before):
                    return 0.0
                if often and self._aside(before) and (mention.confidence < _SURE or not noun):
                    return 0.0
                return _NOUN if noun else _PRONOUN
            if self._alike(before, who) and not self._only_said(before):
                return 0.0
        return 0.0

    def _often(self, who: str) -> bool:
        """Whether a character is on so many pages that any pronoun is easily taken for them."""
        return self._r.people[who].mention_count > _OFTEN * self._all

    @cached_property
    def _all(self) -> int:
        return sum(c.mention_count for c in self._r.people.values())

    def _last_is(self, mention: Mention, topic: str) -> bool:
        """Whether the character that the pronoun is resolved to is not mentioned by name or noun after the
        topic.
        """
        at = bisect_left(self._starts, mention.span.start)
        for before in reversed(self._mentions[max(0, at - _LOOK_BACK) : at]):
            if before.character == topic and before.kind is MentionKind.PROPER:
                return True
            if before.character == mention.character and before.kind is not MentionKind.PRONOUN:
                return False
        return True

    def _topic(self, mention: Mention) -> str | None:
        """Return who the last main clause with a matching named subject is about."""
        gender = self._gender_of_word(mention)
        at = bisect_left(self._starts, mention.span.start)
        for before in reversed(self._mentions[max(0, at - _LOOK_BACK) : at]):
            if mention.span.start - before.span.end > _REACH_NEW:
                break
            if before.kind is MentionKind.PRONOUN or before.category is not EntityCategory.PERSON:
                continue
            if not self._subject(before) or self._r.quote_at(before.span.start) is not None:
                continue
            if self._gender(before) not in (gender, None) or self._only_said(before):
                continue
            if before.character in self._r.people or before.kind is MentionKind.PROPER:
                return before.character or _SOMEBODY
        return None

    def _only_said(self, mention: Mention) -> bool:
        """Match "everybody", "no woman", or a predicate noun, which introduce no other person."""
        if mention.kind is not MentionKind.NOMINAL or mention.character is not None:
            return False
        first = self._r.book.slice(mention.span).split()[0].casefold()
        if first in _NOBODY or first.endswith(("body", "one")):
            return True
        head = head_of(self._r.parse, mention.span)
        if head is None:
            return True
        noun = self._r.parse.lemmas[head].casefold()
        known = noun in table("generic_people") or noun in table("kin") or noun in words("roles")
        return not known or bool(self._r.sentence_of(head).kids(head, "cop"))

    def _vague(self, mention: Mention) -> bool:
        """Match "the man", "the poor fellow", which could be anybody."""
        head = head_of(self._r.parse, mention.span)
        return head is None or self._r.parse.lemmas[head].casefold() in table("generic_people")

    def _aside(self, mention: Mention) -> bool:
        """Whether a mention is no subject, or only that of a subordinate clause or a parenthesis."""
        if self._r.book.text[mention.span.start - 1 : mention.span.start] in _DASHES:
            return True
        head = head_of(self._r.parse, mention.span)
        if head is None or self._r.parse.relations[head] not in _SUBJECTS:
            return True
        return self._r.parse.relations[self._r.parse.heads[head]] in ("acl:relcl", "acl", "parataxis")

    def _alike(self, other: Mention, who: str) -> bool:
        """Whether one pronoun fits both people."""
        mine = self._r.people[who].pronouns
        theirs = self._gender(other)
        return mine is None or theirs is None or mine == theirs

    def _gender(self, mention: Mention) -> str | None:
        if mention.character in self._r.people:
            character = self._r.people[str(mention.character)]
            return "they/them" if character.kind is CharacterKind.GROUP else character.pronouns
        said = self._r.book.slice(mention.span).casefold()
        if mention.kind is MentionKind.PRONOUN:
            return self._gender_of_word(mention)
        head = head_of(self._r.parse, mention.span)
        noun = self._r.parse.lemmas[head].casefold() if head is not None else said
        if head is not None and self._r.book.text[
            self._r.parse.starts[head] : self._r.parse.ends[head]
        ].casefold() not in (noun, said):
            return "they/them"
        told = (table("generic_people").get(noun) or table("kin").get(noun) or "").split()
        return {"she": "she/her", "he": "he/him"}.get(told[0]) if told else None

    def _gender_of_word(self, mention: Mention) -> str:
        said = self._r.book.slice(mention.span).casefold()
        if said not in _THIRD:
            return "it/its"
        return "she/her" if said in _SHE else "he/him"

    def _subject(self, mention: Mention) -> bool:
        """Whether a mention is the subject of a main clause. Some parsers attach a name before its verb
        differently.
        """
        parse, head = self._r.parse, head_of(self._r.parse, mention.span)
        if head is None:
            return False
        if parse.relations[head] not in _SUBJECTS:
            after = self._r.word_at(mention.span.end - 1) + 1
            led = parse.relations[head] in ("root", "nmod:poss") and mention.kind is MentionKind.PROPER
            return led and after < len(parse) and parse.tags[after] in ("AUX", "VERB")
        above = parse.heads[head]
        first = self._r.sentence_of(head).kid(above, *_SUBJECTS) == head
        return first and parse.relations[above] in _MAIN

    def _newcomer(self, mention: Mention, who: str) -> bool:
        """Whether somebody else who could be meant has just been named for the first time."""
        at = bisect_left(self._firsts, mention.span.start - _NEW, key=lambda f: f[0])
        while at < len(self._firsts) and self._firsts[at][0] < mention.span.start:
            other = self._firsts[at][1]
            theirs, mine = self._r.people[other].pronouns, self._r.people[who].pronouns
            if other != who and (theirs is None or mine is None or theirs == mine):
                return not self.new(mention.span.start, who)
            at += 1
        return False

    @cached_property
    def _named_first(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for mention in self._mentions:
            if mention.kind is MentionKind.PROPER and mention.character in self._r.people:
                found.setdefault(str(mention.character), mention.span.start)
        return found

    @cached_property
    def _firsts(self) -> list[tuple[int, str]]:
        return sorted((at, who) for who, at in self._named_first.items())

    @cached_property
    def _starts(self) -> list[int]:
        return [m.span.start for m in self._mentions]
