"""`bookworm evaluate certainty`: whether the confidence of mentions can be believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import LITBANK_NOVELS, file_given, folder_given
from evaluation.commands.coref import GoldInvalid
from evaluation.commands.options import names_with
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from rich.table import Table

    from coref.native.resolver import NativeResolver
    from evaluation.coref.reliability import JudgedMention, Reliability, ReliabilityReport


def certainty(
    litbank: Annotated[Path | None, folder_given("--litbank", "LitBank.")] = None,
    novels: Annotated[Path | None, LITBANK_NOVELS] = None,
    ids: Annotated[Path | None, file_given("--ids", "The LitBank documents. The default is dev.ids.")] = None,
    pdnc: Annotated[Path | None, folder_given("--pdnc", "PDNC: quoted mentions.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help="Only PDNC's novels whose name contains this."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure whether the confidence of mentions is the share of right ones: calibration error and AUC."""
    if pdnc is None and (litbank is None or novels is None):
        raise typer.BadParameter("give --litbank with --novels, or --pdnc, or both")
    from coref.training.litbank import LitbankDamaged
    from evaluation.coref.pdnc import PdncDamaged

    try:
        reports = dict(_reports(litbank, novels, ids, pdnc, only or ()))
    except (LitbankDamaged, PdncDamaged, UnicodeDecodeError, OSError, ValueError) as error:
        raise GoldInvalid(f"The gold data cannot be read: {error}") from error
    if json:
        output.write_json({name: plain(found) for name, found in reports.items()})
        return
    for name, found in reports.items():
        for table in _tables(name, found):
            output.out.print(table)
            output.out.print()


def _reports(
    litbank: Path | None,
    novels: Path | None,
    ids: Path | None,
    pdnc: Path | None,
    only: Sequence[str],
) -> Iterator[tuple[str, ReliabilityReport]]:
    from coref.native.resolver import NativeResolver
    from evaluation.coref.pdnc import folders
    from evaluation.coref.reliability import report

    chosen = [] if pdnc is None else folders(pdnc)
    if only:
        named = names_with(only, [path.name for path in chosen])
        chosen = [path for path in chosen if path.name in named]
    resolver = NativeResolver()
    if litbank is not None and novels is not None:
        yield "LitBank", report(list(_of_litbank(resolver, litbank, novels, ids)))
    if pdnc is not None:
        yield "PDNC", report(list(_of_pdnc(resolver, chosen)))


def _of_litbank(
    resolver: NativeResolver, litbank: Path, novels: Path, ids: Path | None
) -> Iterator[JudgedMention]:
    from coref.training.certainty_lessons import lessons
    from coref.training.litbank import read_ids
    from evaluation.coref.reliability import judged

    for name in read_ids(ids or litbank / "dev.ids"):
        output.tell(f"Resolving {name}")
        yield from judged(lessons(resolver, litbank, novels, [name]))


def _of_pdnc(resolver: NativeResolver, novels: Sequence[Path]) -> Iterator[JudgedMention]:
    from evaluation.coref.pdnc import load
    from evaluation.coref.reliability import judged_novel

    for path in novels:
        output.tell(f"Resolving {path.name}")
        yield from judged_novel(load(path), resolver)


def _tables(name: str, found: ReliabilityReport) -> Iterator[Table]:
    from service.cli.figure_tables import figure_table

    bins = figure_table(name, "Before: mean", "Right", "Mentions", "After: mean", "Right", "Mentions")
    for one, other in zip(found.before.bins, found.after.bins, strict=True):
        label = f"{one.low:.1f} to {one.high:.1f}"
        bins.add_row(
            label,
            *(_share(b) for b in (one.mean, one.right)),
            str(one.count),
            *(_share(b) for b in (other.mean, other.right)),
            str(other.count),
        )
    yield bins
    sorts = figure_table(
        "Mentions", "Count", "Right", "Before: mean", "Error", "AUC", "After: mean", "Error", "AUC"
    )
    for label, (before, after) in {"all": (found.before, found.after), **found.sorts}.items():
        sorts.add_row(label, f"{before.count:,}", _share(before.right), *_figures(before), *_figures(after))
    yield sorts


def _figures(one: Reliability) -> tuple[str, str, str]:
    return _share(one.mean), _share(one.error), _share(one.auc)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
