"""Divides the quotations of each paragraph into turns, by the probability that two of them have one speaker.

That is a logistic regression over their tags and what stands between them. Its weights are learnt from pairs
of quotations that readers marked in novels, by `bookworm train turns`, and lie in `coref/data/turns.json`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log1p
from operator import attrgetter
from typing import Final

from coref import odds
from coref.names.person_candidates import ME, MentionCandidate
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.quote_surroundings import Surroundings
from coref.speech.speech_tags import SpeechTag, TagStrength
from coref.speech.turns import Turn
from coref.types import MentionKind

ONE: Final = 0.5
"""The least probability with which two quotations are one turn."""
_LIKELY: Final = 0.5
_MANY: Final = 6
_BETWEEN: Final = (
    "words",
    "words after a comma",
    "words where somebody acts",
    "words, one meant",
    "words, second led in",
    "sentences",
    "sentences, second begins small",
)
_TAGS: Final = (
    "one meant",
    "two meant, names",
    "two meant, name and pronoun",
    "two meant, second begins small",
    "pronoun, then name",
    "one tag",
    "he and she",
    "I and another",
    "first without tag",
    "second without tag",
    "second tagged, in another sentence",
    "second surely tagged",
    "first led in",
)
_SAID: Final = (
    "first ends with a comma",
    "first asks",
    "second begins small",
    "somebody acts",
    "second calls first",
    "first calls second",
)
FEATURES: Final = (*_BETWEEN, *_TAGS, *_SAID)

GoesOn = Callable[[Turn, AttributedSpeech, SpeechTag | None], bool]
"""Says whether a quotation belongs to the turn before it in its paragraph."""
Divide = Callable[[Surroundings], GoesOn]


def shipped() -> odds.LearntOdds:
    """Return the model that comes with the package."""
    return odds.shipped("turns", FEATURES, of="turn")


def by_odds(around: Surroundings) -> GoesOn:
    """Return what divides turns by the model that comes with the package."""
    model = shipped()
    return lambda turn, each, tag: bool(model.probabilities([row_of(around, turn, each, tag)])[0] >= ONE)


def turns_of(
    said: Sequence[AttributedSpeech],
    tags: Sequence[SpeechTag | None],
    chapters: Sequence[int],
    goes_on: GoesOn,
) -> list[Turn]:
    turns: list[Turn] = []
    for index, (each, tag) in enumerate(zip(said, tags, strict=True)):
        last = turns[-1] if turns else None
        if last is not None and (_runs_on(last, each) or (_beside(last, each) and goes_on(last, each, tag))):
            last.said.append(each)
            last.quotes.append(index)
            last.called.update(each.called)
            last.tag = _better(last.tag, tag)
        else:
            turns.append(Turn(chapters[each.speech.paragraph], [each], [index], tag, set(each.called)))
    return turns


def row_of(around: Surroundings, turn: Turn, each: AttributedSpeech, tag: SpeechTag | None) -> list[float]:
    """Return the features of a turn and the quotation that follows in its paragraph."""
    pair = _Pair(around, turn, each, tag)
    found = {**dict(pair.between()), **dict(pair.tags()), **dict(pair.said())}
    return [float(found[name]) for name in FEATURES]


class _Pair:
    def __init__(
        self, around: Surroundings, turn: Turn, each: AttributedSpeech, tag: SpeechTag | None
    ) -> None:
        tokens, before = around.tokens, turn.said[-1]
        self.around, self.turn, self.each, self.tag = around, turn, each, tag
        self.ends = tokens.words[max(before.first, before.end - 2)]
        self.small = next((w for w in tokens.words[each.first : each.end] if w[0].isalpha()), "")[
            :1
        ].islower()
        self.words = log1p(max(0, each.first - before.end))
        self.sentences = min(tokens.sentence[each.first] - tokens.sentence[before.end - 1], _MANY)
        self.first = None if turn.tag is None else turn.tag.spot
        self.second = None if tag is None else tag.spot
        apart = self.first is not self.second
        self.one = around.same(self.first, self.second) if apart else 0.0
        self.two = around.apart(self.first, self.second) if apart else 0.0
        self.acts = self._somebody_acts()

    def between(self) -> Iterator[tuple[str, float]]:
        led = self.second is not None and self.second.first < self.each.first
        yield "words", self.words
        yield "words after a comma", self.words * (self.ends == ",")
        yield "words where somebody acts", self.words * self.acts
        yield "words, one meant", self.words * self.one
        yield "words, second led in", self.words * led
        yield "sentences", self.sentences
        yield "sentences, second begins small", self.sentences * self.small

    def tags(self) -> Iterator[tuple[str, float]]:
        first, second = self.first, self.second
        kinds = (first and first.kind, second and second.kind)
        both = first is not None and second is not None and first is not second
        yield "one meant", self.one
        yield "two meant, names", self.two * (kinds == (MentionKind.PROPER, MentionKind.PROPER))
        yield "two meant, name and pronoun", self.two * (kinds == (MentionKind.PROPER, MentionKind.PRONOUN))
        yield "two meant, second begins small", self.two * self.small
        yield "pronoun, then name", kinds == (MentionKind.PRONOUN, MentionKind.PROPER)
        yield "one tag", first is not None and first is second
        yield "he and she", len({first and first.gender, second and second.gender} - {None}) == 2
        yield "I and another", both and (first and first.head == ME) != (second and second.head == ME)
        yield "first without tag", first is None
        yield "second without tag", second is None
        yield (
            "second tagged, in another sentence",
            first is None and second is not None and self.sentences > 0,
        )
        yield "second surely tagged", self.tag is not None and self.tag.strength is TagStrength.SURE
        yield "first led in", first is not None and first.first < self.turn.said[-1].first

    def said(self) -> Iterator[tuple[str, float]]:
        yield "first ends with a comma", self.ends == ","
        yield "first asks", self.ends == "?"
        yield "second begins small", self.small
        yield "somebody acts", self.acts
        yield "second calls first", self._is_called(self.first, self.each.called)
        yield "first calls second", self._is_called(self.second, self.turn.called)

    def _is_called(self, spot: MentionCandidate | None, called: Iterable[int]) -> bool:
        return spot is not None and any(self.around.share(spot, who) > _LIKELY for who in called)

    def _somebody_acts(self) -> bool:
        """Return whether the narration between them has a subject, except that of the turn's tag."""
        told = self.around.told[self.each.speech.paragraph]
        start = bisect_left(told, self.turn.said[-1].end, key=attrgetter("first"))
        end = bisect_left(told, self.each.first, key=attrgetter("first"))
        return any(spot.subject and spot is not self.first for spot in told[start:end])


def _runs_on(last: Turn, each: AttributedSpeech) -> bool:
    return each.speech.continues and last.said[-1].speech.runs_on


def _beside(last: Turn, each: AttributedSpeech) -> bool:
    return last.last == each.speech.paragraph


def _better(one: SpeechTag | None, other: SpeechTag | None) -> SpeechTag | None:
    """Return the more informative tag of a turn: a sure one before a likely one, a name before a pronoun."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda tag: (tag.strength is TagStrength.SURE, tag.named, tag is one))
