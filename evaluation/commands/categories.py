"""`bookworm evaluate categories`: how well facts are classified, and how far annotators agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from evaluation.facts.types import FactsHalf
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.facts.measure import ClassifierLabels
    from evaluation.facts.types import LabelledFact


class LabelsInvalid(BookwormError):
    code = "labels_invalid"
    remedy = "It is CSV with the columns fact, category, second, book, half: see evaluation/facts/README.md."


def categories(
    context: typer.Context,
    extractors: Annotated[
        list[str] | None,
        typer.Option(
            "--extractor",
            metavar="NAME",
            help="The classifier of categories; may be repeated. Default: the setting's.",
        ),
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            "--generator", metavar="NAME", help="The language model for `llm`. Default: the setting's."
        ),
    ] = None,
    half: Annotated[
        FactsHalf | None, typer.Option("--half", help="Only this half; default: the one held out.")
    ] = FactsHalf.HELD_OUT,
    everything: Annotated[bool, typer.Option("--all", help="Both halves together.")] = False,
    facts: Annotated[
        Path | None,
        typer.Option("--facts", exists=True, dir_okay=False, help="Other facts than the project's own."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure the categories assigned to facts: accuracy, F1, confusion, Cohen's and Fleiss' kappa."""
    from evaluation.facts.measure import report

    session = Session.of(context)
    chosen = None if everything else half
    known = [f for f in _known(facts) if chosen in (None, f.half)]
    if not known:
        raise LabelsInvalid(f"None of the facts is marked as {chosen}.")
    names = list(dict.fromkeys(extractors or [session.settings.extractor]))
    found = report(known, list(_said(names, known, session, generator)), half=chosen)
    if json:
        output.write_json(plain(found))
    else:
        from evaluation.commands import categories_view as view

        view.show(found)


def _known(path: Path | None) -> list[LabelledFact]:
    from evaluation.facts.labelled import read

    try:
        return read(path)
    except (ValueError, OSError) as error:
        raise LabelsInvalid(f"The labelled facts cannot be read: {error}") from error


def _said(
    names: Sequence[str], known: Sequence[LabelledFact], session: Session, generator: str | None
) -> Iterator[ClassifierLabels]:
    from evaluation.facts.measure import ClassifierLabels
    from generation.checking.categories import NAME, categorise
    from generation.checking.claims.llm_categories import classify
    from generation.errors import ExtractorUnavailable
    from generation.registry import EXTRACTORS, make_model

    texts = [f.fact for f in known]
    for name in names:
        if name not in EXTRACTORS:
            raise ExtractorUnavailable(
                f"There is no extractor “{name}”; the known ones: {', '.join(sorted(EXTRACTORS))}."
            )
        if name == "offline":
            yield ClassifierLabels(NAME, [categorise(text) for text in texts])
            continue
        settings = session.settings
        model = make_model(generator or settings.extractor_model, setup=settings.writers)
        output.tell(f"Asking {model.name}")
        found, without = classify(model, texts)
        yield ClassifierLabels(model.name, found, offline=len(without))
