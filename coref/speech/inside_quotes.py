"""Resolves mentions inside quotations: "I" is the speaker, "you" the addressee, "he" is neither."""

from __future__ import annotations

from collections.abc import Sequence

from coref.names.person_candidates import HE, ME, SHE, THEY, YOU, MentionCandidate
from coref.speech.attributed_speech import AttributedSpeech, voice
from coref.speech.narration import NarrationKnowledge, nominal, third_person
from coref.speech.scene import Scene
from coref.types import MentionKind


def read_quotes(
    reading: NarrationKnowledge,
    spots: Sequence[MentionCandidate],
    said: Sequence[AttributedSpeech],
    *,
    chapters: Sequence[int],
    paragraphs: Sequence[int],
) -> None:
    """Walk through the book a second time, with the narration resolved and the speakers known."""
    tokens, scene = reading.tokens, Scene(reading.cast.people)
    before: list[MentionCandidate] = []
    chapter = -1
    for spot in spots:
        if (now := chapters[paragraphs[spot.first]]) != chapter:
            chapter = now
            scene.clear()
        if spot.quote >= 0 and spot.who is None:
            _resolve(reading, spot, scene, before, voice(tokens, said, spot))
        if spot.who is not None:
            # Inside a quotation people talk about those just named in it, so both kinds weigh alike.
            scene.see(spot.who, sentence=tokens.sentence[spot.first], subject=spot.subject, quoted=False)
        before.append(spot)
        if len(before) > 8:
            del before[0]


def _resolve(
    reading: NarrationKnowledge,
    spot: MentionCandidate,
    scene: Scene,
    before: Sequence[MentionCandidate],
    quote: AttributedSpeech | None,
) -> None:
    speaker, hearer = (quote.speaker, quote.hearer) if quote is not None else (None, None)
    if spot.kind is MentionKind.NOMINAL:
        spot.who = nominal(reading, spot, scene)
    elif spot.head == ME:
        spot.who = speaker
    elif spot.head == YOU:
        spot.who = hearer
    elif spot.head in (HE, SHE):
        spot.who = third_person(reading.tokens, spot, scene, before, exclude={speaker, hearer})
    elif spot.head == THEY:
        spot.who = scene.group(sentence=reading.tokens.sentence[spot.first])
