"""The judge against the novella's gold: how many true facts it supports, and how few false ones."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import pytest

from books.types import ParagraphKind
from coref.language.lemmas import Mender
from evaluation import novella
from evaluation.novella import Gold, NovellaFact
from generation.checking import evidence
from generation.checking.claims.offline_extractor import OfflineExtractor
from generation.checking.judges.offline_judge import OfflineJudge
from generation.contexts import make_context
from generation.lexicon import words
from generation.stems import stem
from generation.types import Context, Draft, Label, Sentence
from retrieval.types import Passage, Query
from tests.novella import OpenedNovella

Judged = Callable[[Sequence[str]], list[str]]
_AUXILIARY = re.compile(r" (?:was|is|had|could|would) ")
_DENIED = re.compile(r"\b(?:not|never|no|neither|without|cannot|nobody|nothing)\b")


@pytest.fixture(scope="module")
def gold() -> Gold:
    return novella.gold()


@pytest.fixture(scope="module")
def context(low_water: OpenedNovella) -> Context:
    book, annotations, _ = low_water
    return make_context(book, annotations=annotations, people=[annotations.characters[0]])


@pytest.fixture(scope="module")
def supported(context: Context) -> Judged:
    book = context.book
    prose = [p for p in book.paragraphs if p.kind is ParagraphKind.PROSE]
    every = [Passage(p.index, p.span, p.chapter, book.slice(p.span)) for p in prose]
    stems = [{stem(w) for w in re.findall(r"\w+", p.text)} for p in every]

    class Nearest:
        name = "nearest"

        def search(self, query: Query) -> list[Passage]:
            wanted = {stem(w) for w in re.findall(r"\w+", query.text) if w.lower() not in words("stop_words")}
            ranked = sorted(range(len(every)), key=lambda at: -len(wanted & stems[at]))
            return [every[at] for at in ranked[: query.k]]

    def judge(texts: Sequence[str]) -> list[str]:
        kept = []
        for text in texts:
            made = OfflineExtractor().extract(Draft((Sentence(text, ()),)), context).claims
            verdicts = (
                OfflineJudge()
                .judge([evidence.gather(c, context=context, retriever=Nearest()) for c in made])
                .verdicts
            )
            kept += [text] * all(v.label is Label.SUPPORTED for v in verdicts)
        return kept

    return judge


@pytest.mark.soak
def test_a_floor_of_true_facts_is_supported(gold: Gold, supported: Judged) -> None:
    """The judge is strict on purpose: most paraphrases stay uncertain. The floor only ever rises."""
    assert len(supported([f.text for f in gold.facts])) >= 0.1 * len(gold.facts)


@pytest.mark.soak
def test_facts_of_somebody_else_are_not_supported(gold: Gold, supported: Judged) -> None:
    swapped = [text for f in gold.facts if (text := _of_another(f, gold))]
    assert len(swapped) > 100
    assert len(supported(swapped)) <= 0.08 * len(swapped)


@pytest.mark.soak
def test_denied_facts_are_not_supported(gold: Gold, supported: Judged) -> None:
    denied = [text for f in gold.facts if not _DENIED.search(f.text) and (text := _denied(f.text))]
    assert len(denied) > 100
    assert len(supported(denied)) <= 0.1 * len(denied)


@pytest.mark.soak
def test_facts_with_a_false_detail_are_not_supported(gold: Gold, supported: Judged) -> None:
    drawn = random.Random(7)
    details = [w for f in gold.facts for w in _details(f.text)]
    bent = []
    for fact in gold.facts:
        mine = _details(fact.text)
        if mine:
            other = drawn.choice([w for w in details if w not in fact.text])
            bent.append(re.sub(rf"\b{drawn.choice(mine)}\b", other, fact.text, count=1))
    assert len(supported(bent)) <= 0.25 * len(bent)


def _of_another(fact: NovellaFact, gold: Gold) -> str | None:
    me = next(c for c in gold.characters if c.id == fact.character)
    others = [c for c in gold.characters if c.id != me.id and c.pronouns == me.pronouns]
    names = sorted({me.name, *(a.text for a in me.aliases)}, key=len, reverse=True)
    called = next((n for n in names if fact.text.startswith(n)), None)
    if called is None or not others:
        return None
    return random.Random(fact.id).choice(others).name + fact.text[len(called) :]


def _denied(text: str) -> str | None:
    match = _AUXILIARY.search(text)
    if match:
        return f"{text[: match.end()]}not {text[match.end() :]}"
    for word in re.finditer(r" ([a-z]+)", text):
        base = Mender([]).of(word[1], "VERB", word[1])
        if base != word[1]:
            return f"{text[: word.start()]} did not {base}{text[word.end() :]}"
    return None


def _details(text: str) -> list[str]:
    return [w for w in re.findall(r"\b[a-z]{4,}\b", text) if w not in words("stop_words")]
