"""Every place where the grammar of a book says how one stands to another: loves, marries, is jealous of.

A sighting weighs as much as it is plain: two names in the story's own words say it, and a pronoun whose name
is far off, a hope, or somebody's word for it say it less. What is denied counts against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from coref.traits.moods import ASKED, ORDERED, Mood, Moods
from coref.traits.sentences import Sentence
from coref.traits.subjects import SUBJECTS, Deed, Subjects
from coref.types import CharacterKind, MentionKind, Tense
from generation.dossier.reading import Reading
from generation.dossier.types import Bearing
from generation.lexicon import rows, words

_NONE = "-"
_FIRST = frozenset(("i", "me", "my", "mine", "myself"))
_SECOND = frozenset(("you", "your", "yours", "thee", "thou", "thy"))
_SURE_MODALS = frozenset(("know", "see", "find", "perceive", "own", "confess", "feel", "declare", "tell"))
_REPORTED, _POSSIBLE, _COMING = 0.6, 0.2, 0.4
"""What is left of a vote for what is told of, for what only may be, and for what is to come."""
_DOUBTED, _GERUND = 0.2, 0.4
"""What is left of what is only the matter of a doubt or an end, and of what nobody asserts: loving her."""
_SPOKEN, _OF_ONESELF = 0.5, 0.9
"""What is left of a vote that somebody gives, and of one who gives it of themselves."""
_VAGUE = 0.75
"""What is left where a pronoun says who."""
_ADDRESSED = 0.75
"""How sure it is who `you` are, if it is sure who speaks."""
_TO = ("obl", "nmod", "obl:agent", "obl:arg")
MUTUAL = frozenset((Bearing.MARRIAGE, Bearing.ENGAGEMENT, Bearing.ELOPEMENT))
"""What two do together."""


@dataclass(frozen=True, slots=True)
class Pattern:
    bearing: Bearing
    weight: float
    how: str
    between: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stance:
    """One place where a book says, or denies, that the holder stands so to the other."""

    bearing: Bearing
    holder: str
    other: str
    weight: float
    against: bool
    at: int
    """Offset of the word that says it."""
    plain: bool
    """In the story's own words, of both by name, as what is so."""
    speaker: str | None
    happened: bool
    """Told as past, and not as what may be or will."""


@cache
def patterns() -> dict[str, tuple[Pattern, ...]]:
    found: dict[str, list[Pattern]] = {}
    for bearing, weight, how, between, *lemmas in rows("attitudes"):
        links = frozenset(() if between == _NONE else between.split(","))
        for lemma in lemmas:
            found.setdefault(lemma, []).append(Pattern(Bearing(bearing), float(weight), how, links))
    return {lemma: tuple(some) for lemma, some in found.items()}


def stances(reading: Reading) -> Iterator[Stance]:
    """In story order."""
    for sentence, hits in reading.sentences_with(patterns().keys()):
        yield from _Reader(reading, sentence).told(hits)


