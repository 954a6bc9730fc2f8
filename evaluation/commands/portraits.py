"""`bookworm evaluate portraits`: compares descriptions by several systems with references, in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from books.errors import BookwormError
from evaluation.commands import portraits_options as ask
from evaluation.commands.dataset import DatasetInvalid
from evaluation.portraits.units import Unit
from service.cli import output, progress
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.metrics.protocols import Metric
    from evaluation.portraits.cases import Cases
    from evaluation.portraits.experiment import Experiment
    from evaluation.portraits.report import PortraitReport
    from evaluation.portraits.running import Lengths
    from evaluation.portraits.types import System, SystemEngines
    from generation.models.types import TemplateSet

MODELLESS = "rouge,entities,bertscore,prisma,ngrams"
"""Metrics that need only the bundled models."""


class PortraitsImpossible(BookwormError):
    code = "portraits_impossible"
    remedy = "See `bookworm evaluate portraits --help` and evaluation/portraits/README.md."


def portraits(
    context: typer.Context,
    books: ask.Books,
    out: ask.Out,
    references: ask.References = None,
    summaries: ask.Summaries = None,
    description_words: ask.DescriptionWords = 90,
    analysis_words: ask.AnalysisWords = 600,
    description_sentences: ask.DescriptionSentences = 4,
    analysis_sentences: ask.AnalysisSentences = 25,
    systems: ask.Systems = "lead,random,oracle,offline",
    generator: ask.Generator = None,
    prompts: ask.Prompts = None,
    resolver: ask.Resolver = None,
    embedder: ask.Embedder = None,
    seed: ask.Seed = 0,
    metrics: ask.Metrics = None,
    against: ask.Against = None,
    drawn: ask.Drawn = Unit.PEOPLE,
    encoder: ask.Encoder = None,
    reader: ask.Reader = None,
    nli: ask.Nli = None,
    paragraphs: ask.Paragraphs = 32,
    work: ask.Work = None,
    json: JsonFlag = False,
) -> None:
    """Let systems describe characters, compare with references, and write a report; a rerun continues."""
    from coref.registry import make_resolver
    from evaluation.portraits.cases import own_references
    from evaluation.portraits.experiment import Experiment

    session = Session.of(context)
    settings, house = session.settings, session.engines
    names, asked = _names(systems), references or own_references()
    given = {"encoder": encoder, "reader": reader, "nli": nli, "paragraphs": paragraphs, "seed": seed}
    measures = _metrics(_names(metrics or MODELLESS), session, generator, given)
    judged = any(column.startswith("prisma") for metric in measures for column in metric.columns)
    engines = replace(_engines(session, generator, embedder, prompts), checks_extracts=judged)
    made = _made_systems(names, engines)
    experiment = Experiment(
        found=_cases(asked, books, summaries),
        references=asked,
        systems=made,
        metrics=measures,
        engines=engines,
        resolver=house.resolver if resolver is None else make_resolver(resolver, setup=settings.resolvers),
        lengths=_lengths((description_words, analysis_words), (description_sentences, analysis_sentences)),
        seed=seed,
        against=_against(against, names),
        drawn=drawn,
    )
    _tell(_run(experiment, out, work or out / "work"), out, as_json=json)


def _metrics(
    names: Sequence[str], session: Session, generator: str | None, given: Mapping[str, Any]
) -> list[Metric]:
    """The metrics by name. Only `qa` uses a language model."""
    from evaluation.metrics.options import Options
    from evaluation.metrics.registry import METRICS, make_metric
    from generation.registry import make_model

    if unknown := [name for name in names if name not in METRICS]:
        choice = f"Choose among {', '.join(sorted(METRICS))}."
        raise typer.BadParameter(f"There is no metric “{unknown[0]}”. {choice}", param_hint="--metrics")
    writer = generator or session.engines.default.name
    model = make_model(writer, setup=session.engines.rule.writers()) if "qa" in names else None
    return [make_metric(name, Options(**given, model=model)) for name in names]


def _lengths(words: tuple[int, int], sentences: tuple[int, int]) -> Lengths:
    from evaluation.datasets.bookworm import TASKS
    from evaluation.portraits.running import Lengths

    return Lengths(dict(zip(TASKS, words, strict=True)), dict(zip(TASKS, sentences, strict=True)))


def _tell(report: PortraitReport, out: Path, *, as_json: bool) -> None:
    if as_json:
        output.write_json({"folder": str(out), "made_of": report.made_of, "tables": plain(report.tables)})
    else:
        from evaluation.commands import portraits_view as view

        view.show(report, out)


def _run(experiment: Experiment, out: Path, work: Path) -> PortraitReport:
    from evaluation.portraits.errors import RunInUse
    from evaluation.portraits.experiment import write

    with progress.stages("Answering") as shown:
        try:
            report = experiment.run(
                out,
                work,
                news=output.tell,
                tell=lambda what, done, every: shown(what, done / max(every, 1), None),
            )
        except RunInUse as error:
            raise PortraitsImpossible(str(error), remedy="Wait for it, or use another --out.") from error
    if not report.results:
        why = report.failures[0].why if report.failures else "no answer was requested"
        raise PortraitsImpossible(f"No answer was generated: {why}")
    write(report, out)
    return report


def _engines(
    session: Session, generator: str | None, embedder: str | None, prompts: TemplateSet | None
) -> SystemEngines:
    from evaluation.portraits.types import SystemEngines
    from generation.registry import make_generator
    from retrieval.registry import make_embedder

    settings, house = session.settings, session.engines
    writers = settings.writers if prompts is None else replace(settings.writers, prompts=prompts)
    return SystemEngines(
        embedder=house.embedder if embedder is None else make_embedder(embedder),
        judge=house.judge,
        generator=None if generator is None else make_generator(generator, setup=writers),
        extractor=house.extractor,
        bm25=settings.bm25,
        passages=settings.passages,
        token_budget=settings.token_budget,
        temperature=settings.temperature,
    )


def _made_systems(names: Sequence[str], engines: SystemEngines) -> list[System]:
    from evaluation.portraits.errors import SystemUnknown
    from evaluation.portraits.systems import SYSTEMS, make_systems

    try:
        if not names:
            raise SystemUnknown("No system was given.")
        return make_systems(names, engines)
    except SystemUnknown as error:
        choice = f"Choose among {', '.join(SYSTEMS)}. Most of them need a --generator with a language model."
        raise typer.BadParameter(f"{error} {choice}", param_hint="--systems") from error


def _cases(references: Sequence[Path], books: Path, summaries: Path | None) -> Cases:
    from evaluation.datasets.types import DataInvalid
    from evaluation.portraits.cases import find_cases

    output.tell(f"Searching for the books in {books}")
    try:
        found = find_cases(references, books, summaries)
    except (DataInvalid, OSError) as error:
        raise DatasetInvalid(str(error)) from error
    for trouble in found.missing:
        output.warn(trouble)
    if not found.cases:
        raise PortraitsImpossible("None of the references is about an available book.")
    return found


def _names(listed: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))


def _against(asked: str | None, names: Sequence[str]) -> str | None:
    if asked is not None and asked not in names:
        raise typer.BadParameter(f"`{asked}` is not one of the chosen systems.", param_hint="--against")
    return asked or ("offline" if "offline" in names else None)
