"""How long BookNLP's networks take for a book: only their shapes, with random weights.

The shapes are from the public source of BookNLP 1.0 (`booknlp/english/` and `booknlp/common/`). It has three
encoders, each a BERT of its own in 32 bits:

- entities, events and supersenses: the whole book in windows of whole sentences of up to 500 word pieces, the
  shortest first, 32 at a time and 6 once they are longer than 200; the last four layers side by side, through
  three two-way LSTMs on one another for entities, one for events, one for supersenses;
- coreference: the whole book again in such windows, 128 at a time; then each pronoun for itself against up to
  20 mentions before it, by a network of three layers;
- speakers: for every quote 50 words on either side, without what is said in them, 32 quotes at a time.

A word with a capital has one more piece. Omitted, which makes it look faster than it is: spaCy's tags and
trees, the decoding of tag sequences word by word, building the matrices, and everything that is not a
network.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from books.types import Book
from coref.language.tokens import tokenize
from coref.language.word_lists import table
from coref.native.minilm import encoder_folder
from coref.native.word_pieces import WordPieces
from coref.speech.direct_speech import find_speech

_WINDOW, _QUOTE_BEFORE, _QUOTE_WINDOW = 500, 350, 475
_QUOTE_WORDS = 50
_PRONOUN_LOOKS_BACK, _CANDIDATES = 20, 10
_VOCABULARY = 30_526
_TAGS, _SUPERSENSES = 40, 85


@dataclass(frozen=True, slots=True)
class Shape:
    layers: int
    size: int
    heads: int


@dataclass(frozen=True, slots=True)
class Shapes:
    entities: Shape
    coreference: Shape
    speakers: Shape


SHAPES = {
    "small": Shapes(Shape(4, 256, 4), Shape(2, 256, 4), Shape(8, 256, 4)),
    "big": Shapes(Shape(6, 768, 12), Shape(12, 768, 12), Shape(12, 768, 12)),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The input of the networks for a book."""

    windows: tuple[tuple[int, ...], ...]
    """For each window the pieces of each of its words."""
    pronouns: int
    quotes: tuple[int, ...]
    """For each quote the pieces of its context."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds."""

    entities: float
    coreference: float
    pronouns: float
    speakers: float

    @property
    def total(self) -> float:
        return self.entities + self.coreference + self.pronouns + self.speakers


def reading_of(book: Book) -> Reading:
    tokens = tokenize(book)
    find_speech(book, tokens)
    pieces = WordPieces(encoder_folder())
    sizes = [len(pieces.of(word)) + word[0].isupper() for word in tokens.words]
    pronouns = table("pronoun_classes")
    return Reading(
        windows=tuple(_windows(_sentences(tokens.sentence), sizes)),
        pronouns=sum(word in pronouns for word in tokens.lower),
        quotes=tuple(_quotes(tokens.quote, sizes)),
    )


def timed(reading: Reading, shapes: Shapes, *, device: str = "cpu") -> Timing:
    torch.manual_seed(1)
    with torch.inference_mode():
        return Timing(
            entities=_entities(reading, shapes.entities, device),
            coreference=_encoded(reading.windows, shapes.coreference, device, together=128),
            pronouns=_pronouns(reading.pronouns, shapes.coreference, device),
            speakers=_speakers(reading.quotes, shapes.speakers, device),
        )


