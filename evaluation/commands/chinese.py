"""`bookworm evaluate chinese`: the people, mentions and speakers found in Chinese chapters marked by hand."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from coref.training.commands.options import folder_given
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.chinese.measuring import ChineseScore
    from generation.writing.passage_relevance import Relevance


def chinese(
    split: Annotated[str, typer.Option("--split", help="The chapters: dev or test.")] = "dev",
    agreement: Annotated[
        bool, typer.Option("--agreement", help="How far two annotators of all chapters agree, instead.")
    ] = False,
    citations: Annotated[
        Path | None,
        folder_given(
            "--citations",
            "Which citations of facts about the Three Kingdoms are kept, instead. FOLDER has its package.",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure who is found in chapters of Chinese novels that are marked by hand."""
    if agreement:
        _write_agreement(json=json)
        return
    if citations:
        _write_citations(citations, json=json)
        return
    from coref.chinese.resolver import ChineseResolver
    from evaluation.chinese.gold import chapters
    from evaluation.chinese.measuring import ChineseScore, measure
    from evaluation.chinese.sources import as_book

    if split not in ("dev", "test"):
        raise typer.BadParameter("dev or test", param_hint="--split")
    found: dict[str, ChineseScore] = {}
    for gold in chapters():
        if gold.split == split:
            found[gold.name] = measure(gold, ChineseResolver().annotate(as_book([gold.text])))
    found["all"] = sum(found.values(), ChineseScore())
    if json:
        output.write_json(plain(found))
        return
    table = Table(
        "Chapter",
        "Main people",
        "Clusters each",
        "Mentions F1",
        "Names F1",
        "Right person",
        "Speakers",
        box=None,
    )
    for name, score in found.items():
        table.add_row(
            name,
            f"{score.main.right} of {score.main.wanted}",
            f"{score.clusters / max(1, score.main.right):.2f}",
            *(f"{share:.1%}" for share in (score.mentions.f1, score.names.f1, score.people.recall)),
            f"{score.speakers.recall:.1%}",
        )
    output.out.print(table)


def _write_citations(packages: Path, *, json: bool) -> None:
    from evaluation.chinese.citing import cited
    from evaluation.chinese.indexed import indexed
    from evaluation.chinese.sources import three_kingdoms

    with indexed(three_kingdoms(packages)[0]) as (index, annotations):
        made = list(cited(index, annotations))
    kinds: dict[tuple[bool, bool], list[Relevance]] = {}
    for each in made:
        kinds.setdefault((each.english, each.right), []).append(each.read)
    rows: list[dict[str, Any]] = [
        {
            "language": "en" if english else "zh",
            "passage": "right" if right else "another about the person",
            "pairs": len(read),
            "kept": sum(r.cited for r in read) / len(read),
            "found": sum(r.found for r in read) / len(read),
        }
        for (english, right), read in kinds.items()
    ]
    if json:
        output.write_json(rows)
        return
    table = Table("Fact in", "Passage", "Pairs", "Kept if a model cites it", "Cited by a search", box=None)
    for row in rows:
        shares = (f"{row[key]:.0%}" for key in ("kept", "found"))
        table.add_row(row["language"], row["passage"], str(row["pairs"]), *shares)
    output.out.print(table)


def _write_agreement(*, json: bool) -> None:
    from evaluation.chinese.gold import SECOND, chapters
    from evaluation.chinese.measuring import agreement

    second = {gold.name: gold for gold in chapters(SECOND)}
    found = {gold.name: agreement(gold, second[gold.name]) for gold in chapters() if gold.name in second}
    if json:
        output.write_json(plain(found))
        return
    table = Table("Chapter", "Marked by both", "Mentions F1", "Same person", "Same speaker", box=None)
    for name, each in [*found.items(), ("all", reduce(add, found.values()))]:
        table.add_row(
            name,
            str(each.mentions.right),
            f"{each.mentions.f1:.1%}",
            f"{each.people.recall:.1%}",
            f"{each.speakers.recall:.1%} of {each.speakers.wanted}",
        )
    output.out.print(table)
