"""The offline judge: entailment head and reader read a claim with what was found for it.

A quotation of the book is looked up instead. In both cases the verdict is at most as sure as `coref` is of
the people in the evidence. How a writer composed a claim does not count.

The head reads English alone: of what is said in Chinese, or of a Chinese book, only quotations are judged.

This judge does not say that the book contradicts a claim: nothing that it reads tells that often enough. Nor
does it say that nothing supports what two people are to each other: of ties that hold, the head finds as many
unlikely as of others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from generation.checking.entailment.entailment_head import Reading
from generation.checking.entailment.reading_head import ReadingHead, own_head
from generation.checking.entailment.sentence_search import LONGEST
from generation.checking.protocols import Judged
from generation.checking.types import Case, Evidence
from generation.story.ties.relation_words import relation_words
from generation.types import Category, Citation, Claim, Label, Verdict
from retrieval.sentences import flat
from retrieval.tokenizer import is_chinese

NAME: Final = "offline/8"
SURE: Final = 0.8
"""Minimum certainty that a quotation is about its subject."""
LIKELY: Final = 0.5
"""Minimum certainty of the people in the evidence for a verdict that takes a side."""
_WORD = re.compile(r"\w+(?:-\w+)*")


class OfflineJudge:
    name = NAME

    def __init__(self, head: ReadingHead | None = None) -> None:
        """Create the judge. The bundled head is loaded when it is first needed."""
        self._head = head

    def judge(self, cases: Sequence[Case]) -> Judged:
        read = [at for at, case in enumerate(cases) if _readable(case)]
        head = (self._head or own_head()) if read else None
        found = dict(zip(read, head.read([cases[at] for at in read]), strict=True)) if head else {}
        verdicts = [
            _quoted(case) if case.claim.quoted else self._verdict(case, found.get(at))
            for at, case in enumerate(cases)
        ]
        return Judged(verdicts)

    def _verdict(self, case: Case, read: Reading | None) -> Verdict:
        if read is None and _foreign(case):
            return Verdict(Label.UNCERTAIN, 0.0, (), self.name)
        if read is None or read.best is None:
            return Verdict(Label.UNSUPPORTED, 1.0, (), self.name)
        told = (self._head or own_head()).weights
        sure = read.best.certainty
        places = (Citation(read.best.span, read.best.chapter),)
        if case.claim.subject is None or sure < LIKELY:
            found = Verdict(Label.UNCERTAIN, read.supported, places, self.name)
        elif read.supported >= told.supported:
            found = Verdict(Label.SUPPORTED, read.supported, places, self.name)
        elif read.supported < told.unsupported and not _says_a_tie(case.claim):
            return Verdict(Label.UNSUPPORTED, round(1 - read.supported, 3), (), self.name)
        else:
            found = Verdict(Label.UNCERTAIN, read.supported, places, self.name)
        return replace(found, score=round(min(found.score, sure), 3))


def _readable(case: Case) -> bool:
    text = case.claim.text
    short = 0 < len(text) <= LONGEST and bool(text.strip())
    return not case.claim.quoted and bool(case.evidence) and short and not _foreign(case)


def _says_a_tie(claim: Claim) -> bool:
    """Whether a claim says what two people are to each other."""
    words = _WORD.findall(claim.text.casefold())
    people = {named.character for named in claim.people}
    return (
        claim.category is Category.RELATIONSHIP and len(people) > 1 and not relation_words().isdisjoint(words)
    )


def _foreign(case: Case) -> bool:
    """Whether claim or evidence is Chinese, which the head cannot read."""
    return is_chinese(case.claim.text) or any(is_chinese(found.text) for found in case.evidence)


def _quoted(case: Case) -> Verdict:
    """Look a quotation up at the places that it cites."""
    words = flat(case.claim.text)
    there = [cited for cited in case.cited if words and words in flat(cited.text)]
    best: Evidence | None = max(there, key=lambda cited: cited.certainty, default=None)
    if best is None:
        return Verdict(Label.UNSUPPORTED, 1.0, (), NAME)
    label = Label.SUPPORTED if best.certainty >= SURE else Label.UNCERTAIN
    return Verdict(label, round(best.certainty, 3), (Citation(best.span, best.chapter),), NAME)
