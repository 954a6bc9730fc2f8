"""What is found and cited of key facts, on a small book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from pydantic import TypeAdapter

from books.reading import read
from coref.registry import make_resolver
from evaluation.commands.keyfacts import NovelsMissing
from evaluation.corpus.readings import NovelReadings, ReadSentence
from evaluation.corpus.types import CorpusNovel, CorpusPerson, FalseFact, KeyFact
from evaluation.entailment.citation_examples import citation_pairs
from evaluation.keyfacts import citing, good_answers
from evaluation.keyfacts.examples import NovelExamples, TellingExample, examples_of
from evaluation.keyfacts.introducing import lesson
from evaluation.keyfacts.people import character_of
from evaluation.keyfacts.retrieving import NEVER, ranks
from evaluation.keyfacts.writing import described, figures
from evaluation.portraits.types import OpenedBook
from generation.checking.judges import proven_judge
from generation.checking.judges.offline_judge import OfflineJudge
from generation.contexts import make_context
from generation.registry import make_generator
from generation.story.introductions import FEATURES
from generation.types import AnswerLimits, Draft, Label, Prompt, Sentence, Task
from generation.writing.offline.composer import OfflineGenerator
from retrieval.telling.sentence_table import Floats
from retrieval.types import Category
from tests.evaluation.command import evaluated, printed
from tests.generation.novel import Found, passages
from tests.novella import indexed

STORY = """Chapter 1

Mrs. Vale was a tall woman with red hair, and she kept the mill alone.

The wind blew over the fields for a week.

Peter Lowe came to the door. Mrs. Vale did not let him in.

Chapter 2

