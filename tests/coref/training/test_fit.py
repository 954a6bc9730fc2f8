"""Training learns, is reproducible, and continues where it was stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from coref.native.network import MOST_WORDS, LiteraryNetwork
from coref.native.word_pieces import WordPieces
from coref.training import checkpoint, coref_targets
from coref.training.checkpoint import CorefEpoch, CorefTrainingState
from coref.training.coref_targets import CorefExample, CorefLosses, example_of, hidden, linked_example
from coref.training.litbank import LitbankDamaged, load, read_ids
from coref.training.network_training import CorefTrainingPlan, fit
from tests.coref.native.tiny import network_of
from tests.coref.training.conftest import stopped_after_two

TEXT = """Mr Darcy went home .
He said , " I was the old man . "
Ann 's ship was home , and she said it .
"""
ROWS = """MENTION\tT1\t0\t0\t0\t1\tMr Darcy\tPER\tPROP
MENTION\tT2\t1\t0\t1\t0\tHe\tPER\tPRON
MENTION\tT3\t1\t4\t1\t4\tI\tPER\tPRON
MENTION\tT4\t1\t6\t1\t8\tthe old man\tPER\tNOM
MENTION\tT5\t2\t0\t2\t0\tAnn\tPER\tPROP
MENTION\tT6\t2\t0\t2\t2\tAnn 's ship\tVEH\tNOM
MENTION\tT7\t2\t7\t2\t7\tshe\tPER\tPRON
COREF\tT1\tdarcy-0
COREF\tT2\tdarcy-0
COREF\tT3\tdarcy-0
COREF\tT5\tann-1
COREF\tT7\tann-1
COP\tT3\tT4
"""
PLAN = CorefTrainingPlan(epochs=4, encoder_rate=1e-3, head_rate=3e-3, warm_up=1)


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    folder = tmp_path / "litbank"
    (folder / "coref").mkdir(parents=True)
    (folder / "coref" / "1_home_brat.txt").write_text(TEXT, encoding="utf-8")
    (folder / "coref" / "1_home_brat.ann").write_text(ROWS, encoding="utf-8")
    (folder / "train.ids").write_text("1_home\n\n", encoding="utf-8")
    return folder


@pytest.fixture
def example(litbank: Path, encoder_folder: Path) -> CorefExample:
    [gold] = load(litbank, read_ids(litbank / "train.ids"))
    return example_of(gold, WordPieces(encoder_folder))


def test_a_document_as_it_was_annotated(litbank: Path) -> None:
    [gold] = load(litbank, ["1_home"])
    assert [gold.document.words[slice(*m.span)] for m in gold.mentions][4:6] == [
        ("Ann", "'s", "ship"),
        ("Ann",),
    ]
    assert [m.entity for m in gold.mentions] == [
        "darcy-0", "darcy-0", "darcy-0", "alone:T4", "alone:T6", "ann-1", "ann-1",
    ]  # fmt: skip
    assert gold.document.sentences == ((0, 5), (5, 16), (16, 27))


def test_a_damaged_row_names_its_file(litbank: Path) -> None:
    (litbank / "coref" / "1_home_brat.ann").write_text("MENTION\tT1\tx\n", encoding="utf-8")
    with pytest.raises(LitbankDamaged, match="1_home_brat"):
        load(litbank, ["1_home"])


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("\t", " "), "begins with none of MENTION"),
        (("Ann\tPER", "Anne\tPER"), "the mention “Anne” where the text has “Ann”"),
        (("\t2\t", "\t99\t"), "is no mention"),
        (("COREF\tT1\t", "COREF\tT1 "), "is no mention"),
        (("Ann\tPER", "Ann\tPERS"), "none of PER, FAC, LOC, GPE, ORG, VEH: PERS"),
        (("\tPROP", "\tNAME"), "none of PROP, NOM, PRON: NAME"),
        (("COREF\tT1\t", "COREF\tT99\t"), "gives T99 an entity, but has no such mention"),
    ],
)
def test_what_was_annotated_by_hand_must_fit_the_text(
    litbank: Path, wrong: tuple[str, str], told: str
) -> None:
    file = litbank / "coref" / "1_home_brat.ann"
    rows = file.read_text("utf-8")
    assert wrong[0] in rows
    file.write_text(rows.replace(*wrong), "utf-8")
    with pytest.raises(LitbankDamaged, match=told):
        load(litbank, ["1_home"])


def test_the_targets_are_the_mentions(example: CorefExample) -> None:
    starts, lengths = example.classes.nonzero(as_tuple=True)
    assert {(s, s + n + 1) for s, n in zip(starts.tolist(), lengths.tolist(), strict=True)} == set(
        example.gold
    )
    assert example.classes.shape == (27, MOST_WORDS)
    assert example.classes[16, 2] == 6


def run(
    encoder: Path,
    example: CorefExample,
    folder: Path,
    plan: CorefTrainingPlan = PLAN,
    scores: Mapping[int, float] | None = None,
) -> tuple[LiteraryNetwork, CorefTrainingState, list[CorefEpoch]]:
    network, heard = network_of(encoder), list[CorefEpoch]()

    def measure(_: LiteraryNetwork) -> dict[str, float]:
        number = len(heard)
        return {"score": scores[number] if scores else float(number)}

    story = fit(network, [example, example], plan, mask=1, folder=folder, measure=measure, told=heard.append)
    return network, story, heard


def test_it_learns(encoder_folder: Path, example: CorefExample, tmp_path: Path) -> None:
    _, story, _ = run(encoder_folder, example, tmp_path / "run", replace(PLAN, epochs=12))
    first, last = story.epochs[0].losses, story.epochs[-1].losses
    assert last["mentions"] < 0.5 * first["mentions"]
    assert last["kinds"] < first["kinds"]


def test_from_links_alone_nothing_but_links_is_learnt(
    encoder_folder: Path, example: CorefExample, tmp_path: Path
) -> None:
    document = example.document
    meant = {(0, 2): "darcy", (5, 6): "darcy", (9, 10): "darcy", (11, 14): None, (16, 17): "ann"}
    linked = linked_example("excerpt", document, meant, WordPieces(encoder_folder))
    assert {span: mention.entity for span, mention in linked.gold.items()}[11, 14] == "alone:3"
    network, story, _ = run(encoder_folder, linked, tmp_path / "run", replace(PLAN, epochs=16))
    fresh = network_of(encoder_folder)
    first, last = story.epochs[0].losses, story.epochs[-1].losses
    assert last["links"] < 0.8 * first["links"]
    assert [last[name] for name in ("mentions", "kinds", "events")] == [0, 0, 0]
    assert_same(network.kind.state_dict(), fresh.kind.state_dict())
    changed = zip(network.pairs.parameters(), fresh.pairs.parameters(), strict=True)
    assert any(not torch.equal(after, before) for after, before in changed)


def test_a_trained_network_compares_what_it_finds_from_the_first_epoch(
    encoder_folder: Path, example: CorefExample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def losses(*given: object, with_found: bool) -> CorefLosses:
        asked.append(with_found)
        return coref_targets.losses(*given, with_found=with_found)  # type: ignore[arg-type]

    monkeypatch.setattr("coref.training.network_training.losses", losses)
    for trained in (False, True):
        run(encoder_folder, example, tmp_path / str(trained), replace(PLAN, epochs=2, trained=trained))
    assert asked == [False, False, True, True, True, True, True, True]


def test_the_same_seed_gives_the_same_weights(
    encoder_folder: Path, example: CorefExample, tmp_path: Path
) -> None:
    one, story, _ = run(encoder_folder, example, tmp_path / "one")
    two, again, _ = run(encoder_folder, example, tmp_path / "two")
    assert [e.losses for e in story.epochs] == [e.losses for e in again.epochs]
    assert_same(one.state_dict(), two.state_dict())
    other, _, _ = run(encoder_folder, example, tmp_path / "three", replace(PLAN, seed=2))
    assert any(not torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_it_goes_on_where_it_was_stopped(
    encoder_folder: Path, example: CorefExample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, wanted, _ = run(encoder_folder, example, tmp_path / "whole")
    with stopped_after_two(monkeypatch):
        run(encoder_folder, example, tmp_path / "parts")
    rest, story, heard = run(encoder_folder, example, tmp_path / "parts")
    assert [epoch.number for epoch in heard] == [2, 3]
    assert [e.losses for e in story.epochs] == [e.losses for e in wanted.epochs]
    assert_same(rest.state_dict(), whole.state_dict())


def test_another_plan_begins_anew(encoder_folder: Path, example: CorefExample, tmp_path: Path) -> None:
    run(encoder_folder, example, tmp_path / "run")
    _, _, heard = run(encoder_folder, example, tmp_path / "run", replace(PLAN, seed=9))
    assert [epoch.number for epoch in heard] == [0, 1, 2, 3]


def test_it_stops_when_nothing_gets_better_and_keeps_the_best(
    encoder_folder: Path, example: CorefExample, tmp_path: Path
) -> None:
    plan = replace(PLAN, epochs=9, patience=2)
    _, story, _ = run(
        encoder_folder, example, tmp_path / "run", plan, {0: 0.1, 1: 0.5, 2: 0.4, 3: 0.5, 4: 0.9}
    )
    assert len(story.epochs) == 4
    best = load_file(tmp_path / "run" / checkpoint.BEST)
    state = load_file(tmp_path / "run" / checkpoint.STATE)
    assert set(best) == {name.removeprefix("network.") for name in state if name.startswith("network.")}
    assert any(not torch.equal(best[name], state[f"average.{name}"]) for name in best)


def test_what_is_kept_is_the_average(encoder_folder: Path, example: CorefExample, tmp_path: Path) -> None:
    kept, _, _ = run(encoder_folder, example, tmp_path / "none", replace(PLAN, average=0.0))
    assert_same(load_file(tmp_path / "none" / checkpoint.BEST), kept.state_dict())
    moved, _, _ = run(encoder_folder, example, tmp_path / "much", replace(PLAN, average=0.9))
    best = load_file(tmp_path / "much" / checkpoint.BEST)
    assert any(not torch.equal(best[name], tensor) for name, tensor in moved.state_dict().items())


def test_hidden_words_are_masked_whole(example: CorefExample) -> None:
    torch.manual_seed(5)
    masked = hidden(example.batch, 0.5, mask=-7)
    gone = (masked.pieces == -7).reshape(-1)
    owners = example.batch.owners
    assert 3 < int(gone.sum()) < 24
    assert not bool((gone & (owners < 0)).any())
    words = set(owners[gone].tolist())
    assert all(bool(gone[owners == word].all()) for word in words)
    assert torch.equal(hidden(example.batch, 0.0, mask=-7).pieces, example.batch.pieces)


def test_events_are_read_where_they_are_marked(litbank: Path) -> None:
    (litbank / "events").mkdir()
    words = TEXT.split()
    rows = "\n".join(f"{word}\t{'EVENT' if word == 'went' else 'O'}" for word in words)
    (litbank / "events" / "1_home_brat.tsv").write_text(rows, encoding="utf-8")
    [gold] = load(litbank, ["1_home"])
    assert [word for word, happens in zip(words, gold.events, strict=True) if happens] == ["went"]
    (litbank / "events" / "1_home_brat.tsv").write_text("other\tO\n", encoding="utf-8")
    with pytest.raises(LitbankDamaged, match="other words"):
        load(litbank, ["1_home"])


def assert_same(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> None:
    assert all(torch.equal(one[name], other[name]) for name in one)
