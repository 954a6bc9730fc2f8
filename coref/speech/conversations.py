"""Groups turns into conversations, with the candidates and the evidence for each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.speech.quote_surroundings import Surroundings
from coref.speech.speaker_evidence import Evidence, SpeakerEvidence, following, nobody
from coref.speech.speaker_sequence import NOBODY
from coref.speech.turns import Turn, gap

_LONGEST = 400
"""Maximum number of turns attributed together. The memory per turn grows with the cube of its candidates."""


@dataclass(frozen=True, slots=True)
class TurnCandidates:
    """A turn with its candidates for the speaker."""

    turn: Turn
    candidates: tuple[int, ...]
    """The last candidate stands for nobody of the cast."""
    evidence: tuple[Evidence, ...]
    """The evidence for each candidate."""
    follows: tuple[str, ...] | None
    """Features of how the turn follows the previous one; None at the beginning of a conversation."""


def conversations(turns: Sequence[Turn], around: Surroundings) -> Iterator[list[TurnCandidates]]:
    """Yield conversations in order.

    None crosses a chapter boundary or a long stretch of narration, and none grows without limit.
    """
    current: list[TurnCandidates] = []
    for at, turn in enumerate(turns):
        begins = not at or gap(turns[at - 1], turn) is None or len(current) == _LONGEST
        here = around.candidates(turns, at)
        if not here and current and gap(turns[at - 1], turn) is not None:
            here = list(current[-1].candidates[:-1])  # they have talked so long without any mention
        if begins and current:
            yield current
            current = []
        witness = SpeakerEvidence(around, turns, at)
        evidence = (*(witness.on(who) for who in here), nobody(turn))
        follows = None if begins else following(turns, at, around, question=_asks(turns[at - 1], around))
        current.append(TurnCandidates(turn, (*here, NOBODY), evidence, follows))
    if current:
        yield current


def _asks(turn: Turn, around: Surroundings) -> bool:
    end = turn.said[-1].end
    return "?" in around.tokens.words[max(end - 2, 0) : end]
