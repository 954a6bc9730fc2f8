"""`bookworm evaluate cast`: measure who is who in novels of the corpus, at places that readers labelled."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.table import Table

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks
from evaluation.coref.cast_places import NO_PLACES, CastScore, NamePairs, name_pairs, read_places, score
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

_COLUMNS = ("Names", "Right", "Mixed", "Split", "Not found", "No people", "Taken for some", "“I”", "Right")


class CastsUnread(BookwormError):
    code = "casts_unread"
    remedy = "Give the folder with the texts that the corpus was made from."


def cast(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Measure whom names, and the narrator's "I", are taken for in novels of the corpus."""
    from evaluation.corpus.casts import casts
    from evaluation.datasets.shelf import open_book
    from evaluation.portraits.workroom import Workroom
    from retrieval.registry import make_embedder

    session = Session.of(context)
    folder = work or session.settings.data_dir / "keyfacts"
    room = Workroom(folder, session.engines.resolver, make_embedder("hashing"), output.tell)
    found: dict[str, CastScore] = {}
    pairs = NamePairs(0, 0, 0)
    for each in casts():
        path = _file_of(each.novel, novels)
        if path is None or (only and not any(part in each.novel for part in only)):
            continue
        book = open_book(path)
        if only_resolved and not room.has(book):
            continue
        try:
            annotations = room.annotations(book)
            found[each.novel] = score(read_places(each, book.text, annotations))
            pairs += name_pairs(each, annotations)
        except ValueError as error:
            raise CastsUnread(f"{error}.") from error
    if not found:
        raise CastsUnread(f"{novels} has none of the novels with a cast.")
    if json:
        scores = {name: plain(each) for name, each in found.items()}
        output.write_json({"novels": scores, "name_pairs": plain(pairs)})
    else:
        output.out.print(_table(found))
        right = _share(pairs.right, pairs.one), _share(pairs.right, pairs.found)
        output.out.print(
            f"Pairs of names: of {pairs.one} of one person {right[0]}% are one character's, "
            f"of {pairs.found} of one character {right[1]}% are one person's."
        )


def _file_of(novel: str, folder: Path) -> Path | None:
    paths = (folder / f"{novel}{ending}" for ending in (".txt", ".txt.gz"))
    return next((path for path in paths if path.exists()), None)


def _table(found: dict[str, CastScore]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Novel")
    for heading in _COLUMNS:
        table.add_column(heading, justify="right")
    for name, each in (*found.items(), ("all", sum(found.values(), NO_PLACES))):
        parts = (each.right, each.mixed, each.split, each.lost)
        shares = [_share(part, each.places) for part in parts]
        nobody = [str(each.nobody), _share(each.taken, each.nobody)]
        table.add_row(
            name, str(each.places), *shares, *nobody, str(each.told), _share(each.told_right, each.told)
        )
    return table


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"
