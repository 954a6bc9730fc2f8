"""Books are resolved and indexed once, and again when the stored data is damaged or another engine's."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

import coref.storage
from books.types import Book
from coref.types import Annotations
from evaluation.portraits.workroom import Workroom
from retrieval.registry import make_embedder
from tests.evaluation.portraits.shop import STORY, annotations


@dataclass
class Counting:
    """A resolver that knows this one story."""

    name: str = "counting/1"
    asked: int = 0

    def annotate(self, book: Book, **_: object) -> Annotations:
        self.asked += 1
        return annotations(book.text)


@dataclass
class Room:
    folder: Path
    book: Path
    resolver: Counting = field(default_factory=Counting)
    news: list[str] = field(default_factory=list)

    def people(self, *, index: bool = False) -> list[str]:
        room = Workroom(self.folder, self.resolver, make_embedder("hashing"), self.news.append)  # type: ignore[arg-type]
        with room.open(self.book) as opened:
            if index:
                assert opened.index() is opened.index()
                assert len(opened.index()) > 3
            return [character.name for character in opened.annotations.characters]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    book = tmp_path / "7_the_lamp.txt"
    book.write_text(STORY)
    return Room(tmp_path / "work", book)


def test_once(room: Room) -> None:
    assert room.people() == ["Anne", "Peter"]
    assert room.people() == ["Anne", "Peter"]
    assert room.resolver.asked == 1
    assert room.news == ["Resolving the lamp"]


def test_the_index_is_made_when_it_is_needed(room: Room) -> None:
    room.people()
    room.people(index=True)
    room.people(index=True)
    assert room.news == ["Resolving the lamp", "Indexing the lamp"]


def test_anew_for_another_resolver_or_text(room: Room) -> None:
    room.people()
    room.resolver.name = "counting/2"
    room.people()
    room.book.write_text(STORY + "\n\nThe end.\n")
    room.people()
    assert room.resolver.asked == 3


def test_anew_when_it_is_damaged(room: Room) -> None:
    room.people(index=True)
    [kept] = room.folder.rglob(coref.storage.FILE)
    kept.write_bytes(kept.read_bytes()[:-40])
    [card] = room.folder.rglob("index.json")
    card.write_text("{}")
    assert room.people(index=True) == ["Anne", "Peter"]
    assert room.news == ["Resolving the lamp", "Indexing the lamp"] * 2
