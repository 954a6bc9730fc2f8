"""Who says each quote: by its tag, by who acts beside it, by turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coref.quotes.said import Parties, Said
from coref.quotes.speech import Speech
from coref.rules.cues import is_vocative
from coref.rules.spots import Spot
from coref.rules.tokens import Tokens
from coref.types import MentionKind, QuoteType
from coref.words import words

NAMED, INTRODUCED, REFERRED, SAME, ACTION, ANSWERED, TURN, BESIDE = (
    0.95,
    0.9,
    0.85,
    0.85,
    0.7,
    0.65,
    0.6,
    0.45,
)
"""How sure each way of finding a speaker is."""
_TAG_REACH = 7
_LEAD_REACH = 14
_GAP = 2
"""Paragraphs without speech that a conversation bridges."""


@dataclass(slots=True)
class Turn:
    """What is said in one paragraph, by one speaker as far as we can tell."""

    paragraph: int
    chapter: int
    said: list[Said]
    speaker: int | None = None
    confidence: float = 0.0

    def settle(self, speaker: int, confidence: float) -> None:
        self.speaker, self.confidence = speaker, confidence

    @property
    def called(self) -> set[int]:
        return {who for said in self.said for who in said.called}


class Attribution:
    """Spots by where they start and end, for looking beside quotes."""

    def __init__(self, tokens: Tokens, spots: Sequence[Spot]) -> None:
        self.tokens = tokens
        self.starting: dict[int, Spot] = {}
        self.by_token: dict[int, Spot] = {}
        for spot in spots:
            if spot.quote >= 0:
                continue
            widest = self.starting.get(spot.first)
            if widest is None or spot.end > widest.end:
                self.starting[spot.first] = spot
            self.by_token[spot.end - 1] = spot

    def tag(self, said: Said) -> None:
        """Settles a quote by the words right after it or right before it."""
        first, end = self.tokens.ranges[said.speech.paragraph]
        found = self._after(said, end) or self._before(said, first)
        if found is None:
            return
        said.tagged = True
        said.type = QuoteType.EXPLICIT if found.kind is MentionKind.PROPER else QuoteType.ANAPHORIC
        if found.who is not None:
            said.speaker = found.who
            said.confidence = NAMED if found.kind is MentionKind.PROPER else REFERRED

    def _after(self, said: Said, end: int) -> Spot | None:
        """`said Mrs. Hale`, `Tom replied`, `he at once replied`."""
        lower, at = self.tokens.lower, said.end
        while at < end and lower[at] in (",", "—", "--", "and", "then", "so"):
            at += 1
        if at >= end or self.tokens.quote[at] >= 0:
            return None
        if lower[at] in words("speech_verbs"):
            return self._spot_near(at + 1, end)
        subject = self.starting.get(at) or self.starting.get(at + 1)
        if subject is None:
            return None
        return subject if self._verb_follows(subject, end) else None

    def _spot_near(self, at: int, end: int) -> Spot | None:
        """The spot that opens at a token, or one word on (`said poor Tom`, `said the old Tom`)."""
        for i in range(at, min(at + 3, end)):
            if i in self.starting and self.tokens.quote[i] < 0:
                return self.starting[i]
            if not self.tokens.words[i][0].isalpha():
                return None
        return None

    def _verb_follows(self, subject: Spot, end: int) -> bool:
        for i in range(subject.end, min(subject.end + _TAG_REACH, end)):
            word = self.tokens.lower[i]
            if word in (".", "!", "?", ";") or self.tokens.quote[i] >= 0:
                return False
            if word in words("speech_verbs"):
                return True
        return False

    def _before(self, said: Said, first: int) -> Spot | None:
        """`Tom said, …`, `Then said Tom: …`: the lead-in ends with a comma or a colon."""
        lower, at = self.tokens.lower, said.first - 1
        if at < first or self.tokens.quote[at] >= 0 or lower[at] not in (",", ":", "—", "--"):
            return None
        for i in range(at - 1, max(first, at - _LEAD_REACH) - 1, -1):
            if lower[i] in (".", "!", "?") and self.tokens.sentence[i] != self.tokens.sentence[at]:
                return None
            if self.tokens.quote[i] >= 0:
                return None
            if lower[i] in words("speech_verbs") or lower[at] == ":":
                return self._subject_before(i, first) or self.starting.get(i + 1)
        return None

    def _subject_before(self, at: int, first: int) -> Spot | None:
        best: Spot | None = None
        for i in range(at - 1, max(first, at - _LEAD_REACH) - 1, -1):
            if self.tokens.quote[i] >= 0 or self.tokens.sentence[i] != self.tokens.sentence[at]:
                break
            spot = self.by_token.get(i)
            if spot is not None and (spot.subject or best is None):
                best = spot
                if spot.subject:
                    break
        return best

    def actor(self, turn: Turn) -> int | None:
        """Who acts in the narration of a paragraph that holds speech: the first subject outside quotes."""
        first, end = self.tokens.ranges[turn.paragraph]
        subjects = [
            spot
            for i in range(first, end)
            if (spot := self.starting.get(i)) is not None and spot.who is not None and spot.subject
        ]
        after = [s for s in subjects if s.first >= turn.said[0].end]
        chosen = subjects if subjects and subjects[0].first < turn.said[0].first else after
        return chosen[0].who if chosen else None

    def last_actor(self, paragraph: int) -> int | None:
        """The last subject of a paragraph of narration."""
        first, end = self.tokens.ranges[paragraph]
        for i in range(end - 1, first - 1, -1):
            spot = self.starting.get(i)
            if spot is not None and spot.subject and spot.who is not None:
                return spot.who
        return None


def attribute(
    tokens: Tokens,
    spots: Sequence[Spot],
    speeches: Sequence[Speech],
    chapters: Sequence[int],
    *,
    parties: Parties,
    narrators: Sequence[int | None],
) -> list[Said]:
    """Every quote with its speaker and addressee, None where there is nothing to go by."""
    beside = Attribution(tokens, spots)
    called, introduced = called_in(tokens, spots), _introduced(tokens, spots)
    said = []
    for index, speech in enumerate(speeches):
        each = Said(speech, tokens.at(speech.start), tokens.at(speech.end), called=called.get(index, []))
        beside.tag(each)
        if index in introduced and each.confidence < NAMED:
            each.speaker, each.confidence = introduced[index], INTRODUCED
        said.append(each)
    turns = _turns(said, chapters)
    for turn in turns:
        _settle(turn, beside)
    _take_turns(turns, beside)
    _spread(turns)
    return said


def called_in(tokens: Tokens, spots: Sequence[Spot]) -> Mapping[int, list[int]]:
    """Who is called by name in each quote."""
    found: dict[int, list[int]] = {}
    for spot in spots:
        proper = spot.kind is MentionKind.PROPER and spot.quote >= 0
        if proper and spot.who is not None and is_vocative(tokens, spot):
            found.setdefault(spot.quote, []).append(spot.who)
    return found


def _introduced(tokens: Tokens, spots: Sequence[Spot]) -> Mapping[int, int]:
    """Quotes whose speaker says who they are: `I’m Kitty Lomax`, `my name is Tom`."""
    found: dict[int, int] = {}
    for spot in spots:
        if spot.kind is not MentionKind.PROPER or spot.who is None or spot.quote < 0 or spot.first < 3:
            continue
        before = [w.replace("’", "'") for w in tokens.lower[spot.first - 3 : spot.first]]
        said = before[1:] in (["i", "am"], ["i", "'m"]) or before in (
            ["my", "name", "is"],
            ["my", "name", "'s"],
        )
        inside = tokens.quote[spot.first - 2] == spot.quote
        if said and inside and tokens.lower[spot.end : spot.end + 1] not in (["’s"], ["'s"]):
            found.setdefault(spot.quote, spot.who)
    return found


def _turns(said: Sequence[Said], chapters: Sequence[int]) -> list[Turn]:
    """Quotes of one paragraph are one turn; so are paragraphs that go on with what was being said."""
    turns: list[Turn] = []
    for each in said:
        paragraph = each.speech.paragraph
        last = turns[-1].said[-1].speech if turns else None
        if last and (last.paragraph == paragraph or (each.speech.continues and last.runs_on)):
            turns[-1].said.append(each)
        else:
            turns.append(Turn(paragraph, chapters[paragraph], [each]))
    return turns


def _settle(turn: Turn, beside: Attribution) -> None:
    """By tag, else by who acts in the same paragraph."""
    for said in turn.said:
        if said.speaker is not None and said.confidence > turn.confidence:
            turn.settle(said.speaker, said.confidence)
    if turn.speaker is None and not any(s.tagged for s in turn.said):
        actor = beside.actor(turn)
        if actor is not None and actor not in turn.called:
            turn.settle(actor, ACTION)


def _take_turns(turns: Sequence[Turn], beside: Attribution) -> None:
    for at in range(len(turns)):
        if turns[at].speaker is None:
            _by_turn(turns, at)
    for at in range(len(turns) - 3, -1, -1):
        later = turns[at + 2]
        if turns[at].speaker is not None or later.speaker is None or not _near(turns, at, at + 2):
            continue
        if later.speaker not in turns[at].called and later.speaker != turns[at + 1].speaker:
            turns[at].settle(later.speaker, TURN * 0.9)
    for at, turn in enumerate(turns):
        if turn.speaker is None:
            _by_neighbours(turns, at, beside)
            if turn.speaker is None:
                _by_turn(turns, at)


def _near(turns: Sequence[Turn], one: int, other: int) -> bool:
    if not (0 <= one < len(turns) and 0 <= other < len(turns)):
        return False
    steps = range(one, other)
    return all(
        turns[i].chapter == turns[i + 1].chapter and turns[i + 1].paragraph - _last(turns[i]) <= _GAP
        for i in steps
    )


def _last(turn: Turn) -> int:
    return turn.said[-1].speech.paragraph


def _by_turn(turns: Sequence[Turn], at: int) -> None:
    """Whoever was called by name answers; otherwise the one who spoke before the last speaker."""
    turn = turns[at]
    if any(s.tagged for s in turn.said):
        return
    before = turns[at - 1] if _near(turns, at - 1, at) else None
    if before is None:
        return
    called = [who for said in before.said for who in said.called if who != before.speaker]
    if called and called[-1] not in turn.called:
        turn.settle(called[-1], ANSWERED)
        return
    earlier = turns[at - 2].speaker if _near(turns, at - 2, at) else None
    if earlier is not None and earlier != before.speaker and earlier not in turn.called:
        turn.settle(earlier, TURN)


def _by_neighbours(turns: Sequence[Turn], at: int, beside: Attribution) -> None:
    """Whoever acted last before the quote, or somebody else who takes part in the conversation."""
    turn = turns[at]
    before = turns[at - 1] if _near(turns, at - 1, at) else None
    out = turn.called | ({before.speaker} if before is not None and before.speaker is not None else set())
    if turn.paragraph and beside.tokens.quote[beside.tokens.ranges[turn.paragraph - 1][0]] < 0:
        actor = beside.last_actor(turn.paragraph - 1)
        if actor is not None and actor not in out:
            turn.settle(actor, BESIDE)
            return
    for step in (2, 3, 1, 4):
        other = at + step if step == 1 else at - step
        if 0 <= other < len(turns) and turns[other].chapter == turn.chapter:
            speaker = turns[other].speaker
            if (
                abs(turns[other].paragraph - turn.paragraph) <= 8
                and speaker is not None
                and speaker not in out
            ):
                turn.settle(speaker, BESIDE * 0.8)
                return


def _spread(turns: Sequence[Turn]) -> None:
    """From turns to their quotes, and to whom each is said."""
    for at, turn in enumerate(turns):
        told = [said.type for said in turn.said if said.type is not None]
        for said in turn.said:
            said.type = said.type or _type_beside(told)
            if said.speaker is None and turn.speaker is not None and not (said.tagged and len(turn.said) > 1):
                said.speaker, said.confidence = turn.speaker, min(turn.confidence, SAME)
            said.addressee = _addressee(turns, at, said)


def _type_beside(told: Sequence[QuoteType]) -> QuoteType:
    """Of a quote without a tag: that of the tags in the same turn."""
    ways = (QuoteType.EXPLICIT, QuoteType.ANAPHORIC)
    return next((way for way in ways if way in told), QuoteType.IMPLICIT)


def _addressee(turns: Sequence[Turn], at: int, said: Said) -> int | None:
    called = [who for who in said.called if who != said.speaker]
    if called:
        return called[0]
    for other in (at - 1, at + 1):
        if 0 <= other < len(turns) and _near(turns, min(at, other), max(at, other)):
            speaker = turns[other].speaker
            if speaker is not None and speaker != said.speaker:
                return speaker
    return None
