"""Encode a claim with its sentences as one sequence of word pieces: [CLS] claim [SEP] sentence [SEP] …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from coref.native.minilm import encoder_folder
from generation.checking.entailment.written_evidence import names_for, written_claim, written_evidence
from generation.checking.types import Evidence
from generation.types import Claim

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PIECES: Final = 112
"""Maximum length of a sequence in word pieces."""
OF_CLAIM, OF_SENTENCE = 32, 36
"""Maximum number of pieces of the claim, and of each sentence."""
SENTENCES: Final = 6
"""Maximum number of sentences in a sequence."""
_FIRST, _BETWEEN = 101, 102
FIRST_WORD: Final = 1_996
"""The vocabulary's first word. Its words are ordered by frequency."""
_COMMON: Final = 3_000
"""Ids below this belong to punctuation and to the most frequent words, which do not choose a window."""


@dataclass(frozen=True, slots=True)
class EncodedPair:
    pieces: tuple[int, ...]
    claim: int
    """Length of [CLS], the claim and its [SEP]."""
    sentences: tuple[tuple[int, int], ...]
    """Begin and end of each sentence that is in the sequence."""


def encode(claim: Claim, evidence: Sequence[Evidence]) -> EncodedPair:
    """Encode as many of the sentences, best first, as there is room for."""
    names = names_for(claim)
    texts = [written_claim(claim, names), *(written_evidence(e, names) for e in evidence[:SENTENCES])]
    said, *told = (encoding.ids for encoding in _tokenizer().encode_batch(texts, add_special_tokens=False))
    pieces = [_FIRST, *said[:OF_CLAIM], _BETWEEN]
    begin, known, places = len(pieces), frozenset(said), []
    for sentence in told:
        room = min(OF_SENTENCE, PIECES - len(pieces) - 1)
        if room < OF_SENTENCE // 3 or not sentence:
            break
        kept = _window(sentence, known, room)
        places.append((len(pieces), len(pieces) + len(kept)))
        pieces += [*kept, _BETWEEN]
    return EncodedPair(tuple(pieces), begin, tuple(places))


def _window(sentence: Sequence[int], known: frozenset[int], room: int) -> Sequence[int]:
    """Return the part of a long sentence that has most of the claim's pieces; the earliest of equal ones."""
    if len(sentence) <= room:
        return sentence
    hits = [0.0]
    for piece in sentence:
        hits.append(hits[-1] + ((1.0 if piece >= _COMMON else 0.3) if piece in known else 0.0))
    best = max(range(len(sentence) - room + 1), key=lambda at: (hits[at + room] - hits[at], -at))
    return sentence[best : best + room]


@cache
def pieces_of(words: str) -> tuple[int, ...]:
    return tuple(_tokenizer().encode(words, add_special_tokens=False).ids)


@cache
def _tokenizer() -> Tokenizer:
    from retrieval.embedders.adapters import tokenizer

    return tokenizer(encoder_folder())
