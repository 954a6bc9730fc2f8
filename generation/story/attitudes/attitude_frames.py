"""Find by the grammar of a sentence who loves, marries or is jealous of whom, whether or not it is
asserted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import SUBJECTS, PredicateFrame, Subjects
from generation.lexicon import words
from generation.story.attitudes.attitude_words import MUTUAL, AttitudeFrame, AttitudePattern
from generation.story.indexed_book import IndexedBook

_TO = ("obl", "nmod", "obl:agent", "obl:arg")
_ASKING = frozenset(("ask", "beg"))
_OFFERING, _GETTING = frozenset(("make", "offer")), frozenset(("receive", "have", "get"))
_Found = Iterator[AttitudeFrame]


class AttitudeFrameFinder:
    """Match attitude patterns against one sentence."""

    def __init__(self, reading: IndexedBook, sentence: ParsedSentence) -> None:
        self._r = reading
        self._s = sentence
        self._subjects = Subjects(sentence, {i: str(i) for i in sentence if reading.who(i) is not None})
        self._built: Mapping[str, Callable[[int, AttitudePattern], _Found]] = {
            "act": self._act,
            "with": self._with,
            "state": self._state,
            "in": self._in,
            "noun": self._noun,
            "owned": self._owned,
            "ask": self._asked,
            "offer": self._offered,
        }

    def of(self, n: int, pattern: AttitudePattern) -> _Found:
        built = self._built.get(pattern.how)
        if built is not None:
            yield from (frame for frame in built(n, pattern) if frame.holders and frame.others)

    def _act(self, n: int, pattern: AttitudePattern) -> _Found:
        deed = self._deed(n) if self._s.tag(n) == "VERB" else None
        if deed is None:
            return
        things = [k for k in self._s.kids(n, "obj") if self._s.tag(k) == "NOUN"]
        more = self._s.kids(n, "xcomp", "ccomp", "iobj") or (things and len(self._s.kids(n, "obj")) > 1)
        if more or any(self._acts(int(o)) for o in deed.objects):
            return  # not "loves to", "trusts that she will", "saves them the trouble"
        doers = deed.agents if deed.passive else deed.subjects
        done_to = deed.subjects if deed.passive else deed.objects
        yield AttitudeFrame(pattern, n, n, _numbers(doers), _numbers(done_to))
        if pattern.bearing in MUTUAL and not deed.objects:
            yield from self._together(n, pattern)

    def _acts(self, person: int) -> bool:
        """Whether an apparent object is followed by an auxiliary, so that it is the subject of
        another verb.
        """
        end = self._r.word_at(self._r.meant[person].span.end - 1) + 1
        return self._s.holds(end) and self._s.tag(end) == "AUX"

    def _with(self, n: int, pattern: AttitudePattern) -> _Found:
        if self._s.tag(n) == "VERB":
            yield AttitudeFrame(pattern, n, n, self._doers(n), self._linked(n, pattern))

    def _state(self, n: int, pattern: AttitudePattern) -> _Found:
        if self._s.tag(n) not in ("VERB", "ADJ") or (self._s.tag(n) == "VERB" and not self._participle(n)):
            return
        linked = self._linked(n, pattern)
        yield AttitudeFrame(pattern, n, n, self._doers(n), linked)
        if pattern.bearing in MUTUAL and self._s.kids(n, "aux:pass", "cop") and not self._s.kids(n, "obl"):
            yield from self._together(n, pattern)

    def _participle(self, n: int) -> bool:
        """Match "attached to her". The lemma alone no longer shows whether the word is a verb."""
        s = self._s
        attached = s.word(n) != s.lemma(n) and not s.word(n).endswith(("ing", "s"))
        return (attached or s.word(n).endswith("ed")) and not s.kids(n, "obj")

    def _together(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "Jane and Bingley were married". Two sisters who "were married" are married to others."""
        two = self._doers(n)
        people = [self._r.people[str(self._r.who(word))] for word in two]
        if len(two) == 2 and people[0].pronouns != people[1].pronouns:
            yield AttitudeFrame(pattern, n, n, two[:1], two[1:])

    def _in(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "in love with her", "fell in love with her"."""
        s = self._s
        if s.case(n) != "in":
            return
        above = s.head(n)
        verb = n if s.kids(n, "cop", *SUBJECTS) or above is None else above
        linked = self._linked(n, pattern) or self._linked(verb, pattern)
        yield AttitudeFrame(pattern, n, verb, self._doers(verb), linked)

    def _noun(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "her dislike of him", "she felt a dislike for him"."""
        s = self._s
        if s.tag(n) != "NOUN":
            return
        owner, above, linked = s.kid(n, "nmod:poss"), s.head(n), self._linked(n, pattern)
        if owner is not None:
            yield AttitudeFrame(pattern, n, n, self._people(owner), linked)
        elif pattern.bearing in MUTUAL and len(linked) == 2:
            yield AttitudeFrame(pattern, n, n, linked[:1], linked[1:])
        elif above is not None and s.relation(n) == "obj" and self._has(above, n):
            yield AttitudeFrame(pattern, n, above, self._doers(above), linked or self._linked(above, pattern))

    def _has(self, verb: int, noun: int) -> bool:
        """Match "had a dislike", but not "had the admiration of all"."""
        defined = any(self._s.word(k) == "the" for k in self._s.kids(noun, "det"))
        return self._s.lemma(verb) in words("bearing_verbs") and not defined

    def _owned(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "refused his hand"."""
        s = self._s
        for thing in s.kids(n, "obj", "nsubj:pass") if s.tag(n) == "VERB" else ():
            owner = s.kid(thing, "nmod:poss")
            if owner is not None and s.lemma(thing) in pattern.between:
                yield AttitudeFrame(pattern, n, n, self._doers(n), self._people(owner))

    def _asked(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "asked her to marry him"."""
        asks = self._s.head(n)
        asking = asks is not None and self._s.lemma(asks) in _ASKING
        if asks is None or not asking or self._s.relation(n) not in ("xcomp", "ccomp"):
            return
        asked, deed = self._deed(asks), self._deed(n)
        if asked is not None and deed is not None:
            doers = {self._r.who(int(i)) for i in asked.subjects}
            if doers & {self._r.who(int(i)) for i in deed.objects}:
                yield AttitudeFrame(pattern, n, asks, _numbers(asked.subjects), _numbers(asked.objects))

    def _offered(self, n: int, pattern: AttitudePattern) -> _Found:
        """Match "made her an offer of marriage", "offered her marriage", "an offer of marriage from him"."""
        s = self._s
        of = s.relation(n) == "nmod" and s.case(n) == "of"
        offer = s.head(n) if of else n
        verb = s.head(offer) if offer is not None else None
        if offer is None or verb is None or s.relation(offer) != "obj":
            return
        if (s.lemma(offer) if of else s.lemma(verb)) != "offer":
            return
        if s.lemma(verb) in _GETTING:
            givers = self._after(("from",), offer, verb, n)
            yield AttitudeFrame(pattern, n, verb, givers, self._doers(verb))
        elif s.lemma(verb) in _OFFERING:
            given = [k for k in s.kids(verb, "iobj", "obj") if k != offer]
            given += s.kids(n, "nmod:poss") if offer == n else []  # offered her marriage
            others = tuple(who for k in given for who in self._people(k))
            yield AttitudeFrame(
                pattern, n, verb, self._doers(verb), others or self._after(("to",), verb, offer)
            )

    # People

    @cached_property
    def _deeds(self) -> dict[int, PredicateFrame]:
        return {deed.word: deed for deed in self._subjects.deeds()}

    def _deed(self, n: int) -> PredicateFrame | None:
        return self._deeds.get(n)

    def _doers(self, n: int) -> tuple[int, ...]:
        deed = self._deed(n)
        return _numbers(deed.subjects) if deed is not None else ()

    def _people(self, n: int) -> tuple[int, ...]:
        return _numbers(self._subjects.people(n))

    def _linked(self, n: int, pattern: AttitudePattern) -> tuple[int, ...]:
        return self._after(pattern.between, n)

    def _after(self, links: Collection[str], *heads: int) -> tuple[int, ...]:
        """Return the people in the first phrase that depends on one of `heads` and has one of the
        prepositions `links`.
        """
        every = (k for head in heads for k in self._s.kids(head, *_TO))
        found = next((k for k in every if (self._s.case(k) or "") in links and not self._owns(k)), None)
        return () if found is None else self._people(found)

    def _owns(self, k: int) -> bool:
        """Whether a phrase has a possessive ending, as in "her fears of Anna's being late"."""
        return any(self._s.word(case) in ("'s", "'") for case in self._s.kids(k, "case"))


def _numbers(found: Iterable[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in found)
