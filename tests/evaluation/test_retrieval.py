"""`bookworm evaluate retrieval`: a novel of seven paragraphs whose figures can be counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from books.errors import BookwormError
from books.types import Span
from coref.types import Annotations, Mention, MentionKind, Quote
from evaluation.coref import pdnc
from evaluation.coref.tallies import Share
from evaluation.retrieval.gold import oracle, wanted
from evaluation.retrieval.measure import measured, partners, together
from evaluation.retrieval.types import CastSource, RetrievalCase, RetrievalFigures, RetrievalScores
from retrieval.registry import make_embedder
from service.cli import output
from tests.evaluation.command import evaluated, printed
from tests.evaluation.pdnc_sheets import Said, person, write_novel
from tests.evaluation.pdnc_sheets import at as in_text
from tests.novella import indexed

PROSE = "The rain fell on the harbour all that day, and nobody went out to look at the boats or the sea. "
STORY = (
    f"{PROSE * 5}\n\n"
    '"Come in, Tom," said Ann Lee.\n\n'
    '"I will," he said.\n\n'
    '"Nobody came."\n\n'
    '"Ann, did you look?"\n\n'
    "Ann laughed.\n\n"
    '"Hurrah!"\n'
)
CAST = (
    ("Ann Lee", {"Ann"}, "major"),
    ("Thomas Hill", {"Tom", "Mr. Hill"}, "intermediate"),
    ("Zoe", {"Zoe"}, "major"),
    ("_group", {"_group"}, "minor"),
)
SAID = (
    Said(("Come in, Tom,",), "Ann", ((("Tom", "Tom"),),)),
    Said(("I will,",), "Thomas Hill", ((),)),
    Said(("Nobody came.",), "Ann Lee", ((),)),
    Said(("Ann, did you look?",), "Tom", ((("Ann", "Ann Lee"), ("you", "Ann")),)),
    Said(("Hurrah!",), "_group", ((),)),
)
at = partial(in_text, STORY)


@pytest.fixture
def novel(tmp_path: Path) -> pdnc.PdncNovel:
    return pdnc.load(write_novel(tmp_path / "novel", STORY, CAST, SAID))


def mention(words: str, nth: int, who: str) -> Mention:
    return Mention(at(words, nth), MentionKind.PROPER, who, words)


RESOLVED = Annotations(
    "told/1",
    (person("ann"), person("tom")),
    (
        mention("Tom", 0, "tom"),
        mention("Ann Lee", 0, "ann"),
        mention("I", 0, "tom"),
        mention("you", 0, "ann"),
        mention("Ann", 2, "ann"),
        mention("Hurrah", 0, "ann"),
    ),
    (
        Quote(at('"Come in, Tom,"'), "ann", None, 1.0),
        Quote(at('"I will,"'), "tom", None, 1.0),
        Quote(at('"Nobody came."'), "tom", None, 1.0),
    ),
)
"""Wrong: Tom says that nobody came, and "Hurrah" means Ann; the question has no speaker."""


def ask(
    novel: pdnc.PdncNovel,
    *retrievers: str,
    k: int = 2,
    annotations: Annotations = RESOLVED,
) -> RetrievalScores:
    return measured(novel, annotations, retrievers=retrievers, embedder=make_embedder("hashing"), k=k)


def major(
    found: RetrievalScores, retriever: str, cast: CastSource = CastSource.OWN, k: int | None = None
) -> RetrievalFigures:
    return found.cases[RetrievalCase("major", cast, retriever, k)]


def test_where_the_gold_has_them(novel: pdnc.PdncNovel, tmp_path: Path) -> None:
    with indexed(novel.book, tmp_path) as index:
        gold = wanted(novel, index.spans)
    assert len(index.passages) == 7
    assert {who: (p.speaking, p.mentioned) for who, p in gold.characters.items()} == {
        "Ann Lee": ({1, 3}, {4}),
        "Thomas Hill": ({2, 4}, {1}),
    }
    assert gold.quoting == {1, 2, 3, 4, 6}
    assert gold.speech == {3, 4, 6}, "in the others there are words that nobody says"


def test_a_quote_over_two_paragraphs_is_in_both(novel: pdnc.PdncNovel) -> None:
    three = [at(PROSE), at("Nobody came."), at("Ann, did you look?")]
    long = pdnc.PdncQuote((Span(three[1].start, three[2].end),), "Ann Lee", (), "", ())
    spans = np.array([(span.start, span.end) for span in three])
    gold = wanted(replace(novel, quotes=(long,)), spans)
    assert gold.characters["Ann Lee"].speaking == gold.speech == {1, 2}


def test_the_golds_cast_is_the_gold(novel: pdnc.PdncNovel) -> None:
    truth = oracle(novel)
    assert [(c.name, c.mention_count) for c in truth.characters] == [
        ("Ann Lee", 2),
        ("Thomas Hill", 1),
        ("Zoe", 0),
    ]
    assert [(a.text, a.count, a.first) for a in truth.characters[0].aliases] == [
        ("Ann", 3, at("Ann Lee").start),
        ("Ann Lee", 1, at("Ann Lee").start),
    ]
    assert [a.text for a in truth.characters[1].aliases] == ["Tom"], "the others are not in the book"
    assert [(m.surface, m.kind.value, m.character) for m in truth.mentions] == [
        ("Tom", "PROP", "Thomas Hill"),
        ("Ann", "PROP", "Ann Lee"),
        ("you", "PRON", "Ann Lee"),
    ]
    assert [quote.speaker for quote in truth.quotes] == ["Ann Lee", "Thomas Hill", "Ann Lee", "Thomas Hill"]


def test_what_means_several_is_a_mention_of_each(novel: pdnc.PdncNovel) -> None:
    both = pdnc.PdncMention(at("you"), ("Ann Lee", "Thomas Hill", "_group"))
    quote = pdnc.PdncQuote((at("Ann, did you look?"),), "_group", (), "", (both,))
    truth = oracle(replace(novel, quotes=(quote,)))
    assert [m.character for m in truth.mentions] == ["Ann Lee", "Thomas Hill"]
    assert truth.quotes == ()


def test_mentions_by_hand(novel: pdnc.PdncNovel) -> None:
    """Ann is in 1, 3, 4. Ours returns 1, 4, 5 and 6; the gold's cast only those where she is, or speaks."""
    found = ask(novel, "mentions")
    own, gold = major(found, "mentions"), major(found, "mentions", CastSource.GOLD)
    assert own.recall == Share(2, 3)
    assert own.speaking == Share(1, 2)
    assert own.mentioned == Share(1, 1)
    assert own.recall_by_character == Share(2 / 3, 1)
    assert own.possible == Share(3, 3)
    assert own.precision == Share(2, 3), "of 1, 4 and 6; that 5 is narration is no fault"
    assert own.precision_in_speech == Share(1, 2), "of 4 and 6"
    assert own.returned == Share(4, 1)
    assert (gold.recall, gold.speaking, gold.mentioned) == (Share(3, 3), Share(2, 2), Share(1, 1))
    assert (gold.precision, gold.returned) == (Share(3, 3), Share(3, 1))
    tom = found.cases[RetrievalCase("intermediate", CastSource.OWN, "mentions", None)]
    assert tom.recall == Share(2, 3), "he is in 1, 2 and 4, and ours in 1 and 2"


