"""Training targets from a gold document, and the network's losses on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from coref.native.batching import batch_of
from coref.native.document import Document, Range
from coref.native.document_pass import found_spans, in_order, sides
from coref.native.network import (
    CATEGORIES,
    KINDS,
    MOST_WORDS,
    DocumentBatch,
    LiteraryNetwork,
    antecedent_scores,
)
from coref.native.pair_features import pair_features
from coref.native.word_pieces import WordPieces
from coref.training.litbank import LitbankDocument, LitbankMention

_MOST_WRONG = 600
"""Maximum number of mentions compared. An untrained network finds them everywhere."""


@dataclass(frozen=True, slots=True)
class CorefExample:
    name: str
    document: Document
    batch: DocumentBatch
    classes: Tensor
    """(words, MOST_WORDS): the class of each stretch, 0 for no mention."""
    gold: dict[Range, LitbankMention]
    events: Tensor
    """(words): 1 for events. Empty if they are not annotated."""
    links_only: bool = False
    """Whether nothing is learnt but who is meant: other mentions than those in `gold` may be missing."""


@dataclass(frozen=True, slots=True)
class CorefLosses:
    mentions: Tensor
    links: Tensor
    kinds: Tensor
    events: Tensor

    @property
    def total(self) -> Tensor:
        return self.mentions + self.links + 0.2 * self.kinds + 0.2 * self.events


def example_of(gold: LitbankDocument, pieces: WordPieces) -> CorefExample:
    classes = torch.zeros(len(gold.document.words), MOST_WORDS, dtype=torch.long)
    for mention in gold.mentions:
        start, end = mention.span
        if end - start <= MOST_WORDS:
            classes[start, end - start - 1] = 1 + CATEGORIES.index(mention.category)
    by_span = {mention.span: mention for mention in gold.mentions}
    events = torch.tensor(gold.events, dtype=torch.float)
    return CorefExample(gold.name, gold.document, batch_of(gold.document, pieces), classes, by_span, events)


def linked_example(
    name: str, document: Document, meant: Mapping[Range, str | None], pieces: WordPieces
) -> CorefExample:
    """Return an example of who is meant by given mentions. None is nobody else that is mentioned."""
    gold = {
        span: LitbankMention(span, CATEGORIES[0], "", f"alone:{at}" if who is None else who)
        for at, (span, who) in enumerate(sorted(meant.items()))
    }
    none = torch.empty(0)
    return CorefExample(name, document, batch_of(document, pieces), none, gold, none, links_only=True)


def hidden(batch: DocumentBatch, share: float, mask: int) -> DocumentBatch:
    """Return the batch with a share of its words masked, so that their meaning must come from the context."""
    words = torch.rand(batch.shapes.shape[0]) < share
    masked = words[batch.owners.clamp(min=0)] & (batch.owners >= 0)
    return replace(batch, pieces=batch.pieces.masked_fill(masked.view_as(batch.pieces), mask))


def losses(
    network: LiteraryNetwork, example: CorefExample, batch: DocumentBatch, *, with_found: bool
) -> CorefLosses:
    """Return the losses on a document.

    `batch` is the example's, possibly masked, and both are on the network's device. `with_found` compares the
    network's wrong mentions too, so that it learns not to link them.
    """
    outputs = network.encoder(batch.pieces, batch.present)
    words = network.words_of(outputs, batch)
    none = torch.zeros((), device=network.device)
    scores = none if example.links_only else network.mentions(words).float()
    spans = _spans(example, found_spans(scores, batch) if with_found and not example.links_only else [])
    represented = network.represent(words, *sides(spans))
    pairs = network.pairs(represented, pair_features(example.document, spans)).float()
    known = [example.gold.get(span) for span in spans]
    links = _link_loss(antecedent_scores(pairs), known)
    if example.links_only:
        return CorefLosses(none, links, none, none)
    of_mentions = cross_entropy(scores[batch.allowed], example.classes[batch.allowed], reduction="sum")
    return CorefLosses(
        mentions=of_mentions / max(1, len(example.gold)),
        links=links,
        kinds=_kind_loss(network.kind(represented).float(), known),
        events=_event_loss(network, example, batch, outputs),
    )


def _event_loss(
    network: LiteraryNetwork, example: CorefExample, batch: DocumentBatch, outputs: Sequence[Tensor]
) -> Tensor:
    if network.grammar is None or not len(example.events):
        return torch.zeros((), device=network.device)
    words = network.words_of(outputs, batch, grammar=True)
    scores = network.grammar.words(words).events.float()
    lost = binary_cross_entropy_with_logits(scores, example.events, reduction="sum")
    return lost / example.events.sum().clamp(min=1)


def _spans(example: CorefExample, found: Sequence[Range]) -> list[Range]:
    gold = {span for span in example.gold if span[1] - span[0] <= MOST_WORDS}
    more = set(found) if len(found) <= _MOST_WRONG else set()
    return in_order(list(gold | more))


def _link_loss(scores: Tensor, known: Sequence[LitbankMention | None]) -> Tensor:
    """Return the loss of antecedents.

    Any mention of the same entity is right. The first mention of an entity is new, and so is a wrong one.
    """
    entities = {mention.entity: at for at, mention in enumerate(known) if mention is not None}
    numbers = [entities[m.entity] if m is not None else -1 - at for at, m in enumerate(known)]
    own = torch.tensor(numbers, device=scores.device)
    same = (own[:, None] == own[None]).tril(-1)
    right = torch.cat([~same.any(1, keepdim=True), same], 1)
    least = torch.finfo(scores.dtype).min
    return (scores.logsumexp(1) - scores.masked_fill(~right, least).logsumexp(1)).mean()


def _kind_loss(scores: Tensor, known: Sequence[LitbankMention | None]) -> Tensor:
    told = [(row, KINDS.index(mention.kind)) for row, mention in enumerate(known) if mention is not None]
    rows, kinds = torch.tensor(told, dtype=torch.long, device=scores.device).reshape(-1, 2).unbind(1)
    return cross_entropy(scores[rows], kinds)
