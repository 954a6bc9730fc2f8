"""Evaluate the literary model's network on gold documents, as its training does after each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coref.native.book_parser import parse_words
from coref.native.document import Range
from coref.native.document_pass import LinkedMentions, link
from coref.native.network import MOST_WORDS, LiteraryNetwork
from coref.native.precision import reduced
from coref.native.word_pieces import WordPieces
from coref.protocols import ParsedWords
from coref.training.coref_targets import CorefExample
from coref.training.english_treebank import EnglishTreebank
from evaluation.coref.litbank import events
from evaluation.coref.scores import Coreference, coreference, mentions
from evaluation.coref.tallies import NOTHING, pooled
from evaluation.coref.treebank_scores import measured

_CHOSEN_BY = ("mention_f1", "conll", "conll_given_mentions", "labelled", "conll_meant")


def measure(
    network: LiteraryNetwork,
    examples: Sequence[CorefExample],
    treebank: Sequence[EnglishTreebank],
    pieces: WordPieces,
    *,
    meant: Sequence[CorefExample] = (),
) -> Mapping[str, float]:
    """Return F1 of mention spans; CoNLL with singletons, for found and given mentions; and grammar.

    For the examples of `meant`, which have only who is meant, CoNLL of given mentions is returned. The score
    that selects an epoch is included too: the mean of the three, of that, and of labelled attachment.
    """
    spans, found, given = NOTHING, Coreference(), Coreference()
    for example in examples:
        with reduced(network.device.type):
            free = link(network, example.document, example.batch)
        spans += mentions(example.gold, free.spans)
        found += coreference(_gold(example), _clusters(free))
        given += _given(network, example)
    figures = {
        "conll": round(found.conll, 4),
        "mention_f1": round(spans.f1, 4),
        "mention_precision": round(spans.precision.value, 4),
        "mention_recall": round(spans.recall.value, 4),
        "conll_given_mentions": round(given.conll, 4),
    }
    if network.grammar is not None:
        parser = _Parser(network, pieces)
        figures |= _grammar(treebank, parser)
        figures["event_f1"] = round(_event_f1(examples, parser), 4)
    if meant:
        figures["conll_meant"] = round(sum((_given(network, each) for each in meant), Coreference()).conll, 4)
    chosen = [figures[name] for name in _CHOSEN_BY if name in figures]
    return {"score": round(sum(chosen) / len(chosen), 4), **figures}


def _given(network: LiteraryNetwork, example: CorefExample) -> Coreference:
    able = [span for span in example.gold if span[1] - span[0] <= MOST_WORDS]
    with reduced(network.device.type):
        told = link(network, example.document, example.batch, given=able)
    return coreference(_gold(example), _clusters(told))


@dataclass(frozen=True, slots=True)
class _Parser:
    network: LiteraryNetwork
    pieces: WordPieces

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords:
        return parse_words(self.network, self.pieces, sentences)


def _grammar(treebank: Sequence[EnglishTreebank], parser: _Parser) -> dict[str, float]:
    """Return the grammar scores, with punctuation and with subtypes of relations."""
    found = measured(treebank, parser)
    shares = {
        "tags": found.tags,
        "lemmas": found.lemmas,
        "unlabelled": found.unlabelled,
        "labelled": found.labelled_with_subtypes,
    }
    return {name: round(share.value, 4) for name, share in shares.items() if share.all}


def _event_f1(examples: Sequence[CorefExample], parser: _Parser) -> float:
    marked = (example for example in examples if len(example.events))
    return pooled(events(each.document, each.events.bool().tolist(), parser) for each in marked).f1


def _gold(example: CorefExample) -> list[list[Range]]:
    entities: dict[str, list[Range]] = {}
    for span, mention in example.gold.items():
        entities.setdefault(mention.entity, []).append(span)
    return list(entities.values())


def _clusters(linked: LinkedMentions) -> list[list[Range]]:
    return [[linked.spans[at] for at in cluster] for cluster in linked.clusters]