class _Reader:
    """Of one sentence. People are told by the numbers of the words that mean them."""

    def __init__(self, reading: Reading, sentence: Sentence) -> None:
        self._r = reading
        self._s = sentence
        self._moods = Moods(sentence, lambda offset: reading.quote_at(offset) is not None)
        self._subjects = Subjects(sentence, {i: str(i) for i in sentence if reading.who(i) is not None})
        self._deeds: dict[int, Deed] | None = None

    def told(self, hits: list[int]) -> Iterator[Stance]:
        if self._anybody():
            for word in hits:
                for pattern in patterns()[self._s.lemma(word)]:
                    yield from self._found(word, pattern)

    def _anybody(self) -> bool:
        return sum(self._r.who(i) is not None for i in self._s) > 1

    def _found(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        s = self._s
        verb = s.tag(n) == "VERB"
        if pattern.how == "act" and verb:
            yield from self._act(n, pattern)
        elif pattern.how == "with" and verb:
            yield from self._stands(n, n, self._doers(n), self._linked(n, pattern), pattern)
        elif pattern.how == "state" and s.tag(n) in ("VERB", "ADJ"):
            yield from self._stands(n, n, self._doers(n), self._linked(n, pattern), pattern)
            if pattern.bearing in MUTUAL and not self._linked(n, pattern):
                yield from self._together(n, pattern)
        elif pattern.how == "in" and s.case(n) == "in":
            yield from self._in(n, pattern)
        elif pattern.how == "noun" and s.tag(n) == "NOUN":
            yield from self._noun(n, pattern)
        elif pattern.how == "owned" and verb:
            yield from self._owned(n, pattern)
        elif pattern.how == "ask" and verb:
            yield from self._asked(n, pattern)

    # How it is built

    def _act(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        deed = self._deed(n)
        if deed is None:
            return
        doers = deed.agents if deed.passive else deed.subjects
        done_to = deed.subjects if deed.passive else deed.objects
        if self._s.kids(n, "xcomp", "ccomp") and pattern.bearing not in (Bearing.MARRIAGE,):
            return  # loves to, feared that, saved from being
        yield from self._stands(n, n, _numbers(doers), _numbers(done_to), pattern)
        if pattern.bearing in MUTUAL and not deed.objects:
            yield from self._together(n, pattern)

    def _together(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        """ "Jane and Bingley were married"."""
        two = self._doers(n)
        if len(two) == 2:
            yield from self._stands(n, n, two[:1], two[1:], pattern)

    def _in(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        """ "in love with her", "fell in love with her"."""
        s = self._s
        above = s.head(n)
        verb = n if s.kids(n, "cop", *SUBJECTS) or above is None else above
        linked = self._linked(n, pattern) or (self._linked(verb, pattern) if verb != n else [])
        yield from self._stands(n, verb, self._doers(verb), linked, pattern)

    def _noun(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        """ "her dislike of him", "she felt a dislike for him"."""
        s = self._s
        owner = s.kid(n, "nmod:poss")
        linked = self._linked(n, pattern)
        above = s.head(n)
        if owner is not None:
            yield from self._stands(n, n, self._people(owner), linked, pattern)
        elif pattern.bearing in MUTUAL and len(linked) == 2:
            yield from self._stands(n, n, linked[:1], linked[1:], pattern)
        elif above is not None and s.relation(n) == "obj" and s.lemma(above) in words("bearing_verbs"):
            linked = linked or self._linked(above, pattern)
            yield from self._stands(n, above, self._doers(above), linked, pattern)

    def _owned(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        """ "refused his hand"."""
        s = self._s
        for thing in s.kids(n, "obj", "nsubj:pass"):
            owner = s.kid(thing, "nmod:poss")
            if owner is not None and s.lemma(thing) in pattern.between:
                yield from self._stands(n, n, self._doers(n), self._people(owner), pattern)

    def _asked(self, n: int, pattern: Pattern) -> Iterator[Stance]:
        """ "asked her to marry him"."""
        s = self._s
        asks = s.head(n)
        if asks is None or s.relation(n) not in ("xcomp", "ccomp") or s.lemma(asks) not in ("ask", "beg"):
            return
        asked, deed = self._deed(asks), self._deed(n)
        if asked is not None and deed is not None:
            doers = {self._r.who(int(i)) for i in asked.subjects}
            if doers & {self._r.who(int(i)) for i in deed.objects}:
                yield from self._stands(n, asks, _numbers(asked.subjects), _numbers(asked.objects), pattern)

    def _told_as_fact(self, n: int) -> float:
        """Little of it where something else is said of it: cured of her love, the idea of his marriage."""
        s = self._s
        above = s.head(n)
        doubted = above is not None and s.lemma(above) in words("doubted_bearings")
        gerund = s.tag(n) == "VERB" and s.word(n).endswith("ing") and not s.kids(n, "aux")
        return _DOUBTED if doubted else _GERUND if gerund else 1.0

    # Who

    def _deed(self, n: int) -> Deed | None:
        if self._deeds is None:
            self._deeds = {deed.word: deed for deed in self._subjects.deeds()}
        return self._deeds.get(n)

    def _doers(self, n: int) -> list[int]:
        deed = self._deed(n)
        return _numbers(deed.subjects) if deed is not None else []

    def _people(self, n: int) -> list[int]:
        return _numbers(self._subjects.people(n))

    def _linked(self, n: int, pattern: Pattern) -> list[int]:
        s = self._s
        found = (k for k in s.kids(n, *_TO) if s.case(k) in pattern.between)
        return [who for k in found for who in self._people(k)]

    # How plainly

    def _stands(
        self, n: int, predicate: int, holders: list[int], others: list[int], pattern: Pattern
    ) -> Iterator[Stance]:
        r, at = self._r, self._s.start(n)
        pairs = [(h, o) for h in holders for o in others if r.who(h) != r.who(o)]
        if not pairs:
            return
        mood = self._moods.of(predicate)
        for holder, other in pairs:
            one, two = str(r.who(holder)), str(r.who(other))
            if any(r.people[who].kind is CharacterKind.GROUP for who in (one, two)):
                continue
            sure = self._sure(holder) * self._sure(other)
            speaker = r.speaker_at(at)
            if speaker is not None:
                sure *= _OF_ONESELF if speaker == one else _SPOKEN
            named = r.named(holder) and r.named(other)
            held = _held(mood) * self._told_as_fact(n)
            yield Stance(
                bearing=pattern.bearing,
                holder=one,
                other=two,
                weight=pattern.weight * sure * held,
                against=mood.negated,
                at=at,
                plain=named and speaker is None and held == 1.0 and not mood.negated,
                speaker=speaker,
                happened=held == 1.0 and not mood.negated and self._s.tag(n) != "NOUN",
            )

    def _sure(self, word: int) -> float:
        mention = self._r.meant[word]
        if mention.kind is MentionKind.PROPER:
            return 1.0
        said = self._s.word(word)
        quote = self._r.quote_at(mention.span.start)
        if said in _FIRST:
            return quote.confidence if quote is not None else mention.confidence
        if said in _SECOND:
            return _ADDRESSED * (quote.confidence if quote is not None else mention.confidence)
        return _VAGUE * mention.confidence * (1 - self._r.doubts.of(mention))


def _held(mood: Mood) -> float:
    """How far what is said is so."""
    if mood.modal in _SURE_MODALS:
        return _REPORTED
    if mood.modal is not None or mood.modal in (ASKED, ORDERED):
        return _POSSIBLE
    return _COMING if mood.tense is Tense.FUTURE else 1.0


def _numbers(found: list[str]) -> list[int]:
    return [int(word) for word in found]
