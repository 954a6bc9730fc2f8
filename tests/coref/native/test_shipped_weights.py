"""The weights in the repository: complete, small, and trained on permitted data."""

from __future__ import annotations

import pytest

from coref.native.weights import FILE, PLACE, load_network, read_manifest
from coref.registry import RESOLVERS

pytestmark = pytest.mark.skipif("native" not in RESOLVERS, reason="no resolver uses them yet")
ALLOWED = ("LitBank, CC BY 4.0", "UD English EWT, CC BY-SA 4.0", "CC0 1.0", "public domain")


def test_they_load_and_know_grammar() -> None:
    network = load_network()
    assert network.grammar is not None
    assert {"NOUN", "PROPN", "VERB"} <= set(network.grammar.vocabulary.tags)
    assert "nsubj" in network.grammar.vocabulary.relations


def test_they_are_small() -> None:
    assert (PLACE / FILE).stat().st_size <= 50_000_000


def test_they_say_what_they_were_trained_on() -> None:
    origin = read_manifest().origin
    assert origin.trained_on
    assert all(any(allowed in text for allowed in ALLOWED) for text in origin.trained_on)
    assert "bookworm train" in origin.command
    assert {"mention_f1", "score", "tags", "labelled", "event_f1"} <= set(origin.figures)
