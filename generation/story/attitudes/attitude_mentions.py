"""Every place where a book states an attitude of one character towards another: love, marriage, jealousy.

A mention weighs more the plainer it is. Two names in the narration weigh most. A pronoun whose name is far
away, a hope, or a character's report weighs less. A denial counts as a vote against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from coref.language.factuality import ASKED, Mood, Moods
from coref.language.parsed_sentence import ParsedSentence
from coref.types import CharacterKind, MentionKind, Tense
from generation.lexicon import words
from generation.story.attitudes.attitude_frames import AttitudeFrameFinder
from generation.story.attitudes.attitude_words import AttitudeFrame, AttitudePattern, patterns
from generation.story.indexed_book import IndexedBook
from generation.story.types import Bearing

_FIRST = frozenset(("i", "me", "my", "mine", "myself"))
_SECOND = frozenset(("you", "your", "yours", "thee", "thou", "thy"))
_SURE_MODALS = frozenset(("know", "see", "find", "perceive", "own", "confess", "feel", "declare", "tell"))
_REPORTED, _POSSIBLE, _COMING = 0.6, 0.2, 0.4
"""Factors of a vote for an attitude that is reported, only possible, or in the future."""
_DOUBTED, _ASIDE = 0.2, 0.4
"""Factors for an attitude that is only the object of a doubt or an end, and for one that nobody asserts
outright.
"""
_SPOKEN, _OF_ONESELF = 0.5, 0.9
"""Factors of a vote that a character gives about others, and of one about themselves."""
_VAGUE = 0.75
"""Factor where a pronoun says who is meant."""
_ADDRESSED = 0.75
"""Certainty of who `you` is when the speaker is certain."""
_NEAR, _SOON = 5, 6
"""Words searched around a denial for an adverb of degree, and words after a feeling for a sign that it
passes.
"""
_MOMENTS, _ALMOST = frozenset(("now", "then")), frozenset(("almost", "nearly"))
_DEGREES = frozenset(("always", "well", "better", "best", "half", "enough", "less", "more", "worst", "only"))
_LOOKING_BACK = frozenset(("since", "after", "upon"))


@dataclass(frozen=True, slots=True)
class AttitudeMention:
    """One place where a book states or denies that the holder has this attitude towards the other."""

    bearing: Bearing
    holder: str
    other: str
    weight: float
    against: bool
    at: int
    """Offset of the word that states it."""
    plain: bool
    """Whether the narration asserts it as a fact, with both people named or one of them the narrator."""
    speaker: str | None
    asserted: bool
    """Whether it is asserted as a fact, by the narration or by the holder."""
    happened: bool
    """Whether it is asserted to have happened, not as a possibility and not in the future."""


def stances(reading: IndexedBook) -> Iterator[AttitudeMention]:
    """Yield attitude mentions in story order."""
    for sentence, hits in reading.sentences_with(patterns().keys()):
        reader = _AttitudeReader(reading, sentence)
        for word in hits:
            yield from reader.told_by(word)


class _AttitudeReader:
    """Read the attitude mentions of one sentence."""

    def __init__(self, reading: IndexedBook, sentence: ParsedSentence) -> None:
        self._r = reading
        self._s = sentence
        self._moods = Moods(sentence, lambda offset: reading.quote_at(offset) is not None)
        self._frames: AttitudeFrameFinder | None = None
        self._peopled = sum(reading.who(i) is not None for i in sentence) > 1

    def told_by(self, n: int) -> Iterator[AttitudeMention]:
        for pattern in patterns()[self._s.lemma(n)]:
            if pattern.how == "call":
                yield from self._called(n, pattern)
            elif self._peopled:
                self._frames = self._frames or AttitudeFrameFinder(self._r, self._s)
                for frame in self._frames.of(n, pattern):
                    yield from self._mentions_of(frame)

    def _called(self, n: int, pattern: AttitudePattern) -> Iterator[AttitudeMention]:
        """Match "My darling," said to somebody in direct speech."""
        r, at = self._r, self._s.start(n)
        quote = r.quote_at(at)
        if quote is None or not self._addressed(n):
            return
        one, two = quote.speaker, quote.addressee
        if one is not None and two is not None and one != two and {one, two} <= r.people.keys():
            weight = pattern.weight * quote.confidence * _ADDRESSED
            yield AttitudeMention(pattern.bearing, one, two, weight, False, at, False, one, False, True)

    def _addressed(self, n: int) -> bool:
        """Whether the noun is set off by punctuation and has `my` or `dear`. Parsers take such an address for
        a subject.
        """
        s = self._s
        before = s.kids(n, "nmod:poss", "amod")
        first = min(before, default=n)
        marks = (first - 1, n + 1)
        apart = all(not s.holds(k) or s.tag(k) == "PUNCT" for k in marks)
        return bool(before) and apart and not s.kids(n, "case", "cop", "det")

    def _mentions_of(self, frame: AttitudeFrame) -> Iterator[AttitudeMention]:
        r, n = self._r, frame.word
        mood = self._moods.of(frame.predicate)
        negated = mood.negated or self._far_from(n)
        if negated and self._less(n):
            return
        held = _held(mood) * self._as_fact(n)
        for holder in frame.holders:
            for other in frame.others:
                one, two = str(r.who(holder)), str(r.who(other))
                if one == two or any(r.people[who].kind is CharacterKind.GROUP for who in (one, two)):
                    continue
                proposed = self._proposed(frame, mood, holder, other)
                yield proposed or self._stance(frame, holder, other, held, negated=negated)

    def _stance(
        self, frame: AttitudeFrame, holder: int, other: int, held: float, *, negated: bool
    ) -> AttitudeMention:
        r, at = self._r, self._s.start(frame.word)
        one, two, speaker = str(r.who(holder)), str(r.who(other)), r.speaker_at(at)
        sure = self._sure(holder) * self._sure(other)
        if speaker is not None:
            sure *= _OF_ONESELF if speaker == one else _SPOKEN
        so = held == 1.0 and not negated
        return AttitudeMention(
            bearing=frame.pattern.bearing,
            holder=one,
            other=two,
            weight=frame.pattern.weight * sure * held,
            against=negated,
            at=at,
            plain=so and speaker is None and self._known(holder) and self._known(other),
            speaker=speaker,
            asserted=so and speaker in (None, one),
            happened=so and self._done(frame),
        )

    def _known(self, word: int) -> bool:
        """Whether the word is a name or refers to the narrator."""
        return self._r.named(word) or self._s.word(word) in _FIRST

    def _proposed(self, frame: AttitudeFrame, mood: Mood, you: int, me: int) -> AttitudeMention | None:
        """Match "Will you marry me?": the speaker proposes."""
        r, s, at = self._r, self._s, self._s.start(frame.word)
        one, speaker = str(r.who(me)), r.speaker_at(at)
        wed = frame.pattern.bearing is Bearing.MARRIAGE and frame.pattern.how == "act"
        said = s.word(me) in _FIRST and s.word(you) in _SECOND and speaker == one
        if not wed or not said or mood.modal != ASKED or mood.negated:
            return None
        weight = self._sure(me) * self._sure(you)
        return AttitudeMention(
            Bearing.PROPOSAL, one, str(r.who(you)), weight, False, at, False, speaker, True, True
        )

    # Factuality

    def _far_from(self, n: int) -> bool:
        """Match "far from envying her", "nor admire him"."""
        s = self._s
        linked = {s.word(k) for k in s.kids(n, "mark", "case", "cc")}
        return "nor" in linked or ("from" in linked and any(s.word(k) == "far" for k in range(s.first, n)))

    def _less(self, n: int) -> bool:
        """Match "did not always love him so well", where only the degree is denied."""
        around = (self._s.word(k) for k in self._s if abs(k - n) <= _NEAR)
        return not _DEGREES.isdisjoint(around)

    def _as_fact(self, n: int) -> float:
        """Return a low factor where the context does not assert the attitude: cured of her love, the idea of
        his marriage.
        """
        s, above = self._s, self._s.head(n)
        if s.tag(n) == "NOUN" and any(s.lemma(k) in words("doubted_bearings") for k in s.kids(n, "amod")):
            return _DOUBTED
        if s.relation(n) == "acl:relcl" and above is not None and s.kids(above, "cop"):
            return _DOUBTED  # "it is not I who hate you"
        if self._passes(n):
            return _DOUBTED
        if above is not None and s.lemma(above) in words("doubted_bearings"):
            return _DOUBTED
        if any(s.case(k) == "as" and s.tag(k) == "NOUN" for k in s.kids(n, "obl")):
            return _ASIDE  # "loved her as a sister"
        auxiliaries = [s.word(k) for k in s.kids(n, "aux")]
        if "'d" in auxiliaries and len(auxiliaries) > 1:
            return _POSSIBLE  # "I'd have married you"
        gerund = s.tag(n) == "VERB" and s.word(n).endswith("ing")
        return _ASIDE if gerund and set(auxiliaries) <= {"'s"} else 1.0

    def _passes(self, n: int) -> bool:
        """Match "almost hate me", "hated him just then"."""
        s = self._s
        behind = [s.word(k) for k in range(n + 1, min(n + _SOON, s.end))]
        just = any(one == "just" and two in _MOMENTS for one, two in pairwise(behind))
        return just or any(s.word(k) in _ALMOST for k in s.kids(n, "advmod"))

    def _done(self, frame: AttitudeFrame) -> bool:
        """Whether a noun reports a completed event: an engagement, or one announced or looked back on (since
        her marriage).
        """
        s, n = self._s, frame.word
        above = s.head(n)
        if s.tag(n) != "NOUN" or frame.predicate != n or frame.pattern.bearing is Bearing.ENGAGEMENT:
            return True
        announced = above is not None and s.lemma(above) in words("announcing_verbs")
        return announced or s.case(n) in _LOOKING_BACK

    def _sure(self, word: int) -> float:
        """Return the certainty of who a word refers to."""
        mention = self._r.meant[word]
        if mention.kind is MentionKind.PROPER:
            return 1.0
        quote = self._r.quote_at(mention.span.start)
        said = self._s.word(word)
        if said in _FIRST | _SECOND:
            known = quote.confidence if quote is not None else mention.confidence
            return known if said in _FIRST else _ADDRESSED * known
        return _VAGUE * mention.confidence


def _held(mood: Mood) -> float:
    """Return the factor for the modality and tense of a statement."""
    if mood.modal is not None:
        return _REPORTED if mood.modal in _SURE_MODALS else _POSSIBLE
    return _COMING if mood.tense is Tense.FUTURE else 1.0
