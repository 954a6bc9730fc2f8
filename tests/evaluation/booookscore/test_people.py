"""What people annotated, and what others confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.booookscore.people import annotated_by_people, confirmations
from evaluation.booookscore.release import released_systems
from evaluation.booookscore.scoring import system_score
from evaluation.booookscore.touched_sentences import agreement
from evaluation.booookscore.types import ConfusionKind
from evaluation.datasets.types import DataInvalid
from tests.evaluation.booookscore.conftest import MILL, SYSTEM, mark, packed


def test_a_pair_of_spans_is_one_annotation(release: Path) -> None:
    (people,) = annotated_by_people(release)
    (summary,) = people.summaries
    assert summary.confusions is not None
    assert [c.spans for c in summary.confusions] == [("the sale",), ("Ada inherits", "She leaves.")]
    assert summary.confusions[1].questions == "Both?"
    scored = system_score(people.name, people.summaries)
    assert (people.name, scored.score.mean) == (SYSTEM, 0.5)
    assert scored.kinds[ConfusionKind.INCONSISTENCY] == 0.25


def test_partial_agreement_confirms(release: Path) -> None:
    people, model = confirmations(release)
    assert (people.source, people.annotations) == ("human", 3)
    assert people.precision == pytest.approx(2 / 3)
    assert people.strict == pytest.approx(1 / 3)
    assert people.reasons == {"B. Answered in the summary": 1}
    assert (model.source, model.precision) == ("model", 1.0)


def test_agreement_counts_sentences(release: Path) -> None:
    """GPT-4 names the second sentence, people marked words of the first, the second and the last."""
    (people,) = annotated_by_people(release)
    model = next(each for each in released_systems(release) if each.name == SYSTEM)
    found = agreement(model, people)
    assert (found.sentences, found.gpt4, found.people, found.both) == (4, 1, 3, 1)
    # They agree on 2 of 4; by chance they would on 1/4 x 3/4 + 3/4 x 1/4.
    assert found.kappa == pytest.approx((2 / 4 - 6 / 16) / (1 - 6 / 16))


def test_unknown_forms_are_named(release: Path) -> None:
    path = release / f"human/annotations-{SYSTEM}.json.gz"
    packed(path, {"mill.epub": {"annotations": [mark("Perhaps")]}})
    with pytest.raises(DataInvalid, match="Perhaps"):
        confirmations(release)
    packed(path, {"mill.epub": {"annotations": "none"}})
    with pytest.raises(DataInvalid, match="no list “annotations”"):
        confirmations(release)
    packed(release / f"human/summary-{SYSTEM}.json.gz", {"mill.epub": {"singles": [], "relations": []}})
    with pytest.raises(DataInvalid, match="has no summary"):
        list(annotated_by_people(release))
    packed(
        release / f"human/summary-{SYSTEM}.json.gz",
        {"mill.epub": {"summary": MILL, "singles": [{}], "relations": []}},
    )
    with pytest.raises(DataInvalid, match="without a span"):
        list(annotated_by_people(release))
