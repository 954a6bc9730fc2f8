"""What is said: a stretch of speech, who says it, to whom, and how the book tells that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from books.types import Span
from coref.speech.direct_speech import DirectSpeech
from coref.types import CharacterKind, Quote, QuoteType


class PossibleSpeaker(Protocol):
    """What needs to be known of somebody who may speak."""

    @property
    def gender(self) -> str | None:
        """`he` or `she`; None where nothing tells."""
        ...

    @property
    def kind(self) -> CharacterKind: ...


Parties = Mapping[int, PossibleSpeaker]
"""By the number that spots have for who is meant."""


@dataclass(slots=True)
class AttributedSpeech:
    """One stretch of speech with its tokens and what is known of it."""

    speech: DirectSpeech
    first: int
    end: int
    speaker: int | None = None
    confidence: float = 0.0
    tagged: bool = False
    """It has a tag, even if the tag's subject is nobody known."""
    called: list[int] = field(default_factory=list)
    """People called by name inside it."""
    addressee: int | None = None
    far: bool = False
    """The addressee is only who talks some turns away: likely, but too unsure to say whom `you` means."""
    type: QuoteType | None = None

    @property
    def hearer(self) -> int | None:
        """The addressee, where `you` may be taken for them."""
        return None if self.far else self.addressee


def quotes_of(said: Sequence[AttributedSpeech], ids: Mapping[int, str]) -> tuple[Quote, ...]:
    """One quote for each stretch of speech, even where it runs over paragraphs."""
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
