"""To whom something is said: whoever is called in it, whom its tag names, or the other one who talks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.turns import Turn, gap

_TURNS = 4
"""To either side, in which whoever is spoken to is likely to speak."""


def address(turns: Sequence[Turn]) -> None:
    for at, turn in enumerate(turns):
        called = list(dict.fromkeys(who for said in turn.said for who in said.called))
        for said in turn.said:
            said.addressee, off = _addressee(turns, at, said, called)
            said.far = off > 1


def _addressee(
    turns: Sequence[Turn], at: int, said: AttributedSpeech, called: Sequence[int]
) -> tuple[int | None, int]:
    """And how many turns off they talk. `called` are all who are called in the turn; whoever is called in the
    quote itself comes first."""
    who = next((who for who in chain(said.called, called) if who != said.speaker), None)
    if who is not None:
        return who, 0
    return next(((who, off) for who, off in _talking(turns, at) if who != said.speaker), (None, 0))


def _talking(turns: Sequence[Turn], at: int) -> Iterator[tuple[int, int]]:
    """Who else talks and how many turns off: the nearest first, and of two as near the one before."""
    for off in range(1, _TURNS + 1):
        for there in (at - off, at + off):
            if 0 <= there < len(turns) and gap(turns[min(at, there)], turns[max(at, there)]) is not None:
                speaker = turns[there].said[0].speaker
                if speaker is not None:
                    yield speaker, off