def test_so_many_passages_and_no_more(novel: pdnc.PdncNovel) -> None:
    found = major(ask(novel, "mentions", k=2), "mentions", k=2)
    assert found.returned == Share(2, 1)
    assert found.possible == Share(2, 3)


def test_the_floors_by_hand(novel: pdnc.PdncNovel) -> None:
    """The first two paragraphs, and all seven."""
    found = ask(novel, "lead", "random")
    few, every = major(found, "lead", k=2), major(found, "lead")
    assert (few.recall, few.precision, few.precision_in_speech) == (Share(1, 3), Share(1, 1), Share(0, 0))
    assert (every.recall, every.precision, every.returned) == (Share(3, 3), Share(3, 5), Share(7, 1))
    assert every.precision_in_speech == Share(2, 3)
    assert major(found, "random").recall == Share(3, 3)
    assert major(found, "random", k=2).returned == Share(2, 1)


def test_names_are_asked_for_as_each_cast_has_them(novel: pdnc.PdncNovel) -> None:
    """The gold's aliases are in 1, 4 and 5; ours, "ann", as well: their words are the same."""
    found = ask(novel, "bm25")
    assert major(found, "bm25", CastSource.GOLD).recall == major(found, "bm25").recall == Share(2, 3)
    assert major(found, "bm25").returned == Share(3, 1)
    renamed = replace(RESOLVED, characters=(person("tom"), replace(person("ann"), aliases=())))
    nameless = ask(novel, "bm25", annotations=renamed)
    assert major(nameless, "bm25").recall == Share(0, 3)
    assert major(nameless, "bm25", CastSource.GOLD).recall == Share(2, 3)


def test_who_was_not_found_is_lost_and_still_counted(novel: pdnc.PdncNovel) -> None:
    found = ask(novel, "mentions", "dense", "lead", annotations=Annotations("told/1", (), (), ()))
    assert found.characters == {"major": 1, "intermediate": 1}, "Zoe is nowhere"
    assert found.found == {"major": 0, "intermediate": 0}
    for retriever in ("mentions", "dense"):
        assert major(found, retriever).recall == Share(0, 3)
        assert major(found, retriever).returned == Share(0, 1)
    assert major(found, "lead").recall == Share(3, 3)
    assert major(found, "mentions", CastSource.GOLD).mentioned == Share(1, 1)


