"""Turns of speech with the names in and beside them: whose the tag is, who is called and who is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from coref.language.tokens import Tokens
from coref.names.answers import NamedTurn
from coref.names.person_candidates import MentionCandidate
from coref.names.person_cues import is_vocative
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import DirectSpeech
from coref.speech.speech_tags import SpeechTag, SpeechTags
from coref.speech.turn_division import turns_of
from coref.speech.turns import Turn
from coref.speech.vocatives import introduces


def named_turns(
    tokens: Tokens,
    spots: Sequence[MentionCandidate],
    speeches: Sequence[DirectSpeech],
    chapters: Sequence[int],
) -> list[NamedTurn]:
    """Return them in order. `spots` are in reading order, and `chapters` are indexed by paragraph.

    Two quotations of a paragraph are one turn unless their tags have different names.
    """
    beside = SpeechTags(tokens, spots)
    said = [AttributedSpeech(each, tokens.at(each.start), tokens.at(each.end)) for each in speeches]
    tags = [beside.of(each) for each in said]
    inside: dict[int, list[MentionCandidate]] = defaultdict(list)
    for spot in spots:
        if spot.options and spot.quote >= 0 and not tokens.inner[spot.first]:
            inside[spot.quote].append(spot)

    def speaker(turn: Turn) -> MentionCandidate | None:
        return next((name for quote in turn.quotes if (name := _name_in(tags[quote]))), None)

    def goes_on(turn: Turn, _: AttributedSpeech, tag: SpeechTag | None) -> bool:
        one, other = speaker(turn), _name_in(tag)
        return one is None or other is None or one.head == other.head

    def read(turn: Turn) -> NamedTurn:
        names = [spot for quote in turn.quotes for spot in inside[quote]]
        return NamedTurn(
            turn.paragraph,
            turn.last,
            turn.chapter,
            speaker(turn),
            turn.tag is not None,
            called=[spot for spot in names if is_vocative(tokens, spot)],
            named=[spot for spot in names if not introduces(tokens, spot)],
        )

    return [read(turn) for turn in turns_of(said, tags, chapters, goes_on)]


def _name_in(tag: SpeechTag | None) -> MentionCandidate | None:
    return tag.spot if tag is not None and tag.named and tag.spot.options else None
