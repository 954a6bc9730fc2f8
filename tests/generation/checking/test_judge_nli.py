"""The judge of natural language inference: its weights are random, but everything around the model
is real.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from books.types import Span
from generation.checking.judges.nli_judge import NliJudge, labels_of
from generation.checking.setup import NliSetup
from generation.errors import JudgeUnavailable
from generation.types import Category, Claim, Label
from retrieval.types import Passage
from tests.failing import fails
from tests.generation.inference import checkpoint
from tests.generation.novel import case


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("nli"))


def claim(text: str) -> Claim:
    return Claim(text, Category.EVENT, 0, Span(0, len(text)), "bess")


def passages(*texts: str) -> list[Passage]:
    return [Passage(at, Span(100 * at, 100 * at + len(t)), at, t) for at, t in enumerate(texts)]


class Rigged(NliJudge):
    """Scores of passages are given by their texts: `for 0.9 against 0.1`."""

    def _score(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[float, float]]:
        for passage, _ in pairs:
            said = passage.split()
            yield float(said[1]), float(said[3])


def rigged(folder: Path, *texts: str, threshold: float = 0.5) -> tuple[Label, float, list[int]]:
    judge = Rigged(NliSetup(folder, threshold=threshold))
    verdict = judge.judge([case(claim("Bess left."), passages(*texts))]).verdicts[0]
    return verdict.label, verdict.score, [c.chapter for c in verdict.evidence]


def test_the_likeliest_passage_decides(folder: Path) -> None:
    assert rigged(folder, "for .2 against .1", "for .9 against .1") == (Label.SUPPORTED, 0.9, [1])


def test_nothing_below_the_threshold_is_supported(folder: Path) -> None:
    assert rigged(folder, "for .49 against .1")[0] is Label.UNSUPPORTED
    assert rigged(folder, "for .6 against .1", threshold=0.7)[0] is Label.UNSUPPORTED


def test_a_contradiction_must_be_likelier_than_the_claim(folder: Path) -> None:
    assert rigged(folder, "for .2 against .8") == (Label.CONTRADICTED, 0.8, [0])
    assert rigged(folder, "for .9 against .05", "for .1 against .8")[0] is Label.SUPPORTED
    assert rigged(folder, "for .2 against .4")[0] is Label.UNSUPPORTED


@pytest.mark.parametrize(
    "labels",
    [
        ("entailment", "neutral", "contradiction"),
        ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"),
        ("Contradiction", "Entailment", "Neutral"),
        ("not_entailment", "entailment"),
        ("entailment", "non-entailment"),
    ],
)
def test_labels_are_read_from_the_config_in_any_order_and_case(
    labels: tuple[str, ...], tmp_path: Path
) -> None:
    found = labels_of(checkpoint(tmp_path, labels=labels))
    named = {name: labels[at].casefold() for name, at in found.items()}
    assert named["entailment"] == "entailment"
    assert named.get("contradiction", "contradiction") == "contradiction"


def test_a_model_without_entailment_is_refused(tmp_path: Path) -> None:
    mood = checkpoint(tmp_path, labels=("positive", "negative"))
    with fails(JudgeUnavailable, match="positive, negative"):
        NliJudge(NliSetup(mood))


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    for setup in (NliSetup(), NliSetup(tmp_path), NliSetup(tmp_path / "nowhere")):
        with pytest.raises(JudgeUnavailable):
            NliJudge(setup)


def test_the_order_of_the_labels_does_not_matter_to_the_verdict(folder: Path, tmp_path: Path) -> None:
    """The same weights with the labels in another order give the other verdict."""
    turned = checkpoint(tmp_path, labels=("entailment", "neutral", "contradiction"))
    text, found = "Bess saved the ship", passages("Bess saved Tom", "Crane lost the ship")
    one = list(NliJudge(NliSetup(folder))._score([(p.text, text) for p in found]))
    other = list(NliJudge(NliSetup(turned))._score([(p.text, text) for p in found]))
    assert [a for a, _ in one] == pytest.approx([b for _, b in other], abs=1e-6)
    assert [b for _, b in one] == pytest.approx([a for a, _ in other], abs=1e-6)
    assert abs(one[0][0] - one[1][0]) > 1e-3  # and what they say depends on the passage


def test_batches_change_nothing(folder: Path) -> None:
    pairs = [(f"Bess saved Tom {'the ship ' * n}", "Tom loves Bess") for n in range(7)]
    alone, together = (list(NliJudge(NliSetup(folder, batch=b))._score(pairs)) for b in (1, 8))
    for one, other in zip(alone, together, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def test_long_passages_are_read_in_windows(folder: Path) -> None:
    judge = NliJudge(NliSetup(folder))
    long = "nobody left " * 100 + "Bess saved the ship"
    windows = [row for _, row in judge._windows([(long, "Bess saved the ship")])]
    assert len(windows) > 3
    assert all(len(row["input_ids"]) <= 64 for row in windows)
    last = judge._loaded.tokenizer.decode(windows[-1]["input_ids"])
    assert last.count("bess saved the ship") == 2  # the end of the passage, and the claim


def test_long_claims_leave_the_passage_room(folder: Path) -> None:
    verdicts = judge_all(folder, ["Bess loves Tom " * 500])
    assert len(verdicts) == 1


def test_what_has_no_passage_needs_no_model(folder: Path) -> None:
    judge = NliJudge(NliSetup(folder))
    found = judge.judge([case(claim(" "), passages("Bess left")), case(claim("Bess left."))]).verdicts
    assert [v.label for v in found] == [Label.UNSUPPORTED, Label.UNSUPPORTED]
    assert judge._kept is None  # never loaded


def test_any_text_gets_a_verdict(folder: Path) -> None:
    texts = ["", " ", "皇帝离开了北京。", "\x00\ufffd", "x" * 50_000, "Bess left."]
    assert len(judge_all(folder, texts)) == len(texts)


def judge_all(folder: Path, texts: Sequence[str]) -> list[Label]:
    verdicts = (
        NliJudge(NliSetup(folder)).judge([case(claim(t), passages("Bess left")) for t in texts]).verdicts
    )
    assert all(0 <= v.score <= 1 for v in verdicts)
    return [v.label for v in verdicts]


def test_its_name_tells_the_weights(folder: Path) -> None:
    assert NliJudge(NliSetup(folder)).name.startswith(f"nli/1+{folder.name}/")
