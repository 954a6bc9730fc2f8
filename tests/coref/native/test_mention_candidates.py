"""The network's mentions as candidates."""

from __future__ import annotations

from collections.abc import Sequence

from coref.native.book_pass import FoundMentions
from coref.native.groundwork import lay
from coref.native.mention_candidates import NetworkMention, sight
from coref.types import EntityCategory, MentionKind
from tests.coref.conftest import make_book


def sighted(text: str, wanted: Sequence[str]) -> list[NetworkMention]:
    ground = lay(make_book(text))
    found = FoundMentions()
    for words in wanted:
        at = text.index(words)
        found.spans.append(ground.words.within(at, at + len(words)))
        found.kinds.append(MentionKind.NOMINAL)
        found.categories.append(EntityCategory.PERSON)
    return sight(found, ground.words, ground.tokens)


def test_a_mention_does_not_run_on_over_the_end_of_a_quotation() -> None:
    text = "“Where is Tom?” said Bess to the man who sang “Home”. Her old friend laughed."
    sightings = sighted(text, ("Tom?” said Bess", "Tom", "the man who sang “Home", "Her old friend"))
    assert [s.span.of(text) for s in sightings] == ["Tom", "Tom", "the man", "Her old friend"]
    assert [s.quote >= 0 for s in sightings] == [True, True, False, False]


def test_somebodys_house_is_called_by_their_name_only() -> None:
    text = "He ran down to Farmer Boldwood's, and then to the boys' room."
    assert [s.span.of(text) for s in sighted(text, ("Farmer Boldwood's", "the boys'"))] == [
        "Farmer Boldwood",
        "the boys",
    ]
