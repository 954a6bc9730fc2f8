"""Choose how each strategy writes an answer."""

from __future__ import annotations

from generation.errors import SummaryMissing
from generation.types import STORIES, Plan, Strategy
from generation.writing.assignment import Assignment
from generation.writing.hierarchical_answer import HierarchicalWriter, cost, finish
from generation.writing.hierarchical_story import HierarchicalStory
from generation.writing.incremental_story import IncrementalStory
from generation.writing.ranked_story import RankedStory
from generation.writing.request_rounds import Work


def begin(assignment: Assignment) -> Work:
    _check(assignment)
    if assignment.prompt.task in STORIES:
        return _story(assignment).write()
    if assignment.prompt.strategy is Strategy.HIERARCHICAL:
        return HierarchicalWriter(assignment).write()
    return finish(assignment, assignment.show)


def plan(assignment: Assignment) -> Plan:
    _check(assignment)
    if assignment.prompt.task in STORIES:
        return _story(assignment).plan()
    if assignment.prompt.strategy is Strategy.HIERARCHICAL:
        return HierarchicalWriter(assignment).plan()
    return cost(assignment, assignment.show)


def _story(assignment: Assignment) -> HierarchicalStory | IncrementalStory | RankedStory:
    match assignment.prompt.strategy:
        case Strategy.INCREMENTAL:
            return IncrementalStory(assignment)
        case Strategy.RANKED:
            return RankedStory(assignment)
    return HierarchicalStory(assignment)


def _check(assignment: Assignment) -> None:
    prompt = assignment.prompt
    if prompt.strategy is Strategy.SUMMARY and not (prompt.summary or "").strip():
        raise SummaryMissing("The strategy `summary` needs a summary of the book.")
