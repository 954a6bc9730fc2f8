"""Windows, speech, features and clusters: the components around the network."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from coref.native.clustering import clusters
from coref.native.document import Document, Range, SpeechState
from coref.native.pair_features import WIDTH, pair_features
from coref.native.spoken_words import speech_of
from coref.native.word_pieces import WordPieces
from tests.coref.native.tiny import document_of

FEATURES = 9


@pytest.fixture(scope="session")
def pieces(encoder_folder: Path) -> WordPieces:
    return WordPieces(encoder_folder)


@given(lengths=st.lists(st.integers(1, 12), min_size=1, max_size=20), most=st.integers(4, 20))
def test_windows_hold_every_word_once_and_break_no_sentence_that_fits(
    pieces: WordPieces, lengths: list[int], most: int
) -> None:
    document = document_of("\n".join(" ".join(["girls"] * length) for length in lengths))
    windows = pieces.windows(document, most=most)
    assert [at for window in windows for at in range(*window.words)] == list(range(len(document.words)))
    for window in windows:
        assert len(window.pieces) == len(window.owners) <= most + 2
        assert (window.owners[0], window.owners[-1]) == (-1, -1)
    edges = {window.words[0] for window in windows}
    for start, end in document.sentences:
        if 2 * (end - start) <= most:
            assert not edges & set(range(start + 1, end))


def test_a_word_without_a_piece_is_unknown(pieces: WordPieces) -> None:
    assert pieces.of("zzz") == (1,)
    assert len(pieces.of("s" * 99)) == 1


def test_sentences_must_tile_the_words() -> None:
    with pytest.raises(ValueError, match="tile"):
        Document(("a", "b"), ((0, 1),), (SpeechState.NARRATED, SpeechState.NARRATED))


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ('he said " go home " and went', ["go", "home"]),
        ("he said “ go home ” and went", ["go", "home"]),
        ("he said ‘ it is Ann ’s ’ and went", ["it", "is", "Ann", "’s"]),
        ("he said `` go '' and went", ["go"]),
        ("the boys ' home", []),
    ],
)
def test_what_is_spoken(text: str, spoken: list[str]) -> None:
    words = text.split()
    found = speech_of(words)
    assert [word for word, speech in zip(words, found, strict=True) if speech is SpeechState.SPOKEN] == spoken


def spans_of(document: Document, *phrases: str) -> list[Range]:
    """Return the first place of each phrase after the previous one."""
    found: list[Range] = []
    at = 0
    for phrase in phrases:
        wanted = tuple(phrase.split())
        while document.words[at : at + len(wanted)] != wanted:
            at += 1
        found.append((at, at + len(wanted)))
        at += 1
    return found


def row(text: str, earlier: str, later: str) -> frozenset[int]:
    document = document_of(text)
    spans = spans_of(document, earlier, later)
    return frozenset(pair_features(document, spans)[2].nonzero().squeeze(1).tolist())


def test_each_pair_has_one_case_of_each_feature() -> None:
    document = document_of('Mr Darcy went home .\n" I was Ann , " she said .')
    spans = spans_of(document, "Mr Darcy", "I", "Ann", "she")
    rows = pair_features(document, spans).view(4, 4, WIDTH).sum(2)
    assert rows.tolist() == [[FEATURES * (column < at) for column in range(4)] for at in range(4)]


@pytest.mark.parametrize(
    ("text", "pair", "other"),
    [
        ("Darcy saw Darcy", ("Darcy", "Darcy"), ("Darcy saw Smith", "Darcy", "Smith")),
        ("Mr Darcy saw Darcy", ("Mr Darcy", "Darcy"), ("Mr Darcy saw Smith", "Mr Darcy", "Smith")),
        (
            "the old man saw a man",
            ("the old man", "a man"),
            ("the old man saw a ship", "the old man", "a ship"),
        ),
        ("the man saw he", ("the man", "he"), ("the girl saw he", "the girl", "he")),
        ("Mr Smith saw he", ("Mr Smith", "he"), ("Mrs Smith saw he", "Mrs Smith", "he")),
        ("Ann 's ship saw Ann", ("Ann 's ship", "Ann"), ("Mary 's ship saw Ann", "Mary 's ship", "Ann")),
    ],
)
def test_likeness_is_seen(text: str, pair: tuple[str, str], other: tuple[str, str, str]) -> None:
    assert row(text, *pair) != row(*other)


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("the man of the sea saw a man", "the man at the sea saw a man"),
        ("Mr. Darcy saw Darcy", "Mrs. Darcy saw Darcy"),
    ],
)
def test_what_makes_no_difference(one: str, another: str) -> None:
    def alike(text: str) -> torch.Tensor:
        document = document_of(text)
        end = document.words.index("saw")
        return pair_features(document, [(0, end), (end + 1, len(document.words))])[2]

    same = alike(one) == alike(another)
    assert same.sum() >= WIDTH - 2


def test_turns_of_speech_are_counted() -> None:
    text = '" I " said he . " I " said she . " I " said he .'
    document = document_of(text)
    first, second, third = spans_of(document, "I", "I", "I")
    rows = pair_features(document, [first, second, third]).view(3, 3, WIDTH)
    assert not torch.equal(rows[1, 0], rows[2, 0])
    assert torch.equal(rows[1, 0], rows[2, 1])


def test_three_that_are_one_outweigh_a_likelier_stranger() -> None:
    shares = torch.tensor(
        [
            [1.0, 0, 0, 0, 0],
            [0.9, 0.1, 0, 0, 0],
            [0.1, 0.0, 0.9, 0, 0],
            [0.2, 0.35, 0.25, 0.2, 0],
        ]
    )
    assert clusters(shares) == [[0], [1, 2, 3]]


def test_what_belongs_to_nobody_is_new() -> None:
    assert clusters(torch.tensor([[1.0, 0, 0], [0.5, 0.5, 0]])) == [[0], [1]]
    assert clusters(torch.zeros(0, 1)) == []
