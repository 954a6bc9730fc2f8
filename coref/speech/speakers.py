"""Attributes quotations to speakers and addressees, from tags and everything around them, weighed jointly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from coref.language.tokens import Tokens
from coref.names.person_candidates import MentionCandidate
from coref.speech.addressees import address
from coref.speech.attributed_speech import AttributedSpeech, Parties
from coref.speech.conversations import TurnCandidates, conversations
from coref.speech.direct_speech import DirectSpeech
from coref.speech.pronoun_candidates import Shares
from coref.speech.quote_surroundings import Surroundings
from coref.speech.speaker_sequence import NOBODY, TurnLink, TurnStep, weigh
from coref.speech.speaker_weights import AGAIN, ANSWER, BACK, SpeakerModel, shipped
from coref.speech.speech_tags import SpeechTag, SpeechTags
from coref.speech.turn_division import Divide, by_odds, turns_of
from coref.speech.turns import Turn
from coref.types import MentionKind, QuoteType

_UNKNOWN = 0.75
"""Probability of a speaker outside the cast from which on no speaker is named."""

Attribute = Callable[..., list[AttributedSpeech]]
"""The type of `attribute` below, and of replacements for it."""


def attribute(
    tokens: Tokens,
    spots: Sequence[MentionCandidate],
    speeches: Sequence[DirectSpeech],
    chapters: Sequence[int],
    *,
    parties: Parties,
    narrators: Sequence[int | None],
    meant: Mapping[int, Shares] | None = None,
) -> list[AttributedSpeech]:
    """Return every quotation with its speaker and addressee, each None if nobody known is likely.

    `spots` are in reading order, resolved as far as possible. `chapters` and `narrators` are indexed by
    paragraph. `parties` describes the people whose numbers the mentions have. `meant` has, by pronoun's
    token, the people it may refer to with their probabilities.
    """
    said, turns, around = prepared(
        tokens, spots, speeches, chapters, parties=parties, narrators=narrators, meant=meant
    )
    decide(turns, around)
    return said


def decide(turns: Sequence[Turn], around: Surroundings) -> None:
    """Set the speaker and addressee of every turn."""
    for conversation in conversations(turns, around):
        _settle(conversation, shipped())
    address(turns)


def prepared(
    tokens: Tokens,
    spots: Sequence[MentionCandidate],
    speeches: Sequence[DirectSpeech],
    chapters: Sequence[int],
    *,
    parties: Parties,
    narrators: Sequence[int | None],
    meant: Mapping[int, Shares] | None = None,
    divide: Divide = by_odds,
) -> tuple[list[AttributedSpeech], list[Turn], Surroundings]:
    """Return everything that is known before any evidence is weighed."""
    around = Surroundings.of(tokens, spots, parties, narrators, meant)
    tags = SpeechTags(tokens, spots)
    said, found = [], []
    for index, speech in enumerate(speeches):
        each = AttributedSpeech(speech, tokens.at(speech.start), tokens.at(speech.end))
        each.called = list(around.called.get(index, ()))
        said.append(each)
        found.append(tags.of(each))
    turns = turns_of(said, found, chapters, divide(around))
    for turn in turns:
        for each in turn.said:
            each.type = type_of(turn.tag)
            each.tagged = turn.tag is not None
    return said, turns, around


def type_of(tag: SpeechTag | None) -> QuoteType:
    if tag is None:
        return QuoteType.IMPLICIT
    return QuoteType.EXPLICIT if tag.spot.kind is MentionKind.PROPER else QuoteType.ANAPHORIC


def steps_of(conversation: Sequence[TurnCandidates], model: SpeakerModel) -> list[TurnStep]:
    steps = []
    for asked in conversation:
        scores = np.array([model.score(evidence) for evidence in asked.evidence])
        steps.append(TurnStep(asked.candidates, scores, _link(asked, model)))
    return steps


def _link(asked: TurnCandidates, model: SpeakerModel) -> TurnLink | None:
    if asked.follows is None:
        return None
    again, back, answer = (model.respects(name, asked.follows) for name in (AGAIN, BACK, ANSWER))
    return TurnLink(again, back, answer, frozenset(asked.turn.called))


def _settle(conversation: Sequence[TurnCandidates], model: SpeakerModel) -> None:
    outcome = weigh(steps_of(conversation, model))
    for asked, likely in zip(conversation, outcome.speakers, strict=True):
        best = int(np.argmax(likely[:-1])) if len(likely) > 1 else 0
        if asked.candidates[best] == NOBODY or likely[-1] > _UNKNOWN:
            continue
        for each in asked.turn.said:
            each.speaker, each.confidence = asked.candidates[best], min(1.0, float(likely[best]))
