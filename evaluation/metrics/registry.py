"""The metrics by name. Slow imports happen when a metric is requested, not before."""

from __future__ import annotations

from collections.abc import Callable

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.options import Options
from evaluation.metrics.protocols import Metric


def _bertscore(options: Options) -> Metric:
    from evaluation.metrics.bertscore import BertScore

    return BertScore(options.encoder, layer=options.layer, idf=options.idf)


def _entities(_: Options) -> Metric:
    from evaluation.metrics.entities import EntityRecall

    return EntityRecall()


def _ngrams(_: Options) -> Metric:
    from evaluation.metrics.novelty import Novelty

    return Novelty()


def _nli(options: Options) -> Metric:
    from evaluation.metrics.entailment import Entailment

    return Entailment(options.nli, paragraphs=options.paragraphs)


def _prisma(_: Options) -> Metric:
    from evaluation.metrics.prisma import PrismaScores

    return PrismaScores()


def _qa(options: Options) -> Metric:
    from evaluation.metrics.qa import QuestionAnswering

    return QuestionAnswering(options)


def _rouge(_: Options) -> Metric:
    from evaluation.metrics.rouge import Rouge

    return Rouge()


METRICS: dict[str, Callable[[Options], Metric]] = {
    "bertscore": _bertscore,
    "entities": _entities,
    "ngrams": _ngrams,
    "nli": _nli,
    "prisma": _prisma,
    "qa": _qa,
    "rouge": _rouge,
}


def make_metric(name: str, options: Options | None = None) -> Metric:
    if name not in METRICS:
        raise MetricUnavailable(
            f"There is no metric “{name}”.", remedy=f"Choose among {', '.join(sorted(METRICS))}."
        )
    return METRICS[name](options or Options())
