"""Turns: the consecutive quotations of one speaker in a paragraph, and in paragraphs that continue them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coref.names.person_candidates import ME
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.speech_tags import SpeechTag, TagStrength
from coref.types import MentionKind

REACH = 6
"""Maximum number of paragraphs between two turns of one conversation."""


@dataclass(slots=True)
class Turn:
    chapter: int
    said: list[AttributedSpeech]
    quotes: list[int]
    """The indices of this speech among all quotations."""
    tag: SpeechTag | None = None

    @property
    def paragraph(self) -> int:
        return self.said[0].speech.paragraph

    @property
    def last(self) -> int:
        return self.said[-1].speech.paragraph

    @property
    def called(self) -> set[int]:
        return {who for said in self.said for who in said.called}


def turns_of(
    said: Sequence[AttributedSpeech], tags: Sequence[SpeechTag | None], chapters: Sequence[int]
) -> list[Turn]:
    turns: list[Turn] = []
    for index, (each, tag) in enumerate(zip(said, tags, strict=True)):
        paragraph = each.speech.paragraph
        last = turns[-1] if turns else None
        if last is not None and _belongs(each, tag, last):
            last.said.append(each)
            last.quotes.append(index)
            last.tag = _better(last.tag, tag)
        else:
            turns.append(Turn(chapters[paragraph], [each], [index], tag))
    return turns


def gap(one: Turn, other: Turn) -> int | None:
    """Return the number of paragraphs between two turns, or None if they are not one conversation."""
    paragraphs = other.paragraph - one.last
    return paragraphs if one.chapter == other.chapter and paragraphs <= REACH else None


def _belongs(each: AttributedSpeech, tag: SpeechTag | None, last: Turn) -> bool:
    before = last.said[-1].speech
    if each.speech.continues and before.runs_on:
        return True
    return before.paragraph == each.speech.paragraph and not _differ(last.tag, tag)


def _differ(one: SpeechTag | None, other: SpeechTag | None) -> bool:
    """Return whether two tags in one paragraph plainly have different subjects."""
    if one is None or other is None or one.spot is other.spot:
        return False
    if TagStrength.SURE not in (one.strength, other.strength):
        return False
    if one.spot.who is not None and one.spot.who == other.spot.who:
        return False
    known = None not in (one.spot.who, other.spot.who)
    if known and other.named and one.spot.kind is MentionKind.PRONOUN:
        return True  # `…,” he cried. Tom said, “…”`: the referent of `he` was named before
    genders = {one.spot.gender, other.spot.gender}
    mine = {one.spot.head == ME, other.spot.head == ME}
    return (one.named and other.named) or len(genders - {None}) == 2 or len(mine) == 2


def _better(one: SpeechTag | None, other: SpeechTag | None) -> SpeechTag | None:
    """Return the more informative tag of a turn: a sure one before a likely one, a name before a pronoun."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda tag: (tag.strength is TagStrength.SURE, tag.named, tag is one))
