"""`bookworm evaluate categories`: accuracy of the categories of facts, and agreement between annotators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import file_given
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
    remedy = "Use CSV with the columns fact, category, second, book, half: see evaluation/facts/README.md."


def categories(
    context: typer.Context,
    extractors: Annotated[
        list[str] | None,
        typer.Option(
            "--extractor",
            metavar="NAME",
            help="Extractor to measure; may be repeated. The default is the setting.",
        ),
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            "--generator",
            metavar="NAME",
            help="For `llm`: generator whose model to use. The default is the setting.",
        ),
    ] = None,
    half: Annotated[
        FactsHalf | None, typer.Option("--half", help="Only this half. The default is the held-out half.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Use both halves.")] = False,
    facts: Annotated[
        Path | None, file_given("--facts", "Use these facts instead of the bundled ones.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure the categories of facts: accuracy, F1, confusion, Cohen's and Fleiss' kappa."""
    from evaluation.facts.measure import report

    session = Session.of(context)
    names = list(dict.fromkeys(extractors or [session.engines.usual_extractor]))
    if half and everything:
        raise typer.BadParameter("It takes both halves, so leave out --half.", param_hint="--all")
    if generator and set(names) == {"offline"}:
        raise typer.BadParameter("It needs --extractor llm.", param_hint="--generator")
    chosen = None if everything else half or FactsHalf.HELD_OUT
    known = [f for f in _known(facts) if chosen in (None, f.half)]
    if not known:
        raise LabelsInvalid(f"No fact is marked as {chosen}.")
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
    from evaluation.facts.llm_categories import classify
    from evaluation.facts.measure import ClassifierLabels
    from generation.checking.categories import NAME, categorise
    from generation.errors import ExtractorUnavailable
    from generation.registry import EXTRACTORS, make_model

    texts = [f.fact for f in known]
    for name in names:
        if name not in EXTRACTORS:
            raise ExtractorUnavailable(
                f"There is no extractor “{name}”. Choose one of {', '.join(sorted(EXTRACTORS))}."
            )
        if name == "offline":
            yield ClassifierLabels(NAME, categorise(texts))
            continue
        settings = session.settings
        model = make_model(generator or settings.extractor_model, setup=settings.writers)
        output.tell(f"Calling {model.name}")
        found, without = classify(model, texts)
        yield ClassifierLabels(model.name, found, offline=len(without))
