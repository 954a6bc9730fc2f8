"""Choose how each strategy writes an answer."""

from __future__ import annotations

from generation.errors import SummaryMissing
from generation.types import STORIES, Strategy
from generation.writing.assignment import Assignment
from generation.writing.hierarchical_answer import HierarchicalWriter, from_material
from generation.writing.hierarchical_story import HierarchicalStory
from generation.writing.incremental_story import IncrementalStory
from generation.writing.joint_answer import JointAnswer
from generation.writing.ranked_story import RankedStory
from generation.writing.single_answer import SingleAnswer
from generation.writing.story_parts import StoryParts

_STORIES = {Strategy.INCREMENTAL: IncrementalStory, Strategy.RANKED: RankedStory}


def way_of(assignment: Assignment) -> StoryParts | HierarchicalWriter | SingleAnswer | JointAnswer:
    """Return what plans and writes an answer."""
    prompt = assignment.prompt
    if prompt.strategy is Strategy.SUMMARY and not (prompt.summary or "").strip():
        raise SummaryMissing("The strategy `summary` needs a summary of the book.")
    if prompt.task in STORIES:
        return _STORIES.get(prompt.strategy, HierarchicalStory)(assignment)
    if prompt.strategy is Strategy.HIERARCHICAL:
        return HierarchicalWriter(assignment)
    return from_material(assignment, assignment.show)
