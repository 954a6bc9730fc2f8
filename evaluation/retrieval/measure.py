"""Measure retrievers on novels with known speakers: how many of a character's passages they return.

Passages are paragraphs, with over-long ones cut. Wanted are those in which, by the gold, the character speaks
or is mentioned in speech. Every retriever is asked for the character by id, as in the service; with the
resolver's own cast that is the partner of the gold's character (`coref/casting.py`): a character who was
split in two is asked for once, and one who was not found by nobody's id.

A limitation: a retriever that returns passages in which only the narration mentions somebody may be right in
all of them and gets no credit. The gold's cast contains no such passages, so under a limit it has more room
for what counts. The loss by the resolver shows in the unlimited recall of passages in which somebody is
mentioned: with the gold's cast, `mentions` has all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from coref.types import Annotations
from evaluation.coref.casting import cast, speakers_of
from evaluation.coref.pdnc import PdncNovel
from evaluation.coref.tallies import Share
from evaluation.retrieval.gold import CharacterPassages, WantedPassages, oracle, wanted
from evaluation.retrieval.types import CastSource, RetrievalCase, RetrievalFigures, RetrievalScores
from retrieval.index import BookIndex, build
from retrieval.protocols import Embedder, Retriever
from retrieval.registry import make_retriever
from retrieval.types import Query

CATEGORIES = ("major", "intermediate")
"""Categories of the gold's characters: a minor one has too few passages to choose among."""
K = 80


@dataclass(frozen=True, slots=True)
class KnownCast:
    """A cast to query: annotations, and the gold's characters in them."""

    annotations: Annotations
    ids: Mapping[str, str]
    """From the gold's main name."""


def measured(
    novel: PdncNovel, annotations: Annotations, *, retrievers: Sequence[str], embedder: Embedder, k: int = K
) -> RetrievalScores:
    """Measure retrievers; `annotations` are the resolver's."""
    truth = oracle(novel)
    casts = {
        CastSource.OWN: KnownCast(annotations, partners(novel, annotations)),
        CastSource.GOLD: KnownCast(truth, {character.id: character.id for character in truth.characters}),
    }
    with TemporaryDirectory() as scratch:
        build(novel.book, Path(scratch), embedder=embedder)
        with BookIndex.open(Path(scratch), book=novel.book) as index:
            count = len(index)
            gold = wanted(novel, index.spans)
            cases: dict[RetrievalCase, RetrievalFigures] = {}
            for whose, known in casts.items():
                for name in retrievers:
                    retriever = make_retriever(
                        name, index=index, annotations=known.annotations, embedder=embedder
                    )
                    for case, most in _cases(whose, name, k, count):
                        people = _people(novel, gold, case.category)
                        cases[case] = sum(_asked(retriever, people, known, gold, most), RetrievalFigures())
    met = casts[CastSource.OWN].ids
    people_of = {category: _people(novel, gold, category) for category in CATEGORIES}
    return RetrievalScores(
        novel.name,
        count,
        {category: len(people) for category, people in people_of.items()},
        {category: sum(name in met for name in people) for category, people in people_of.items()},
        cases,
    )


def together(name: str, parts: Sequence[RetrievalScores]) -> RetrievalScores:
    cases: dict[RetrievalCase, RetrievalFigures] = {}
    for part in parts:
        for case, figures in part.cases.items():
            cases[case] = cases.get(case, RetrievalFigures()) + figures
    return RetrievalScores(
        name,
        sum(part.passages for part in parts),
        {category: sum(part.characters[category] for part in parts) for category in CATEGORIES},
        {category: sum(part.found[category] for part in parts) for category in CATEGORIES},
        cases,
    )


def partners(novel: PdncNovel, annotations: Annotations) -> dict[str, str]:
    """Map the gold's main names to the ids of the resolver's characters."""
    quotes = speakers_of(novel.quotes, annotations)
    casting = cast(novel, annotations, [quote.speaker if quote else None for quote in quotes])
    return {gold: ours for ours, gold in casting.partners.items()}


def _cases(whose: CastSource, retriever: str, k: int, count: int) -> Iterator[tuple[RetrievalCase, int]]:
    """Yield the cases, each with how many passages are requested."""
    for limit, most in ((k, k), (None, count)):
        for category in CATEGORIES:
            yield RetrievalCase(category, whose, retriever, limit), most


def _people(novel: PdncNovel, gold: WantedPassages, category: str) -> list[str]:
    return [name for name in gold.characters if novel.cast[name].category == category]


def _asked(
    retriever: Retriever, names: Sequence[str], known: KnownCast, gold: WantedPassages, most: int
) -> Iterator[RetrievalFigures]:
    for name in names:
        ids = (known.ids[name],) if name in known.ids else ()
        found = {passage.index for passage in retriever.search(Query(characters=ids, k=most))}
        yield judged(found, gold.characters[name], gold, most)


def judged(found: set[int], present: CharacterPassages, gold: WantedPassages, most: int) -> RetrievalFigures:
    """Return the figures of one character: `found` was returned, `most` could have been."""
    right = present.anyhow
    recall = Share(len(found & right), len(right))
    return RetrievalFigures(
        recall=recall,
        speaking=Share(len(found & present.speaking), len(present.speaking)),
        mentioned=Share(len(found & present.mentioned), len(present.mentioned)),
        recall_by_character=Share(recall.value, 1),
        possible=Share(min(most, len(right)), len(right)),
        precision=Share(len(found & right), len(found & gold.quoting)),
        precision_in_speech=Share(len(found & right & gold.speech), len(found & gold.speech)),
        returned=Share(len(found), 1),
    )
