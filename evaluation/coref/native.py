"""The literary model's network on gold documents, as its training asks after each epoch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import torch

from coref.native.batching import batch_of
from coref.native.document import Range
from coref.native.grammar import Grammar, parse
from coref.native.network import MOST_WORDS, Network
from coref.native.pieces import Pieces
from coref.native.reading import Linked, link
from coref.training.ewt import Treebank, Word
from coref.training.example import Example
from evaluation.coref.scores import Coreference, coreference, mentions
from evaluation.coref.tallies import NOTHING

_CHOSEN_BY = ("mention_f1", "conll", "conll_given_mentions", "labelled")


def measure(
    network: Network, examples: Sequence[Example], treebank: Sequence[Treebank], pieces: Pieces
) -> Mapping[str, float]:
    """F1 of mention spans; CoNLL with singletons, of found and given mentions; grammar; and what an epoch is
    chosen by: the mean of the three and of labelled attachment."""
    spans, found, given = NOTHING, Coreference(), Coreference()
    for example in examples:
        wanted = _gold(example)
        able = [span for span in example.gold if span[1] - span[0] <= MOST_WORDS]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            free = link(network, example.document, example.batch)
            told = link(network, example.document, example.batch, given=able)
        spans += mentions(example.gold, free.spans)
        found += coreference(wanted, _clusters(free))
        given += coreference(wanted, _clusters(told))
    figures = {
        "conll": round(found.conll, 4),
        "mention_f1": round(spans.f1, 4),
        "mention_precision": round(spans.precision.value, 4),
        "mention_recall": round(spans.recall.value, 4),
        "conll_given_mentions": round(given.conll, 4),
    }
    if network.grammar is not None:
        figures |= _grammar(network, network.grammar, treebank, pieces)
        figures["event_f1"] = round(_events(network, network.grammar, examples), 4)
    chosen = [figures[name] for name in _CHOSEN_BY if name in figures]
    return {"score": round(sum(chosen) / len(chosen), 4), **figures}


def _grammar(
    network: Network, grammar: Grammar, treebank: Sequence[Treebank], pieces: Pieces
) -> dict[str, float]:
    """Shares of the words that are right, marks included; labels with their subtypes."""
    told = grammar.vocabulary
    lemmatizer = told.lemmatizer()
    right: Counter[str] = Counter()
    for part in treebank:
        batch = batch_of(part.document, pieces)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = network.encoder(batch.pieces, batch.present)
            words = network.words_of(outputs, batch, grammar=True)
            parsed = parse(grammar, words, part.document.sentences)
        for at, (start, word) in enumerate(_placed(part)):
            attached = parsed.heads[at] == (start + word.head if word.head >= 0 else -1)
            right["words"] += 1
            right["tags"] += told.tags[parsed.tags[at]] == word.tag
            lemma = lemmatizer.lemma(word.text, told.tags[parsed.tags[at]], parsed.scripts[at])
            right["lemmas"] += lemma == word.lemma
            right["unlabelled"] += attached
            right["labelled"] += attached and told.relations[parsed.relations[at]] == word.relation
    return {name: round(count / right["words"], 4) for name, count in right.items() if name != "words"}


def _placed(part: Treebank) -> Iterator[tuple[int, Word]]:
    """Every word with where its sentence starts."""
    for sentence, (start, _) in zip(part.sentences, part.document.sentences, strict=True):
        yield from ((start, word) for word in sentence)


def _events(network: Network, grammar: Grammar, examples: Sequence[Example]) -> float:
    right = told = wanted = 0
    for example in (example for example in examples if len(example.events)):
        batch = example.batch
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = network.encoder(batch.pieces, batch.present)
            scores = grammar.words(network.words_of(outputs, batch, grammar=True)).events
        happens, gold = scores > 0, example.events > 0
        right += int((happens & gold).sum())
        told += int(happens.sum())
        wanted += int(gold.sum())
    return 2 * right / max(1, told + wanted)


def _gold(example: Example) -> list[list[Range]]:
    entities: dict[str, list[Range]] = {}
    for span, mention in example.gold.items():
        entities.setdefault(mention.entity, []).append(span)
    return list(entities.values())


def _clusters(linked: Linked) -> list[list[Range]]:
    return [[linked.spans[at] for at in cluster] for cluster in linked.clusters]
