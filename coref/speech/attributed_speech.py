"""Attributed speech: a stretch of direct speech with its speaker, addressee and kind of attribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from books.types import Span
from coref.language.tokens import Tokens
from coref.names.person_candidates import MentionCandidate
from coref.speech.direct_speech import DirectSpeech
from coref.types import CharacterKind, Quote, QuoteType


class PossibleSpeaker(Protocol):
    """What the attribution needs to know of somebody who may speak."""

    @property
    def gender(self) -> str | None:
        """Return `he` or `she`, or None if it is unknown."""
        ...

    @property
    def kind(self) -> CharacterKind: ...


Parties = Mapping[int, PossibleSpeaker]
"""People keyed by the number that mentions refer to them with."""


@dataclass(slots=True)
class AttributedSpeech:
    """One stretch of speech with its tokens and its attribution."""

    speech: DirectSpeech
    first: int
    end: int
    speaker: int | None = None
    confidence: float = 0.0
    tagged: bool = False
    """Whether it has a tag, even one whose subject is nobody known."""
    called: list[int] = field(default_factory=list)
    """People named in vocatives inside it."""
    addressee: int | None = None
    far: bool = False
    """Whether the addressee is only somebody who talks a few turns away.

    That is likely, but too uncertain to resolve `you`.
    """
    type: QuoteType | None = None

    @property
    def hearer(self) -> int | None:
        """The addressee, if `you` may be resolved to them."""
        return None if self.far else self.addressee


def voice(
    tokens: Tokens, said: Sequence[AttributedSpeech], spot: MentionCandidate
) -> AttributedSpeech | None:
    """Return the speech whose speaker is "I" where a mention stands, if that is known.

    Inside a quotation inside speech it is not.
    """
    return said[spot.quote] if spot.quote >= 0 and not tokens.inner[spot.first] else None


def quotes_of(said: Sequence[AttributedSpeech], ids: Mapping[int, str]) -> tuple[Quote, ...]:
    """Return one quotation for each stretch of speech, even if it extends over several paragraphs."""
    found: list[Quote] = []
    for each in said:
        start, end = each.speech.start, each.speech.end
        if each.speech.continues and found:
            last = found.pop()
            found.append(replace(last, span=Span(last.span.start, end)))
            continue
        speaker = None if each.speaker is None else ids.get(each.speaker)
        addressee = None if each.addressee is None else ids.get(each.addressee)
        sure = round(each.confidence, 2) if speaker else 0.0
        found.append(Quote(Span(start, end), speaker, addressee, sure, each.type))
    return tuple(found)
