"""Measure what the checks make of a good answer: each key fact is a sentence that cites its own quotation.

The writer, the extractor and the judge's model are scripted, and each is as good as it can be. The model
supports a statement if a quotation of the fact is in the passages that it is shown. It judges as a model of
the service does, after it has passed the test. So what is lost is lost between them: citations that are not
believed, and passages that are not found. The false facts of the corpus are written beside them, each citing
the passages nearest to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evaluation.corpus.quotations import spans_of
from evaluation.corpus.types import CorpusNovel
from evaluation.judging.judge_figures import Rate
from evaluation.keyfacts.linking import corpus_claim
from evaluation.keyfacts.people import character_of
from evaluation.portraits.types import OpenedBook
from generation.answering import cited_by_facts, examine
from generation.checking.judges.llm_judge import LlmJudge
from generation.checking.judges.proven_judge import ProvenJudge, exam
from generation.checking.protocols import Extracted, Judge
from generation.contexts import make_context
from generation.models.prompt_quoting import restored
from generation.models.protocols import Listener
from generation.models.types import Completion, CompletionRequest, Finish
from generation.types import Context, Draft, Label, Task, Usage
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.citations import attach, cite
from generation.writing.prompts import make_prompt
from retrieval.protocols import Retriever
from retrieval.types import Query

SHOWN: Final = 60
"""Passages that the writer is shown besides those that it cites."""
NEAR: Final = 3
"""Passages that a false fact cites."""
_NAMED: Final = re.compile(r" \[[^\]]*\]")
_PASSAGE: Final = re.compile(r"^\[(?P<number>\d+)\] (?:\([^)]*\) )?(?P<text>.+)$", re.MULTILINE)
_STATEMENT: Final = re.compile(r"^(?P<number>\d+): (?P<text>.+)$", re.MULTILINE)
_RUN: Final = 40
"""Characters of a long quotation that are enough to know it by."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A true sentence that cites its own quotation, or a false one, as it was shown and judged."""

    novel: str
    true: bool
    cited: bool
    """Whether it has a citation before it is judged."""
    judged: bool
    """Whether it has one after the model judged it, which had passed its test."""
    rightly: bool
    """Whether it cites a part of its quotation before it is judged."""
    verdict: Label
    offline: Label
    """What the offline judge says of it."""


@dataclass(frozen=True, slots=True)
class GoodAnswerFigures:
    cited: Rate
    rightly: Rate
    """Of the cited ones, those that cite a part of their quotation."""
    supported: Rate
    contradicted: Rate
    offline_supported: Rate
    false_offered: Rate
    """False sentences with a citation before they are judged."""
    false_cited: Rate
    """False sentences with a citation after the model judged them."""


def checked(
    novel: CorpusNovel, opened: OpenedBook, telling: Retriever, search: Retriever, offline: Judge
) -> Iterator[CheckedSentence]:
    """Yield the key facts of a novel's people, written as good answers."""
    marks = _Marks()
    for person in novel.people:
        character = character_of(person, opened.annotations)
        facts = [(f, spans) for f in person.true if (spans := spans_of(f.quotes, opened.book.text))]
        if character is None or not facts:
            continue
        told = [(f.fact, spans) for f, spans in facts] + [
            (f.fact, tuple(p.span for p in search.search(Query(text=f.fact, k=NEAR)))) for f in person.false
        ]
        context = make_context(opened.book, annotations=opened.annotations, people=[character])
        near = telling.search(Query(characters=(character.id,), text=character.name, k=SHOWN))
        homes = [
            p for p in opened.index().passages if any(p.span.overlaps(s) for _, some in told for s in some)
        ]
        shown = {p.span: p for p in (*near, *homes)}
        prompt = make_prompt(context, task=Task.ANALYSIS, passages=tuple(shown.values()))
        said = [
            WrittenSentence(
                text,
                tuple(n for n, p in enumerate(prompt.passages, 1) if any(p.span.overlaps(s) for s in spans)),
            )
            for text, spans in told
        ]
        draft = cite(Draft(attach(said, prompt)), context, search)
        reader = _OneClaimEach(person.name, character.id)
        model = _KnowingModel({f.fact: f.quotes for f, _ in facts} | _quotes_of_the_exam())
        judge = ProvenJudge(LlmJudge(model), instead=offline, records=marks)
        with_model, without = (
            examine(draft, context=context, judge=one, retriever=search, extractor=reader)
            for one in (judge, offline)
        )
        after = cited_by_facts(draft.sentences, with_model.facts, proven=with_model.proven)
        for at, (_, spans) in enumerate(told):
            citations = draft.sentences[at].citations
            yield CheckedSentence(
                novel.novel,
                at < len(facts),
                bool(citations),
                bool(after[at].citations),
                any(c.span.overlaps(s) for c in citations for s in spans),
                with_model.facts[at].verdict.label,
                without.facts[at].verdict.label,
            )


