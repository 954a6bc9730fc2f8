"""Speech tags, the words beside a quotation that name its speaker: `said Tom`, `he at once replied`.

A tag may also lead in: `Anne looked up: “…”`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from coref.language.tokens import Tokens
from coref.language.word_lists import words
from coref.names.person_candidates import MentionCandidate
from coref.speech.attributed_speech import AttributedSpeech
from coref.types import MentionKind

_TAG_REACH = 14
_AT_ONCE = 7
_LEAD_REACH = 40
_NOUN_REACH = 5
_SKIPPED = frozenset((",", "—", "--", "-", "and", "then", "so", "_"))
_STOPS = frozenset((".", "!", "?", ";", "…"))
_LEADS = frozenset((",", ":", "—", "--", ";"))
_TO = frozenset(("to", "at", "with", "in", "by", "from", "that", "it", "as", "for", "on"))


class TagStrength(StrEnum):
    SURE = "sure"
    """A verb of speech and its subject."""
    LIKELY = "likely"
    """The position of a tag with another verb: `“…,” Tom nodded`, `hooted Tom`, `Tom looked up: “…”`."""
    LED = "led"
    """The paragraph before ends in a colon or comma."""


@dataclass(frozen=True, slots=True)
class SpeechTag:
    spot: MentionCandidate
    strength: TagStrength
    verb: str = ""

    @property
    def named(self) -> bool:
        return self.spot.kind is MentionKind.PROPER


class SpeechTags:
    """Mentions of the narration indexed by their first and last tokens, to find tags beside quotations."""

    def __init__(self, tokens: Tokens, spots: Sequence[MentionCandidate]) -> None:
        self.tokens = tokens
        self.starting: dict[int, MentionCandidate] = {}
        self.ending: dict[int, MentionCandidate] = {}
        for spot in spots:
            if spot.quote >= 0:
                continue
            widest = self.starting.get(spot.first)
            if widest is None or spot.end > widest.end:
                self.starting[spot.first] = spot
            self.ending[spot.end - 1] = spot

    def of(self, said: AttributedSpeech) -> SpeechTag | None:
        first, end = self.tokens.ranges[said.speech.paragraph]
        after, before = self._after(said, end), self._before(said, first)
        if after is not None and (after.strength is TagStrength.SURE or before is None):
            return after
        return before or self._led(said, first)

    def _after(self, said: AttributedSpeech, end: int) -> SpeechTag | None:
        lower, at = self.tokens.lower, said.end
        while at < end and lower[at] in _SKIPPED:
            at += 1
        if at >= end or self.tokens.quote[at] >= 0 or not lower[at][0].isalnum():
            return None
        if lower[at] in words("speech_verbs") and not self.tokens.words[at][0].isupper():
            noun = self._noun_after(at + 1, end)
            if noun is not None:
                return SpeechTag(noun, TagStrength.SURE, lower[at])
        goes_on = self._goes_on(said, at)
        if goes_on and (lower[at].endswith("ed") or lower[at] in words("subject_verbs")):
            noun = self.starting.get(at + 1)
            if noun is not None and noun.kind is not MentionKind.PRONOUN:
                return SpeechTag(noun, TagStrength.LIKELY, lower[at])
        subject = self.starting.get(at) or self.starting.get(at + 1)
        return None if subject is None else self._subject(subject, end, goes_on=goes_on)

    def _goes_on(self, said: AttributedSpeech, at: int) -> bool:
        """Return whether the sentence continues after the quotation, so that a tag follows."""
        last = self.tokens.words[max(said.first, said.end - 2)]
        return last in (",", "—", "--", "-") or self.tokens.words[at][0].islower()

    def _subject(self, subject: MentionCandidate, end: int, *, goes_on: bool) -> SpeechTag | None:
        lower = self.tokens.lower
        for i in range(subject.end, min(subject.end + _TAG_REACH, end)):
            if lower[i] in _STOPS or self.tokens.quote[i] >= 0:
                break
            near = i < subject.end + _AT_ONCE or goes_on
            if lower[i] in words("speech_verbs") and near:
                sure = goes_on or self._is_whole_tag(i, end)
                return SpeechTag(subject, TagStrength.SURE if sure else TagStrength.LIKELY, lower[i])
        return SpeechTag(subject, TagStrength.LIKELY) if goes_on else None

    def _is_whole_tag(self, verb: int, end: int) -> bool:
        """Accept `“Yes!” Tom said.` as a tag, but not `“Yes!” Tom said nothing.`"""
        after = self.tokens.lower[verb + 1] if verb + 1 < end else "."
        return not after[0].isalnum() or after.endswith("ly") or after in _TO

    def _noun_after(self, at: int, end: int) -> MentionCandidate | None:
        """Find `said poor Tom`, `said the old Tom` and `said the voice of Tom`, but not `said to Tom`."""
        for i in range(at, min(at + _NOUN_REACH, end)):
            if self.tokens.quote[i] >= 0:
                return None
            if i in self.starting:
                return self.starting[i]
            if self.tokens.lower[i] in words("somebodies"):
                return MentionCandidate(i, i + 1, MentionKind.NOMINAL, -1, self.tokens.lower[i])
            if not self.tokens.words[i][0].isalpha() or self.tokens.lower[i] in _TO:
                return None
        return None

    def _before(self, said: AttributedSpeech, first: int) -> SpeechTag | None:
        lower, at = self.tokens.lower, said.first - 1
        while at >= first and lower[at] in ("_", "“", "‘"):
            at -= 1
        if at < first or self.tokens.quote[at] >= 0:
            return None
        if lower[at] in ("with", "out") and lower[at - 1] in words("speech_verbs"):
            at -= 1
        if lower[at] in words("speech_verbs"):  # `and called “Tom!”`
            subject = self._subject_before(at, first)
            return None if subject is None else SpeechTag(subject, TagStrength.SURE, lower[at])
        if lower[at] not in _LEADS and lower[at] != "that":
            return None
        return self._lead_in(at, first)

    def _lead_in(self, at: int, first: int) -> SpeechTag | None:
        """Read what leads in to a quotation, up to token `at`: `Tom said, …`, `Then said Tom: …`."""
        tokens, lower = self.tokens, self.tokens.lower
        for i in range(at - 1, max(first, at - _LEAD_REACH) - 1, -1):
            if tokens.quote[i] >= 0 or tokens.sentence[i] != tokens.sentence[at]:
                break
            if lower[i] in words("speech_verbs"):
                subject = self._subject_before(i, first) or self._noun_after(i + 1, at)
                return None if subject is None else SpeechTag(subject, TagStrength.SURE, lower[i])
        if lower[at] in (":", "—", "--"):
            subject = self._subject_before(at, first)
            return None if subject is None else SpeechTag(subject, TagStrength.LIKELY)
        return None

    def _led(self, said: AttributedSpeech, first: int) -> SpeechTag | None:
        """Read the end of the paragraph before, if it leads in to this one: `Tom said:`."""
        if said.first != first or not first or not said.speech.paragraph:
            return None
        begin, end = self.tokens.ranges[said.speech.paragraph - 1]
        if begin == end or self.tokens.quote[end - 1] >= 0:
            return None
        if self.tokens.lower[end - 1] not in _LEADS:
            return None
        found = self._lead_in(end - 1, begin)
        return None if found is None else SpeechTag(found.spot, TagStrength.LED, found.verb)

    def _subject_before(self, at: int, first: int) -> MentionCandidate | None:
        """Return the nearest subject before a verb in its sentence, or else whoever is nearest."""
        best: MentionCandidate | None = None
        for i in range(at - 1, max(first, at - _LEAD_REACH) - 1, -1):
            if self.tokens.quote[i] >= 0 or self.tokens.sentence[i] != self.tokens.sentence[at]:
                break
            spot = self.ending.get(i)
            if spot is None:
                continue
            if spot.subject:
                return spot
            best = best or spot
        return best
