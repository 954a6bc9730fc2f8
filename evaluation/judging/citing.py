"""Measure which sentences about the novella keep a citation: `python -m evaluation.judging.citing` prints it.

Those of `sentences.csv` cite a passage each and go the whole way of an answer with the offline judge.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from coref.lookup import find
from evaluation import novella
from evaluation.judging.facts import answer_sentences
from evaluation.judging.judge_figures import Rate
from evaluation.judging.types import AnswerSentence
from evaluation.portraits.types import OpenedBook, SystemEngines
from evaluation.portraits.workroom import Workroom
from generation.answering import cited_by_facts, examine
from generation.checking.judges.offline_judge import OfflineJudge
from generation.checking.protocols import Judge
from generation.contexts import make_context
from generation.types import Draft, Prompt, Sentence, Task
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.citations import attach, cite
from generation.writing.prompts import make_prompt
from retrieval.protocols import Retriever
from retrieval.registry import make_embedder
from retrieval.types import Query

SHOWN: Final = 40
"""Passages that the writer is shown besides those that it cites."""


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence with what its writer was shown."""

    said: AnswerSentence
    prompt: Prompt
    home: int
    """The number of the passage that has its words."""


def measured(opened: OpenedBook) -> list[tuple[AnswerSentence, Sentence]]:
    """Return the sentences of `sentences.csv` as answers show them."""
    engines = SystemEngines(make_embedder(), OfflineJudge())
    telling, search = (opened.retriever(name, engines) for name in ("telling", "bm25"))
    written = list(shown(answer_sentences(), opened, telling))
    return list(answered(written, search, engines.judge))


def shown(said: Sequence[AnswerSentence], opened: OpenedBook, telling: Retriever) -> Iterator[ShownSentence]:
    """Yield the sentences, person by person."""
    passages = opened.index().passages
    for character, group in groupby(sorted(said, key=lambda s: s.character), key=lambda s: s.character):
        sentences = list(group)
        person = find(opened.annotations, character)
        context = make_context(opened.book, annotations=opened.annotations, people=[person])
        homes = [next(p for p in passages if s.words in " ".join(p.text.split())) for s in sentences]
        near = telling.search(Query(characters=(person.id,), text=person.name, k=SHOWN))
        there = {p.span: p for p in (*near, *homes)}
        prompt = make_prompt(context, task=Task.DESCRIPTION, passages=tuple(there.values()))
        spans = [p.span for p in prompt.passages]
        for sentence, home in zip(sentences, homes, strict=True):
            yield ShownSentence(sentence, prompt, spans.index(home.span) + 1)


def answered(
    written: Sequence[ShownSentence], search: Retriever, judge: Judge
) -> Iterator[tuple[AnswerSentence, Sentence]]:
    """Yield the sentences as an answer about each person shows them, citing the passages with their words."""
    for _, group in groupby(written, key=lambda s: s.said.character):
        about = list(group)
        prompt = about[0].prompt
        said = [WrittenSentence(s.said.text, (s.home,)) for s in about]
        draft = cite(Draft(attach(said, prompt)), prompt.context, search)
        facts = examine(draft, context=prompt.context, judge=judge, retriever=search).facts
        yield from zip(
            (s.said for s in about), cited_by_facts(draft.sentences, facts, proven=False), strict=True
        )


def kept(found: Sequence[tuple[AnswerSentence, Sentence]]) -> Mapping[bool, Rate]:
    """Return how many of the true and of the false sentences have a citation."""
    return {
        true: Rate(
            sum(bool(shown.citations) for said, shown in found if said.true is true),
            sum(said.true is true for said, _ in found),
        )
        for true in (True, False)
    }


def room(folder: Path) -> Workroom:
    from coref.registry import make_resolver

    return Workroom(folder, make_resolver("native"), make_embedder(), lambda _: None)


def main() -> None:
    with TemporaryDirectory() as folder, room(Path(folder)).open(novella.path()) as opened:
        found = measured(opened)
        for said, sentence in found:
            _line("cited" if sentence.citations else "not cited", _of(said.true), said.text)
        for true, rate in kept(found).items():
            _line(_of(true), f"{rate.of} of {rate.all}", f"{rate.value or 0:.1%}")


def _of(true: bool) -> str:
    return "true" if true else "false"


def _line(*cells: str) -> None:
    sys.stdout.write("\t".join(cells) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
