"""Turns of speech with the names in and beside them: whose the tag is, who is called and who is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from coref.language.tokens import Tokens
from coref.names.answers import NamedTurn
from coref.names.person_candidates import MentionCandidate
from coref.names.person_cues import is_vocative
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import DirectSpeech
from coref.speech.speech_tags import SpeechTag, SpeechTags
from coref.speech.vocatives import introduces


@dataclass(slots=True)
class _Turn:
    paragraph: int
    last: int
    speaker: MentionCandidate | None = None
    tagged: bool = False
    names: list[MentionCandidate] = field(default_factory=list)

    def goes_on(self, speech: DirectSpeech, speaker: MentionCandidate | None) -> bool:
        """Return whether a quotation goes on with this turn: its tag, if any, has no other name."""
        if speech.continues:
            return True
        other = speaker is not None and self.speaker is not None and speaker.head != self.speaker.head
        return speech.paragraph == self.last and not other


def named_turns(
    tokens: Tokens,
    spots: Sequence[MentionCandidate],
    speeches: Sequence[DirectSpeech],
    chapters: Sequence[int],
) -> list[NamedTurn]:
    """Return them in order. `spots` are in reading order, and `chapters` are indexed by paragraph."""
    tags = SpeechTags(tokens, spots)
    names: dict[int, list[MentionCandidate]] = defaultdict(list)
    for spot in spots:
        if spot.options and spot.quote >= 0 and not tokens.inner[spot.first]:
            names[spot.quote].append(spot)
    turns: list[_Turn] = []
    for index, speech in enumerate(speeches):
        tag = tags.of(AttributedSpeech(speech, tokens.at(speech.start), tokens.at(speech.end)))
        speaker = _name_in(tag)
        if not turns or not turns[-1].goes_on(speech, speaker):
            turns.append(_Turn(speech.paragraph, speech.paragraph))
        turn = turns[-1]
        turn.last = speech.paragraph
        turn.speaker, turn.tagged = turn.speaker or speaker, turn.tagged or tag is not None
        turn.names += names[index]
    return [_read(tokens, turn, chapters[turn.paragraph]) for turn in turns]


def _name_in(tag: SpeechTag | None) -> MentionCandidate | None:
    return tag.spot if tag is not None and tag.named and tag.spot.options else None


def _read(tokens: Tokens, turn: _Turn, chapter: int) -> NamedTurn:
    return NamedTurn(
        turn.paragraph,
        turn.last,
        chapter,
        turn.speaker,
        turn.tagged,
        called=[spot for spot in turn.names if is_vocative(tokens, spot)],
        named=[spot for spot in turn.names if not introduces(tokens, spot)],
    )
