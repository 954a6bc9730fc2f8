"""Addressees of speech: whoever is named in a vocative or in the tag, or else the other one who talks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.turns import Turn, gap

_TURNS = 4
"""Number of turns to either side within which the addressee is likely to speak."""


def address(turns: Sequence[Turn]) -> None:
    for at, turn in enumerate(turns):
        called = list(dict.fromkeys(who for said in turn.said for who in said.called))
        for said in turn.said:
            said.addressee, off = _addressee(turns, at, said, called)
            said.far = off > 1


def _addressee(
    turns: Sequence[Turn], at: int, said: AttributedSpeech, called: Sequence[int]
) -> tuple[int | None, int]:
    """Return the addressee and how many turns away they speak.

    `called` lists the vocatives of the whole turn. Those of the quotation itself take precedence.
    """
    who = next((who for who in chain(said.called, called) if who != said.speaker), None)
    if who is not None:
        return who, 0
    return next(((who, off) for who, off in _talking(turns, at) if who != said.speaker), (None, 0))


def _talking(turns: Sequence[Turn], at: int) -> Iterator[tuple[int, int]]:
    """Yield the other speakers nearby and how many turns away they speak.

    The nearest come first. If two are equally near, the earlier turn comes first.
    """
    for off in range(1, _TURNS + 1):
        for there in (at - off, at + off):
            if 0 <= there < len(turns) and gap(turns[min(at, there)], turns[max(at, there)]) is not None:
                speaker = turns[there].said[0].speaker
                if speaker is not None:
                    yield speaker, off