def _sentences(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[start]:
            yield start, at
            start = at


def _windows(sentences: Iterator[tuple[int, int]], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    held: list[int] = []
    for start, end in sentences:
        for at in range(start, end, _WINDOW // 2):
            words = sizes[at : min(end, at + _WINDOW // 2)]
            if held and sum(held) + sum(words) >= _WINDOW:
                yield tuple(held)
                held = []
            held += words
    if held:
        yield tuple(held)


def _quotes(quote: Sequence[int], sizes: Sequence[int]) -> Iterator[int]:
    """Yield the context sizes; `quote` holds for each word the number of its quote, or -1."""
    ends = [at for at in range(len(quote)) if quote[at] >= 0 and quote[at + 1 : at + 2] != quote[at : at + 1]]
    for end in ends:
        before = _around(quote, sizes, range(end, -1, -1), most=_QUOTE_BEFORE)
        yield before + _around(quote, sizes, range(end + 1, len(quote)), most=_QUOTE_WINDOW - before) + 2


def _around(quote: Sequence[int], sizes: Sequence[int], places: range, *, most: int) -> int:
    """Count the pieces up to 50 words outside of quotes; each quote on the way is one piece."""
    words = total = 0
    last = -1
    for at in places:
        if quote[at] < 0:
            words += 1
            total += sizes[at]
        elif quote[at] != last:
            total += 1
        last = quote[at]
        if words == _QUOTE_WORDS or total >= most:
            break
    return min(total, most)


def _bert(shape: Shape, device: str) -> BertModel:
    config = BertConfig(
        vocab_size=_VOCABULARY,
        hidden_size=shape.size,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=4 * shape.size,
    )
    return BertModel(config).eval().to(device)


def _batch(sizes: Sequence[int], device: str) -> tuple[Tensor, Tensor]:
    """Return random pieces in windows of these sizes, with their two special pieces, and a mask."""
    lengths = torch.tensor(sizes) + 2
    width = int(lengths.max())
    present = torch.arange(width) < lengths[:, None]
    pieces = torch.randint(1, _VOCABULARY, (len(sizes), width)) * present
    return pieces.to(device), present.long().to(device)


def _to_words(windows: Sequence[tuple[int, ...]], width: int, device: str) -> Tensor:
    """Return (windows, words, pieces): each word as the mean of its pieces."""
    most = max(map(len, windows))
    found = torch.zeros(len(windows), most, width)
    for row, window in enumerate(windows):
        sizes = torch.tensor(window)
        words = torch.arange(len(window)).repeat_interleave(sizes)
        found[row, words, 1 + torch.arange(len(words))] = 1 / sizes[words]
    return found.to(device)


class _Clock:
    """Adds up the time of the networks, without that of preparing their input."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._started = 0.0
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._started = self._now()

    def __exit__(self, *_: object) -> None:
        self.seconds += self._now() - self._started

    def _now(self) -> float:
        if self._device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()


def _entities(reading: Reading, shape: Shape, device: str) -> float:
    bert, clock = _bert(shape, device), _Clock(device)
    heads = _Heads(4 * shape.size).eval().to(device)
    for windows in _shortest_first(reading.windows):
        pieces, present = _batch([sum(window) for window in windows], device)
        to_words = _to_words(windows, pieces.shape[1], device)
        with clock:
            states = bert(pieces, attention_mask=present, output_hidden_states=True).hidden_states
            heads(to_words @ torch.cat(states[-4:], 2))
    return clock.seconds


class _Heads(nn.Module):
    """Three levels of nested entities, events, supersenses."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.levels = nn.ModuleList(_lstm(size, 100) for size in (width, 200, 200))
        self.tags = nn.ModuleList(nn.Linear(200, _TAGS) for _ in range(3))
        self.flat, self.happens = _lstm(width, 200), nn.Linear(400, 2)
        self.senses, self.sense = _lstm(width + 20, 100), nn.Linear(200, _SUPERSENSES)

    def forward(self, words: Tensor) -> None:
        level = words
        for lstm, tags in zip(self.levels, self.tags, strict=True):
            level, _ = lstm(level)
            tags(level)
        self.happens(self.flat(words)[0])
        self.sense(self.senses(nn.functional.pad(words, (0, 20)))[0])


def _lstm(width: int, size: int) -> nn.LSTM:
    return nn.LSTM(width, size, bidirectional=True, batch_first=True)


def _shortest_first(windows: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    ordered = sorted(windows, key=sum)
    at, together = 0, 32
    while at < len(ordered):
        chosen = ordered[at : at + together]
        yield chosen
        at += together
        longest = sum(chosen[-1])
        together = 6 if longest > 200 else 12 if longest > 100 else together


def _encoded(windows: Sequence[tuple[int, ...]], shape: Shape, device: str, *, together: int) -> float:
    bert, clock = _bert(shape, device), _Clock(device)
    for at in range(0, len(windows), together):
        chosen = windows[at : at + together]
        pieces, present = _batch([sum(window) for window in chosen], device)
        to_words = _to_words(chosen, pieces.shape[1], device)
        with clock:
            to_words @ bert(pieces, attention_mask=present).last_hidden_state
    return clock.seconds


def _pronouns(count: int, shape: Shape, device: str) -> float:
    mention, clock = 3 * shape.size + 40, _Clock(device)
    layers = (nn.Linear(3 * mention + 80, 150), nn.Tanh(), nn.Linear(150, 150), nn.Tanh(), nn.Linear(150, 1))
    scorer = nn.Sequential(*layers).eval().to(device)
    one, before = (
        torch.randn(1, mention, device=device),
        torch.randn(_PRONOUN_LOOKS_BACK, mention, device=device),
    )
    told = torch.randn(_PRONOUN_LOOKS_BACK, 80, device=device)
    with clock:
        for _ in range(count):
            scorer(torch.cat([one.expand_as(before), before, one * before, told], 1)).argsort(0)
    return clock.seconds


def _speakers(quotes: Sequence[int], shape: Shape, device: str, *, together: int = 32) -> float:
    bert, clock = _bert(shape, device), _Clock(device)
    scorer = nn.Sequential(nn.Linear(2 * shape.size, 100), nn.Tanh(), nn.Linear(100, 1)).eval().to(device)
    for at in range(0, len(quotes), together):
        pieces, present = _batch(quotes[at : at + together], device)
        candidates = torch.rand(len(pieces), _CANDIDATES, pieces.shape[1], device=device)
        with clock:
            states = bert(pieces, attention_mask=present).last_hidden_state
            scorer(torch.cat([candidates @ states, candidates @ states], 2))
    return clock.seconds
