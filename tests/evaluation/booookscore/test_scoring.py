"""Scores by hand, on summaries made up for it."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from evaluation.booookscore.published import PLACE, published
from evaluation.booookscore.release import released_systems
from evaluation.booookscore.scoring import summary_score, system_score
from evaluation.booookscore.trigrams import novel_share, repeated_share, trigrams
from evaluation.booookscore.types import AnnotatedSummary, Confusion, ConfusionKind
from evaluation.datasets.types import DataInvalid
from tests.evaluation.booookscore.conftest import MILL, PORT, SYSTEM, packed


def found(*kinds: ConfusionKind) -> Confusion:
    return Confusion(("She leaves.",), "Who?", kinds)


def test_a_title_ends_no_sentence_and_each_confusion_counts_once() -> None:
    both = found(ConfusionKind.LANGUAGE, ConfusionKind.SALIENCE)
    scored = summary_score(AnnotatedSummary("mill", MILL, (both,)))
    assert (scored.sentences, scored.confusions, scored.score) == (4, 1, 0.75)
    assert scored.words == 15


def test_a_system_is_the_mean_over_summaries_and_not_over_sentences() -> None:
    mill = AnnotatedSummary("mill", MILL, (found(ConfusionKind.LANGUAGE, ConfusionKind.SALIENCE),))
    port = AnnotatedSummary("port", PORT, (found(ConfusionKind.LANGUAGE),))
    scored = system_score("any", [mill, port])
    assert scored.score.mean == pytest.approx((0.75 + 0.5) / 2)
    assert scored.score.low is not None
    assert scored.score.high is not None
    assert (scored.score.low, scored.score.high) == (0.5, 0.75)
    assert (scored.sentences, scored.confusions) == (6, 2)
    assert scored.kinds[ConfusionKind.LANGUAGE] == pytest.approx(2 / 6)
    assert scored.kinds[ConfusionKind.SALIENCE] == pytest.approx(1 / 6)
    assert scored.kinds[ConfusionKind.DUPLICATION] == 0


def test_a_summary_that_nobody_annotated_has_a_length_and_no_score() -> None:
    scored = system_score("any", [AnnotatedSummary("a", MILL, ()), AnnotatedSummary("b", PORT, None)])
    assert (scored.score.mean, scored.score.count, scored.sentences) == (1.0, 1, 4)
    assert scored.words == 12
    with pytest.raises(ValueError, match="no summary is annotated"):
        system_score("any", [AnnotatedSummary("b", PORT, None)])


def test_trigrams_by_hand() -> None:
    grams = trigrams("The cat sat. The cat sat on Ada's mat.")
    # the cat sat | cat sat . | sat . the | . the cat | the cat sat | cat sat on | sat on ada | on ada 's
    # | ada 's mat | 's mat .
    assert sum(grams.values()) == 10
    assert repeated_share(grams) == pytest.approx(1 / 9)
    assert novel_share(grams, trigrams("the cat sat on the mat")) == pytest.approx(7 / 9)
    assert repeated_share(trigrams("Too short")) is None
    with_book = system_score("any", [AnnotatedSummary("a", PORT, ())], {"a": PORT})
    assert with_book.novel == 0


def test_the_released_forms_are_read(release: Path) -> None:
    systems = {each.name: each.summaries for each in released_systems(release)}
    assert set(systems) == {SYSTEM, "other"}
    mill, port, clear, example = systems[SYSTEM]
    assert mill.confusions is not None
    assert mill.confusions[0].kinds == (ConfusionKind.ENTITY_OMISSION, ConfusionKind.CAUSAL_OMISSION)
    assert mill.confusions[0].spans == ("Dr. Voss objects to the sale.",)
    assert (port.confusions, clear.confusions, example.confusions) == ((), (), None)
    (listed,) = systems["other"]
    assert listed.confusions is not None
    assert [c.kinds for c in listed.confusions] == [(ConfusionKind.SALIENCE,), (ConfusionKind.LANGUAGE,)]


@pytest.mark.parametrize(
    ("annotations", "complaint"),
    [
        ({"lost.epub": {}}, "annotations of lost.epub, and no summary"),
        ({"mill.epub": "good"}, "neither an object nor a list"),
        ({"mill.epub": [{"questions": "?"}]}, "without a span"),
        ({"mill.epub": [{"span": "Ada", "types": ["boredom"]}]}, "boredom"),
        ([], "no object with a value for each book"),
    ],
)
def test_what_cannot_be_read_is_named(release: Path, annotations: object, complaint: str) -> None:
    packed(release / "annotations/other.json.gz", annotations)
    with pytest.raises(DataInvalid, match=complaint):
        list(released_systems(release))


def test_a_broken_file_is_named(release: Path) -> None:
    (release / "annotations/other.json.gz").write_bytes(gzip.compress(b"{")[:-3])
    with pytest.raises(DataInvalid, match="other"):
        list(released_systems(release))


def test_the_published_figures_are_those_of_the_paper() -> None:
    assert len(published()) == 13
    assert published()["llama2-2048-hier"].repeated == 36.1
    assert published()["gpt4-4096-hier"].tokens is None
    text = PLACE.read_text("utf-8")
    assert all(len(row) == 8 for row in csv.reader(text.splitlines()))
