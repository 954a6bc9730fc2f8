"""Makes of turns what is weighed together: candidates with their evidence, conversation by conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.speech.quote_surroundings import Surroundings
from coref.speech.speaker_evidence import Evidence, SpeakerEvidence, following, nobody
from coref.speech.speaker_sequence import NOBODY
from coref.speech.turns import Turn, gap

_LONGEST = 400
"""Turns that are weighed together: what is remembered of each is a cube of its candidates."""


@dataclass(frozen=True, slots=True)
class TurnCandidates:
    """Who said a turn?"""

    turn: Turn
    candidates: tuple[int, ...]
    """The last is nobody of them."""
    evidence: tuple[Evidence, ...]
    """One for each candidate."""
    follows: tuple[str, ...] | None
    """In which respects it follows the turn before; None where a conversation begins."""


def conversations(turns: Sequence[Turn], around: Surroundings) -> Iterator[list[TurnCandidates]]:
    """In order; no conversation crosses a chapter or a long stretch of narration, or goes on for ever."""
    current: list[TurnCandidates] = []
    for at, turn in enumerate(turns):
        begins = not at or gap(turns[at - 1], turn) is None or len(current) == _LONGEST
        here = around.candidates(turns, at)
        if not here and current and gap(turns[at - 1], turn) is not None:
            here = list(current[-1].candidates[:-1])  # they have talked so long that nobody was mentioned
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
