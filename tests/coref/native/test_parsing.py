"""The parse of a whole book: one entry per word, from the same pass that finds mentions."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from books.reading import read
from coref.language.syntax import ROOT, Parse
from coref.language.tokens import tokenize
from coref.native.book_parser import ParseCollector, parse_words
from coref.native.book_pass import read_book
from coref.native.book_words import BookWords, words_of
from coref.native.encoder import load_encoder
from coref.native.network import LiteraryNetwork
from coref.native.word_heads import Vocabulary
from coref.native.word_pieces import WordPieces
from coref.speech.direct_speech import find_speech
from tests.coref.native.tiny import network_of

VOCABULARY = Vocabulary(("NOUN", "VERB"), ("nsubj", "root"), ("0|", "1|", "2|y"), (("",), ("s",), ("ie",)))
SAID = "Mr. Darcy went home. “I don’t know the old man,” said Ann, “and she was it.”"
STORY = "\n\n".join("\n\n".join([f"CHAPTER {number}", *[SAID] * 40]) for number in range(1, 4))


@pytest.fixture
def network(encoder_folder: Path) -> LiteraryNetwork:
    torch.manual_seed(11)
    return LiteraryNetwork(load_encoder(encoder_folder), vocabulary=VOCABULARY).eval()


def parsed(network: LiteraryNetwork, pieces: WordPieces) -> tuple[BookWords, Parse | None]:
    book = read(STORY.encode(), name="story.txt", force=True)
    tokens = tokenize(book)
    words = words_of(tokens, find_speech(book, tokens))
    listener = ParseCollector(network, words)
    read_book(network, pieces, words, chapters=[p.chapter for p in book.paragraphs], heard=listener.hear)
    return words, listener.parse()


def test_every_word_of_a_book_has_its_grammar(network: LiteraryNetwork, encoder_folder: Path) -> None:
    words, parse = parsed(network, WordPieces(encoder_folder))
    assert parse is not None
    assert len(words) > 2_600  # more than one passage
    columns = (parse.tags, parse.lemmas, parse.heads, parse.relations, parse.events, parse.ends)
    assert {len(column) for column in columns} == {len(words)}
    for start, end in parse.sentences:
        heads = parse.heads[start:end]
        assert heads.count(ROOT) == 1
        assert all(head == ROOT or start <= head < end for head in heads)


def test_a_lemma_is_held_once_however_often_it_is_told(
    network: LiteraryNetwork, encoder_folder: Path
) -> None:
    _, parse = parsed(network, WordPieces(encoder_folder))
    assert parse is not None
    assert len({id(lemma) for lemma in parse.lemmas}) == len(set(parse.lemmas)) < len(parse.lemmas) / 10


def test_what_was_told_of_a_book_is_given_away(network: LiteraryNetwork, encoder_folder: Path) -> None:
    book = read(STORY.encode(), name="story.txt", force=True)
    listener = ParseCollector(network, words_of(tokenize(book), []))
    assert listener.parse() is not None
    assert listener.parse() is None


def test_a_book_is_parsed_as_its_sentences_alone_are(network: LiteraryNetwork, encoder_folder: Path) -> None:
    pieces = WordPieces(encoder_folder)
    words, parse = parsed(network, pieces)
    assert parse is not None
    alone = parse_words(network, pieces, [words.words[start:end] for start, end in words.sentences])
    same = sum(one == other for one, other in zip(parse.tags, alone.tags, strict=True))
    assert same > 0.9 * len(words)  # windows and neighbours differ
    assert len(alone.heads) == len(words)


def test_without_grammar_there_is_none(encoder_folder: Path) -> None:
    network, pieces = network_of(encoder_folder), WordPieces(encoder_folder)
    assert parsed(network, pieces)[1] is None
    with pytest.raises(ValueError, match="not taught"):
        parse_words(network, pieces, [["Ann"]])
