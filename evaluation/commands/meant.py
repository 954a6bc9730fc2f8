"""`bookworm evaluate meant`: measure who is meant in the corpus' excerpts, in novels resolved as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.table import Table

from books.errors import BookwormError
from evaluation.commands.options import CorpusSplit, CorpusTexts, OnlyNovels, ResolvedBooks, room_for
from evaluation.coref.tallies import Share
from service.cli import output
from service.cli.figure_tables import figure_table, percent_of
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.coref.meant_places import MeantScore


class ExcerptsUnread(BookwormError):
    code = "excerpts_unread"
    remedy = "Give the folder with the texts that the corpus was made from."


def meant(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    split: CorpusSplit = "dev",
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Measure whom names, nouns and pronouns are taken for in excerpts of the corpus' novels."""
    from evaluation.coref.meant_places import MeantScore, score_meant
    from evaluation.corpus.meant import meant_novels

    room = room_for(context, work)
    by_novel: dict[str, MeantScore] = {}
    by_sort: dict[str, MeantScore] = {}
    for novel, opened in room.open_novels(meant_novels(split), novels, only=only):
        try:
            found = score_meant(novel, opened.book.text, opened.annotations)
        except ValueError as error:
            raise ExcerptsUnread(f"{error}.") from error
        by_novel[novel.novel] = sum(found.values(), MeantScore())
        for sort, each in found.items():
            by_sort[sort] = by_sort.get(sort, MeantScore()) + each
    if json:
        output.write_json({"novels": plain(by_novel), "sorts": plain(by_sort)})
    else:
        output.out.print(_table("Novel", by_novel))
        output.out.print(_table("Sort", dict(sorted(by_sort.items()))))


def _table(first: str, found: dict[str, MeantScore]) -> Table:
    from evaluation.coref.meant_places import MeantScore

    headings = ("Places", "Right", "Mixed", "Split", "Not found", "Of others", "Taken for one")
    table = figure_table(first, *headings)
    for name, each in (*found.items(), ("all", sum(found.values(), MeantScore()))):
        parts = (each.right, each.mixed, each.split, each.lost)
        shares = [percent_of(Share(part, each.places)) for part in parts]
        table.add_row(
            name, str(each.places), *shares, str(each.others), percent_of(Share(each.taken, each.others))
        )
    return table
