"""Thirty descriptions by a small model of which nothing was rejected, each sentence judged by hand.

Hardly a text of so bad a model is shown, so those shown do not tell what becomes of its sentences. Here each
goes the whole way of an answer, without the test that rejects texts.

`python -m evaluation.judging.small_drafts` prints the figures. With the address of a model's server it writes
the descriptions again, and prints rows that lack what a reader adds by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from coref.lookup import find
from evaluation import novella
from evaluation.judging.citing import room
from evaluation.judging.small_answers import DESCRIBED, PASSAGES, judged, write
from evaluation.portraits.types import OpenedBook, SystemEngines
from generation.answering import cited_by_facts, examine
from generation.checking.judges.offline_judge import OfflineJudge
from generation.contexts import make_context
from generation.errors import DraftRejected
from generation.models.types import OpenAISetup, WriterSetup
from generation.protocols import Generator
from generation.registry import make_generator
from generation.types import AnswerLimits, Fact, Label, Prompt, Sentence, Task
from generation.writing.citations import cite
from generation.writing.prompts import make_prompt
from retrieval.protocols import Retriever
from retrieval.registry import make_embedder
from retrieval.types import Query

TABLE: Final = "small_drafts.csv"
COLUMNS: Final = ("about", "seed", "sentence", "cited", "supported")
"""`cited` are quotations, `supported` facts, one a line."""
SEEDS: Final = 3
_WORDS: Final = 40
_TEMPERATURE: Final = 0.8
_EXTRA: Final = {"repeat_penalty": 1.25}


def drafts(opened: OpenedBook, generator: Generator) -> Iterator[dict[str, object]]:
    """Yield the sentences of the descriptions. A text that breaks the template has none."""
    engines = SystemEngines(make_embedder(), OfflineJudge())
    telling, search = (opened.retriever(name, engines) for name in ("telling", "bm25"))
    for seed in range(SEEDS):
        limits = AnswerLimits(_WORDS, seed, _TEMPERATURE)
        for name in DESCRIBED:
            person = find(opened.annotations, name)
            context = make_context(opened.book, annotations=opened.annotations, people=[person])
            near = telling.search(Query(characters=(person.id,), text=person.name, k=PASSAGES))
            prompt = make_prompt(context, task=Task.DESCRIPTION, passages=near)
            for sentence, facts in answered(prompt, limits, generator, search):
                quotes = (" ".join(c.span.of(opened.book.text).split()) for c in sentence.citations)
                yield {
                    "about": name,
                    "seed": seed,
                    "sentence": sentence.text,
                    "cited": "\n".join(quotes),
                    "supported": "\n".join(f.claim.text for f in facts if f.verdict.label is Label.SUPPORTED),
                }


def answered(
    prompt: Prompt, limits: AnswerLimits, generator: Generator, search: Retriever
) -> Iterator[tuple[Sentence, list[Fact]]]:
    """Yield the sentences of an answer with their facts, as a reader would see them."""
    try:
        draft = generator.generate(prompt, limits)
    except DraftRejected:
        return
    draft = cite(draft, prompt.context, search)
    facts = examine(draft, context=prompt.context, judge=OfflineJudge(), retriever=search).facts
    for at, sentence in enumerate(cited_by_facts(draft.sentences, facts, proven=False)):
        yield sentence, [f for f in facts if f.claim.sentence == at]


def table(found: Sequence[Mapping[str, str]]) -> str:
    """Return what became of sentences, by what a reader called them, as a table in Markdown."""
    lines = [
        "| | sentences | with a citation | with a supported fact | false facts supported |",
        "|---|---|---|---|---|",
    ]
    for verdict in ("true", "false", "empty"):
        some = [row for row in found if row["verdict"] == verdict]
        counts = (
            len(some),
            *(sum(bool(row[column]) for row in some) for column in ("cited", "supported")),
            sum(int(row["false_facts"] or 0) for row in some),
        )
        lines.append(f"| {verdict} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        sys.stdout.write(table(judged(TABLE)))
        return
    generator = make_generator("openai", setup=WriterSetup(openai=OpenAISetup(arguments[0], extra=_EXTRA)))
    with TemporaryDirectory() as folder, room(Path(folder)).open(novella.path()) as opened:
        write(COLUMNS, drafts(opened, generator))


if __name__ == "__main__":
    main(sys.argv[1:])
