"""Word pieces, and windows of whole sentences that fit the encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

from coref.native.document import Document, Range

MOST_PIECES = 254
"""Maximum number of pieces in a window, without its two frame pieces."""
MOST_OF_A_WORD = 12
"""Limit per word. A longer one is no word, and its beginning is enough."""


@dataclass(frozen=True, slots=True)
class Window:
    words: Range
    pieces: tuple[int, ...]
    """With the frame: `[CLS] … [SEP]`."""
    owners: tuple[int, ...]
    """The word that each piece belongs to, counted from the document's first; -1 for the frame."""


class WordPieces:
    """The encoder's own tokenizer, applied to single words. A novel's words recur, so most are cached."""

    def __init__(self, folder: Path) -> None:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._unknown = _id(tokenizer, "[UNK]")
        self.mask = tokenizer.token_to_id("[MASK]") or self._unknown
        """Replaces a word that is masked in training."""
        self._frame = _id(tokenizer, "[CLS]"), _id(tokenizer, "[SEP]")
        self.of = lru_cache(maxsize=200_000)(self._of)

    def _of(self, word: str) -> tuple[int, ...]:
        found = self._tokenizer.encode(word, add_special_tokens=False).ids[:MOST_OF_A_WORD]
        return tuple(found) or (self._unknown,)

    def windows(self, document: Document, *, most: int = MOST_PIECES) -> list[Window]:
        """Split a document into windows.

        Sentences stay whole if they fit, and every word is in exactly one window.
        """
        sizes = [len(self.of(word)) for word in document.words]
        return [self._window(document.words, words) for words in _packed(document.sentences, sizes, most)]

    def _window(self, words: Sequence[str], within: Range) -> Window:
        first, last = self._frame
        pieces, owners = [first], [-1]
        for at in range(*within):
            found = self.of(words[at])
            pieces += found
            owners += [at] * len(found)
        return Window(within, (*pieces, last), (*owners, -1))


def _id(tokenizer: Tokenizer, piece: str) -> int:
    found = tokenizer.token_to_id(piece)
    if found is None:
        raise ValueError(f"the tokenizer has no {piece}")
    return int(found)


def _packed(sentences: Sequence[Range], sizes: Sequence[int], most: int) -> Iterator[Range]:
    start = size = 0
    end = 0
    for unit in (unit for sentence in sentences for unit in _fitting(sentence, sizes, most)):
        more = sum(sizes[unit[0] : unit[1]])
        if size and size + more > most:
            yield start, end
            start, size = unit[0], 0
        size += more
        end = unit[1]
    if size:
        yield start, end


def _fitting(sentence: Range, sizes: Sequence[int], most: int) -> Iterator[Range]:
    """Yield the sentence, or pieces of one that does not fit into a window."""
    start, size = sentence[0], 0
    for at in range(*sentence):
        if size and size + sizes[at] > most:
            yield start, at
            start, size = at, 0
        size += sizes[at]
    if start < sentence[1]:
        yield start, sentence[1]