Peter Lowe was a carpenter. He asked Mrs. Vale to marry him, and Mrs. Vale said that she would.
"""
FACTS = (
    KeyFact("Hannah Vale keeps a mill.", "role", 1, ("she kept the mill alone",)),
    KeyFact("Hannah is going to marry Peter.", "event", 2, ("Mrs. Vale said that she would",)),
    KeyFact("The wind blows.", "other", 1, ("The wind blew over\nthe fields",)),
)
FALSE = FalseFact("Hannah Vale owns a castle.", "role", "She has a mill.")
HANNAH = CorpusPerson("Hannah Vale", ("Mrs. Vale",), "she/her", "A miller.", "", FACTS, (FALSE,))
NOBODY = CorpusPerson("Zachary Pym", (), "he/him", "Nobody.", "", FACTS[:1], ())
NOVEL = CorpusNovel("1_the_mill", "The Mill", "A", "dev", (HANNAH, NOBODY))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenedBook]:
    book = read(STORY.encode(), name="the_mill.txt")
    folder = tmp_path_factory.mktemp("mill")
    with indexed(book, folder) as index:
        yield OpenedBook(book, make_resolver("rules").annotate(book), lambda: index)


@pytest.fixture(scope="module")
def made(opened: OpenedBook) -> NovelExamples:
    return examples_of(NOVEL, opened)


def test_people_are_the_characters_with_their_names(opened: OpenedBook) -> None:
    found = character_of(HANNAH, opened.annotations)
    assert found is not None
    assert "Vale" in found.name
    assert character_of(NOBODY, opened.annotations) is None


@pytest.mark.parametrize(
    ("who", "narrates"),
    [
        ("The narrator, an orphan who comes into money.", True),
        ("A black horse who narrates his own life.", True),
        ("Orphan of unknown birth, one of the two narrators.", True),
        ("The narrator's younger brother, a student.", False),
        ("A soldier who takes refuge with the narrator.", False),
    ],
)
def test_who_narrates_is_not_who_is_somebody_to_the_narrator(
    opened: OpenedBook, who: str, narrates: bool
) -> None:
    told = replace(opened.annotations, narrator=opened.annotations.characters[0].id)
    found = character_of(replace(NOBODY, who=who), told)
    assert (found is not None) is narrates


def test_examples_mark_the_sentences_that_are_quoted(opened: OpenedBook, made: NovelExamples) -> None:
    assert [(person.name, quotations) for person, quotations in made.lost] == [("Zachary Pym", 1)]
    (hannah,) = made.people
    lines = opened.index().sentences
    quoted = hannah.candidates.sentences[hannah.labels.any(1)]
    texts = [" ".join(opened.book.text[a:b].split()) for a, b, _ in lines[quoted].tolist()]
    assert texts == [
        "Mrs. Vale was a tall woman with red hair, and she kept the mill alone.",
        "The wind blew over the fields for a week.",
        "He asked Mrs. Vale to marry him, and Mrs. Vale said that she would.",
    ]
    assert [list(Category)[q.category].value for q in hannah.quotations] == ["role", "event", "other"]


def test_ranks_are_those_of_the_passages(made: NovelExamples) -> None:
    (hannah,) = made.people

    def late_first(example: TellingExample) -> Floats:
        scores = np.zeros((len(example.candidates.sentences), 7), np.float32)
        scores[:, 0] = example.passages
        return scores

    found = ranks([made], late_first)
    assert found.lost == 1
    assert found.by_category[Category.EVENT] == (0,)
    assert sorted(found.every) == sorted({0, *found.every})
    assert found.share(1) == 1 / 4
    assert found.share(NEVER) == 3 / 4
    assert found.share(1, Category.EVENT) == 1
    assert found.share(1, Category.MENTAL_STATE) == 0
    assert len(hannah.quotations) == 3


def test_lessons_on_introductions_are_the_sentences_that_readers_judged(opened: OpenedBook) -> None:
    def judged(quote: str, says: Literal["yes", "half", "no"] | None) -> ReadSentence:
        start = opened.book.text.index(quote)
        return ReadSentence(HANNAH.name, start, quote, None, True, 2, True, says)

    said = (
        judged("Mrs. Vale was a tall woman", "yes"),
        judged("Mrs. Vale did not let", "no"),
        judged("He asked Mrs. Vale", None),
    )
    taught = lesson(NOVEL, NovelReadings(NOVEL.novel, said, ()), opened)
    assert taught.true.tolist() == [True, False]
    assert taught.rows.shape == (2, len(FEATURES))


def test_descriptions_are_compared_with_the_quotations(opened: OpenedBook) -> None:
    hannah, nobody = described(NOVEL, opened, make_generator("offline"))
    assert (nobody.sentences, nobody.cited, nobody.facts) == (0, 0, 1)
    assert hannah.facts == 3
    assert 1 <= hannah.cited <= 2
    assert 1 <= hannah.hits <= hannah.sentences
    found = figures([hannah, nobody])
    assert (found.people, found.facts_cited) == (2, hannah.cited / 4)
    assert figures([]).words == 0


def test_analyses_are_compared_with_the_quotations(opened: OpenedBook) -> None:
    class Uncited(OfflineGenerator):
        def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:
            assert (prompt.task, limits.words) == (Task.ANALYSIS, 600)
            return Draft((Sentence("She keeps the mill.", ()),))

    found = figures(described(NOVEL, opened, Uncited(), Task.ANALYSIS))
    assert (found.words, found.sentences_telling) == (2, 0.0), "of one of the two nothing is written"


def test_the_command_takes_another_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOOKWORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("BOOKWORM_RESOLVER", "rules")
    folder = tmp_path / "corpus" / "portraits"
    folder.mkdir(parents=True)
    (folder / "1_the_mill.json").write_bytes(TypeAdapter(CorpusNovel).dump_json(replace(NOVEL, split="test")))
    (tmp_path / "1_the_mill.txt").write_text(STORY)

    given = ("keyfacts", "--novels", tmp_path, "--corpus")
    told = printed(capsys, *given, folder.parent)
    assert (told["split"], told["novels"], told["write"]["analysis"]["people"]) == ("test", 1, 2)
    assert set(told["check"]) == {"all", "role", "event", "other"}
    evaluated(*given, folder.parent)
    page = capsys.readouterr().out
    assert page.count("of the sentences cite one") == 2
    with pytest.raises(NovelsMissing, match="is no corpus"):
        evaluated(*given, folder)


def test_citations_are_measured_on_passages_with_the_quotation_and_on_others(opened: OpenedBook) -> None:
    context = make_context(opened.book, annotations=opened.annotations)
    pairs = list(citation_pairs(NOVEL, context))
    kinds = {kind for kind, _, _ in pairs}
    assert {"true", "false", "denied"} <= kinds <= {*KINDS, "denied", "detail", "relation", "turned"}
    for kind, claim, passage in pairs:
        if kind == "true":
            fact = next(f for f in FACTS if f.fact == claim.text)
            assert any(" ".join(q.split()) in " ".join(passage.text.split()) for q in fact.quotes)
        elif kind == "false":
            assert claim.text == FALSE.fact
    found = citing.figures(citing.cited(NOVEL, opened.book, opened.annotations))
    assert {kind: one.cited.all for kind, one in found.items()} == {
        kind: sum(k == kind for k, _, _ in pairs) for kind in kinds
    }
    assert all(one.found.of <= one.cited.of for one in found.values())


KINDS = ("true", "false", "near", "elsewhere")


def test_good_answers_are_judged_by_what_the_judge_is_shown(opened: OpenedBook) -> None:
    shown = Found(passages(opened.book))
    made = list(good_answers.checked(NOVEL, opened, shown, Found([]), OfflineJudge()))
    verdicts = [(s.novel, s.true, s.verdict.value) for s in made]
    assert verdicts == [("1_the_mill", True, "supported")] * 3 + [("1_the_mill", False, "unsupported")]
    found = good_answers.figures(made)
    assert (found.supported.value, found.contradicted.value) == (1, 0)
    assert found.rightly.of == found.cited.of == sum(s.cited for s in made if s.true)


def test_a_model_that_fails_the_test_does_not_judge_good_answers(
    opened: OpenedBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proven_judge, "PASSED", 1.1)
    shown = Found(passages(opened.book))
    made = list(good_answers.checked(NOVEL, opened, shown, Found([]), OfflineJudge()))
    assert [s.verdict for s in made] == [s.offline for s in made]
    assert Label.SUPPORTED not in {s.verdict for s in made[1:]}


def test_a_proven_judge_takes_the_citations_of_false_facts(opened: OpenedBook) -> None:
    """One near word keeps its citation until it is judged."""
    near = replace(FALSE, fact="Mrs. Vale was a tall woman with red hair, and she kept the inn alone.")
    novel = replace(NOVEL, people=(replace(HANNAH, false=(near,)),))
    there = passages(opened.book)
    found = good_answers.figures(
        good_answers.checked(novel, opened, Found(there), Found(there[:1]), OfflineJudge())
    )
    assert (found.false_offered.of, found.false_offered.all) == (1, 1)
    assert (found.false_cited.of, found.false_cited.all) == (0, 1)
    assert found.supported.all == 3