def figures(made: Iterable[CheckedSentence]) -> GoodAnswerFigures:
    both = list(made)
    every, false = [s for s in both if s.true], [s for s in both if not s.true]
    cited = [s for s in every if s.cited]

    def share(label: Label) -> Rate:
        return Rate(sum(s.verdict is label for s in every), len(every))

    return GoodAnswerFigures(
        cited=Rate(len(cited), len(every)),
        rightly=Rate(sum(s.rightly for s in cited), len(cited)),
        supported=share(Label.SUPPORTED),
        contradicted=share(Label.CONTRADICTED),
        offline_supported=Rate(sum(s.offline is Label.SUPPORTED for s in every), len(every)),
        false_offered=Rate(sum(s.cited for s in false), len(false)),
        false_cited=Rate(sum(s.judged for s in false), len(false)),
    )


def _quotes_of_the_exam() -> dict[str, Sequence[str]]:
    told = zip(exam().cases, exam().supported, strict=True)
    return {case.claim.text: [p.text for p in case.passages] if right else [] for case, right in told}


class _Marks(dict[str, float]):
    """The marks of the examination."""

    def put(self, judge: str, mark: float) -> None:
        self[judge] = mark


class _OneClaimEach:
    """An extractor for sentences that are one fact each, all about one person."""

    name = "scripted"

    def __init__(self, person: str, character: str) -> None:
        self._person, self._character = person, character

    def extract(self, draft: Draft, context: Context) -> Extracted:
        made = (
            corpus_claim(s.text, self._person, self._character, context.annotations) for s in draft.sentences
        )
        claims = zip(made, draft.sentences, strict=True)
        return Extracted([replace(c, sentence=n, citations=s.citations) for n, (c, s) in enumerate(claims)])


class _KnowingModel:
    """A language model that knows which quotations bear a statement out, and judges by them alone."""

    name = "scripted"
    context = 16_384

    def __init__(self, quotes: Mapping[str, Sequence[str]]) -> None:
        self._quotes = {_plain(fact): [_plain(q) for q in some] for fact, some in quotes.items()}

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def count_prompt(self, messages: Sequence[object]) -> int:
        return sum(self.count_tokens(str(m)) for m in messages)

    def complete(
        self,
        requests: Sequence[CompletionRequest],
        *,
        listener: Listener | None = None,  # noqa: ARG002
    ) -> list[Completion]:
        return [Completion(self._verdicts(r.messages[-1].content), Finish.STOP, Usage()) for r in requests]

    def _verdicts(self, asked: str) -> str:
        passages, _, statements = asked.partition("</book>")
        shown = {int(m["number"]): _plain(m["text"]) for m in _PASSAGE.finditer(passages)}
        rows = []
        for statement in _STATEMENT.finditer(statements):
            quotes = self._quotes.get(_plain(statement["text"]), ())
            where = [n for n, text in shown.items() if any(_has(text, quote) for quote in quotes)]
            label = Label.SUPPORTED if where else Label.UNSUPPORTED
            rows.append({"statement": int(statement["number"]), "label": label, "passages": where})
        return json.dumps({"verdicts": rows})


def _has(text: str, quote: str) -> bool:
    return quote in text or any(
        quote[at : at + _RUN] in text for at in range(0, len(quote) - _RUN, _RUN // 2)
    )


def _plain(text: str) -> str:
    return " ".join(_NAMED.sub("", restored(text)).split()).casefold()
