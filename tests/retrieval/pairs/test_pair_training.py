"""The network that reads pairs learns from labels and from a teacher, and `PairReader` reads what is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from retrieval.pairs.network import PairNetwork
from retrieval.pairs.pair_reader import WEIGHTS, PairReader
from retrieval.pairs.training import TEACHER, PairCourse, _Groups, _Plan, train
from retrieval.pairs.types import Asks
from tests.retrieval.pairs.tiny import LESSONS, WET, claim, tiny_encoder

COURSE = PairCourse(rate=3e-3, claims=4, groups=2, rounds=25)
SHIPPED = Path("retrieval/pairs") / WEIGHTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("tiny"), width=32)


def losses(told: list[str]) -> list[float]:
    return [float(line.rpartition(" ")[2]) for line in told]


def test_the_loss_falls_and_the_reader_reads_the_weights(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    network = PairNetwork(folder, keep_embeddings=True)
    embeddings = network.encoder.embeddings.word_embeddings.weight.clone()
    train(network, LESSONS, COURSE, tell=told.append)
    assert len(told) == COURSE.rounds
    assert losses(told)[-1] < 0.6 * losses(told)[0]
    assert torch.equal(embeddings, network.encoder.embeddings.word_embeddings.weight)
    save_file(network.packed(), tmp_path / WEIGHTS)
    reader = PairReader(folder, load_file(tmp_path / WEIGHTS))
    said = network.read(LESSONS)
    for asks in Asks:
        rows = [n for n, lesson in enumerate(LESSONS) if lesson.asks is asks]
        again = reader([(LESSONS[n].query, LESSONS[n].passage) for n in rows], asks)
        assert again == pytest.approx(said[rows], abs=0.05)
    labels = [lesson.true for lesson in LESSONS[:4]]
    assert labels == [bool(odds > 0) for odds in said[:4]]


def test_what_is_kept_has_the_names_and_types_of_the_shipped_weights(folder: Path) -> None:
    shipped = load_file(SHIPPED)
    layers = {name for name in shipped if not name.startswith("encoder.layer.") or name[14] in "01"}
    packed = PairNetwork(folder).packed()
    assert set(packed) == layers
    assert {tensor.dtype for tensor in (*packed.values(), *shipped.values())} == {torch.float16}


def test_a_student_learns_what_the_teacher_says_of_pairs_without_labels(folder: Path) -> None:
    lessons = [replace(lesson, true=None) for lesson in LESSONS[:5]]
    taught = np.array([3.0, 3.0, -3.0, -3.0, 3.0], np.float32)
    network = PairNetwork(folder)
    train(network, lessons, COURSE, taught=taught, tell=lambda _: None)
    assert ((network.read(lessons) > 0) == (taught > 0)).all()


def test_pairs_are_read_as_the_reader_reads_them(folder: Path) -> None:
    long = [claim("who " * 60, "river " * 300, True), LESSONS[0]]
    network = PairNetwork(folder)
    reader = PairReader(folder, network.packed())
    rows = reader._pieces([(lesson.query, lesson.passage) for lesson in long])
    assert [row.tolist() for row in network.pieces(long)] == rows


def test_every_claim_and_question_is_in_a_round_once_and_no_more_than_eight_passages() -> None:
    many = [*LESSONS, *(replace(LESSONS[5], passage=f"{n}", group="big") for n in range(30))]
    for unlabelled in (False, True):
        plan = _Plan(many, [1] * len(many), COURSE, unlabelled=unlabelled)
        found = plan.round()
        assert len(found) == plan.steps
        claims = sorted(n for batch in found if not batch.sizes for n in batch.rows)
        assert claims == list(range(5 if unlabelled else 4))
        sizes = sorted(size for batch in found for size in batch.sizes)
        assert sizes == [1, 2, 3, 8]
        assert sum(sizes) == sum(len(batch.rows) for batch in found if batch.sizes)


def test_groups_are_compared_as_by_hand() -> None:
    groups = _Groups((3, 2, 1), torch.device("cpu"))
    odds = torch.tensor([0.5, 2.0, -1.0, 0.0, 1.0, 4.0])
    true = torch.tensor([1.0, 1.0, 0.0, 0.0, 1.0, 0.0])
    first, second = np.exp([0.5, 2.0, -1.0]), np.exp([0.0, 1.0])
    by_hand = -(np.log(first[:2].sum() / first.sum()) + np.log(second[1] / second.sum())) / 2
    assert float(groups.right_first(odds, true)) == pytest.approx(by_hand, abs=1e-5)
    entropy = -sum((p := each / each.sum()) @ np.log(p) for each in (first, second)) / 3
    assert float(groups.as_taught(odds, odds)) == pytest.approx(entropy, abs=1e-5)
    none = groups.right_first(odds, torch.zeros(6))
    assert float(none) == 0.0


def test_nothing_cannot_be_learnt(folder: Path) -> None:
    with pytest.raises(ValueError, match="no lessons"):
        train(PairNetwork(folder), [claim("Alex swam.", WET, None)], TEACHER, tell=print)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises((OSError, ValueError)):
        PairNetwork(tmp_path)
