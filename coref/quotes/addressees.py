"""To whom something is said: whoever is called in it, whom its tag names, or the other one who talks."""

from __future__ import annotations

from collections.abc import Sequence

from coref.quotes.said import Said
from coref.quotes.turns import Turn, gap


def address(turns: Sequence[Turn]) -> None:
    for at, turn in enumerate(turns):
        for said in turn.said:
            said.addressee = _addressee(turns, at, said)


def _addressee(turns: Sequence[Turn], at: int, said: Said) -> int | None:
    turn = turns[at]
    called = [who for each in (said, *turn.said) for who in each.called if who != said.speaker]
    if called:
        return called[0]
    for one, other in ((at - 1, at), (at, at + 1)):
        if one >= 0 and other < len(turns) and gap(turns[one], turns[other]) is not None:
            speaker = turns[one if one != at else other].said[0].speaker
            if speaker is not None and speaker != said.speaker:
                return speaker
    return None
