"""What readers said of sentences that Bookworm might quote in the summary of a chapter."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter

from evaluation.corpus.loading import about


@dataclass(frozen=True, slots=True)
class EventReading:
    start: int
    """Where the sentence begins in the text that Bookworm reads."""
    quote: str
    event: int
    """2: a main event of its chapter; 1: something happens or is learnt; 0: neither."""
    clear: bool
    """Whether somebody who has read the chapters before understands what happens, and to whom."""


@dataclass(frozen=True, slots=True)
class NovelEventReadings:
    novel: str
    sentences: tuple[EventReading, ...]


_READINGS: TypeAdapter[NovelEventReadings] = TypeAdapter(NovelEventReadings)


def event_readings(novel: str) -> NovelEventReadings:
    """Return what readers said of a novel. It is empty if nobody has read any of it."""
    return about(novel, "event_readings", _READINGS) or NovelEventReadings(novel, ())