def test_partners_are_the_resolvers(novel: pdnc.PdncNovel) -> None:
    assert partners(novel, RESOLVED) == {"Ann Lee": "ann", "Thomas Hill": "tom"}
    assert ask(novel, "lead").found == {"major": 1, "intermediate": 1}


def test_novels_are_summed_before_anything_is_divided(novel: pdnc.PdncNovel) -> None:
    one = ask(novel, "mentions")
    none = ask(novel, "mentions", annotations=Annotations("told/1", (), (), ()))
    both = together("both", [one, none])
    figures = major(both, "mentions")
    assert (figures.recall, figures.speaking, figures.mentioned) == (Share(2, 6), Share(1, 4), Share(1, 2))
    assert figures.recall_by_character.value == pytest.approx((2 / 3 + 0) / 2)
    assert figures.returned.value == 2
    assert (both.passages, both.characters["major"], both.found["major"]) == (14, 2, 1)


def test_the_same_is_measured_twice(novel: pdnc.PdncNovel) -> None:
    every = ("mentions", "bm25", "dense", "hybrid", "lead", "random")
    assert ask(novel, *every) == ask(novel, *every)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("Ann", "Anna"):
        write_novel(tmp_path / "pdnc" / name, STORY, CAST, SAID)
    return tmp_path / "pdnc"


COMMAND = ("retrieval", "--embedder", "hashing", "--resolver", "rules")
run = partial(evaluated, *COMMAND)


def cases(found: Any, **wanted: object) -> Sequence[Any]:
    return [c for c in found["cases"] if all(c[key] == value for key, value in wanted.items())]


def test_the_command(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, *COMMAND, "--pdnc", corpus)
    assert found["resolver"].startswith("rules/")
    assert found["embedder"].startswith("hashing/")
    assert [novel["name"] for novel in found["novels"]] == ["Ann", "Anna"]
    assert found["pooled"]["name"] == "all"
    assert found["pooled"]["passages"] == 14
    retrievers = [c["retriever"] for c in cases(found["pooled"], category="major", cast="own", k=80)]
    assert retrievers == ["telling", "mentions", "bm25", "dense", "hybrid", "lead", "random"]
    [gold] = cases(found["pooled"], category="major", cast="gold", retriever="mentions", k=None)
    assert gold["recall"] == {"value": 1, "of": 6, "all": 6}
    [lead] = cases(found["novels"][1], category="intermediate", cast="own", retriever="lead", k=None)
    assert lead["recall"]["value"] == 1
    assert lead["returned"] == {"value": 7, "of": 7, "all": 1}


def test_retrievers_number_and_half_are_chosen(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("--retriever", "lead", "--retriever", "bm25", "-k", 2, "--half", "b")
    found = printed(capsys, *COMMAND, "--pdnc", corpus, *chosen)
    assert [novel["name"] for novel in found["novels"]] == ["Anna"]
    rows = cases(found["pooled"], category="major", cast="gold")
    assert [(c["retriever"], c["k"]) for c in rows] == [
        ("lead", 2),
        ("lead", None),
        ("bm25", 2),
        ("bm25", None),
    ]
    assert rows[0]["returned"]["value"] == 2


def test_the_page_for_people(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.out, "_width", output.WIDE)
    monkeypatch.setattr(output.out, "_height", 50)
    assert run("--pdnc", corpus, "--retriever", "lead", "-k", 2) == 0
    page = capsys.readouterr().out
    lines = [line.split() for line in page.splitlines()]
    assert "Major characters, gold cast" in page
    assert "Intermediate characters, cast of the resolver" in page
    assert ["lead", "2", "33.3", "33.3", "66.7", "50.0", "0.0", "100.0", "–", "2.0"] in lines
    assert ["lead", "–", "100.0", "100.0", "100.0", "100.0", "100.0", "60.0", "66.7", "7.0"] in lines
    assert "Recall at 2, cast of the resolver" in page
    assert ["Anna", "33.3"] in lines
    assert "of 2 major" in page
    assert "The gold data covers only quotes" in page


def test_a_retriever_that_is_not_there(corpus: Path) -> None:
    with pytest.raises(BookwormError) as error:
        run("--pdnc", corpus, "--retriever", "wish")
    assert error.value.code == "retriever_unknown"


def test_an_empty_folder_and_damaged_gold_are_errors(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (corpus / "Ann" / pdnc.QUOTES).write_text("quoteID\nQ0\n", "utf-8")
    for folder in (tmp_path / "empty", corpus):
        with pytest.raises(BookwormError) as error:
            run("--pdnc", folder)
        assert error.value.code == "gold_invalid"
