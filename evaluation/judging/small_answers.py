"""Thirty answers about the novella by a small model, of which each sentence shown was judged by hand.

`python -m evaluation.judging.small_answers` prints their figures. With the address of a running service it
makes the answers again, and prints rows that lack what a reader adds by hand.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from evaluation import novella

COLUMNS: Final = ("answer", "kind", "about", "seed", "rejected", "sentence", "cited", "supported")
"""`sentence` is empty if the answer was rejected. `cited` are quotations, `supported` facts, one a line."""
BY_HAND: Final = ("verdict", "false_facts")
"""`verdict` is `true`, `false` or `empty`. `false_facts` is how many of the supported facts are false."""
KINDS: Final = ("description", "analysis", "joint", "question", "summary")
_SECONDS: Final = 1800
PASSAGES: Final = 3
"""So small a model is slow, and has room for few."""
DESCRIBED: Final = (
    "Elizabeth Farrow",
    "Adelaide Quarles Dunnock",
    "Lady Vance",
    "Mr. Crispin Kettlewell",
    "Tom Larkin",
    "Mr. Nuttall",
    "Freddy Kettlewell",
    "Captain Obadiah Crane",
    "Ned Pinnock",
    "Kitty Lomax",
)
_ASKED: Final = (
    "Who is Tom Larkin?",
    "What did Crispin Kettlewell do with the letter?",
    "Why did the Lydia strike the sandbank?",
    "Who calculates the tide tables?",
    "What does the lamplighter do at half past two?",
    "Why does Lady Vance keep a watch under a glass dome?",
)
_CHAPTERS: Final = (4, 16)


@dataclass(frozen=True, slots=True)
class SmallAsk:
    kind: str
    about: str
    path: str
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SmallFigures:
    """What was shown of the answers of one kind."""

    answers: int
    rejected: int
    sentences: int
    false: int
    false_cited: int
    false_facts: int
    """Facts that are false and were called supported."""


def asks() -> Iterator[SmallAsk]:
    few: dict[str, Any] = {"words": 40, "k": PASSAGES}
    for seed, people in enumerate((DESCRIBED, DESCRIBED[:4])):
        for name in people:
            yield SmallAsk("description", name, f"characters/{name}/description", seed, few)
    for name in DESCRIBED[:5]:
        yield SmallAsk("analysis", name, f"characters/{name}/analysis", 0, few | {"words": 70})
    three = DESCRIBED[:3]
    for seed in range(3):
        yield SmallAsk("joint", ", ".join(three), "descriptions", seed, few | {"name": three})
    for question in _ASKED:
        yield SmallAsk("question", question, "questions", 0, few, {"question": question})
    for number in _CHAPTERS:
        yield SmallAsk("summary", f"Chapter {number}", f"chapters/{number}/summary", 0, {"words": 40})


def rows(number: int, ask: SmallAsk, answer: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the sentences of an answer that was shown, or the reason why none is."""
    row: dict[str, object] = {"answer": number, "kind": ask.kind, "about": ask.about, "seed": ask.seed}
    if answer["rejected"] is not None:
        yield row | {"rejected": answer["rejected"]["reason"]}
        return
    for at, sentence in enumerate(answer["sentences"]):
        facts = [f["text"] for f in answer["facts"] if f["sentence"] == at and f["label"] == "supported"]
        quotes = [" ".join(c["quote"].split()) for c in sentence["citations"]]
        yield row | {"sentence": sentence["text"], "cited": "\n".join(quotes), "supported": "\n".join(facts)}


def judged(file: str = "small_answers.csv") -> list[dict[str, str]]:
    """Return the rows of a table here that a reader has completed."""
    table = files("evaluation.judging").joinpath(file).read_text(encoding="utf-8")
    return list(csv.DictReader(table.splitlines(keepends=True)))


def figures(found: Sequence[Mapping[str, str]]) -> SmallFigures:
    shown = [row for row in found if row["sentence"]]
    false = [row for row in shown if row["verdict"] == "false"]
    return SmallFigures(
        answers=len({row["answer"] for row in found}),
        rejected=sum(bool(row["rejected"]) for row in found),
        sentences=len(shown),
        false=len(false),
        false_cited=sum(bool(row["cited"]) for row in false),
        false_facts=sum(int(row["false_facts"] or 0) for row in shown),
    )


def table(found: Sequence[Mapping[str, str]]) -> str:
    """Return the figures of each kind, as a table in Markdown."""
    lines = [
        "| | answers | rejected | sentences shown | false | false with a citation | false facts supported |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in (*KINDS, "all"):
        one = figures([row for row in found if kind in (row["kind"], "all")])
        cells = (one.answers, one.rejected, one.sentences, one.false, one.false_cited, one.false_facts)
        lines.append(f"| {kind} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def made(service: str) -> Iterator[dict[str, object]]:
    import httpx2

    with httpx2.Client(base_url=f"{service}/v1", timeout=_SECONDS) as client:
        file = {"file": ("novella.txt", novella.text().encode())}
        read = client.post("/books", files=file, params={"wait": 600})
        book = read.raise_for_status().json()["book"]["id"]
        for number, ask in enumerate(asks(), 1):
            at, parameters = f"/books/{book}/{ask.path}", {"seed": ask.seed, **ask.parameters}
            said = (
                client.get(at, params=parameters)
                if ask.body is None
                else client.post(at, params=parameters, json=ask.body)
            )
            yield from rows(number, ask, said.raise_for_status().json())


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        sys.stdout.write(table(judged()))
        return
    write(COLUMNS, made(arguments[0]))


def write(columns: Sequence[str], found: Iterable[Mapping[str, object]]) -> None:
    """Write rows to stdout as they come, with empty cells for what a reader adds."""
    out = csv.DictWriter(sys.stdout, (*columns, *BY_HAND), lineterminator="\n")
    out.writeheader()
    for row in found:
        out.writerow(row)
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
