"""Training of the entailment head: altered claims, fitting and thresholds, and the file of the weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from books.types import Span
from coref.native.minilm import encoder_folder
from evaluation.corpus.excerpts import ClaimExcerpt, ExcerptPair, NovelExcerpts
from evaluation.corpus.types import CorpusNovel, CorpusPerson, FalseFact, KeyFact
from evaluation.entailment.altered_claims import denied, other_relation, turned
from evaluation.entailment.examples import examples
from evaluation.entailment.excerpt_examples import excerpt_claims
from evaluation.entailment.fitting import CITATION, FittingTable, fitted, fitted_together
from evaluation.entailment.training import train
from evaluation.keyfacts.checking import by_category, checked
from evaluation.keyfacts.linking import corpus_people
from generation.checking.entailment.cited_passage import passage_case
from generation.checking.entailment.entailment_head import FEATURES, read_by_head
from generation.checking.entailment.reading_head import (
    CITATIONS,
    OWN,
    as_one,
    citation_head,
    odds,
    own_head,
    places,
    read_weights,
    write,
)
from generation.checking.entailment.sentence_search import search_of
from generation.checking.judges.offline_judge import OfflineJudge
from generation.checking.types import Case
from generation.contexts import make_context
from generation.story.cast import cast_of
from generation.types import Category, Claim, NamedSpan
from retrieval.pairs.pair_reader import loaded
from tests.generation.novel import story

TOLD = story(
    "# One\n\n[Bess|bess] was the sister of [Tom|tom]. [She|bess] saved [Tom|tom] from the cold water.\n\n"
    "# Two\n\n[Tom|tom] never forgave [Captain Crane|crane]. [He|crane] lost the ship in a storm.\n",
    bess="Bess Farrow/she",
    tom="Tom Farrow/he",
    crane="Captain Crane/he",
)


def person(name: str, true: list[str], false: list[str]) -> CorpusPerson:
    return CorpusPerson(
        name=name,
        aliases=(name.split()[-1],),
        pronouns="they",
        who="",
        description="",
        true=tuple(KeyFact(fact, "event", 1, ()) for fact in true),
        false=tuple(FalseFact(fact, "relationship", "invented") for fact in false),
    )


NOVEL = CorpusNovel(
    "a_story",
    "A Story",
    "Nobody",
    "train",
    (
        person("Bess", ["Bess saved Tom from the cold water."], ["Bess is the wife of Tom."]),
        person("Captain Crane", ["Captain Crane lost the ship."], ["Captain Crane is a spy."]),
        person("Mr. Unseen", ["Mr. Unseen left."], []),
    ),
)


def claim(text: str, *people: tuple[str, str]) -> Claim:
    named = tuple(
        NamedSpan(Span(text.index(name), text.index(name) + len(name)), who) for name, who in people
    )
    return Claim(text, Category.OTHER, 0, Span(0, len(text)), people[0][1], people=named)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("Bess is brown.", "Bess is not brown."),
        ("Bess plays the harp.", "Bess does not play the harp."),
        ("Bess carries Tom home.", "Bess does not carry Tom home."),
        ("Bess teaches Tom.", "Bess does not teach Tom."),
    ],
)
def test_a_claim_is_denied(text: str, false: str) -> None:
    changed = denied(claim(text, ("Bess", "bess")))
    assert changed is not None
    assert changed.text == false


def test_names_move_with_the_words() -> None:
    changed = denied(claim("Bess is kind to Tom.", ("Bess", "bess"), ("Tom", "tom")))
    assert changed is not None
    assert [n.span.of(changed.text) for n in changed.people] == ["Bess", "Tom"]


def test_what_begins_with_something_else_is_not_denied() -> None:
    assert denied(claim("In the end Bess left.", ("Bess", "bess"))) is None


def test_another_relation_takes_the_place_of_one() -> None:
    changed = other_relation(claim("Bess is the sister of Tom.", ("Bess", "bess"), ("Tom", "tom")), Random(0))
    assert changed is not None
    assert changed.text in ("Bess is the mother of Tom.", "Bess is the aunt of Tom.")
    assert other_relation(claim("Bess left.", ("Bess", "bess")), Random(0)) is None


def test_two_people_change_places_unless_it_may_be_mutual() -> None:
    changed = turned(claim("Bess saves Tom.", ("Bess", "bess"), ("Tom", "tom")))
    assert changed is not None
    assert (changed.text, changed.subject, [n.character for n in changed.people]) == (
        "Bess saves Tom.",
        "bess",
        ["tom", "bess"],
    )
    assert turned(claim("Bess marries Tom.", ("Bess", "bess"), ("Tom", "tom"))) is None


def test_people_of_the_corpus_are_linked_by_their_names() -> None:
    assert corpus_people(NOVEL, TOLD[1]) == {"Bess": "bess", "Captain Crane": "crane", "Mr. Unseen": None}


def test_examples_have_every_fact_and_altered_ones() -> None:
    made = list(examples(NOVEL, *TOLD))
    kinds = [e.kind for e in made]
    assert (kinds.count("true"), kinds.count("false")) == (3, 2)
    assert all(e.true is (e.kind == "true") for e in made)
    moved = next(e for e in made if e.kind == "other person")
    assert moved.case.claim.text == "Captain Crane saved Tom from the cold water."
    assert moved.case.claim.subject == "crane"
    assert list(examples(NOVEL, *TOLD)) == made


def table(*, noise: float = 0.3) -> FittingTable:
    drawn = np.random.default_rng(0)
    true = drawn.random(800) < 0.6
    rows = drawn.normal(size=(800, len(FEATURES))).astype(np.float32)
    rows[:, 0] = true + noise * rows[:, 0]
    return FittingTable(
        rows=rows,
        true=true,
        kinds=["true" if one else "false" for one in true],
        novels=[f"novel {at % 10}" for at in range(800)],
        trained=np.arange(800) % 10 < 8,
    )


def test_what_tells_is_weighed_and_the_thresholds_keep_the_precision() -> None:
    weights, figures, _ = fitted(table(), np.zeros(384, np.float32))
    assert weights.weights[0] == weights.weights.max()
    for found in figures.values():
        assert found.area > 0.95
        assert found.supported_precision >= 0.9
        assert found.supported > 0.5


def test_without_a_sign_nothing_is_supported() -> None:
    _, figures, _ = fitted(table(noise=200.0), np.zeros(384, np.float32))
    assert all(found.supported < 0.1 for found in figures.values())


def test_a_head_is_trained_written_and_read_again(tmp_path: Path) -> None:
    told: list[str] = []
    made = train([(NOVEL, *TOLD)], tell=told.append, reader=loaded(encoder_folder()))
    assert told == ["A Story: 13 examples"] or told[0].startswith("A Story: ")
    assert made.story["novels"] == {"train": ["a_story"], "dev": []}
    file = tmp_path / "weights.json"
    file.write_text(write(made.weights, made.together, made.story))
    again = read_weights(file, loaded(encoder_folder()), places).weights
    assert np.allclose(again.weights, made.weights.weights, atol=1e-4)
    cases = [e.case for e in examples(NOVEL, *TOLD)]
    before, after = (read_by_head(cases, w) for w in (made.weights, again))
    assert [r.supported for r in before] == pytest.approx([r.supported for r in after], abs=0.02)


def test_there_must_be_a_novel() -> None:
    with pytest.raises(ValueError, match="no novel"):
        train([], tell=print, reader=loaded(encoder_folder()))


@pytest.mark.parametrize("change", [{"version": 0}, {"features": ["best"]}])
def test_weights_of_another_version_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"version": 1, "features": FEATURES} | change))
    with pytest.raises(ValueError, match="another version"):
        read_weights(file, loaded(encoder_folder()), places)


def test_the_bundled_head_was_not_trained_on_test_titles() -> None:
    from evaluation.corpus.loading import novels

    story = json.loads(OWN.read_text("utf-8"))["trained"]["novels"]
    for split in ("train", "dev"):
        assert set(story[split]) <= {novel.novel for novel in novels(split)}
    assert own_head().weights.supported > own_head().weights.unsupported


def test_every_fact_is_checked_and_counted_by_category() -> None:
    facts = list(checked(NOVEL, *TOLD, OfflineJudge()))
    assert [(f.person, f.true) for f in facts] == [
        ("Bess", True),
        ("Bess", False),
        ("Captain Crane", True),
        ("Captain Crane", False),
        ("Mr. Unseen", True),
    ]
    found = by_category(facts)
    assert set(found) == {"all", "relationship", "event"}
    assert found["all"].true_supported.all == 3
    assert found["all"].false_contradicted.all == 2
    assert found["event"].facts == 3


EXCERPTS = NovelExcerpts(
    "a_story",
    (
        ExcerptPair(
            "Tom Farrow",
            (
                ClaimExcerpt("Bess was", "water.", ("Tom is Bess's brother.",), ("Tom is Bess's son.",)),
                ClaimExcerpt("Tom never", "in a storm.", ("Tom bears a grudge against Crane.",), ()),
            ),
        ),
        ExcerptPair("Somebody Else", (ClaimExcerpt("Bess was", "water.", ("x",), ()),) * 2),
    ),
)


def excerpt_cases() -> list[Case]:
    search, context = search_of(cast_of(*TOLD)), make_context(TOLD[0], annotations=TOLD[1])
    return [passage_case(claim, span, search, context) for _, claim, span in excerpt_claims(EXCERPTS, *TOLD)]


def test_each_claim_goes_with_its_excerpt_and_a_true_one_with_the_other_too() -> None:
    kinds = [kind for kind, _, _ in excerpt_claims(EXCERPTS, *TOLD)]
    assert kinds == ["true", "elsewhere", "trap", "true", "elsewhere"]
    assert {case.claim.subject for case in excerpt_cases()} == {"tom"}
    shown = [" ".join(found.text for found in case.found) for case in excerpt_cases()]
    assert "cold water" in shown[0]
    assert "storm" in shown[1]
    assert shown[0] == shown[2] == shown[4]


def test_head_and_reader_are_weighed_together_and_read_back(tmp_path: Path) -> None:
    true = np.array([True, False] * 40)
    weights = own_head().weights
    chance = np.random.default_rng(0)
    read = np.where(true, 1.5, -1.5) + chance.normal(0, 1, len(true))
    rows = odds(np.full(len(true), 0.4, np.float32), read.astype(np.float32))
    fitted, together, figures = fitted_together(weights, rows, true, CITATION)
    assert together[1] > 0.5
    assert figures.area > 0.9
    assert 0 < fitted.unsupported <= fitted.supported < 1
    file = tmp_path / "citations.json"
    file.write_text(write(fitted, together, {"figures": {}}), "utf-8")
    case = excerpt_cases()[0]
    head = read_weights(file, loaded(encoder_folder()), as_one)
    said, nothing = head.read([case, replace(case, found=())])
    assert 0 < said.supported < 1
    assert nothing.best is None


def test_a_sentence_is_read_with_its_paragraph_and_each_paragraph_once() -> None:
    case = next(examples(NOVEL, *TOLD)).case
    told = places(case)
    assert len(set(told)) == len(told)
    assert any(text.count(".") > 1 for text in told)
    alone = places(replace(case, context=None))
    assert len(alone) == min(6, len({e.text for e in case.evidence}))


def test_a_passage_in_other_words_bears_more_out_than_one_about_something_else() -> None:
    def about(words: str) -> float:
        case = excerpt_cases()[0]
        claim = replace(case.claim, text="Tom is furious with the captain.", people=())
        found = (replace(case.found[0], text=words, named=()),)
        return citation_head().read([replace(case, claim=claim, found=found)])[0].supported

    fits = about("He raged at the skipper and shook his fist.")
    assert fits > 2 * about("The house had a red roof and two doors.")


def test_citations_were_not_trained_on_test_titles() -> None:
    from evaluation.corpus.loading import novels

    story = json.loads(CITATIONS.read_text("utf-8"))["trained"]
    used = {*story["novels"]["train"], *story["novels"]["dev"]}
    assert not used & {novel.novel for novel in novels() if novel.split == "test"}
    assert story["figures"]["dev, with the reader"]["area"] > story["figures"]["dev"]["area"]
